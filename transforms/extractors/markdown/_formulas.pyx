# cython: wraparound=True, boundscheck=True
"""The formulas that markup holds: MathML, what KaTeX and MathJax made, scripts of TeX, pictures with TeX next to them.

Each is taken once, from the first of its sources that is there, with the tags that it reaches over: what is rendered
next to it goes. All of them together look at each tag a few times.
"""

import re
from bisect import bisect_right
from urllib.parse import parse_qs, unquote, urlsplit

import numpy as np

cimport cython
from libc.stdint cimport int64_t, uint64_t

from transforms.extractors.segments._page cimport SegmentedPage
from transforms.extractors.html._bytes cimport find
from transforms.extractors.html._tags cimport END, Tags

from transforms.extractors.html._attributes import attributes
from transforms.extractors.html._tags import key, lex
from transforms.extractors.html._text import rendered
from transforms.extractors.markdown._mathml import latex
from transforms.extractors.markdown.tex import cleaned, display, inline

cdef enum:
    MOST_LOOKS = 4  # times that all tags together may be looked at
    MOST_BYTES = 20000
    MOST_NAMES = 6

cdef uint64_t SPAN = key("span"), DIVISION = key("div"), PARAGRAPH = key("p")
cdef uint64_t MATH = key("math"), IMAGE = key("img"), MATHJAX = key("mjx-container"), DRAWN = key("mjx-math")
cdef uint64_t[MOST_NAMES] HOLDERS
HOLDERS[0], HOLDERS[1], HOLDERS[2], HOLDERS[3], HOLDERS[4], HOLDERS[5] = SPAN, DIVISION, PARAGRAPH, MATH, MATHJAX, DRAWN

_WRAPPERS = frozenset(
    b"katex katex-display katex--display MathJax MathJax_Display MathJax_CHTML MathJax_SVG MathJax_SVG_Display MJXc-display"
    b" mjx-chtml mwe-math-element MathJax_MathML".split()
)
_DISPLAYED = frozenset(
    b"katex-display katex--display MathJax_Display MathJax_SVG_Display MJXc-display math-display math-block".split()
)
_PICTURES = re.compile(
    rb"(?:^|\s)(?:latex|tex|mwe-math-[a-z-]{1,40}|ee_img|ql-img-[a-z]{1,20}-formula|mathjax-img)(?=\s|$)"
)
_PICTURE_SOURCES = re.compile(
    rb"latex\.php|codecogs|/latex/|mathtex|mimetex|latex\.cgi|/math/render|tex=|latex=|cht=tx|/formula/"
)
_QUERIES = re.compile(rb"codecogs|mimetex|mathtex|latex\.cgi")  # those whose whole query is TeX
_SAID = (
    b"data-latex", b"data-tex", b"data-expr", b"data-math", b"data-formula", b"data-equation", b"data-katex",
    b"alttext",
)
_STYLE = "{\\displaystyle "
_LOOKS_LIKE_TEX = re.compile(r"[\\^_={}]|[A-Za-z0-9]$")
_IS_TEX = re.compile(r"\\[A-Za-z]|[_^][A-Za-z0-9{]")
_TAGS = re.compile(rb"<[^<>]*>")
_SCRIPT_END = re.compile(rb"</script(?=[\t\n\f\r />])", re.IGNORECASE)


class Formula:
    """A formula: its TeX, and the tags [first, last] that it reaches over; one of a script is before `first`, and ends there.

    `is_taken`: it belongs to what is rendered before it. `offset`: characters but blanks between the tag before and a script.
    """

    __slots__ = ("blank_after", "blank_before", "first", "is_display", "is_taken", "last", "offset", "tex")

    def __init__(self, first, last, tex, is_display):
        self.first, self.last, self.tex, self.is_display = first, last, tex, is_display
        self.offset, self.blank_before, self.blank_after, self.is_taken = 0, False, False, False

    def inline(self, in_cell):
        """Write it within a line."""
        return inline(self.tex, in_cell=in_cell)

    def apart(self):
        """Write it on lines of its own."""
        return display(self.tex)


def formulas(SegmentedPage page not None, Py_ssize_t first, Py_ssize_t last):
    """Find the formulas among the tags [first, last), in order; none is in another."""
    scripts = _scripts(page, first, last)
    found = _tagged(page, first, last, scripts)
    out, place = [], 0
    for script in scripts:
        while place < len(found) and found[place].first < script.first:
            out.append(found[place])
            place += 1
        if not script.is_taken:
            out.append(script)
    return out + found[place:]


