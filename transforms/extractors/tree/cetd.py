"""CETD: content extraction via text density (Sun, Song, Liao, SIGIR 2011).

Three methods on the densities of the body's elements :

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

Densities of a tree's elements: what CETD counts, weighs and sums (Sun, Song, Liao, SIGIR 2011, section 3).

For each element i, its descendants alone:

    C_i    characters; of each text, runs of blanks count as one, those at its ends not at all
    T_i    elements
    LC_i   characters in links (`a`, `button`, `select`); a link's own are all in links
    LT_i   link tags: links, their descendants, and pure wrappers of links such as the `li` of `li > a`

With 1 for each of T, LC, LT and C - LC that is 0 and divides, and for T = 0 above LT; b is the body:

    text density            TD_i  = C_i / T_i
    composite text density  CTD_i = C_i / T_i * log_base(C_i / LC_i * T_i / LT_i)
                            base  = ln(C_i / (C_i - LC_i) * LC_i + LC_b / C_b * C_i + e)
    DensitySum_i            sum of the children's densities, and of the densities of the texts directly in i

The paper's DensitySum (Definition 3) has children alone; its authors' program has the texts, too, else text
between `br` would be lost. A text of L characters counts as an element of its own with C = L: its TD is L,
its CTD is L ln L / ln ln(LC_b / C_b * L + e), and 0 in a link. The DensitySum of an element without children
is its density. Wrappers count among link tags for the authors' program alone; the paper's claim that nothing
but links has no density needs it.
"""

import math
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np

from cedar.transforms.extractors.html._libm import log, log1p
from cedar.transforms.extractors.html.characters import Flags, Floats, Offsets
from cedar.transforms.extractors.options import About
from cedar.transforms.extractors.tree._cetd import TOLERANCE, mark_content
from cedar.transforms.extractors.tree.extraction import TreeDecision, TreeMethod, TreeOptions
from cedar.transforms.extractors.tree.tree import Tree


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


@TreeMethod
def cetd_ds(tree: Tree, options: CetdDsOptions) -> TreeDecision:
    """CETD-DS; a block's score is its element's TD."""
    density = text_density(tree.text_sums(tree.chars), descendants(tree))
    return _by_sums(tree, density, tree.chars if options.text_terms == "add" else None, options=options)


@TreeMethod
def cectd_ds(tree: Tree, options: CectdDsOptions) -> TreeDecision:
    """CECTD-DS; a block's score is its element's CTD."""
    density, ratio = _composite(tree, options)
    if ratio == 0.0:
        return decision(tree, tree.in_body, density, threshold=None, options=options)
    terms = composite_text_terms(tree, ratio) if options.text_terms == "add" else None
    return _by_sums(tree, density, terms, options=options)


@TreeMethod
def cectd_s(tree: Tree, options: CectdOptions) -> TreeDecision:
    """CECTD-S; a block's score is its element's CTD, smoothed."""
    density, ratio = _composite(tree, options)
    if ratio == 0.0:
        return decision(tree, tree.in_body, density, threshold=None, options=options)
    threshold = options.threshold_factor * float(density[tree.body])
    smoothed = smoothed_over_siblings(tree, density)
    dense = smoothed >= threshold * (1.0 - TOLERANCE)
    dense[tree.body] = False
    return decision(tree, tree.covered(dense & tree.in_body), smoothed, threshold=threshold, options=options)


def _composite(tree: Tree, options: CectdOptions) -> tuple[Floats, float]:
    """CTD of the elements, and LC_b / C_b; TD, and 0, for a body without links or text."""
    counted = counts(tree)
    if not tree.size or not counted.link_chars[tree.body]:
        return text_density(counted.chars, counted.tags), 0.0
    ratio = float(counted.link_chars[tree.body] / counted.chars[tree.body])
    return composite_density(counted, ratio, author_base=options.base == "author-code"), ratio


def _by_sums(
    tree: Tree, density: Floats, text_terms: Floats | Offsets | None, *, options: CetdOptions
) -> TreeDecision:
    sums = density_sums(tree, density, text_terms)
    content, threshold = mark_content(tree, density, sums, options.threshold_factor)
    return replace(decision(tree, content, density, threshold=threshold, options=options), sums=sums)


