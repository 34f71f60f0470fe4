"""Inputs: what there is to read, as the user named it: files, directories, globs, lists, URIs.

Local directories are read each once, through links, and never around in a circle.
"""

from __future__ import annotations

import errno
import fnmatch
import hashlib
import os
import re
import zlib
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISREG
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import unquote

from cedar.transforms.files.http_options import check_url, is_web
from cedar.transforms.files.local import LocalStorage
from cedar.transforms.files.places import Identity, identity_of, relation
from cedar.transforms.files.storage import Storage, StoredFile, is_uri, raised_as
from cedar.transforms.files.stores import inflated, read_small, source_for, storage_for
from cedar.transforms.warc.containers import COMPRESSION_SUFFIXES

if TYPE_CHECKING:
    from cedar.transforms.files.http_client import Web

_MAGIC = frozenset("*?[")
_PART = re.compile(r"\*\*|\*|\?|\[!?\]?[^]/]*\]|[^*?[]+|\[")


@dataclass(frozen=True, slots=True)
class FoundPath:
    """A path below a directory, or one that a glob matches, spelled from where the search began.

    It may be a directory, or a link to one; it is `linked` if a component of it after the start of the search
    is a link, and `dead` if it is a link that leads nowhere.
    """

    path: str
    is_directory: bool
    linked: bool
    dead: bool = False


def walk(top: str, exclude: str | None, passing: set[str]) -> Iterator[FoundPath]:
    """Find all but directories below a directory, but for hidden names, in the order of names.

    What no link leads to comes first; then come the directories that only links lead to, each once. Paths in
    `passing` are passed over, and taken out of it. Raises OSError where a directory cannot be read.
    """
    for _, entries in _directories(top, exclude, passing):
        yield from (found for found in entries if not found.is_directory and not _is_hidden(found.path))


def has_magic(path: str) -> bool:
    """Tell whether a path has characters of a glob."""
    return not _MAGIC.isdisjoint(path)


def matches(pattern: str, passing: set[str]) -> Iterator[FoundPath]:
    """Find what a glob matches, in the order of names; `**` stands for any number of directories.

    Hidden names are matched only where the pattern has the dot. Paths in `passing` are passed over, and taken
    out of it. Raises OSError.
    """
    parts = pattern.strip("/").split("/")
    if parts[-1] == "**":
        parts.append("*")
    places = [FoundPath("", is_directory=True, linked=False)]
    for part in parts:
        places = [found for place in places if place.is_directory for found in _step(place, part, passing)]
    yield from places


def _step(place: FoundPath, part: str, passing: set[str]) -> Iterator[FoundPath]:
    """Yield what one component of a pattern matches in a directory."""
    directory = place.path or "/"
    if part == "**":
        for below, _ in _directories(directory, None, set()):
            yield FoundPath(below.path.rstrip("/"), is_directory=True, linked=place.linked or below.linked)
    elif has_magic(part):
        for found in _entries(directory, place.linked, passing):
            name = found.path.rpartition("/")[2]
            if fnmatch.fnmatchcase(name, part) and (part.startswith(".") or not _is_hidden(name)):
                yield found
    else:
        path = f"{place.path}/{part}"
        if os.path.lexists(path):
            yield FoundPath(path, os.path.isdir(path), place.linked, not os.path.exists(path))  # noqa: PTH110, PTH112


