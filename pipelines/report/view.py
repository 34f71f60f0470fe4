"""What `cedar report` shows of a corpus, and of what changed from another, for a template or a terminal."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from cedar.pipelines.common.messages import counted, readable, shell_command
from cedar.pipelines.drawing.charts import number
from cedar.pipelines.drawing.words import Stretch, excerpt, words
from cedar.pipelines.report.facts import (
    EXTREMES,
    SHARES,
    CorpusFacts,
    CurationFacts,
    Dropped,
    PageMark,
    quantile,
    url_hashes,
)
from cedar.pipelines.report.figures import (
    ReportTable,
    Sample,
    SampleGroup,
    distributions,
    funnel,
    strip_charts,
)
from cedar.transforms.corpus.errors import DamagedCorpusError, LostFilesError
from cedar.transforms.corpus.reading import Place
from cedar.transforms.model.books import Books, RejectReason

_MOST_LANGUAGES = 20


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


def change_tables(first: CorpusFacts, now: CorpusFacts) -> Iterator[ReportTable]:
    """Yield what changed up to a second corpus, as tables; both were gathered with fingerprints.

    Raises OSError: the second cannot be read again.
    """
    rows = []
    for (name, before), (_, after) in zip(_comparable(first), _comparable(now), strict=True):
        delta = after - before
        sign = "+" if delta > 0 else ""
        relative = f"{delta / before:+.1%}" if before and delta else ""
        rows.append((name, number(before), number(after), sign + number(delta) if delta else "", relative))
    yield ReportTable("What changed: the sums", ("", "first", "second", "change", ""), tuple(rows))
    was, is_now = first.reader.described, now.reader.described
    differing = tuple(
        (name, str(was.get(name)), str(is_now.get(name)))
        for name in {**was, **is_now}
        if was.get(name) != is_now.get(name) and name != "options_digest"
    )
    if differing:
        yield ReportTable("Options that differ", ("option", "first", "second"), differing, texts=(1, 2))
    yield from _changed_pages(first, now)


def _changed_pages(first: CorpusFacts, now: CorpusFacts) -> Iterator[ReportTable]:
    old_urls, old_texts, old_chars, _ = first.fingerprints
    new_urls, new_texts, new_chars, shards = now.fingerprints
    old, old_rows = np.unique(old_urls, return_index=True)
    new, new_rows = np.unique(new_urls, return_index=True)
    both, in_old, in_new = np.intersect1d(old, new, assume_unique=True, return_indices=True)
    old_rows, new_rows = old_rows[in_old], new_rows[in_new]
    other = old_texts[old_rows] != new_texts[new_rows]
    changed = int(np.count_nonzero(other))
    yield ReportTable(
        "What changed: the pages, by URL",
        ("", "pages"),
        (
            ("in both, with the same text", f"{both.size - changed:,}"),
            ("in both, with another text", f"{changed:,}"),
            ("in the first alone", f"{old.size - both.size:,}"),
            ("in the second alone", f"{new.size - both.size:,}"),
        ),
        note="A URL that a corpus has several times counts once, with its first text.",
    )
    rejects = _counts(first.books.rejected, now.books.rejected)
    yield ReportTable("What changed: rejects", ("reason", "first", "second"), rejects)
    yield from curation_tables(first.curation, now.curation)
    lengths = old_chars[old_rows].astype(np.int64)
    moved = np.where(other, np.abs(new_chars[new_rows] - lengths), 0)
    most = [int(row) for row in np.argsort(-moved, kind="stable")[:EXTREMES] if moved[row] > 0]
    if most:
        wanted = {int(both[row]): int(lengths[row]) for row in most}
        found = _found(now, wanted, {int(shards[new_rows[row]]) for row in most})
        pairs = sorted(found, key=lambda pair: -abs(pair[0].value - pair[1]))
        yield ReportTable(
            "Texts whose length changed most",
            ("page", "first", "second"),
            tuple((mark.url, f"{before:,}", f"{mark.value:,.0f}") for mark, before in pairs),
            commands=tuple(now.command(mark) for mark, _ in pairs),
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


QUANTILES = (0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99)
"""Of the lengths of texts, where samples are taken."""

_EXCERPT = 400
_HOSTS = 15
_HOST_PAGES = 5  # pages from which on a host's yield tells something
_FAULTS = 8  # that are named
_RULES = 6  # of which texts are shown
_COSTLY = 6  # of the slowest pages, and of the largest
_VALUES = 12  # rows of a table of values


def view(
    facts: CorpusFacts, first: CorpusFacts | None = None, duplicates: Mapping[str, int] | None = None
) -> dict[str, Any]:
    """Return what is shown of a corpus, by the names of the template.

    With a first corpus also what changed from that, and of duplicates how many there are of each kind.
    """
    # First: what cannot be read of them is among what is missing.
    samples, rules = list(_samples(facts)), list(_rules(facts))
    return {
        "heading": facts.reader.corpus.root.rpartition("/")[2] or facts.reader.corpus.root,
        "where": facts.reader.corpus.root,
        "verdict": verdict(facts.books),
        "problems": list(_problems(facts)),
        "facts": list(_totals(facts)),
        "funnel": funnel(facts, duplicates),
        "rules": rules,
        "strips": list(strip_charts(facts)),
        "change": list(change_tables(first, facts)) if first else [],
        "books": [_rejects(facts), *_drops(facts), *_details(facts)],
        "pages": list(_page_tables(facts)),
        "distributions": list(distributions(facts, first)),
        "times": [_stages(facts), *_runs(facts), _costly(facts)],
        "hosts": _hosts(facts),
        "samples": samples,
    }


def verdict(books: Books) -> str:
    """Say in a sentence what became of the records."""
    dropped = f", {books.drops:,} dropped" if books.drops else ""
    return (
        f"{books.pages:,} pages out of {books.records_read:,} records{dropped}, {books.rejects:,} rejected: "
        f"the books {'balance' if books.balanced else 'do NOT balance'}."
    )


def _problems(facts: CorpusFacts) -> Iterator[str]:
    books, stated = facts.books, facts.stated
    if not books.balanced:
        found = books.pages + books.drops + books.rejects
        yield f"{books.records_read:,} records were read, but pages, dropped pages and rejects are {found:,}"
    if facts.page_rows != books.pages and not facts.missing:
        yield f"the shards name {books.pages:,} pages, their files have {facts.page_rows:,} rows"
    if stated is None:
        yield "there is no run.json: `cedar report --settle` writes it"
    elif [stated.get(key) for key in ("records_read", "pages", "shards")] != [
        books.records_read,
        books.pages,
        books.shards,
    ]:
        yield (
            f"run.json says {stated.get('pages')} pages in {stated.get('shards')} shards, the shards say "
            f"{books.pages} in {books.shards}: a run continues, or `cedar report --settle` mends it"
        )
    made_from = (("dedup", "deduplicated_from"), ("filter", "filtered_from"))
    made_by = next((name for name, key in made_from if facts.reader.described.get(key)), "extract")
    yield from facts.missing[:_FAULTS]
    if len(facts.missing) > _FAULTS:
        yield f"{len(facts.missing) - _FAULTS:,} more files are gone or broken"
    if facts.missing:
        first = "once that is removed, " * any(fault.endswith("remove it") for fault in facts.missing)
        yield f"{first}the same `cedar {made_by}` makes again what is gone or broken"


def _totals(facts: CorpusFacts) -> Iterator[tuple[str, str]]:
    books = facts.books
    html, text, read = (books.bytes.get(kind, 0) for kind in ("html", "text", "in"))
    cpu = sum(cost.cpu for cost in books.seconds.values())
    yield "records read", f"{books.records_read:,}"
    yield "pages", f"{books.pages:,}"
    if books.drops:
        yield "dropped", f"{books.drops:,}"
    yield "rejects", f"{books.rejects:,}"
    yield "shards", f"{books.shards:,}"
    yield "read", readable(read)
    yield "HTML", readable(html)
    yield "text", readable(text)
    yield "written", readable(sum(file.bytes for of in facts.summaries for file in of.files.values()))
    if html:
        yield "text of HTML", f"{text / html:.1%}"
    yield "CPU time", f"{cpu:,.1f} s"
    if cpu:
        yield "pages per CPU second", f"{books.pages / cpu:,.0f}"
    yield "method", str(facts.reader.described.get("extractor", "?"))


def _samples(facts: CorpusFacts) -> Iterator[Sample]:
    """Draw pages at the quantiles of the lengths of texts."""
    histogram = facts.histograms["text"]
    seen = set()
    for share in QUANTILES if histogram.total else ():
        place = histogram.quantile(share)
        if place in seen or place not in facts.first_of_text:
            continue
        seen.add(place)
        mark = facts.first_of_text[place]
        title = f"Quantile {share:g}: a text of {mark.value:,.0f} characters"
        yield _sample(facts, title, mark)


def _sample(facts: CorpusFacts, title: str, page: PageMark, signal: str = "") -> Sample:
    """Read a page's text, and cut it to where it shows that it was dropped for a signal."""
    try:
        text = facts.reader.text_at(page.place, page.kind)
        marks = where_it_shows(signal, text)
    except DamagedCorpusError as fault:
        text, marks = f"(cannot be read: {fault})", []
        file = facts.reader.corpus.file_name(page.kind, page.place.shard)
        if not any(file in told for told in facts.missing):
            facts.missing.append(str(fault))
    return Sample(title, page.url, excerpt(text, marks, _EXCERPT), facts.command(page))


