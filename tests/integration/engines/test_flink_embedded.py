"""The main job and a watch on Flink inside the job server: the rows are those of the local runner."""

from __future__ import annotations

import os
import re
import sys
import time
from pathlib import Path

import apache_beam as beam
import pyarrow.parquet as pq
import pytest
from apache_beam.options.pipeline_options import PipelineOptions

import cedar
from tests.curation import fasttext_files
from tests.dedup import test_dedup_in_store
from tests.helpers.corpus import rows
from tests.helpers.crawl import write_warc
from tests.helpers.documents import page, python_examples
from tests.helpers.object_server import object_server
from tests.integration.engines.runs import (
    EMBEDDED,
    ROOT,
    assert_same,
    books,
    extract,
    finish,
    start,
    urls,
    wait_until,
)
from tests.integration.engines.tutorial_steps import assert_the_tutorial_is_the_same

pytestmark = [pytest.mark.needs("java"), pytest.mark.timeout(900)]


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("crawl")
    for number in range(5):
        write_warc(directory / f"{number:03d}.warc.gz", 60, first=1000 * number, paragraphs=400)
    (directory / "005.warc.gz").write_bytes(b"no archive at all")
    return directory


def test_rows_are_those_of_the_local_runner_by_an_extractor_of_another_package_with_rules_and_signatures(
    crawl: Path, tmp_path: Path
) -> None:
    (code,) = re.findall(r"```python\n# paragraphs.py\n(.*?)```", page("own-extractor"), re.DOTALL)
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "paragraphs.py").write_text(code)
    path = os.pathsep.join((str(ROOT), str(tmp_path / "site")))
    model = fasttext_files.write(tmp_path / "model.bin")
    more = ("--split-size", "64KiB", "--quiet", "--extractor", "paragraphs:long_paragraphs:at_least=5")
    more += ("--language-model", str(model), "--signatures")
    more += ("--keep", "offset < 100000", "--preset", "fineweb-quality")
    finish(extract(crawl, tmp_path / "local", *more, PYTHONPATH=path))
    finish(extract(crawl, tmp_path / "flink", *more, *EMBEDDED, PYTHONPATH=path))
    taken_out = rows(tmp_path / "flink", "dropped")
    assert taken_out
    assert taken_out == rows(tmp_path / "local", "dropped")
    assert len(rows(tmp_path / "flink")) + len(taken_out) == 300
    assert all(row["content_lines"] > 100 for row in rows(tmp_path / "flink"))
    assert_same(tmp_path / "flink", tmp_path / "local")
    for path in (tmp_path / "local" / "signatures").iterdir():
        assert pq.read_table(tmp_path / "flink" / "signatures" / path.name).equals(pq.read_table(path))


def test_a_whole_recipe_gives_the_rows_of_the_local_runner(tmp_path: Path) -> None:
    code = python_examples(page("own-signal"))[0]
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "shouting.py").write_text(code)
    (tmp_path / "words.txt").write_text("7\n1011\n")
    (tmp_path / "domains.txt").write_text("other.example\nexample.com\n")
    for number in range(2):
        write_warc(tmp_path / "in" / f"{number:03d}.warc.gz", 30, first=1000 * number)
    model = fasttext_files.write(tmp_path / "model.bin", word_ngrams=2)
    path = os.pathsep.join((str(ROOT), str(tmp_path / "site")))
    more = ("--quiet", "--recipe", "fineweb2", "--language-model", str(model), "--dropped", "mark")
    more += ("--block-words", str(tmp_path / "words.txt"), "--block-domains", str(tmp_path / "domains.txt"))
    more += ("--classifier", f"quality={model}:eng_Latn", "--signal", "topic=shouting:Topic")
    more += ("--keep", "quality >= 0.01", "--mask", "email,ip,phone")
    finish(extract(tmp_path / "in", tmp_path / "local", *more, PYTHONPATH=path))
    finish(extract(tmp_path / "in", tmp_path / "flink", *more, *EMBEDDED, PYTHONPATH=path))
    assert_same(tmp_path / "flink", tmp_path / "local")
    assert len(rows(tmp_path / "flink")) == 58
    assert {row["topic"] for row in rows(tmp_path / "flink")} <= {"sea", None}
    assert all(0 < row["quality"] <= 1 for row in rows(tmp_path / "flink"))
    assert books(tmp_path / "flink")["blocked"] == {"words.txt": 2}


