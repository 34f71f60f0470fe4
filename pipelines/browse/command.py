"""`cedar browse`: a corpus that one can walk through: a site of files, for the disk or any web server."""

import webbrowser
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from cedar.pipelines.browse.options import BrowseOptions
from cedar.pipelines.browse.rows import (
    ShownRow,
    Survey,
    json_of,
    shown_columns,
    shown_rows,
    spread,
    survey,
)
from cedar.pipelines.browse.site import Chunks, whole_site, write_chunk
from cedar.pipelines.common.errors import UsageError
from cedar.pipelines.common.messages import readable, show, visible
from cedar.pipelines.common.page_source import choice_of_corpus, explain_command, located, read_page
from cedar.pipelines.dedup.result import DedupResult
from cedar.pipelines.drawing.pages import render_front
from cedar.pipelines.drawing.words import differences
from cedar.pipelines.explain.drawn import bounded_memory, explain, masked_page, page_html
from cedar.pipelines.report.facts import bounds_of
from cedar.transforms.corpus.outputs import refuse_overlap
from cedar.transforms.corpus.reading import CorpusReader
from cedar.transforms.curation.presets import NOT_IF_DENSE
from cedar.transforms.extractors import registry
from cedar.transforms.files.http_options import WebOptions, is_web
from cedar.transforms.files.storage import is_uri, writing
from cedar.transforms.model.books import RejectedError, RejectReason
from cedar.transforms.runtime.guard_limits import GuardFaultError

_COMPARED = 40_000
"""Characters of a text up to which what differs from its duplicate is marked."""


def run(options: BrowseOptions) -> int:
    """Run `cedar browse`; returns the exit code. Raises UsageError before anything is written."""
    reader = CorpusReader.at(options.corpus)
    result = DedupResult.of(options.duplicates, reader.corpus.root)
    refuse_overlap(options.output, filter(None, (options.corpus, options.duplicates)))
    target = Path(options.output)
    with writing(options.output, UsageError), whole_site(target) as folder:
        lines = _write_site(options, reader, result, folder)
        size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    show(*lines)
    show(f"{target / 'index.html'}: {readable(size)}")
    if options.open:
        webbrowser.open((target / "index.html").resolve().as_uri())
    return 0


def _write_site(options: BrowseOptions, reader: CorpusReader, result: DedupResult, folder: Path) -> list[str]:
    """Write a site into a folder; returns what is to be said of it, line by line."""
    found = survey(reader, result)
    chosen = found.chosen(options.sample)
    drawings = Drawings(reader.described)
    index = _Index(found)
    pages = Chunks(folder, "pages")
    for number, row in enumerate(shown_rows(reader, found, chosen)):
        url = row.url
        command = explain_command(reader.described, row.values["source"], url, row.values["offset"])
        values = [visible(value) if isinstance(value, str) else value for value in row.values.values()]
        pages.add(number, json_of([*values, command]))
        index.add(number, row)
        drawings.add(number, row)
    pages.close()
    pairs = Chunks(folder, "pairs")
    for number, *marked in index.differences():
        pairs.add(number, json_of([number, *marked]))
    pairs.close()
    drawn = []
    for number, html in drawings.drawn(options.drawings):
        (folder / "drawings" / f"{number}.html").write_text(html, encoding="utf-8", errors="backslashreplace")
        drawn.append(number)
    more = {"chunks": {"pages": pages.firsts, "pairs": pairs.firsts}, "drawings": drawn}
    write_chunk(folder, "index", json_of({**_about(reader), **index.columns(), **more}))
    rows = sum(found.totals.values())
    sampled = f"{len(chosen):,} of {rows:,} rows: some of each rule, language and length"
    said = f"All {rows:,} rows" if len(chosen) == rows else sampled
    where = reader.corpus.root
    front = render_front({"heading": where.rpartition("/")[2] or where, "where": where, "said": said})
    (folder / "index.html").write_text(front, encoding="utf-8", errors="backslashreplace")
    refused = [f"{count:,} not drawn: {visible(why)}" for why, count in drawings.refusals.most_common(3)]
    return [f"{said}; {len(drawn):,} drawn", *refused]


