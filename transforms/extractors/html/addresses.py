"""What the addresses of a page are relative to."""

from urllib.parse import urljoin, urlsplit, urlunsplit

MAX_ADDRESS_CHARS = 2000


def base_address(url: str, written: str) -> str:
    """Return what addresses of a page from `url` are relative to, if its `<base>` has the address `written`.

    A base longer than an address may be is cut to its origin, because each address reads it once more.
    """
    try:
        base = urljoin(url, written) if written else url
        if len(base) <= MAX_ADDRESS_CHARS:
            return base
        origin = urlunsplit((*urlsplit(base)[:2], "/", "", ""))
    except ValueError:
        return base_address(url, "") if written else ""
    return origin if len(origin) <= MAX_ADDRESS_CHARS else ""
