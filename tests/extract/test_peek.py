"""A plan reckons the pages of files on this machine by their beginnings."""

from __future__ import annotations

from pathlib import Path

import pytest

from cedar.pipelines.cli import main
from cedar.pipelines.extract.preview import page_density
from cedar.transforms.decode.page import PageFilter
from cedar.transforms.readers.choices import InputChoices
from tests.crawl import write_warc


def test_density_is_that_of_the_pages_that_are_wanted(tmp_path: Path) -> None:
    warc = write_warc(tmp_path / "a.warc.gz", 20)
    size = warc.stat().st_size
    assert page_density([str(warc)], PageFilter(), InputChoices()) == 20 / size
    assert page_density([str(warc)], PageFilter(statuses=((200, 499),)), InputChoices()) == 24 / size
    assert page_density([str(warc)], PageFilter(statuses=((500, 599),)), InputChoices()) == 0


def test_files_without_pages_have_no_density(tmp_path: Path) -> None:
    empty, other = tmp_path / "empty.warc", tmp_path / "other.warc.gz"
    empty.touch()
    other.write_bytes(b"no archive at all")
    assert page_density([str(empty), str(other)], PageFilter(), InputChoices()) == 0
    assert page_density([], PageFilter(), InputChoices()) == 0


def test_plan_of_a_small_crawl_counts_its_pages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_warc(tmp_path / "a.warc.gz", 40)
    assert main(["extract", str(tmp_path), "--plan"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "pages      about 40 pages in 1 file"
