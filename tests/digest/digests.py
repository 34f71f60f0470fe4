"""Digests of what every extractor makes of every page, with its default options and with each other one."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lxml import etree

from cedar.transforms.extractors import extract, names

from .pages import FEW, Page, pages

RECORD = Path(__file__).parent / "digest.json"

_METRICS = (
    *("html_chars", "text_chars", "words", "lines", "content_lines", "tags", "link_chars", "tag_ratio_mean"),
    *("tag_ratio_std", "threshold", "content_ratio", "confidence"),
)
_BLOCK = ("text", "kept", "score", "start", "stop", "path", "cues")

_LINE: list[dict[str, Any]] = [
    {"line_break": "after_tag"},
    {"blank_lines": "keep"},
    {"chars": "decoded"},
    {"head": "drop"},
    {"line_break": "after_tag", "blank_lines": "keep", "chars": "decoded", "head": "drop"},
]
_SMOOTHING: list[dict[str, Any]] = [{"smoothing": "literal"}]
_FACTOR: list[dict[str, Any]] = [{"threshold_factor": 0.5}, {"threshold_factor": 2.0}]
_CLUSTERS: list[dict[str, Any]] = [{"max_clusters": 2}, {"max_clusters": 6}]
_HIDDEN: list[dict[str, Any]] = [{"hidden": "keep"}]
_DENSITY: list[dict[str, Any]] = [*_HIDDEN, *_FACTOR, {"path_text": "drop"}]
_BASE: list[dict[str, Any]] = [{"base": "author-code"}]
_TERMS: list[dict[str, Any]] = [{"text_terms": "ignore"}]
_BLUR: list[dict[str, Any]] = [{"radius": 5}, {"radius": 300}, {"threshold": 0.5}]
_WINDOW: list[dict[str, Any]] = [{"min_window": 4}, {"max_window": 20}]

OPTIONS: dict[str, list[dict[str, Any]]] = {
    "cetr": [*_LINE, *_SMOOTHING, {"k": 2}, {"k": 5}, {"alpha": 1}],
    "cetr-tm": [*_LINE, *_SMOOTHING, *_FACTOR],
    "cetr-km": [*_LINE, *_SMOOTHING, {"k": 2}, {"k": 5}],
    "keep-all": [],
    "cetd-ds": [*_DENSITY, *_TERMS],
    "ttr-t": [*_LINE, *_FACTOR],
    "ttr-km": [*_LINE, *_FACTOR, *_CLUSTERS],
    "ttr-em": [*_LINE, *_FACTOR, *_CLUSTERS],
    "ttr-ff": [*_LINE, *_FACTOR, *_CLUSTERS],
    "ttr-p": [*_LINE, *_FACTOR, {"window": 1}, {"window": 8}],
    "bte": [],
    "dsc": [*_WINDOW, {"slope_factor": 1.0}, {"confirm": 1}],
    "adsc": _WINDOW,
    "ccb": _BLUR,
    "accb": _BLUR,
    "mss": [{"tag_cost": 1.0}],
    "cectd-ds": [*_DENSITY, *_BASE, *_TERMS],
    "cectd-s": [*_DENSITY, *_BASE],
    "coreex": [
        *_HIDDEN,
        {"variant": "modern"},
        {"threshold": 0.5},
        {"text_weight": 0.1},
        {"anchors": "all"},
        {"forms": "unwrap"},
        {"forms": "keep"},
    ],
    "lqf": [*_HIDDEN, {"quota": 0.2}],
    "lp": [*_HIDDEN, {"k": 1}],
    "lsi": _HIDDEN,
    "fe": [*_HIDDEN, {"share": 0.8}],
    "kfe": [*_HIDDEN, {"k": 2}],
    "vips": [
        *_HIDDEN,
        {"choose": "largest"},
        {"seed_pdoc": 8},
        {"pdoc": 8},
        {"max_link_share": 0.9},
        {"min_words": 0},
    ],
    "crunch": [
        *_HIDDEN,
        {"preset": "code"},
        {"preset": "news"},
        {"cells": "blocks"},
        {"ad_hosts": "site.example sample.example"},
    ],
    "combine": [
        *_HIDDEN,
        {"members": "cetr-tm,cetr-km,cetd-ds,cectd-s,coreex-modern,lqf"},
        {"votes": 1},
        {"votes": 3},
    ],
    "cedar": [
        {"title": "drop"},
        {"comments": "keep"},
        {"comments": "drop"},
        {"captions": "keep"},
        {"captions": "drop"},
    ],
}
"""Options by extractor; each choice at least once, each number with a value that is not its default."""


def cases(name: str) -> Iterator[tuple[str, dict[str, Any], dict[str, Page]]]:
    """Yield what is tried of an extractor: a label, options, and the pages by name."""
    every = pages()
    yield name, {}, every
    few = {page: every[page] for page in FEW}
    for options in OPTIONS[name]:
        label = " ".join((name, *(f"{key}={value}" for key, value in options.items())))
        yield label, options, few


def of_page(name: str, page: Page, options: dict[str, Any]) -> str:
    """Digest all that an extraction has: text, title, stand-in, kept HTML, blocks and metrics.

    Returns:
        32 hexadecimal digits. Numbers count as `repr` writes them, which is exact.
    """
    found = extract(page, name, **options)
    metrics = tuple(_plain(getattr(found.metrics, field)) for field in _METRICS)
    blocks = [tuple(_plain(getattr(block, field)) for field in _BLOCK) for block in found.blocks]
    whole = (found.text, found.title, found.fallback, found.html, metrics, blocks)
    return hashlib.blake2b(repr(whole).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _plain(value: Any) -> Any:
    """A value as its plain Python type: whether a number is numpy's is nobody's concern."""
    if hasattr(value, "item"):
        return value.item()
    if isinstance(value, tuple):
        return tuple(map(_plain, value))
    return value


def of_extractor(name: str) -> dict[str, dict[str, str]]:
    """Label -> page -> digest of its extraction, for an extractor."""
    return {
        label: {page_name: of_page(name, page, options) for page_name, page in on.items()}
        for label, options, on in cases(name)
    }


def short(found: dict[str, str]) -> str:
    """The digests of some pages in eight digits each, one after the other."""
    return " ".join(digest[:8] for digest in found.values())


def whole(found: dict[str, str]) -> str:
    """One digest of the digests of some pages."""
    return hashlib.blake2b("\n".join(found.values()).encode(), digest_size=16).hexdigest()


def made_with() -> dict[str, str]:
    """What results follow from besides Cedar: the parser of trees, and how the machine rounds."""
    return {"libxml2": ".".join(map(str, etree.LIBXML_VERSION)), "machine": platform.machine()}


def read_record() -> dict[str, Any]:
    """The record as it is committed."""
    record: dict[str, Any] = json.loads(RECORD.read_text(encoding="utf-8"))
    return record


def differences(record: dict[str, Any], name: str, found: dict[str, dict[str, str]]) -> list[str]:
    """Say what differs from the record, a line for each label, with the first page.

    Args:
        record: as `read_record` gives it.
        name: the extractor.
        found: as `of_extractor` gives it.
    """
    complaints = []
    labels = [label for label in record["whole"] if label.split(" ")[0] == name]
    for label in dict.fromkeys([*labels, *found]):
        if label not in found or label not in record["whole"]:
            complaints.append(f"{label}: {'not tried any more' if label not in found else 'not on record'}")
            continue
        if whole(found[label]) == record["whole"][label]:
            continue
        on_record = record["pages"] if label == name else record["few"]
        if on_record != list(found[label]):
            complaints.append(f"{label}: the pages are others than those on record")
            continue
        now, before = short(found[label]).split(), record["short"][label].split()
        other = [page for page, one, two in zip(on_record, now, before, strict=True) if one != two]
        complaints.append(f"{label}: differs on {len(other)} of {len(now)} pages, first on {other[0]!r}")
    return complaints


def recorded() -> dict[str, Any]:
    """Make the record of today's code."""
    found = {label: digests for name in names() for label, digests in of_extractor(name).items()}
    return {
        "made_with": made_with(),
        "pages": list(pages()),
        "few": list(FEW),
        "whole": {label: whole(digests) for label, digests in found.items()},
        "short": {label: short(digests) for label, digests in found.items()},
    }
