"""Voting: several methods judge the texts of one tree, and the majority rules.

After CombineE (Gottron: Combining content extraction heuristics, iiWAS 2008), whose parallel ensembles of
methods vote on marked text; what votes and how ties go is our choice. A text is what stands between two tags
of the tree, so all members judge the same page: tree methods the tree itself, line and token methods its
serialisation as XML, a page in which hidden elements, comments and scripts are gone and lines are as in
the source. A member votes for a text if it keeps at least half of its characters, blanks not counted. A text
is content if it has as many votes as are needed; where as many members are for it as against it, the tie goes
with cectd-ds, if that is a member.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from cedar.transforms.extractors.extraction import Extraction, Ranges
from cedar.transforms.extractors.html.characters import Flags, Offsets
from cedar.transforms.extractors.lines import cetr
from cedar.transforms.extractors.options import About, NoOptions
from cedar.transforms.extractors.tokens import bte
from cedar.transforms.extractors.tree import baselines, cetd, coreex
from cedar.transforms.extractors.tree._markup import as_xml
from cedar.transforms.extractors.tree.extraction import TreeDecision, TreeMethod, TreeOptions, text_decision
from cedar.transforms.extractors.tree.tree import Tree

Member = Literal[
    "cetr", "cetr-tm", "cetr-km", "bte", "cetd-ds", "cectd-ds", "cectd-s", "coreex", "coreex-modern", "lqf"
]

_TIE = "cectd-ds"

_ON_XML: Mapping[str, Callable[[bytes], Extraction]] = {
    "cetr": lambda xml: cetr.cetr(xml, cetr.CetrOptions()),
    "cetr-tm": lambda xml: cetr.cetr_tm(xml, cetr.ThresholdOptions()),
    "cetr-km": lambda xml: cetr.cetr_km(xml, cetr.KMeansOptions()),
    "bte": lambda xml: bte.bte(xml, NoOptions()),
}
_ON_TREE: Mapping[str, Callable[[Tree], TreeDecision]] = {
    "cetd-ds": lambda tree: cetd.cetd_ds.decide(tree, cetd.CetdDsOptions()),
    "cectd-ds": lambda tree: cetd.cectd_ds.decide(tree, cetd.CectdDsOptions()),
    "cectd-s": lambda tree: cetd.cectd_s.decide(tree, cetd.CectdOptions()),
    "coreex": lambda tree: coreex.coreex.decide(tree, coreex.CoreExOptions()),
    "coreex-modern": lambda tree: coreex.coreex.decide(tree, coreex.CoreExOptions(variant="modern")),
    "lqf": lambda tree: baselines.lqf.decide(tree, baselines.LqfOptions()),
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


@TreeMethod
def combine(tree: Tree, options: CombineOptions) -> TreeDecision:
    """Voting; a block's score is the votes for its first text."""
    given = ballots(tree, options.members)
    votes = np.sum(list(given.values()), axis=0)
    kept = votes >= options.votes
    if _TIE in given:
        kept = np.where(2 * votes == len(given), given[_TIE], kept)
    return text_decision(tree, kept, votes.astype(np.float64), threshold=float(options.votes))


def ballots(tree: Tree, members: Sequence[Member]) -> dict[Member, Flags]:
    """Mark, for each member, the tags after which it keeps the text. bool (t,)."""
    xml = None if all(member in _ON_TREE for member in members) else _Xml(tree)
    return {
        member: xml.ballot(member) if member in _ON_XML and xml else _ON_TREE[member](tree).kept_text
        for member in members
    }


def solid_before(xml: bytes) -> Offsets:
    """Count the code points, blanks left out, before each byte of a page and its end. int64 (bytes + 1,)."""
    data = np.frombuffer(xml, np.uint8)
    before = np.zeros(data.size + 1, np.int64)
    np.cumsum((data > 0x20) & ((data & 0xC0) != 0x80), out=before[1:])
    return before


def solid_chars(before: Offsets, texts: Ranges, ranges: Ranges) -> Offsets:
    """Count the code points, blanks left out, of each of m texts that lie in ranges of the page. int64 (m,).

    All are in bytes, in order; texts do not overlap. `before` is what `solid_before` counts.
    """
    # A range of nothing comes first, so that each place has one that starts at it or before.
    starts, stops = (np.concatenate(([0], bounds)) for bounds in ranges)
    starts[1:] = np.maximum(starts[1:], stops[:-1])
    held = before[stops] - before[starts]
    held = held.cumsum() - held

    def held_before(places: Offsets) -> Offsets:
        last = starts.searchsorted(places, "right") - 1
        found: Offsets = held[last] + before[np.minimum(places, stops[last])] - before[starts[last]]
        return found

    return held_before(texts[1]) - held_before(texts[0])


class _Xml:
    """A tree as a page of XML, on which line and token methods vote."""

    def __init__(self, tree: Tree) -> None:
        self._xml, starts, stops = as_xml(tree)
        self._texts = (stops, np.append(starts[1:], len(self._xml))[: starts.size])
        self._before = solid_before(self._xml)
        self._solid_chars = self._before[self._texts[1]] - self._before[self._texts[0]]

    def ballot(self, member: Member) -> Flags:
        """Mark the tags after which a member keeps at least half of the text. bool (t,)."""
        ranges = _ON_XML[member](self._xml).kept_ranges
        assert ranges is not None, f"{member} has no ranges"
        kept = solid_chars(self._before, self._texts, ranges)
        marks: Flags = 2 * kept >= np.maximum(self._solid_chars, 1)
        return marks
