"""Addresses of licences, and their names in SPDX."""

from __future__ import annotations

import re

_CREATIVE_COMMONS = re.compile(
    r"https?://(?:www\.)?creativecommons\.org/licenses/(by(?:-nc)?(?:-nd|-sa)?)/(\d\.\d)(?:/([a-z]{2,3})(?=/|$))?",
    re.IGNORECASE,
)
_PUBLIC_DOMAIN = re.compile(
    r"https?://(?:www\.)?creativecommons\.org/(?:publicdomain/zero/1\.0|publicdomain/mark/1\.0)",
    re.IGNORECASE,
)
_OTHERS = {
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


def licence(address: str) -> str | None:
    """The SPDX identifier of a licence by its address, or the address; None for what is not an address."""
    address = address.strip()
    if found := _CREATIVE_COMMONS.match(address):
        kind, version, land = found[1].lower(), found[2], (found[3] or "").lower()
        name = f"CC-{kind.upper()}-{version}"
        return f"{name}-{land.upper()}" if land in _PORTED.get(f"{kind}-{version}", ()) else name
    if found := _PUBLIC_DOMAIN.match(address):
        return "CC0-1.0" if "zero" in found[0].lower() else "CC-PDM-1.0"
    bare = re.sub(r"^https?://(?:www\.)?", "", address.lower())
    for start, name in _OTHERS.items():
        if bare.startswith(start):
            return name
    return address if re.match(r"https?://[^\s<>\"]{4,1990}$", address) else None
