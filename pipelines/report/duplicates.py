"""`cedar report` of a result of `cedar dedup`: its counts, clusters by size, hosts, pairs side by side."""

import heapq
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from cedar.pipelines.common.errors import UsageError
from cedar.pipelines.dedup.lines import LABELS as LINE_LABELS
from cedar.pipelines.dedup.plan import read_description, tables_of
from cedar.pipelines.dedup.tables import LABELS
from cedar.pipelines.drawing.words import Piece, agreement, differences, excerpt
from cedar.pipelines.report.counts import Tally
from cedar.pipelines.report.facts import hosts_of
from cedar.pipelines.report.figures import Funnel, FunnelBar, ReportTable, Sample, SampleGroup
from cedar.transforms.corpus.corpus_reader import CorpusReader, Place, broken_data
from cedar.transforms.corpus.errors import CorpusError, DamagedCorpusError
from cedar.transforms.files.stores import StoredPath, source_for

_HOSTS = 15
_LINES = 15
_LINE_CHARS = 120  # of a line on many pages
_SAMPLES = 6
_CANDIDATES = 96  # from which the samples are chosen
_COMPARED = 40_000  # characters of a text
_EXCERPT = 700
_GONE = "Its text is not there any more: its corpus is gone, or of an earlier result."
_COLUMNS = ["row", "url", "kind", "cluster_size", "keep", "similarity"]
_COLUMNS += ["kept_url", "kept_source", "kept_offset", "kept_inner_offset"]
_ROWS_AT_ONCE = 65_536


def view(paths: tuple[str, ...]) -> dict[str, Any]:
    """Return the variables of the last of some results, next to the one before, by the template's names.

    Raises UsageError if one is not finished; OSError.
    """
    books = [_books(path) for path in paths]
    last, root = books[-1], paths[-1]
    described = read_description(root) or {}
    roots = {origin["label"]: origin["root"] for origin in described["corpora"]}
    tables = [source_for(file.path) for file in tables_of(root, described, "duplicates")]
    found = _ResultCounts()
    for path in tables:
        found.read(path)
    out = last["text"] + last["near"] + last["url"]
    sizes = list(_sizes(found.sizes))
    whole = sum(clusters for _, clusters, _ in sizes)
    bars = tuple(FunnelBar(f"{size} pages", count, count, "") for size, count, _ in sizes)
    hosts = sorted(found.hosts, key=lambda item: (-item[1], item[0]))[:_HOSTS]
    return {
        "heading": Path(root).resolve().name,
        "where": " and ".join(paths),
        "verdict": f"{out:,} of {last['pages']:,} pages are duplicates of a page that is kept.",
        "funnel": Funnel(tuple(_funnel_bars(last)), last["pages"]),
        "sizes": Funnel(bars, whole),
        "tables": [
            _books_table(paths, books),
            ReportTable(
                "Clusters that keep a page here, by size",
                ("pages of a cluster", "clusters", "pages"),
                tuple((size, f"{clusters:,}", f"{pages:,}") for size, clusters, pages in sizes),
            ),
            ReportTable(
                "Hosts with the most duplicates",
                ("host", "duplicates"),
                tuple((host, f"{count:,}") for host, count in hosts),
            ),
            *_line_tables(paths, books, described),
        ],
        "samples": [_pair_sample(roots, tables, path, row=row) for path, row in found.chosen()],
    }


def _funnel_bars(books: Mapping[str, int]) -> Iterator[FunnelBar]:
    left = books["pages"]
    yield FunnelBar("pages", left, left, "kept")
    for name in ("left_out", "text", "near", "url"):
        if books[name]:
            stage = "dropped" if name == "left_out" else "duplicate"
            yield FunnelBar(LABELS[name], books[name], left, stage)
            left -= books[name]
    if dropped := _of_lines(books, "dropped"):
        yield FunnelBar(LINE_LABELS["dropped"], dropped, left, "dropped")
        left -= dropped
    yield FunnelBar("unique pages", left, left, "kept")


