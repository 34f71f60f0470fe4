"""What the tests of crawls share: a crawl's files, an index's, and a server of either."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.crawl_root import files_of, make_root
from tests.helpers.crawl_server import CrawlServer, crawl_server
from tests.helpers.index_root import make_index_root


@pytest.fixture(scope="module")
def root(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The root of some crawls; with their index for tests of what is selected."""
    make = make_index_root if "select" in request.module.__name__ else make_root
    return make(tmp_path_factory.mktemp("root"))


@pytest.fixture
def server(root: Path) -> Iterator[CrawlServer]:
    """A server of these files."""
    with crawl_server(files_of(root)) as server:
        yield server
