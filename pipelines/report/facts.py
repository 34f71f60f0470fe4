"""What a report says of a corpus: gathered from its shards, and from its rows batch by batch.

Memory does not grow with rows: counts, histograms, the first row of each of a histogram's bins, a bounded
table of hosts, and a few extremes. Only a comparison of two corpora keeps something of each row, 24 bytes.
"""

import heapq
import itertools
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from cedar.pipelines.common.page_source import explain_command
from cedar.transforms.corpus.commit import Corpus
from cedar.transforms.corpus.errors import DamagedCorpusError, LostFilesError
from cedar.transforms.corpus.layout import is_ours
from cedar.transforms.corpus.ledger import Ledger
from cedar.transforms.corpus.reading import CorpusReader, Place
from cedar.transforms.curation.languages import iso_639_3
from cedar.transforms.curation.presets import NOT_IF_DENSE, PRESETS, Bound
from cedar.transforms.curation.rules import rule_of
from cedar.transforms.files.storage import raised_as
from cedar.transforms.model.annotations import Signals
from cedar.transforms.model.books import Books
from cedar.transforms.model.columns import columns_of
from cedar.transforms.model.summaries import ShardSummary

HOST = r"^[^:/?#]+://(?:[^/?#@]*@)?(?P<host>\[[^\]/?#]*\]|[^/?#:]*)"
"""Finds the host in a URL, as `host`."""

SHARES = tuple(c.name for c in columns_of(Signals) if "share" in c.doc or c.doc.startswith("the same of"))
"""The signals that are shares, from 0 to 1."""

COUNTS = tuple(c.name for c in columns_of(Signals) if c.kind != "bool" and c.name not in SHARES)
"""The other signals that are numbers."""

LOWEST, DECADES = -2, 8
"""Bins of `COUNTS` widen with the values: over `DECADES` powers of ten, from that of `LOWEST`."""

_BINS = 200
_MOST_RULES = 1000
_TEXTS = 3  # of a rule


@dataclass(frozen=True, slots=True)
class Dropped:
    """What a rule dropped: how many pages, and some of them, of different hosts."""

    pages: int
    some: "tuple[PageMark, ...]"


