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

from transforms.extractors.html.characters import Flags, Floats, Offsets
from transforms.extractors.options import About
from transforms.extractors.tree import densities
from transforms.extractors.tree._cetd import TOLERANCE, mark_content
from transforms.extractors.tree.extraction import TreeDecision, TreeOptions, tree_method
from transforms.extractors.tree.tree import Tree


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


def decide_cetd_ds(tree: Tree, options: CetdDsOptions) -> TreeDecision:
    """Return what CETD-DS keeps of a tree."""
    density = densities.text_density(tree.text_sums(tree.chars), densities.descendants(tree))
    return _by_sums(tree, density, tree.chars if options.text_terms == "add" else None, options)


cetd_ds = tree_method(decide_cetd_ds)
"""CETD-DS on a page of valid UTF-8; a block's score is its element's TD."""


def decide_cectd_ds(tree: Tree, options: CectdDsOptions) -> TreeDecision:
    """Return what CECTD-DS keeps of a tree."""
    density, ratio = _composite(tree, options)
    if ratio == 0.0:
        return decision(tree, tree.in_body, density, None, options)
    terms = densities.composite_text_terms(tree, ratio) if options.text_terms == "add" else None
    return _by_sums(tree, density, terms, options)


cectd_ds = tree_method(decide_cectd_ds)
"""CECTD-DS on a page of valid UTF-8; a block's score is its element's CTD."""


def decide_cectd_s(tree: Tree, options: CectdOptions) -> TreeDecision:
    """Return what CECTD-S keeps of a tree."""
    density, ratio = _composite(tree, options)
    if ratio == 0.0:
        return decision(tree, tree.in_body, density, None, options)
    threshold = options.threshold_factor * float(density[tree.body])
    smoothed = densities.smoothed_over_siblings(tree, density)
    dense = smoothed >= threshold * (1.0 - TOLERANCE)
    dense[tree.body] = False
    return decision(tree, tree.covered(dense & tree.in_body), smoothed, threshold, options)


cectd_s = tree_method(decide_cectd_s)
"""CECTD-S on a page of valid UTF-8; a block's score is its element's CTD, smoothed."""


def _composite(tree: Tree, options: CectdOptions) -> tuple[Floats, float]:
    """CTD of the elements, and LC_b / C_b; TD, and 0, for a body without links or text."""
    counted = densities.counts(tree)
    if not tree.size or not counted.link_chars[tree.body]:
        return densities.text_density(counted.chars, counted.tags), 0.0
    ratio = float(counted.link_chars[tree.body] / counted.chars[tree.body])
    return densities.composite_density(counted, ratio, author_base=options.base == "author-code"), ratio


def _by_sums(
    tree: Tree, density: Floats, text_terms: Floats | Offsets | None, options: CetdOptions
) -> TreeDecision:
    sums = densities.density_sums(tree, density, text_terms)
    content, threshold = mark_content(tree, density, sums, options.threshold_factor)
    return decision(tree, content, density, threshold, options)


def decision(
    tree: Tree, content: Flags, density: Floats, threshold: float | None, options: CetdOptions
) -> TreeDecision:
    """Return the decision that content stays, and its ancestors around it."""
    stays = tree.element_sums(content) > 0
    stays_text = (stays if options.path_text == "keep" else content)[tree.inside] & tree.body_text
    return TreeDecision(stays, stays_text, density, threshold)
