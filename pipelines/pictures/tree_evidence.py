"""Evidence of the tree methods: densities of elements along the tree."""

from __future__ import annotations

import numpy as np

from pipelines.pictures.charts import MAX_BARS
from pipelines.pictures.evidence import Axis, Bars, Evidence, number
from transforms.extractors import cetd
from transforms.extractors.characters import Flags, Offsets
from transforms.extractors.dom import Tree, read_tree
from transforms.extractors.dom_extraction import Paths
from transforms.extractors.dom_text import TreeText, tree_text
from transforms.extractors.extraction import Block, Extraction
from transforms.extractors.smoothing import Floats

_TOLERANCE = 1e-9


def text_density(
    html: bytes, options: cetd.CetdOptions, _: Extraction, blocks: tuple[Block, ...]
) -> Evidence:
    """CETD-DS."""
    tree = read_tree(html, keep_hidden=options.hidden == "keep")
    text = tree_text(tree)
    density = cetd.text_density(tree.text_sums(text.chars), cetd.descendants(tree))
    sums = cetd.density_sums(tree, text, density)
    content, threshold = cetd.mark_content(tree, density, sums, options.threshold_factor)
    return of_densities(
        tree, text, blocks, density, sums, content, threshold, symbol="TD", name="Text density"
    )


def of_densities(
    tree: Tree,
    text: TreeText,
    blocks: tuple[Block, ...],
    density: Floats,
    sums: Floats,
    content: Flags,
    threshold: float | None,
    *,
    symbol: str,
    name: str,
) -> Evidence:
    """The evidence of a method that goes down the tree as long as densities reach a threshold.

    Args:
        tree: the page.
        text: its text.
        blocks: the extraction's blocks.
        density: of the elements, float64 (n,).
        sums: their DensitySums, float64 (n,).
        content: the elements that are content, bool (n,).
        threshold: the threshold, or None where everything is content.
        symbol: of the density.
        name: of the density.
    """
    chars = tree.text_sums(text.chars)
    shown = np.flatnonzero(tree.in_body & (chars > 0))
    paths = Paths(tree)
    # Paths of deep trees are long: inline elements, of which no block is, have theirs only to be shown.
    named = shown if shown.size <= MAX_BARS else shown[tree.names.block_level[tree.opens[shown]]]
    names = [paths.path(element) for element in named.tolist()]
    best = int(sums[shown].argmax()) if shown.size else None
    limit = threshold or 0.0
    unlit = (density < limit * (1.0 - _TOLERANCE)) & tree.in_body
    state = np.where(content, 2, np.where(tree.element_sums(content) > 0, 1, 0))
    said = ("dropped", "around content", "content")
    notes = (
        ()
        if shown.size > MAX_BARS
        else tuple(
            f"{path}: {symbol} {number(d)}, DensitySum {number(s)}, {c:,} characters; {said[k]}"
            for path, d, s, c, k in zip(
                names,
                density[shown].tolist(),
                sums[shown].tolist(),
                chars[shown].tolist(),
                state[shown].tolist(),
                strict=True,
            )
        )
    )
    places = dict(zip(names, shown.searchsorted(named).tolist(), strict=True))
    of_block = np.array([places[block.path or ""] for block in blocks], np.int64)
    starts, stops = _block_ranges(tree, shown, of_block)
    axis = Axis("element", starts, stops, of_block, state[shown] > 0, notes)
    line = "" if threshold is None else " The dashed line is the threshold."
    winner = "the largest DensitySum"
    return Evidence(
        f"From the body down, where an element's {symbol} reaches the threshold ({number(limit)}, λ times "
        "the least density between the body and the element of the largest DensitySum), the element of the "
        "largest DensitySum in its subtree is content, with all that is in it.",
        axis,
        (
            Bars(
                f"{name} of each element",
                f"Elements with text in the order of the tree; coloured ones were kept.{line}",
                f"{name.lower()} {symbol}",
                density[shown],
                threshold,
                best,
                winner,
            ),
            Bars(
                "DensitySum of each element",
                "The densities of an element's children and the lengths of the texts directly in it, summed: "
                "the largest sum is where the content is sought.",
                "DensitySum",
                sums[shown],
                None,
                best,
                winner,
            ),
        ),
        _reasons(tree, blocks, [int(shown[bar]) for bar in of_block], content, unlit, paths, symbol, density),
        tuple(f"{symbol} {number(block.score)}, {block.path}" for block in blocks),
    )


def _block_ranges(tree: Tree, shown: Offsets, of_block: Offsets) -> tuple[Offsets, Offsets]:
    """The blocks [start, stop) in the subtree of each element shown: text of a subtree stands together."""
    size = tree.size
    first = np.full(size, of_block.size, np.int64)
    last = np.full(size, -1, np.int64)
    order = np.arange(of_block.size)
    np.minimum.at(first, shown[of_block], order)
    np.maximum.at(last, shown[of_block], order)
    firsts, lasts, parents = first.tolist(), last.tolist(), tree.parents.tolist()
    for element in range(size - 1, 0, -1):
        parent = parents[element]
        if firsts[element] < firsts[parent]:
            firsts[parent] = firsts[element]
        if lasts[element] > lasts[parent]:
            lasts[parent] = lasts[element]
    starts = np.array(firsts, np.int64)[shown]
    stops = np.array(lasts, np.int64)[shown] + 1
    # Inline elements have no block of their own: they belong to one of the element around them.
    return np.where(stops > 0, starts, 0), stops


def _reasons(
    tree: Tree,
    blocks: tuple[Block, ...],
    elements: list[int],
    content: Flags,
    unlit: Flags,
    paths: Paths,
    symbol: str,
    density: Floats,
) -> tuple[str, ...]:
    darkest, topmost = _outermost(tree, unlit), _outermost(tree, content)
    found = []
    for block, element in zip(blocks, elements, strict=True):
        dark, top = darkest[element], topmost[element]
        if top >= 0 and block.kept:
            found.append(f"in {paths.path(top)}, the largest DensitySum of a subtree that is dense enough")
        elif block.kept:
            found.append("stands directly in an element around content")
        elif dark >= 0:
            found.append(
                f"{paths.path(dark)} is below the threshold: {symbol} {number(float(density[dark]))}"
            )
        else:
            found.append("not in the element of the largest DensitySum of any subtree")
    return tuple(found)


def _outermost(tree: Tree, marked: Flags) -> list[int]:
    """For each element the outermost marked one among itself and its ancestors; -1 where there is none."""
    found: list[int] = np.where(marked, np.arange(tree.size), -1).tolist()
    for element, parent in enumerate(tree.parents.tolist()):
        if parent >= 0 and found[parent] >= 0:
            found[element] = found[parent]
    return found
