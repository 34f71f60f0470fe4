"""The index of a site: the rows that its script searches, and the meanings of columns and rules."""

from collections.abc import Iterator, Sequence
from typing import Any

from cedar.pipelines.browse.rows import VERDICTS, ShownRow, Survey, shown_columns
from cedar.pipelines.common.terminal import escape_controls
from cedar.pipelines.dedup.options import DUPLICATE_KINDS
from cedar.pipelines.dedup.tables import LABELS
from cedar.pipelines.drawing.words import differences
from cedar.pipelines.report.figures import rule_in_words
from cedar.transforms.corpus.corpus_reader import CorpusReader
from cedar.transforms.curation.float32 import rounded
from cedar.transforms.curation.presets import NOT_IF_DENSE, Bound
from cedar.transforms.model.books import RejectReason
from cedar.transforms.urls.canonical import host_of

_COMPARED = 40_000
"""Characters of a text that are compared with its duplicate."""

_BEGINNING = 160
"""Characters of a text that the search looks through."""


def meanings(reader: CorpusReader, found: Survey, bounds: dict[Bound, str]) -> dict[str, Any]:
    """Return what the site says of columns, rules, reasons and kinds of duplicates."""
    group_of = {column.name: group.name for group in reader.page_table.groups for column in group.columns}
    pages = [(c.name, c.doc, group_of.get(c.name, "")) for c in shown_columns(reader, "pages")]
    rejects = [(c.name, c.doc, "") for c in shown_columns(reader, "rejects")]
    return {
        "columns": {"pages": pages, "rejects": rejects},
        "bounds": [(preset, bound.signal, bound.operator, bound.limit) for bound, preset in bounds.items()],
        "meanings": {
            **{reason.value: reason.meaning for reason in RejectReason},
            **{
                rule: words
                for rule in {stratum.rule for stratum in found.strata}
                if (words := rule_in_words(rule))
            },
        },
        "verdicts": VERDICTS,
        "kinds": {kind: LABELS[kind] for kind in DUPLICATE_KINDS},
    }


def judge(row: dict[str, Any], bounds: Sequence[Bound]) -> str:
    """Return a letter for each bound: k if a row keeps it, f if it fails, n if it is not asked of the row."""
    is_dense = (row.get("dense_share") or 0) > 0.5
    letters = ""
    for bound in bounds:
        value = row.get(bound.signal)
        if value is None or (is_dense and bound.signal in NOT_IF_DENSE):
            letters += "n"
        else:
            letters += "k" if bound.holds(rounded(value)) else "f"
    return letters


class Index:
    """The facts by which rows are found, and their clusters."""

    def __init__(self, found: Survey) -> None:
        self._found = found
        self._codes = {stratum: code for code, stratum in enumerate(found.strata)}
        self._rows: list[tuple[Any, ...]] = []
        self._clusters: dict[str, int] = {}
        self._hosts: dict[str, int] = {}
        self._kept: dict[str, tuple[int, str]] = {}
        self._near: list[tuple[int, str, str]] = []

    def add(self, number: int, row: ShownRow) -> None:
        """Add a row."""
        alike, cluster = row.alike, None
        if alike is not None:
            cluster = self._clusters.setdefault(alike.cluster, len(self._clusters))
            text = escape_controls(row.values["text"][:_COMPARED])
            if alike.kind is None:
                self._kept[alike.cluster] = number, text
            elif alike.kind != "text":
                self._near.append((number, alike.cluster, text))
        said = alike and (alike.kind, alike.size, alike.similarity, escape_controls(alike.kept_url))
        host = self._hosts.setdefault(escape_controls(host_of(row.url)), len(self._hosts))
        beginning = escape_controls(str(row.values.get("text") or "")[:_BEGINNING])
        place = (
            escape_controls(row.url),
            host,
            escape_controls(row.title),
            beginning,
            self._codes[row.stratum],
        )
        self._rows.append((*place, row.values.get("text_chars"), cluster, said))

    def differences(self) -> Iterator[tuple[Any, ...]]:
        """Yield each near duplicate: its number, and what differs in its text and in the kept page's text."""
        for number, cluster, text in self._near:
            if cluster in self._kept:
                yield number, *differences(text, self._kept[cluster][1])

    def columns(self) -> dict[str, Any]:
        """Return the rows by column, and their strata with the rows that the whole corpus has of each."""
        names = ("url", "host", "title", "beginning", "stratum", "chars", "cluster", "alike")
        columns = zip(*self._rows, strict=True) if self._rows else [()] * len(names)
        strata = [(*stratum, total) for stratum, total in self._found.totals.items()]
        return {
            "strata": strata,
            "hosts": list(self._hosts),
            **dict(zip(names, map(list, columns), strict=True)),
        }
