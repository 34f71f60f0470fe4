"""Metadata of a page: each from its sources in order, the first that is valid; null rather than wrong."""

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from html import unescape
from itertools import chain, islice
from urllib.parse import urldefrag, urljoin, urlsplit

from cedar.transforms.extractors.html.reading import read_page
from cedar.transforms.extractors.segments._headline import squashed, title_parts
from cedar.transforms.extractors.segments._markup import Markup
from cedar.transforms.metadata import json_ld
from cedar.transforms.metadata.facts import Facts
from cedar.transforms.metadata.finding_authors import find_authors
from cedar.transforms.metadata.finding_dates import find_modified, find_published
from cedar.transforms.metadata.meta_names import DESCRIPTIONS, RIGHTS
from cedar.transforms.metadata.opt_outs import find_opt_out
from cedar.transforms.model.annotations import Metadata
from cedar.transforms.model.texts import valid_text
from cedar.transforms.urls.canonical import written_host

MAX_CHARS = 2000

_MAX_ADDRESSES = 50
"""Addresses of one kind that are made absolute until one of them is valid."""

_CREATIVE_COMMONS = re.compile(
    r"https?://(?:www\.)?creativecommons\.org/licenses/(by(?:-nc)?(?:-nd|-sa)?)/(\d\.\d)(?:/([a-z]{2,3})(?=/|$))?",
    re.IGNORECASE,
)
_PUBLIC_DOMAIN = re.compile(
    r"https?://(?:www\.)?creativecommons\.org/(?:publicdomain/zero/1\.0|publicdomain/mark/1\.0)",
    re.IGNORECASE,
)
_CC_PUBLIC_DOMAIN = re.compile(
    r"https?://(?:www\.)?creativecommons\.org/licenses/publicdomain\b", re.IGNORECASE
)
_NO_LICENCE = re.compile(
    r"https?://(?:(?:[a-z0-9-]+\.)?creativecommons\.org(?!/(?:licenses|publicdomain)/\w)|(?:dx\.)?doi\.org/)",
    re.IGNORECASE,
)
"""Addresses of the organisation itself, and of works."""
_LICENCES = {
    "gnu.org/licenses/gpl-3.0": "GPL-3.0-only",
    "gnu.org/licenses/old-licenses/gpl-2.0": "GPL-2.0-only",
    "gnu.org/licenses/fdl-1.3": "GFDL-1.3-only",
    "gnu.org/copyleft/fdl": "GFDL-1.3-only",
    "apache.org/licenses/license-2.0": "Apache-2.0",
    "opensource.org/licenses/mit": "MIT",
    "opensource.org/license/mit": "MIT",
    "mit-license.org": "MIT",
    "nationalarchives.gov.uk/doc/open-government-licence/version/3": "OGL-UK-3.0",
}
_PORTED = {
    "by-3.0": ("at", "au", "de", "nl", "us", "igo"),
    "by-sa-3.0": ("at", "de", "igo"),
    "by-2.5": ("au",),
}
"""The countries of a ported licence that SPDX names."""

_PLAIN = re.compile(r"https?://[a-z0-9.-]++(?:/[\w/.~+-]*+)?", re.ASCII)
"""Absolute addresses that `urljoin` and `urlsplit` would leave as they are."""

_TAG = re.compile(r"</?[a-zA-Z][^<>]*+>")
_BEGINS_WITH_TAG = re.compile(r"\s*</?[a-zA-Z][^<>]*+>")
_MIN_HOST_LETTERS = 4
"""Fewest letters of a host's label, or of a name, that are compared with other names."""

_UNSAFE = re.compile('[\x00-\x20<>"\\\\\x7f-\x9f\ud800-\udfff]')
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def page_metadata(
    page: Markup | bytes,
    url: str | None = None,
    fetched_at: int | None = None,
    *,
    opt_outs: Sequence[tuple[str, str]] = (),
) -> Metadata:
    """Read the metadata of a page, UTF-8 or read before; a field is None if it is not stated clearly.

    `url` makes addresses absolute, and may name a date; nothing is dated later than the day after
    `fetched_at`, microseconds since the epoch, UTC. `opt_outs` are headers of its response (`Page.opt_outs`).
    """
    markup = Markup(read_page(page)) if isinstance(page, bytes) else page
    facts = Facts.of(markup, url=url, last=None if fetched_at is None else _last_day(fetched_at))
    published, date_source = find_published(facts)
    described = (thing.text("description") for thing in facts.things)
    found = {
        "headline": facts.found.text,
        "date_published": published,
        "date_source": date_source,
        "date_modified": find_modified(facts, published),
        "author": "; ".join(find_authors(facts)),
        "site_name": _site_name(facts),
        "canonical_url": _canonical_url(facts),
        "description": _short(next(chain(facts.contents(DESCRIPTIONS), filter(None, described)), None)),
        "licence": _licence(facts),
        "opt_out": find_opt_out(opt_outs, facts.places.metas),
    }
    # Strings of JSON may hold lone surrogates and control characters.
    return Metadata(**{name: (valid_text(value) if value else None) or None for name, value in found.items()})