def _directories(
    top: str, exclude: str | None, passing: set[str]
) -> Iterator[tuple[FoundPath, list[FoundPath]]]:
    """Walk a directory and all below it, with what is in them, each once: first what no link leads to."""
    seen: set[Identity] = set()
    if exclude is not None:
        with suppress(OSError):
            seen.add(identity_of(os.stat(exclude)))  # noqa: PTH116
    waiting = [FoundPath(top, is_directory=True, linked=False)]
    links: deque[FoundPath] = deque()
    while waiting or links:
        directory = waiting.pop() if waiting else links.popleft()
        # What goes between the listing and the question is no longer there to be read.
        with suppress(FileNotFoundError):
            identity = identity_of(os.stat(directory.path))  # noqa: PTH116
            if identity in seen:
                continue
            seen.add(identity)
            entries = _entries(directory.path, directory.linked, passing)
            yield directory, entries
            below = [found for found in entries if found.is_directory and not _is_hidden(found.path)]
            links += [found for found in below if found.linked and not directory.linked]
            waiting += [found for found in reversed(below) if directory.linked or not found.linked]


def _entries(directory: str, linked: bool, passing: set[str]) -> list[FoundPath]:
    """Return what is in a directory, in the order of names, but for what is passed over."""
    with os.scandir(directory) as found:
        entries = {entry.path: entry for entry in found}
    passed = passing & entries.keys()
    passing -= passed
    return [_found(entries[path], linked) for path in sorted(entries.keys() - passed)]


def _found(entry: os.DirEntry[str], linked: bool) -> FoundPath:
    is_link = entry.is_symlink()
    try:
        is_directory = entry.is_dir()
        dead = is_link and not is_directory and not os.path.exists(entry.path)  # noqa: PTH110
    except OSError as fault:
        # A link that leads to itself leads nowhere.
        if fault.errno != errno.ELOOP:
            raise
        is_directory, dead = False, True
    return FoundPath(entry.path, is_directory, linked or is_link, dead)


def _is_hidden(path: str) -> bool:
    return path.rpartition("/")[2].startswith(".")


def find(storage: Storage, pattern: str) -> Iterator[StoredFile]:
    """Find the files that a URI names, in the order of the store; raise OSError where it cannot be listed.

    It is a file; a directory, with a slash at its end, of which all below is meant; or a glob of `*`, `?` and
    `[...]`, which stand for no slash, and `**`, which stands for anything.
    """
    if not has_magic(pattern) and not pattern.endswith("/"):
        try:
            yield storage.stat(pattern)
        except FileNotFoundError:
            return
        return
    fixed = re.split(r"[*?[]", pattern, maxsplit=1)[0]
    parts = _PART.findall(pattern + "**" if pattern.endswith("/") else pattern)
    expression = re.compile("".join(map(_translated, parts)), re.DOTALL)
    yield from (file for file in storage.below(fixed) if expression.fullmatch(file.path))


def _translated(part: str) -> str:
    if part == "**":
        return ".*"
    if part == "*":
        return "[^/]*"
    if part == "?":
        return "[^/]"
    if part.startswith("[") and len(part) > 1:
        inside = part[1:-1]
        negated = inside.startswith("!")
        allowed = re.sub(r"([\\\[\]&~|^])", r"\\\1", inside.removeprefix("!"))
        return f"(?!/)[{'^' if negated else ''}{allowed}]"
    return re.escape(part)


_PACKINGS = ("", *COMPRESSION_SUFFIXES)
ARCHIVE_SUFFIXES = tuple(f"{name}{packing}" for name in (".warc", ".arc") for packing in _PACKINGS)
PARQUET_SUFFIXES = (".parquet", ".parq")
_LINES = (".jsonl", ".ndjson")
_SEARCHED_LINES = tuple(f"{name}{packing}" for name in _LINES for packing in _PACKINGS)
LINES_SUFFIXES = (*_SEARCHED_LINES, *(f".json{packing}" for packing in _PACKINGS))
WACZ_SUFFIX = ".wacz"
PAGE_SUFFIXES = (".html", ".htm", ".xhtml")
RECORD_SUFFIXES = (*PARQUET_SUFFIXES, *LINES_SUFFIXES, WACZ_SUFFIX)
_SEARCHED = ((*ARCHIVE_SUFFIXES, WACZ_SUFFIX), (*PARQUET_SUFFIXES, *_SEARCHED_LINES), PAGE_SUFFIXES)
"""Names that a directory is searched for: archives; without any, tables (but for `.json`,
which may be anything); else pages. A file that is named itself may have any name, and is then an archive."""

