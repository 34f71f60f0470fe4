"""What a report says of a corpus: sums over its shards, and counts over its rows, batch by batch.

Memory does not grow with the rows, except for a comparison of two corpora, which keeps 28 bytes of each page.
"""

import itertools
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from cedar.pipelines.common.page_lookup import explain_command
from cedar.pipelines.report.counts import Histogram, Tally
from cedar.transforms.corpus.corpus import Corpus
from cedar.transforms.corpus.corpus_reader import CorpusReader, Place
from cedar.transforms.corpus.errors import DamagedCorpusError, LostFilesError
from cedar.transforms.corpus.layout import is_ours
from cedar.transforms.corpus.ledger import Ledger
from cedar.transforms.curation.languages import iso_639_3
from cedar.transforms.curation.presets import NOT_IF_DENSE, PRESETS, Bound
from cedar.transforms.curation.rules import rule_of
from cedar.transforms.files.storage import raised_as
from cedar.transforms.model.annotations import Signals
from cedar.transforms.model.books import Books
from cedar.transforms.model.columns import columns_of
from cedar.transforms.model.records import SHARE
from cedar.transforms.model.summaries import ShardSummary
from cedar.transforms.urls.canonical import host_of

_ORIGIN = r"^(?P<origin>(?:[a-zA-Z][a-zA-Z0-9+.-]*:)?(?://)?[^/?#]*)"
"""Finds the scheme and the host of a URL, as `origin`."""

SHARES = tuple(column.name for column in columns_of(Signals) if SHARE in column.marks)
"""The signals that are shares, from 0 to 1."""

COUNTS = tuple(c.name for c in columns_of(Signals) if c.kind != "bool" and c.name not in SHARES)
"""The other signals that are numbers."""

MIN_POWER, DECADES = -2, 8
"""Histograms of `COUNTS` cover `DECADES` powers of ten, from 10 ** `MIN_POWER` on."""

EXTREMES = 10
"""Slowest and largest pages that are kept."""

PAGE_COLUMNS = (
    *("url", "source", "offset", "status", "media_type", "charset", "charset_source", "replaced"),
    *("truncated", "lang", "fallback", "html_bytes", "text_chars", "content_ratio", "tag_ratio_mean"),
    *("decode_seconds", "extract_seconds", "words"),
)
"""The columns of `pages` that a report reads: never the text."""

_RULES = 1000
_RULE_PAGES = 3
_BATCH_ROWS = 16_384
_READ_AHEAD = 4
"""Batches of a shard that are read before its rows are added: most shards have no more."""

_Rows = tuple[str, Place, pa.RecordBatch]
"""Rows of a file of a shard: the kind of the file, the place of the first row, and the rows."""

_LOG_EDGES = np.concatenate(([0.0], 10.0 ** (np.arange(121) / 8)))
_SIGNAL_EDGES = {
    **dict.fromkeys(SHARES, np.linspace(0, 1, 201)),
    **dict.fromkeys(COUNTS, 10.0 ** (MIN_POWER + DECADES * np.arange(201) / 200)),
}


