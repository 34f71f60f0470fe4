"""Papers of the methods as entries of a bibliography."""

from __future__ import annotations

import re

import pytest

from cedar.pipelines.cli import main
from cedar.transforms.extractors import registry
from cedar.transforms.extractors.papers import PAPERS


def test_every_published_method_has_an_entry_and_each_paper_stands_once(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["extractors", "--bibtex"]) == 0
    printed = capsys.readouterr().out
    entries = re.findall(r"^@(\w+)\{([\w-]+),$", printed, re.MULTILINE)
    assert len(entries) == len(set(entries)) == len(PAPERS) + 1
    assert ("software", "cedar") in entries
    assert printed.count("{") == printed.count("}")
    assert {method.paper for method in map(registry.get, registry.names())} == {
        "",
        *(paper.citation for paper in PAPERS.values()),
    }


def test_an_entry_has_authors_title_year_and_doi(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["extractors", "cetr-tm", "cetr", "--bibtex"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "@inproceedings{weninger2010cetr,",
        "  author = {Weninger and Hsu and Han},",
        "  title = {{CETR - Content Extraction via Tag Ratios}},",
        "  booktitle = {WWW},",
        "  year = {2010},",
        "  doi = {10.1145/1772690.1772789},",
        "}",
    ]
