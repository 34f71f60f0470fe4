"""Evidence of the line methods: the figures of CETR 2010 over the lines of a page.

Figure 2 has the tag ratios T, Figure 3 the smoothed ones T', Figure 4 the absolute smoothed derivatives |G'|,
Figure 5 the points (T', |G'|), content and the rest.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from cedar.pipelines.drawing.charts import (
    Axis,
    Bars,
    Control,
    Evidence,
    Mode,
    Scatter,
    Work,
    either,
    generic,
    number,
)
from cedar.transforms.extractors.extraction import Block
from cedar.transforms.extractors.html.characters import Floats
from cedar.transforms.extractors.lines import ttr
from cedar.transforms.extractors.lines._clustering import Clustering, k_means
from cedar.transforms.extractors.lines._smoothing import derivative, moving_mean, standard_deviation
from cedar.transforms.extractors.lines.cetr import CetrOptions, KMeansOptions, Smoothing, ThresholdOptions
from cedar.transforms.extractors.lines.document import read_document
from cedar.transforms.extractors.lines.smoothing import adaptive_gaussian, fixed_gaussian

_ALPHA = 3
_PLAIN = "content", "no content"
_RATIOS = "characters of text for each tag of a line. Coloured lines were kept."
_KEPT_WHOLE = (
    "Ratios cannot tell this page's lines apart (it has no tags, one line, or equal ratios), so all of it is "
    "content."
)


@dataclass(frozen=True, slots=True)
class _Figures:
    """T, T' and |G'| of a page's n lines, float64 (n,) each, and how the latter two are called."""

    ratios: Floats
    smooth: Floats
    slope: Floats
    symbols: tuple[str, str] = ("T′", "|G′|")


def threshold(work: Work[ThresholdOptions]) -> Evidence:
    """CETR-TM."""
    options, blocks = work.options, work.blocks
    as_author = options.smoothing == "author-code"
    document = read_document(work.html, options, as_author=as_author)
    if not document.telling:
        return _whole(work)
    applied = work.result.metrics.threshold or 0.0
    control = None
    if not as_author:
        smoothed = {
            "fixed": fixed_gaussian(document.ratios),
            "literal": adaptive_gaussian(document.ratios),
        }
        modes = tuple(Mode(name, values, standard_deviation(values)) for name, values in smoothed.items())
        control = Control(options.threshold_factor, options.smoothing, modes, 1, "T′")
    return _evidence(
        blocks,
        _figures(document.ratios, blocks, options.smoothing, _ALPHA),
        f"A line is content where its smoothed tag ratio T′ {'>' if as_author else '≥'} λ σ, with λ = "
        f"{number(options.threshold_factor)} and σ the standard deviation of T′: {number(applied)}.",
        either(blocks, "T′ reaches the threshold", "T′ is below the threshold"),
        limit=applied,
        control=control,
    )


def k_means_1d(work: Work[KMeansOptions]) -> Evidence:
    """CETR-KM."""
    options, blocks = work.options, work.blocks
    document = read_document(work.html, options, as_author=options.smoothing == "author-code")
    smooth = _scores(blocks)
    clusters = None
    if document.telling:
        clusters = k_means(smooth[np.newaxis], options.k, smooth.min(keepdims=True))
    if clusters is None:
        return _whole(work)
    middle = clusters.centroids[:, 0]
    return _evidence(
        blocks,
        _figures(document.ratios, blocks, options.smoothing, _ALPHA),
        f"k-means parts the smoothed tag ratios T′ into {len(middle)} clusters; all but the one of the "
        f"lowest centroid, {number(middle.min())}, are content.",
        _cluster_reasons(blocks, clusters, lambda c: number(float(middle[c])), "the lowest centroid"),
    )


def plane(work: Work[CetrOptions]) -> Evidence:
    """CETR, in two dimensions."""
    options, blocks = work.options, work.blocks
    as_author = options.smoothing == "author-code"
    document = read_document(work.html, options, as_author=as_author)
    if not document.telling:
        return _whole(work)
    figures = _figures(document.ratios, blocks, options.smoothing, options.alpha)
    points = np.stack((figures.smooth, figures.slope))
    clusters = None if as_author else k_means(points, options.k, np.zeros(2), pinned=True)
    if clusters is None:
        rule = (
            f"The author's program parts the points (T′, |G|), both axes scaled to [0, 1], into {options.k} "
            "clusters; all but the one of the lowest T′ are content."
            if as_author
            else _KEPT_WHOLE
        )
        return _evidence(blocks, figures, rule, either(blocks, *_PLAIN), used=True)
    centres = tuple((float(x), float(y)) for x, y in clusters.centroids)
    names = [f"({number(x)}, {number(y)})" for x, y in centres]
    return _evidence(
        blocks,
        figures,
        f"k-means parts the points (T′, |G′|) into {len(centres)} clusters, one of them pinned to the "
        "origin; what is nearest to the origin is not content, all else is.",
        _cluster_reasons(blocks, clusters, names.__getitem__, "the origin"),
        centres=centres,
        used=True,
    )


def ttr_threshold(work: Work[ttr.TtrThresholdOptions]) -> Evidence:
    """TTR-T."""
    reached = ("e reaches the threshold", "e is below the threshold")
    rule = "A line is content where its averaged tag ratio e reaches λ σ, with σ the standard deviation of e"
    return _ttr(work, rule, reached, movable=True)


