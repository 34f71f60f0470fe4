"""What the extractors make of some 250 pages is what it was: texts, titles, HTML, blocks, scores, metrics."""

from __future__ import annotations

import pytest

from cedar.transforms.extractors import names, registry

from . import digests, pages

RECORD = digests.read_record()


@pytest.mark.parametrize("name", names())
def test_extractions_are_those_on_record(name: str) -> None:
    complaints = digests.differences(RECORD, name, digests.of_extractor(name))
    if complaints and digests.made_with() != RECORD["made_with"]:
        pytest.skip(f"recorded with {RECORD['made_with']}, here is {digests.made_with()}: {complaints}")
    assert not complaints, "\n".join([*complaints, "if that is meant: python -m tests.digest --record"])


def test_every_option_is_tried_and_every_choice() -> None:
    for name in names():
        for spec in registry.get(name).option_specs:
            tried = {str(options[spec.name]) for options in digests.OPTIONS[name] if spec.name in options}
            every = {item for each in tried for item in each.split(",")}
            wanted = set(spec.choices) - set(spec.default_text.split(","))
            assert tried, f"{name}: {spec.name}"
            assert wanted <= every, f"{name}: {spec.name}"


def test_there_are_some_200_pages_of_many_kinds_and_the_same_each_time() -> None:
    assert len(pages.pages()) > 200
    assert list(pages.pages()) == RECORD["pages"]
    once = pages.pages()
    pages.pages.cache_clear()
    assert pages.pages() == once


def test_a_change_is_told_with_its_method_options_and_first_page() -> None:
    found = {"keep-all": dict.fromkeys(RECORD["pages"], "0" * 32)}
    (told,) = digests.differences(RECORD, "keep-all", found)
    assert told.startswith(
        f"keep-all: differs on {len(RECORD['pages'])} of {len(RECORD['pages'])} pages, first on"
    )
