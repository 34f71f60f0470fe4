"""A corpus that 0.1.0 made goes on to be resumed, settled and reported."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from pipelines.cli import main
from tests.old_corpora import COMMANDS, old_corpus


def files(corpus: Path) -> dict[str, bytes]:
    """The rows and commits of a corpus, by name."""
    kinds = ("pages", "rejects", "shards")
    return {str(p.relative_to(corpus)): p.read_bytes() for kind in kinds for p in corpus.glob(f"{kind}/*")}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_corpus_of_0_1_0_is_resumed(name: str, tmp_path: Path) -> None:
    crawl, corpus = old_corpus(name, tmp_path)
    before, runs = files(corpus), set(corpus.glob("runs/*"))
    shutil.copyfile(crawl / "sample.warc.gz", crawl / "more.warc.gz")
    command = ["extract", str(crawl), "--output", str(corpus), "--quiet", "--workers", "1", *COMMANDS[name]]
    assert main(command) == 0
    after = files(corpus)
    assert {name: after.get(name) for name in before} == before
    fresh = {name.partition("-")[0] for name in after.keys() - before.keys()}
    assert {"pages/more", "shards/more"} <= fresh <= {"pages/more", "shards/more", "rejects/more"}
    books = json.loads((corpus / "run.json").read_text())
    assert (books["shards"], books["pages"], books["balanced"]) == (3, 12, True)
    (last,) = set(corpus.glob("runs/*")) - runs
    run = json.loads(last.read_text())
    assert (run["done_before"], run["pages"]) == (2, 5)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_corpus_of_0_1_0_is_settled_and_reported(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, corpus = old_corpus(name, tmp_path)
    before = files(corpus), json.loads((corpus / "run.json").read_text())
    (corpus / "run.json").unlink()
    assert main(["report", str(corpus), "--settle", "--text"]) == 0
    assert "7 pages out of 12 records, 5 rejected: the books balance." in capsys.readouterr().out
    after = files(corpus), json.loads((corpus / "run.json").read_text())
    assert after[0] == before[0]
    assert {key: after[1][key] for key in before[1]} == before[1]
