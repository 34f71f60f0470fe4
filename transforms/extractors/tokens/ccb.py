"""CCB and ACCB: content code blurring (Gottron, ICDIM 2008).

The page is a vector over its characters, 1 for content and 0 for code (tags). It is blurred with a Gaussian,
and what comes out above a threshold is content: text that stands among text. ACCB does as if `a` tags were
not there, so that links in running text do not count against it.

From memory and from one public reading, not checked against the paper: radius 40 and threshold .75. Our
choices: only the body is looked at; a run of blanks is one character, and none where it is next to a tag; one
pass of a Gaussian, its sigma the radius (the paper blurs until the values are stable, whatever that is:
blurring for ever makes them all equal); the text between two tags is kept or not as a whole, by the
mean over its blurred characters, the kernel's weights beyond the ends of the body left out of it.

Tags and texts are runs of equal values, so no vector is made. What text [p, q) receives from text [a, b) is
the sum of the weights w(x - y) over all x of the one and y of the other,

    F(q - a) - F(p - a) - F(q - b) + F(p - b),  with F(u) = sum_{v < u} sum_{d <= v} w(d),

and only texts within the radius of each other count.
"""

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from cedar.transforms.extractors.extraction import Extraction
from cedar.transforms.extractors.html._libm import exp
from cedar.transforms.extractors.html._tags import key
from cedar.transforms.extractors.html.characters import Flags, Floats, Offsets
from cedar.transforms.extractors.options import About
from cedar.transforms.extractors.tokens._tokens import tag_lengths
from cedar.transforms.extractors.tokens.tokens import TokenDecision, TokenPage, extraction, read_tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class CcbOptions:
    """Options of `ccb` and `accb`."""

    radius: Annotated[int, About("radius of the Gaussian, in characters", minimum=1, maximum=400)] = 40
    threshold: Annotated[float, About("mean blurred value that a text must exceed", minimum=0, maximum=1)] = (
        0.75
    )


def ccb(html: bytes, options: CcbOptions) -> Extraction:
    """CCB on a page of valid UTF-8.

    A word's score is the value of its text, a tag's the value of the next word.
    """
    page = read_tokens(html)
    return extraction(page, _decision(page, np.ones(page.text.tags.count, bool), options))


def accb(html: bytes, options: CcbOptions) -> Extraction:
    """ACCB on a page of valid UTF-8; scores are as in CCB."""
    page = read_tokens(html)
    return extraction(page, _decision(page, page.text.tags.keys != np.uint64(key("a")), options))


def _decision(page: TokenPage, code: Flags, options: CcbOptions) -> TokenDecision:
    """Decide as if the tags that are marked in `code`, bool (t,), are code, and the others nothing."""
    found = page.words
    in_body = np.flatnonzero(found.tokens >= page.body)
    words = found.tokens[in_body]
    tags = np.flatnonzero(code & (page.tag_tokens >= page.body))
    # Between which of the tags each word stands; its letters, and the blank before it.
    between = page.tag_tokens[tags].searchsorted(words)
    letters = page.text.lengths(found.starts[in_body], found.stops[in_body]) + ~found.fused[in_body]
    sizes = np.bincount(between, letters, tags.size + 1).astype(np.int64)
    sizes -= sizes > 0
    lengths = tag_lengths(page.source.html, page.text.tags)
    code_before = np.concatenate(([0], np.cumsum(lengths[tags])))
    stops = np.cumsum(sizes) + code_before
    texts = np.flatnonzero(sizes)
    values = blurred(stops[texts] - sizes[texts], stops[texts], int(stops[-1]), radius=options.radius)

    of_word = values[texts.searchsorted(between)]
    kept = np.zeros(page.size, bool)
    kept[words] = of_word > options.threshold
    scores = np.zeros(page.size)
    if words.size:
        next_word = np.minimum(words.searchsorted(np.arange(page.size)), words.size - 1)
        scores = of_word[next_word]
    return TokenDecision(kept, scores, options.threshold)


def blurred(starts: Offsets, stops: Offsets, size: int, *, radius: int) -> Floats:
    """Return the mean over each of k texts of the blurred vector. float64 (k,), from 0 to 1.

    The texts are ranges of places, ascending and apart; all other places, of `size`, are 0. `radius`, at
    least 1, is the sigma of the Gaussian, and how far it reaches.
    """
    offsets = np.arange(-radius, radius + 1)
    weights = exp(-(offsets * offsets) / (2.0 * radius * radius))
    twice = np.concatenate(([0.0], np.cumsum(np.cumsum(weights / weights.sum()))))

    def summed(up_to: Offsets) -> Floats:
        """F, float64 (k,): 0 up to -radius, of slope 1 from radius on."""
        inside: Floats = twice[np.clip(up_to + radius, 0, 2 * radius + 1)]
        return inside + np.maximum(up_to - radius - 1, 0)

    def received(p: Offsets, q: Offsets, a: Offsets, *, b: Offsets) -> Floats:
        return summed(q - a) - summed(p - a) - summed(q - b) + summed(p - b)

    total = received(starts, stops, starts, b=stops)
    near, ahead = np.arange(starts.size), 0
    while near.size:
        ahead += 1
        near = near[: near.searchsorted(starts.size - ahead)]
        near = near[starts[near + ahead] - stops[near] < radius]
        given = received(starts[near], stops[near], starts[near + ahead], b=stops[near + ahead])
        total[near] += given
        total[near + ahead] += given
    everything = received(starts, stops, np.zeros_like(starts), b=np.full_like(stops, size))
    return np.minimum(total / everything, 1.0)
