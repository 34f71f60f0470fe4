"""Pages with their gold text, and the forms they come in.

JSON lines: an object a line with `id`, `url`, `text` (the gold) and `html_b64` (the page's bytes) or `html`,
and where known `title`, `lang`, `page_type`, `record_id` (of the WARC record that it is out of), `with` and
`without` (snippets that must and must not appear).

CleanEval (2007): a page in one file, its gold in another: a first line `URL: ...`, then the text with the
marks `<p>`, `<h>` and `<l>` before paragraphs, headings and list items. The organisers wrapped the pages in
an element `<text ...>`, which is not part of them.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_URL_LINE = re.compile(r"\s*URL:[ \t]*(\S*)[^\n]*(?:\n|\Z)")
_MARK = re.compile(r"^[ \t]*<[phl]>[ \t]*", re.MULTILINE | re.IGNORECASE)
_LONGEST_WRAPPER = 1 << 16


@dataclass(frozen=True, slots=True)
class GoldPage:
    """A page and what an extractor should make of it.

    Attributes:
        set: name of its set.
        id: its name in the set.
        html: its bytes as fetched.
        text: its gold, a block a line.
        url: where it is from, or None.
        lang: its language, or None.
        page_type: article, forum, listing, ...; or None.
        wanted: snippets that must appear.
        unwanted: snippets that must not.
        markdown: its gold as Markdown, or None.
        record_id: id of the WARC record that it is out of, without angle brackets; or None.
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
    """Return the page of one line of JSON.

    Raises:
        ValueError: it is not such a object; the message says what is wrong.
    """
    found = json.loads(line)
    has_gold = isinstance(found, dict) and any(
        isinstance(found.get(name), str) for name in ("text", "markdown")
    )
    if not has_gold or "id" not in found:
        raise ValueError("a gold page is an object with id, text (or markdown) and html_b64")
    if isinstance(found.get("html_b64"), str):
        try:
            html = base64.b64decode(found["html_b64"], validate=True)
        except binascii.Error as error:
            raise ValueError(f"html_b64 is not base64: {error}") from error
    elif isinstance(found.get("html"), str):
        html = found["html"].encode(errors="surrogatepass")
    else:
        raise ValueError("a gold page has html_b64 or html")
    return _page(set_name, str(found["id"]), html, _string(found.get("text")) or "", found)


def from_cleaneval(set_name: str, page_id: str, html: bytes, gold: str, about: Mapping[str, Any]) -> GoldPage:
    """Return the page of CleanEval's two files."""
    url, text = read_marked(gold)
    return _page(set_name, page_id, unwrapped(html), text, {"url": url, **about})


def read_marked(gold: str) -> tuple[str | None, str]:
    """Read the URL and the text of a gold file of CleanEval: no first line `URL:` and no marks."""
    match = _URL_LINE.match(gold.removeprefix("\ufeff"))
    url = match[1] if match else None
    text = gold.removeprefix("\ufeff")[match.end() :] if match else gold.removeprefix("\ufeff")
    return url or None, _MARK.sub("", text).strip()


def unwrapped(page: bytes) -> bytes:
    """Return a page without the organisers' `<text ...>` around it, if it has one."""
    body = page.lstrip()
    if body[:6].lower() not in (b"<text ", b"<text>"):
        return page
    stop = body.find(b">", 0, _LONGEST_WRAPPER)
    while stop >= 0 and body.count(b'"', 0, stop) % 2:
        stop = body.find(b">", stop + 1, _LONGEST_WRAPPER)
    if stop < 0:
        return page
    inner = body[stop + 1 :].rstrip()
    return inner[: -len(b"</text>")] if inner[-7:].lower() == b"</text>" else inner


def _page(set_name: str, page_id: str, html: bytes, text: str, about: Mapping[str, Any]) -> GoldPage:
    return GoldPage(
        set_name,
        page_id,
        html,
        text,
        url=_string(about.get("url")),
        lang=_string(about.get("lang")),
        page_type=_string(about.get("page_type")),
        wanted=_strings(about.get("with")),
        unwanted=_strings(about.get("without")),
        markdown=_string(about.get("markdown")),
        record_id=_string(about.get("record_id")),
    )


def _string(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def _strings(value: object) -> tuple[str, ...]:
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()
