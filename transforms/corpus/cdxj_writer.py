"""A CDXJ of a corpus: a line for each page and revisit, in order of its key, as tools for replay read it."""

import gzip
import heapq
import itertools
import json
import re
import tempfile
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, BinaryIO, NamedTuple

from cedar.transforms.corpus.corpus_reader import CorpusReader, as_lists
from cedar.transforms.corpus.export import chosen_batches
from cedar.transforms.crawls.surt import surt_key
from cedar.transforms.curation.expressions import Expression
from cedar.transforms.files.stores import StoredPath
from cedar.transforms.urls.sample import UrlSample

_SORTED_AT_ONCE = 500_000
"""Lines that are sorted in memory, some 200 MB."""

_PLACE = ("url", "source", "offset", "length", "inner_offset", "warc_name", "warc_offset")
_OF_CAPTURE = (*_PLACE, "payload_digest", "fetched_at", "status", "media_type")


_GZIP = b"\x1f\x8b"
_MAX_LINE = 1 << 16
_LINE = re.compile(rb"[^ \n]+ [0-9]{14} \{")


class CdxjCounts(NamedTuple):
    """What a CDXJ has: pages and revisits; and how many captures it cannot point to."""

    pages: int
    revisits: int
    left_out: int


def write_cdxj(
    source: CorpusReader, file: BinaryIO, *, sample: UrlSample | None = None, where: Expression | None = None
) -> CdxjCounts:
    """Write the captures of a corpus, sorted by their bytes.

    Only pages of a sample for which an expression holds are written; revisits, which have no columns of
    pages, come without an expression only. Files are named from the last folder on that all of them are in. A
    capture without a date, or whose record does not begin a compressed member, is left out. Raises
    DamagedCorpusError, OSError.
    """
    counts: Counter[str] = Counter()
    lines = _lines(source, sample, where, counts=counts)
    with tempfile.TemporaryFile(prefix="cedar-cdxj-") as held:
        starts = [0]
        while part := sorted(itertools.islice(lines, _SORTED_AT_ONCE)):
            held.writelines(part)
            starts.append(held.tell())
        file.writelines(heapq.merge(*(_part(held, *bounds) for bounds in itertools.pairwise(starts))))
    return CdxjCounts(counts["pages"], counts["revisits"], counts["left out"])


def is_cdxj(place: StoredPath) -> bool:
    """Tell whether a file begins as a CDXJ, gzipped or not, or is empty. Raises OSError."""
    with place.open() as file:
        head = file.read(len(_GZIP))
        file.seek(0)
        try:
            line = (
                gzip.GzipFile(fileobj=file).readline(_MAX_LINE) if head == _GZIP else file.readline(_MAX_LINE)
            )
        except (EOFError, gzip.BadGzipFile, zlib.error):
            return False
    return not line or _LINE.match(line) is not None


def _part(file: BinaryIO, start: int, stop: int) -> Iterator[bytes]:
    """Yield the lines in [start, stop) of a file that others read, too."""
    while start < stop:
        file.seek(start)
        line = file.readline()
        start += len(line)
        yield line


def _lines(
    source: CorpusReader, sample: UrlSample | None, where: Expression | None, *, counts: Counter[str]
) -> Iterator[bytes]:
    """Yield the lines of pages and revisits in the order of the corpus; count them, and those left out."""
    shared = _shared_folders(source)
    for kind, row in _captures(source, sample, where):
        line = _line(row, shared)
        counts["left out" if line is None else kind] += 1
        if line is not None:
            yield line


def _captures(
    source: CorpusReader, sample: UrlSample | None, where: Expression | None
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the rows of pages and of revisits, with their kind."""
    for _, batch in chosen_batches(source, _OF_CAPTURE, sample=sample, where=where):
        for values in zip(*as_lists(batch).values(), strict=True):
            yield "pages", dict(zip(_OF_CAPTURE, values, strict=True))
    for row in source.rows("revisits", _OF_CAPTURE) if where is None else ():
        if sample is None or sample.has(row["url"]):
            yield "revisits", {**row, "media_type": "warc/revisit"}


def _line(row: Mapping[str, Any], shared: int) -> bytes | None:
    """Return the line of a capture; None if there can be none."""
    if row["fetched_at"] is None or row["inner_offset"]:
        return None
    moment = datetime.fromtimestamp(row["fetched_at"] // 1_000_000, UTC)
    offset = row["offset"] if row["warc_offset"] is None else row["warc_offset"]
    fields = {
        "url": row["url"],
        "mime": row["media_type"] or "unk",
        "status": row["status"],
        "digest": row["payload_digest"],
        "length": row["length"],
        "offset": offset,
        "filename": "/".join(_file_parts(row)[shared:]),
    }
    written = {name: str(value) for name, value in fields.items() if value is not None}
    return (
        f"{surt_key(row['url'])} {moment:%Y%m%d%H%M%S} {json.dumps(written, ensure_ascii=False)}\n".encode()
    )


def _file_parts(row: Mapping[str, Any]) -> list[str]:
    """Return the path of the WARC file of a row, in parts; a file in a WACZ goes on after that one's path."""
    path = row["source"] if row["warc_name"] is None else f"{row['source']}/{row['warc_name']}"
    return str(path).split("/")


def _shared_folders(source: CorpusReader) -> int:
    """Return how many folders at the beginning of their paths all WARC files of a corpus share."""
    folders = {
        tuple(_file_parts(row)[:-1])
        for kind in ("pages", "revisits")
        for row in source.rows(kind, ("source", "warc_name"))
    }
    shared = 0
    for names in zip(*folders, strict=False):
        if len(set(names)) > 1:
            break
        shared += 1
    return shared