def ttr_clusters(work: Work[ttr.ClusterOptions]) -> Evidence:
    """TTR-KM, TTR-EM and TTR-FF."""
    reached = ("in a cluster whose mean is above the threshold", "in a cluster whose mean is not above it")
    rule = (
        f"The averaged tag ratios e are clustered into 1 to {work.options.max_clusters} clusters; of the run "
        "with most clusters whose mean is above λ σ, with σ the standard deviation of e, those are content"
    )
    return _ttr(work, rule, reached, movable=False)


def ttr_prediction(work: Work[ttr.PredictionOptions]) -> Evidence:
    """TTR-P."""
    document = read_document(work.html, work.options)
    if not document.telling:
        return _whole(work)
    ratios, window = document.ratios, work.options.window
    height = work.result.metrics.threshold or 0.0
    rises, drops = -derivative(ratios[::-1], window)[::-1], -derivative(ratios, window)
    about = f"mean of the {window} lines"
    numbers = zip(ratios.tolist(), rises.tolist(), drops.tolist(), strict=True)
    reaches = "Where it reaches the dashed line, content"
    return Evidence(
        f"Content begins at a line whose tag ratio T is at least {number(height)}, λ times the standard "
        f"deviation of T, above the {about} before it, and ends with one that is so far above the "
        f"{about} after it.",
        Axis.of_blocks("line", work.blocks),
        (
            Bars("Tag ratios", f"C{_RATIOS[1:]}", "T", ratios),
            Bars("Rise over the lines before", f"{reaches} begins.", "rise", rises, height),
            Bars("Drop to the lines after", f"{reaches} ends.", "drop", drops, height),
        ),
        either(work.blocks, "from a rise through a drop", "outside of rise and drop"),
        tuple(f"T {number(t)}, rise {number(up)}, drop {number(down)}" for t, up, down in numbers),
    )


def _ttr(work: Work[Any], rule: str, reached: tuple[str, str], *, movable: bool) -> Evidence:
    options, blocks = work.options, work.blocks
    as_author = options.smoothing == "author-code"
    document = read_document(work.html, options, as_author=as_author)
    if not document.telling:
        return _whole(work)
    smooth, limit = _scores(blocks), work.result.metrics.threshold or 0.0
    slope = np.abs(moving_mean(derivative(smooth, _ALPHA), ttr.RADIUS))
    control = None
    if movable and not as_author:
        mode = Mode(options.smoothing, smooth, standard_deviation(smooth))
        control = Control(options.threshold_factor, options.smoothing, (mode,), 1, "e")
    figures = _Figures(document.ratios, smooth, slope, ("e", "|g|"))
    said = f"{rule}: {number(limit)}."
    return _evidence(blocks, figures, said, either(blocks, *reached), limit=limit, control=control)


def _whole(work: Work[Any]) -> Evidence:
    return replace(generic(work), rule=_KEPT_WHOLE, reasons=either(work.blocks, *_PLAIN))


def _scores(blocks: tuple[Block, ...]) -> Floats:
    """T', by which line methods judge."""
    return np.array([block.score for block in blocks], np.float64)


def _figures(ratios: Floats, blocks: tuple[Block, ...], smoothing: Smoothing, alpha: int) -> _Figures:
    smooth = _scores(blocks)
    if smoothing == "author-code":
        return _Figures(ratios, smooth, np.abs(derivative(ratios, alpha)))
    slope = derivative(smooth, alpha)
    again = fixed_gaussian(slope) if smoothing == "fixed" else adaptive_gaussian(slope)
    return _Figures(ratios, smooth, np.abs(again))


def _evidence(
    blocks: tuple[Block, ...],
    figures: _Figures,
    rule: str,
    reasons: tuple[str, ...],
    *,
    limit: float | None = None,
    centres: tuple[tuple[float, float], ...] = (),
    used: bool = False,
    control: Control | None = None,
) -> Evidence:
    smooth, slope = figures.symbols
    dashed = "" if limit is None else " The dashed line is the threshold."
    aside = "" if used else " This method does not look at it."
    marks = " Large rings are the clusters' centroids." if centres else ""
    numbers = zip(figures.ratios.tolist(), figures.smooth.tolist(), figures.slope.tolist(), strict=True)
    return Evidence(
        rule,
        Axis.of_blocks("line", blocks),
        (
            Bars("Tag ratios", f"Figure 2 of CETR's paper: {_RATIOS}", "tag ratio T", figures.ratios),
            Bars(
                "Smoothed tag ratios",
                f"Figure 3: the same, smoothed over neighbouring lines.{dashed}",
                f"smoothed ratio {smooth}",
                figures.smooth,
                limit,
            ),
            Bars(
                "Absolute smoothed derivatives",
                f"Figure 4: where content begins and ends, the ratio jumps.{aside}",
                f"derivative {slope}",
                figures.slope,
            ),
            Scatter(
                "The lines in the plane",
                f"Figure 5: a dot is a line of content, a cross one that is not.{marks}{aside}",
                f"smoothed ratio {smooth}",
                f"derivative {slope}",
                figures.smooth,
                figures.slope,
                centres,
            ),
        ),
        reasons,
        tuple(f"T {number(t)}, {smooth} {number(s)}, {slope} {number(g)}" for t, s, g in numbers),
        control,
    )


def _cluster_reasons(
    blocks: tuple[Block, ...], clusters: Clustering, name: Callable[[int], str], noise: str
) -> tuple[str, ...]:
    nearest = [f"nearest to centroid {name(c)}" for c in range(len(clusters.centroids))]
    return tuple(
        nearest[label] if block.kept else f"nearest to {noise}"
        for block, label in zip(blocks, clusters.labels.tolist(), strict=True)
    )