cdef list _tagged(SegmentedPage page, Py_ssize_t first, Py_ssize_t last, list scripts):
    """The formulas that tags make."""
    cdef Tags tags = page.markup.tags
    cdef const unsigned char[::1] html = page.markup.html
    cdef Py_ssize_t tag = first, stop, looks = MOST_LOOKS * (last - first) + 1000
    cdef int64_t[::1] ends = None
    cdef list found = []
    cdef list places = [script.first for script in scripts]
    while tag < last:
        if tags.kind[tag] & END or not (
            tags.name[tag] == MATH or tags.name[tag] == MATHJAX
            or (tags.name[tag] == SPAN or tags.name[tag] == IMAGE or tags.name[tag] == DIVISION or tags.name[tag] == PARAGRAPH)
            and _tells(html, tags.start[tag], tags.stop[tag])
        ):
            tag += 1
            continue
        given = attributes(page.markup.html, tags.start[tag], tags.stop[tag])
        classes = given.get(b"class", b"").split()
        said = next((given[name] for name in _SAID if given.get(name)), None)
        if tags.name[tag] == IMAGE:
            tex = _of_picture(given)
            if tex is not None:
                found.append(Formula(tag, tag, tex, any([name in _DISPLAYED for name in classes])))
            tag += 1
            continue
        is_math = tags.name[tag] == MATH or tags.name[tag] == MATHJAX or not _WRAPPERS.isdisjoint(classes)
        if not is_math and (said is None or b"alttext" in given):
            tag += 1
            continue
        if ends is None:
            ends = _ends(tags, first, last)
        stop = ends[tag]
        looks -= stop - tag
        if looks < 0:
            break
        formula = _of_element(page, tag, stop, given, classes, scripts[bisect_right(places, tag) :][:1], ends)
        if formula is not None:
            found.append(formula)
            tag = formula.last + 1
        else:
            tag += 1
    return found


