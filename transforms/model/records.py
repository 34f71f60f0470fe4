"""The typed records that flow through the graph.

A `Record` becomes a `Page` (its decoded HTML), then an `ExtractedPage` (its row), or at any step a `Reject`;
a `ShardEnd` closes each shard, in band.
"""

# Beam makes the schema of a PCollection of rows from their annotations: it needs them evaluated, and knows
# Optional[X] but not X | None.
# ruff: noqa: UP045
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, Optional, TypeVar, get_type_hints

import numpy as np

from cedar.transforms.model.books import NOTHING_FETCHED, Fetched, RejectedError, RejectReason, Stage
from cedar.transforms.model.costs import NO_COST, Cost
from cedar.transforms.model.texts import MAX_DETAIL_CHARS, valid_text

if TYPE_CHECKING:
    Int32 = int
    Int64 = int
    Float32 = float
else:
    # Beam, Arrow and Avro read the widths from the annotations; values are plain Python numbers.
    Int32 = np.int32
    Int64 = np.int64
    Float32 = np.float32

RecordT = TypeVar("RecordT", bound=NamedTuple)

SCHEMA_VERSION = 3
"""Version of the output's layout: rows, shard summaries, `corpus.json`."""

ROW = "row"
"""The kind of a record that is not one of an archive's: a row of a table, or a file of HTML."""

_UNKNOWN_BYTES = 1 << 30
"""What an input of unknown size is taken for: about a file of a crawl."""

Piece = tuple[str, int, int | None]
"""A shard without its name, which may differ between versions: source, start, stop."""


@dataclass(frozen=True, slots=True)
class Shard:
    """A half-open byte range [start, stop) of one input; owns the records that start in it.

    Attributes:
        name: the shard's name, the same in every run: stem, hash of the source, range.
        source: absolute path or URI of the input, all of `size` bytes; None = not known before it is read.
        version: what tells one content of the source from another: its etag, or mtime in nanoseconds; None =
            not known before it is read.
        start: first byte of the range.
        stop: byte after the last of the range; None = the end of an input of unknown size.
        read_from: where reading begins, if that is known to be a record's start; else records are looked
            for from `start` on.
        wanted: bytes of the records that a shard of a selection reads, out of whatever files; `source` is
            then the manifest's name below the corpus, and start and stop count its rows. None = a range of
            bytes of a file.
        mark: what tells a file from others of its size and version whatever it is called, once it was read:
            device, inode and a digest of its ends; "" where its store does not number files.
        url: where the input is read, with its signature, which is shown and kept nowhere; "" = at `source`.
    """

    name: str
    source: str
    size: int | None
    version: str | None
    start: int
    stop: int | None
    read_from: int | None = None
    wanted: int | None = None
    mark: str = field(default="", compare=False)
    url: str = field(default="", compare=False, repr=False)

    @property
    def place(self) -> str:
        """Where the input is read."""
        return self.url or self.source

    @property
    def length(self) -> int:
        """Bytes of input; a guess where they are not known."""
        if self.wanted is not None:
            return self.wanted
        return _UNKNOWN_BYTES if self.stop is None else self.stop - self.start

    @property
    def piece(self) -> Piece:
        """What it is a piece of, and which."""
        return self.source, self.start, self.stop


_PLACE_COLUMNS = ("source", "offset", "length", "inner_offset", "warc_name", "warc_offset")
"""Fields of `Location`, and columns of pages, rejects and revisits."""


@dataclass(slots=True)
class Location:
    """Where a record or a damaged stretch is in an input.

    Attributes:
        shard: name of the shard that owns it; "" outside of the main job.
        source: absolute path or URI of the input.
        offset: byte where the record's member (or the record itself, uncompressed) begins in the input.
        length: bytes of the input from `offset` that hold it (compressed).
        inner_offset: byte where the record begins in the inflated member; 0 where it is alone.
        warc_name: path of the WARC file inside a WACZ; None in other inputs.
        warc_offset: byte where the member (or the record itself, uncompressed) begins in that WARC file.
    """

    shard: str
    source: str
    offset: int
    length: int
    inner_offset: int = 0
    warc_name: str | None = None
    warc_offset: int | None = None

    @staticmethod
    def of_row(shard: str, row: "PageRow") -> "Location":
        """Return the place that the columns of a row name."""
        return Location(shard, **{name: getattr(row, name) for name in _PLACE_COLUMNS})

    @property
    def columns(self) -> dict[str, Any]:
        """The columns of a row that name it."""
        return {name: getattr(self, name) for name in _PLACE_COLUMNS}

    @property
    def end(self) -> int:
        """The byte of the input after it."""
        return self.offset + self.length


