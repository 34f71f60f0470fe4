"""What changed from one corpus to another: sums, options, and pages by URL; and as tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from pipelines.drawing.evidence import number
from pipelines.report.facts import (
    EXTREMES,
    SHARES,
    CorpusFacts,
    CurationFacts,
    PageMark,
    quantile,
    url_hashes,
)
from pipelines.report.figures import ReportTable
from transforms.corpus.errors import LostFilesError
from transforms.corpus.reading import Place

_MOST_LANGUAGES = 20


@dataclass(frozen=True, slots=True)
class Change:
    """From `first` to a second corpus: URLs in both, with the same text or another; in one of them alone.

    Options differ (name, before, after); `most` are pages of the second whose texts' lengths changed most,
    and the lengths before.
    """

    first: CorpusFacts
    options: tuple[tuple[str, str, str], ...]
    same: int
    changed: int
    gone: int
    new: int
    most: tuple[tuple[PageMark, int], ...]


def change(first: CorpusFacts, second: CorpusFacts) -> Change:
    """Compare two corpora; both were gathered with fingerprints.

    Raises OSError: the second cannot be read again.
    """
    before, after = first.fingerprints, second.fingerprints
    old, old_rows = np.unique(before.urls, return_index=True)
    new, new_rows = np.unique(after.urls, return_index=True)
    both, in_old, in_new = np.intersect1d(old, new, assume_unique=True, return_indices=True)
    old_rows, new_rows = old_rows[in_old], new_rows[in_new]
    other = before.texts[old_rows] != after.texts[new_rows]
    old_chars = before.chars[old_rows].astype(np.int64)
    moved = np.where(other, np.abs(after.chars[new_rows] - old_chars), 0)
    most = [int(row) for row in np.argsort(-moved, kind="stable")[:EXTREMES] if moved[row] > 0]
    wanted = {int(both[row]): int(old_chars[row]) for row in most}
    shards = {int(after.shards[new_rows[row]]) for row in most}
    was, now = first.reader.described, second.reader.described
    return Change(
        first,
        tuple(
            (name, str(was.get(name)), str(now.get(name)))
            for name in {**was, **now}
            if was.get(name) != now.get(name) and name != "options_digest"
        ),
        same=int(np.count_nonzero(~other)),
        changed=int(np.count_nonzero(other)),
        gone=old.size - both.size,
        new=new.size - both.size,
        most=tuple(sorted(_found(second, wanted, shards), key=lambda pair: -abs(pair[0].value - pair[1]))),
    )


def _found(facts: CorpusFacts, wanted: Mapping[int, int], shards: set[int]) -> Iterator[tuple[PageMark, int]]:
    """Yield the pages in these shards whose URLs have these hashes, with the lengths that go with them."""
    left = dict(wanted)
    columns = ("url", "source", "offset", "text_chars")
    for summary in (facts.summaries[index] for index in sorted(shards)):
        try:
            for place, batch in facts.reader.batches(summary, "pages", columns):
                for row, key in enumerate(url_hashes(batch).tolist()):
                    if key in left:
                        url, source, offset, chars = (batch.column(name)[row].as_py() for name in columns)
                        where = Place(place.shard, place.row + row)
                        yield PageMark(chars, url, source, offset, where), left.pop(key)
        except LostFilesError:
            continue  # named among what is missing


def change_tables(change: Change, now: CorpusFacts) -> Iterator[ReportTable]:
    """Yield what changed up to the second corpus, as tables."""
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
    rejects = _counts(first.books.rejected, now.books.rejected)
    yield ReportTable("What changed: rejects", ("reason", "first", "second"), rejects)
    yield from curation_tables(first.curation, now.curation)
    if change.most:
        yield ReportTable(
            "Texts whose length changed most",
            ("page", "first", "second"),
            tuple((mark.url, f"{before:,}", f"{mark.value:,.0f}") for mark, before in change.most),
            commands=tuple(now.command(mark) for mark, _ in change.most),
        )


def _counts(before: Mapping[str, int], after: Mapping[str, int]) -> tuple[tuple[str, ...], ...]:
    """Rows of what is counted by name in both."""
    return tuple((n, f"{before.get(n, 0):,}", f"{after.get(n, 0):,}") for n in sorted({*before, *after}))


def curation_tables(before: CurationFacts, after: CurationFacts) -> Iterator[ReportTable]:
    """Yield what changed of languages, drops and signals, as far as either corpus knows of them."""
    if before.languages or after.languages:
        most = dict((before.languages + after.languages).most_common(_MOST_LANGUAGES))
        counts = ({name: facts.languages[name] for name in most} for facts in (before, after))
        yield ReportTable("What changed: languages", ("language", "first", "second"), _counts(*counts))
    if before.dropped or after.dropped:
        drops = [{rule: found.pages for rule, found in facts.dropped.items()} for facts in (before, after)]
        yield ReportTable("What changed: what rules dropped", ("rule", "first", "second"), _counts(*drops))
    both = [name for name in SHARES if name in before.signals and name in after.signals]
    if both:
        pairs = [(q, facts) for q in (0.5, 0.9) for facts in (before, after)]
        yield ReportTable(
            "What changed: signals",
            ("share", "median, first", "second", "nine tenths below, first", "second"),
            tuple((name, *(f"{quantile(of.signals[name], q):.3f}" for q, of in pairs)) for name in both),
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
