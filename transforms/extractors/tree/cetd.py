"""CETD: content extraction via text density (Sun, Song, Liao, SIGIR 2011).

Three methods on the densities of the body's elements (`densities`):

    CETD-DS    text density, DensitySum
    CECTD-DS   composite text density, DensitySum
    CECTD-S    composite text density, smoothed over siblings

Extraction with DensitySum (section 4): the threshold is lambda times the least density from the element of
the largest DensitySum up to the body. From the body down, as long as densities reach it, the element with the
largest DensitySum in the subtree of each element is content, with all that is in it. With lambda over 1 there
may be no content at all.

CECTD-S is underdetermined: the paper says "simply weighted averaging with sibling nodes", and no more. Ours
weighs 1-2-1 and takes the density of the body, not smoothed, times lambda as threshold; every element below
the body whose smoothed density reaches it is content, with all that is in it, whatever the densities of its
ancestors: a walk that stopped at the first element below the threshold would seldom come to an article.

Content stays, its ancestors stay around it; the rest goes. A page without links has infinite composite
densities; the paper takes it as free of noise, and all of its body is content. The blocks' scores are text
densities then, and there is no threshold.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from transforms.compiled import compiled
from transforms.extractors.extraction import Extraction
from transforms.extractors.html.characters import Flags, Offsets
from transforms.extractors.lines.smoothing import Floats
from transforms.extractors.options import About
from transforms.extractors.tree import densities
from transforms.extractors.tree.dom import Tree, covered
from transforms.extractors.tree.dom_extraction import TreeDecision, TreeOptions, extract_from_tree
from transforms.extractors.tree.dom_text import TreeText
from transforms.model.caps import DEFAULT_CAPS, Caps

_TOLERANCE = 1e-9
"""Densities that differ by less, relatively, are equal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CetdOptions(TreeOptions):
    """Options of all three."""

    threshold_factor: Annotated[
        float,
        About("the paper's lambda: factor of the density threshold; 0 keeps all", minimum=0, alias="lambda"),
    ] = 1.0
    path_text: Annotated[
        Literal["keep", "drop"], About("text that stands directly in the ancestors of content")
    ] = "keep"


