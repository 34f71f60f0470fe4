"""What changed from one corpus to another."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

import pyarrow as pa
import pyarrow.compute as pc

from cedar.pipelines.drawing.charts import number, typeset
from cedar.pipelines.report.facts import EXTREMES, SHARES, CorpusFacts, CurationFacts, PageMark
from cedar.pipelines.report.figures import ReportTable
from cedar.transforms.corpus.corpus_reader import Place
from cedar.transforms.corpus.errors import LostFilesError

_LANGUAGES = 20


def change_tables(first: CorpusFacts, second: CorpusFacts) -> Iterator[ReportTable]:
    """Yield what changed from a first corpus to a second; both were gathered with fingerprints.

    Raises OSError if the second cannot be read again.
    """
    rows = []
    for (name, before), (_, after) in zip(_sums(first), _sums(second), strict=True):
        change = f"{'+' if after > before else ''}{number(after - before)}" if after != before else ""
        relative = typeset(f"{(after - before) / before:+.1%}") if before and change else ""
        rows.append((name, number(before), number(after), change, relative))
    yield ReportTable("What changed: the sums", ("", "first", "second", "change", ""), tuple(rows))
    was, now = first.reader.described, second.reader.described
    differing = tuple(
        (name, _said(was.get(name)), _said(now.get(name)))
        for name in {**was, **now}
        if was.get(name) != now.get(name) and name not in ("options_digest", "corpus_id")
    )
    if differing:
        yield ReportTable("Options that differ", ("option", "first", "second"), differing, texts=(1, 2))
    old, new = _by_url(first), _by_url(second)
    both = old.join(new, "url", join_type="inner", right_suffix="_now", use_threads=False)
    changed = both.filter(pc.not_equal(both.column("text"), both.column("text_now")))
    yield ReportTable(
        "What changed: the pages, by URL",
        ("", "pages"),
        (
            ("in both, with the same text", f"{both.num_rows - changed.num_rows:,}"),
            ("in both, with another text", f"{changed.num_rows:,}"),
            ("in the first alone", f"{old.num_rows - both.num_rows:,}"),
            ("in the second alone", f"{new.num_rows - both.num_rows:,}"),
        ),
        note="A URL that a corpus has several times counts once, with its first text.",
    )
    rejects = _side_by_side(first.books.rejected, second.books.rejected)
    yield ReportTable("What changed: rejects", ("reason", "first", "second"), rejects)
    yield from curation_tables(first.curation, second.curation)
    pages = list(_longest_changes(second, changed))
    if pages:
        yield ReportTable(
            "Texts whose length changed most",
            ("page", "first", "second"),
            tuple((page.url, f"{before:,}", f"{page.value:,.0f}") for before, page in pages),
            commands=tuple(second.command(page) for _, page in pages),
        )


def curation_tables(first: CurationFacts, second: CurationFacts) -> Iterator[ReportTable]:
    """Yield what changed of languages, drops and signals, as far as either corpus knows them."""
    languages = [
        _summed_by_name((name or "none", n) for _, name, _, n in facts.languages) for facts in (first, second)
    ]
    most = [name for name, _ in (languages[0] + languages[1]).most_common(_LANGUAGES)]
    if most:
        counts = ({name: by_name[name] for name in most} for by_name in languages)
        yield ReportTable("What changed: languages", ("language", "first", "second"), _side_by_side(*counts))
    if first.dropped or second.dropped:
        drops = ({rule: found.pages for rule, found in facts.dropped.items()} for facts in (first, second))
        yield ReportTable(
            "What changed: what rules dropped", ("rule", "first", "second"), _side_by_side(*drops)
        )
    rows = []
    for name in SHARES:
        pair = [facts.signals.get(name) for facts in (first, second)]
        found = [histogram for histogram in pair if histogram is not None and histogram.total]
        if len(found) == len(pair):
            quantiles = [
                histogram.edges[histogram.quantile(share)] for share in (0.5, 0.9) for histogram in found
            ]
            rows.append((name, *(f"{quantile:.3f}" for quantile in quantiles)))
    if rows:
        heads = ("share", "median, first", "second", "nine tenths below, first", "second")
        yield ReportTable("What changed: signals", heads, tuple(rows), note="To half a percent.")


def _said(value: object) -> str:
    """Return the value of an option as people write it."""
    if value is None or isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _sums(facts: CorpusFacts) -> Iterator[tuple[str, float]]:
    books = facts.books
    yield "records read", float(books.records_read)
    yield "pages kept", float(books.pages)
    yield "rejects", float(books.rejects)
    for kind in ("in", "html", "text"):
        yield f"bytes {kind}", float(books.bytes.get(kind, 0))
    for stage in ("fetch", "read", "decode", "extract", "write"):
        cost = books.seconds.get(stage)
        yield f"CPU s, {stage}", round(cost.cpu, 2) if cost else 0.0


def _by_url(facts: CorpusFacts) -> pa.Table:
    """Return the fingerprint of the first page of each URL."""
    names = ("text", "chars", "shard", "row")
    found = facts.fingerprints.group_by("url", use_threads=False).aggregate(
        [(name, "first") for name in names]
    )
    return found.select(["url", *(f"{name}_first" for name in names)]).rename_columns(["url", *names])


def _longest_changes(facts: CorpusFacts, changed: pa.Table) -> Iterator[tuple[int, PageMark]]:
    """Yield the pages whose texts changed most in length, and the length before; reads their shards alone."""
    moved = pc.abs(pc.subtract(changed.column("chars_now"), changed.column("chars")))
    changed = changed.append_column("moved", moved).filter(pc.greater(moved, 0))
    most = changed.sort_by([("moved", "descending"), ("shard_now", "ascending"), ("row_now", "ascending")])
    pages = most.slice(0, EXTREMES).select(["shard_now", "row_now", "chars", "chars_now"]).to_pylist()
    for shard, row, before, after in (page.values() for page in pages):
        page = _page_at(facts, shard, row, chars=after)
        if page is not None:
            yield before, page


def _page_at(facts: CorpusFacts, shard: int, row: int, *, chars: int) -> PageMark | None:
    columns = ("url", "source", "offset")
    try:
        for place, batch in facts.reader.batches(facts.summaries[shard], "pages", columns):
            if row < place.row + batch.num_rows:
                url, source, offset = (batch.column(name)[row - place.row].as_py() for name in columns)
                return PageMark(chars, url, source, offset, Place(place.shard, row))
    except LostFilesError:
        pass  # named among the missing files
    return None


def _summed_by_name(counts: Iterable[tuple[str, int]]) -> Counter[str]:
    found: Counter[str] = Counter()
    for name, count in counts:
        found[name] += count
    return found


def _side_by_side(before: Mapping[str, int], after: Mapping[str, int]) -> tuple[tuple[str, ...], ...]:
    names = sorted({*before, *after})
    return tuple((name, f"{before.get(name, 0):,}", f"{after.get(name, 0):,}") for name in names)