def decision(
    tree: Tree, content: Flags, density: Floats, *, threshold: float | None, options: CetdOptions
) -> TreeDecision:
    """Return the decision that content stays, and its ancestors around it."""
    stays = tree.element_sums(content) > 0
    stays_text = (stays if options.path_text == "keep" else content)[tree.inside] & tree.body_text
    return TreeDecision(stays, stays_text, density, threshold)


@dataclass(frozen=True, slots=True)
class TextCounts:
    """What the n elements of a tree hold, int64 (n,) each: C, T, LC and LT."""

    chars: Offsets
    tags: Offsets
    link_chars: Offsets
    link_tags: Offsets


def links(tree: Tree) -> Flags:
    """Mark links and their descendants. bool (n,)."""
    return tree.covered(tree.named("a", "button", "select"))


def descendants(tree: Tree) -> Offsets:
    """T: how many elements are below each. int64 (n,)."""
    return tree.ends - np.arange(tree.size) - 1


def counts(tree: Tree) -> TextCounts:
    """Count characters and elements, in links and in all."""
    linked, tags = links(tree), descendants(tree)
    chars = tree.text_sums(tree.chars)
    link_chars = tree.text_sums(np.where(linked[tree.inside], tree.chars, 0))
    # In a wrapper of nothing but links, no character is outside of links, and no leaf.
    leaves = tree.element_sums(~linked & (tags == 0))
    of_links = linked | (leaves == 0) & (chars == link_chars)
    return TextCounts(chars, tags, link_chars, tree.element_sums(of_links) - of_links)


def text_density(chars: Offsets, tags: Offsets) -> Floats:
    """TD of elements with C = `chars` and T = `tags`, int64 (n,) each. float64 (n,)."""
    return chars / np.maximum(tags, 1)


def composite_density(counted: TextCounts, link_ratio: float, *, author_base: bool) -> Floats:
    """CTD of elements, float64 (n,), finite, 0 or more.

    `link_ratio`, LC_b / C_b, is more than 0: where a page has no links the density is infinite. `author_base`
    has LC = 1 for 0 in the base, too, as in the authors' program.
    """
    some = counted.chars.nonzero()[0]
    chars, link_chars = counted.chars.take(some), counted.link_chars.take(some)
    tags = np.maximum(counted.tags.take(some), 1)
    quotient = chars / np.maximum(link_chars, 1) * (tags / np.maximum(counted.link_tags.take(some), 1))
    in_links = np.maximum(link_chars, 1) if author_base else link_chars
    summand = chars / np.maximum(chars - link_chars, 1) * in_links + link_ratio * chars
    density = np.zeros(counted.chars.size)
    density[some] = (chars / tags) * log(quotient) / _log_log(summand)
    return density


def _log_log(summand: Floats) -> Floats:
    """Logarithm of the logarithm of `summand` + e, exact and more than 0 for the smallest summands, too."""
    return log1p(log1p(summand / math.e))


def composite_text_terms(tree: Tree, link_ratio: float) -> Floats:
    """CTD of the text after each tag, as if it were an element. float64 (t,)."""
    terms = np.zeros(tree.chars.size)
    some = ((tree.chars > 1) & ~links(tree)[tree.inside]).nonzero()[0]
    chars = tree.chars.take(some).astype(np.float64)
    terms[some] = chars * log(chars) / _log_log(link_ratio * chars)
    return terms


def density_sums(tree: Tree, densities: Floats, text_terms: Floats | Offsets | None) -> Floats:
    """DensitySum of each element, float64 (n,), with the densities of texts, (t,), unless these are None."""
    sums = tree.child_sums(densities)
    if text_terms is None:
        return sums
    return np.where(tree.ends == np.arange(tree.size) + 1, densities, sums + tree.direct_sums(text_terms))


def smoothed_over_siblings(tree: Tree, densities: Floats) -> Floats:
    """Means of each element and its siblings next to it, weighted 1, 2, 1. float64 (n,)."""
    last = tree.ends == tree.ends[tree.parents]
    last[:1] = True
    earlier = np.flatnonzero(~last)
    later = tree.ends[earlier]
    sums = 2.0 * densities
    sums[later] += densities[earlier]
    sums[earlier] += densities[later]
    weights = np.full(tree.size, 2.0)
    weights[later] += 1.0
    weights[earlier] += 1.0
    smoothed: Floats = sums / weights
    return smoothed
