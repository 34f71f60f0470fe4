"""The limits that several rooms share. Every other limit stands next to the code that it bounds.

docs/limits.md lists them all. A size or a count is checked before its memory or time is spent, so a page over
a limit costs no more than the limit allows.
"""

DEFAULT_MAX_BODY = 8 << 20
"""Bytes of a page's body, as transferred and after each coding, unless `--max-body` says otherwise."""

MAX_HTTP_HEADER = 64 << 10
"""Bytes of an HTTP header that are read."""


def max_block(max_body: int) -> int:
    """Return how many bytes of a record's block are kept: an HTTP header and a body."""
    return MAX_HTTP_HEADER + max_body
