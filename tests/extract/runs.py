"""Runs of `cedar extract` over a crawl, and what they leave."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cedar.pipelines.cli import main
from cedar.pipelines.common.arguments import Parser, add_options
from cedar.pipelines.extract.options import ExtractOptions, extract_options
from tests.helpers.corpus import books
from tests.helpers.corpus import rows as page_rows
from tests.helpers.processes import ForkedRun

FILES = 6
PAGES = 40


def extract(inputs: Path, corpus: Path, *options: str) -> int:
    return main(["extract", str(inputs), "--output", str(corpus), "--quiet", *options])


def options_for(*arguments: str) -> ExtractOptions:
    parser = Parser()
    add_options(parser, ExtractOptions)
    return extract_options(parser, list(arguments))


def urls(corpus: Path) -> list[str]:
    return sorted(row["url"] for row in page_rows(corpus))


def assert_whole(corpus: Path, expected: list[dict[str, Any]]) -> None:
    """The corpus holds exactly the expected rows, its books balance, and nothing is left behind."""
    assert page_rows(corpus) == expected
    assert books(corpus)["balanced"]
    assert books(corpus)["pages"] == len(expected)
    assert books(corpus)["rejected"] == {"not_response": FILES * 9, "status": FILES * 8}
    assert not (corpus / "_tmp").exists()


def start(crawl: Path, corpus: Path, *options: str) -> ForkedRun:
    return ForkedRun("extract", str(crawl), "--output", str(corpus), *options)
