"""The names of input files: which ones a searched directory gives, and which ones are not read."""

from collections.abc import Iterable

from cedar.transforms.files.storage import is_uri
from cedar.transforms.warc.containers import COMPRESSION_SUFFIXES


class InputError(ValueError):
    """An input that cannot be read as the user asked; the message says what to do."""


_PACKINGS = ("", *COMPRESSION_SUFFIXES)
ARCHIVE_SUFFIXES = tuple(f"{name}{packing}" for name in (".warc", ".arc") for packing in _PACKINGS)
PARQUET_SUFFIXES = (".parquet", ".parq")
_LINES = (".jsonl", ".ndjson")
_SEARCHED_LINES = tuple(f"{name}{packing}" for name in _LINES for packing in _PACKINGS)
LINES_SUFFIXES = (*_SEARCHED_LINES, *(f".json{packing}" for packing in _PACKINGS))
WACZ_SUFFIX = ".wacz"
PAGE_SUFFIXES = (".html", ".htm", ".xhtml")
RECORD_SUFFIXES = (*PARQUET_SUFFIXES, *LINES_SUFFIXES, WACZ_SUFFIX)

SEARCHED = ((*ARCHIVE_SUFFIXES, WACZ_SUFFIX), (*PARQUET_SUFFIXES, *_SEARCHED_LINES), PAGE_SUFFIXES)
"""A directory is searched for archives; without any, for tables (but not `.json`, which may be anything);
else for pages. A file that is named itself may have any name, and is then an archive."""

UNREAD_SUFFIXES = tuple(
    f"{name}{packing}"
    for name in (".warc", ".arc", ".parquet", *_LINES, ".json")
    for packing in (".lz4", ".bz2", ".xz", ".br")
    if packing not in COMPRESSION_SUFFIXES
)
"""Names of inputs in a packing that is not read."""

UNREAD = "this packing is not read, use gzip or zstd"

UNFINISHED_SUFFIXES = (".open", ".tmp", ".part")
"""Names that writers give to files that are not whole yet; so are names that begin with a dot."""


def has_suffix(path: str, suffixes: tuple[str, ...]) -> bool:
    """Tell whether a name ends so; what follows the ? of a URI does not count."""
    return (path.partition("?")[0] if is_uri(path) else path).lower().endswith(suffixes)


def is_hidden(path: str) -> bool:
    """Tell whether the name of a file begins with a dot."""
    return path.rpartition("/")[2].startswith(".")


def is_unfinished(path: str) -> bool:
    """Tell whether the name says that somebody is still writing the file."""
    return is_hidden(path) or path.lower().endswith(UNFINISHED_SUFFIXES)


def searched_suffixes(paths: Iterable[str]) -> tuple[str, ...]:
    """Return the suffixes of the first kind that a directory has files of; () if it has none."""
    names = [path.lower() for path in paths]
    for suffixes in SEARCHED:
        if any(name.endswith(suffixes) for name in names):
            return suffixes
    return ()