@dataclass(slots=True)
class Record:
    """One WARC or ARC record as read.

    Attributes:
        kind: WARC-Type in lower case; "response" for ARC records with a URL; `ROW`.
        record_id, warcinfo_id: WARC-Record-ID and WARC-Warcinfo-ID without angle brackets.
        refers_to, refers_to_url, refers_to_date: id, URL and date, as written, of the record that it was made
            of or, for a revisit, of the earlier capture.
        date: WARC-Date or ARC date as written.
        payload_digest: WARC-Payload-Digest as written.
        content_type: media type of the block as the record declares it.
        block: the record's block (an HTTP message in a response), at most the cap's bytes.
        truncated: the block is not whole: WARC-Truncated, a cut member, or `max_block`.
        status: of a row the HTTP status.
    """

    location: Location
    kind: str
    url: str | None
    record_id: str | None
    date: str | None
    content_type: str | None
    block: bytes
    truncated: bool
    payload_digest: Optional[str] = None
    warcinfo_id: Optional[str] = None
    refers_to: Optional[str] = None
    refers_to_url: Optional[str] = None
    refers_to_date: Optional[str] = None
    status: Optional[int] = None


@dataclass(slots=True)
class Page:
    """One HTML page, in valid UTF-8 without a BOM; fields of `Record` and `PageRow` mean the same here.

    `decode` is the time that decoding took: the caller of the decoder sets it. `opt_outs` are HTTP headers
    that ask not to use the page: names in lower case, and values. If it `is_plain`, the record is plain text,
    and the HTML one `pre` of it, which is all content.
    """

    location: Location
    url: str
    record_id: str | None
    fetched_at: int | None
    status: int | None
    media_type: str | None
    charset: str
    charset_source: str
    replaced: int
    truncated: bool
    lang: str | None
    html: bytes
    html_bytes: int
    html_chars: int
    decode: Cost = NO_COST
    opt_outs: tuple[tuple[str, str], ...] = ()
    payload_digest: Optional[str] = None
    warcinfo_id: Optional[str] = None
    is_plain: bool = False


PERSONAL = "personal"
"""Stands in a column's annotation if its text may hold personal data: `--mask` masks it."""

SHARE = "share"
"""Stands in a column's annotation if its numbers are shares, from 0 to 1."""


def described(record: type[RecordT]) -> type[RecordT]:
    """Move what annotations say of columns into `__docs__` and `__marks__`: Beam reads bare types alone.

    An annotation is a type, the column's meaning, and its marks: `PERSONAL`, `SHARE`.
    """
    hints = get_type_hints(record, include_extras=True)
    record.__annotations__ = {name: hint.__origin__ for name, hint in hints.items()}
    record.__docs__ = {name: hint.__metadata__[0] for name, hint in hints.items()}  # type: ignore[attr-defined]
    record.__marks__ = {name: frozenset(hint.__metadata__[1:]) for name, hint in hints.items()}  # type: ignore[attr-defined]
    return record


@described
class PageRow(NamedTuple):
    """One row of the output; each column with its meaning."""

    url: Annotated[str, "the page's URL (WARC-Target-URI)"]
    source: Annotated[str, "absolute path or URI of the input"]
    offset: Annotated[Int64, "first byte of the record's member in the input"]
    length: Annotated[Int64, "bytes of the input, from `offset`, that hold the record"]
    inner_offset: Annotated[Int64, "byte where the record begins in the inflated member"]
    warc_name: Annotated[Optional[str], "path of the WARC file inside a WACZ"]
    warc_offset: Annotated[Optional[Int64], "`offset` counted from the first byte of that WARC file"]
    record_id: Annotated[Optional[str], "WARC-Record-ID"]
    warcinfo_id: Annotated[Optional[str], "WARC-Warcinfo-ID"]
    payload_digest: Annotated[Optional[str], "WARC-Payload-Digest as written, such as `sha1:...`"]
    fetched_at: Annotated[Optional[Int64], "WARC-Date, UTC"]
    status: Annotated[Optional[Int32], "HTTP status"]
    media_type: Annotated[Optional[str], "declared media type"]
    charset: Annotated[str, "WHATWG name of the encoding used"]
    charset_source: Annotated[str, "who named it: bom, utf8, header, meta, detector or fallback"]
    replaced: Annotated[Int32, "U+FFFD put in by decoding"]
    truncated: Annotated[
        bool,
        "the body is not whole: WARC-Truncated, a segment, an answer 206, a cut body, one shorter than its "
        "HTTP Content-Length, or a limit",
    ]
    lang: Annotated[Optional[str], "declared language: `html lang`, else Content-Language", PERSONAL]
    title: Annotated[
        Optional[str],
        "the page's `<title>`; if missing or empty, its `og:title`, else its first `h1`",
        PERSONAL,
    ]
    text: Annotated[str, "the main content, one block per line; may be empty", PERSONAL]
    text_digest: Annotated[str, "BLAKE2b-128 of the UTF-8 text, hex"]
    extractor: Annotated[str, "the method"]
    extractor_options: Annotated[
        str, "its options, canonical JSON; `@table`: version of the table that `cedar` learned"
    ]
    fallback: Annotated[Optional[str], "the method that stood in, and why"]
    html_bytes: Annotated[Int64, "bytes of the body after transfer and content codings"]
    html_chars: Annotated[Int64, "code points of the decoded page"]
    text_chars: Annotated[Int32, "code points of `text`"]
    words: Annotated[Int32, "words of `text`: runs between blanks"]
    lines: Annotated[Int32, "lines of the page (blocks, for tree methods)"]
    content_lines: Annotated[Int32, "lines that were kept"]
    tags: Annotated[Int32, "tags of the page"]
    link_chars: Annotated[Int32, "characters of the page that stand inside links, blanks not counted"]
    tag_ratio_mean: Annotated[Optional[float], "mean of the lines' text-to-tag ratios, unsmoothed"]
    tag_ratio_std: Annotated[Optional[float], "their population standard deviation"]
    threshold: Annotated[Optional[float], "the threshold that the method applied, where it has one"]
    content_ratio: Annotated[float, "text_chars / visible characters of the page"]
    decode_seconds: Annotated[Float32, "CPU seconds of decoding"]
    extract_seconds: Annotated[Float32, "CPU seconds of extraction"]
    html: Annotated[Optional[str], "kept HTML of tree methods, only with --with-html"] = None
    confidence: Annotated[
        Optional[float], "how sure the method is, from 0 to 1; only of methods that say so (`cedar`)"
    ] = None


