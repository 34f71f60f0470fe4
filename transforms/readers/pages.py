"""Files of HTML: each is a record. Those below a directory are one input, as if one stood after the other.

The files of a directory are listed once, and the list is kept in the corpus: shards are ranges of it. A file
that has changed since is a fault; one that has come since is not read.
"""

import hashlib
import io
import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import BinaryIO
from urllib.parse import quote

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from cedar.transforms.files.inputs import Folder
from cedar.transforms.files.storage import StoredFile, is_uri, raised_as
from cedar.transforms.model.records import ROW, Record
from cedar.transforms.readers.choices import ReadOptions
from cedar.transforms.readers.rows import iso_date
from cedar.transforms.warc.reader import FileRange, ReadEnd, ReadItem

_LISTING = "listing:"
_MTIME = "mtime:"


def is_folder(source: str) -> bool:
    """Tell whether an input is a directory of pages."""
    return source.endswith("/")


@dataclass(frozen=True, slots=True)
class ListedPage:
    """A file of a listing: its path, size and version, and the byte where it begins among the others."""

    path: str
    size: int
    version: str | None
    start: int

    @property
    def stop(self) -> int:
        """Where the next one begins: an empty file, too, takes a byte."""
        return self.start + max(1, self.size)


@dataclass(frozen=True, slots=True)
class PageListing:
    """The files of HTML below a directory, in the order of their paths."""

    root: str
    pages: tuple[ListedPage, ...]

    @staticmethod
    def of(folder: Folder) -> "PageListing":
        """List a directory."""
        files = sorted(folder.files, key=lambda file: file.path)
        starts = accumulate((max(1, file.size or 0) for file in files), initial=0)
        pages = (ListedPage(f.path, f.size or 0, f.version, at) for f, at in zip(files, starts, strict=False))
        return PageListing(folder.path, tuple(pages))

    @property
    def input(self) -> StoredFile:
        """The listing as an input, whose version is its digest."""
        lines = hashlib.blake2b(digest_size=16)
        for page in self.pages:
            lines.update(os.fsencode(f"{page.path}\t{page.size}\t{page.version}\n"))
        return StoredFile(self.root, self.pages[-1].stop, f"{_LISTING}{lines.hexdigest()}")

    @property
    def name(self) -> str:
        """Its name below the corpus."""
        return listing_name(self.input.version)

    def to_parquet(self) -> bytes:
        """Return the file."""
        table = pa.table(
            {
                "path": pa.array([os.fsencode(page.path) for page in self.pages], pa.binary()),
                "size": [page.size for page in self.pages],
                "version": [page.version for page in self.pages],
                "start": [page.start for page in self.pages],
            }
        )
        sink = io.BytesIO()
        pq.write_table(table, sink, compression="zstd")
        return sink.getvalue()


def listing_name(version: str | None) -> str:
    """Return the name below the corpus of the listing of a version."""
    assert version is not None
    return f"selection/{version.removeprefix(_LISTING)}.parquet"


def read_listing(file: BinaryIO, start: int, stop: int) -> list[ListedPage]:
    """Return the files of a listing that begin in [start, stop); raise OSError if they cannot be read."""
    with raised_as(OSError, pa.ArrowException, KeyError, saying="the listing is broken"):
        table = pq.read_table(file, use_threads=False)
        place = table["start"]
        table = table.filter(pc.and_(pc.greater_equal(place, start), pc.less(place, stop)))
    return [
        ListedPage(os.fsdecode(row["path"]), row["size"], row["version"], row["start"])
        for row in table.to_pylist()
    ]


def page_record(
    body: bytes, page: StoredFile, file_range: FileRange, *, root: str, options: ReadOptions
) -> Record:
    """Return a file of HTML, read up to one byte more than `max_block`, as a record.

    What follows `root` in its path, which ends with a slash, belongs to the URL.
    """
    written = (page.version or "").removeprefix(_MTIME)
    max_bytes = options.max_block
    date = iso_date(int(written) // 1000) if written.isdecimal() else None
    content_type = "application/xhtml+xml" if page.path.lower().endswith(".xhtml") else "text/html"
    url, base = page.path if is_uri(page.path) else Path(page.path).as_uri(), options.choices.base_url
    if base is not None:
        url = base + quote(os.fsencode(page.path.removeprefix(root)))
    return Record(
        location=file_range.location(0, file_range.size),
        kind=ROW,
        url=url,
        record_id=None,
        date=date,
        content_type=content_type,
        block=body[:max_bytes],
        truncated=len(body) > max_bytes,
    )


def read_page_file(file: BinaryIO, file_range: FileRange, options: ReadOptions) -> Iterator[ReadItem]:
    """Yield the one record of a file of HTML, then its end; raises OSError from the file."""
    body = file.read(options.max_block + 1)
    state = StoredFile(file_range.source, file_range.size, None)
    if not is_uri(file_range.source):
        state = StoredFile(
            file_range.source, file_range.size, f"{_MTIME}{os.fstat(file.fileno()).st_mtime_ns}"
        )
    yield page_record(
        body, state, file_range, root=file_range.source.rpartition("/")[0] + "/", options=options
    )
    yield ReadEnd(0, file_range.size, 1, len(body))