@dataclass(frozen=True, slots=True)
class PageMark:
    """A page that a report names, and the value or the reason that it is named for.

    `kind` is the kind of its file, `pages` or `dropped`.
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
        return host_of(self.url)


@dataclass(frozen=True, slots=True)
class Dropped:
    """What a rule dropped: the number of pages, and a few of them, of different hosts."""

    pages: int
    some: tuple[PageMark, ...]


class CurationFacts:
    """Counts by languages, signals and rules.

    Attributes:
        languages: declared language, language, script -> pages that are kept.
        words_column: `cedar_words`, which counts in all scripts, if the corpus has signals; else `words`.
        words: language, else declared language -> pages that are kept, and their words.
        signals: histogram of each of `SHARES` and `COUNTS`, dropped pages among them.
        failing: pages that fail a bound of the presets that judged them, by bound.
        dropped: what each rule dropped, by the rule.
        marked: pages in `pages/` that failed a rule.
    """

    def __init__(self, groups: Sequence[str], bounds: Iterable[Bound] = ()) -> None:
        self._groups, self._bounds = groups, tuple(bounds)
        self.languages = Tally("lang", "language", "language_script")
        self.words_column = "cedar_words" if "signals" in groups else "words"
        self.words = Tally("language" if "language" in groups else "lang", sums=(self.words_column,))
        named = _SIGNAL_EDGES if "signals" in groups else {}
        self.signals = {name: Histogram(edges) for name, edges in named.items()}
        self.failing: Counter[Bound] = Counter()
        self.dropped: dict[str, Dropped] = {}
        self.marked = 0

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of `pages` and `dropped` that are read."""
        return (
            *("lang", "words"),
            *(("language", "language_script") if "language" in self._groups else ()),
            *(_SIGNAL_COLUMNS if "signals" in self._groups else ()),
            *(("drop_reason", "url", "source", "offset") if "drop_reason" in self._groups else ()),
        )

    def add(self, kind: str, place: Place, batch: pa.RecordBatch) -> None:
        """Add rows of `pages` or `dropped`; the first row is at `place`."""
        if "signals" in self._groups:
            self._add_signals(batch)
        if "language" in self._groups and kind == "pages":
            self.languages.add(batch)
        if "drop_reason" in self._groups:
            self._add_dropped(kind, place, batch)
            kept = pc.is_null(batch.column("drop_reason"))
            self.marked += batch.num_rows - pc.sum(kept).as_py() if kind == "pages" and batch.num_rows else 0
            batch = batch.filter(kept)
        if kind == "pages":
            self.words.add(batch)

    def _add_signals(self, batch: pa.RecordBatch) -> None:
        values = {name: _numbers(batch, name) for name in _SIGNAL_COLUMNS}
        for name, histogram in self.signals.items():
            histogram.add(values[name])
        is_dense = values["dense_share"] > 0.5
        for bound in self._bounds:
            found: Any = values[bound.signal]
            fails = np.isfinite(found) & ~bound.holds(found)
            self.failing[bound] += int((fails & ~is_dense if bound.signal in NOT_IF_DENSE else fails).sum())

    def _add_dropped(self, kind: str, place: Place, batch: pa.RecordBatch) -> None:
        columns = (batch.column(name).to_pylist() for name in ("drop_reason", "url", "source", "offset"))
        for row, (reason, url, source, offset) in enumerate(zip(*columns, strict=True)):
            if reason is None:
                continue
            rule, at = rule_of(reason), Place(place.shard, place.row + row)
            page = PageMark(0.0, url, source, offset, at, kind=kind, reason=reason)
            if rule in self.dropped or len(self.dropped) < _RULES:
                known = self.dropped.get(rule, Dropped(0, ()))
                is_new = len(known.some) < _RULE_PAGES and page.host not in {one.host for one in known.some}
                some = (*known.some, page) if is_new else known.some
                self.dropped[rule] = Dropped(known.pages + 1, some)


_SIGNAL_COLUMNS = tuple(column.name for column in columns_of(Signals))


