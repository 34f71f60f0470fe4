"""Voting: several methods judge the texts of one tree, and the majority rules.

After CombineE (Gottron: Combining content extraction heuristics, iiWAS 2008), whose parallel ensembles of
methods vote on marked text; what votes and how ties go is our choice. A text is what stands between two tags
of the tree, so all members judge the same page: tree methods the tree itself, line and token methods its
serialisation as XML, a page in which hidden elements, comments and scripts are gone and lines are those of
the source. A member votes for a text if it keeps at least half of its characters, blanks not counted. A text
is content if it has as many votes as are needed; where as many members are for it as against it, the tie goes
with cectd-ds, if that is a member.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from transforms.extractors.extraction import Extraction
from transforms.extractors.html import characters
from transforms.extractors.html.characters import SPACE, Flags
from transforms.extractors.lines import cetr
from transforms.extractors.options import About
from transforms.extractors.tokens import bte
from transforms.extractors.tree import cetd, coreex, lqf
from transforms.extractors.tree.dom import Tree
from transforms.extractors.tree.dom_extraction import (
    TreeDecision,
    TreeOptions,
    extract_from_tree,
    text_decision,
)
from transforms.extractors.tree.dom_text import TreeText
from transforms.model.caps import DEFAULT_CAPS, Caps

Member = Literal[
    "cetr", "cetr-tm", "cetr-km", "bte", "cetd-ds", "cectd-ds", "cectd-s", "coreex", "coreex-modern", "lqf"
]

_TIE = "cectd-ds"

_ON_XML: Mapping[str, Callable[[bytes], Extraction]] = {
    "cetr": lambda xml: cetr.cetr(xml, cetr.CetrOptions()),
    "cetr-tm": lambda xml: cetr.cetr_tm(xml, cetr.ThresholdOptions()),
    "cetr-km": lambda xml: cetr.cetr_km(xml, cetr.KMeansOptions()),
    "bte": lambda xml: bte.bte(xml, bte.BteOptions()),
}
_ON_TREE: Mapping[str, Callable[[Tree, TreeText], TreeDecision]] = {
    "cetd-ds": lambda tree, text: cetd.decide_cetd_ds(tree, text, cetd.CetdDsOptions()),
    "cectd-ds": lambda tree, text: cetd.decide_cectd_ds(tree, text, cetd.CectdDsOptions()),
    "cectd-s": lambda tree, text: cetd.decide_cectd_s(tree, text, cetd.CectdOptions()),
    "coreex": lambda tree, text: coreex.decide_coreex(tree, text, coreex.CoreExOptions()),
    "coreex-modern": lambda tree, text: coreex.decide_coreex(
        tree, text, coreex.CoreExOptions(variant="modern")
    ),
    "lqf": lambda tree, text: lqf.decide_lqf(tree, text, lqf.LqfOptions()),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CombineOptions(TreeOptions):
    """Options of `combine`."""

    members: Annotated[tuple[Member, ...], About("the methods that vote, each with its defaults")] = (
        "cetr",
        "bte",
        "cectd-ds",
        "coreex",
    )
    votes: Annotated[int, About("votes that a text needs", minimum=1)] = 2


def combine(html: bytes, options: CombineOptions, caps: Caps = DEFAULT_CAPS) -> Extraction:
    """Voting on a page of valid UTF-8; a block's score is the votes for its first text.

    Raises:
        TreeLimitError: the page cannot be parsed whole.
    """
    return extract_from_tree(html, decide_combine, options, caps)


def decide_combine(tree: Tree, text: TreeText, options: CombineOptions) -> TreeDecision:
    """What the members keep of a tree together."""
    ballots = {member: ballot(tree, text, member) for member in options.members}
    votes = np.sum(list(ballots.values()), axis=0)
    kept = votes >= options.votes
    if _TIE in ballots:
        kept = np.where(2 * votes == len(ballots), ballots[_TIE], kept)
    return text_decision(tree, text, kept, votes.astype(np.float64), float(options.votes))


def ballot(tree: Tree, text: TreeText, member: Member) -> Flags:
    """Marks the tags after which a member keeps the text. bool (t,)."""
    if member in _ON_TREE:
        return _ON_TREE[member](tree, text).kept_text
    data = np.frombuffer(tree.xml, np.uint8)
    begins = ~characters.continuation(data)
    points = np.append(np.flatnonzero(begins), data.size)  # the byte of each code point
    solid = begins & (data > SPACE)
    steps = np.zeros(data.size + 1, np.int32)
    for block in _ON_XML[member](tree.xml).blocks:
        if block.kept and block.start is not None and block.stop is not None:
            steps[points[block.start]] += 1
            steps[points[block.stop]] -= 1
    inside = np.cumsum(steps[:-1]) > 0
    return 2 * _text_sums(tree, solid & inside) >= np.maximum(_text_sums(tree, solid), 1)


def _text_sums(tree: Tree, marks: Flags) -> characters.Offsets:
    """How many bytes of the XML after each tag, up to the next one, are marked. int64 (t,)."""
    sums = np.append(0, np.cumsum(marks))
    stops = np.append(tree.starts[1:], len(tree.xml))
    totals: characters.Offsets = sums[stops] - sums[tree.stops]
    return totals