@dataclass(slots=True)
class CurationFacts:
    """Sums over the pages of a corpus.

    Attributes:
        languages, scripts: pages by what was found; "none" if absent.
        disagreements: pages by the language that they declare and the one that was found, where they differ.
        signals: int64 (bins,) of each of `SHARES` and `COUNTS`: pages by their value, with those dropped.
        beyond: pages that do not keep a bound of the presets that judged them, by the bound.
        words: of the pages that are kept, by the language that was found, else declared.
        dropped: by reason without its value.
    """

    languages: Counter[str] = field(default_factory=Counter)
    scripts: Counter[str] = field(default_factory=Counter)
    disagreements: Counter[tuple[str, str]] = field(default_factory=Counter)
    signals: dict[str, NDArray[np.int64]] = field(default_factory=dict)
    beyond: Counter[Bound] = field(default_factory=Counter)
    words: Counter[str] = field(default_factory=Counter)
    dropped: dict[str, Dropped] = field(default_factory=dict)

    def add(self, reader: CorpusReader, kind: str, place: Place, batch: pa.RecordBatch) -> None:
        """Add rows of `pages` or `dropped`, with the columns of `columns_read`."""
        if "signals" in reader.groups:
            self._add_signals(batch, bounds_of(reader.described))
        if "language" in reader.groups and kind == "pages":
            self._add_languages(batch)
        if "drop_reason" in reader.groups:
            self._add_dropped(kind, place, batch)
            batch = batch.filter(pc.is_null(batch.column("drop_reason")))
        if kind == "pages":
            for spoken, _, words in tally(batch, _spoken(reader.groups), sums=("words",)):
                self.words[iso_639_3(spoken or "none")] += words

    def _add_languages(self, batch: pa.RecordBatch) -> None:
        for declared, found, script, count in tally(batch, "lang", "language", "language_script"):
            said = iso_639_3(declared or "")
            self.languages[found or "none"] += count
            self.scripts[script or "none"] += count
            if found and said not in ("", found):
                self.disagreements[said, found] += count

    def _add_signals(self, batch: pa.RecordBatch, bounds: Mapping[Bound, str]) -> None:
        values = {c.name: batch.column(c.name).to_numpy(zero_copy_only=False) for c in columns_of(Signals)}
        for name in (*SHARES, *COUNTS):
            known = values[name][np.isfinite(values[name])]
            if name in COUNTS:
                known = (np.log10(np.maximum(known, 10.0**LOWEST)) - LOWEST) / DECADES
            counts = np.bincount(np.clip(known * _BINS, 0, _BINS - 1).astype(np.int64), minlength=_BINS)
            self.signals[name] = self.signals.get(name, np.zeros(_BINS, np.int64)) + counts
        is_dense = values["dense_share"] > 0.5
        for bound in bounds:
            found = values[bound.signal].astype(np.float64)
            fails = np.isfinite(found) & ~np.asarray(bound.holds(found))
            self.beyond[bound] += int((fails & ~is_dense if bound.signal in NOT_IF_DENSE else fails).sum())

    def _add_dropped(self, kind: str, place: Place, batch: pa.RecordBatch) -> None:
        columns = (batch.column(name).to_pylist() for name in ("drop_reason", "url", "source", "offset"))
        for row, (reason, url, source, offset) in enumerate(zip(*columns, strict=True)):
            if reason is None:
                continue
            rule, page = rule_of(reason), Place(place.shard, place.row + row)
            fresh = PageMark(0.0, url, source, offset, page, kind=kind, reason=reason)
            if rule in self.dropped or len(self.dropped) < _MOST_RULES:
                known = self.dropped.get(rule, Dropped(0, ()))
                is_new = len(known.some) < _TEXTS and fresh.host not in {one.host for one in known.some}
                some = (*known.some, fresh) if is_new else known.some
                self.dropped[rule] = Dropped(known.pages + 1, some)


def columns_read(groups: Sequence[str]) -> tuple[str, ...]:
    """Return the columns of `pages` and `dropped` that `CurationFacts` reads, of these groups of columns."""
    return (
        *("lang", _spoken(groups), "words"),
        *(("language_script",) if "language" in groups else ()),
        *((column.name for column in columns_of(Signals)) if "signals" in groups else ()),
        *(("drop_reason", "url", "source", "offset") if "drop_reason" in groups else ()),
    )


def _spoken(groups: Sequence[str]) -> str:
    return "language" if "language" in groups else "lang"


def tally(
    rows: pa.RecordBatch | pa.Table, *names: str, sums: tuple[str, ...] = ()
) -> Iterator[tuple[Any, ...]]:
    """Yield the values of some columns, how many rows have them, and the sums of others over these rows."""
    table = rows if isinstance(rows, pa.Table) else pa.Table.from_batches([rows])
    wanted = [([], "count_all"), *((name, "sum") for name in sums)]
    found = table.group_by(list(names), use_threads=False).aggregate(wanted)
    columns = (*names, "count_all", *(f"{name}_sum" for name in sums))
    return zip(*(found.column(name).to_pylist() for name in columns), strict=True)


def hosts_of(urls: pa.Array) -> pa.Array:
    """Return the host of each URL, "" without one."""
    found = pc.struct_field(pc.extract_regex(urls, HOST), "host")
    return pc.fill_null(pc.utf8_lower(found), "")


def bounds_of(described: Mapping[str, Any]) -> dict[Bound, str]:
    """Return the bounds of the presets that judged a corpus, by its `corpus.json`, and the preset of each."""
    named = (str(described.get(key) or "") for key in ("source_presets", "presets"))
    presets = dict.fromkeys(name for name in ",".join(named).split(",") if name in PRESETS)
    return {bound: preset for preset in presets for bound in PRESETS[preset]}