class CorpusFacts:
    """What a report says of a corpus: sums over its shards and its rows.

    Attributes:
        stated: what `run.json` says, or None.
        runs: the JSON of each run, in order.
        page_rows: rows that were counted in the files of pages.
        tallies: pages by status, media_type, lang, fallback, and by charset and its source.
        hosts: pages by host, with their bytes of HTML, their characters of text, and those without text.
        details: rejects by reason and detail.
        truncated, replaced: pages that are cut, and pages with characters that decoding replaced.
        histograms: of text (characters), html (bytes), milliseconds (CPU), content_ratio and tag_ratio.
        first_of_text: the first page of each bin of the histogram of text.
        slowest, largest: pages of the most CPU seconds, and of the most bytes.
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
        single = ("status", "media_type", "lang", "fallback")
        self.tallies = {name: Tally(name) for name in single}
        self.tallies["charset"] = Tally("charset", "charset_source")
        self.hosts = Tally("host", sums=("html_bytes", "text_chars", "is_empty"))
        self.details = Tally("reason", "detail")
        self.truncated = self.replaced = 0
        scales = {"text": 1.0, "html": 1.0, "milliseconds": 1e-3, "tag_ratio": 1e-3}
        self.histograms = {name: Histogram(_LOG_EDGES * scale, is_log=True) for name, scale in scales.items()}
        self.histograms["content_ratio"] = Histogram(np.linspace(0, 1, 41))
        self.first_of_text: dict[int, PageMark] = {}
        self.slowest: list[PageMark] = []
        self.largest: list[PageMark] = []
        self.missing = [f"{corpus.commit_path(name)} is broken" for name in ledger.broken]
        self.missing += [f"{corpus.commit_path(name)} is of another corpus" for name in sorted(ledger.others)]
        self.curation = CurationFacts(reader.groups, bounds_of(reader.described))
        self._fingerprints: list[pa.Table] | None = [] if fingerprints else None
        self._index = {summary.shard.name: index for index, summary in enumerate(self.summaries)}

    @property
    def fingerprints(self) -> pa.Table:
        """For each page: hash of the URL, beginning of the text's digest, characters, shard index, row."""
        return pa.concat_tables([_FINGERPRINTS.empty_table(), *(self._fingerprints or ())])

    def command(self, mark: PageMark) -> str:
        """Return the command that draws a page."""
        return explain_command(self.reader.described, mark.source, mark.url, offset=mark.offset)

    def read(self, summary: ShardSummary) -> Iterator[_Rows | LostFilesError]:
        """Read the rows of a shard, some at once and the others when they are asked for; raises OSError."""
        rows = self._read(summary)
        return itertools.chain(list(itertools.islice(rows, _READ_AHEAD)), rows)

    def _read(self, summary: ShardSummary) -> Iterator[_Rows | LostFilesError]:
        curated = self.curation.columns
        digest = () if self._fingerprints is None else ("text_digest",)
        columns = {"pages": (*PAGE_COLUMNS, *curated, *digest), "dropped": curated}
        for kinds in (columns, {"rejects": ("reason", "detail")}):
            try:
                for kind, names in kinds.items():
                    each = tuple(dict.fromkeys(names))
                    for found in self.reader.batches(summary, kind, each, max_rows=_BATCH_ROWS):
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
                self.details.add(batch)
                continue
            if kind == "pages" and batch.num_rows:
                self._add_pages(place, batch)
            self.curation.add(kind, place, batch)

    def _add_pages(self, place: Place, batch: pa.RecordBatch) -> None:
        self.page_rows += batch.num_rows
        for tally in self.tallies.values():
            tally.add(batch)
        self.truncated += pc.sum(batch.column("truncated")).as_py()
        self.replaced += pc.sum(pc.greater(batch.column("replaced"), 0)).as_py()
        is_empty = pc.equal(batch.column("text_chars"), 0)
        hosts = pa.Table.from_batches([batch]).append_column("host", hosts_of(batch.column("url")))
        self.hosts.add(hosts.append_column("is_empty", is_empty))
        text, html = _numbers(batch, "text_chars"), _numbers(batch, "html_bytes")
        seconds = _numbers(batch, "decode_seconds") + _numbers(batch, "extract_seconds")
        self.histograms["text"].add(text)
        self.histograms["html"].add(html)
        self.histograms["milliseconds"].add(seconds * 1e3)
        self.histograms["tag_ratio"].add(_numbers(batch, "tag_ratio_mean"))
        self.histograms["content_ratio"].add(_numbers(batch, "content_ratio"))
        bins, first_rows = np.unique(self.histograms["text"].bins(text), return_index=True)
        for found, row in zip(bins.tolist(), first_rows.tolist(), strict=True):
            if found not in self.first_of_text:
                self.first_of_text[found] = _page_mark(place, batch, row, value=float(text[row]))
        self.slowest = _keep_largest(self.slowest, place, batch, values=seconds)
        self.largest = _keep_largest(self.largest, place, batch, values=html)
        if self._fingerprints is not None:
            digests = "".join(digest[:16] for digest in batch.column("text_digest").to_pylist())
            columns = {
                "url": url_hashes(batch),
                "text": np.frombuffer(bytes.fromhex(digests), np.uint64),
                "chars": text.astype(np.int32),
                "shard": np.full(batch.num_rows, self._index[place.shard], np.int32),
                "row": np.arange(place.row, place.row + batch.num_rows, dtype=np.int32),
            }
            self._fingerprints.append(pa.table(columns, _FINGERPRINTS))


