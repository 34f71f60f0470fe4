"""The small mistakes that can be made in a line of Python or Cython."""

from __future__ import annotations

import contextlib
import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_PAIRS = "< <=  > >=  == !=  + -  += -=  & |  << >>  and or  min max  any all  True False  break continue"
_SWAPS = {"*": "+", "//": "*", "not": "", "in": "not in"}
for _pair in _PAIRS.split("  "):
    _one, _other = _pair.split()
    _SWAPS |= {_one: _other, _other: _one}
_BINARY = {"+", "-", "*", "&", "<", "<=", ">", ">=", "<<", ">>"}
_CAST = re.compile(
    r"<\s*(?:const\s+)?(?:unsigned\s+)?[A-Za-z_]\w*(?:\s+\w+)?(?:\[[^]]*\])?\s*\**\s*>(?=\s*[\w&(\"'])"
)
_NO_CODE = re.compile(
    r"\s*(?:@|from\s|import\s|cimport\s|class\s|cdef class|def\s|cpdef\s|async def|cdef extern|ctypedef"
    r"|global|nonlocal|assert\s|type\s|if TYPE_CHECKING)"
)
_CDEF_FUNCTION = re.compile(r"\s*cdef\s[^=]*\([^=]*\)[^=]*:\s*$")
_STATEMENT = re.compile(
    r"\s*(?:[\w.]*[.\[][\w.\[\], :]*\s=\s[^=]|[\w.\[\], :]+\s(?:[-+*|&^]|//|<<|>>)=\s"
    r"|[\w.]+\(.*\)$|raise\s|continue$|break$)"
)
"""What may be left out: a call, a change of something; not a first assignment, whose name would be missed."""


@dataclass(frozen=True)
class Change:
    """One line of a file with a mistake in it.

    Attributes:
        file: the file's path in the checkout.
        number: of the line, from 1.
        line: as it is.
        made: as the mistake has it.
    """

    file: str
    number: int
    line: str
    made: str


def changes_of(root: Path, file: str) -> dict[int, list[Change]]:
    """Find the mistakes that can be made in each line of a file."""
    text = (root / file).read_text(encoding="utf-8")
    lines = text.splitlines()
    found: dict[int, dict[str, Change]] = {}
    for number, made in _made(text, lines, is_cython=file.endswith(".pyx")):
        line = lines[number - 1]
        if made != line:
            found.setdefault(number, {})[made] = Change(file, number, line, made)
    return {number: list(each.values()) for number, each in found.items()}


def _made(text: str, lines: list[str], *, is_cython: bool) -> Iterator[tuple[int, str]]:
    tokens = _tokens(text)
    headers = _header_lines(tokens, lines)
    inside: dict[int, int] = {}
    depth = 0
    for token in tokens:
        inside.setdefault(token.start[0], depth)
        depth += (token.string in "([{" and token.type == tokenize.OP) - (
            token.string in ")]}" and token.type == tokenize.OP
        )
    for place, token in enumerate(tokens):
        number, column = token.start
        line = lines[number - 1] if number <= len(lines) else ""
        if number in headers or token.start[0] != token.end[0]:
            continue
        casts = [match.span() for match in _CAST.finditer(line)] if is_cython else []
        if any(start <= column < stop for start, stop in casts):
            continue
        before = tokens[place - 1] if place else None
        after = tokens[place + 1] if place + 1 < len(tokens) else None
        for other in _others(token, before, after):
            yield number, line[:column] + other + line[token.end[1] :].removeprefix(" " * (not other))
    for number, line in enumerate(lines, 1):
        whole = not inside.get(number) and number not in headers and _closes(line)
        is_module = is_cython and line == line.lstrip()
        declares = line.lstrip().startswith(("cdef", "return"))
        if whole and number in inside and _STATEMENT.match(line) and not declares and not is_module:
            yield number, f"{line[: len(line) - len(line.lstrip())]}pass"


def _closes(line: str) -> bool:
    return (
        line.count("(") == line.count(")")
        and line.count("[") == line.count("]")
        and line.count("{") == line.count("}")
    )


def _tokens(text: str) -> list[tokenize.TokenInfo]:
    kinds = (tokenize.NAME, tokenize.OP, tokenize.NUMBER, tokenize.STRING, tokenize.ERRORTOKEN)
    found = []
    # Where a file of Cython is no Python, what was read so far counts.
    with contextlib.suppress(tokenize.TokenError, IndentationError):
        found.extend(tokenize.generate_tokens(io.StringIO(text).readline))
    return [token for token in found if token.type in kinds]


def _header_lines(tokens: list[tokenize.TokenInfo], lines: list[str]) -> set[int]:
    """Lines that declare: imports, heads of functions and classes with all their arguments."""
    found, depth, is_header, last = set(), 0, False, 0
    for token in tokens:
        number = token.start[0]
        if depth == 0 and number != last and number <= len(lines):
            line = lines[number - 1]
            is_header = bool(_NO_CODE.match(line) or _CDEF_FUNCTION.match(line))
            if line.lstrip().startswith("cdef") and "=" not in line:
                is_header = True
        last = number
        depth += (token.string in "([{" and token.type == tokenize.OP) - (
            token.string in ")]}" and token.type == tokenize.OP
        )
        if is_header:
            found.add(number)
    return found


def _others(
    token: tokenize.TokenInfo, before: tokenize.TokenInfo | None, after: tokenize.TokenInfo | None
) -> Iterator[str]:
    """What may stand in the place of a token."""
    written = token.string
    if token.type == tokenize.NUMBER and before is not None and before.string not in (":", "::"):
        yield from _numbers(written)
    if written not in _SWAPS or token.type not in (tokenize.OP, tokenize.NAME):
        return
    ends_value = before is not None and (
        before.type in (tokenize.NUMBER, tokenize.STRING)
        or before.string in ")]"
        or (
            before.type == tokenize.NAME
            and before.string not in ("return", "and", "or", "not", "in", "if", "else")
        )
    )
    if written in _BINARY and not ends_value:
        return
    if written == "not" and after is not None and after.string == "in":
        return
    if written == "in" and before is not None and before.string == "not":
        return
    if written == "in" and _is_of_for(token):
        return
    if written == "not" and before is not None and before.string == "is":
        yield ""
        return
    if written in ("*", "&") and before is not None and before.end == token.start:
        return  # a pointer, or arguments handed on
    yield _SWAPS[written]


def _is_of_for(token: tokenize.TokenInfo) -> bool:
    """Whether an `in` belongs to a `for`."""
    return bool(re.search(r"\bfor\s[^:]*$", token.line[: token.start[1]].rsplit(" if ", 1)[-1]))


def _numbers(written: str) -> Iterator[str]:
    """The neighbours of a number: of a fraction, in its last digit."""
    digits = written.replace("_", "")
    if re.fullmatch(r"0[xX][0-9a-fA-F]+|[0-9]+", digits):
        value = int(digits, 0) if digits.lower().startswith("0x") else int(digits)
        as_hex = digits.lower().startswith("0x")
        yield f"{value + 1:#x}" if as_hex else str(value + 1)
        if value:
            yield f"{value - 1:#x}" if as_hex else str(value - 1)
    elif re.fullmatch(r"[0-9]*\.[0-9]+", digits):
        places = len(digits.partition(".")[2])
        step = 10.0**-places
        yield f"{float(digits) + step:.{places}f}"
        if float(digits) > 0:
            yield f"{float(digits) - step:.{places}f}"