@described
class RejectRow(NamedTuple):
    """One row of the rejects; each column with its meaning."""

    url: Annotated[Optional[str], "the target URI, where known"]
    source: Annotated[str, "absolute path or URI of the input"]
    offset: Annotated[Int64, "first byte of the record or of the damaged stretch in the input"]
    length: Annotated[Int64, "bytes of the input that it covers"]
    inner_offset: Annotated[Int64, "byte where the record begins in the inflated member"]
    warc_name: Annotated[Optional[str], "path of the WARC file inside a WACZ"]
    warc_offset: Annotated[Optional[Int64], "`offset` counted from the first byte of that WARC file"]
    record_id: Annotated[Optional[str], "WARC-Record-ID"]
    payload_digest: Annotated[Optional[str], "WARC-Payload-Digest as written"]
    fetched_at: Annotated[Optional[Int64], "WARC-Date, UTC"]
    status: Annotated[Optional[Int32], "HTTP status, as far as the answer was parsed"]
    media_type: Annotated[Optional[str], "declared media type, as far as the answer was parsed"]
    stage: Annotated[str, "where it was rejected: read, decode, extract, filter or write"]
    reason: Annotated[str, "why: one of the reasons of the table"]
    detail: Annotated[str, "the particulars", PERSONAL]


@described
class RevisitRow(NamedTuple):
    """One row of the revisits: a capture whose content an earlier capture has."""

    url: Annotated[str, "the capture's URL (WARC-Target-URI)"]
    source: Annotated[str, "absolute path or URI of the input"]
    offset: Annotated[Int64, "first byte of the record's member in the input"]
    length: Annotated[Int64, "bytes of the input, from `offset`, that hold the record"]
    inner_offset: Annotated[Int64, "byte where the record begins in the inflated member"]
    warc_name: Annotated[Optional[str], "path of the WARC file inside a WACZ"]
    warc_offset: Annotated[Optional[Int64], "`offset` counted from the first byte of that WARC file"]
    record_id: Annotated[Optional[str], "WARC-Record-ID"]
    payload_digest: Annotated[Optional[str], "WARC-Payload-Digest as written"]
    fetched_at: Annotated[Optional[Int64], "WARC-Date, UTC"]
    status: Annotated[Optional[Int32], "HTTP status, if the record has the answer's header"]
    media_type: Annotated[Optional[str], "declared media type, if the record has the answer's header"]
    refers_to: Annotated[Optional[str], "the earlier capture's record id (WARC-Refers-To)"]
    refers_to_url: Annotated[Optional[str], "its URL (WARC-Refers-To-Target-URI)"]
    refers_to_date: Annotated[Optional[Int64], "its date, UTC (WARC-Refers-To-Date)"]


@described
class SignatureRow(NamedTuple):
    """One row of the signatures: what of a page is compared with others."""

    row: Annotated[Int32, "number of the page in the shard's file of pages, from 0"]
    text_digest: Annotated[bytes, "BLAKE2b-128 of the UTF-8 text"]
    url_hash: Annotated[bytes, "8 bytes of BLAKE2b of the URL, scheme and fragment off, host in lower case"]
    keys: Annotated[Optional[bytes], "the keys of the bands; null for a text that is too short"]
    minhash: Annotated[Optional[bytes], "the whole signature, where it was asked for"] = None