_TextTerms = Annotated[
    Literal["add", "ignore"],
    About("whether texts directly in an element add to its DensitySum; ignore: the paper's Definition 3"),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class CetdDsOptions(CetdOptions):
    """Options of `cetd-ds`."""

    text_terms: _TextTerms = "add"


@dataclass(frozen=True, slots=True, kw_only=True)
class CectdOptions(CetdOptions):
    """Options of `cectd-s`."""

    base: Annotated[
        Literal["paper", "author-code"],
        About("author-code: 1 for no characters in links in the base of the logarithm, too"),
    ] = "paper"


@dataclass(frozen=True, slots=True, kw_only=True)
class CectdDsOptions(CectdOptions):
    """Options of `cectd-ds`."""

    text_terms: _TextTerms = "add"


def cetd_ds(html: bytes, options: CetdDsOptions, caps: Caps = DEFAULT_CAPS) -> Extraction:
    """CETD-DS on a page of valid UTF-8; a block's score is its element's TD.

    Raises:
        TreeLimitError: the page cannot be parsed whole.
    """
    return extract_from_tree(html, decide_cetd_ds, options, caps)


def cectd_ds(html: bytes, options: CectdDsOptions, caps: Caps = DEFAULT_CAPS) -> Extraction:
    """CECTD-DS on a page of valid UTF-8; a block's score is its element's CTD.

    Raises:
        TreeLimitError: the page cannot be parsed whole.
    """
    return extract_from_tree(html, decide_cectd_ds, options, caps)


def cectd_s(html: bytes, options: CectdOptions, caps: Caps = DEFAULT_CAPS) -> Extraction:
    """CECTD-S on a page of valid UTF-8; a block's score is its element's CTD, smoothed.

    Raises:
        TreeLimitError: the page cannot be parsed whole.
    """
    return extract_from_tree(html, decide_cectd_s, options, caps)


def decide_cetd_ds(tree: Tree, text: TreeText, options: CetdDsOptions) -> TreeDecision:
    """What CETD-DS keeps of a tree."""
    density = densities.text_density(tree.text_sums(text.chars), densities.descendants(tree))
    terms = text.chars if options.text_terms == "add" else None
    sums = densities.density_sums(tree, density, terms)
    content, threshold = mark_content(tree, density, sums, options.threshold_factor)
    return _decision(tree, content, density, threshold, options)


def decide_cectd_ds(tree: Tree, text: TreeText, options: CectdDsOptions) -> TreeDecision:
    """What CECTD-DS keeps of a tree."""
    counted = densities.counts(tree, text)
    ratio = _link_ratio(tree, counted)
    if ratio == 0.0:
        return _whole_body(tree, counted, options)
    density = densities.composite_density(counted, ratio, author_base=options.base == "author-code")
    terms = None
    if options.text_terms == "add":
        terms = densities.composite_text_terms(tree, text, ratio)
    sums = densities.density_sums(tree, density, terms)
    content, threshold = mark_content(tree, density, sums, options.threshold_factor)
    return _decision(tree, content, density, threshold, options)


def decide_cectd_s(tree: Tree, text: TreeText, options: CectdOptions) -> TreeDecision:
    """What CECTD-S keeps of a tree."""
    counted = densities.counts(tree, text)
    ratio = _link_ratio(tree, counted)
    if ratio == 0.0:
        return _whole_body(tree, counted, options)
    density = densities.composite_density(counted, ratio, author_base=options.base == "author-code")
    threshold = options.threshold_factor * float(density[tree.body])
    smoothed = densities.smoothed_over_siblings(tree, density)
    dense = smoothed >= threshold * (1.0 - _TOLERANCE)
    dense[tree.body] = False
    return _decision(tree, tree.covered(dense & tree.in_body), smoothed, threshold, options)


def _link_ratio(tree: Tree, counted: densities.Counts) -> float:
    """LC_b / C_b; 0 for a body without text."""
    if not tree.size or not counted.chars[tree.body]:
        return 0.0
    return float(counted.link_chars[tree.body] / counted.chars[tree.body])


def _whole_body(tree: Tree, counted: densities.Counts, options: CetdOptions) -> TreeDecision:
    return _decision(tree, tree.in_body, densities.text_density(counted.chars, counted.tags), None, options)


def mark_content(
    tree: Tree, density: Floats, sums: Floats, threshold_factor: float
) -> tuple[Flags, float | None]:
    """Finds the content of a page.

    Args:
        tree: the tree; only its body is looked at.
        density: of its elements, float64 (n,).
        sums: their DensitySums, float64 (n,).
        threshold_factor: lambda.

    Returns:
        The elements that are content, bool (n,), descendants of content included, and the threshold; None
        for a tree without elements.
    """
    if not tree.size:
        return np.zeros(0, bool), None
    return _content(tree.ends, tree.body, density, sums, threshold_factor)


@compiled
def _content(
    ends: Offsets, body: int, density: Floats, sums: Floats, threshold_factor: float
) -> tuple[Flags, float]:
    """`mark_content` in a tree with elements."""
    end = int(ends[body])
    inside = np.arange(body, end)
    densest = _Densest(sums[body:end], body)
    best = densest.first
    on_path = inside[(inside <= best) & (ends[body:end] > best)]
    threshold = threshold_factor * float(density[on_path].min())

    sparse = np.zeros(ends.size, bool)
    sparse[body:end] = density[body:end] < threshold * (1.0 - _TOLERANCE)
    # Nobody looks below an element that is not dense.
    visited = inside[~covered(sparse, ends)[body:end]]
    content = np.zeros(ends.size, bool)
    content[densest.within(visited, ends[visited])] = True
    return covered(content, ends), threshold


class _Densest:
    """Where in ranges of elements the largest DensitySum is; the first of equal ones."""

    def __init__(self, sums: Floats, start: int) -> None:
        order = np.argsort(-sums, kind="stable")
        falling = sums[order]
        rank = np.zeros(sums.size, np.int64)
        rank[order[1:]] = np.cumsum(falling[:-1] - falling[1:] > _TOLERANCE * falling[:-1])
        self._start = start
        self._size = sums.size
        self._keys = rank * sums.size + np.arange(sums.size)

    @property
    def first(self) -> int:
        """The element of the largest DensitySum of all."""
        return int(self._keys.argmin()) + self._start

    def within(self, starts: Offsets, stops: Offsets) -> Offsets:
        """The elements of the largest DensitySum in the ranges [start, stop), none of them empty.

        Minima of 1, 2, 4, ... neighbours are made one after the other; two of them cover a range.

        Args:
            starts: int64 (m,).
            stops: int64 (m,).

        Returns:
            int64 (m,).
        """
        minima = self._keys
        first = starts - self._start
        width = 1
        result = np.empty(starts.size, np.int64)
        waiting = np.arange(starts.size)
        lengths = stops - starts
        while waiting.size:
            fit = lengths[waiting] < 2 * width
            now = waiting[fit]
            result[now] = np.minimum(minima[first[now]], minima[first[now] + lengths[now] - width])
            waiting = waiting[~fit]
            minima = np.minimum(minima[:-width], minima[width:])
            width *= 2
        return result % self._size + self._start


def _decision(
    tree: Tree, content: Flags, density: Floats, threshold: float | None, options: CetdOptions
) -> TreeDecision:
    """The decision that content stays, and its ancestors around it."""
    first, last = tree.body_tags
    path_text = options.path_text == "keep"
    kept, kept_text = _kept(tree.ends, tree.inside, first, last, content, path_text)
    return TreeDecision(kept, kept_text, density, threshold)


@compiled
def _kept(
    ends: Offsets,
    inside: Offsets,
    first: int,
    last: int,
    content: Flags,
    path_text: bool,
) -> tuple[Flags, Flags]:
    """The elements of which the tags stay, bool (n,), and the tags after which the text does, bool (t,).

    Args:
        ends: as of the tree.
        inside: as of the tree.
        first: the tag that opens the body.
        last: the tag that closes it.
        content: bool (n,), the content.
        path_text: whether text stays that stands directly in the ancestors of content.
    """
    sums = np.append(0, np.cumsum(content))
    kept = sums[ends] > sums[:-1]
    kept_text = np.zeros(inside.size, bool)
    kept_text[first:last] = (kept if path_text else content)[inside[first:last]]
    return kept, kept_text
