"""Why an extractor kept what it kept, from the blocks that it hands back: a rule, charts, a line per block.

CETR has the figures of its paper (2010): Figure 2 the tag ratios T, Figure 3 the smoothed ones T', Figure 4
the absolute smoothed derivatives |G'|, Figure 5 the points (T', |G'|). CETD has densities and DensitySums.
Any other extractor has the scores of its blocks.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from cedar.pipelines.drawing.charts import Axis, Bars, Evidence, Scatter, number
from cedar.transforms.extractors.extraction import Block, Extraction
from cedar.transforms.extractors.html.characters import Floats
from cedar.transforms.extractors.lines._clustering import k_means
from cedar.transforms.extractors.lines.cetr import absolute_slope

_ALPHA = 3
"""Lines that the derivative looks ahead in the figures of extractors without an option for it."""

_MAX_CUES = 4
"""Cues that are named of a block; those that weigh most."""

CUE_WORDS = {
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
    "field": "fields of forms near it",
    "picture": "pictures near it",
    "item": "like elements around it",
    "outer": "the outermost of like elements around it",
    "cell": "what stands at its place in like elements",
    "sign": "digits and colons near it",
    "page": "the page as a whole",
    "vote": "how blocks near it and like it scored",
    "kind": "the kind of page",
    "rules": "what the page states of itself, that it is prose which no tag parts, or a notice of consent",
}
"""What people read for each group of `cedar`'s columns, in the order of `cedar.columns`."""


def evidence(name: str, options: Any, result: Extraction, *, blocks: tuple[Block, ...]) -> Evidence:
    """Return the evidence of an extractor, by its name, options and blocks.

    If another extractor stood in for it, these are the scores alone.
    """
    shown = _scores(result, blocks)
    if name not in _MAKERS or result.fallback is not None:
        return shown
    return _MAKERS[name](shown, options, result, blocks=blocks)


def _scores(result: Extraction, blocks: tuple[Block, ...]) -> Evidence:
    """Return what every extractor has: the scores of its blocks, and the threshold if there is one."""
    threshold = result.metrics.threshold
    noun = "block" if result.metrics.tag_ratio_mean is None else "line"  # lines alone have tag ratios
    about = f"One bar per {noun}, in the order of the page; the coloured ones were kept."
    if threshold is not None:
        about += " The dashed line is the threshold."
    return Evidence(
        f"Each {noun} has a score, the number that the extractor judged it by.",
        Axis(noun, np.array([block.kept for block in blocks], bool)),
        (Bars(f"Score of each {noun}", about, "score", _values(blocks), threshold),),
        tuple(map(_reason, blocks)),
        tuple(", ".join(filter(None, (f"score {number(block.score)}", block.path))) for block in blocks),
    )


def _cetr(shown: Evidence, options: Any, result: Extraction, *, blocks: tuple[Block, ...]) -> Evidence:
    """Return the four figures of CETR's paper; only `cetr` itself has clusters."""
    ratios, smooth = _cues(blocks, "T"), _values(blocks)
    if not smooth.size or result.metrics.tags == 0:
        return shown
    slope = absolute_slope(smooth, options.smoothing, getattr(options, "alpha", _ALPHA))
    clusters = None
    if hasattr(options, "alpha"):
        clusters = k_means(np.array((smooth, slope)), options.k, np.zeros(2), pinned=True)
    centres = () if clusters is None else tuple((float(x), float(y)) for x, y in clusters.centroids)
    limit = result.metrics.threshold
    dashed = "" if limit is None else " The dashed line is the threshold."
    aside = "" if hasattr(options, "alpha") else " This extractor does not look at it."
    rings = " Large rings are the clusters' centroids, one pinned to the origin." if centres else ""
    columns = zip(ratios.tolist(), smooth.tolist(), slope.tolist(), strict=True)
    return replace(
        shown,
        rule=_CETR_RULES[hasattr(options, "alpha"), limit is not None],
        charts=(
            Bars(
                "Tag ratios",
                "Figure 2 of CETR's paper: characters of text per tag of a line. Coloured lines were kept.",
                "tag ratio T",
                ratios,
            ),
            Bars(
                "Smoothed tag ratios",
                f"Figure 3: the same, smoothed over neighbouring lines.{dashed}",
                "smoothed ratio T′",
                smooth,
                limit,
            ),
            Bars(
                "Absolute smoothed derivatives",
                f"Figure 4: where content begins and ends, the ratio jumps.{aside}",
                "derivative |G′|",
                slope,
            ),
            Scatter(
                "The lines in the plane",
                f"Figure 5: a dot is a line of content, a cross one that is not.{rings}{aside}",
                "smoothed ratio T′",
                "derivative |G′|",
                smooth,
                slope,
                centres,
            ),
        ),
        numbers=tuple(f"T {number(t)}, T′ {number(s)}, |G′| {number(g)}" for t, s, g in columns),
    )


