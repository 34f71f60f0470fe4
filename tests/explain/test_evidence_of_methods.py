"""Evidence of the methods that have charts of their own agrees with what they decided."""

from __future__ import annotations

from cedar.pipelines.explain.evidence import CUE_WORDS
from cedar.transforms.extractors.cedar.columns import ALL_COLUMNS
from tests.explain.test_evidence import explained


def test_cues_are_named_with_the_score() -> None:
    evidence, blocks = explained("cedar")
    for block, numbers in zip(blocks, evidence.numbers, strict=True):
        weightiest = max(block.cues, key=lambda cue: abs(cue[1]))[0]
        assert f"it: {CUE_WORDS[weightiest]} " in numbers


def test_every_group_of_columns_has_words_for_people() -> None:
    assert CUE_WORDS.keys() == {"base", "rules", *(column.partition(".")[0] for column in ALL_COLUMNS)}
