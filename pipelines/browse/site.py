"""A site of files: a front page, its style and script, and chunks of data that the script loads by name.

A chunk is a script with one call, `cedar("name", "data")`, whose data are JSON, deflated, in base64. A page
opened from disk may load scripts next to it, but not fetch files; and base64 cannot end a script.
"""

import base64
import contextlib
import re
import shutil
import uuid
import zlib
from collections.abc import Iterator
from pathlib import Path

from cedar.pipelines.common.errors import UsageError
from cedar.pipelines.drawing.pages import DRAWN, HEAD_BYTES, asset
from cedar.transforms.corpus.outputs import refuse_other_result
from cedar.transforms.files.local import ended_lease, lease
from cedar.transforms.files.stores import storage_for

_OURS = re.compile(r"index\.html|style\.css|browse\.js|(data|drawings)(/[a-z]*-?[0-9]*\.(js|html))?")
_CHUNK_CHARS = 1_000_000
_CHUNK_ROWS = 128


class Chunks:
    """Writes values into numbered chunks, in order; `firsts` has the number of each chunk's first value."""

    def __init__(self, folder: Path, kind: str) -> None:
        self.firsts: list[int] = []
        self._folder, self._kind = folder, kind
        self._held: list[str] = []
        self._chars = 0

    def add(self, number: int, json: str) -> None:
        """Add a value as JSON; numbers rise."""
        if not self._held:
            self.firsts.append(number)
        self._held.append(json)
        self._chars += len(json)
        if self._chars > _CHUNK_CHARS or len(self._held) == _CHUNK_ROWS:
            self.close()

    def close(self) -> None:
        """Write the rows that are held."""
        if self._held:
            name = f"{self._kind}-{len(self.firsts) - 1}"
            write_chunk(self._folder, name, f"[{','.join(self._held)}]")
        self._held, self._chars = [], 0


def write_chunk(folder: Path, name: str, json: str) -> None:
    """Write a chunk of data into a site."""
    packed = base64.b64encode(zlib.compress(json.encode("utf-8", "replace"), 6)).decode()
    (folder / "data" / f"{name}.js").write_text(f'cedar("{name}","{packed}");\n', encoding="ascii")


@contextlib.contextmanager
def whole_site(target: Path) -> Iterator[Path]:
    """Yield a folder to write a site into; the folder takes the target's place at the end.

    Raises UsageError if the target holds anything but a site that Cedar made; OSError. Then nothing is left.
    """
    place = target.resolve()
    _refuse_foreign_site(target)
    place.parent.stat()  # a missing parent is more likely a typo than a wish
    _sweep(place)
    staged = place.with_name(f".{place.name}.{uuid.uuid4().hex}")
    with lease(f"{staged}.lease"):
        try:
            for name in ("data", "drawings"):
                (staged / name).mkdir(parents=True)
            for name in ("style.css", "browse.js"):
                (staged / name).write_text(asset(name), encoding="utf-8")
            yield staged
            if place.exists():
                place.rename(_replaced(staged))
            staged.rename(place)
        finally:
            _clear(place, staged)


def _replaced(staged: Path) -> Path:
    """Return where the old site stays while the new one takes its place."""
    return staged.with_name(f"{staged.name}.before")


def _sweep(place: Path) -> None:
    """Delete what killed runs have left next to a site. Raises OSError."""
    name = re.compile(rf"\.{re.escape(place.name)}\.[0-9a-f]{{32}}\.lease")
    for path in list(place.parent.iterdir()):
        if name.fullmatch(path.name):
            with ended_lease(str(path)) as ended:
                if ended:
                    _clear(place, path.with_suffix(""))
                    path.unlink()


def _clear(place: Path, staged: Path) -> None:
    """Delete the staged site and the old one; put the old one back if nothing took its place."""
    before = _replaced(staged)
    if before.exists() and not place.exists():
        before.rename(place)
    for folder in (staged, before):
        if folder.exists():
            shutil.rmtree(folder)


def _refuse_foreign_site(target: Path) -> None:
    """Raise UsageError if the target holds anything but a site that Cedar made."""
    if not target.exists():
        return
    if not target.is_dir():
        raise UsageError(f"{target} is a file: choose another --output")
    refuse_other_result(storage_for(str(target)), str(target), "browse.js")
    for path in target.rglob("*"):
        name = path.relative_to(target).as_posix()
        if not _OURS.fullmatch(name) or not _is_ours(path):
            raise UsageError(f"{path} is there, and Cedar did not make it: choose another --output")
    if any(target.iterdir()) and not (target / "index.html").is_file():
        raise UsageError(f"{target} has no index.html of Cedar's: choose another --output")


def _is_ours(path: Path) -> bool:
    """Return whether Cedar wrote a file or directory that has a name as in its sites."""
    if path.is_dir():
        return not path.is_symlink()
    with path.open("rb") as file:
        head = file.read(HEAD_BYTES)
    if path.suffix == ".html":
        return DRAWN in head
    return path.parent.name != "data" or head.startswith(b'cedar("')
