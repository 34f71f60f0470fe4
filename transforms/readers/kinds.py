"""The kinds of inputs, by their names, and what reads each; a new kind is a module and a line here."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import BinaryIO

from cedar.transforms.files.input_kinds import (
    LINES_SUFFIXES,
    PAGE_SUFFIXES,
    PARQUET_SUFFIXES,
    WACZ_SUFFIX,
    InputError,
    has_suffix,
)
from cedar.transforms.readers import json_lines, pages, parquet, wacz
from cedar.transforms.readers.choices import InputOptions, ReadOptions
from cedar.transforms.readers.pages import is_folder
from cedar.transforms.warc import reader as warc
from cedar.transforms.warc.reader import FileRange, ReadItem


@dataclass(frozen=True, slots=True)
class InputKind:
    """A kind of input.

    Attributes:
        suffixes: the endings of its names, in lower case.
        read: yields the records of a range of a file in order, then its end.
        is_splittable: tells whether ranges of a file can be read apart from each other.
        column_names: returns the names of a table's columns; None if it is no table.
    """

    suffixes: tuple[str, ...]
    read: Callable[[BinaryIO, FileRange, ReadOptions], Iterator[ReadItem]]
    is_splittable: Callable[[BinaryIO, int], bool]
    column_names: Callable[[BinaryIO], list[str]] | None = None


def _read_archive(file: BinaryIO, file_range: FileRange, options: ReadOptions) -> Iterator[ReadItem]:
    return warc.read_records(
        file,
        file_range,
        kinds=options.kinds,
        max_block=options.max_block,
        is_wanted=options.is_wanted,
    )


def _is_never_splittable(_file: BinaryIO, _size: int) -> bool:
    return False


_KINDS = (
    InputKind(PARQUET_SUFFIXES, parquet.read_parquet, parquet.is_splittable, parquet.column_names),
    InputKind(LINES_SUFFIXES, json_lines.read_json_lines, json_lines.is_splittable, json_lines.field_names),
    InputKind(PAGE_SUFFIXES, pages.read_page_file, _is_never_splittable),
    InputKind((WACZ_SUFFIX,), wacz.read_wacz, wacz.is_splittable),
)
_ARCHIVE = InputKind((), _read_archive, warc.is_splittable)


def kind_of(path: str) -> InputKind:
    """Return the kind of an input: by its suffix, else an archive."""
    for kind in _KINDS:
        if has_suffix(path, kind.suffixes):
            return kind
    return _ARCHIVE


def refuse_unused(choices: InputOptions, paths: Iterable[str]) -> None:
    """Raise InputError for a choice that says something of none of the inputs."""
    given = {name for name, value in asdict(choices).items() if value is not None}
    for path in paths if given else ():
        if is_folder(path) or has_suffix(path, PAGE_SUFFIXES):
            given.discard("base_url")
        elif kind_of(path).column_names is not None:
            given &= {"base_url"}
    if given:
        name = min(given)
        kind = "files of HTML" if name == "base_url" else "tables: Parquet and JSON lines"
        raise InputError(f"--{name.replace('_', '-')} is for {kind}; there are none of them in the input")
