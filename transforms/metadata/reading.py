"""Metadata of a page: each from its sources in order, the first that is valid; null rather than wrong."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from itertools import chain
from urllib.parse import urldefrag, urljoin, urlsplit

from transforms.extractors.html.reading import PageReading
from transforms.metadata import json_ld
from transforms.metadata.dates import day_after
from transforms.metadata.facts import Facts
from transforms.metadata.finding_authors import find_authors
from transforms.metadata.finding_dates import DatedTexts, find_modified, find_published
from transforms.metadata.licences import licence
from transforms.metadata.meta_names import DESCRIPTIONS, RIGHTS
from transforms.model.annotations import Metadata
from transforms.model.texts import valid_text

MOST_CHARS = 2000

_UNSAFE = re.compile('[\x00-\x20<>"\\\\\x7f-\x9f\ud800-\udfff]')
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def page_metadata(page: PageReading, url: str | None = None, fetched_at: int | None = None) -> Metadata:
    """Read a page's metadata.

    Args:
        page: the page as it was read.
        url: where it is from: it makes addresses absolute, and may name a date.
        fetched_at: microseconds since the epoch, UTC: nothing is dated later than the day after.

    Returns:
        What the page says; None for what it does not say, or not clearly.
    """
    last = None if fetched_at is None else day_after(_day(fetched_at))
    facts = Facts.of(page, url=url, last=last)
    texts = DatedTexts(facts)
    published, date_source = find_published(facts, texts)
    found = (
        published,
        date_source,
        find_modified(facts, texts, published),
        "; ".join(find_authors(facts)),
        _site_name(facts),
        _canonical_url(facts),
        _description(facts),
        _licence(facts),
    )
    # JSON can say what is not text: a lone surrogate, a control character.
    return Metadata(*[(valid_text(value) if value else None) or None for value in found])


def _day(fetched_at: int) -> date:
    """The day of a time; the first or the last there is, for those beyond."""
    try:
        return (_EPOCH + timedelta(microseconds=fetched_at)).date()
    except OverflowError:
        return date.max if fetched_at > 0 else date.min


def _site_name(facts: Facts) -> str | None:
    publishers = (json_ld.text_of(thing.values.get("publisher"), keys=("name",)) for thing in facts.things)
    published = facts.meta("article:publisher")
    return _short(
        facts.meta("og:site_name")
        or next(filter(None, publishers), None)
        or facts.meta("application-name")
        or (published if published and "/" not in published else None)
    )


def _description(facts: Facts) -> str | None:
    described = (thing.text("description") for thing in facts.things)
    return _short(next(chain(facts.contents(DESCRIPTIONS), filter(None, described)), None))


def _short(text: str | None) -> str | None:
    return " ".join(text.split())[:MOST_CHARS].strip() or None if text else None


def _canonical_url(facts: Facts) -> str | None:
    linked = (href for rel, href in facts.places.links if "canonical" in rel.split())
    main = (thing.text("mainEntityOfPage") or thing.text("url") for thing in facts.things if thing.is_article)
    for address in (*linked, facts.meta("og:url"), *main):
        if address and (absolute := _absolute(facts, address)):
            return absolute
    return None


def _absolute(facts: Facts, address: str) -> str | None:
    """An absolute http(s) address without its fragment; None if it is not one."""
    try:
        joined = urljoin(facts.base or "", address.strip())
        if "#" in joined:
            joined = urldefrag(joined).url
        parts = urlsplit(joined)
    except ValueError:
        return None
    is_web = parts.scheme in ("http", "https") and parts.netloc
    return joined if is_web and len(joined) <= MOST_CHARS and not _UNSAFE.search(joined) else None


def _licence(facts: Facts) -> str | None:
    links = facts.places.links
    declared = [href for rel, href in links if "license" in rel.split() or "licence" in rel.split()]
    declared += facts.anchors_to_licences()
    declared += [text for thing in facts.things if (text := thing.text("license"))]
    declared += [contents[0] for contents in facts.contents_by_name(RIGHTS)]
    for address in declared:
        if found := licence(_absolute(facts, address) or ""):
            return found
    return None