UNREAD_SUFFIXES = tuple(
    f"{name}{packing}"
    for name in (".warc", ".arc", ".parquet", *_LINES, ".json")
    for packing in (".lz4", ".bz2", ".xz", ".br")
)
"""What would be an input, were it packed otherwise."""

UNREAD = "this packing is not read, use gzip or zstd"

UNFINISHED_SUFFIXES = (".open", ".tmp", ".part")
"""Names that writers give to files that are not whole yet; so are names that begin with a dot."""

_MOST_OF_A_LIST = 256 << 20
"""Bytes of a list of paths, packed or inflated: some two million lines."""


_Taken = tuple[StoredFile, bool, str]
"""A file, whether its name leads through a link, and the directory of pages that it belongs to, or ""."""

FileT = TypeVar("FileT", FoundPath, StoredFile)


class InputError(ValueError):
    """An input that cannot be read as the user asked; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Inputs:
    """What there is to read, each once: files in the order of the arguments, directories of files of HTML.

    `passed_over` says of what lies in searched directories, or was matched by globs, why it is not read.
    """

    files: tuple[StoredFile, ...]
    folders: tuple[Folder, ...]
    passed_over: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Folder:
    """A directory or a prefix of URIs: its path, which ends in a slash, and the files of HTML below it."""

    path: str
    files: tuple[StoredFile, ...]


@dataclass(frozen=True, slots=True)
class LineChoice:
    """Which lines of a list are read.

    Attributes:
        prefix: put in front of each.
        start, stop: half-open range of them; None = to the end.
        sample: at most this many of them: those with the smallest hashes, the same on every machine;
            a smaller sample is part of a larger one. None = all.
        seed: of the hashes.
        may_be_empty: a list without a line is not a fault.
    """

    prefix: str = ""
    start: int = 0
    stop: int | None = None
    sample: int | None = None
    seed: int = 0
    may_be_empty: bool = False

    def of(self, entries: Sequence[str]) -> tuple[str, ...]:
        """Return the chosen of the lines of a list, in their order, each with the prefix.

        Raises InputError if no line is chosen; the message says how many there were.
        """
        chosen = entries[self.start : self.stop]
        if not chosen and (entries or not self.may_be_empty):
            raise InputError(f"{len(entries)} lines, none of them in the slice")
        if self.sample is not None and self.sample < len(chosen):
            ranked = sorted(range(len(chosen)), key=lambda i: self._hash(chosen[i]))
            chosen = [chosen[i] for i in sorted(ranked[: self.sample])]
        return tuple(self.prefix + entry for entry in chosen)

    def _hash(self, entry: str) -> bytes:
        text = f"{self.seed}\t{entry}".encode("utf-8", "surrogateescape")
        return hashlib.blake2b(text, digest_size=16).digest()


ALL_LINES = LineChoice()


def list_inputs(
    inputs: Iterable[str], *, exclude: str | None = None, web: Web | None = None
) -> tuple[StoredFile, ...]:
    """Return the files of `find_inputs`; raise InputError for a directory with files of HTML, too."""
    found = find_inputs(inputs, exclude=exclude, web=web)
    if found.folders:
        raise InputError(f"{found.folders[0].path} has files of HTML alone: name one")
    return found.files


def find_inputs(
    inputs: Iterable[str],
    *,
    lines: LineChoice = ALL_LINES,
    exclude: str | None = None,
    passing: set[str] | None = None,
    web: Web | None = None,
) -> Inputs:
    """Find the files that `inputs` name.

    Links are followed. A file that has several names (links, hard links) is taken once: under the name
    that is not a link, else under the first by name.

    Args:
        inputs: files, globs, directories (searched recursively for archives, else for tables), `@list` files
            (a path a line, perhaps gzipped; `#` begins a comment), or URIs of these.
        lines: which lines of each list, and what is put in front of them.
        exclude: a directory that is not searched (the output).
        passing: None = files stay as they are. Else they may come and go: what matches nothing now is not a
            fault, names of files that are not whole yet are passed over, and whether a file can be read is
            found out when it is. These paths are passed over in directories, and taken out of the set.
        web: asks web servers; None = one of its own.

    Raises InputError where an input matches nothing or cannot be read; with `passing` OSError where a
    directory cannot be read now.
    """
    search = _Search(exclude, passing, web)
    for argument in inputs:
        if argument.startswith("@"):
            search.add_lines(list(_listed(argument, lines, web)))
        else:
            search.add(argument)
    return search.found()


def has_suffix(path: str, suffixes: tuple[str, ...]) -> bool:
    """Tell whether a name ends so; what stands after the ? of a URI does not count."""
    return (path.partition("?")[0] if is_uri(path) else path).lower().endswith(suffixes)


def is_unfinished(path: str) -> bool:
    """Tell whether the name says that somebody is still writing the file."""
    name = path.rpartition("/")[2]
    return name.startswith(".") or name.lower().endswith(UNFINISHED_SUFFIXES)


def without_scheme(text: str) -> str:
    """Return the path of a `file:` URI (RFC 8089), or anything else; raise InputError for another machine."""
    scheme, colon, rest = text.partition("://")
    if not colon or scheme.lower() != "file":
        return text
    host, slash, path = rest.partition("/")
    if not slash or host.lower() not in ("", "localhost"):
        raise InputError(f"not a path on this machine: {text!r} (write it as file:///data/a.warc.gz)")
    return "/" + unquote(path, errors="surrogateescape")


class _Search:
    """Gathers files, each under one name."""

    def __init__(self, exclude: str | None, passing: set[str] | None, web: Web | None) -> None:
        self._exclude = exclude
        self._web = web
        self._arriving = passing is not None
        self._passing = passing or set()
        self._files: dict[Identity | str, _Taken] = {}
        self._passed_over: dict[str, str] = {}
        self._notes = None if self._arriving else self._passed_over

    def found(self) -> Inputs:
        folders: dict[str, list[StoredFile]] = {}
        for file, _, folder in self._files.values():
            if folder:
                folders.setdefault(folder, []).append(file)
        return Inputs(
            tuple(file for file, _, folder in self._files.values() if not folder),
            tuple(Folder(path, tuple(files)) for path, files in folders.items()),
            tuple(self._passed_over.items()),
        )

    def add(self, argument: str) -> None:
        """Gather what a path, a glob or a URI names; raises as `find_inputs`."""
        path = without_scheme(argument)
        if not path:
            raise InputError("an input is empty: give a path (is a variable not set?)")
        if "\0" in path:
            raise InputError(f"not a valid path: {path!r} (it has a NUL)")
        taken = False
        if is_uri(path):
            files = list(
                _on_a_web_server(path, self._web) if is_web(path) else _remote_matches(path, self._notes)
            )
            if self._arriving:
                files = [file for file in files if not is_unfinished(file.path)]
            for file in files:
                if not self._is_unread(file.path, path):
                    self._files.setdefault(file.path, (file, False, _folder(path, file.path)))
                    taken = True
        else:
            taken = self._add_local(path)
        if not taken and not self._arriving:
            raise InputError(self._nothing(path))

    def add_lines(self, paths: Sequence[str]) -> None:
        """Gather what the lines of a list name.

        Lines may be many: files of an object store are looked for folder by folder, those of web servers are
        not asked for. Their size and version are found out when they are read. Raises as `add`.
        """
        folders: dict[str, list[str]] = {}
        for path in () if self._arriving else paths:
            if is_uri(path) and not is_web(path) and not has_magic(path):
                folders.setdefault(path.rpartition("/")[0], []).append(path)
        known: dict[str, StoredFile] = {}
        for names in folders.values():
            if len(names) > 1:
                below = _remote_matches(f"{os.path.commonprefix(names)}*", None)  # noqa: RUF071
                known |= {file.path: file for file in below}
        for path in paths:
            if is_web(path) and not path.endswith("/") and not self._arriving:
                with raised_as(InputError, OSError, saying=f"cannot read {path}"):
                    check_url(path)
                known[path] = StoredFile(path, None, None)
            if path in known:
                self._files.setdefault(path, (known[path], False, ""))
            else:
                self.add(path)

    def _nothing(self, path: str) -> str:
        if is_uri(path) or not Path(path).is_dir():
            return f"nothing matches {path}: check the path, or quote the glob"
        below = os.path.abspath(path)  # noqa: PTH100
        others = [
            f", only {other}: {why}" for other, why in self._passed_over.items() if other.startswith(below)
        ]
        searched = " ".join(sum(_SEARCHED, ()))
        return f"no {searched} file below {path}{others[0] if others else ''}"

    def _add_local(self, path: str) -> bool:
        """Gather files of this machine; whether there were any."""
        # Path.resolve would follow links, and the name would change.
        taken, given = False, os.path.abspath(path)  # noqa: PTH100
        # A search that passes something over comes after one that looked at all, and asked this.
        is_asked = self._exclude is not None and not self._passing and Path(path).is_dir()
        place = relation(path, self._exclude or "") if is_asked else None
        if place in ("is", "lies in"):
            raise InputError(
                f"{path} {place} the output {self._exclude}, which is not searched: choose another --output"
            )
        try:
            for found, folder in _local(given, self._exclude, self._passing, self._notes):
                if found.dead and (self._arriving or found.path != given):
                    self._passed_over[found.path] = "the link leads nowhere"
                elif self._is_unread(found.path, given):
                    continue
                elif not self._arriving or not is_unfinished(found.path):
                    taken |= self._take(found, folder, is_named=found.path == given)
        except OSError as fault:
            if self._arriving:
                raise
            raise InputError(f"cannot read {fault.filename or path}: {fault.strerror or fault}") from fault
        return taken

    def _is_unread(self, path: str, given: str) -> bool:
        """Tell whether a file that is not named itself is packed in a way that is not read; it is noted."""
        if path == given or not has_suffix(path, UNREAD_SUFFIXES):
            return False
        self._passed_over[path] = UNREAD
        return True

    def _take(self, found: FoundPath, folder: str, *, is_named: bool) -> bool:
        """Gather a file, unless it was gathered under a better name; whether there was one."""
        try:
            stat = _stat(found.path, opens=not self._arriving)
        except FileNotFoundError:
            if not self._arriving:
                raise
            return False
        if stat is None:
            if is_named and not self._arriving:
                raise InputError(f"not a file: {found.path}")
            self._passed_over[found.path] = "not a file"
            return False
        file = StoredFile(found.path, stat.st_size, f"mtime:{stat.st_mtime_ns}")
        # Some file systems number nothing.
        key = identity_of(stat) if stat.st_ino else found.path
        before = self._files.get(key)
        if before is None or _rank(file.path, found.linked) < _rank(before[0].path, before[1]):
            self._files[key] = file, found.linked, folder
        return True


def _rank(path: str, linked: bool) -> tuple[bool, bool, str]:
    """Return the order of the names of one file: the least is taken."""
    return linked, os.path.realpath(path) != path, path


def _local(
    path: str, exclude: str | None, passing: set[str], passed_over: dict[str, str] | None
) -> Iterator[tuple[FoundPath, str]]:
    """Yield what a path or a glob names, and "" or the directory that it stands for with others below."""
    if os.path.lexists(path):
        is_link = os.path.islink(path)  # noqa: PTH114
        named: Iterable[FoundPath] = (FoundPath(path, Path(path).is_dir(), is_link, not Path(path).exists()),)
    else:
        named = matches(path, passing) if has_magic(path) else ()
    for found in named:
        if not found.is_directory:
            yield found, ""
            continue
        for below in _of_first_kind(list(walk(found.path, exclude, passing)), found.path, passed_over):
            page = FoundPath(below.path, below.is_directory, found.linked or below.linked, below.dead)
            yield page, _folder(f"{found.path.rstrip('/')}/", below.path)


def _folder(searched: str, path: str) -> str:
    """Return the directory that was searched, where a page of HTML was found in it; else ""."""
    return searched if searched.endswith("/") and path.lower().endswith(PAGE_SUFFIXES) else ""


def _of_first_kind(found: Sequence[FileT], searched: str, passed_over: dict[str, str] | None) -> list[FileT]:
    """Return the archives, else the tables, else the pages, and what is not read; the others are noted.

    Where nothing is noted, files arrive: of them the archives alone.
    """
    kinds: tuple[tuple[str, ...], ...] = _SEARCHED[:1] if passed_over is None else _SEARCHED
    suffixes = next((s for s in kinds if any(file.path.lower().endswith(s) for file in found)), ())
    chosen = [file for file in found if file.path.lower().endswith(suffixes)]
    chosen += [file for file in found if file.path.lower().endswith(UNREAD_SUFFIXES)]
    known = {file.path for file in chosen}
    others = [file.path for file in found if file.path not in known]
    if suffixes and others and passed_over is not None:
        more = f" and {len(others) - 1:,} more" if len(others) > 1 else ""
        passed_over[f"{others[0]}{more}"] = f"below {searched} only {' '.join(suffixes)} are read"
    return chosen


def _stat(path: str, *, opens: bool) -> os.stat_result | None:
    """Return what the system knows of a file; None where it is not a file."""
    # ReadOptions before it is opened: opening a pipe would wait for ever.
    found = os.stat(path)  # noqa: PTH116 - a service asks about all its inputs again and again
    if not S_ISREG(found.st_mode):
        return None
    if not opens:
        return found
    with LocalStorage().open(path) as file:
        return os.fstat(file.fileno())


def _listed(argument: str, lines: LineChoice, web: Web | None) -> Iterator[str]:
    path = without_scheme(argument[1:])
    if not path:
        raise InputError("not a valid list: '@' (write it as @warc.paths.gz)")
    faults = (OSError, EOFError, zlib.error)
    with raised_as(InputError, *faults, saying=f"cannot read the list {path}", short=True):
        data = inflated(read_small(source_for(path, web), _MOST_OF_A_LIST), _MOST_OF_A_LIST)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"not a list: {path} (write a text file with a path a line)") from error
    names = (name.strip() for name in text.split("\n"))
    entries = [name for name in names if name and not name.startswith("#")]
    try:
        yield from lines.of(entries)
    except InputError as error:
        raise InputError(f"the list {path} has {error}") from None


def _remote_matches(path: str, passed_over: dict[str, str] | None) -> list[StoredFile]:
    storage = storage_for(path)  # says so if its package is not there
    with raised_as(InputError, OSError, ValueError, saying=f"cannot list {path}"):
        found = list(find(storage, path))
        return _of_first_kind(found, path, passed_over) if path.endswith("/") else found


def _on_a_web_server(url: str, web: Web | None) -> Iterator[StoredFile]:
    """Yield the file at a URL, asked for its size and version."""
    if url.endswith("/"):
        raise InputError(
            f"not a file: {url} (web servers cannot be listed; give URLs of files, or @URL of a list)"
        )
    with raised_as(InputError, OSError, saying=f"cannot read {url}"), suppress(FileNotFoundError):
        file = source_for(url, web).stat()
        yield StoredFile(url, file.size, file.version)
