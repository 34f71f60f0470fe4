"""The way of docs/tutorial.md, from a crawl to a corpus without duplicates, on a runner and locally."""

from __future__ import annotations

import sys
from pathlib import Path

from cedar.pipelines.sample.mirror import make_mirror
from tests.curation import fasttext_files
from tests.helpers.corpus import rows
from tests.integration.engines.runs import assert_same, books, finish, json_lines, start, tables


def assert_the_tutorial_is_the_same(root: Path, runner: tuple[str, ...]) -> None:
    """Walk it for a month of 120 pages on a runner and locally, in a folder: the same rows and books."""
    make_mirror(root / "mirror", 40)
    fasttext_files.write(root / "model.bin")
    local, remote = root / "local", root / "remote"
    walk(root, local, ("--workers", "1"))
    walk(root, remote, runner)
    assert_same(remote / "month", local / "month")
    kept, dropped = rows(remote / "month"), rows(remote / "month", "dropped")
    assert len(kept) + len(dropped) == 120
    assert dropped == rows(local / "month", "dropped")
    assert {row["drop_reason"].split()[0] for row in dropped} == {"keep:", "fineweb:"}
    for column in ("markdown", "date_published", "language", "top_2gram"):
        assert any(row[column] for row in kept)
    for folder in ("month/signatures", "unique/duplicates"):
        found = tables(remote / folder)
        assert found == tables(local / folder)
        assert sum(map(len, found)) > 20
    for folder in ("pages", "rejects"):
        lines = json_lines(remote / "unique/corpus" / folder)
        assert lines == json_lines(local / "unique/corpus" / folder)
        assert lines
    assert books(remote / "unique") == books(local / "unique")
    assert books(remote / "unique")["pages"] == len(kept)


def walk(root: Path, home: Path, runner: tuple[str, ...]) -> None:
    """Give the tutorial's commands for one month, with a small model of languages in place of lid.176."""
    cedar = (sys.executable, "-m", "cedar")
    extract = (*cedar, "extract", "cc:CC-MAIN-2026-04", "--crawl-root", root / "mirror", "--quiet")
    extract += ("--output", home / "month", "--language-model", root / "model.bin")
    extract += ("--keep", "language == en and language_score >= 0.82", "--preset", "fineweb")
    extract += ("--signatures", "--with-markdown", "--with-metadata")
    finish(start(*extract, *runner, XDG_CACHE_HOME=str(root / "cache")))
    dedup = (*cedar, "dedup", home / "month", "--output", home / "unique", "--memory", "64KiB", "--quiet")
    finish(start(*dedup, "--write", "--format", "jsonl", *runner))
    assert "without a duplicate" in finish(start(*cedar, "report", "--text", home / "unique"))
