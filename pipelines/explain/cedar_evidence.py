"""Evidence of `cedar`: the score of each block, and the cues it is the sum of."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pipelines.drawing.charts import Evidence, Work, generic, number
from transforms.extractors.extraction import Block

_CUES = 4  # that are named; those that weigh most

WORDS = {
    "base": "where every block starts",
    "own": "its text",
    "tag": "its element",
    "near": "its neighbours",
    "place": "where it stands on the page",
    "around1": "the element around it",
    "around2": "the element two levels up",
    "around3": "the element three levels up",
    "around4": "the element four levels up",
    "box": "whether it is in the page's densest part",
    "name": "the names of elements around it",
    "class": "the class names around it",
    "same": "other elements of its kind",
    "part": "its section of the page",
    "lead": "how it stands to the headline",
    "page": "the page as a whole",
    "vote": "how blocks near it and like it scored",
    "kind": "the kind of page",
    "rules": "what the page states of itself, or that it is prose which no tag parts",
}
"""What people read for each group of columns, in the order of `transforms.extractors.cedar.columns`."""


def cues(work: Work[Any]) -> Evidence:
    """Cedar."""
    shown = generic(work)
    threshold = work.result.metrics.threshold
    return replace(
        shown,
        rule="A block's score, the log-odds of its being content, is the sum of its cues; the set of blocks "
        "with the best expected F1 stays, down to the threshold, which is different for each page. Tables, "
        "code and lists of which most stays are made whole, and headings stay above what does.",
        reasons=tuple(_reason(block, threshold) for block in work.blocks),
        numbers=tuple(f"score {_short(block.score)}; {_named(block)}" for block in work.blocks),
    )


def _reason(block: Block, threshold: float | None) -> str:
    """Say what decided: the score, unless what is around the block, or an option, did otherwise."""
    if threshold is None:
        return "no score decided"
    if block.score < threshold:
        belongs = "it belongs to what stays, or an option asks for it"
        return belongs if block.kept else "its score is below the threshold"
    return "its score reaches the threshold" if block.kept else "an option leaves it out"


def _named(block: Block) -> str:
    """Name the cues that weigh most, those that speak for it first."""
    weightiest = sorted(block.cues, key=lambda cue: -abs(cue[1]))[:_CUES]
    said = []
    for word, is_for in (("for it", True), ("against it", False)):
        cues = [f"{WORDS[name]} {_short(abs(value))}" for name, value in weightiest if (value > 0) is is_for]
        if cues:
            said.append(f"{word}: {', '.join(cues)}")
    return "; ".join(said)


def _short(value: float) -> str:
    return number(float(f"{value:.2g}"))