def _percent(part: float, whole: float) -> str:
    return f"{part / whole:.1%}" if whole else "0.0%"


def _share(part: float, whole: float) -> str:
    return f"{100 * part / whole:.2f}" if whole else "0"


def _rejects(facts: CorpusFacts) -> ReportTable:
    books = facts.books
    meanings = {reason.value: reason.meaning for reason in RejectReason}
    outcomes = [("page", books.pages, "became a row of pages/")]
    if books.drops:
        outcomes.append(("dropped", books.drops, "failed a rule"))
    found = sorted(books.rejected.items(), key=lambda item: -item[1])
    outcomes += [(reason, count, meanings.get(reason, "")) for reason, count in found]
    read = books.records_read
    rows = [(name, f"{count:,}", _percent(count, read), meaning) for name, count, meaning in outcomes]
    whole = sum(count for _, count, _ in outcomes)
    return ReportTable(
        "Where the records went",
        ("outcome", "records", "share", "meaning"),
        (*rows, ("sum", f"{whole:,}", "", f"records read: {read:,}")),
        (*(_share(count, read) for _, count, _ in outcomes), "0"),
        (3,),
    )


def _details(facts: CorpusFacts) -> Iterator[ReportTable]:
    if facts.details:
        rows = tuple(
            (f"{reason}: {detail[:120]}" if detail else reason, f"{count:,}")
            for (reason, detail), count in facts.details.most_common(_VALUES)
        )
        title = "Rejects with a row of their own, by particulars"
        yield ReportTable(title, ("reason", "rows"), rows, note=_cut(len(facts.details)))


