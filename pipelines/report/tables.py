"""The tables and the samples of texts in a report of one corpus."""

from collections import Counter
from collections.abc import Iterable, Iterator

from cedar.pipelines.common.terminal import format_bytes, plural, shell_command
from cedar.pipelines.drawing.charts import number
from cedar.pipelines.drawing.words import excerpt
from cedar.pipelines.report.facts import CorpusFacts, Dropped, PageMark, language_name
from cedar.pipelines.report.figures import ReportTable, Sample, SampleGroup, rule_in_words
from cedar.pipelines.report.marks import counting_parts
from cedar.transforms.corpus.errors import DamagedCorpusError
from cedar.transforms.model.books import RejectReason

_QUANTILES = (0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99)  # of the lengths of texts, where samples are taken
_EXCERPT = 400  # characters of a sample
_HOSTS = 15
_HOST_PAGES = 5  # of a host whose yield is shown
_RULES = 6  # with texts shown
_COSTLY = 6  # of the slowest pages, and of the largest
_VALUES = 12  # rows of a table of values


def totals(facts: CorpusFacts) -> Iterator[tuple[str, str]]:
    """Yield the sums of a corpus, each with its name."""
    books = facts.books
    html, text, read = (books.bytes.get(kind, 0) for kind in ("html", "text", "in"))
    html_read = books.html_read
    cpu = sum(cost.cpu for cost in books.seconds.values())
    marked = facts.curation.marked
    yield "records read", f"{books.records_read:,}"
    yield "pages read", f"{books.pages_read:,}"
    yield "pages kept", f"{books.pages - marked:,}"
    if books.drops + marked:
        yield "pages dropped", f"{books.drops + marked:,}"
    yield "rejects", f"{books.rejects:,}"
    yield "shards", f"{books.shards:,}"
    yield "read", format_bytes(read)
    yield "HTML read", format_bytes(html_read)
    if html_read != html:
        yield "HTML kept", format_bytes(html)
    yield "text kept", format_bytes(text)
    yield (
        "written",
        format_bytes(sum(file.bytes for summary in facts.summaries for file in summary.files.values())),
    )
    if html:
        yield "text of kept HTML", f"{text / html:.1%}"
    yield "CPU time", f"{cpu:,.1f} s"
    if cpu:
        yield "pages per CPU second", f"{books.pages_read / cpu:,.0f}"
    yield "extractor", str(facts.reader.described.get("extractor", "?"))


def text_samples(facts: CorpusFacts) -> Iterator[Sample]:
    """Yield the text of a page at each quantile of the lengths of texts."""
    histogram = facts.histograms["text"]
    shown = set()
    for share in _QUANTILES if histogram.total else ():
        place = histogram.quantile(share)
        page = facts.first_of_text.get(place)
        if page is not None and place not in shown:
            shown.add(place)
            yield _sample(facts, f"Quantile {share:g}: a text of {page.value:,.0f} characters", page)


def rule_samples(facts: CorpusFacts) -> Iterator[SampleGroup]:
    """Yield the rules that dropped most, with texts cut to where their signal shows."""
    for rule, dropped in _most_dropped(facts)[:_RULES]:
        signal = (*rule.split(" "), "")[1]  # of a preset; the reasons of --keep are any text
        pages, words = plural(dropped.pages, "page"), rule_in_words(rule)
        texts = tuple(_sample(facts, page.reason, page, signal=signal) for page in dropped.some)
        yield SampleGroup(words or rule, f"{pages}; {rule}" if words else pages, texts)


def _sample(facts: CorpusFacts, title: str, page: PageMark, *, signal: str = "") -> Sample:
    """Read a page's text; a text that cannot be read is noted in `facts.missing`."""
    try:
        text = facts.reader.text_at(page.place, page.kind)
        marks = counting_parts(signal, text)
    except DamagedCorpusError as fault:
        text, marks = f"(cannot be read: {fault})", []
        file = facts.reader.corpus.file_name(page.kind, page.place.shard)
        if not any(file in line for line in facts.missing):
            facts.missing.append(str(fault))
    return Sample(title, page.url, excerpt(text, marks, _EXCERPT), facts.command(page))


