"""Evidence of the tree methods: numbers of elements along the tree, and votes for its texts.

Of Crunch which filter took what; of `cedar` the score of each block, and the cues it is the sum of.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from cedar.pipelines.drawing.charts import (
    MAX_BARS,
    Axis,
    Bars,
    Evidence,
    Work,
    either,
    generic,
    number,
)
from cedar.transforms.extractors.extraction import Block
from cedar.transforms.extractors.html.characters import Flags, Floats, Offsets
from cedar.transforms.extractors.tree import _crunch, cetd, combine, coreex, crunch
from cedar.transforms.extractors.tree._cetd import TOLERANCE, mark_content
from cedar.transforms.extractors.tree.extraction import Paths, TreeDecision, TreeOptions
from cedar.transforms.extractors.tree.tree import Tree, visible_source

_ELEMENTS = "Elements with text in the order of the tree;"
_NO_LINKS = (
    "A page without links has infinite composite densities: the paper takes all of its body as content."
)


def text_density(work: Work[cetd.CetdDsOptions]) -> Evidence:
    """CETD-DS."""
    tree = read_shown(work.html, work.options)
    density = cetd.cetd_ds.decide(tree, work.options).scores
    sums = cetd.density_sums(tree, density, tree.chars if work.options.text_terms == "add" else None)
    return _of_densities(work, tree, density, sums, "TD", "Text density")


def composite_density(work: Work[cetd.CectdDsOptions]) -> Evidence:
    """CECTD-DS."""
    tree = read_shown(work.html, work.options)
    decision = cetd.cectd_ds.decide(tree, work.options)
    if decision.threshold is None:
        return replace(generic(work), rule=_NO_LINKS)
    counted = cetd.counts(tree)
    ratio = float(counted.link_chars[tree.body] / counted.chars[tree.body])
    terms = cetd.composite_text_terms(tree, ratio) if work.options.text_terms == "add" else None
    sums = cetd.density_sums(tree, decision.scores, terms)
    return _of_densities(work, tree, decision.scores, sums, "CTD", "Composite text density")


def smoothed_density(work: Work[cetd.CectdOptions]) -> Evidence:
    """CECTD-S."""
    tree = read_shown(work.html, work.options)
    decision = cetd.cectd_s.decide(tree, work.options)
    if decision.threshold is None:
        return replace(generic(work), rule=_NO_LINKS)
    limit = number(decision.threshold)
    rule = (
        "Every element below the body whose composite text density, smoothed over its siblings, reaches that "
        f"of the body times λ, {limit}, is content, with all that is in it."
    )
    title = "Smoothed density of each element"
    about = f"{_ELEMENTS} coloured ones were kept. The dashed line is the threshold."
    chart = Bars(title, about, "smoothed density", decision.scores, decision.threshold)
    reasons = f"in an element that reaches {limit}", f"in no element that reaches {limit}"
    return _of_scores(tree, work.blocks, decision, chart, rule, either(work.blocks, *reasons))


def scored_elements(work: Work[coreex.CoreExOptions]) -> Evidence:
    """CoreEx."""
    options, blocks = work.options, work.blocks
    tree = read_shown(work.html, options)
    decision = coreex.coreex.decide(tree, options)
    scores = decision.scores
    best = coreex.highest(tree, scores)
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
    decision = combine.combine.decide(tree, options)
    ballots = combine.ballots(tree, options.members)
    tags = first_tags(tree, decision)
    given = [[name for name in options.members if ballots[name][tag]] for tag in tags]
    about = "Blocks in the order of the page; coloured ones were kept. The dashed line is the votes needed."
    counts, most = [len(names) for names in given], len(options.members)
    return Evidence(
        f"{', '.join(options.members)} vote on each text; one that has {options.votes} votes or more is "
        "content, but where as many are for it as against it, cectd-ds decides.",
        Axis.of_blocks("block", blocks),
        (Bars("Votes for each block", about, "votes", np.array(counts, np.float64), float(options.votes)),),
        tuple(f"votes of {', '.join(names)}" if names else "no vote" for names in given),
        tuple(f"{n} of {most} votes, {block.path}" for n, block in zip(counts, blocks, strict=True)),
    )


def read_shown(html: bytes, options: TreeOptions) -> Tree:
    """Return the tree of a page as a method sees it."""
    return options.tree(visible_source(html))


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
    shown, names, of_block = _shown(tree, blocks)
    kept, values = decision.kept_elements[shown], chart.values[shown]
    notes = (
        f"{name}: {chart.label} {number(score)}; {'kept' if is_kept else 'dropped'}"
        for name, score, is_kept in zip(names, values.tolist(), kept.tolist(), strict=True)
    )
    place = None if chart.winner is None else int(shown.searchsorted(chart.winner))
    return Evidence(
        rule,
        _axis(tree, shown, of_block, kept, notes),
        (replace(chart, values=values, winner=place),),
        reasons,
        tuple(f"{chart.label} {number(block.score)}, {block.path}" for block in blocks),
    )


def _shown(tree: Tree, blocks: tuple[Block, ...]) -> tuple[Offsets, list[str], Offsets]:
    """Return the body's elements with text, paths of those that need one, and the element of each block."""
    shown = np.flatnonzero(tree.in_body & (tree.text_sums(tree.chars) > 0))
    paths = Paths(tree)
    # Paths of deep trees are long: inline elements, of which no block is, have theirs only to be shown.
    named = shown if shown.size <= MAX_BARS else shown[tree.block_level[shown]]
    names = [paths.path(element) for element in named.tolist()]
    places = dict(zip(names, shown.searchsorted(named).tolist(), strict=True))
    return shown, names, np.array([places[block.path or ""] for block in blocks], np.int64)


