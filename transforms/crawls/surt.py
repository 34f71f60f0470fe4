"""SURT keys, by which indexes are in order: the key of a URL, and the interval where a host's pages lie.

A key is the host's parts in reverse with commas, without a leading `www.`, then a port, then `)`, path and
query: `com,example,shop:8080)/path`. Intervals leave out what cannot match. They hold strangers, too
(`com,example-x)`), which the exact test finds.
"""

import re
from collections.abc import Iterator
from urllib.parse import quote_from_bytes, unquote_to_bytes

Interval = tuple[str, str]
"""A half-open range of texts in the order of their code points."""

_WWW = re.compile(r"www[0-9]*\.")
_AFTER_COLON = ";"  # the character after ":", which stands before a port


def host_intervals(host: str) -> tuple[Interval, ...]:
    """Return where the keys of a host's pages lie."""
    intervals = []
    for key in _keys(host):
        intervals += [(f"{key})", f"{key}*"), (f"{key}:", f"{key}{_AFTER_COLON}")]
    return tuple(intervals)


def domain_intervals(domain: str) -> tuple[Interval, ...]:
    """Return where the keys of a domain's pages lie, also of hosts below it."""
    # Between ")" and ";" are "," and ":".
    return tuple((f"{key})", f"{key}{_AFTER_COLON}") for key in _keys(domain))


def _keys(host: str) -> tuple[str, ...]:
    """Return the host as keys begin, in each form that it may have there."""
    short = _WWW.sub("", host, count=1) if _WWW.match(host) else host
    forms = dict.fromkeys(name for name in (host, short) if name)
    # Numbers of machines are not known to be reversed by all who make keys.
    plain = [host] if host.replace(".", "").isdigit() else []
    return (*(",".join(reversed(form.split("."))) for form in forms), *plain)


_URL = re.compile(rb"([a-z][a-z0-9+.-]*:)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?", re.IGNORECASE)
_SCHEMES = re.compile(rb"(?:https?://)+(https?://)", re.IGNORECASE)
_AUTHORITY = re.compile(rb"(?:.*@)?(.*?)(?::([0-9]*))?", re.DOTALL)
_DEFAULT_PORTS = {b"http:": b"80", b"https:": b"443"}
_SAFE = "!\"$&'()*+,-./:;<=>?@[\\]^_`{|}~"
_ROUNDS = 10
"""How often escapes of escapes are undone."""

_SESSION = re.compile(rb"(?:jsessionid|phpsessid|sid)=[0-9a-z]{32}|aspsessionid[a-z]{8}=[a-z]{24}")
_SESSION_FOLDER = re.compile(rb"\((?:[a-z]\([0-9a-z]{24}\))+\)|\([0-9a-z]{24}\)")


def surt_key(url: str) -> str:
    """Return the key of a URL, as the Internet Archive's `surt` makes it for CDX and CDXJ.

    Scheme, user, default port, a leading `www.`, the fragment and identifiers of sessions are left out; the
    rest is in lower case, with as few escapes as can be, the parts of the query in order. Linear.
    """
    text = re.sub(rb"[\t\r\n]", b"", url.encode("utf-8", "surrogatepass").strip())
    match = _URL.match(_SCHEMES.sub(rb"\1", text, count=1))
    assert match is not None
    scheme, authority, path, query = (group or b"" for group in match.groups())
    scheme = scheme.lower()
    if not scheme and not authority:
        return surt_key(f"http://{url.strip()}") if path else "-"
    host_and_port = _AUTHORITY.fullmatch(authority)
    assert host_and_port is not None
    host, port = _host_key(host_and_port[1]), host_and_port[2] or b""
    path = _unescaped(path)
    path = _escaped(_path_key(path) if host else path.removesuffix(b"/")).lower()
    query = b"&".join(_query_key(_escaped(_unescaped(query)).lower()))
    if host and port and port != _DEFAULT_PORTS.get(scheme):
        host += b":" + port.lstrip(b"0")
    key = (host + b")" if host else scheme) + path + (b"?" + query if query else b"")
    return key.decode("ascii")


def _host_key(host: bytes) -> bytes:
    host = _unescaped(host).lower()
    if not host.isascii():
        try:
            host = host.decode().encode("idna")
        except UnicodeError:  # no name of a host
            host = _escaped(host)
    host = _escaped(host.replace(b"..", b".").strip(b".[]"))
    if (www := _WWW.match(host.decode())) is not None:
        host = host[www.end() :]
    return b",".join(reversed(host.split(b".")))


def _path_key(path: bytes) -> bytes:
    """Return a path without empty folders, `.`, `..`, sessions and the last slash."""
    *folders, last = path.split(b"/")
    kept: list[bytes] = []
    for folder in (*folders, last):
        if folder == b".." and kept:
            kept.pop()
        elif folder not in (b"", b"."):
            kept.append(folder)
    if b".aspx" in last.lower():
        kept = [folder for folder in kept if not _SESSION_FOLDER.fullmatch(folder.lower())]
    return b"/" + b"/".join(kept)


def _query_key(query: bytes) -> Iterator[bytes]:
    """Yield the parts of a query in order, without those that name a session."""
    parts = sorted(part.partition(b"=") for part in query.split(b"&") if not _SESSION.fullmatch(part))
    names = {name for name, _, _ in parts}
    for name, sign, value in parts:
        if not (name in (b"cfid", b"cftoken") and {b"cfid", b"cftoken"} <= names):
            yield name + sign + value


def _unescaped(text: bytes) -> bytes:
    for _ in range(_ROUNDS):
        before, text = text, unquote_to_bytes(text)
        if text == before:
            break
    return text


def _escaped(text: bytes) -> bytes:
    return quote_from_bytes(text, safe=_SAFE).encode("ascii")
