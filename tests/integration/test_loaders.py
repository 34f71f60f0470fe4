"""A corpus as `datasets`, Polars, DuckDB, Spark 4 and datatrove read it: `nox -s loaders`.

They are asked in a Python of their own (LOADERS_PYTHON), which has nothing of this project in it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import zstandard

import cedar
from cedar.pipelines.cli import main
from cedar.transforms.corpus.corpus_reader import CorpusReader
from tests.helpers.crawl import article, write_warc

PYTHON = os.environ.get("LOADERS_PYTHON", "")

DATASETS = """
import datasets, json, sys
loaded = datasets.load_dataset(sys.argv[1], split="train", cache_dir=sys.argv[2])
kinds = {name: str(feature.dtype) for name, feature in loaded.features.items()}
print(json.dumps({"kinds": kinds, "rows": [dict(row) for row in loaded]}, default=str))
"""
DATATROVE = """
import json, sys
from datatrove.pipeline.readers import JsonlReader
pages = [(page.id, page.text, page.metadata) for page in JsonlReader(sys.argv[1]).run()]
print(json.dumps(pages, default=str))
"""

DIRECTORY = """
import datasets, json, sys
said = {}
for name in sys.argv[3:]:
    loaded = datasets.load_dataset(sys.argv[1], name, split="train", cache_dir=sys.argv[2])
    kinds = {key: str(feature.dtype) for key, feature in loaded.features.items()}
    said[name] = {"kinds": kinds, "rows": [[row["url"], row.get("text")] for row in loaded]}
print(json.dumps(said, default=str))
"""
TABLES = """
import duckdb, gzip, glob, json, polars, sys
files = sys.argv[1] + "/pages/*"
if glob.glob(files + ".parquet"):
    frame = polars.read_parquet(files + ".parquet")
    found = duckdb.sql(f"select url, text from '{files}.parquet'").fetchall()
else:  # Polars reads no file without a line
    paths = [path for path in sorted(glob.glob(files)) if gzip.open(path).read(1)]
    frame = polars.concat([polars.read_ndjson(path) for path in paths], how="vertical_relaxed")
    found = duckdb.sql(f"select url, text from '{files}.jsonl.gz'").fetchall()
print(json.dumps({"polars": frame.select("url", "text").rows(), "duckdb": found}))
"""

SPARK = """
import json, sys
from pyspark.sql import SparkSession
here = dict.fromkeys(("spark.driver.bindAddress", "spark.driver.host"), "127.0.0.1")
here["spark.ui.enabled"] = "false"
spark = SparkSession.builder.master("local[1]").config(map=here).getOrCreate()
said = []
for corpus in sys.argv[2:]:
    frame = getattr(spark.read, sys.argv[1])(corpus + "/pages")
    kinds = dict(frame.dtypes)
    rows = [[row.url, row.text] for row in frame.select("url", "text").collect()]
    said.append({"kinds": kinds, "rows": rows})
print(json.dumps(said))
"""

CEDAR = """
import json, sys
from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.readers import WarcReader
from datatrove.pipeline.writers import JsonlWriter
from cedar.datatrove import CedarExtractor
if __name__ == "__main__":
    steps = [WarcReader(sys.argv[1]), CedarExtractor(timeout=60), JsonlWriter(sys.argv[2], compression=None)]
    LocalPipelineExecutor(steps, logging_dir=sys.argv[3]).run()
"""

pytestmark = pytest.mark.needs("LOADERS_PYTHON")


@pytest.fixture(scope="module", params=["zstd", "gzip"])
def pages(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of pages of a corpus in two files, some of them marked as dropped."""
    home = tmp_path_factory.mktemp(request.param)
    write_warc(home / "in" / "one.warc.gz", 30, paragraphs=12)
    write_warc(home / "in" / "two.warc.gz", 20, first=100, paragraphs=1)
    options = ["--format", "jsonl", "--compression", request.param, "--signals", "--keep", "words > 100"]
    options += ["--dropped", "mark", "--quiet"]
    assert main(["extract", str(home / "in"), "--output", str(home / "corpus"), *options]) == 0
    return home / "corpus" / "pages"


