"""Digests of what every extractor makes of every page with its default options."""

from __future__ import annotations

import hashlib
import json
import platform
from pathlib import Path
from typing import Any

from lxml import etree

from cedar import extract

from .pages import Page, pages

RECORD = Path(__file__).parent / "digest.json"

_METRICS = (
    *("html_chars", "text_chars", "words", "lines", "content_lines", "tags", "link_chars", "tag_ratio_mean"),
    *("tag_ratio_std", "threshold", "content_ratio", "confidence"),
)
_BLOCK = ("text", "kept", "score", "start", "stop", "path", "cues")


def of_page(name: str, page: Page) -> str:
    """Digest all that an extraction has: text, title, stand-in, kept HTML, blocks and metrics.

    Returns:
        8 hexadecimal digits. Numbers count as `repr` writes them, which is exact.
    """
    found = extract(page, name)
    metrics = tuple(_plain(getattr(found.metrics, field)) for field in _METRICS)
    blocks = [tuple(_plain(getattr(block, field)) for field in _BLOCK) for block in found.blocks]
    whole = (found.text, found.title, found.fallback, found.html, metrics, blocks)
    return hashlib.blake2b(repr(whole).encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()


def _plain(value: Any) -> Any:
    """Turn a number of numpy's, or a tuple of them, into Python's."""
    if hasattr(value, "item"):
        return value.item()
    if isinstance(value, tuple):
        return tuple(map(_plain, value))
    return value


def of_extractor(name: str) -> dict[str, str]:
    """Digest the extraction of each page by an extractor."""
    return {page_name: of_page(name, page) for page_name, page in pages().items()}


def made_with() -> dict[str, str]:
    """Name what results follow from besides Cedar: the parser of trees, and how the machine rounds."""
    return {"libxml2": ".".join(map(str, etree.LIBXML_VERSION)), "machine": platform.machine()}


def read_record() -> dict[str, Any]:
    """Read the record as it is committed: digests by extractor and page, and what they were made with."""
    record: dict[str, Any] = json.loads(RECORD.read_text(encoding="utf-8"))
    digests = {
        name: dict(zip(record["pages"], line.split(), strict=True))
        for name, line in record["digests"].items()
    }
    return {"made_with": record["made_with"], "digests": digests}


def write_record(digests: dict[str, dict[str, str]]) -> None:
    """Write a record, a line of digests for each extractor."""
    lines = {name: " ".join(of.values()) for name, of in digests.items()}
    record = {"made_with": made_with(), "pages": list(pages()), "digests": lines}
    RECORD.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", "utf-8")


def other_pages(record: dict[str, Any], name: str, found: dict[str, str]) -> list[str]:
    """List the pages whose digests by an extractor are not those on record."""
    recorded = record["digests"].get(name, {})
    return [page for page in {**recorded, **found} if recorded.get(page) != found.get(page)]
