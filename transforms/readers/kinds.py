"""What kind of input a file is, by its name, and what reads it; a new kind is a module and a line here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import BinaryIO

from transforms.files.inputs import LINES_SUFFIXES, PAGE_SUFFIXES, PARQUET_SUFFIXES, WACZ_SUFFIX
from transforms.files.storage import is_uri
from transforms.model.records import Record
from transforms.readers import json_lines, pages, parquet, wacz
from transforms.readers.choices import Asked
from transforms.warc import reader as warc
from transforms.warc.reader import Damage, FileRange, ReadEnd


@dataclass(frozen=True, slots=True)
class InputKind:
    """A kind of input.

    Attributes:
        suffixes: of its names, in lower case; that of archives has none, and takes what is left.
        read: yields the records of a range of a file in order, then its end.
        is_splittable: tells whether ranges of a file can be read apart from each other to any profit.
        column_names: of a table the names of its columns, or those of its first row; none if it has no row.
    """

    suffixes: tuple[str, ...]
    read: Callable[[BinaryIO, FileRange, Asked], Iterator[Record | Damage | ReadEnd]]
    is_splittable: Callable[[BinaryIO, int], bool]
    column_names: Callable[[BinaryIO], list[str]] | None = None


def _read_archive(file: BinaryIO, span: FileRange, asked: Asked) -> Iterator[Record | Damage | ReadEnd]:
    return warc.read_records(file, span, kinds=asked.kinds, caps=asked.caps)


_KINDS = (
    InputKind(PARQUET_SUFFIXES, parquet.read_parquet, parquet.is_splittable, parquet.column_names),
    InputKind(LINES_SUFFIXES, json_lines.read_json_lines, json_lines.is_splittable, json_lines.field_names),
    InputKind(PAGE_SUFFIXES, pages.read_page_file, lambda _file, _size: False),
    InputKind((WACZ_SUFFIX,), wacz.read_wacz, wacz.is_splittable),
)
_ARCHIVE = InputKind((), _read_archive, warc.is_splittable)


def has_records(path: str) -> bool:
    """Tell whether a name is that of a table or a WACZ: of what holds pages besides archives."""
    return kind_of(path).suffixes not in ((), PAGE_SUFFIXES)


def kind_of(path: str) -> InputKind:
    """Return the kind of an input; what stands after the ? of a URI does not count."""
    name = (path.partition("?")[0] if is_uri(path) else path).lower()
    return next((kind for kind in _KINDS if name.endswith(kind.suffixes)), _ARCHIVE)