def asked(script: str, *arguments: Path | str) -> Any:
    """What a script says in the other Python."""
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1"}
    environment.pop("PYTHONPATH", None)
    run = subprocess.run(
        [PYTHON, "-c", script, *map(str, arguments)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert run.returncode == 0, run.stderr[-3000:]
    return json.loads(run.stdout.splitlines()[-1])


def rows(pages: Path) -> list[dict[str, Any]]:
    """The rows as they stand in the files, in the order of the files' names."""
    found: list[dict[str, Any]] = []
    for path in sorted(pages.glob("*.jsonl.*")):
        if path.suffix == ".zst":
            lines = zstandard.ZstdDecompressor().stream_reader(path.read_bytes()).read()
        else:
            lines = subprocess.run(["gzip", "-dc", path], capture_output=True, check=True).stdout
        found += map(json.loads, lines.splitlines())
    return found


def test_datasets_loads_every_row_with_its_columns(pages: Path, tmp_path: Path) -> None:
    expected = rows(pages)
    loaded = asked(DATASETS, pages.parent, tmp_path)
    assert len(loaded["rows"]) == len(expected) == 50
    reasons = {row["drop_reason"] for row in expected}
    assert {str(reason).partition(" (")[0] for reason in reasons} == {"None", "keep: words > 100"}
    assert list(loaded["kinds"]) == list(expected[0])
    assert loaded["kinds"]["text"] == "string"
    assert loaded["kinds"]["cedar_words"] == "int32"
    assert loaded["kinds"]["terminal_lines"] == "float32"
    for row, wanted in zip(loaded["rows"], expected, strict=True):
        assert {name: row[name] for name in ("id", "url", "text", "cedar_words", "drop_reason")} == {
            name: wanted[name] for name in ("id", "url", "text", "cedar_words", "drop_reason")
        }


def test_datatrove_reads_id_text_and_the_rest_as_metadata(pages: Path) -> None:
    expected = {row["id"]: row for row in rows(pages)}
    read = asked(DATATROVE, pages)
    assert len(read) == len(expected) == 50
    for page_id, text, metadata in read:
        wanted = expected[page_id]
        assert text == wanted["text"]
        assert metadata["url"] == wanted["url"]
        assert metadata["cedar_words"] == wanted["cedar_words"]
        assert set(metadata) - {"file_path"} == set(wanted) - {"id", "text"}


@pytest.fixture(scope="module", params=["parquet", "jsonl"])
def corpora(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A corpus that was extracted, what a filter left of it, and what has no duplicate in it."""
    home = tmp_path_factory.mktemp(request.param)
    write_warc(home / "in" / "valid-one.warc.gz", 30)
    write_warc(home / "in" / "two.warc.gz", 20, first=20, paragraphs=1)
    (home / "in" / "empty.warc").write_bytes(b"")
    options = ["--format", request.param, "--signatures", "--quiet"]
    options += ["--compression", "gzip"] if request.param == "jsonl" else []
    found = {name: home / name for name in ("extracted", "filtered", "unique")}
    assert main(["extract", str(home / "in"), "--output", str(found["extracted"]), *options]) == 0
    rules = ["--keep", "words > 100", "--output", str(found["filtered"]), "--quiet"]
    assert main(["filter", str(found["extracted"]), *rules]) == 0
    assert (
        main(["dedup", str(found["extracted"]), "--write", "--output", str(found["unique"]), "--quiet"]) == 0
    )
    found["unique"] /= "corpus"
    return found


CORPORA = ("extracted", "filtered", "unique")


def pages_of(corpus: Path) -> int:
    found: int = json.loads((corpus / "run.json").read_text())["pages"]
    return found


@pytest.mark.parametrize("name", CORPORA)
def test_datasets_loads_a_corpus_by_its_directory(
    name: str, corpora: dict[str, Path], tmp_path: Path
) -> None:
    others = {"extracted": ["rejects"], "filtered": ["dropped"], "unique": []}[name]
    loaded = asked(DIRECTORY, corpora[name], tmp_path, "default", *others)
    assert len(loaded["default"]["rows"]) == pages_of(corpora[name]) > 0
    assert all(text for _, text in loaded["default"]["rows"])
    kinds = loaded["default"]["kinds"]
    assert kinds["fetched_at"] == "timestamp[us, tz=UTC]"
    assert (kinds["fallback"], kinds["threshold"], kinds["status"]) == ("string", "float64", "int32")
    if name == "extracted":
        assert len(loaded["rejects"]["rows"]) == 10 + 1
    if name == "filtered":
        assert len(loaded["dropped"]["rows"]) == 20


@pytest.mark.parametrize("name", CORPORA)
def test_polars_and_duckdb_read_its_pages(name: str, corpora: dict[str, Path]) -> None:
    read = asked(TABLES, corpora[name])
    assert len(read["polars"]) == pages_of(corpora[name]) > 0
    assert sorted(read["polars"]) == sorted(read["duckdb"])


def test_spark_reads_their_pages(corpora: dict[str, Path]) -> None:
    is_parquet = any((corpora["extracted"] / "pages").glob("*.parquet"))
    read = asked(SPARK, "parquet" if is_parquet else "json", *corpora.values())
    for corpus, found in zip(corpora.values(), read, strict=True):
        reader = CorpusReader.at(str(corpus))
        pages = (page.row for summary in reader.summaries() for page in reader.pages(summary))
        assert sorted(found["rows"]) == sorted([row.url, row.text] for row in pages)
        if is_parquet:
            kinds = [found["kinds"][name] for name in ("fetched_at", "text", "status", "threshold")]
            assert kinds == ["timestamp", "string", "int", "double"]


def test_datatrove_runs_cedar_as_an_extractor(tmp_path: Path) -> None:
    write_warc(tmp_path / "in" / "one.warc.gz", 5)
    asking = "import sysconfig; print(sysconfig.get_path('purelib'))"
    said = subprocess.run([PYTHON, "-c", asking], capture_output=True, text=True, check=True)
    run = subprocess.run(
        [sys.executable, "-c", CEDAR, *(str(tmp_path / name) for name in ("in", "out", "logs"))],
        # Its packages after those of this environment, which has Cedar.
        env={**os.environ, "PYTHONPATH": os.pathsep.join([*filter(None, sys.path), said.stdout.strip()])},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert run.returncode == 0, run.stderr[-3000:]
    (path,) = (tmp_path / "out").iterdir()
    read = {page["metadata"]["url"]: page["text"] for page in map(json.loads, path.read_text().splitlines())}
    assert read["https://crawl.example/3"] == cedar.extract(article(3)).text
    assert len(read) == 5
