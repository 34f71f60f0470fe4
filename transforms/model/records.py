"""The typed records that flow through the graph, and the Arrow and Avro schemas of the output.

One definition gives both schemas: the fields of `PageRow` and `RejectRow`. A record on its way is a
`Record` (one WARC or ARC record), then a `Page` (its decoded HTML), then an `ExtractedPage` (its row),
or at any step a `Reject`. A `ShardEnd` closes each shard; rejects and marks travel in band.
"""

# Beam makes the schema of a PCollection of rows from their annotations: it needs them evaluated, and knows
# Optional[X] but not X | None.
# ruff: noqa: UP045
import typing
from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Optional

import numpy as np

from transforms.model.books import NO_COST, Cost, RejectReason, Stage

if TYPE_CHECKING:
    import pyarrow

    Int32 = int
    Int64 = int
    Float32 = float
else:
    # Beam, Arrow and Avro read the widths from the annotations; values are plain Python numbers.
    Int32 = np.int32
    Int64 = np.int64
    Float32 = np.float32

SCHEMA_VERSION = 1
"""Version of the output's layout: rows, shard summaries, `corpus.json`."""


Piece = tuple[str, int, int]
"""What a shard is a piece of, and which: source, start, stop. Its name may differ between versions."""


@dataclass(frozen=True, slots=True)
class Shard:
    """A half-open byte range [start, stop) of one input; owns the records that start in it.

    Attributes:
        name: the shard's name, the same in every run: stem, hash of the source, range.
        source: absolute path or URI of the input.
        size: size of the whole input in bytes.
        version: what tells one content of the source from another: its etag, or mtime in nanoseconds.
        start: first byte of the range.
        stop: byte after the last of the range.
        read_from: where reading begins, if that is known to be a record's start; else records are looked
            for from `start` on.
    """

    name: str
    source: str
    size: int
    version: str
    start: int
    stop: int
    read_from: int | None = None

    @property
    def length(self) -> int:
        """Bytes of the range."""
        return self.stop - self.start

    @property
    def piece(self) -> Piece:
        """What it is a piece of, and which."""
        return self.source, self.start, self.stop


@dataclass(frozen=True, slots=True)
class Record:
    """One WARC or ARC record as read.

    Attributes:
        shard: name of the shard that owns it; "" outside of the main job.
        source: absolute path or URI of the input.
        offset: byte where the record's member (or the record itself, uncompressed) begins in the input.
        length: bytes of the input from `offset` that hold it (compressed).
        inner_offset: byte where the record begins in the inflated member; 0 where it is alone.
        kind: WARC-Type in lower case; "response" for ARC records with a URL.
        url: the target URI, or None.
        record_id: WARC-Record-ID without its angle brackets, or None.
        date: WARC-Date or ARC date as written, or None.
        content_type: media type of the block as the record declares it, or None.
        block: the record's block (an HTTP message in a response), at most the cap's bytes.
        truncated: the block is not whole: WARC-Truncated, a cut member, or the cap.
    """

    shard: str
    source: str
    offset: int
    length: int
    inner_offset: int
    kind: str
    url: str | None
    record_id: str | None
    date: str | None
    content_type: str | None
    block: bytes
    truncated: bool


@dataclass(frozen=True, slots=True)
class Page:
    """One HTML page, decoded.

    Attributes:
        shard, source, offset, length, inner_offset, url, record_id: as in `Record`.
        fetched_at: microseconds since the epoch, UTC, or None.
        status: HTTP status, or None.
        media_type: the response's declared media type without parameters, or None.
        charset: WHATWG name of the encoding that was used.
        charset_source: bom, utf8, header, meta, detector or fallback.
        replaced: number of U+FFFD that decoding put in.
        truncated: the body is not whole.
        lang: declared language: `html lang`, else Content-Language, or None.
        html: the page as UTF-8 without a byte-order mark; always valid.
        html_bytes: bytes of the body after the transfer and content codings.
        html_chars: code points of the decoded page.
        decode: time that decoding took.
    """

    shard: str
    source: str
    offset: int
    length: int
    inner_offset: int
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
    decode: Cost


