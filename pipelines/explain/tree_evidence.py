"""Evidence of the tree methods: numbers of elements along the tree, and votes for its texts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pipelines.drawing.charts import MAX_BARS
from pipelines.drawing.evidence import Axis, Bars, Evidence, Work, generic, number
from transforms.extractors.extraction import Block
from transforms.extractors.html.characters import Flags, Floats, Offsets
from transforms.extractors.tree import cetd, combine, coreex, densities
from transforms.extractors.tree._cetd import mark_content
from transforms.extractors.tree.extraction import Paths, TreeDecision, TreeOptions
from transforms.extractors.tree.tree import Tree, read_tree, visible_source

_TOLERANCE = 1e-9
_ELEMENTS = "Elements with text in the order of the tree;"
_NO_LINKS = (
    "A page without links has infinite composite densities: the paper takes all of its body as content."
)


def text_density(work: Work[cetd.CetdDsOptions]) -> Evidence:
    """CETD-DS."""
    tree = read_shown(work.html, work.options)
    density = cetd.decide_cetd_ds(tree, work.options).scores
    sums = densities.density_sums(tree, density, tree.chars if work.options.text_terms == "add" else None)
    content, threshold = mark_content(tree, density, sums, work.options.threshold_factor)
    return of_densities(
        tree, work.blocks, density, sums, content, threshold, symbol="TD", name="Text density"
    )


def composite_density(work: Work[cetd.CectdDsOptions]) -> Evidence:
    """CECTD-DS."""
    tree = read_shown(work.html, work.options)
    decision = cetd.decide_cectd_ds(tree, work.options)
    if decision.threshold is None:
        return replace(generic(work), rule=_NO_LINKS)
    counted = densities.counts(tree)
    ratio = float(counted.link_chars[tree.body] / counted.chars[tree.body])
    terms = densities.composite_text_terms(tree, ratio) if work.options.text_terms == "add" else None
    sums = densities.density_sums(tree, decision.scores, terms)
    content, threshold = mark_content(tree, decision.scores, sums, work.options.threshold_factor)
    return of_densities(
        tree,
        work.blocks,
        decision.scores,
        sums,
        content,
        threshold,
        symbol="CTD",
        name="Composite text density",
    )


def smoothed_density(work: Work[cetd.CectdOptions]) -> Evidence:
    """CECTD-S."""
    options, blocks = work.options, work.blocks
    tree = read_shown(work.html, options)
    decision = cetd.decide_cectd_s(tree, options)
    if decision.threshold is None:
        return replace(generic(work), rule=_NO_LINKS)
    limit = number(decision.threshold)
    rule = (
        "Every element below the body whose composite text density, smoothed over its siblings, reaches that "
        f"of the body times λ, {limit}, is content, with all that is in it."
    )
    about = f"{_ELEMENTS} coloured ones were kept. The dashed line is the threshold."
    return _of_scores(
        tree,
        blocks,
        decision,
        Bars(
            "Smoothed density of each element", about, "smoothed density", decision.scores, decision.threshold
        ),
        rule,
        tuple(
            f"in an element that reaches {limit}" if block.kept else f"in no element that reaches {limit}"
            for block in blocks
        ),
    )


def scored_elements(work: Work[coreex.CoreExOptions]) -> Evidence:
    """CoreEx."""
    options, blocks = work.options, work.blocks
    tree = read_shown(work.html, options)
    decision = coreex.decide_coreex(tree, options)
    scores = decision.scores
    best = None
    if scores.any():
        highest = np.flatnonzero(scores == scores.max())
        best = int(highest[tree.depths[highest].argmin()])
    where = "" if best is None else Paths(tree).path(best)
    chart = Bars(
        "Score of each element",
        f"{_ELEMENTS} those around and in the content are coloured.",
        "score",
        scores,
        None,
        best,
        "the highest score",
    )
    reasons = tuple(
        f"few links, and directly in {where}, the highest score"
        if block.kept
        else f"too many links, or not read, in {where}"
        if where and f"{block.path}/".startswith(f"{where}/")
        else f"outside of {where}, the highest score"
        for block in blocks
    )
    rule = (
        "An element's score is high where its children with few links hold much of the page's text and "
        "hardly a link; such children of the element of the highest score are content."
    )
    return _of_scores(tree, blocks, decision, chart, rule, reasons)


def votes(work: Work[combine.CombineOptions]) -> Evidence:
    """Voting of several methods."""
    options, blocks = work.options, work.blocks
    tree = read_shown(work.html, options)
    decision = combine.decide_combine(tree, options)
    ballots = combine.ballots(tree, options.members)
    tags = first_tags(tree, decision)
    given = [[name for name in options.members if ballots[name][tag]] for tag in tags]
    needed = options.votes
    chart = Bars(
        "Votes for each block",
        "Blocks in the order of the page; coloured ones were kept. The dashed line is the votes needed.",
        "votes",
        np.array([len(names) for names in given], np.float64),
        float(needed),
    )
    return Evidence(
        f"{', '.join(options.members)} vote on each text; one that has {needed} votes or more is "
        "content, but where as many are for it as against it, cectd-ds decides.",
        Axis.of_blocks("block", blocks),
        (chart,),
        tuple(f"votes of {', '.join(names)}" if names else "no vote" for names in given),
        tuple(
            f"{len(names)} of {len(options.members)} votes, {block.path}"
            for names, block in zip(given, blocks, strict=True)
        ),
    )


def read_shown(html: bytes, options: TreeOptions) -> Tree:
    """Return the tree of a page as a method sees it."""
    return read_tree(visible_source(html), keep_hidden=options.hidden == "keep")


def first_tags(tree: Tree, decision: TreeDecision) -> list[int]:
    """Return the first tag of each block, in the blocks' order."""
    first = []
    for kept in (True, False):
        tags = np.flatnonzero(tree.body_text & (decision.kept_text == kept) & (tree.chars > 0))
        first += tags[np.unique(tree.blocks[tags], return_index=True)[1]].tolist()
    return sorted(first)


