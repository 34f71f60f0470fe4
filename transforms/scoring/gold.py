"""Pages with their gold text, the forms they come in, and the sets on disk that hold them.

JSON lines: an object a line with `id`, `url`, `text` (the gold) and `html_b64` (the page's bytes) or `html`,
and where known `title`, `lang`, `page_type`, `record_id` (of the WARC record that it is out of), `with` and
`without` (snippets that must and must not appear). The file is plain, `.gz` or `.zst`.

CleanEval (2007): a page in one file, its gold in another: a first line `URL: ...`, then the text with the
marks `<p>`, `<h>` and `<l>` before paragraphs, headings and list items. The organisers wrapped the pages in
an element `<text ...>`, which is not part of them. A directory has pages (`NAME.html`), gold (`NAME.txt` or
`NAME-cleaned.txt`, anywhere below), and perhaps a `pages.json` that says more of each page by its name.
"""

import base64
import binascii
import gzip
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, cast

import zstandard

from cedar.transforms.files.storage import raised_as

_URL_LINE = re.compile(r"\s*URL:[ \t]*(\S*)[^\n]*(?:\n|\Z)")
_MARK = re.compile(r"^[ \t]*<[phl]>[ \t]*", re.MULTILINE | re.IGNORECASE)
_MAX_WRAPPER_BYTES = 1 << 16


@dataclass(frozen=True, slots=True)
class GoldPage:
    """A page and what an extractor should make of it: its text, one block per line.

    `html` is as fetched; `page_type` article, forum, listing, ...; `wanted` and `unwanted` are snippets that
    must and must not appear; `record_id` is of the WARC record that it is out of, without angle brackets.
    """

    set: str
    id: str
    html: bytes
    text: str
    url: str | None = None
    lang: str | None = None
    page_type: str | None = None
    wanted: tuple[str, ...] = ()
    unwanted: tuple[str, ...] = ()
    record_id: str | None = None
    markdown: str | None = None


def from_json_line(set_name: str, line: bytes) -> GoldPage:
    """Return the page of one line of JSON; raise ValueError, which names the fault, for any other text."""
    found = json.loads(line)
    if not isinstance(found, dict) or "id" not in found:
        raise ValueError("a gold page is an object with id, text (or markdown) and html_b64")
    return from_mapping(set_name, str(found["id"]), found)


def from_mapping(set_name: str, page_id: str, found: Mapping[str, Any]) -> GoldPage:
    """Return the page of such an object; `html` may be bytes, too. Raises ValueError if it is not one."""
    if not any(isinstance(found.get(name), str) for name in ("text", "markdown")):
        raise ValueError("a gold page is an object with id, text (or markdown) and html_b64 or html")
    if isinstance(found.get("html_b64"), str):
        with raised_as(ValueError, binascii.Error, saying="html_b64 is not base64"):
            html = base64.b64decode(found["html_b64"], validate=True)
    elif isinstance(found.get("html"), bytes):
        html = found["html"]
    elif isinstance(found.get("html"), str):
        html = found["html"].encode(errors="surrogatepass")
    else:
        raise ValueError("a gold page has html_b64 or html")
    return _page(set_name, page_id, html, text=_string(found.get("text")) or "", about=found)


def read_marked(gold: str) -> tuple[str | None, str]:
    """Read the URL and the text of a gold file of CleanEval: no first line `URL:` and no marks."""
    gold = gold.removeprefix("\ufeff")
    match = _URL_LINE.match(gold)
    url = match[1] if match else None
    text = gold[match.end() :] if match else gold
    return url or None, _MARK.sub("", text).strip()


def unwrapped(page: bytes) -> bytes:
    """Return a page without the organisers' `<text ...>` around it, if it has one."""
    body = page.lstrip()
    if body[:6].lower() not in (b"<text ", b"<text>"):
        return page
    stop = body.find(b">", 0, _MAX_WRAPPER_BYTES)
    while stop >= 0 and body.count(b'"', 0, stop) % 2:
        stop = body.find(b">", stop + 1, _MAX_WRAPPER_BYTES)
    if stop < 0:
        return page
    inner = body[stop + 1 :].rstrip()
    return inner[: -len(b"</text>")] if inner[-7:].lower() == b"</text>" else inner


def _page(set_name: str, page_id: str, html: bytes, *, text: str, about: Mapping[str, Any]) -> GoldPage:
    return GoldPage(
        set_name,
        page_id,
        html,
        text,
        wanted=_strings(about.get("with")),
        unwanted=_strings(about.get("without")),
        **{name: _string(about.get(name)) for name in ("url", "lang", "page_type", "markdown", "record_id")},
    )


def _string(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def _strings(value: object) -> tuple[str, ...]:
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()


ABOUT = "pages.json"
_PAGE_SUFFIXES = (".html", ".htm")
_GOLD_SUFFIX = ".txt"


@dataclass(frozen=True, slots=True)
class GoldSet:
    """A set of gold pages: its path, and the name of that file without suffixes, or of that directory."""

    name: str
    path: str

    @staticmethod
    def at(path: str) -> "GoldSet":
        """Return the set at a path; raise ValueError if there is nothing."""
        place = Path(path)
        if not place.exists():
            raise ValueError(f"no gold at {path}")
        name = place.resolve().name if place.is_dir() else place.name.removesuffix(".zst").removesuffix(".gz")
        return GoldSet(name if place.is_dir() else name.rpartition(".")[0] or name, path)

    def count(self) -> int:
        """Count its pages; raise ValueError where it cannot be read, or holds none."""
        faults = (OSError, EOFError, zstandard.ZstdError)
        with raised_as(ValueError, *faults, saying=f"cannot read {self.path}"):
            number = len(self._pairs()) if self._is_directory else sum(1 for _ in self._lines())
        if not number:
            raise ValueError(f"{self.path} holds no gold page")
        return number

    def read(self, wanted: Sequence[int]) -> Iterator[GoldPage]:
        """Yield its pages with the numbers `wanted`, ascending, from 0; ValueError for a bad page."""
        places = frozenset(wanted)
        if self._is_directory:
            about = self._about()
            for number, (page_id, html, gold) in enumerate(self._pairs()):
                if number in places:
                    url, text = read_marked(gold.read_text(encoding="utf-8", errors="replace"))
                    facts = {"url": url, **about.get(page_id, {})}
                    yield _page(self.name, page_id, unwrapped(html.read_bytes()), text=text, about=facts)
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
        """Return name, page and gold of each page that has both, by name."""
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
        unpacked = zstandard.ZstdDecompressor(max_window_size=1 << 31)
        return io.BufferedReader(unpacked.stream_reader(file, read_across_frames=True, closefd=True))
    if path.suffix == ".gz":
        return cast(IO[bytes], gzip.open(path, "rb"))
    return path.open("rb")


def evenly_spaced(number: int, limit: int | None) -> list[int]:
    """Choose at most `limit` of the numbers from 0 to `number` - 1, evenly spaced."""
    if limit is None or limit >= number:
        return list(range(number))
    return [place * number // limit for place in range(limit)]