def _cut(there: int) -> str:
    return f"{there - _VALUES:,} more are not shown." if there > _VALUES else ""


def _counted(title: str, head: str, counts: Iterable[tuple[str, int]], whole: int) -> ReportTable:
    found = list(counts)
    shown = found[:_VALUES]
    return ReportTable(
        title,
        (head, "pages", "share"),
        tuple((name, f"{count:,}", _percent(count, whole)) for name, count in shown),
        tuple(_share(count, whole) for _, count in shown),
        note=_cut(len(found)),
    )


def _page_tables(facts: CorpusFacts) -> Iterator[ReportTable]:
    whole, counts, curation = facts.page_rows, facts.counts, facts.curation
    yield _counted("HTTP status", "status", counts["status"].most_common(), whole)
    yield _counted("Media type", "declared", counts["media_type"].most_common(), whole)
    charsets = [(f"{name} ({source})", count) for (name, source), count in facts.charsets.most_common()]
    yield _counted("Encoding, and who named it", "encoding", charsets, whole)
    yield _counted("Language as declared", "language", counts["lang"].most_common(), whole)
    odd = [
        ("no text", int(facts.histograms["text"].counts[0])),
        ("truncated", counts["truncated"]["truncated"]),
        ("characters replaced in decoding", counts["replaced"]["replaced"]),
        *((f"another method stood in: {why[:80]}", n) for why, n in counts["fallback"].most_common()),
    ]
    yield _counted("Pages that are not as they should be", "what", odd, whole)
    if curation.languages:
        yield _counted("Language that was found", "language", curation.languages.most_common(), whole)
        yield _counted("Script", "script", curation.scripts.most_common(), whole)
        differ = [(f"{said}, found {found}", n) for (said, found), n in curation.disagreements.most_common()]
        if differ:
            yield _counted("Languages that declare another", "declared", differ, whole)


