"""What the tests of `cedar extract` share."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.extract.runs import FILES, PAGES, extract
from tests.helpers.corpus import rows as page_rows
from tests.helpers.crawl import write_warc


@pytest.fixture(scope="session")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("crawl")
    for number in range(FILES):
        write_warc(directory / f"{number:05d}.warc.gz", PAGES, first=1000 * number)
    return directory


@pytest.fixture(scope="session")
def expected(crawl: Path, tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """The rows of an undisturbed run."""
    corpus = tmp_path_factory.mktemp("expected") / "corpus"
    assert extract(crawl, corpus, "--workers", "1") == 0
    rows = page_rows(corpus)
    assert len(rows) == FILES * PAGES
    return rows
