"""Two corpora with duplicates, and what `cedar dedup` makes of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.dedup.corpora import Kind, write_corpus
from tests.dedup.results import dedup, family


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two corpora with duplicates within and between them, one of them without signatures."""
    root = tmp_path_factory.mktemp("corpora")
    pages = family(240, seed=5)
    return (
        write_corpus(root / "a", [pages[:40], pages[40:90], [], pages[90:130]]),
        write_corpus(root / "b", [pages[130:200], pages[200:]], Kind(signed=False)),
    )


@pytest.fixture(scope="module")
def result(corpora: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    result = tmp_path_factory.mktemp("result") / "r"
    assert dedup(*corpora, "--output", result, "--workers", 1) == 0
    return result
