"""The extractors make of some forty pages what they made before: texts, titles, HTML, blocks, metrics."""

from __future__ import annotations

import pytest

from cedar import names

from . import digests

RECORD = digests.read_record()


@pytest.mark.parametrize("name", names())
def test_extractions_are_those_on_record(name: str) -> None:
    others = digests.other_pages(RECORD, name, digests.of_extractor(name))
    if others and digests.made_with() != RECORD["made_with"]:
        pytest.skip(f"recorded with {RECORD['made_with']}, here is {digests.made_with()}: {others}")
    assert not others, "if that is meant: python -m tests.digest --record"


def test_a_page_that_is_extracted_otherwise_is_named() -> None:
    found = {**RECORD["digests"]["keep-all"], "town": "00000000", "new": "00000000"}
    assert digests.other_pages(RECORD, "keep-all", found) == ["town", "new"]