def signal_docs() -> dict[str, str]:
    """Return what each signal is; `the same of 3 tokens` is the last one before it that is told in full."""
    docs: dict[str, str] = {}
    whole = ""
    for column in columns_of(Signals):
        tokens = column.doc.removeprefix("the same of ")
        is_short = tokens != column.doc and tokens.endswith(" tokens")
        whole = whole if is_short else column.doc
        docs[column.name] = re.sub("[25] tokens", tokens, whole) if is_short else whole
    return docs


def quantile(counts: NDArray[np.int64], share: float) -> float:
    """Return the value below which a share of the pages is; they are counted in equal bins from 0 to 1."""
    return float(np.searchsorted(np.cumsum(counts), share * counts.sum())) / len(counts)


def value_at(name: str, place: float) -> float:
    """Return the value of a signal at a place of its bins, from 0 to 1."""
    return float(place) if name in SHARES else float(10 ** (LOWEST + DECADES * place))


def place_of(name: str, value: float) -> float:
    """Return the place of a value among the bins of its signal, from 0 to 1."""
    if name not in SHARES:
        value = (np.log10(max(value, 10.0**LOWEST)) - LOWEST) / DECADES
    return min(1.0, max(0.0, float(value)))


PAGE_COLUMNS = (
    *("url", "source", "offset", "status", "media_type", "charset", "charset_source", "replaced"),
    *("truncated", "lang", "fallback", "html_bytes", "text_chars", "content_ratio", "tag_ratio_mean"),
    *("decode_seconds", "extract_seconds"),
)
"""The columns of `pages` that a report reads: never the text."""

_BATCH_ROWS = 16_384
_AHEAD = 4
"""Batches of a shard that are read before its rows are added: most shards have no more."""

EXTREMES = 10
"""Slowest and largest pages that are named."""

MAX_KEYS = 100_000
"""Hosts, and details of rejects, that are told apart; beyond, those of the fewest pages are let go."""

_DECADE = 8
"""Bins between powers of ten."""

_LOG_BINS = 15 * _DECADE + 1
"""Bins that widen with the values; the first one has what is under 1."""

_SHARE_BINS = 40
"""Bins between 0 and 1."""

_Rows = tuple[str, Place, pa.RecordBatch]
"""Rows of a shard's file of a kind, and where the first one is."""

_SCALES = {"text": 1.0, "html": 1.0, "milliseconds": 1e-3, "tag_ratio": 1e-3}
"""Histograms with such bins, and the value where their second bin begins."""


@dataclass(frozen=True, slots=True)
class Histogram:
    """Counts of values in bins, int64 (n,): bin i has the values [edges[i], edges[i + 1]), float64 (n + 1,).

    If they are logarithmic, the bins widen with the values, and the first one has what is not more than 0.
    """

    edges: NDArray[np.float64]
    counts: NDArray[np.int64]
    logarithmic: bool

    @property
    def total(self) -> int:
        """Number of values."""
        return int(self.counts.sum())

    def quantile(self, share: float) -> int:
        """Return the bin in which this share of the values is reached."""
        reached = np.cumsum(self.counts)
        return min(int(reached.searchsorted(share * reached[-1])), self.counts.size - 1)


@dataclass(frozen=True, slots=True)
class PageMark:
    """A page that is named, and the number or the reason it is named for; its CPU seconds, its bytes of HTML.

    `kind` is that of its file, `pages` or `dropped`.
    """

    value: float
    url: str
    source: str
    offset: int
    place: Place
    seconds: float = 0.0
    html_bytes: int = 0
    kind: str = "pages"
    reason: str = ""

    @property
    def host(self) -> str:
        """The host in its URL."""
        found = re.match(HOST, self.url)
        return found["host"].lower() if found else ""


@dataclass(frozen=True, slots=True)
class Host:
    """Sums over the pages of a host."""

    name: str
    pages: int
    html_bytes: int
    text_chars: int
    empty: int

    @property
    def rate(self) -> float:
        """Characters of text for a kB of HTML."""
        return self.text_chars / self.html_bytes * 1e3 if self.html_bytes else 0.0


