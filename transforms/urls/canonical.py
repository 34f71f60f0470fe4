"""One form for addresses with letters beyond ASCII: hosts in punycode, the rest in percent escapes.

As in the URL Standard (WHATWG), which browsers and crawlers follow, but no other difference is evened out.
"""

import re
import unicodedata
from urllib.parse import quote, unquote, urlsplit

_PARTS = re.compile(
    r"((?:[a-zA-Z][a-zA-Z0-9+.-]*:)?//)?((?:[^/?#]*@)?)(\[[^\]/?#]*\]|[^/?#:]*)(.*)", re.DOTALL
)
_PLAIN_HOST = re.compile(r"https?://([a-zA-Z0-9.-]++)(?::[0-9]*+)?(?:[/?#]|\Z)")
"""The host of most URLs; `urlsplit` takes many times as long."""

_DOTS = str.maketrans("\u3002\uff0e\uff61", "...")
_PRINTABLE = "".join(map(chr, range(0x21, 0x7F)))


def ascii_host(host: str) -> str:
    """Return a host in lower case and in ASCII (RFC 3492), without a dot at its end."""
    if "%" in host:
        host = unquote(host)
    if not host.isascii():
        host = unicodedata.normalize("NFKC", host.translate(_DOTS)).translate(_DOTS)
        host = ".".join(map(_ascii_label, host.lower().split(".")))
    return host.strip().rstrip(".").lower()


def _ascii_label(label: str) -> str:
    if label.isascii():
        return label
    composed = unicodedata.normalize("NFC", label)
    return "xn--" + composed.encode("punycode", "replace").decode("ascii")


def ascii_url(url: str) -> str:
    """Return a URL, with or without its scheme, in ASCII; one that is in ASCII stays as it is."""
    if url.isascii():
        return url
    found = _PARTS.match(url)
    assert found is not None  # each part may be empty
    scheme, user, host, rest = (part or "" for part in found.groups())
    if not host.isascii():
        host = ascii_host(host)
    return f"{scheme}{_escaped(user)}{host}{_escaped(rest)}"


def _escaped(text: str) -> str:
    return quote(text, safe=_PRINTABLE, errors="surrogatepass")


def host_of(url: str) -> str:
    """Return the host of a URL, with or without its scheme, as `ascii_host` does; "" if it has none.

    Pages are of one site, for rules, counts and lines, if this is the same. `written_host` is for names.
    """
    found = _PARTS.match(url)
    assert found is not None
    return ascii_host(found[3])


def written_host(url: str | None) -> str:
    """Return the host of an absolute URL as it is written, in lower case; "" if it has none."""
    if not url:
        return ""
    if plain := _PLAIN_HOST.match(url):
        return plain[1].lower()
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""