def _of_densities(
    work: Work[Any], tree: Tree, density: Floats, sums: Floats, symbol: str, name: str
) -> Evidence:
    """Return the evidence of a method that goes down the tree as long as densities reach a threshold.

    Densities of the elements, and their DensitySums, are float64 (n,).
    """
    blocks = work.blocks
    content, threshold = mark_content(tree, density, sums, work.options.threshold_factor)
    shown, names, of_block = _shown(tree, blocks)
    best = int(sums[shown].argmax()) if shown.size else None
    limit = threshold or 0.0
    state = np.where(content, 2, np.where(tree.element_sums(content) > 0, 1, 0))[shown]
    said = ("dropped", "around content", "content")
    columns = (values.tolist() for values in (density[shown], sums[shown], tree.text_sums(tree.chars)[shown]))
    notes = (
        f"{path}: {symbol} {number(d)}, DensitySum {number(s)}, {c:,} characters; {said[k]}"
        for path, d, s, c, k in zip(names, *columns, state.tolist(), strict=True)
    )
    line = "" if threshold is None else " The dashed line is the threshold."
    winner = best, "the largest DensitySum"
    dense = f"{name} of each element", f"{_ELEMENTS} coloured ones were kept.{line}"
    summed = (
        "DensitySum of each element",
        "The densities of an element's children and the lengths of the texts directly in it, summed: the "
        "largest sum is where the content is sought.",
    )
    return Evidence(
        f"From the body down, where an element's {symbol} reaches the threshold ({number(limit)}, λ times "
        "the least density between the body and the element of the largest DensitySum), the element of the "
        "largest DensitySum in its subtree is content, with all that is in it.",
        _axis(tree, shown, of_block, state > 0, notes),
        (
            Bars(*dense, f"{name.lower()} {symbol}", density[shown], threshold, *winner),
            Bars(*summed, "DensitySum", sums[shown], None, *winner),
        ),
        tuple(_reasons(tree, blocks, shown[of_block].tolist(), content, (density, limit, symbol))),
        tuple(f"{symbol} {number(block.score)}, {block.path}" for block in blocks),
    )


def _axis(tree: Tree, shown: Offsets, of_block: Offsets, kept: Flags, notes: Iterator[str]) -> Axis:
    """Return the axis of the elements shown; text of a subtree stands together."""
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
    starts = np.where(stops > 0, starts, 0)
    return Axis("element", starts, stops, of_block, kept, () if shown.size > MAX_BARS else tuple(notes))


def _reasons(
    tree: Tree,
    blocks: tuple[Block, ...],
    elements: list[int],
    content: Flags,
    densities: tuple[Floats, float, str],
) -> Iterator[str]:
    density, limit, symbol = densities
    paths = Paths(tree)
    unlit = (density < limit * (1.0 - TOLERANCE)) & tree.in_body
    darkest, topmost = _outermost(tree, unlit), _outermost(tree, content)
    for block, element in zip(blocks, elements, strict=True):
        dark, top = darkest[element], topmost[element]
        if top >= 0 and block.kept:
            yield f"in {paths.path(top)}, the largest DensitySum of a subtree that is dense enough"
        elif block.kept:
            yield "stands directly in an element around content"
        elif dark >= 0:
            yield f"{paths.path(dark)} is below the threshold: {symbol} {number(float(density[dark]))}"
        else:
            yield "not in the element of the largest DensitySum of any subtree"