def test_an_input_that_fails_ends_the_job_and_is_named(tmp_path: Path) -> None:
    bad = write_warc(tmp_path / "in" / "bad.warc.gz", 30)
    write_warc(tmp_path / "in" / "good.warc.gz", 30, first=100)
    job = extract(tmp_path / "in", tmp_path / "corpus", "--quiet", *EMBEDDED)
    while job.poll() is None:
        os.utime(bad)
        time.sleep(0.003)
    output = finish(job, 1)
    assert f"cedar: failed: {bad}: FileChangedError: the file changed while it was read" in output
    # The job may have ended before the other file was done.
    told = [line.partition(": ")[2].partition(": ")[0] for line in output.splitlines()]
    assert told in (["failed"], ["failed", "not done"]), output
    assert not list(tmp_path.glob("corpus/shards/bad*"))
    finish(extract(tmp_path / "in", tmp_path / "corpus", "--quiet"))
    assert len(rows(tmp_path / "corpus")) == 60


def test_forty_files_arrive_at_one_streaming_job_and_every_page_is_there_once(tmp_path: Path) -> None:
    inbox, corpus = tmp_path / "in", tmp_path / "corpus"
    inbox.mkdir()
    job = extract(inbox, corpus, "--watch", "1", *EMBEDDED, "--checkpointing_interval=2000")
    wait_until((corpus / "run.json").exists, job)
    finish(start(sys.executable, "-m", "tests.helpers.arriving", inbox, 40, 6, 7, 10))
    wait_until(lambda: len(list(corpus.glob("shards/*.json"))) >= 40, job)
    write_warc(inbox / "001.warc.gz", 4, first=90_000)
    changed = [f"https://crawl.example/{n}" for n in range(90_000, 90_004)]
    wait_until(lambda: changed[0] in urls(corpus), job)
    job.terminate()
    finish(job)
    expected = [f"https://crawl.example/{1000 * f + n}" for f in range(40) if f != 1 for n in range(6)]
    assert urls(corpus) == sorted(expected + changed)
    assert (books(corpus)["pages"], books(corpus)["shards"]) == (238, 40)
    assert not (corpus / "_tmp").exists()


def test_the_way_of_the_tutorial_leads_to_the_pages_of_the_local_runner(tmp_path: Path) -> None:
    assert_the_tutorial_is_the_same(tmp_path, EMBEDDED)


def test_duplicates_found_by_a_job_into_an_object_store_are_those_found_here_on_the_disk(
    tmp_path: Path,
) -> None:
    corpora = test_dedup_in_store.corpora(tmp_path)
    command = (sys.executable, "-m", "cedar", "dedup", *corpora, "--write", "--quiet")
    with object_server() as server:
        finish(start(*command, "--output", tmp_path / "r"))
        finish(start(*command, "--output", f"{test_dedup_in_store.STORE}/r", *EMBEDDED))
        assert test_dedup_in_store.in_store(server, "r") == test_dedup_in_store.on_disk(tmp_path / "r")


def test_a_pipeline_of_ones_own_ends_in_the_corpus_of_the_local_runner(crawl: Path, tmp_path: Path) -> None:
    made = cedar.ExtractRows("cetr", signals=True, keep=("offset < 100000",))
    for name, flags in (("flink", (*EMBEDDED, "--environment_type=LOOPBACK")), ("local", ())):
        options = PipelineOptions(list(flags), runner=None if flags else "FnApiRunner")
        with beam.Pipeline(options=options) as pipeline:
            records = pipeline | cedar.ReadWarc(str(crawl / "*.warc.gz"))
            _ = records | cedar.DecodePage() | made | cedar.WriteCorpus(str(tmp_path / name), made, files=3)
    for kind in ("pages", "dropped"):
        assert rows(tmp_path / "flink", kind) == rows(tmp_path / "local", kind)
    assert books(tmp_path / "flink")["pages"] == books(tmp_path / "local")["pages"] > 0
    assert books(tmp_path / "flink")["balanced"]
