"""Read opt-outs: a page may ask not to be indexed, trained on, or mined.

Directives stand in the header `X-Robots-Tag`, in `<meta name=robots>` and in `<meta>` of a crawler's name;
`tdm-reservation` and `tdm-policy` are headers or `<meta>` (TDM Reservation Protocol, W3C Community Group).
"""

from collections.abc import Iterator, Mapping, Sequence

ROBOTS = (
    *("robots", "googlebot", "google-extended", "googleother", "bingbot", "gptbot", "oai-searchbot"),
    *("chatgpt-user", "ccbot", "claudebot", "claude-web", "anthropic-ai", "applebot-extended", "amazonbot"),
    *("bytespider", "cohere-ai", "diffbot", "facebookbot", "meta-externalagent", "omgilibot"),
    *("perplexitybot", "petalbot", "yandexbot"),
)
"""The names of `<meta>` that hold directives for crawlers."""

_ORDER = {name: place for place, name in enumerate(ROBOTS)}

METAS = frozenset((*ROBOTS, "tdm-reservation", "tdm-policy"))

_DIRECTIVES = {"noindex": "noindex", "none": "noindex", "noai": "noai", "noimageai": "noimageai"}
"""The directives that ask not to use a page, and their names in the result."""

_WITH_VALUE = frozenset({"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"})
"""Directives before a colon and a value; any other word before a colon is a crawler's name."""

_MAX_CHARS = 2000


def find_opt_out(headers: Sequence[tuple[str, str]], metas: Mapping[str, Sequence[str]]) -> str | None:
    """Return a page's opt-outs, such as `noai; gptbot: noindex; tdm-reservation`; None if there are none.

    Args:
        headers: headers of the response, names in lower case.
        metas: the contents of `<meta>` by their names, in lower case.
    """
    if not headers and METAS.isdisjoint(metas):
        return None
    found: dict[str, None] = {}  # in order, each once
    for name, value in headers:
        if name == "x-robots-tag":
            found |= dict.fromkeys(_directives("", value))
    for name in sorted(metas.keys() & _ORDER.keys(), key=_ORDER.__getitem__):
        for content in metas[name]:
            found |= dict.fromkeys(_directives("" if name == "robots" else name, content))
    reserved = [value.strip() for value in _stated("tdm-reservation", headers, metas)]
    if "1" in reserved:
        policy = next(iter(_stated("tdm-policy", headers, metas)), "").strip()
        found[f"tdm-reservation {policy}".strip()] = None
    return "; ".join(found)[:_MAX_CHARS] or None


def _directives(robot: str, text: str) -> Iterator[str]:
    """Yield the directives that ask not to use the page; `robot` "": they are for all crawlers."""
    for part in text.lower().split(","):
        name, colon, rest = part.partition(":")
        if colon and name.strip() not in _WITH_VALUE:
            robot = name.strip()
            part = rest
        directive = _DIRECTIVES.get(part.strip())
        if directive is not None:
            yield f"{robot}: {directive}" if robot else directive


def _stated(name: str, headers: Sequence[tuple[str, str]], metas: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the values of a name: of `<meta>`, then of the headers."""
    return [*metas.get(name, ()), *(value for header, value in headers if header == name)]