def _about(reader: CorpusReader) -> dict[str, Any]:
    """Return what the site says of columns, rules and reasons."""
    group_of = {column.name: group.name for group in reader.table.groups for column in group.columns}
    columns = shown_columns(reader, "pages")
    pages = [(c.name, c.doc, group_of.get(c.name, "")) for c in columns]
    rejects = [(c.name, c.doc, "") for c in shown_columns(reader, "rejects")]
    bounds = bounds_of(reader.described).items()
    return {
        "columns": {"pages": pages, "rejects": rejects},
        "bounds": [(preset, of.signal, of.operator, of.limit) for of, preset in bounds],
        "notIfDense": sorted(NOT_IF_DENSE),
        "meanings": {reason.value: reason.meaning for reason in RejectReason},
    }


class _Index:
    """What is known of all rows at once: what they are found by, and their clusters."""

    def __init__(self, found: Survey) -> None:
        self._found = found
        self._codes = {stratum: code for code, stratum in enumerate(found.strata)}
        self._rows: list[tuple[Any, ...]] = []
        self._clusters: dict[str, int] = {}
        self._kept: dict[str, tuple[int, str]] = {}
        self._near: list[tuple[int, str, str]] = []

    def add(self, number: int, row: ShownRow) -> None:
        """Add a row."""
        alike, cluster = row.alike, None
        if alike is not None:
            cluster = self._clusters.setdefault(alike.cluster, len(self._clusters))
            text = visible(row.values["text"][:_COMPARED])
            if alike.kind is None:
                self._kept[alike.cluster] = number, text
            elif alike.kind != "text":
                self._near.append((number, alike.cluster, text))
        said = alike and (alike.kind, alike.size, alike.similarity, visible(alike.kept_url))
        place = visible(row.url), visible(row.title), self._codes[row.stratum]
        self._rows.append((*place, row.values.get("text_chars"), cluster, said))

    def differences(self) -> Iterator[tuple[Any, ...]]:
        """Yield duplicates, with the stretches that differ in their texts and in those of the kept pages."""
        for number, cluster, text in self._near:
            if cluster in self._kept:
                yield number, *differences(text, self._kept[cluster][1])

    def columns(self) -> dict[str, Any]:
        """Return the rows by column, and their strata with the rows that the whole corpus has of each."""
        names = ("url", "title", "stratum", "chars", "cluster", "alike")
        columns = zip(*self._rows, strict=True) if self._rows else [()] * len(names)
        strata = [(*stratum, total) for stratum, total in self._found.totals.items()]
        return {"strata": strata, **dict(zip(names, map(list, columns), strict=True))}


@dataclass(slots=True)
class Drawings:
    """Pages of a corpus, by its `corpus.json`, that may be drawn, and why some were not."""

    described: Mapping[str, Any]
    refusals: Counter[str] = field(default_factory=Counter)
    _pages: list[tuple[int, tuple[str, str], str, str, int]] = field(default_factory=list)
    _is_there: dict[str, bool] = field(default_factory=dict)

    def add(self, number: int, row: ShownRow) -> None:
        """Take a row into account, unless it is a reject, or its archive cannot be read at once."""
        source = str(row.values["source"])
        if source not in self._is_there:
            self._is_there[source] = Path(source).is_file() or (is_uri(source) and not is_web(source))
        if row.stratum.verdict == "rejected":
            return
        if is_web(source):
            self.refusals["archives on a web server: the command of a page draws it"] += 1
        if self._is_there[source]:
            kind = (row.stratum.rule, row.stratum.language)
            self._pages.append((number, kind, source, row.url, int(row.values["offset"])))

    def drawn(self, number: int) -> Iterator[tuple[int, str]]:
        """Yield the numbers and the HTML of at most `number` pages, of each rule and language some."""
        kinds: dict[tuple[str, str], int] = {}
        codes = np.array([kinds.setdefault(page[1], len(kinds)) for page in self._pages], np.int32)
        choice = choice_of_corpus(self.described)
        try:
            record = registry.parse_options(choice.name, dict(choice.options))
        except ValueError as error:
            self.refusals[str(error)] += number
            return
        for at in spread(codes, number).tolist():
            row, _, source, url, offset = self._pages[at]
            try:
                place = located(self.described, source, offset, "")
                page = masked_page(read_page(place, url, WebOptions()), place.mask)
                with bounded_memory():
                    work = explain(page.html, choice, record)
                command = explain_command(self.described, source, url, offset)
                yield row, page_html(page, [work], [None], command)
            except (UsageError, RejectedError, GuardFaultError, MemoryError) as fault:
                self.refusals[str(fault) or type(fault).__name__] += 1
