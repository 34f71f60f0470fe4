"""No extractor may fall below its floor on the gold pages that are kept here."""

from __future__ import annotations

import pytest

from cedar.transforms.extractors import registry
from cedar.transforms.scoring.gold import GoldPage
from tests.gold import floors as gate

NAMES = registry.names()


@pytest.fixture(scope="module")
def gold() -> tuple[GoldPage, ...]:
    return gate.pages()


@pytest.mark.parametrize("name", NAMES)
def test_f1_is_not_below_its_floor(name: str, gold: tuple[GoldPage, ...]) -> None:
    complaint = gate.complaint(name, gate.measure(name, gold), gate.read_floors())
    assert complaint is None, complaint


def test_every_floor_is_of_an_extractor() -> None:
    assert set(gate.read_floors()) == set(NAMES)


def test_set_has_many_languages_and_page_types(gold: tuple[GoldPage, ...]) -> None:
    assert len(gold) >= 24
    assert len({page.lang for page in gold}) >= 10
    assert len({page.page_type for page in gold}) >= 7
    assert all(4_000 < len(page.html) < 40_000 and len(page.text) > 200 for page in gold)
    assert all(page.wanted and page.unwanted and page.url for page in gold)


def test_a_new_extractor_without_a_floor_is_told_how_to_record_one() -> None:
    told = "new has no floor (F1 is 0.5000): record it with `python -m tests.gold.floors --update`"
    assert gate.complaint("new", 0.5, {}) == told


def test_a_fall_within_epsilon_is_none() -> None:
    assert gate.complaint("x", 0.8985, {"x": 0.9}) is None
    assert "fell from 0.9000 to 0.8900" in (gate.complaint("x", 0.89, {"x": 0.9}) or "")


def test_updating_raises_and_records_but_lowers_only_what_is_named() -> None:
    floors = {"up": 0.5, "down": 0.9, "meant": 0.9, "near": 0.9, "gone": 0.3}
    measured = {"up": 0.61234, "down": 0.8, "meant": 0.8, "near": 0.899, "new": 0.7}
    new, refused = gate.updated(floors, measured, frozenset({"meant"}))
    assert new == {"up": 0.6123, "down": 0.9, "meant": 0.8, "near": 0.9, "new": 0.7}
    assert refused == ["down"]
