"""`cedar report` of a result of `cedar dedup`: its books, clusters by size, hosts, samples side by side."""

from __future__ import annotations

import functools
import json
import operator
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipelines.common.errors import UsageError
from pipelines.dedup.inputs import read_description, tables_of
from pipelines.dedup.tables import LABELS
from pipelines.report.facts import HOST
from pipelines.report.figures import ReportTable
from transforms.corpus.errors import CorpusError, DamagedCorpusError
from transforms.corpus.reading import CorpusReader, Place, broken_data

if TYPE_CHECKING:
    import pyarrow as pa

_HOSTS = 15
_SAMPLES = 6
_EXCERPT = 1_200
_COLUMNS = ("row", "url", "source", "offset", "inner_offset", "kind", "cluster_size", "keep")
_KEPT = ("kept_url", "kept_source", "kept_offset", "kept_inner_offset")
_ROWS_AT_ONCE = 65_536


@dataclass(frozen=True, slots=True)
class Pair:
    """A duplicate next to the page that is kept.

    Attributes:
        title: how they are alike.
        urls: of the page that is kept, and of the duplicate.
        texts: their beginnings; a sentence where a text is not there any more.
    """

    title: str
    urls: tuple[str, str]
    texts: tuple[str, str]


@dataclass(frozen=True, slots=True)
class ResultView:
    """What is shown of a result, or of two; the names say what each part is."""

    heading: str
    where: str
    verdict: str
    tables: tuple[ReportTable, ...]
    samples: tuple[Pair, ...]


def view(paths: tuple[str, ...]) -> ResultView:
    """What is shown of the last of some results, next to the one before it.

    Raises:
        UsageError: one is not finished.
        OSError: one cannot be read.
    """
    books = [_books(path) for path in paths]
    last, root = books[-1], paths[-1]
    found = _Found()
    for path in tables_of(root, read_description(root) or {}, "duplicates"):
        found.read(path)
    # Some of the samples, evenly spaced.
    samples = found.samples[:: max(1, -(-len(found.samples) // _SAMPLES))]
    out = last["text"] + last["near"] + last["url"]
    return ResultView(
        heading=Path(root).resolve().name,
        where=" and ".join(paths),
        verdict=f"{out:,} of {last['pages']:,} pages are duplicates of a page that is kept.",
        tables=(_books_table(paths, books), _sizes_table(found.sizes), _hosts_table(found.hosts)),
        samples=tuple(_pair(root, *sample) for sample in samples),
    )


class _Found:
    """What is counted over the rows of a result, and the rows that are shown."""

    def __init__(self) -> None:
        self.sizes: Counter[int] = Counter()
        self.hosts: Counter[str] = Counter()
        self.samples: list[tuple[Path, dict[str, Any]]] = []
        self._files = 0

    def read(self, path: Path) -> None:
        """Count the rows of a file; the first near duplicate of it may be shown."""
        import pyarrow.compute as pc

        shown = False
        for batch in _batches(path, [*_COLUMNS, *_KEPT]):
            kept = batch.column("keep")
            self.sizes.update(batch.column("cluster_size").filter(kept).to_pylist())
            urls = batch.column("url").filter(pc.invert(kept))
            hosts = pc.struct_field(pc.extract_regex(urls, HOST), "host")
            self.hosts.update(pc.fill_null(pc.utf8_lower(hosts), "").to_pylist())
            near = batch.filter(pc.equal(batch.column("kind"), "near"))
            if len(near) and not shown:
                self.samples.append((path, near.slice(0, 1).to_pylist()[0]))
                shown = True


def _batches(path: Path, columns: list[str]) -> Iterator[pa.RecordBatch]:
    """Yield columns of a table.

    Raises:
        LostFilesError: the file is broken.
        OSError: it cannot be read.
    """
    import pyarrow.parquet as pq

    with path.open("rb") as file, broken_data(str(path)):
        yield from pq.ParquetFile(file).iter_batches(_ROWS_AT_ONCE, columns=columns)


def _books(path: str) -> dict[str, Any]:
    try:
        books: dict[str, Any] = json.loads(Path(path, "run.json").read_bytes())
    except (FileNotFoundError, ValueError) as fault:
        raise UsageError(f"{path} is not finished: run its command again") from fault
    return books


def _books_table(paths: tuple[str, ...], books: list[dict[str, Any]]) -> ReportTable:
    rows = []
    for name, label in LABELS.items():
        cells = [f"{of[name]:,}" for of in books]
        cells.append(f"{books[-1][name] / max(1, books[-1]['pages']):.1%}")
        rows.append((label, *cells))
    return ReportTable("Pages", ("", *(Path(path).resolve().name for path in paths), "share"), tuple(rows))


def _sizes_table(sizes: Mapping[int, int]) -> ReportTable:
    """Clusters by size, in bins that double."""
    bins: Counter[int] = Counter()
    pages: Counter[int] = Counter()
    for size, clusters in sizes.items():
        bins[size.bit_length()] += clusters
        pages[size.bit_length()] += size * clusters
    rows = tuple(
        (f"{1 << bits - 1:,} to {(1 << bits) - 1:,}", f"{bins[bits]:,}", f"{pages[bits]:,}")
        for bits in sorted(bins)
    )
    return ReportTable(
        "Clusters that keep a page here, by size", ("pages of a cluster", "clusters", "pages"), rows
    )


def _hosts_table(hosts: Counter[str]) -> ReportTable:
    most = sorted(hosts.items(), key=lambda item: (-item[1], item[0]))[:_HOSTS]
    return ReportTable(
        "Hosts with the most duplicates",
        ("host", "duplicates"),
        tuple((host, f"{count:,}") for host, count in most),
    )


def _pair(root: str, path: Path, row: Mapping[str, Any]) -> Pair:
    """A duplicate and the page that is kept, with their texts."""
    title = f"similar text, of a cluster of {row['cluster_size']:,}"
    texts = _text(root, *_kept_place(root, row)), _text(root, path, row["row"])
    return Pair(title, (row["kept_url"], row["url"]), texts)


def _kept_place(root: str, row: Mapping[str, Any]) -> tuple[Path | None, int]:
    """Where the row of the kept page is; None where it is of an earlier result."""
    import pyarrow as pa
    import pyarrow.compute as pc

    for path in tables_of(root, read_description(root) or {}, "duplicates"):
        table = pa.Table.from_batches(_batches(path, ["row", "source", "offset", "inner_offset"]))
        wanted = (pc.field(name) == row[f"kept_{name}"] for name in ("source", "offset", "inner_offset"))
        found = table.filter(functools.reduce(operator.and_, wanted))
        if len(found):
            return path, found["row"][0].as_py()
    return None, 0


def _text(root: str, path: Path | None, row: int) -> str:
    """The beginning of a page's text, or why it is not there."""
    if path is None:
        return "The page is of an earlier result."
    described = read_description(root) or {}
    for origin in described["corpora"]:
        if origin["label"] == path.parent.name:
            try:
                return CorpusReader.at(origin["root"]).text_at(Place(path.stem, row))[:_EXCERPT]
            except (CorpusError, DamagedCorpusError, OSError):
                break
    return "Its corpus is not there any more."


def lines(shown: ResultView) -> Iterator[str]:
    """The texts of the samples in a terminal: a line each."""
    for pair in shown.samples:
        yield f"\n{pair.title}"
        for url, text in zip(pair.urls, pair.texts, strict=True):
            yield f"{url}\n  {' / '.join(text[:160].splitlines())}"