class _ResultCounts:
    """Counts over the rows of a result, and rows that may be shown.

    Attributes:
        sizes: kept pages by the size of their clusters.
        hosts: duplicates by host.
    """

    def __init__(self) -> None:
        self.sizes = Tally("cluster_size")
        self.hosts = Tally("host")
        self._first: dict[str, tuple[StoredPath, dict[str, Any]]] = {}
        self._near: list[tuple[StoredPath, dict[str, Any]]] = []

    def read(self, path: StoredPath) -> None:
        """Count the rows of a file."""
        with path.open() as file, broken_data(str(path)):
            opened = pq.ParquetFile(file, page_checksum_verification=True)
            for batch in opened.iter_batches(_ROWS_AT_ONCE, columns=_COLUMNS):
                self._add(path, batch)
        self._near = _spaced(self._near, _CANDIDATES)

    def _add(self, path: StoredPath, batch: pa.RecordBatch) -> None:
        kept = batch.column("keep")
        self.sizes.add(batch.filter(kept))
        self.hosts.add(pa.table({"host": hosts_of(batch.column("url").filter(pc.invert(kept)))}))
        for kind in ("text", "near", "url"):
            found = batch.filter(pc.equal(batch.column("kind"), kind)).slice(0, _CANDIDATES).to_pylist()
            if kind == "near":
                self._near += [(path, row) for row in found]
            elif found:
                self._first.setdefault(kind, (path, found[0]))

    def chosen(self) -> Iterator[tuple[StoredPath, dict[str, Any]]]:
        """Yield a pair with the same text, near pairs from the least alike, and one with the same URL."""
        near = sorted(self._near, key=lambda sample: sample[1]["similarity"] or 0)
        wanted = (self._first.get("text"), *_spaced(near, _SAMPLES), self._first.get("url"))
        yield from (sample for sample in wanted if sample is not None)


