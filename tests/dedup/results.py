"""Runs of `cedar dedup` in tests: how one is made, and what it has left."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from cedar.pipelines.cli import main
from tests.dedup.corpora import Made, edited, words

BASE = " ".join(words(1, 60))
NEAR = " ".join(edited(words(1, 60), 1, seed=2))
OTHER = " ".join(words(3, 60))


def dedup(*arguments: object) -> int:
    return main(["dedup", *map(str, arguments), "--quiet"])


def refused(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    assert dedup(*arguments) == 2
    (line,) = capsys.readouterr().err.splitlines()
    return line


def rows(result: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for path in sorted((result / "duplicates").glob("*/*.parquet")):
        found += pq.read_table(path).to_pylist()
    return found


def files(result: Path) -> dict[str, bytes]:
    """The files of the tables of a result."""
    found = [*result.glob("duplicates/*/*"), *result.glob("index/*/*")]
    return {str(path.relative_to(result)): path.read_bytes() for path in found}


def family(count: int, seed: int) -> list[Made]:
    """Texts of which some are edits of others, some equal, some short or empty."""
    chance = random.Random(seed)
    made: list[list[str]] = []
    for number in range(count):
        kind = chance.random()
        if kind < 0.4 or not made:
            made.append(words(seed * 100_000 + number, chance.randrange(30, 90)))
        elif kind < 0.5:
            made.append(list(chance.choice(made)))
        elif kind < 0.55:
            made.append(chance.choice((["too", "short"], [], ["short", "too"])))
        else:
            source = chance.choice(made)
            made.append(edited(source, min(len(source), chance.randrange(1, 5)), seed=number))
    return [Made(" ".join(text)) for text in made]