_CETR_RULES = {
    (False, True): (
        "A line is content where its smoothed tag ratio T′ reaches the threshold, λ times the standard "
        "deviation of T′."
    ),
    (False, False): (
        "k-means parts the smoothed tag ratios T′; all clusters but the one of the lowest centroid are "
        "content."
    ),
    (True, False): (
        "Each line has a smoothed tag ratio T′, and |G′|, how steep T′ is there. k-means parts these points, "
        "with one centroid pinned to the origin; points nearest to the origin are not content, all others "
        "are. If ratios cannot tell lines apart, all is content."
    ),
}
"""What decided, by whether the extractor looks at the plane and whether it has a threshold."""


def _cetd(shown: Evidence, _: Any, result: Extraction, *, blocks: tuple[Block, ...]) -> Evidence:
    """Return CETD's two figures: densities, and the DensitySum of the element around each block."""
    if result.metrics.threshold is None or not any(block.cues for block in blocks):
        return shown
    sums = _cues(blocks, "DensitySum")
    (densities,) = shown.charts
    assert isinstance(densities, Bars)
    rows = zip(blocks, sums.tolist(), strict=True)
    return replace(
        shown,
        rule="From the body down, where an element's density reaches the threshold (λ times the least "
        "density between the body and the element of the largest DensitySum), the element of the largest "
        "DensitySum in its subtree is content, with all that is in it.",
        charts=(
            replace(densities, title="Density of each block's element", label="density"),
            Bars(
                "DensitySum around each block",
                "The densities of the children of the element around the block, and the lengths of the texts "
                "directly in it, summed: the largest sum is where the content is sought.",
                "DensitySum",
                sums,
                None,
                int(sums.argmax()),
                "the largest DensitySum",
            ),
        ),
        numbers=tuple(
            f"density {number(block.score)}, DensitySum around it {number(total)}, {block.path}"
            for block, total in rows
        ),
    )


def _cedar(shown: Evidence, _: Any, __: Extraction, *, blocks: tuple[Block, ...]) -> Evidence:
    """Return the scores of `cedar`, with the cues that weigh most."""
    return replace(
        shown,
        rule="A block's score, the log-odds of its being content, is the sum of its cues; the set of blocks "
        "with the best expected F1 stays, down to the threshold, which is different for each page. Tables, "
        "code and lists are made whole if most of them stays, and headings stay above a text that stays.",
        numbers=tuple(f"score {_short(block.score)}; {_named(block)}" for block in blocks),
    )


def _vips(shown: Evidence, _: Any, __: Extraction, *, blocks: tuple[Block, ...]) -> Evidence:  # noqa: ARG001
    """Return the shares of words in links, which are low where text is kept."""
    return replace(
        shown,
        rule="A block's score is the share of words in links of its segment, the part of the page that looks "
        "whole. Segments of the main column stay if the share is not above the threshold.",
    )


_MAKERS: Mapping[str, Callable[..., Evidence]] = {
    "cedar": _cedar,
    "cetr": _cetr,
    "cetr-tm": _cetr,
    "cetr-km": _cetr,
    "cetd-ds": _cetd,
    "cectd-ds": _cetd,
    "vips": _vips,
}


def _values(blocks: tuple[Block, ...]) -> Floats:
    return np.array([block.score for block in blocks], np.float64)


def _cues(blocks: tuple[Block, ...], name: str) -> Floats:
    """The cue of each block with a name; 0 without it."""
    return np.array([dict(block.cues).get(name, 0.0) for block in blocks], np.float64)


def _reason(block: Block) -> str:
    return block.reason or ("chosen by the extractor" if block.kept else "left out by the extractor")


def _named(block: Block) -> str:
    """Name the cues that weigh most, those that speak for the block first."""
    weightiest = sorted(block.cues, key=lambda cue: -abs(cue[1]))[:_MAX_CUES]
    parts = []
    for word, is_for in (("for it", True), ("against it", False)):
        cues = [
            f"{CUE_WORDS[name]} {_short(abs(value))}" for name, value in weightiest if (value > 0) is is_for
        ]
        if cues:
            parts.append(f"{word}: {', '.join(cues)}")
    return "; ".join(parts)


def _short(value: float) -> str:
    return number(float(f"{value:.2g}"))
