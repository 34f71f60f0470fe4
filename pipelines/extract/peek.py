"""How dense the pages of an archive lie, by its beginning."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from transforms.decode.page import PageFilter, decode_record
from transforms.model.books import RejectedError
from transforms.model.records import Record
from transforms.warc.reader import FileRange, read_records

_PEEK = 1 << 20
"""Bytes of a file that are looked at: some thirty pages of a common crawl."""


def pages_a_byte(paths: Iterable[str], wanted: PageFilter) -> float | None:
    """Count the pages at the beginning of files.

    Returns:
        Pages a byte of what was looked at; None if absent, or the files are not archives.

    Raises:
        OSError: a file cannot be read.
    """
    pages = looked_at = 0
    for path in paths:
        size = Path(path).stat().st_size
        span = FileRange(source=path, size=size, start=0, stop=min(size, _PEEK))
        with Path(path).open("rb") as file:
            records = read_records(file, span, kinds=wanted.record_types, caps=wanted.caps)
            pages += sum(_is_page(item, wanted) for item in records if isinstance(item, Record))
        looked_at += min(size, _PEEK)
    return pages / looked_at if pages else None


def _is_page(record: Record, wanted: PageFilter) -> bool:
    try:
        decode_record(record, wanted)
    except RejectedError:
        return False
    return True