_KNOWN_OF_PAGES = ("record_id", "payload_digest", "fetched_at", "status", "media_type")
"""What a reject tells of a page: fields of `Page`, `PageRow` and `Reject`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reject:
    """A record or a damaged stretch that became no page, and why; never its payload.

    `record_id`, `payload_digest`, `fetched_at`, `status` and `media_type` are as in `RejectRow`; `revisit`
    is the row of the revisits, if the record is one. `decode`, `extract` and `filter` are the time that was
    spent on it.
    """

    location: Location
    url: str | None
    stage: Stage
    reason: RejectReason
    detail: str
    record_id: str | None = None
    payload_digest: str | None = None
    fetched_at: int | None = None
    status: int | None = None
    media_type: str | None = None
    revisit: RevisitRow | None = None
    decode: Cost = NO_COST
    extract: Cost = NO_COST
    filter: Cost = NO_COST

    @staticmethod
    def of(
        location: Location, url: str | None, stage: Stage, *, error: RejectedError, **known: Any
    ) -> "Reject":
        """Return the reject that an error in a stage makes of a record; `known` are more of its fields."""
        return Reject(
            location=location, url=url, stage=stage, reason=error.reason, detail=error.detail, **known
        )

    @staticmethod
    def of_page(page: Page, stage: Stage, error: RejectedError, **costs: Cost) -> "Reject":
        """Return the reject that an error in a stage makes of a page."""
        known = {name: getattr(page, name) for name in _KNOWN_OF_PAGES}
        return Reject.of(page.location, page.url, stage, error=error, **known, **costs)

    @property
    def shard(self) -> str:
        """The name of the shard that owns it."""
        return self.location.shard

    @property
    def row(self) -> RejectRow:
        """The row of the rejects file."""
        url = None if self.url is None else valid_text(self.url)
        detail = valid_text(self.detail)[:MAX_DETAIL_CHARS]
        return RejectRow(
            url=url,
            **self.location.columns,
            record_id=self.record_id,
            payload_digest=self.payload_digest,
            fetched_at=self.fetched_at,
            status=self.status,
            media_type=self.media_type,
            stage=self.stage.value,
            reason=self.reason.value,
            detail=detail,
        )


@dataclass(frozen=True, slots=True)
class ShardEnd:
    """The mark that closes a shard's records.

    Attributes:
        first_offset: where its first record began, or None if none starts in it.
        next_offset: the first record at or after `stop`, or the input's size; `stop` if none starts in it.
        records_read: parsed record headers plus damaged stretches: what pages and rejects must add up to.
        bytes_in: bytes of the input that were read for it.
        read: time that reading took, without `fetch`, that from a web server, waiting included.
        passed: records that were passed over, by the reason that rejects them: there is no element for each.
    """

    shard: Shard
    first_offset: int | None
    next_offset: int
    records_read: int
    bytes_in: int
    read: Cost
    fetch: Cost = NO_COST
    fetched: Fetched = NOTHING_FETCHED
    passed: Mapping[RejectReason, int] = field(default_factory=dict)


@dataclass(slots=True)
class ExtractedPage:
    """A page's row on its way to the sink, with what the books need besides.

    Attributes:
        text_bytes: bytes of the text in UTF-8.
        annotations: what further groups of columns say of it, a record each (`model.columns`).
        signature: its row in the shard's file of signatures, which the sink numbers.
        dropped_by: the rule of a filter that took it out: its row goes to `dropped/`; None = it is a page.
        filter: time spent on annotations, signature and rules.
        judged: the language of a page that presets judged; None = they did not, or it is not known.
        masked: the number of masked places, by kind of personal data.
        tokens: its tokens, by the column's name and the language.
    """

    shard: str
    row: PageRow
    text_bytes: int
    decode: Cost
    extract: Cost
    annotations: tuple[NamedTuple, ...] = ()
    signature: Optional[SignatureRow] = None
    dropped_by: Optional[str] = None
    filter: Cost = NO_COST
    judged: Optional[str] = None
    masked: tuple[tuple[str, int], ...] = ()
    tokens: tuple[tuple[str, int], ...] = ()

    def rejected(self, stage: Stage, reason: RejectReason, detail: str) -> Reject:
        """Return the reject that the page becomes instead; its costs stay."""
        row = self.row
        return Reject(
            location=Location.of_row(self.shard, row),
            url=row.url,
            stage=stage,
            reason=reason,
            detail=detail,
            **{name: getattr(row, name) for name in _KNOWN_OF_PAGES},
            decode=self.decode,
            extract=self.extract,
            filter=self.filter,
        )