def record_tables(facts: CorpusFacts) -> Iterator[ReportTable]:
    """Yield what became of the records, what rules dropped, and the details of rejects."""
    yield _outcomes(facts)
    dropped = _most_dropped(facts)
    if dropped:
        command = ["cedar", "explain", facts.reader.corpus.root, f"--url={dropped[0][1].some[0].url}"]
        yield ReportTable(
            "What rules dropped",
            ("rule, and the value of one page", "pages", "that page"),
            tuple((one.some[0].reason, f"{one.pages:,}", one.some[0].url) for _, one in dropped[:_VALUES]),
            texts=(2,),
            note=f"{_more_note(len(dropped))} To draw one of these pages: {shell_command(command)}".strip(),
        )
    details = list(facts.details)
    if details:
        rows = tuple(
            (f"{reason}: {detail[:120]}" if detail else reason, f"{count:,}")
            for reason, detail, count in details[:_VALUES]
        )
        title = "Rejects with a row of their own, by detail"
        yield ReportTable(title, ("reason", "rows"), rows, note=_more_note(len(details)))


def _outcomes(facts: CorpusFacts) -> ReportTable:
    books = facts.books
    meanings = {reason.value: reason.meaning for reason in RejectReason}
    outcomes = [("kept", books.pages, "became a row of pages/")]
    if books.drops:
        outcomes.append(("dropped", books.drops, "failed a rule"))
    rejected = sorted(books.rejected.items(), key=lambda item: -item[1])
    outcomes += [(reason, count, meanings.get(reason, "")) for reason, count in rejected]
    read = books.records_read
    rows = [(name, f"{count:,}", _percent(count, read), meaning) for name, count, meaning in outcomes]
    whole = sum(count for _, count, _ in outcomes)
    return ReportTable(
        "Where the records went",
        ("outcome", "records", "share", "meaning"),
        (*rows, ("sum", f"{whole:,}", "", f"records read: {read:,}")),
        (*(_bar_width(count, read) for _, count, _ in outcomes), "0"),
        (3,),
    )


def page_tables(facts: CorpusFacts) -> Iterator[ReportTable]:
    """Yield tables of the pages: by status, type, encoding, language, faults."""
    whole, tallies = facts.page_rows, facts.tallies
    yield _count_table(
        "HTTP status", "status", ((_name_or_none(v), n) for v, n in tallies["status"]), whole=whole
    )
    yield _count_table(
        "Media type", "declared", ((_name_or_none(v), n) for v, n in tallies["media_type"]), whole=whole
    )
    charsets = ((f"{name} ({source})", n) for name, source, n in tallies["charset"])
    yield _count_table("Encoding, and who named it", "encoding", charsets, whole=whole)
    declared = _summed_by_name((language_name(lang), n) for lang, n in tallies["lang"])
    yield _count_table("Language as declared", "language", declared, whole=whole)
    odd = [
        ("no text", int(facts.histograms["text"].counts[0])),
        ("truncated", facts.truncated),
        ("characters replaced in decoding", facts.replaced),
        *(
            (f"another extractor stood in: {why[:80]}", n)
            for why, n in tallies["fallback"]
            if why is not None
        ),
    ]
    yield _count_table("Pages that are not as they should be", "what", odd, whole=whole)
    found = list(facts.curation.languages)
    if found:
        languages = _summed_by_name((_name_or_none(language), n) for _, language, _, n in found)
        yield _count_table("Language that was found", "language", languages, whole=whole)
        yield _count_table(
            "Script",
            "script",
            _summed_by_name((_name_or_none(script), n) for _, _, script, n in found),
            whole=whole,
        )
        differ = _summed_by_name(
            (f"{language_name(said)}, found {language}", n)
            for said, language, _, n in found
            if said and language not in (None, language_name(said))
        )
        if differ:
            yield _count_table("Languages that declare another", "declared", differ, whole=whole)
    tokens = sorted(facts.books.tokens.items(), key=lambda item: -item[1])
    if tokens:
        yield ReportTable(
            "Tokens of kept pages",
            ("column", "language", "tokens"),
            tuple((*name.split(" "), f"{n:,}") for name, n in tokens[:_VALUES]),
            texts=(1,),
            note=_more_note(len(tokens)),
        )