def _outermost(tree: Tree, marked: Flags) -> list[int]:
    """For each element the outermost marked one among itself and its ancestors; -1 if absent."""
    places = np.arange(tree.size)
    before = np.concatenate(([0], np.maximum.accumulate(np.where(marked, tree.ends, 0))))[:-1]
    outermost = np.maximum.accumulate(np.where(marked & (before <= places), places, -1))
    found: list[int] = np.where((outermost >= 0) & (places < tree.ends[outermost]), outermost, -1).tolist()
    return found


_TAKEN = {
    _crunch.AD: "from a host of ads",
    _crunch.LINK_LIST: "in a list of links",
    _crunch.TEXT_LINK: "a text link",
    _crunch.IMAGE_LINK: "in a link with an image",
    _crunch.IMAGE: "an image",
    _crunch.SWITCHED_OFF: "in an element that is switched off",
    _crunch.EMPTY_TABLE: "in a table without substance",
}


def filters(work: Work[crunch.CrunchOptions]) -> Evidence:
    """Crunch."""
    tree = read_shown(work.html, work.options)
    decision = crunch.crunch.decide(tree, work.options)
    _, by = _crunch.taken(tree, crunch.marked(tree, work.options)[0], crunch.SETTINGS[work.options.preset])
    some = tree.body_text & (tree.chars > 0)
    counts = Counter(by[some].tolist())
    took = "; ".join(f"{what}: {counts[code]:,}" for code, what in _TAKEN.items() if counts[code])
    return Evidence(
        "Filters go down the page; the first that applies takes a text. Texts that were taken: "
        f"{took or 'none'}.",
        Axis.of_blocks("block", work.blocks),
        (
            Bars(
                "Links a word",
                "One bar a block of text, in page order: that of the innermost cell around it. From the "
                "dashed line on a cell is a list of links.",
                "links a word",
                np.array([block.score for block in work.blocks]),
                work.result.metrics.threshold,
            ),
        ),
        tuple(
            "no filter took it" if block.kept else _TAKEN[int(by[tag])]
            for block, tag in zip(work.blocks, first_tags(tree, decision), strict=True)
        ),
        tuple(f"{number(block.score)} links a word, {block.path}" for block in work.blocks),
    )


_CUES = 4  # that are named; those that weigh most

WORDS = {
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
    "page": "the page as a whole",
    "vote": "how blocks near it and like it scored",
    "kind": "the kind of page",
    "rules": "what the page states of itself, or that it is prose which no tag parts",
}
"""What people read for each group of columns, in the order of `cedar.transforms.extractors.cedar.columns`."""


def cues(work: Work[Any]) -> Evidence:
    """Cedar."""
    shown = generic(work)
    threshold = work.result.metrics.threshold
    return replace(
        shown,
        rule="A block's score, the log-odds of its being content, is the sum of its cues; the set of blocks "
        "with the best expected F1 stays, down to the threshold, which is different for each page. Tables, "
        "code and lists of which most stays are made whole, and headings stay above what does.",
        reasons=tuple(_reason(block, threshold) for block in work.blocks),
        numbers=tuple(f"score {_short(block.score)}; {_named(block)}" for block in work.blocks),
    )


def _reason(block: Block, threshold: float | None) -> str:
    """Say what decided: the score, unless what is around the block, or an option, did otherwise."""
    if threshold is None:
        return "no score decided"
    if block.score < threshold:
        belongs = "it belongs to what stays, or an option asks for it"
        return belongs if block.kept else "its score is below the threshold"
    return "its score reaches the threshold" if block.kept else "an option leaves it out"


def _named(block: Block) -> str:
    """Name the cues that weigh most, those that speak for it first."""
    weightiest = sorted(block.cues, key=lambda cue: -abs(cue[1]))[:_CUES]
    said = []
    for word, is_for in (("for it", True), ("against it", False)):
        cues = [f"{WORDS[name]} {_short(abs(value))}" for name, value in weightiest if (value > 0) is is_for]
        if cues:
            said.append(f"{word}: {', '.join(cues)}")
    return "; ".join(said)


def _short(value: float) -> str:
    return number(float(f"{value:.2g}"))