class CorpusFacts:
    """What a report says of a corpus: sums over its shards and its rows.

    Attributes:
        stated: what `run.json` says, or None.
        runs: the JSON of each run, in order.
        page_rows: rows that were counted in the files of pages.
        counts: for each column its values and how many pages have each.
        charsets: (charset, its source) -> pages.
        details: (reason, detail) -> rejects.
        first_of_text: the first page of each bin of the histogram of text.
        slowest, largest: pages of the most CPU seconds, and of the most bytes.
        hosts_dropped: whether hosts were let go.
        missing: commits and files that are gone or broken, a sentence each.
    """

    def __init__(self, reader: CorpusReader, *, fingerprints: bool) -> None:
        corpus, ledger = reader.corpus, Ledger.of(reader.corpus)
        stated = corpus.storage.read(corpus.books_path)
        self.reader = reader
        self.summaries = tuple(ledger.summaries())
        self.books = sum((summary.books for summary in self.summaries), Books())
        self.stated = None if stated is None else _parsed(corpus.books_path, stated)
        self.runs = tuple(_runs(corpus))
        self.page_rows = 0
        self.counts: dict[str, Counter[str]] = {
            name: Counter() for name in ("status", "media_type", "lang", "truncated", "replaced", "fallback")
        }
        self.charsets: Counter[tuple[str, str]] = Counter()
        self.details: Counter[tuple[str, str]] = Counter()
        self.first_of_text: dict[int, PageMark] = {}
        self.slowest: list[PageMark] = []
        self.largest: list[PageMark] = []
        self.hosts_dropped = False
        self.missing = [f"{corpus.shard_path(name)} is broken" for name in ledger.broken]
        self.missing += [f"{corpus.shard_path(name)} is of another corpus" for name in sorted(ledger.others)]
        self.curation = CurationFacts()
        self._hosts: dict[str, list[int]] = {}
        self._bins = {name: np.zeros(_LOG_BINS, np.int64) for name in _SCALES}
        self._shares = np.zeros(_SHARE_BINS, np.int64)
        self._index = {summary.shard.name: index for index, summary in enumerate(self.summaries)}
        self._fingerprints: list[tuple[NDArray[Any], ...]] | None = [] if fingerprints else None

    def read(self, summary: ShardSummary) -> Iterator[_Rows | LostFilesError]:
        """Read the rows of a shard, some at once and the others when they are asked for; raises OSError."""
        rows = self._read(summary)
        return itertools.chain(list(itertools.islice(rows, _AHEAD)), rows)

    def _read(self, summary: ShardSummary) -> Iterator[_Rows | LostFilesError]:
        curated = columns_read(self.reader.groups)
        digest = () if self._fingerprints is None else ("text_digest",)
        columns = {"pages": (*PAGE_COLUMNS, *curated, *digest), "dropped": curated}
        for kinds in (columns, {"rejects": ("reason", "detail")}):
            try:
                for kind, names in kinds.items():
                    for found in self.reader.batches(summary, kind, tuple(dict.fromkeys(names)), _BATCH_ROWS):
                        yield (kind, *found)
            except LostFilesError as error:
                yield error

    def add(self, rows: Iterable[_Rows | LostFilesError]) -> None:
        """Add the rows of a shard, as `read` gives them."""
        for found in rows:
            if isinstance(found, LostFilesError):
                self.missing.append(str(found))
                continue
            kind, place, batch = found
            if kind == "rejects":
                for *about, count in tally(batch, "reason", "detail"):
                    self.details[tuple(about)] += count
                if len(self.details) > 2 * MAX_KEYS:
                    self.details = Counter(dict(self.details.most_common(MAX_KEYS)))
                continue
            if kind == "pages" and batch.num_rows:
                self._add_pages(place, batch)
            self.curation.add(self.reader, kind, place, batch)

    def _add_pages(self, place: Place, batch: pa.RecordBatch) -> None:
        self.page_rows += batch.num_rows
        for name in ("status", "media_type", "lang"):
            for value, count in tally(batch, name):
                said = "none" if value is None else str(value)
                self.counts[name][iso_639_3(said) if name == "lang" else said] += count
        self.counts["fallback"].update({why: n for why, n in tally(batch, "fallback") if why is not None})
        self.counts["truncated"]["truncated"] += pc.sum(batch.column("truncated")).as_py() or 0
        replaced = pc.greater(batch.column("replaced"), 0)
        self.counts["replaced"]["replaced"] += pc.sum(replaced).as_py() or 0
        for *about, count in tally(batch, "charset", "charset_source"):
            self.charsets[tuple(about)] += count
        text = _numbers(batch, "text_chars")
        html = _numbers(batch, "html_bytes")
        seconds = _numbers(batch, "decode_seconds") + _numbers(batch, "extract_seconds")
        ratios = _numbers(batch, "tag_ratio_mean")
        text_bins = _log_bins(text)
        for name, bins in (
            ("text", text_bins),
            ("html", _log_bins(html)),
            ("milliseconds", _log_bins(seconds * 1e6)),
            ("tag_ratio", _log_bins(ratios[np.isfinite(ratios)] * 1e3)),
        ):
            self._bins[name] += np.bincount(bins, minlength=_LOG_BINS)
        shares = np.clip(_numbers(batch, "content_ratio") * _SHARE_BINS, 0, _SHARE_BINS - 1).astype(np.int64)
        self._shares += np.bincount(shares, minlength=_SHARE_BINS)
        present, first_rows = np.unique(text_bins, return_index=True)
        for found, row in zip(present.tolist(), first_rows.tolist(), strict=True):
            if found not in self.first_of_text:
                self.first_of_text[found] = _mark(place, batch, row, float(text[row]))
        self.slowest = _extremes(self.slowest, place, batch, seconds)
        self.largest = _extremes(self.largest, place, batch, html)
        self._add_hosts(batch)
        if self._fingerprints is not None:
            digests = "".join(digest[:16] for digest in batch.column("text_digest").to_pylist())
            texts = np.frombuffer(bytes.fromhex(digests), np.uint64)
            shards = np.full(batch.num_rows, self._index[place.shard], np.int32)
            self._fingerprints.append((url_hashes(batch), texts, text.astype(np.int32), shards))

    def command(self, mark: PageMark) -> str:
        """Return the command that draws a page."""
        return explain_command(self.reader.described, mark.source, mark.url, mark.offset)

    @property
    def histograms(self) -> dict[str, Histogram]:
        """Text (characters), html (bytes), milliseconds (CPU), content_ratio and tag_ratio."""
        edges = np.concatenate(([0.0], 10.0 ** (np.arange(_LOG_BINS) / _DECADE)))
        logs = {name: Histogram(edges * scale, self._bins[name], True) for name, scale in _SCALES.items()}
        return {**logs, "content_ratio": Histogram(np.linspace(0, 1, _SHARE_BINS + 1), self._shares, False)}

    @property
    def hosts(self) -> tuple[Host, ...]:
        """The hosts, those with the most pages first."""
        found = (Host(name, *sums) for name, sums in self._hosts.items())
        return tuple(sorted(found, key=lambda host: (-host.pages, host.name)))

    @property
    def fingerprints(self) -> tuple[NDArray[Any], ...]:
        """What was kept of n rows for a comparison, ordered by the first column, hashes of URLs, uint64.

        Then the beginnings of digests, uint64, the lengths of texts, and the shards by their index, int32.
        """
        empty = (np.zeros(0, np.uint64), np.zeros(0, np.uint64), *[np.zeros(0, np.int32)] * 2)
        columns = list(map(np.concatenate, zip(empty, *self._fingerprints or (), strict=True)))
        order = np.argsort(columns[0], kind="stable")
        return tuple(column[order] for column in columns)

    def _add_hosts(self, batch: pa.RecordBatch) -> None:
        table = pa.table(
            {
                "host": hosts_of(batch.column("url")),
                "html": batch.column("html_bytes"),
                "text": pc.cast(batch.column("text_chars"), pa.int64()),
                "empty": pc.cast(pc.equal(batch.column("text_chars"), 0), pa.int64()),
            }
        )
        for host, *values in tally(table, "host", sums=("html", "text", "empty")):
            there = self._hosts.get(host, [0] * len(values))
            self._hosts[host] = [a + b for a, b in zip(there, values, strict=True)]
        if len(self._hosts) > 2 * MAX_KEYS:
            self._hosts = dict(heapq.nlargest(MAX_KEYS, self._hosts.items(), key=lambda item: item[1][0]))
            self.hosts_dropped = True


