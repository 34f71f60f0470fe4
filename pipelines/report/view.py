"""What `cedar report` shows of a corpus, by the names of its template."""

from collections.abc import Iterator, Mapping
from typing import Any

from cedar.pipelines.common.outcome import books_line
from cedar.pipelines.report import tables
from cedar.pipelines.report.changes import change_tables
from cedar.pipelines.report.facts import CorpusFacts
from cedar.pipelines.report.figures import distributions, funnel, strip_charts

_FAULTS = 8  # that are named


def view(
    facts: CorpusFacts, first: CorpusFacts | None = None, duplicates: Mapping[str, int] | None = None
) -> dict[str, Any]:
    """Return the variables of a corpus, with what changed since a first corpus, by the template's names.

    `duplicates` are counts by kind, if they are known.
    """
    # Before the problems: texts that cannot be read are among these.
    samples, rules = list(tables.text_samples(facts)), list(tables.rule_samples(facts))
    root = facts.reader.corpus.root
    return {
        "heading": root.rpartition("/")[2] or root,
        "where": root,
        "verdict": books_line(facts.books),
        "problems": list(_problems(facts)),
        "facts": list(tables.totals(facts)),
        "funnel": funnel(facts, duplicates),
        "rules": rules,
        "strips": list(strip_charts(facts)),
        "change": list(change_tables(first, facts)) if first else [],
        "books": list(tables.record_tables(facts)),
        "pages": list(tables.page_tables(facts)),
        "distributions": list(distributions(facts, first)),
        "times": list(tables.time_tables(facts)),
        "hosts": tables.host_table(facts),
        "samples": samples,
    }


def _problems(facts: CorpusFacts) -> Iterator[str]:
    books, stated = facts.books, facts.stated
    if not books.balanced:
        found = books.pages + books.drops + books.rejects
        yield f"{books.records_read:,} records were read, but pages and rejects are {found:,}"
    if facts.page_rows != books.pages and not facts.missing:
        yield f"the shards name {books.pages:,} kept pages, their files have {facts.page_rows:,} rows"
    if stated is None:
        yield "there is no run.json: `cedar check --repair` writes it"
    elif [stated.get(key) for key in ("records_read", "pages", "shards")] != [
        books.records_read,
        books.pages,
        books.shards,
    ]:
        yield (
            f"run.json says {stated.get('pages')} pages in {stated.get('shards')} shards, the shards say "
            f"{books.pages} in {books.shards}: a run continues, or `cedar check --repair` mends it"
        )
    yield from facts.missing[:_FAULTS]
    if len(facts.missing) > _FAULTS:
        yield f"{len(facts.missing) - _FAULTS:,} more files are gone or broken"
    if facts.missing:
        made_from = (("dedup", "deduplicated_from"), ("filter", "filtered_from"))
        maker = next((name for name, key in made_from if facts.reader.described.get(key)), "extract")
        first = "once that is removed, " * any(fault.endswith("remove it") for fault in facts.missing)
        yield f"{first}the same `cedar {maker}` makes lost and broken shards again"
