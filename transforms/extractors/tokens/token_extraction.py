"""From a decision about a page's tokens to an extraction.

A block is what stands between two block-level tags; one of which a part stays and another goes counts as
two. Where nothing parts two words (a script without blanks), no cut falls between them: the first decides.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import compress

import numpy as np

from transforms.extractors.extraction import Block, Extraction, PageMetrics
from transforms.extractors.html import characters
from transforms.extractors.html._text import count
from transforms.extractors.html.characters import Flags, Floats, Offsets
from transforms.extractors.tokens.tokens import TokenPage


@dataclass(frozen=True, slots=True)
class TokenDecision:
    """What a method decided about the m tokens of a page.

    Attributes:
        kept: bool (m,), the tokens that are content; of tags it is of no account.
        scores: float64 (m,), the number each token was judged by. A block's score is the mean over its
            tokens, the tags before it included.
        threshold: the threshold that was applied, or None.
    """

    kept: Flags
    scores: Floats
    threshold: float | None = None


def extraction(page: TokenPage, decision: TokenDecision) -> Extraction:
    """Return the extraction that follows from a decision about a page's tokens."""
    words = page.words
    kept = _without_cuts(words.fused, decision.kept[words.tokens])
    changes = np.diff(words.blocks) != 0
    changes |= kept[1:] != kept[:-1]
    firsts = np.flatnonzero(np.concatenate(([True], changes)))[: len(words)]
    stops = np.append(words.starts[firsts[1:]] - 1, page.text.coded.size - 1)
    rendered = page.text.line_texts(stops) if firsts.size else []
    stays = kept[firsts]

    content = [line for line in compress(rendered, stays.tolist()) if line]
    result = "\n".join(content)
    visible_lines = len(rendered) - rendered.count("")
    visible_chars = sum(map(len, rendered)) + max(0, visible_lines - 1)
    metrics = PageMetrics(
        html_chars=count(page.source.original),
        text_chars=len(result),
        words=result.count(" ") + result.count("\n") + 1 if result else 0,
        lines=firsts.size,
        content_lines=int(np.count_nonzero(stays)),
        tags=len(page.text.tags),
        link_chars=page.text.link_chars,
        threshold=decision.threshold,
        content_ratio=len(result) / visible_chars if visible_chars else 0.0,
    )
    blocks = partial(_blocks, page, decision.scores, firsts, stays, rendered)
    ranges = partial(_kept_ranges, page, firsts, stays)
    return Extraction(result, page.title, None, metrics, blocks, make_ranges=ranges)


def _without_cuts(fused: Flags, kept: Flags) -> Flags:
    """Return the words that stay, if those that follow on another with nothing between them go its way."""
    if not fused.any():
        return kept
    heads = np.maximum.accumulate(np.where(fused, 0, np.arange(fused.size)))
    return kept[heads]


def _blocks(
    page: TokenPage, scores: Floats, firsts: Offsets, stays: Flags, rendered: list[str]
) -> tuple[Block, ...]:
    if not firsts.size:
        return ()
    lasts = _lasts(page, firsts)
    # The tokens of each block: from the last word of the block before to its own.
    edges = np.append(0, page.words.tokens[lasts] + 1)
    means = np.add.reduceat(scores, edges[:-1]) / np.diff(edges)
    starts, stops = characters.code_points(page.source.original, *_source_ranges(page, firsts))
    return tuple(map(Block, rendered, stays.tolist(), means.tolist(), starts.tolist(), stops.tolist()))


def _kept_ranges(page: TokenPage, firsts: Offsets, stays: Flags) -> tuple[Offsets, Offsets]:
    """Find where each block that is kept starts and stops in the page as given, in bytes."""
    starts, stops = _source_ranges(page, firsts)
    return starts[stays], stops[stays]


def _source_ranges(page: TokenPage, firsts: Offsets) -> tuple[Offsets, Offsets]:
    """Find where each block starts and stops in the page as given, in bytes."""
    if not firsts.size:
        return firsts, firsts
    words = page.words
    return (
        _original(page, words.starts[firsts]),
        _original(page, words.stops[_lasts(page, firsts)] - 1) + 1,
    )


def _lasts(page: TokenPage, firsts: Offsets) -> Offsets:
    """Return the last word of each block, of which `firsts` are the first words."""
    lasts: Offsets = np.append(firsts[1:], len(page.words)) - 1
    return lasts


def _original(page: TokenPage, offsets: Offsets) -> Offsets:
    """Find where bytes of the text that belong to no tag stand in the page as given."""
    return page.source.original_offsets(page.text.page_offsets(offsets))