def _spaced(
    samples: list[tuple[StoredPath, dict[str, Any]]], number: int
) -> list[tuple[StoredPath, dict[str, Any]]]:
    """Return some of the samples, evenly spaced."""
    return samples[:: max(1, -(-len(samples) // number))]


def _books(path: str) -> dict[str, Any]:
    try:
        books: dict[str, Any] = json.loads(source_for(f"{path}/run.json").read())
    except (FileNotFoundError, ValueError) as fault:
        raise UsageError(f"{path} is not finished: run its command again") from fault
    return books


def _books_table(paths: tuple[str, ...], books: list[dict[str, Any]]) -> ReportTable:
    rows = []
    for name, label in LABELS.items():
        cells = [f"{counts[name]:,}" for counts in books]
        cells.append(f"{books[-1][name] / max(1, books[-1]['pages']):.1%}")
        rows.append((label, *cells))
    return ReportTable("Pages", ("", *(Path(path).resolve().name for path in paths), "share"), tuple(rows))


def _of_lines(books: Mapping[str, Any], name: str) -> int:
    """Return a count of lines of a result; 0 if its lines were not compared."""
    return int(books.get("lines", {}).get(name, 0))


def _line_tables(
    paths: tuple[str, ...], books: list[dict[str, Any]], described: Mapping[str, Any]
) -> Iterator[ReportTable]:
    """Yield tables of lines on many pages and their hosts, if the last result compared lines."""
    if not described["choices"].get("lines"):
        return
    yield ReportTable(
        "Lines",
        ("", *(Path(path).resolve().name for path in paths)),
        tuple(
            (label, *(f"{_of_lines(counts, name):,}" for counts in books))
            for name, label in LINE_LABELS.items()
        ),
    )
    by_host = Tally("host", sums=("pages",))
    top: list[tuple[int, str, str]] = []
    for stored in tables_of(paths[-1], described, "lines"):
        path = source_for(stored.path)
        with path.open() as file, broken_data(str(path)):
            found = pq.read_table(file, columns=["host", "line", "pages"], page_checksum_verification=True)
        by_host.add(found)
        rows = ((-row["pages"], row["host"] or "all", row["line"]) for row in found.to_pylist())
        top = heapq.nsmallest(_LINES, [*top, *rows])
    hosts = sorted(((host or "all", lines, pages) for host, lines, pages in by_host), key=_most_lines)
    yield ReportTable(
        "Lines on most pages",
        ("host", "line", "pages"),
        tuple((host, line[:_LINE_CHARS], f"{-pages:,}") for pages, host, line in top),
        texts=(1,),
    )
    yield ReportTable(
        "Hosts with the most lines on many pages",
        ("host", "lines", "times on a page"),
        tuple((host, f"{lines:,}", f"{pages:,}") for host, lines, pages in hosts[:_HOSTS]),
    )


def _most_lines(host: tuple[str, int, int]) -> tuple[int, str]:
    return -host[1], host[0]


def _sizes(sizes: Iterable[tuple[int, int]]) -> Iterator[tuple[str, int, int]]:
    """Yield ranges of sizes that double, with the clusters and the pages of each."""
    clusters: Counter[int] = Counter()
    pages: Counter[int] = Counter()
    for size, count in sizes:
        clusters[size.bit_length()] += count
        pages[size.bit_length()] += size * count
    for bits in sorted(clusters):
        yield f"{1 << bits - 1:,} to {(1 << bits) - 1:,}", clusters[bits], pages[bits]


def _pair_sample(
    roots: Mapping[str, str], tables: Iterable[StoredPath], path: StoredPath, *, row: Mapping[str, Any]
) -> SampleGroup:
    """Return a duplicate and the kept page, with their texts."""
    kept, other = (_text_of_page(roots, *where) for where in (_kept_place(tables, row), (path, row["row"])))
    marks = differences(kept, other) if kept is not None and other is not None else ([], [])
    notes = [f"of a cluster of {row['cluster_size']:,}"]
    if row["kind"] != "text" and row["similarity"] is not None:
        notes.insert(0, f"estimated similarity {row['similarity']:.2f}")
    if row["kind"] != "text" and kept is not None and other is not None:
        notes.insert(0, f"{agreement(other, kept).shares.f1:.1%} of their words in common")
    start = _first_difference(kept or "", other or "")
    sides = (
        Sample(
            role, url, (Piece(_GONE, ""),) if text is None else excerpt(text, marked, _EXCERPT, first=start)
        )
        for role, url, text, marked in (
            ("Kept", row["kept_url"], kept, marks[0]),
            ("Duplicate", row["url"], other, marks[1]),
        )
    )
    return SampleGroup(LABELS[row["kind"]].capitalize(), ", ".join(notes), tuple(sides))


def _first_difference(first: str, second: str) -> int:
    """Return the first character in which two texts differ; 0 if one begins with the other."""
    for place, (ours, theirs) in enumerate(zip(first, second, strict=False)):
        if ours != theirs:
            return place
    return 0


def _kept_place(tables: Iterable[StoredPath], row: Mapping[str, Any]) -> tuple[StoredPath | None, int]:
    """Return the table and the row of the kept page; (None, 0) if it is of an earlier result."""
    wanted = [(name, "=", row[f"kept_{name}"]) for name in ("source", "offset", "inner_offset")]
    for path in tables:
        with path.open() as file, broken_data(str(path)):
            found = pq.read_table(file, columns=["row"], filters=wanted, page_checksum_verification=True)
            rows = found.column("row")
        if len(rows):
            return path, rows[0].as_py()
    return None, 0


def _text_of_page(roots: Mapping[str, str], path: StoredPath | None, row: int) -> str | None:
    """Return the beginning of a page's text; None if it is gone, or of an earlier result."""
    if path is None:
        return None
    try:
        _, label, name = path.path.rsplit("/", 2)
        place = Place(name.removesuffix(".parquet"), row)
        return CorpusReader.at(roots[label]).text_at(place)[:_COMPARED]
    except (CorpusError, DamagedCorpusError, OSError):
        return None


def lines(samples: Iterable[SampleGroup]) -> Iterator[tuple[str, str]]:
    """Yield the lines that show the samples in a terminal, each with no style."""
    for pair in samples:
        yield f"\n{pair.title}, {pair.about}", ""
        for side in pair.samples:
            text = "".join(piece.text for piece in side.pieces)
            yield f"{side.url}\n  {' / '.join(text[:160].splitlines())}", ""
