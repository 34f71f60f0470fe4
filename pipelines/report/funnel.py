"""From records to what is left: one drawing of a corpus, and of the words in it by language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pipelines.dedup.tables import LABELS
from pipelines.report.facts import CorpusFacts

_LOSSES = 8  # bars of a stage; smaller ones share the last
_LANGUAGES = 7


@dataclass(frozen=True, slots=True)
class FunnelBar:
    """A bar of the funnel, laid out in per cent: how many records are there, or lost, and their share.

    The stage of a loss is `rejected`, `dropped` or `duplicate`; else it is `kept`, or "".
    """

    label: str
    count: int
    share: str
    x: str
    width: str
    stage: str

    @property
    def is_loss(self) -> bool:
        """Whether the records go no further."""
        return self.stage not in ("", "kept")


@dataclass(frozen=True, slots=True)
class Funnel:
    """The steps from top to bottom, and words by language: bars of one line, with their share as `share`."""

    steps: tuple[FunnelBar, ...]
    words: int
    languages: tuple[FunnelBar, ...]


def funnel(facts: CorpusFacts, duplicates: Mapping[str, int] | None) -> Funnel:
    """Lay the funnel of a corpus out, with its duplicates by kind if they are known."""
    spoken = facts.curation.words.most_common()
    words = facts.curation.words.total()
    shown, rest = spoken[:_LANGUAGES], sum(count for _, count in spoken[_LANGUAGES:])
    shown += [(f"{len(spoken) - _LANGUAGES:,} others", rest)] if rest else []
    bars, x = [], 0.0
    for language, count in shown:
        width = 100 * count / max(1, words)
        bars.append(FunnelBar(language, count, f"{width / 100:.1%}", f"{x:.2f}", f"{width:.2f}", ""))
        x += width
    return Funnel(tuple(_steps(facts, duplicates)), words, tuple(bars))


def _steps(facts: CorpusFacts, duplicates: Mapping[str, int] | None) -> Iterator[FunnelBar]:
    books = facts.books
    drops = {rule: found.pages for rule, found in facts.curation.dropped.items()}
    alike = {LABELS[kind]: count for kind, count in (duplicates or {}).items()}
    whole = left = books.records_read
    yield funnel_bar("records", left, left, whole, "kept")
    for stage, losses, name in (
        ("rejected", books.rejected, "pages"),
        ("dropped", drops, "kept"),
        ("duplicate", alike, "unique"),
    ):
        ordered = sorted(losses.items(), key=lambda item: -item[1])
        shown = ordered[:_LOSSES]
        if len(ordered) > _LOSSES:
            shown = ordered[: _LOSSES - 1]
            others = ordered[_LOSSES - 1 :]
            shown.append((f"{len(others):,} others", sum(count for _, count in others)))
        for label, count in shown:
            left -= count
            yield funnel_bar(label, count, left + count, whole, stage)
        if losses or stage == "rejected" or (stage == "duplicate" and duplicates is not None):
            yield funnel_bar(name, left, left, whole, "kept")


def funnel_bar(label: str, count: int, right: int, whole: int, stage: str) -> FunnelBar:
    """Make a bar that ends where `right` records would."""
    scale = 100 / max(1, whole)
    share = f"{count / max(1, whole):.1%}"
    return FunnelBar(label, count, share, f"{(right - count) * scale:.3f}", f"{count * scale:.3f}", stage)