def _of_scores(
    tree: Tree,
    blocks: tuple[Block, ...],
    decision: TreeDecision,
    chart: Bars,
    rule: str,
    reasons: tuple[str, ...],
) -> Evidence:
    """Lay out a method that scores elements; the chart's values and winner are of all elements."""
    shown, names, axis_of = _shown(tree)
    kept = decision.kept_elements[shown]
    notes = (
        ()
        if shown.size > MAX_BARS
        else tuple(
            f"{name}: {chart.label} {number(score)}; {'kept' if is_kept else 'dropped'}"
            for name, score, is_kept in zip(names, chart.values[shown].tolist(), kept.tolist(), strict=True)
        )
    )
    of_block = np.array([axis_of[block.path or ""] for block in blocks], np.int64)
    starts, stops = _block_ranges(tree, shown, of_block)
    place = None if chart.winner is None else int(shown.searchsorted(chart.winner))
    bars = Bars(
        chart.title,
        chart.about,
        chart.label,
        chart.values[shown],
        chart.threshold,
        place,
        chart.winner_label,
    )
    return Evidence(
        rule,
        Axis("element", starts, stops, of_block, kept, notes),
        (bars,),
        reasons,
        tuple(f"{chart.label} {number(block.score)}, {block.path}" for block in blocks),
    )


def _shown(tree: Tree) -> tuple[Offsets, list[str], dict[str, int]]:
    """Return the elements of the body with text, paths of those that need one, and the place of each path."""
    shown = np.flatnonzero(tree.in_body & (tree.text_sums(tree.chars) > 0))
    paths = Paths(tree)
    # Paths of deep trees are long: inline elements, of which no block is, have theirs only to be shown.
    named = shown if shown.size <= MAX_BARS else shown[tree.block_level[shown]]
    names = [paths.path(element) for element in named.tolist()]
    return shown, names, dict(zip(names, shown.searchsorted(named).tolist(), strict=True))


def of_densities(
    tree: Tree,
    blocks: tuple[Block, ...],
    density: Floats,
    sums: Floats,
    content: Flags,
    threshold: float | None,
    *,
    symbol: str,
    name: str,
) -> Evidence:
    """Return the evidence of a method that goes down the tree as long as densities reach a threshold.

    Args:
        tree: the page.
        blocks: the extraction's blocks.
        density: of the elements, float64 (n,).
        sums: their DensitySums, float64 (n,).
        content: the elements that are content, bool (n,).
        threshold: the threshold, or None where everything is content.
        symbol: of the density.
        name: of the density.
    """
    chars = tree.text_sums(tree.chars)
    shown, names, places = _shown(tree)
    paths = Paths(tree)
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
                f"{_ELEMENTS} coloured ones were kept.{line}",
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
    """Find the blocks [start, stop) of each element shown: text of a subtree stands together."""
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
    """For each element the outermost marked one among itself and its ancestors; -1 if absent."""
    found: list[int] = np.where(marked, np.arange(tree.size), -1).tolist()
    for element, parent in enumerate(tree.parents.tolist()):
        if parent >= 0 and found[parent] >= 0:
            found[element] = found[parent]
    return found