class PageRow(NamedTuple):
    """One row of the output; the column's meaning is in `PAGE_COLUMN_DOCS`."""

    url: str
    source: str
    offset: Int64
    length: Int64
    inner_offset: Int64
    record_id: Optional[str]
    fetched_at: Optional[Int64]
    status: Optional[Int32]
    media_type: Optional[str]
    charset: str
    charset_source: str
    replaced: Int32
    truncated: bool
    lang: Optional[str]
    title: Optional[str]
    text: str
    text_digest: str
    extractor: str
    extractor_options: str
    fallback: Optional[str]
    html_bytes: Int64
    html_chars: Int64
    text_chars: Int32
    words: Int32
    lines: Int32
    content_lines: Int32
    tags: Int32
    link_chars: Int32
    tag_ratio_mean: Optional[float]
    tag_ratio_std: Optional[float]
    threshold: Optional[float]
    content_ratio: float
    decode_seconds: Float32
    extract_seconds: Float32
    html: Optional[str] = None
    confidence: Optional[float] = None


class RejectRow(NamedTuple):
    """One row of the rejects; the column's meaning is in `REJECT_COLUMN_DOCS`."""

    url: Optional[str]
    source: str
    offset: Int64
    length: Int64
    stage: str
    reason: str
    detail: str


@dataclass(frozen=True, slots=True)
class Reject:
    """A record that became no page, and why; never its payload.

    Attributes:
        shard: name of the shard that owns it.
        source: absolute path or URI of the input.
        offset: first byte of the record or of the damaged stretch in the input.
        length: bytes of the input that it covers.
        url: the target URI where known.
        stage: where it was rejected.
        reason: why.
        detail: the particulars, for people.
        decode: time spent on decoding it.
        extract: time spent on extracting from it.
    """

    shard: str
    source: str
    offset: int
    length: int
    url: str | None
    stage: Stage
    reason: RejectReason
    detail: str
    decode: Cost = NO_COST
    extract: Cost = NO_COST

    @property
    def row(self) -> RejectRow:
        """The row of the rejects file."""
        return RejectRow(
            self.url, self.source, self.offset, self.length, self.stage.value, self.reason.value, self.detail
        )


@dataclass(frozen=True, slots=True)
class ShardEnd:
    """The mark that closes a shard's records.

    Attributes:
        shard: the shard that ends here.
        first_offset: where its first record began, or None if none starts in it.
        next_offset: the first record at or after `stop`, or the input's size.
        records_read: parsed record headers plus damaged stretches: what pages and rejects must add up to.
        bytes_in: bytes of the input that were read for it.
        read: time that reading took.
    """

    shard: Shard
    first_offset: int | None
    next_offset: int
    records_read: int
    bytes_in: int
    read: Cost


@dataclass(frozen=True, slots=True)
class ExtractedPage:
    """A page's row on its way to the sink, with what the books need beside it."""

    shard: str
    row: PageRow
    text_bytes: int
    decode: Cost
    extract: Cost


PAGE_COLUMN_DOCS: typing.Mapping[str, str] = {
    "url": "the page's URL (WARC-Target-URI)",
    "source": "absolute path or URI of the input",
    "offset": "first byte of the record's member in the input",
    "length": "bytes of the input, from `offset`, that hold the record",
    "inner_offset": "byte where the record begins in the inflated member",
    "record_id": "WARC-Record-ID",
    "fetched_at": "WARC-Date, UTC",
    "status": "HTTP status",
    "media_type": "declared media type",
    "charset": "WHATWG name of the encoding used",
    "charset_source": "who named it: bom, utf8, header, meta, detector or fallback",
    "replaced": "U+FFFD put in by decoding",
    "truncated": "the body is not whole: WARC-Truncated, a cut body, or a cap",
    "lang": "declared language: `html lang`, else Content-Language",
    "title": "the page's `<title>`",
    "text": "the main content, a block a line; may be empty",
    "text_digest": "BLAKE2b-128 of the UTF-8 text, hex",
    "extractor": "the method",
    "extractor_options": "its options, canonical JSON",
    "fallback": "the method that stood in, and why",
    "html_bytes": "bytes of the body after transfer and content codings",
    "html_chars": "code points of the decoded page",
    "text_chars": "code points of `text`",
    "words": "words of `text`: runs between blanks",
    "lines": "lines of the page (blocks, for tree methods)",
    "content_lines": "lines that were kept",
    "tags": "tags of the page",
    "link_chars": "characters of the page that stand inside links, blanks not counted",
    "tag_ratio_mean": "mean of the lines' text-to-tag ratios, unsmoothed",
    "tag_ratio_std": "their population standard deviation",
    "threshold": "the threshold that the method applied, where it has one",
    "content_ratio": "text_chars / visible characters of the page",
    "decode_seconds": "CPU seconds of decoding",
    "extract_seconds": "CPU seconds of extraction",
    "html": "kept HTML of tree methods, only with --with-html",
    "confidence": "how sure the method is, from 0 to 1; only of methods that say so (`cedar`)",
}