def _drops(facts: CorpusFacts) -> Iterator[ReportTable]:
    """What rules dropped, where there were any, and the command that shows one of these pages."""
    if facts.curation.dropped:
        found = _most_dropped(facts)
        url = found[0][1].some[0].url
        command = shell_command(["cedar", "explain", facts.reader.corpus.root, f"--url={url}"])
        yield ReportTable(
            "What rules dropped",
            ("rule, and the value of one page", "pages", "that page"),
            tuple((one.some[0].reason, f"{one.pages:,}", one.some[0].url) for _, one in found[:_VALUES]),
            texts=(2,),
            note=f"{_cut(len(found))} One of these pages, drawn: {command}".strip(),
        )


def _most_dropped(facts: CorpusFacts) -> list[tuple[str, Dropped]]:
    return sorted(facts.curation.dropped.items(), key=lambda item: -item[1].pages)


def _stages(facts: CorpusFacts) -> ReportTable:
    seconds = facts.books.seconds
    cpu = sum(cost.cpu for cost in seconds.values())
    return ReportTable(
        "CPU time by stage",
        ("stage", "CPU s", "share", "wall s"),
        tuple(
            (stage, f"{cost.cpu:,.2f}", _percent(cost.cpu, cpu), f"{cost.wall:,.2f}")
            for stage, cost in seconds.items()
        ),
        tuple(_share(cost.cpu, cpu) for cost in seconds.values()),
    )


def _runs(facts: CorpusFacts) -> Iterator[ReportTable]:
    rows = []
    for run in facts.runs:
        wall = float(run.get("wall_seconds") or 0)
        pages = int(run.get("pages") or 0)
        rate = f"{pages / wall:,.0f}" if wall else ""
        started, workers = str(run.get("started_at", "?")), str(run.get("workers", ""))
        failures = f"{len(run.get('failures') or ()):,}"
        rows.append((started, f"{pages:,}", f"{wall:,.1f}", rate, workers, failures))
    if rows:
        heads = ("started", "pages", "wall s", "pages/s", "workers", "failures")
        yield ReportTable("Runs", heads, tuple(rows[-_VALUES:]), note=_cut(len(rows)))


def _rules(facts: CorpusFacts) -> Iterator[SampleGroup]:
    """Yield the rules that dropped most, with texts cut to where it shows."""
    for rule, found in _most_dropped(facts)[:_RULES]:
        # A reason of one's own is any text.
        texts = (_sample(facts, one.reason, one, (*one.reason.split(" "), "")[1]) for one in found.some)
        yield SampleGroup(rule, counted(found.pages, "page"), tuple(texts))