def gather(reader: CorpusReader, *, fingerprints: bool = False) -> CorpusFacts:
    """Read a corpus, with fingerprints of its pages for a comparison.

    Raises OSError: it cannot be read; DamagedCorpusError: `run.json` or the record of a run is broken.
    """
    facts = CorpusFacts(reader, fingerprints=fingerprints)
    for rows in reader.corpus.storage.each(facts.read, facts.summaries):
        facts.add(rows)
    return facts


def _log_bins(values: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the bin of each value: 0 for what is under 1, else by powers of ten."""
    bins = np.floor(np.log10(np.maximum(values, 1.0)) * _DECADE + 1e-9).astype(np.int64) + 1
    bins[values < 1.0] = 0
    return np.minimum(bins, _LOG_BINS - 1)


def _numbers(batch: pa.RecordBatch, name: str) -> NDArray[np.float64]:
    """Return a column as float64, NaN for null."""
    column = pc.cast(batch.column(name), pa.float64(), safe=False)
    values: NDArray[np.float64] = pc.fill_null(column, float("nan")).to_numpy(zero_copy_only=False)
    return values


def _mark(place: Place, batch: pa.RecordBatch, row: int, value: float) -> PageMark:
    names = ("url", "source", "offset", "decode_seconds", "extract_seconds", "html_bytes")
    url, source, offset, decode, extract, size = (batch.column(name)[row].as_py() for name in names)
    return PageMark(value, url, source, offset, Place(place.shard, place.row + row), decode + extract, size)


def _extremes(
    best: list[PageMark], place: Place, batch: pa.RecordBatch, values: NDArray[np.float64]
) -> list[PageMark]:
    """Return the pages of the largest values so far; the earlier of equal ones."""
    floor = best[-1].value if len(best) == EXTREMES else -1.0
    rows = np.argsort(-values, kind="stable")[:EXTREMES]
    fresh = [_mark(place, batch, int(row), float(values[row])) for row in rows if values[row] > floor]
    return sorted(best + fresh, key=lambda mark: -mark.value)[:EXTREMES]


def url_hashes(batch: pa.RecordBatch) -> NDArray[np.uint64]:
    """Return a hash of the URL of each row, uint64 (n,)."""
    joined = b"".join(
        blake2b(url.encode(), digest_size=8).digest() for url in batch.column("url").to_pylist()
    )
    return np.frombuffer(joined, np.uint64)


def _runs(corpus: Corpus) -> Iterable[Mapping[str, Any]]:
    for file in corpus.storage.list(f"{corpus.root}/runs"):
        text = corpus.storage.read(file.path)
        if text is not None and is_ours("runs", file.path.rpartition("/")[2]):
            yield _parsed(file.path, text)


def _parsed(path: str, text: bytes) -> Mapping[str, Any]:
    with raised_as(DamagedCorpusError, ValueError, RecursionError, saying=f"{path} is broken"):
        parsed = json.loads(text)
    if not isinstance(parsed, dict):
        raise DamagedCorpusError(f"{path} is broken: not a JSON object")
    return parsed
