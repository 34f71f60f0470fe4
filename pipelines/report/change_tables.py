"""What changed between two corpora, as tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from pipelines.drawing.evidence import number
from pipelines.report.change import Change
from pipelines.report.curation import CurationFacts, quantile
from pipelines.report.facts import CorpusFacts, PageMark
from pipelines.report.figures import ReportTable

_MOST_LANGUAGES = 20

Commands = Callable[[CorpusFacts, Sequence[PageMark]], tuple[str, ...]]


def change_tables(change: Change, now: CorpusFacts, commands: Commands) -> Iterator[ReportTable]:
    """Yield what changed, as tables."""
    first = change.first
    rows = []
    for (name, before), (_, after) in zip(_comparable(first), _comparable(now), strict=True):
        delta = after - before
        sign = "+" if delta > 0 else ""
        relative = f"{delta / before:+.1%}" if before and delta else ""
        rows.append((name, number(before), number(after), sign + number(delta) if delta else "", relative))
    yield ReportTable("What changed: the sums", ("", "first", "second", "change", ""), tuple(rows))
    if change.options:
        yield ReportTable("Options that differ", ("option", "first", "second"), change.options, texts=(1, 2))
    yield ReportTable(
        "What changed: the pages, by URL",
        ("", "pages"),
        (
            ("in both, with the same text", f"{change.same:,}"),
            ("in both, with another text", f"{change.changed:,}"),
            ("in the first alone", f"{change.gone:,}"),
            ("in the second alone", f"{change.new:,}"),
        ),
        note="A URL that a corpus has several times counts once, with its first text.",
    )
    yield ReportTable(
        "What changed: rejects",
        ("reason", "first", "second"),
        _counts(first.books.rejected, now.books.rejected),
    )
    yield from curation_tables(first.curation, now.curation)
    if change.most:
        yield ReportTable(
            "Texts whose length changed most",
            ("page", "first", "second"),
            tuple((mark.url, f"{before:,}", f"{mark.value:,.0f}") for mark, before in change.most),
            commands=commands(now, [mark for mark, _ in change.most]),
        )


def _counts(before: Mapping[str, int], after: Mapping[str, int]) -> tuple[tuple[str, ...], ...]:
    """Rows of what is counted by name in both."""
    return tuple((n, f"{before.get(n, 0):,}", f"{after.get(n, 0):,}") for n in sorted({*before, *after}))


def curation_tables(before: CurationFacts, after: CurationFacts) -> Iterator[ReportTable]:
    """Yield what changed of languages, drops and signals, as far as either corpus knows of them."""
    if before.languages or after.languages:
        most = dict((before.languages + after.languages).most_common(_MOST_LANGUAGES))
        yield ReportTable(
            "What changed: languages",
            ("language", "first", "second"),
            _counts({n: before.languages[n] for n in most}, {n: after.languages[n] for n in most}),
        )
    if before.dropped or after.dropped:
        drops = [{rule: found.pages for rule, found in facts.dropped.items()} for facts in (before, after)]
        yield ReportTable("What changed: what rules dropped", ("rule", "first", "second"), _counts(*drops))
    both = [name for name in before.signals if name in after.signals]
    if both:
        yield ReportTable(
            "What changed: signals",
            ("share", "median, first", "second", "nine tenths below, first", "second"),
            tuple(
                (
                    name,
                    *(
                        f"{quantile(facts.signals[name], share):.3f}"
                        for share in (0.5, 0.9)
                        for facts in (before, after)
                    ),
                )
                for name in both
            ),
            note="To half a percent.",
        )


def _comparable(facts: CorpusFacts) -> Iterator[tuple[str, float]]:
    books = facts.books
    yield "records read", float(books.records_read)
    yield "pages", float(books.pages)
    yield "rejects", float(books.rejects)
    for kind in ("in", "html", "text"):
        yield f"bytes {kind}", float(books.bytes.get(kind, 0))
    for stage in ("fetch", "read", "decode", "extract", "write"):
        cost = books.seconds.get(stage)
        yield f"CPU s, {stage}", cost.cpu if cost else 0.0
