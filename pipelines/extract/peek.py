"""How dense the pages of an input lie, by its beginning."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from transforms.decode.page import PageFilter, decode_record
from transforms.model.books import RejectedError
from transforms.model.records import Record
from transforms.readers.choices import Asked, InputChoices
from transforms.readers.kinds import kind_of
from transforms.warc.reader import Damage, FileRange

_PEEK = 1 << 20
"""Bytes of a file that are looked at: some thirty pages of a common crawl."""


def pages_a_byte(paths: Iterable[str], wanted: PageFilter, choices: InputChoices) -> float | None:
    """Count the pages at the beginning of files.

    Args:
        paths: files of this machine.
        wanted: what becomes a page.
        choices: what is said of files that are not archives.

    Returns:
        Pages a byte of what was looked at; None if absent, or the files hold none.

    Raises:
        OSError: a file cannot be read.
    """
    pages = looked_at = 0
    asked = Asked(kinds=wanted.record_types, caps=wanted.caps, choices=choices)
    for path in paths:
        size = Path(path).stat().st_size
        span = FileRange(source=path, size=size, start=0, stop=min(size, _PEEK))
        end = span.end
        with Path(path).open("rb") as file:
            for item in kind_of(path).read(file, span, asked):
                if isinstance(item, Record | Damage):
                    pages += isinstance(item, Record) and _is_page(item, wanted)
                    # A row group is longer than what is looked at.
                    end = max(span.end, item.offset + item.length)
                    if end > _PEEK:
                        break
        looked_at += end
    return pages / looked_at if pages else None


def _is_page(record: Record, wanted: PageFilter) -> bool:
    try:
        decode_record(record, wanted)
    except RejectedError:
        return False
    return True
