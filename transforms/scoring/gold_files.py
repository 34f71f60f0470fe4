"""Gold sets on disk: what there is, how many pages, and reading some of them.

A set is a file of JSON lines (plain, `.gz` or `.zst`), or a directory of pages (`NAME.html`) with their gold
(`NAME.txt` or `NAME-cleaned.txt`, anywhere below), and perhaps a `pages.json` that says more of each page by
its name.
"""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, cast

import zstandard

from transforms.scoring.gold import GoldPage, from_cleaneval, from_json_line

ABOUT = "pages.json"
_PAGE_SUFFIXES = (".html", ".htm")
_GOLD_SUFFIX = ".txt"


@dataclass(frozen=True, slots=True)
class GoldSet:
    """A set of gold pages.

    Attributes:
        name: what it is called: the file's name without suffixes, or the directory's.
        path: the file or directory.
    """

    name: str
    path: str

    @staticmethod
    def at(path: str) -> GoldSet:
        """Return the set at a path.

        Raises:
            ValueError: there is nothing.
        """
        place = Path(path)
        if not place.exists():
            raise ValueError(f"no gold at {path}")
        name = place.resolve().name if place.is_dir() else place.name.removesuffix(".zst").removesuffix(".gz")
        return GoldSet(name if place.is_dir() else name.rpartition(".")[0] or name, path)

    def count(self) -> int:
        """Number of its pages.

        Raises:
            ValueError: it cannot be read, or it holds no page.
        """
        try:
            number = len(self._pairs()) if self._is_directory else sum(1 for _ in self._lines())
        except (OSError, EOFError, zstandard.ZstdError) as error:
            raise ValueError(f"cannot read {self.path}: {error}") from error
        if not number:
            raise ValueError(f"{self.path} holds no gold page")
        return number

    def read(self, wanted: Sequence[int]) -> Iterator[GoldPage]:
        """Its pages with the numbers `wanted`, ascending, from 0.

        Raises:
            ValueError: a page is not as it should be; the message names it.
        """
        places = frozenset(wanted)
        if self._is_directory:
            about = self._about()
            for number, (page_id, html, gold) in enumerate(self._pairs()):
                if number in places:
                    text = gold.read_text(encoding="utf-8", errors="replace")
                    yield from_cleaneval(self.name, page_id, html.read_bytes(), text, about.get(page_id, {}))
            return
        for number, line in enumerate(self._lines()):
            if number in places:
                try:
                    yield from_json_line(self.name, line)
                except ValueError as error:
                    raise ValueError(f"{self.path}, page {number + 1}: {error}") from error

    @property
    def _is_directory(self) -> bool:
        return Path(self.path).is_dir()

    def _lines(self) -> Iterator[bytes]:
        with closing(_opened(Path(self.path))) as file:
            for line in file:
                if not line.isspace():
                    yield line

    def _pairs(self) -> list[tuple[str, Path, Path]]:
        """Name, page and gold of each page that has both, by name."""
        golds: dict[str, Path] = {}
        pages: dict[str, Path] = {}
        for path in sorted(Path(self.path).rglob("*")):
            if path.suffix == _GOLD_SUFFIX:
                golds[path.stem.removesuffix("-cleaned")] = path
            elif path.suffix.lower() in _PAGE_SUFFIXES:
                pages[path.stem] = path
        return [(name, page, golds[name]) for name, page in pages.items() if name in golds]

    def _about(self) -> dict[str, dict[str, Any]]:
        path = Path(self.path) / ABOUT
        if not path.exists():
            return {}
        about = json.loads(path.read_bytes())
        if not isinstance(about, dict) or not all(isinstance(each, dict) for each in about.values()):
            raise ValueError(f"{path} must be an object with an object for each page")
        return about


def _opened(path: Path) -> IO[bytes]:
    if path.suffix == ".zst":
        file = path.open("rb")
        return io.BufferedReader(
            zstandard.ZstdDecompressor(max_window_size=1 << 31).stream_reader(
                file, read_across_frames=True, closefd=True
            )
        )
    if path.suffix == ".gz":
        return cast(IO[bytes], gzip.open(path, "rb"))
    return path.open("rb")


def evenly_spaced(number: int, limit: int | None) -> list[int]:
    """At most `limit` of the numbers from 0 to `number` - 1, evenly spaced."""
    if limit is None or limit >= number:
        return list(range(number))
    return [place * number // limit for place in range(limit)]
