"""Inputs as the user named them: files, directories, globs, lists, URIs; each file is found once.

Files are the same if their real paths are.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from stat import S_ISREG
from typing import TYPE_CHECKING
from urllib.parse import unquote

from cedar.transforms.files.globs import (
    expand_glob,
    find_objects,
    fixed_part,
    has_magic,
    hidden_archives,
    walk,
)
from cedar.transforms.files.http_options import check_url, is_web, without_secrets
from cedar.transforms.files.input_kinds import (
    PAGE_SUFFIXES,
    SEARCHED,
    UNREAD,
    UNREAD_SUFFIXES,
    InputError,
    has_suffix,
    is_hidden,
    is_unfinished,
    searched_suffixes,
)
from cedar.transforms.files.lists import ALL_LINES, LineSelection, read_list
from cedar.transforms.files.local import LocalStorage
from cedar.transforms.files.places import relation
from cedar.transforms.files.storage import Storage, StoredFile, is_uri, raised_as
from cedar.transforms.files.stores import source_for, storage_for

if TYPE_CHECKING:
    from cedar.transforms.files.http_client import Web

_DEAD_LINK = "the link leads nowhere"
_HIDDEN = "hidden (a name begins with a dot): name it to read it"


@dataclass(frozen=True, slots=True)
class Folder:
    """A directory or a prefix of URIs: its path, which ends in a slash, and the files of HTML below it."""

    path: str
    files: tuple[StoredFile, ...]


@dataclass(frozen=True, slots=True)
class Inputs:
    """The files to read, each once, in the order of the arguments, and directories of files of HTML.

    `passed_over` has files in searched directories, or that a glob matches, that are not read, and why.
    """

    files: tuple[StoredFile, ...]
    folders: tuple[Folder, ...]
    passed_over: tuple[tuple[str, str], ...]


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
    lines: LineSelection = ALL_LINES,
    exclude: str | None = None,
    arriving: bool = False,
    web: Web | None = None,
) -> Inputs:
    """Find the files that `inputs` name.

    A file that several names lead to is taken once: under the name that is no link, else under the first.

    Args:
        inputs: files, globs, directories (searched recursively for archives, else for tables, else for HTML),
            `@list` files (a path a line, perhaps gzipped; `#` begins a comment), or URIs of these.
        lines: which lines of each list, and their prefix.
        exclude: a directory that is not searched (the output).
        arriving: files may come and go. An input that matches nothing is no error then, names of unfinished
            files are left out, directories are searched for archives alone, and no file is opened.
        web: asks web servers; None = one of its own.

    Raises InputError for an input that matches nothing or cannot be read; if files are `arriving`, OSError
    for a directory that cannot be read now.
    """
    search = _Search(exclude=exclude, arriving=arriving, web=web)
    for argument in inputs:
        if argument.startswith("@"):
            search.add_lines(read_list(without_scheme(argument[1:]), lines, web))
        else:
            search.add(argument)
    return search.found()


_BROKEN_URL = re.compile(r"(?:https?|ftp|s3|gs|az|abfss?):/(?!/)|//[^/]*:[^/]*@", re.IGNORECASE)


def without_scheme(text: str) -> str:
    """Return the path of a `file:` URI (RFC 8089), or anything else.

    Raises InputError for another machine, and for a URL that lacks a slash or its scheme.
    """
    if _BROKEN_URL.match(text):
        raise InputError("not a URL: write it with its scheme and two slashes, as https://host/path")
    scheme, colon, rest = text.partition("://")
    if not colon or scheme.lower() != "file":
        return text
    host, slash, path = rest.partition("/")
    if not slash or host.lower() not in ("", "localhost"):
        raise InputError(
            f"not a path on this machine: {without_secrets(text)!r} (write it as file:///data/a.warc.gz)"
        )
    return "/" + unquote(path, errors="surrogateescape")


@dataclass(frozen=True, slots=True)
class _Taken:
    """A file to read: whether a link leads to it, and the directory of pages that it belongs to, or ""."""

    file: StoredFile
    linked: bool = False
    folder: str = ""


class _Search:
    """Gathers files, each under one name."""

    def __init__(self, *, exclude: str | None, arriving: bool, web: Web | None) -> None:
        self._exclude = exclude
        self._arriving = arriving
        self._web = web
        self._taken: dict[str, _Taken] = {}
        """By the real path, or the URI."""
        self._passed_over: dict[str, str] = {}

    def found(self) -> Inputs:
        """Return what was gathered."""
        folders: dict[str, list[StoredFile]] = {}
        for taken in self._taken.values():
            if taken.folder:
                folders.setdefault(taken.folder, []).append(taken.file)
        return Inputs(
            tuple(taken.file for taken in self._taken.values() if not taken.folder),
            tuple(Folder(path, tuple(files)) for path, files in folders.items()),
            tuple(self._passed_over.items()),
        )

    def add(self, argument: str) -> None:
        """Gather the files of a path, a glob or a URI; raises as `find_inputs`."""
        path = without_scheme(argument)
        if not path:
            raise InputError("an input is empty: give a path (is a variable not set?)")
        if "\0" in path:
            raise InputError(f"not a valid path: {path!r} (it has a NUL)")
        if is_web(path):
            found = self._add_url(path)
        elif is_uri(path):
            found = self._add_objects(path)
        else:
            found = self._add_local(path)
        if not found and not self._arriving:
            raise InputError(self._nothing(path))

    def add_lines(self, paths: Sequence[str]) -> None:
        """Gather the files of a list's lines, which may be millions.

        Files of an object store are looked for folder by folder. Web servers are not asked: size and version
        are found out when a file is read. Raises as `add`.
        """
        folders: dict[str, list[str]] = {}
        for path in () if self._arriving else paths:
            if is_uri(path) and not is_web(path) and not has_magic(path):
                folders.setdefault(path.rpartition("/")[0], []).append(path)
        known: dict[str, StoredFile] = {}
        for names in folders.values():
            if len(names) > 1:
                below = self._listed(f"{os.path.commonprefix(names)}*")  # noqa: RUF071
                known |= {file.path: file for file in below}
        for path in paths:
            if is_web(path) and not path.endswith("/") and not self._arriving:
                _check_url(path)
                file = _named_without_secrets(path, StoredFile(path, None, None))
                self._taken.setdefault(file.path, _Taken(file))
            elif path in known:
                self._taken.setdefault(path, _Taken(known[path]))
            else:
                self.add(path)

    def _add_url(self, url: str) -> bool:
        """Gather the file at a URL; whether it is there."""
        if url.endswith("/"):
            hint = "web servers cannot be listed; give URLs of files, or @URL of a list"
            raise InputError(f"not a file: {without_secrets(url)} ({hint})")
        _check_url(url)
        name = without_secrets(url)
        with raised_as(InputError, OSError, saying=f"cannot read {name}"), suppress(FileNotFoundError):
            file = source_for(url, self._web).stat()
            if not (self._arriving and is_unfinished(name)):
                found = StoredFile(url, file.size, file.version)
                self._taken.setdefault(name, _Taken(_named_without_secrets(url, found)))
            return True
        return False

    def _add_objects(self, path: str) -> bool:
        """Gather the objects of a URI or a glob; whether there are any."""
        found = self._listed(path)
        if path.endswith("/"):
            found = self._of_first_kind(found, path)
        taken = False
        for file in found:
            if file.path != path and has_suffix(file.path, UNREAD_SUFFIXES):
                self._passed_over[file.path] = UNREAD
            elif not (self._arriving and is_unfinished(file.path)):
                self._taken.setdefault(file.path, _Taken(file, folder=_folder(path, file.path)))
                taken = True
        return taken

    def _listed(self, path: str) -> list[StoredFile]:
        storage = storage_for(path)  # says so if its package is not there
        found = []
        with raised_as(InputError, OSError, ValueError, saying=f"cannot list {path}"):
            for file in find_objects(storage, path):
                if file.path.endswith("//"):
                    self._passed_over[file.path] = "keys with an empty part cannot be read: rename them"
                elif file.size == 0 and not _exists(storage, file.path):
                    self._passed_over[f"{file.path}/"] = "the marker of a directory"
                else:
                    found.append(file)
        return found

    def _add_local(self, path: str) -> bool:
        """Gather files of this machine; whether there are any."""
        given = os.path.abspath(path)  # noqa: PTH100 - Path.resolve would follow links
        place = None
        if self._exclude is not None and Path(path).is_dir():
            place = relation(path, self._exclude)
        if place in ("is", "lies in"):
            raise InputError(
                f"{path} {place} the output {self._exclude}, which is not searched: choose another --output"
            )
        taken = False
        try:
            for found, folder in self._local_files(given):
                if found != given and has_suffix(found, UNREAD_SUFFIXES):
                    self._passed_over[found] = UNREAD
                elif not (self._arriving and is_unfinished(found)):
                    taken |= self._take(found, given, folder)
        except OSError as fault:
            if self._arriving:
                raise
            raise InputError(f"cannot read {fault.filename or path}: {fault.strerror or fault}") from fault
        return taken

    def _local_files(self, given: str) -> Iterator[tuple[str, str]]:
        """Yield what a path or a glob names, and the directory of pages that it is of, or ""."""
        named = [given] if os.path.lexists(given) else expand_glob(given) if has_magic(given) else []
        for path in named:
            if not Path(path).is_dir():
                yield path, ""
                continue
            searched = f"{path.rstrip('/')}/"
            below = [file for _, files in walk(path, self._exclude) for file in files if not is_hidden(file)]
            if not self._arriving:
                self._passed_over |= dict.fromkeys(hidden_archives(path), _HIDDEN)
            for file in self._of_first_kind([StoredFile(file, None, None) for file in below], path):
                yield file.path, _folder(searched, file.path)

    def _take(self, path: str, given: str, folder: str) -> bool:
        """Gather a file, unless it was gathered under a better name; whether it is there."""
        try:
            stat = os.stat(path)  # noqa: PTH116 - a service asks about all its inputs again and again
            if S_ISREG(stat.st_mode) and not self._arriving:
                with LocalStorage().open(path) as file:
                    stat = os.fstat(file.fileno())
        except OSError as fault:
            if self._arriving and not os.path.islink(path) and isinstance(fault, FileNotFoundError):  # noqa: PTH114
                return False
            is_dead = isinstance(fault, FileNotFoundError) or fault.errno == errno.ELOOP
            if not is_dead or (path == given and not self._arriving):
                raise
            self._passed_over[path] = _DEAD_LINK
            return False
        if not S_ISREG(stat.st_mode):
            if path == given and not self._arriving:
                raise InputError(f"not a file: {path}")
            self._passed_over[path] = "not a file"
            return False
        real = os.path.realpath(path)
        start = os.path.dirname(fixed_part(given))  # noqa: PTH120
        linked = real != os.path.realpath(start).rstrip("/") + path[len(start.rstrip("/")) :]
        before = self._taken.get(real)
        if before is None or (linked, path) < (before.linked, before.file.path):
            found = StoredFile(path, stat.st_size, f"mtime:{stat.st_mtime_ns}")
            self._taken[real] = _Taken(found, linked, folder)
        return True

    def _of_first_kind(self, found: list[StoredFile], searched: str) -> list[StoredFile]:
        """Return the archives, else the tables, else the pages, and unreadable files; note the others.

        Of files that are arriving, return the archives alone.
        """
        suffixes = SEARCHED[0] if self._arriving else searched_suffixes(file.path for file in found)
        chosen = [file for file in found if suffixes and file.path.lower().endswith(suffixes)]
        unread = [file for file in found if file.path.lower().endswith(UNREAD_SUFFIXES)]
        if suffixes and not self._arriving:
            known = {file.path for file in (*chosen, *unread)}
            why = f"below {searched} only {' '.join(suffixes)} are read"
            self._passed_over |= {file.path: why for file in found if file.path not in known}
        return chosen + unread

    def _nothing(self, path: str) -> str:
        if is_uri(path) or not Path(path).is_dir():
            return f"nothing matches {without_secrets(path)}: check the path, or quote the glob"
        below = os.path.abspath(path)  # noqa: PTH100
        others = [
            f", only {other}: {why}" for other, why in self._passed_over.items() if other.startswith(below)
        ]
        suffixes = " ".join(sum(SEARCHED, ()))
        return f"no {suffixes} file below {path}{others[0] if others else ''}"


def _folder(searched: str, path: str) -> str:
    """Return the directory that was searched, if a page of HTML was found in it; else ""."""
    return searched if searched.endswith("/") and path.lower().endswith(PAGE_SUFFIXES) else ""


def _check_url(url: str) -> None:
    with raised_as(InputError, OSError, saying=f"cannot read {without_secrets(url)}"):
        check_url(url)


def _named_without_secrets(url: str, file: StoredFile) -> StoredFile:
    """Return a file whose path has no signature; where it is read stays known."""
    name = without_secrets(url)
    return file if name == url else replace(file, path=name, url=url)


def _exists(storage: Storage, path: str) -> bool:
    try:
        storage.stat(path)
    except FileNotFoundError:
        return False
    return True
