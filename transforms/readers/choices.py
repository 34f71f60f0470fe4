"""Options for tables and for files of HTML: which columns hold what, and the URLs of pages."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cedar.transforms.model.limits import DEFAULT_MAX_BODY, max_block
from cedar.transforms.model.options import Group, option

_TABLES = Group(
    "tables and HTML files", "Parquet and JSON lines with a column of HTML; HTML files. Columns go by name."
)


_USUAL = {
    "html": ("html", "raw_html", "content", "body"),
    "url": ("url", "uri", "target_uri"),
    "fetched_at": ("fetched_at", "timestamp", "crawl_date", "date"),
    "content_type": ("content_type", "mime_type"),
    "status": ("status", "status_code", "http_status"),
}
"""The usual names of columns, by what they hold; the first one that a table has is taken."""


def _column(key: str, what: str) -> str | None:
    """Make the option for a column."""
    names = ", ".join(_USUAL[key])
    column: str | None = option(
        f"column with {what}", metavar="NAME", group=_TABLES, shown=f"the first there is of {names}"
    )
    return column


@dataclass(frozen=True, slots=True, kw_only=True)
class InputOptions:
    """What the user says about tables and files of HTML, which do not say it themselves."""

    html_column: str | None = _column("html", "the HTML: bytes, or text")
    url_column: str | None = _column("url", "the URL")
    fetched_at_column: str | None = _column(
        "fetched_at", "the time: a timestamp, ISO 8601, or seconds since 1970"
    )
    content_type_column: str | None = _column("content_type", "the Content-Type")
    status_column: str | None = _column("status", "the HTTP status")
    base_url: str | None = option(
        "URL of an input directory of HTML files: the URLs of its pages begin with it",
        metavar="URL",
        shown="file:",
        group=_TABLES,
    )

    def sought_in(self, names: Collection[str]) -> "TableColumns":
        """Choose the columns of a table, or of an object, as far as it has them."""
        return TableColumns(*(self._first_of(names, key) for key in _USUAL))

    def found_in(self, names: Collection[str], *, all_named: bool = True) -> "TableColumns":
        """Choose the columns of a table, or of an object.

        Raises ColumnError without one of HTML or URLs, or, with `all_named`, without one that was named; and
        where two columns of a table have the name that is chosen.
        """
        found = self.sought_in(names)
        needed = {key for key in _USUAL if all_named and self._given(key)} | {"html", "url"}
        missing = [key for key, name in zip(_USUAL, found, strict=True) if name is None and key in needed]
        if missing:
            wanted = ", nor ".join(" or ".join(self._names(key)) for key in missing)
            known = ", ".join(list(names)[:_MAX_NAMED_COLUMNS]) or "nothing"
            options = " and ".join(f"--{key.replace('_', '-')}-column" for key in missing)
            raise ColumnError(f"no column {wanted}, but {known}: give {options}")
        if isinstance(names, Sequence):
            for name in filter(None, found):
                if names.count(name) > 1:
                    raise ColumnError(f"more than one column {name}: rename one")
        return found

    def _first_of(self, names: Collection[str], key: str) -> str | None:
        for name in self._names(key):
            if name in names:
                return name
        return None

    def _names(self, key: str) -> tuple[str, ...]:
        """Return the names that a column may have."""
        given = self._given(key)
        return _USUAL[key] if given is None else (given,)

    def _given(self, key: str) -> str | None:
        given: str | None = getattr(self, f"{key}_column")
        return given


_MAX_NAMED_COLUMNS = 12
"""Columns that a message lists."""


class ColumnError(ValueError):
    """A table lacks a column that is needed; the message says which columns it has."""


class TableColumns(NamedTuple):
    """Names of a table's columns; None = it has no such column."""

    html: str | None
    url: str | None
    fetched_at: str | None
    content_type: str | None
    status: str | None

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns that the table has, each once."""
        return tuple(dict.fromkeys(name for name in self if name is not None))


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOptions:
    """How inputs are read.

    Attributes:
        kinds: types of an archive's records whose blocks are kept.
        max_body: bytes of a page's body that are kept.
        choices: what the user says of tables and HTML files.
        is_wanted: tells whether an archive's records of a URL are wanted; others may be passed over.
    """

    kinds: frozenset[str] = frozenset({"response"})
    max_body: int = DEFAULT_MAX_BODY
    choices: InputOptions = InputOptions()
    is_wanted: Callable[[str], bool] | None = None

    @property
    def max_block(self) -> int:
        """Bytes of a record's block that are kept: an HTTP header and a body."""
        return max_block(self.max_body)