@cython.boundscheck(False)
@cython.wraparound(False)
cdef bint _tells(const unsigned char[::1] html, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    """Whether a tag speaks of formulas: `math`, `hJax`, `tex` that is not an `text`, `expr`, `=tx`, `equat`, `formu`, `e_img`."""
    cdef Py_ssize_t at, last = stop - 4
    at = find(html, c"m", start + 4, last)
    while at >= 0:
        if html[at + 1] == c"a" and html[at + 2] == c"t" and html[at + 3] == c"h":
            return True
        if html[at - 1] == c"r" and html[at - 2] == c"o" and html[at + 1] == c"u":
            return True
        if html[at - 1] == c"i" and html[at - 2] == c"_" and html[at - 3] == c"e" and html[at + 1] == c"g":
            return True
        at = find(html, c"m", at + 1, last)
    at = find(html, c"x", start + 4, stop - 1)
    while at >= 0:
        if html[at - 1] == c"e" and html[at - 2] == c"t" and html[at + 1] != c"t":
            return True
        if html[at - 1] == c"e" and html[at + 1] == c"p" and at + 2 < stop and html[at + 2] == c"r":
            return True
        if html[at - 1] == c"a" and html[at - 2] | 0x20 == c"j" and html[at - 3] == c"h":
            return True
        if html[at - 1] == c"t" and html[at - 2] == c"=":
            return True
        at = find(html, c"x", at + 1, stop - 1)
    at = find(html, c"q", start + 4, last)
    while at >= 0:
        if html[at - 1] == c"e" and html[at + 1] == c"u" and html[at + 2] == c"a" and html[at + 3] == c"t":
            return True
        at = find(html, c"q", at + 1, last)
    return False


@cython.boundscheck(False)
@cython.wraparound(False)
cdef int64_t[::1] _ends(Tags tags, Py_ssize_t first, Py_ssize_t last):
    """The end tag of each start tag in [first, last) that may hold a formula: int64 (t,); itself, if none ends it."""
    cdef int64_t[::1] ends = np.arange(tags.count, dtype=np.int64)
    cdef int64_t[::1] outer = np.empty(tags.count, np.int64)  # the open start tag of its name around each
    cdef int64_t[MOST_NAMES] inner  # the innermost open start tag of each name
    cdef Py_ssize_t tag, name
    for name in range(MOST_NAMES):
        inner[name] = -1
    for tag in range(first, last):
        for name in range(MOST_NAMES):
            if tags.name[tag] == HOLDERS[name]:
                if not tags.kind[tag] & END:
                    outer[tag], inner[name] = inner[name], tag
                elif inner[name] >= 0:
                    ends[inner[name]] = tag
                    inner[name] = outer[inner[name]]
                break
    return ends


cdef object _of_element(SegmentedPage page, Py_ssize_t first, Py_ssize_t last, given, classes, list after, const int64_t[::1] ends):
    """The formula of an element; None if nothing in it says it."""
    cdef Tags tags = page.markup.tags
    cdef Py_ssize_t tag
    html = page.markup.html
    is_display = (
        given.get(b"display", b"") in (b"block", b"true") or given.get(b"mode", b"").startswith(b"display")
        or any([name in _DISPLAYED for name in classes])
    )
    said = [given[name] for name in _SAID if given.get(name)]
    mathml = given.get(b"data-mathml")
    math = drawn = -1
    for tag in range(first, last + 1):
        if tags.kind[tag] & END:
            continue
        if tags.name[tag] == MATH and math < 0:
            math = tag
        if tags.name[tag] == DRAWN and drawn < 0:
            drawn = tag
        name = html[tags.start[tag] + 1 : tags.start[tag] + 11].lower()
        if name == b"annotation" and tag < last:
            inner = attributes(html, tags.start[tag], tags.stop[tag])
            if b"tex" in inner.get(b"encoding", b"").lower():
                said.insert(0, html[tags.stop[tag] : min(tags.start[tag + 1], tags.stop[tag] + MOST_BYTES)])
        elif tag > first and (tags.name[tag] == MATH or _tells(html, tags.start[tag], tags.stop[tag])):
            inner = attributes(html, tags.start[tag], tags.stop[tag])
            said += [inner[name] for name in _SAID if inner.get(name)]
            is_display |= inner.get(b"display", b"") in (b"block", b"true")
            is_display |= not _DISPLAYED.isdisjoint(inner.get(b"class", b"").split())
    for script in after:  # the first script after the start tag
        if script.first <= last or script.first == last + 1 and not script.offset:
            script.is_taken = True
            return Formula(first, last, script.tex, script.is_display)
    for written in said:
        tex = cleaned(_text(written))
        if tex is not None:
            return Formula(first, last, tex, is_display)
    tex = None
    if math >= 0:
        tex = latex(html, tags, math, ends[math] if ends[math] <= last else math)
    if tex is None and mathml is not None and len(mathml) <= MOST_BYTES:
        written = _text(mathml).encode()
        inner = lex(written)
        tex = latex(written, inner, 0, inner.count - 1)
    if tex is None and drawn >= 0:
        tex = latex(html, tags, drawn, ends[drawn] if ends[drawn] <= last else drawn)
    if tex is None and tags.name[first] == MATHJAX and tags.start[last] - tags.stop[first] <= MOST_BYTES:
        # It may not have been drawn yet.
        written = _text(_TAGS.sub(b"", html[tags.stop[first] : tags.start[last]]))
        tex = written if _IS_TEX.search(written) else None
    if tex is not None and (tex := cleaned(tex)) is not None:
        return Formula(first, last, tex, is_display)
    return None


cdef object _of_picture(given):
    """The TeX of a picture, next to it or in its address; None if it is not of a formula."""
    source = given.get(b"src", b"")
    marked = _PICTURES.search(given.get(b"class", b"")) is not None
    if not marked and not _PICTURE_SOURCES.search(source):
        return None
    for name in (b"data-latex", b"data-tex", b"data-equation", b"data-formula", b"alt"):
        written = _text(given.get(name, b""))
        if written and _LOOKS_LIKE_TEX.search(written) and not written.startswith("http"):
            if written.startswith(_STYLE):
                written = written.removeprefix(_STYLE).removesuffix("}")
            tex = cleaned(written)
            if tex is not None:
                return tex
    try:
        parts = urlsplit(_text(source))
        said = parse_qs(parts.query)
    except ValueError:
        return None
    written = next((said[name][0] for name in ("latex", "tex", "chl") if name in said), None)
    if written is None and _QUERIES.search(source):
        written = unquote(parts.query)
    elif written is None and b"/formula/" in source:
        written = unquote(parts.path.rpartition("/formula/")[2])
        written = written if "\\" in written else None
    return cleaned(written) if written else None


cdef str _text(written):
    """What an attribute or a text of markup says."""
    return rendered(written[:MOST_BYTES])


cdef list _scripts(SegmentedPage page, Py_ssize_t first, Py_ssize_t last):
    """The formulas of scripts of TeX between two tags, in order."""
    cdef Tags tags = page.markup.tags
    cdef Py_ssize_t gap, position, before = 0, offset = 0, counted_gap = -1
    found = []
    for start, stop, position in page.source.noted:
        original = page.source.original
        opened = original.find(b">", start, stop)
        given = attributes(original, start, opened + 1) if opened >= 0 else {}
        kind = given.get(b"type", b"").strip().lower()
        if not kind.startswith(b"math/tex"):
            continue
        closed = _SCRIPT_END.search(original, opened, stop)
        tex = cleaned(original[opened + 1 : closed.start() if closed else stop].decode("utf-8", "replace"))
        gap = int(tags.starts.searchsorted(position))
        if tex is None or not first <= gap <= last:
            continue
        if gap != counted_gap:
            counted_gap, offset = gap, 0
            before = tags.stop[gap - 1] if gap else 0
        # From the script before, if no tag is between them: each character is counted once.
        offset += sum([not each.isspace() for each in rendered(page.markup.html[before:position])])
        before = position
        formula = Formula(gap, gap - 1, tex, b"display" in kind)
        formula.offset = offset
        formula.blank_before = page.markup.html[position - 1 : position].isspace()
        formula.blank_after = page.markup.html[position : position + 1].isspace()
        found.append(formula)
    return found
