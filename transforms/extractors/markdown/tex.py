"""TeX in pages: where text has it, and how Markdown writes it."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from cedar.transforms.extractors.markdown import asciimath

MAX_CHARS = 10_000
_CONFIGURED = 600
"""Bytes after `inlineMath` that are searched for its delimiters."""

_PAIR = re.compile(r"""\[\s{0,9}(["'])(.{1,12}?)\1\s{0,9},\s{0,9}(["'])(.{1,14}?)\3\s{0,9}\]""")
_BLANKS = re.compile(r"(?:\s|<br ?/?>)+")
_NUMBERS = re.compile(r"[\d.,\s]*")
_BRACES = re.compile(r"\\.|[{}]", re.DOTALL)
_LONE_DOLLAR = re.compile(r"(\\.)|\$", re.DOTALL)
_MEANT_AS_HTML = re.compile(r"<(?=[A-Za-z/!?])")
_MEANT_AS_ENTITY = re.compile(r"&(?=#|[A-Za-z][A-Za-z0-9]{0,40};)")
_MEANT_AS_LINK = re.compile(r"\](?=[(\[:])")
_LINE_START = re.compile(
    r"[-+*](?: |$)|\d{1,9}[.)](?: |$)|#{1,6}(?: |$)|>|~~~|=+ *$|\|?[ :|-]*-[ :|-]*$|:(?=[ :|-]+$)"
    r"|(?:[-*_] ?){3,}$"
)
MACRO = re.compile(r"(?:\\(?:re)?newcommand|\\(?:g|x)?def\b|\\DeclareMathOperator|\\newenvironment)")
"""TeX that says what other TeX means, and shows nothing."""

_WRAPPERS = (("$$", "$$"), ("\\[", "\\]"), ("\\(", "\\)"), ("$", "$"))
_ENVIRONMENTS = ("equation", "align", "gather", "eqnarray", "multline", "alignat", "flalign")


@dataclass(frozen=True, slots=True)
class Delimiter:
    r"""What stands around formulas of one kind; it belongs to them as `\begin{align}` does, or not."""

    opened: str
    closed: str
    is_display: bool = False
    belongs: bool = False
    is_ascii: bool = False


@dataclass(slots=True)
class Formula:
    """A formula: its TeX, and whether it stands on lines of its own."""

    tex: str
    is_display: bool

    def inline(self, in_cell: bool) -> str:
        """Write it within a line."""
        written = _harmless(self.tex)
        return f"${written.replace('|', chr(92) + '|') if in_cell else written}$"

    def apart(self) -> list[str]:
        """Write it on lines of its own."""
        written = _harmless(self.tex)
        return ["$$", f"{{}}{written}" if _LINE_START.match(written) else written, "$$"]


@dataclass(slots=True)
class TexFound(Formula):
    """A formula in a text, with its delimiters the characters [start, stop)."""

    start: int
    stop: int


@dataclass(slots=True)
class MarkedFormula(Formula):
    """A formula that markup holds, by the tags [first, last] that it reaches over.

    One of a script is before `first`, and ends there, `offset` characters but blanks after the tag before; it
    may belong to its rendered form before it (`is_taken`).
    """

    first: int
    last: int
    offset: int = 0
    blank_before: bool = False
    blank_after: bool = False
    is_taken: bool = False


_EVERYWHERE = (
    Delimiter("\\(", "\\)"),
    Delimiter("\\[", "\\]", is_display=True),
    Delimiter("$$", "$$", is_display=True),
)
_SIGNS = (b"##", b"[/", b"@@", b"\\begin{")  # the first three, since pages tell MathJax to take them for some
_DOLLAR, _BACKTICK = Delimiter("$", "$"), Delimiter("`", "`", is_ascii=True)
_ASCII_MATH = (
    *(b"ASCIIMathML.js", b"asciimath2jax", b"input/asciimath", b"MMLAM_", b"MML_AM_"),
    *(b"=AM_CHTML", b"=AM_HTMLorMML", b"=AM_SVG"),
    *(b",AM_CHTML", b",AM_HTMLorMML", b",AM_SVG"),
    *(b"/AM_CHTML", b"/AM_HTMLorMML", b"/AM_SVG"),
)
"""Programs that take what stands between backticks for AsciiMath, and the settings of MathJax that do."""
_OF_MATHJAX = tuple(
    Delimiter(f"\\begin{{{name}{star}}}", f"\\end{{{name}{star}}}", is_display=True, belongs=True)
    for name in _ENVIRONMENTS
    for star in ("", "*")
)


@dataclass(frozen=True, slots=True)
class Delimiters:
    """What sets formulas apart in a page's text, the longest first."""

    known: tuple[Delimiter, ...]

    @staticmethod
    def of(page: bytes, text: bytes, names_program: Callable[[bytes], bool]) -> "Delimiters | None":
        r"""Read what a page, with its scripts, sets its formulas apart with; None if its text has none.

        `\(…\)`, `\[…\]` and `$$…$$` always do. A page that names a program, MathJax or KaTeX, has `$…$`, too,
        and what it tells MathJax in `inlineMath` and `displayMath`. If it names AsciiMath, backticks do.
        """
        dollar = text.find(b"$")
        has_two = dollar >= 0 and text.find(b"$", dollar + 1) >= 0
        if b"`" in text and any(name in page for name in _ASCII_MATH):
            return Delimiters((*_EVERYWHERE, _BACKTICK))
        if not has_two and not any(_holds(text, sign) for sign in _SIGNS):
            return None if b"\\" not in text else Delimiters(_EVERYWHERE)
        if not names_program(page):
            return Delimiters(_EVERYWHERE)
        found = {each.opened: each for each in (*_EVERYWHERE, _DOLLAR, *_OF_MATHJAX)}
        for name in (b"inlineMath", b"displayMath"):
            at = page.find(name)
            for _ in range(4):
                if at < 0:
                    break
                said = page[at : at + _CONFIGURED].decode("utf-8", "replace").partition("]]")[0] + "]"
                for pair in _PAIR.finditer(said):
                    opened, closed = (pair[group].replace("\\\\", "\\") for group in (2, 4))
                    if opened.strip() == opened and not opened.isalnum():
                        found.setdefault(opened, Delimiter(opened, closed, is_display=name[:1] == b"d"))
                at = page.find(name, at + 1)
        return Delimiters(tuple(sorted(found.values(), key=lambda each: -len(each.opened))))

    def find(self, text: str) -> list[TexFound]:
        """Find the formulas of a text; they do not overlap, and stand in order."""
        found: list[TexFound] = []
        nexts = {each: place for each in self.known if (place := text.find(each.opened)) >= 0}
        closings: dict[str, int] = {}  # where each was found last
        while nexts:
            each = min(nexts, key=nexts.__getitem__)
            start = nexts[each]
            inner = start + len(each.opened)
            stop = closings.get(each.closed, 0)
            if stop >= 0 and stop < inner:
                stop = closings[each.closed] = text.find(each.closed, inner)
            at = inner
            if inner < stop <= inner + MAX_CHARS and _is_pair(text, start, stop, each=each):
                after = stop + len(each.closed)
                written = text[start:after] if each.belongs else text[inner:stop]
                tex = cleaned(asciimath.latex(written) or "" if each.is_ascii else written)
                if tex is not None and (each.opened != "$" or not _NUMBERS.fullmatch(tex)):
                    at = after
                    found.append(TexFound(tex, each.is_display, start, after))
            for other, place in tuple(nexts.items()):
                if place < at:
                    nexts[other] = text.find(other.opened, at)
                    if nexts[other] < 0:
                        del nexts[other]
        return found


def _holds(text: bytes, sign: bytes) -> bool:
    """Look for a sign by its first byte, which is rare: many times faster than by all of it."""
    at = text.find(sign[:1])
    while at >= 0 and not text.startswith(sign, at):
        at = text.find(sign[:1], at + 1)
    return at >= 0


def _is_pair(text: str, start: int, stop: int, *, each: Delimiter) -> bool:
    """Whether delimiters at two places belong together: dollars are not money, none stands between them."""
    if start and text[start - 1] == "\\":
        return False
    if each.opened != each.closed:
        return text.find(each.opened, start + 1, stop) < 0
    if each.opened != "$":
        return True
    before, after = text[stop - 1], text[stop + 1 : stop + 2]
    if text[start + 1].isspace() or (start and text[start - 1] == "$"):
        return False
    return not (before.isspace() or before == "\\" or after.isdigit())


def cleaned(tex: str) -> str | None:
    """Write TeX as one line, without delimiters; None if it is no TeX, or too long."""
    if len(tex) > MAX_CHARS:
        return None
    line = _BLANKS.sub(" ", tex).strip()
    for opened, closed in _WRAPPERS:
        if line.startswith(opened) and line.endswith(closed) and len(line) > len(opened) + len(closed):
            line = line[len(opened) : -len(closed)].strip()
            break
    is_tex = line and "`" not in line and "\0" not in line and len(line.encode()) <= MAX_CHARS
    return line if is_tex and _is_balanced(line) else None


def _is_balanced(tex: str) -> bool:
    """Whether each brace has its other one, and the last character is not a lone backslash."""
    depth = 0
    end = 0
    for found in _BRACES.finditer(tex):
        depth += (found[0] == "{") - (found[0] == "}")
        end = found.end()
        if depth < 0:
            return False
    return depth == 0 and (end == len(tex) or not tex.endswith("\\"))


def _harmless(tex: str) -> str:
    """Write TeX of the same meaning without HTML, entities, links or dollars for a parser of Markdown."""
    tex = _MEANT_AS_ENTITY.sub("& ", _MEANT_AS_HTML.sub("< ", tex))
    return _LONE_DOLLAR.sub(lambda found: found[1] or "\\$", _MEANT_AS_LINK.sub("] ", tex))
