"""DSC and ADSC: document slope curves.

DSC (Pinto et al.: QuASM, JCDL 2002) draws the number of tags so far over the tokens of the page; content lies
where the curve is flat. The original is not available: we know only that windows run over the tokens,
that one is low if its slope is at most half of the page's mean slope, that sections of low windows, several
of them if need be, are content, and that some three windows in a row confirm where one begins or ends.
ADSC (Gottron 2007) looks for windows in which words are more frequent than tags.

Our choices, which make neither of them faithful: only the body is looked at, its tokens read as in BTE;
windows are 8 tokens wide for bodies of up to 200 tokens and 50 for 5000 and more, linearly between; each
overlaps half of the one before, and the last may be up to half a window shorter; a section begins with the
first of three low windows and ends before the first of three that are not; where there are fewer than three
windows, all of them must agree. ADSC keeps each window with more words than tags, and confirms nothing. A
token is content if one of the windows it lies in is.
"""

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from cedar.transforms.extractors.extraction import Extraction
from cedar.transforms.extractors.html.characters import Flags, Floats
from cedar.transforms.extractors.options import About
from cedar.transforms.extractors.tokens.tokens import TokenDecision, TokenPage, extraction, read_tokens

_TOKENS = (200, 5000)
"""Numbers of tokens between which windows grow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdscOptions:
    """Options of `adsc`."""

    min_window: Annotated[int, About("tokens in a window for bodies of up to 200 tokens", minimum=2)] = 8
    max_window: Annotated[int, About("tokens in a window for bodies of 5000 tokens or more", minimum=2)] = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class DscOptions(AdscOptions):
    """Options of `dsc`."""

    slope_factor: Annotated[float, About("slope of a low window / mean slope, at most", minimum=0)] = 0.5
    confirm: Annotated[int, About("windows in a row that begin or end a section", minimum=1, maximum=64)] = 3


def dsc(html: bytes, options: DscOptions) -> Extraction:
    """DSC on a page of valid UTF-8.

    A token's score is the largest share of words in one of its windows, which is 1 less the slope.
    """
    page = read_tokens(html)
    body = page.is_tag[page.body :]
    step = half_width(body.size, options)
    slopes = window_slopes(body, step)
    highest = options.slope_factor * (float(body.mean()) if body.size else 0.0)
    return extraction(
        page,
        _decision(
            page, slopes, sections(slopes <= highest, options.confirm), step=step, threshold=1.0 - highest
        ),
    )


def adsc(html: bytes, options: AdscOptions) -> Extraction:
    """ADSC on a page of valid UTF-8; scores are as in DSC."""
    page = read_tokens(html)
    body = page.is_tag[page.body :]
    step = half_width(body.size, options)
    slopes = window_slopes(body, step)
    return extraction(page, _decision(page, slopes, slopes < 0.5, step=step, threshold=0.5))


def half_width(tokens: int, options: AdscOptions) -> int:
    """Half of the width of the windows over this many tokens."""
    return int(np.interp(tokens, _TOKENS, (options.min_window, options.max_window))) // 2


def window_slopes(is_tag: Flags, step: int) -> Floats:
    """Return the share of tags in each of k windows of 2 * `step` tokens that begin every `step` tokens.

    float64 (k,): one window if there are fewer tokens than it takes, none if there are no tokens.
    """
    tags = np.concatenate(([0], np.cumsum(is_tag)))
    starts = np.arange(0, max(is_tag.size - step, min(is_tag.size, 1)), step)
    stops = np.minimum(starts + 2 * step, is_tag.size)
    slopes: Floats = (tags[stops] - tags[starts]) / (stops - starts)
    return slopes


def sections(low: Flags, confirm: int) -> Flags:
    """Mark the windows of sections that begin with `confirm` low windows and end before as many others.

    If there are fewer windows, all of them confirm. bool (k,), as `low`.
    """
    confirm = min(confirm, low.size)
    if not confirm:
        return low
    lows = np.concatenate(([0], np.cumsum(low)))
    run = lows[confirm:] - lows[:-confirm]
    rows = np.arange(low.size)
    begins, ends = np.full(low.size, -1), np.full(low.size, -1)
    begins[: run.size] = np.where(run == confirm, rows[: run.size], -1)
    ends[: run.size] = np.where(run == 0, rows[: run.size], -1)
    inside: Flags = np.maximum.accumulate(begins) > np.maximum.accumulate(ends)
    return inside


def _decision(page: TokenPage, slopes: Floats, kept: Flags, *, step: int, threshold: float) -> TokenDecision:
    # Each step of tokens lies in the window that begins with it and in the one before.
    cell = np.arange(page.size - page.body) // step
    last = max(slopes.size - 1, 0)
    own, before = np.minimum(cell, last), np.minimum(np.maximum(cell - 1, 0), last)
    content = np.zeros(page.size, bool)
    scores = np.zeros(page.size)
    if slopes.size:
        content[page.body :] = kept[own] | kept[before]
        scores[page.body :] = 1.0 - np.minimum(slopes[own], slopes[before])
    return TokenDecision(content, scores, threshold)