REJECT_COLUMN_DOCS: typing.Mapping[str, str] = {
    "url": "the target URI, where known",
    "source": "absolute path or URI of the input",
    "offset": "first byte of the record or of the damaged stretch in the input",
    "length": "bytes of the input that it covers",
    "stage": "where it was rejected: read, decode or extract",
    "reason": "why: one of the reasons of the table",
    "detail": "the particulars",
}

TIME_COLUMNS = ("decode_seconds", "extract_seconds")
"""The only columns that may differ between two runs over the same input."""

_TIMESTAMP_COLUMNS = frozenset({"fetched_at"})


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the output.

    Attributes:
        name: the column's name.
        kind: string, bool, int32, int64, float32, float64, or timestamp (microseconds, UTC).
        nullable: whether it may be null.
        doc: its meaning.
    """

    name: str
    kind: str
    nullable: bool
    doc: str


OPTIONAL_COLUMNS = frozenset({"html", "confidence"})
"""The columns of `pages` that stand only in some corpora."""


def page_columns(optional: Collection[str] = ()) -> tuple[Column, ...]:
    """The columns of `pages`, in order.

    Args:
        optional: which of `OPTIONAL_COLUMNS` are among them.
    """
    absent = OPTIONAL_COLUMNS.difference(optional)
    return tuple(c for c in _columns(PageRow, PAGE_COLUMN_DOCS) if c.name not in absent)


def reject_columns() -> tuple[Column, ...]:
    """The columns of `rejects`, in order."""
    return _columns(RejectRow, REJECT_COLUMN_DOCS)


def _columns(row: type, docs: typing.Mapping[str, str]) -> tuple[Column, ...]:
    kinds = {str: "string", bool: "bool", float: "float64"}
    kinds |= {np.int32: "int32", np.int64: "int64", np.float32: "float32"}
    columns = []
    for name, annotation in typing.get_type_hints(row).items():
        alternatives = typing.get_args(annotation) or (annotation,)
        (kind,) = (kinds[a] for a in alternatives if a is not type(None))
        columns.append(
            Column(
                name,
                "timestamp" if name in _TIMESTAMP_COLUMNS else kind,
                type(None) in alternatives,
                docs[name],
            )
        )
    return tuple(columns)


def arrow_schema(columns: tuple[Column, ...]) -> "pyarrow.Schema":
    """The Arrow schema of `columns`: timestamps are `timestamp[us, UTC]`, docs are field metadata."""
    import pyarrow as pa

    kinds = {
        "string": pa.string(),
        "bool": pa.bool_(),
        "int32": pa.int32(),
        "int64": pa.int64(),
        "float32": pa.float32(),
        "float64": pa.float64(),
        "timestamp": pa.timestamp("us", tz="UTC"),
    }
    return pa.schema([pa.field(c.name, kinds[c.kind], c.nullable, {"doc": c.doc}) for c in columns])


def avro_schema(name: str, columns: tuple[Column, ...]) -> dict[str, Any]:
    """The Avro schema of `columns` as a record called `name`, in fastavro's form.

    Timestamps are `long` with the logical type `timestamp-micros` (UTC by definition).
    """
    kinds: dict[str, Any] = {
        "string": "string",
        "bool": "boolean",
        "int32": "int",
        "int64": "long",
        "float32": "float",
        "float64": "double",
        "timestamp": {"type": "long", "logicalType": "timestamp-micros"},
    }
    fields = []
    for c in columns:
        field: dict[str, Any] = {"name": c.name, "type": kinds[c.kind], "doc": c.doc}
        if c.nullable:
            field |= {"type": ["null", kinds[c.kind]], "default": None}
        fields.append(field)
    return {"type": "record", "name": name, "namespace": "cedar", "fields": fields}
