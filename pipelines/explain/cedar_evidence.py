"""Evidence of `cedar`: the score of each block, and the cues it is the sum of."""

from __future__ import annotations

from dataclasses import replace

from pipelines.drawing.evidence import Evidence, generic, number
from transforms.extractors.extraction import Block, Extraction

_CUES = 4  # that are named; those that weigh most


def cues(html: bytes, options: object, result: Extraction, blocks: tuple[Block, ...]) -> Evidence:
    """Cedar."""
    shown = generic(html, options, result, blocks)
    reasons = ("not likely enough, or left out by an option", "likely enough, or asked for by an option")
    return replace(
        shown,
        rule="A block's score, the log-odds of its being content, is the sum of its cues; the set of blocks "
        "with the best expected F1 stays, down to the threshold, which is different for each page.",
        reasons=tuple(reasons[block.kept] for block in blocks),
        numbers=tuple(f"score {number(block.score)}: {_named(block)}" for block in blocks),
    )


def _named(block: Block) -> str:
    weightiest = sorted(block.cues, key=lambda cue: -abs(cue[1]))[:_CUES]
    return ", ".join(f"{name} {'+' if value > 0 else ''}{number(value)}" for name, value in weightiest)