def _last_day(fetched_at: int) -> date:
    """Return the day after a time, as the clocks of the east are ahead of UTC; at most `date.max`."""
    try:
        return (_EPOCH + timedelta(days=1, microseconds=fetched_at)).date()
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
        or _site_in_title(facts)
    )


def _site_in_title(facts: Facts) -> str | None:
    """Return the first or last part of the title, if a link to the start page or the host has its name."""
    parts = title_parts(facts.page.title or "")
    if len(parts) < 2:
        return None
    hosts = {written_host(address) for address in (facts.url, facts.meta("og:url"))}
    labels = {
        squashed(label) for host in hosts for label in host.split(".")[:-1] if len(label) >= _MIN_HOST_LETTERS
    }
    for part in (parts[-1], parts[0]):
        name = squashed(part)
        if name == squashed(facts.found.text or ""):
            continue
        if name in facts.found.site_names:
            return part
        if len(name) >= _MIN_HOST_LETTERS and any(label in name or name in label for label in labels):
            return part
    return None


def _short(text: str | None) -> str | None:
    """Return a text of at most `MAX_CHARS`, blanks collapsed; references encoded twice are decoded."""
    if not text:
        return None
    if _BEGINS_WITH_TAG.match(text):
        text = _TAG.sub(" ", text)
    return " ".join(unescape(text).split())[:MAX_CHARS].strip() or None


def _canonical_url(facts: Facts) -> str | None:
    linked = (href for rel, href in facts.places.links if "canonical" in rel.split())
    main = (thing.text("mainEntityOfPage") or thing.text("url") for thing in facts.things if thing.is_article)
    addresses = filter(None, chain(linked, (facts.meta("og:url"),), main))
    for address in islice(addresses, _MAX_ADDRESSES):
        if absolute := _absolute(facts, address):
            return absolute
    return None


def _absolute(facts: Facts, address: str) -> str | None:
    """Return an absolute http(s) address without its fragment; None if it is not one."""
    address = address.strip()
    if len(address) <= MAX_CHARS and _PLAIN.fullmatch(address):
        return address
    try:
        joined = urljoin(facts.base, address)
        if "#" in joined:
            joined = urldefrag(joined).url
        parts = urlsplit(joined)
    except ValueError:
        return None
    is_web = parts.scheme in ("http", "https") and parts.netloc
    return joined if is_web and len(joined) <= MAX_CHARS and not _UNSAFE.search(joined) else None


def _licence(facts: Facts) -> str | None:
    links = facts.places.links
    declared = [href for rel, href in links if "license" in rel.split() or "licence" in rel.split()]
    own, others = facts.anchors_to_licences()
    declared += own
    declared += [text for thing in facts.things if (text := thing.text("license"))]
    declared += [contents[0] for contents in facts.contents_by_name(RIGHTS)]
    declared += others
    for address in declared[:_MAX_ADDRESSES]:
        if found := _spdx(_absolute(facts, address) or ""):
            return found
    return None


def _spdx(address: str) -> str | None:
    """Return the SPDX identifier of a licence, or its address if SPDX has none; None if it is no address."""
    address = address.strip()
    if found := _CREATIVE_COMMONS.match(address):
        kind, version, land = found[1].lower(), found[2], (found[3] or "").lower()
        name = f"CC-{kind.upper()}-{version}"
        return f"{name}-{land.upper()}" if land in _PORTED.get(f"{kind}-{version}", ()) else name
    if found := _PUBLIC_DOMAIN.match(address):
        return "CC0-1.0" if "zero" in found[0].lower() else "CC-PDM-1.0"
    if _CC_PUBLIC_DOMAIN.match(address):
        return "CC-PDDC"
    if _NO_LICENCE.match(address):
        return None
    bare = re.sub(r"^https?://(?:www\.)?", "", address.lower())
    for start, name in _LICENCES.items():
        if bare.startswith(start):
            return name
    return address if re.match(r"https?://[^\s<>\"]{4,1990}$", address) else None
