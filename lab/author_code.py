"""CETR and TTR as the program of their author runs them, which is not what the papers say.

PYTHONPATH=$PWD cedar evaluate GOLD --extractor lab.author_code:cetr --extractor lab.author_code:cetr_tm

It removes comments, scripts and styles only where they are closed, by names in these cases alone; every `<`
opens a tag; blank lines stay, and a page in a single line is not broken. Ratios are smoothed by a moving mean
whose running sum is cut to an integer after every addition: of radius 3, in the plane 2. The derivative is
taken of the ratios and not smoothed, both axes are scaled to [0, 1], no centroid is pinned, and the noise is
the cluster of the lowest mean. Its k-means began at random; here it begins with the lowest point and goes on
with the farthest.
"""

import html as html_standard
import math
import re

import numpy as np

import cedar
from cedar.transforms.extractors.html.characters import Flags, Floats
from cedar.transforms.extractors.lines._clustering import k_means
from cedar.transforms.extractors.lines._smoothing import derivative, standard_deviation

_PARTS = ("script", "SCRIPT", "style")
_LINE_END = re.compile("\r\n|\r|\n")
_TAG = re.compile("<[^<>]*>")


@cedar.extractor(summary="CETR in the plane, by its author's program")
def cetr(html: str, *, k: int = 3, alpha: int = 3) -> list[cedar.Block]:
    """Keep the lines outside of the cluster of the lowest smoothed ratio."""
    return _blocks(html, lambda ratios: plane(ratios, k, alpha))


@cedar.extractor(summary="CETR-TM, and TTR-T, by their author's program")
def cetr_tm(html: str, *, threshold_factor: float = 1.0) -> list[cedar.Block]:
    """Keep the lines above the deviation of the smoothed ratios."""
    return _blocks(html, lambda ratios: above_threshold(ratios, threshold_factor))


@cedar.extractor(summary="CETR-KM by its author's program")
def cetr_km(html: str, *, k: int = 3) -> list[cedar.Block]:
    """Keep the lines outside of the cluster of the lowest smoothed ratio, in one dimension."""
    return _blocks(html, lambda ratios: one_axis(ratios, k))


def visible(page: str) -> str:
    """Remove what is closed: comments, and scripts and styles by the names in `_PARTS`."""
    text, at = [], 0
    while at < len(page):
        start = page.find("<", at)
        if start < 0:
            break
        text.append(page[at:start])
        stop = _part_stop(page, start)
        if stop == start:
            text.append("<")
            stop += 1
        at = stop
    return "".join(text) + page[at:]


def _part_stop(page: str, start: int) -> int:
    """Return where the part that begins at `start` ends; `start` if none begins, or it is not closed."""
    if page.startswith("<!--", start):
        close = page.find("-->", start + 2)
        return start if close < 0 else close + 3
    for name in _PARTS:
        if re.compile(f"<{name}[\\s/>]").match(page, start):
            close = re.compile(f"</{name}[\\s/>]").search(page, start)
            if close:
                return page.find(">", close.start()) + 1 or len(page)
    return start


def counts(line: str) -> tuple[int, int]:
    """Count a trimmed line's characters outside of tags, and its tags.

    A `>` before any `<` of its line ends a tag that began on an earlier line.
    """
    opened, is_first, inside, tags = -1, True, 0, 0
    for i, character in enumerate(line):
        if character == "<" and opened < 0:
            opened, is_first = i, False
        elif character == ">" and (opened >= 0 or is_first):
            inside, tags = inside + i + 1 - max(opened, 0), tags + 1
            opened, is_first = -1, False
    if opened >= 0:
        inside, tags = inside + len(line) - opened, tags + 1
    return len(line) - inside, tags


def moving_mean(values: Floats, radius: int) -> Floats:
    """Mean of the values within `radius`, each running sum cut to an integer."""
    means = np.empty(values.size)
    for i in range(values.size):
        near = values[max(0, i - radius) : i + radius + 1]
        total = 0
        for value in near.tolist():
            total = math.trunc(total + value)
        means[i] = total / near.size
    return means


def above_threshold(ratios: Floats, threshold_factor: float) -> Flags:
    """Lines whose smoothed ratio exceeds the threshold; bool (n,)."""
    smooth = moving_mean(ratios, 3)
    return smooth > threshold_factor * standard_deviation(smooth)


def one_axis(ratios: Floats, k: int) -> Flags:
    """Lines outside of the lowest cluster of smoothed ratios; bool (n,)."""
    smooth = moving_mean(ratios, 3)[np.newaxis]
    return _above_lowest(smooth, k, smooth.min(axis=1))


def plane(ratios: Floats, k: int, alpha: int) -> Flags:
    """Lines outside of the lowest cluster of smoothed ratios and slopes; bool (n,)."""
    points = np.stack((moving_mean(ratios, 2), np.abs(derivative(ratios, alpha))))
    points -= points.min(axis=1, keepdims=True)
    spans = points.max(axis=1, keepdims=True)
    points /= np.where(spans > 0.0, spans, 1.0)
    return _above_lowest(points, k, points[:, np.lexsort(points[::-1])[0]])


def _above_lowest(points: Floats, k: int, first: Floats) -> Flags:
    clusters = k_means(points, k, first)
    if clusters is None:
        return np.ones(points.shape[1], bool)
    kept: Flags = clusters.labels != clusters.centroids[:, 0].argmin()
    return kept


def _blocks(html: str, decide) -> list[cedar.Block]:
    lines = [line.strip() for line in _LINE_END.split(visible(html))]
    found = [counts(line) for line in lines]
    ratios = np.array([characters / max(1, tags) for characters, tags in found])
    kept = decide(ratios)
    texts = [html_standard.unescape(_TAG.sub(" ", line)) for line in lines]
    return [cedar.Block(text, kept=bool(keep), score=0.0) for text, keep in zip(texts, kept, strict=True)]