def _costly(facts: CorpusFacts) -> ReportTable:
    """The slowest pages and the largest, in one table."""
    marks = {mark.place: mark for mark in (*facts.slowest[:_COSTLY], *facts.largest[:_COSTLY])}
    ordered = sorted(marks.values(), key=lambda mark: (-mark.seconds, -mark.html_bytes))
    rows = tuple((mark.url, f"{mark.seconds * 1e3:,.1f}", readable(mark.html_bytes)) for mark in ordered)
    heads = ("page", "CPU ms", "HTML")
    return ReportTable("Slowest and largest pages", heads, rows, commands=tuple(map(facts.command, ordered)))


def _hosts(facts: CorpusFacts) -> ReportTable:
    hosts = facts.hosts
    telling = [host for host in hosts if host.pages >= _HOST_PAGES] or hosts
    lowest = sorted(telling, key=lambda host: (host.rate, host.name))[:_HOSTS]
    note = f"Of {len(hosts):,} hosts, those with at least {_HOST_PAGES} pages, where there are any."
    if facts.hosts_dropped:
        note += " There were too many hosts to keep all: those of the fewest pages were let go."
    rows = tuple(
        (host.name, f"{host.pages:,}", f"{host.empty:,}", number(host.rate), readable(host.html_bytes))
        for host in lowest
    )
    heads = ("host", "pages", "without text", "characters of text a kB", "HTML")
    return ReportTable("Hosts with the lowest yield", heads, rows, note=note)


_LINE = re.compile(r"[^\n]+")
_ENDS = ".!?…。！？\"'”’"
_LINES: Mapping[str, Callable[[str], bool]] = {
    "short_lines": lambda line: len(line) <= 30,
    "terminal_lines": lambda line: line.rstrip()[-1:] not in _ENDS,
    "ellipsis_lines": lambda line: line.rstrip().endswith(("...", "…")),
    "bullet_lines": lambda line: line.lstrip()[:1] in "•●○■□▪▫*-–",
    "javascript_lines": lambda line: "javascript" in line.lower(),
}
"""Lines that count against a text, by signal."""

_PATTERNS = {
    "curly_bracket": r"\{",
    "lorem_ipsum": r"(?i)lorem ipsum",
    "hash_ratio": "#",
    "ellipsis_ratio": r"\.\.\.|…",
    "alpha_words": r"(?<!\S)[^\s\w]*\d[^\sa-zA-Z]*(?!\S)",
}
"""What counts against a text, by signal."""

_RUN = re.compile(r"(?:top|dup)_(\d+)gram")
_MOST = 400  # stretches


def where_it_shows(signal: str, text: str) -> list[Stretch]:
    """Return stretches [start, stop) of a text that count against it by a signal; none for other signals."""
    found = _stretches(signal, text)
    return [stretch for stretch, _ in zip(found, range(_MOST), strict=False)]


def _stretches(signal: str, text: str) -> Iterator[Stretch]:
    if signal.startswith("dup_line"):
        seen: set[str] = set()
        for line in _LINE.finditer(text):
            if (key := line[0].strip()) in seen:
                yield line.span()
            seen.add(key)
    elif signal in _LINES:
        yield from (line.span() for line in _LINE.finditer(text) if _LINES[signal](line[0]))
    elif signal in _PATTERNS:
        yield from (match.span() for match in re.finditer(_PATTERNS[signal], text))
    elif (run := _RUN.fullmatch(signal)) is not None:
        yield from _repeated(text, int(run[1]), is_top=signal.startswith("top"))


def _repeated(text: str, size: int, *, is_top: bool) -> Iterator[Stretch]:
    """Yield runs of words that come again: those of the commonest run, or all that came before."""
    found = words(text)
    keys = [tuple(word.key for word in found[at : at + size]) for at in range(len(found) - size + 1)]
    if is_top:
        commonest = Counter(keys).most_common(1)
        chosen = [place for place, key in enumerate(keys) if key == commonest[0][0]]
    else:
        first: dict[tuple[str, ...], int] = {}
        chosen = [place for place, key in enumerate(keys) if first.setdefault(key, place) != place]
    for place in chosen:
        yield found[place].start, found[place + size - 1].stop
