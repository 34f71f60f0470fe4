"""One page for `cedar explain`: out of an HTML file, or out of a record of a WARC or ARC file.

Reading and decoding are the main job's; only the choice is wider: any record type with a page, any status.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pipelines.common.corpus_page import Located
from pipelines.common.errors import UsageError
from pipelines.common.messages import visible
from transforms.decode.charset import decode_text
from transforms.decode.page import PageFilter, decode_record
from transforms.decode.prescan import declared_language
from transforms.files.http_options import Persistence, WebOptions
from transforms.files.inputs import RECORD_SUFFIXES, InputError, has_suffix, list_inputs
from transforms.files.storage import StoredFile
from transforms.files.stores import StoredInput, source_for
from transforms.model.books import NO_COST, RejectedError
from transforms.model.records import ROW, Page, Record
from transforms.readers.choices import Asked
from transforms.warc.reader import FileRange, ReadEnd
from transforms.warc.recognise import recognise
from transforms.warc.window import Window

if TYPE_CHECKING:
    from transforms.files.http_client import Web

_ANY = PageFilter(record_types=frozenset({"response", "resource", "conversion"}), statuses=((0, 999),))
_PATIENCE = Persistence(attempts=5)
_NAMED = 5  # URLs that a message lists


def read_page(place: Located, url: str | None, web: WebOptions) -> Page:
    """Read one page: of an archive or a table the record with the URL; of several the first that is a page.

    Raises UsageError without such a file or record, or if it is not a page.
    """
    path, offset = place.path, place.offset
    try:
        client = None if Path(path).is_file() else _client(web)
        (file, *more) = list_inputs([path], web=client)
        if more:
            raise UsageError(f"{path} is {len(more) + 1} files: name one")
        source = source_for(file.path, client)
        with source.open() as opened:
            if has_suffix(file.path, RECORD_SUFFIXES) or (
                file.size and not isinstance(recognise(Window(opened, file.size)), str)
            ):
                return _from_archive(file, source, url, place)
            if (url is not None or offset is not None) and place.fate is None:
                raise UsageError(f"not a WARC or ARC file: {path} (leave out --url and --offset)")
            opened.seek(0)
            body = opened.read(_ANY.caps.max_body + 1)
    except InputError as fault:
        raise UsageError(str(fault)) from fault
    except (OSError, ValueError) as fault:
        raise UsageError(f"cannot read {path}: {fault}") from fault
    page = _from_bytes(body, path)
    return page if url is None else replace(page, url=url)


def _client(web: WebOptions) -> Web:
    from transforms.files.http_client import Web  # here, where it is asked for: a file needs none of it

    return Web(replace(web, persistence=_PATIENCE))


def read_standard_input(url: str | None, offset: int | None) -> Page:
    """Read one page of HTML from standard input; raise UsageError if a record is asked for, or none comes."""
    if url is not None or offset is not None:
        raise UsageError("standard input is one page: --url and --offset choose a record of an archive")
    if sys.stdin is None:
        raise UsageError("standard input is closed: give a file, or pipe a page in")
    try:
        body = sys.stdin.buffer.read(_ANY.caps.max_body + 1)
    except OSError as fault:
        raise UsageError(f"cannot read standard input: {fault}") from fault
    return _from_bytes(body, "standard input")


def _from_bytes(body: bytes, source: str) -> Page:
    """Return the page in some bytes, one more than the cap where there are more; it has no URL."""
    cut = len(body) > _ANY.caps.max_body
    text = decode_text(body[: _ANY.caps.max_body], header_label=None, truncated=cut)
    size = min(len(body), _ANY.caps.max_body)
    return Page(
        *("", source, 0, size, 0),  # its place
        *("", None, None, None, None),  # what a record says
        *(text.charset, text.source.value, text.replaced, cut, declared_language(text.utf8)),
        *(text.utf8, size, text.chars, NO_COST),
    )


def _from_archive(file: StoredFile, source: StoredInput, url: str | None, place: Located) -> Page:
    offset = place.offset
    refusals, seen = [], []
    for record in _records(file, source, place):
        if url is not None and record.url != url:
            continue
        try:
            page = decode_record(record, _ANY)
        except RejectedError as error:
            name = record.url or f"the record at {record.offset}"
            refusals.append(visible(f"not a page: {name} ({error})"))
            continue
        seen.append(page)
        if url is not None or offset is not None or len(seen) > _NAMED:
            break
    if not seen:
        if refusals and (url is not None or offset is not None):
            raise UsageError(refusals[0])
        wanted = f"no record with the URL {url}" if url is not None else "no page"
        raise UsageError(f"{file.path} has {wanted}{'' if offset is None else f' at byte {offset}'}")
    if len(seen) > 1:
        urls = visible(", ".join(page.url for page in seen[:_NAMED]))
        more = " and more" if len(seen) > _NAMED else ""
        raise UsageError(f"{file.path} has more than one page: choose with --url one of {urls}{more}")
    return seen[0]


def _records(file: StoredFile, source: StoredInput, place: Located) -> Iterator[Record]:
    # Here, where a record is asked for: a page alone needs no Arrow.
    from transforms.readers.kinds import kind_of

    offset = place.offset
    size = source.stat().size or 0 if file.size is None else file.size
    start, stop = (0, size) if offset is None else (offset, offset + 1)
    if not 0 <= start < size:
        raise UsageError(f"{file.path} has {size} bytes, none at {offset}")
    span = FileRange(source=file.path, size=size, start=start, stop=stop)
    with source.open() as opened:
        asked = Asked(kinds=_ANY.record_types, choices=place.choices)
        for item in kind_of(file.path).read(opened, span, asked):
            if isinstance(item, ReadEnd):
                return
            if isinstance(item, Record) and item.kind in (*_ANY.record_types, ROW):
                yield item