_FINGERPRINTS = pa.schema(
    {"url": pa.uint64(), "text": pa.uint64(), "chars": pa.int32(), "shard": pa.int32(), "row": pa.int32()}
)


def read_facts(reader: CorpusReader, *, fingerprints: bool = False) -> CorpusFacts:
    """Read a corpus, with fingerprints of its pages for a comparison.

    Raises OSError if it cannot be read; DamagedCorpusError if `run.json` or the record of a run is broken.
    """
    facts = CorpusFacts(reader, fingerprints=fingerprints)
    for rows in reader.corpus.storage.each(facts.read, facts.summaries):
        facts.add(rows)
    return facts


def hosts_of(urls: pa.Array) -> pa.Array:
    """Return the host of each URL, as `host_of` does."""
    origins = pc.struct_field(pc.extract_regex(urls, _ORIGIN), "origin").dictionary_encode()
    hosts = [host_of(origin) if origin else "" for origin in origins.dictionary.to_pylist()]
    return pc.fill_null(pa.array(hosts, pa.string()).take(origins.indices), "")


def bounds_of(described: Mapping[str, Any]) -> dict[Bound, str]:
    """Return the bounds of the presets that judged a corpus, by its `corpus.json`, and the preset of each."""
    named = (str(described.get(key) or "") for key in ("source_presets", "presets"))
    presets = dict.fromkeys(name for name in ",".join(named).split(",") if name in PRESETS)
    return {bound: preset for preset in presets for bound in PRESETS[preset]}


def url_hashes(batch: pa.RecordBatch) -> NDArray[np.uint64]:
    """Return a hash of the URL of each row, uint64 (n,)."""
    urls = batch.column("url").to_pylist()
    return np.frombuffer(b"".join(blake2b(url.encode(), digest_size=8).digest() for url in urls), np.uint64)


def language_name(language: str | None) -> str:
    """Return the ISO 639-3 code of a language, "none" without one."""
    return iso_639_3(language or "none")


def _numbers(batch: pa.RecordBatch, name: str) -> NDArray[np.float64]:
    """Return a column as float64, NaN for null."""
    column = pc.cast(batch.column(name), pa.float64(), safe=False)
    values: NDArray[np.float64] = pc.fill_null(column, float("nan")).to_numpy(zero_copy_only=False)
    return values


def _page_mark(place: Place, batch: pa.RecordBatch, row: int, *, value: float) -> PageMark:
    names = ("url", "source", "offset", "decode_seconds", "extract_seconds", "html_bytes")
    url, source, offset, decode, extract, size = (batch.column(name)[row].as_py() for name in names)
    return PageMark(value, url, source, offset, Place(place.shard, place.row + row), decode + extract, size)


def _keep_largest(
    best: list[PageMark], place: Place, batch: pa.RecordBatch, *, values: NDArray[np.float64]
) -> list[PageMark]:
    """Return the pages of the largest values so far; the earlier of equal ones."""
    floor = best[-1].value if len(best) == EXTREMES else -1.0
    rows = np.argsort(-values, kind="stable")[:EXTREMES]
    new = [
        _page_mark(place, batch, int(row), value=float(values[row])) for row in rows if values[row] > floor
    ]
    return sorted(best + new, key=lambda mark: -mark.value)[:EXTREMES]


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