def time_tables(facts: CorpusFacts) -> Iterator[ReportTable]:
    """Yield the time by stage, the runs, and the slowest and largest pages."""
    seconds = facts.books.seconds
    cpu = sum(cost.cpu for cost in seconds.values())
    yield ReportTable(
        "CPU time by stage",
        ("stage", "CPU s", "share", "wall s"),
        tuple(
            (stage, f"{cost.cpu:,.2f}", _percent(cost.cpu, cpu), f"{cost.wall:,.2f}")
            for stage, cost in seconds.items()
        ),
        tuple(_bar_width(cost.cpu, cpu) for cost in seconds.values()),
    )
    rows = []
    for run in facts.runs:
        wall, kept = float(run.get("wall_seconds") or 0), int(run.get("pages") or 0)
        pages = int(run.get("pages_read") or kept)
        rate = f"{pages / wall:,.0f}" if wall else ""
        restarts, failures = (f"{len(run.get(name) or ()):,}" for name in ("restarts", "failures"))
        started, workers = str(run.get("started_at", "?")), str(run.get("workers", ""))
        rows.append((started, f"{pages:,}", f"{kept:,}", f"{wall:,.1f}", rate, workers, restarts, failures))
    if rows:
        heads = ("started", "pages read", "kept", "wall s", "pages/s", "workers", "restarts", "failures")
        yield ReportTable("Runs", heads, tuple(rows[-_VALUES:]), note=_more_note(len(rows)))
    marks = {mark.place: mark for mark in (*facts.slowest[:_COSTLY], *facts.largest[:_COSTLY])}
    ordered = sorted(marks.values(), key=lambda mark: (-mark.seconds, -mark.html_bytes))
    yield ReportTable(
        "Slowest and largest pages",
        ("page", "CPU ms", "HTML"),
        tuple((mark.url, f"{mark.seconds * 1e3:,.1f}", format_bytes(mark.html_bytes)) for mark in ordered),
        commands=tuple(map(facts.command, ordered)),
    )


def host_table(facts: CorpusFacts) -> ReportTable:
    """Return the hosts with the least text for their HTML."""
    hosts = [
        (chars / html * 1e3 if html else 0.0, host, pages, html, empty)
        for host, pages, html, chars, empty in facts.hosts
    ]
    large = [host for host in hosts if host[2] >= _HOST_PAGES] or hosts
    note = f"Of {len(hosts):,} hosts, those with at least {_HOST_PAGES} pages, if there are any."
    if facts.hosts.is_cut:
        note += " There were too many hosts to keep all: those with the fewest pages were left out."
    rows = tuple(
        (host, f"{pages:,}", f"{empty:,}", number(rate), format_bytes(html))
        for rate, host, pages, html, empty in sorted(large)[:_HOSTS]
    )
    heads = ("host", "pages", "without text", "characters of text per kB", "HTML")
    return ReportTable("Hosts with the lowest yield", heads, rows, note=note)


def _most_dropped(facts: CorpusFacts) -> list[tuple[str, Dropped]]:
    return sorted(facts.curation.dropped.items(), key=lambda item: -item[1].pages)


def _count_table(title: str, head: str, counts: Iterable[tuple[str, int]], *, whole: int) -> ReportTable:
    found = list(counts)
    shown = found[:_VALUES]
    return ReportTable(
        title,
        (head, "pages", "share"),
        tuple((name, f"{count:,}", _percent(count, whole)) for name, count in shown),
        tuple(_bar_width(count, whole) for _, count in shown),
        note=_more_note(len(found)),
    )


def _summed_by_name(counts: Iterable[tuple[str, int]]) -> list[tuple[str, int]]:
    """Return counts, added up by name, the largest first."""
    found: Counter[str] = Counter()
    for name, count in counts:
        found[name] += count
    return found.most_common()


def _name_or_none(value: object) -> str:
    return "none" if value is None else str(value)


def _more_note(count: int) -> str:
    return f"{count - _VALUES:,} more are not shown." if count > _VALUES else ""


def _percent(part: float, whole: float) -> str:
    return f"{part / whole:.1%}" if whole else "0.0%"


def _bar_width(part: float, whole: float) -> str:
    """Return the width of a bar in per cent."""
    return f"{100 * part / whole:.2f}" if whole else "0"
