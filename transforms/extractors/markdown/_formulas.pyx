# cython: wraparound=True, boundscheck=True
"""Find the formulas of markup: MathML, output of KaTeX and MathJax, scripts of TeX, pictures with TeX next to them.

Each formula is taken once, from its first source, with the tags that it reaches over, so that its rendered form next
to it is dropped. All searches together look at each tag a few times.
"""

import re
import unicodedata
from bisect import bisect_right
from urllib.parse import parse_qs, unquote, urlsplit

import numpy as np

cimport cython
from libc.stdint cimport int64_t, uint64_t

from cedar.transforms.extractors.segments._page cimport SegmentedPage
from cedar.transforms.extractors.html._bytes cimport find
from cedar.transforms.extractors.html._text cimport rendered, rendered_range
from cedar.transforms.extractors.html._tags cimport END, Tags

from cedar.transforms.extractors.html._attributes import attributes
from cedar.transforms.extractors.html._source import lex
from cedar.transforms.extractors.html._tags import key
from cedar.transforms.extractors.markdown import asciimath
from cedar.transforms.extractors.markdown.tex import MarkedFormula, cleaned

cdef enum:
    MAX_LOOKS = 4  # times that all tags together may be looked at
    MAX_BYTES = 20000
    MAX_NAMES = 6

cdef uint64_t SPAN = key("span"), DIVISION = key("div"), PARAGRAPH = key("p")
cdef uint64_t MATH = key("math"), IMAGE = key("img"), MATHJAX = key("mjx-container"), DRAWN = key("mjx-math")
cdef uint64_t NOSCRIPT = key("noscript")
cdef uint64_t[MAX_NAMES] HOLDERS
HOLDERS[0], HOLDERS[1], HOLDERS[2], HOLDERS[3], HOLDERS[4], HOLDERS[5] = SPAN, DIVISION, PARAGRAPH, MATH, MATHJAX, DRAWN

_WRAPPERS = frozenset(
    b"katex katex-display katex--display MathJax MathJax_Display MathJax_CHTML MathJax_SVG MathJax_SVG_Display"
    b" MJXc-display mjx-chtml mwe-math-element MathJax_MathML".split()
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
_COMMANDS = re.compile(rb"\s*+(?:\\[A-Za-z]|[A-Za-z0-9({\[|][^\\<>]{0,60}?[\^_={(+-] ?\\[A-Za-z]{2})")
"""A description that begins as TeX does: with a command, or with one soon after an operator or a bracket."""

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


def formulas(SegmentedPage page not None, Py_ssize_t first, Py_ssize_t last):
    """Find the formulas among the tags [first, last), in order; none is in another."""
    if not 0 <= first <= last <= page.markup.tags.count:
        raise IndexError(f"tags [{first}, {last}) of {page.markup.tags.count}")
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
    cdef Py_ssize_t tag = first, stop, looks = MAX_LOOKS * (last - first) + 1000
    cdef int64_t[::1] ends = None
    cdef list found = []
    cdef list places = [script.first for script in scripts]
    while tag < last:
        if tags.kind[tag] & END or not (
            tags.name[tag] == MATH or tags.name[tag] == MATHJAX
            or (
                tags.name[tag] == SPAN or tags.name[tag] == IMAGE
                or tags.name[tag] == DIVISION or tags.name[tag] == PARAGRAPH
            )
            and (
                _tells(html, tags.start[tag], tags.stop[tag])
                or tags.name[tag] == IMAGE and find(html, c"\\", tags.start[tag], tags.stop[tag]) >= 0
            )
        ):
            tag += 1
            continue
        given = attributes(page.markup.html, tags.start[tag], tags.stop[tag])
        classes = given.get(b"class", b"").split()
        said = next((given[name] for name in _SAID if given.get(name)), None)
        if tags.name[tag] == IMAGE:
            tex = _of_picture(given)
            if tex is not None:
                is_display = any([name in _DISPLAYED for name in classes])
                if found and found[-1].tex == tex and found[-1].last == tag - 2 and tags.name[tag - 1] == NOSCRIPT:
                    # A picture that is loaded late stands there once more, for those without scripts.
                    found.append(MarkedFormula(tex, is_display, found.pop().first, tag))
                else:
                    found.append(MarkedFormula(tex, is_display, tag, tag))
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
        next_script = bisect_right(places, tag)
        after = scripts[next_script : next_script + 1]
        formula = _of_element(page, tag, stop, given, classes, after, ends)
        if formula is not None:
            found.append(formula)
            tag = formula.last + 1
        else:
            tag += 1
    return found


@cython.boundscheck(False)
@cython.wraparound(False)
cdef bint _tells(const unsigned char[::1] html, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    """Whether a tag has `math`, `hJax`, `tex` that is not in `text`, `expr`, `=tx`, `equat`, `formu` or `e_img`."""
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
    cdef int64_t[MAX_NAMES] inner  # the innermost open start tag of each name
    cdef Py_ssize_t tag, name
    for name in range(MAX_NAMES):
        inner[name] = -1
    for tag in range(first, last):
        for name in range(MAX_NAMES):
            if tags.name[tag] == HOLDERS[name]:
                if not tags.kind[tag] & END:
                    outer[tag], inner[name] = inner[name], tag
                elif inner[name] >= 0:
                    ends[inner[name]] = tag
                    inner[name] = outer[inner[name]]
                break
    return ends


cdef object _of_element(
    SegmentedPage page, Py_ssize_t first, Py_ssize_t last, given, classes, list after, const int64_t[::1] ends
):
    """The formula of an element; None if it has no source of one."""
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
                said.insert(0, html[tags.stop[tag] : min(tags.start[tag + 1], tags.stop[tag] + MAX_BYTES + 1)])
        elif tag > first and (tags.name[tag] == MATH or _tells(html, tags.start[tag], tags.stop[tag])):
            inner = attributes(html, tags.start[tag], tags.stop[tag])
            said += [inner[name] for name in _SAID if inner.get(name)]
            is_display |= inner.get(b"display", b"") in (b"block", b"true")
            is_display |= not _DISPLAYED.isdisjoint(inner.get(b"class", b"").split())
    for script in after:  # the first script after the start tag
        if script.first <= last or script.first == last + 1 and not script.offset:
            script.is_taken = True
            return MarkedFormula(script.tex, script.is_display, first, last)
    for written in said:
        tex = cleaned(_text(written))
        if tex is not None:
            return MarkedFormula(tex, is_display, first, last)
    tex = None
    if math >= 0:
        tex = latex(html, tags, math, ends[math] if ends[math] <= last else math)
    if tex is None and mathml is not None and len(mathml) <= MAX_BYTES:
        written = _text(mathml).encode()
        inner = lex(written)
        tex = latex(written, inner, 0, inner.count - 1)
    if tex is None and drawn >= 0:
        tex = latex(html, tags, drawn, ends[drawn] if ends[drawn] <= last else drawn)
    if tex is None and tags.name[first] == MATHJAX and tags.start[last] - tags.stop[first] <= MAX_BYTES:
        # It may not have been drawn yet.
        written = _text(_TAGS.sub(b"", html[tags.stop[first] : tags.start[last]]))
        tex = written if _IS_TEX.search(written) else None
    if tex is not None and (tex := cleaned(tex)) is not None:
        return MarkedFormula(tex, is_display, first, last)
    return None


cdef object _of_picture(given):
    """The TeX of a picture, next to it or in its address; None if it is not of a formula."""
    source = given.get(b"src", b"")
    marked = _PICTURES.search(given.get(b"class", b"")) is not None or _COMMANDS.match(given.get(b"alt", b""))
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


cdef str _text(bytes written):
    """The text of an attribute or of markup, references decoded; its beginning, if it is long."""
    cdef Py_ssize_t stop = min(len(written), MAX_BYTES)
    while stop < len(written) and written[stop] & 0xC0 == 0x80:  # between characters
        stop -= 1
    return rendered_range(written, 0, stop)


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
        if not kind.startswith((b"math/tex", b"math/asciimath")):
            continue
        closed = _SCRIPT_END.search(original, opened, stop)
        written = original[opened + 1 : closed.start() if closed else stop].decode("utf-8", "replace")
        tex = cleaned(asciimath.latex(written) or "" if kind.startswith(b"math/ascii") else written)
        gap = int(tags.starts.searchsorted(position))
        if tex is None or not first <= gap <= last:
            continue
        if gap != counted_gap:
            counted_gap, offset = gap, 0
            before = tags.stop[gap - 1] if gap else 0
        # From the script before, if no tag is between them: each character is counted once.
        offset += sum([not each.isspace() for each in rendered(page.markup.html[before:position])])
        before = position
        blank_before = page.markup.html[position - 1 : position].isspace()
        blank_after = page.markup.html[position : position + 1].isspace()
        found.append(MarkedFormula(tex, b"display" in kind, gap, gap - 1, offset, blank_before, blank_after))
    return found


# MathML as LaTeX (MathML Core, W3C): presentation markup, element by element, on a stack of its own.
#
# What MathJax makes of it for screens has the same names with `mjx-` before them, boxes between them, and each
# character in an element whose class is its code point (MathJax 3, CommonHTML).

cdef enum:
    MAX_TAGS = 6000
    MAX_DEPTH = 80
    MAX_CHARS = 10000

_NAME = re.compile(rb"</?(?:[A-Za-z]{1,8}:)?(mjx-)?([A-Za-z-]{1,20})")

_WORDS = (
    "α alpha β beta γ gamma δ delta ε varepsilon ϵ epsilon ζ zeta η eta θ theta ϑ vartheta ι iota κ kappa λ lambda "
    "μ mu µ mu ν nu ξ xi π pi ϖ varpi ρ rho ϱ varrho σ sigma ς varsigma τ tau υ upsilon φ varphi ϕ phi χ chi ψ psi "
    "ω omega Γ Gamma Δ Delta Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma Υ Upsilon Φ Phi Ψ Psi Ω Omega "
    "× times ÷ div ± pm ∓ mp ⋅ cdot · cdot ∗ ast ∘ circ ∙ bullet • bullet ⋆ star ⊕ oplus ⊗ otimes ⊖ ominus ⊙ odot "
    "≤ leq ⩽ leq ≥ geq ⩾ geq ≠ neq ≈ approx ≡ equiv ≅ cong ≃ simeq ∼ sim ∝ propto ≪ ll ≫ gg ≺ prec ≻ succ ≔ coloneqq "
    "∈ in ∉ notin ∋ ni ⊂ subset ⊃ supset ⊆ subseteq ⊇ supseteq ∪ cup ∩ cap ∖ setminus ∅ emptyset "
    "∀ forall ∃ exists ∄ nexists ¬ neg ∧ wedge ∨ vee ⊢ vdash ⊨ models ⊤ top ⊥ bot ∴ therefore ∵ because "
    "→ rightarrow ← leftarrow ↔ leftrightarrow ⇒ Rightarrow ⇐ Leftarrow ⇔ Leftrightarrow ↦ mapsto ⟶ longrightarrow "
    "⟵ longleftarrow ⟹ Longrightarrow ⟺ Longleftrightarrow ↑ uparrow ↓ downarrow ⇌ rightleftharpoons ↪ hookrightarrow "
    "∑ sum ∏ prod ∐ coprod ∫ int ∬ iint ∭ iiint ∮ oint ⋃ bigcup ⋂ bigcap ⨁ bigoplus ⨂ bigotimes ⋀ bigwedge ⋁ bigvee "
    "∂ partial ∇ nabla ∞ infty ℏ hbar ħ hbar ℓ ell ℜ Re ℑ Im ℵ aleph ∠ angle ° circ △ triangle □ square "
    "… ldots ⋯ cdots ⋮ vdots ⋱ ddots ⟨ langle ⟩ rangle ⌊ lfloor ⌋ rfloor ⌈ lceil ⌉ rceil ∥ parallel ∣ mid † dagger "
    "∎ blacksquare ⊳ triangleright ⊲ triangleleft ≜ triangleq ≝ doteq ∔ dotplus ⊊ subsetneq ⋉ ltimes ⋊ rtimes ≀ wr "
    "≲ lesssim ≳ gtrsim ⪅ lessapprox ⪆ gtrapprox ⊔ sqcup ⊓ sqcap ⊑ sqsubseteq ⊒ sqsupseteq ⨯ times"
)
_SIGNS = dict(zip(_WORDS.split()[::2], (f"\\{word}" for word in _WORDS.split()[1::2])))
_SIGNS.update({
    "−": "-", "‐": "-", "–": "-", "′": "'", "″": "''", "‴": "'''", "{": "\\{", "}": "\\}", "%": "\\%", "#": "\\#",
    "&": "\\&", "$": "\\$", "_": "\\_", "\\": "\\backslash", "~": "\\sim", "ℝ": "\\mathbb{R}", "ℕ": "\\mathbb{N}",
    "ℤ": "\\mathbb{Z}", "ℚ": "\\mathbb{Q}", "ℂ": "\\mathbb{C}", "‖": "\\|", "°": "^{\\circ}", "\u2061": "",
    "\u2062": "", "\u2063": "", "\u2064": "", "\u200b": "", "\u00a0": " ", "`": "'",
})
_FUNCTIONS = frozenset(
    "arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf limsup ln log max min"
    " Pr sec sin sinh sup tan tanh".split()
)
_ACCENTS = {
    "^": "hat", "ˆ": "hat", "̂": "hat", "¯": "bar", "‾": "overline", "―": "overline", "_": "underline", "→": "vec",
    "⃗": "vec", "˙": "dot", "¨": "ddot", "~": "tilde", "˜": "tilde", "ˇ": "check", "˘": "breve", "⏞": "overbrace",
    "⏟": "underbrace", "⟶": "overrightarrow", "∼": "tilde", "\u0332": "underline",
}
_STYLES = {
    b"bold": "mathbf", b"double-struck": "mathbb", b"script": "mathcal", b"fraktur": "mathfrak",
    b"bold-italic": "boldsymbol", b"sans-serif": "mathsf", b"monospace": "mathtt",
}
_LIMITS = frozenset(
    "\\sum \\prod \\coprod \\int \\iint \\iiint \\oint \\bigcup \\bigcap \\bigoplus \\bigotimes \\bigwedge \\bigvee"
    " \\lim \\limsup \\liminf \\max \\min \\sup \\inf \\Pr \\gcd \\det \\overbrace \\underbrace".split()
)
_ROWS = frozenset(b"math mrow mstyle mpadded menclose semantics mtd merror maction".split())
_LEAVES = frozenset((b"mi", b"mn", b"mo", b"ms", b"mtext"))
_EMPTY = frozenset((b"mspace", b"none", b"mprescripts"))
_LEFT_OUT = frozenset((b"annotation", b"annotation-xml", b"mphantom"))
# Elements of MathJax: they only draw, only hold others, or are a part of the element around.
_DRAWN = frozenset(
    b"mjx-surd mjx-line mjx-nstrut mjx-dstrut mjx-tstrut mjx-strut mjx-spacer mjx-mark mjx-beg mjx-ext mjx-end mjx-mid"
    b" mjx-assistive-mml".split()
)
_BOXES = frozenset(b"mjx-box mjx-row mjx-frac mjx-dbox mjx-dtable mjx-sqrt mjx-table mjx-itable mjx-labels".split())
_PARTS = frozenset(b"mjx-num mjx-den mjx-base mjx-over mjx-under mjx-root mjx-script".split())
_STRETCHED = frozenset((b"stretchy-v", b"stretchy-h"))
_HEX = re.compile(rb"(?:0?[0-9A-F]|10)?[0-9A-F]{2,4}")
_CODE_POINT = re.compile(rb"(?:^|\s)mjx-c([0-9A-F]{2,5})(?=\s|$)")
_SYMBOL = re.compile(r"\\[A-Za-z]+|\\[a-z]+\{[^{}]*\}|[0-9.]+")
_OPENING, _CLOSING = frozenset("([{|"), frozenset(")],;.!'")


class _Element:
    """An open element, and its content so far."""

    __slots__ = ("attributes", "name", "named", "parts")

    def __init__(self, name, attributes):
        self.name, self.attributes, self.parts = name, attributes, []
        self.named = {}  # its parts in what MathJax makes, by their names


def latex(bytes html not None, Tags tags not None, Py_ssize_t first, Py_ssize_t last):
    """Write the element between two tags as LaTeX; None if it is too large or empty."""
    cdef Py_ssize_t tag, stop, chars = 0
    if last - first > MAX_TAGS:
        return None
    stack = [_Element(b"math", {})]
    for tag in range(first, last + 1):
        found = _NAME.match(html, tags.start[tag], tags.stop[tag])
        if found is None:
            continue
        name = found[2].lower()
        if found[1]:  # of MathJax: its name in MathML, if that has one
            made = b"mjx-" + name
            name = made if made in _DRAWN or made in _BOXES or made in _PARTS or made == b"mjx-c" else name
        if tags.kind[tag] & END:
            depth = len(stack) - 1
            while depth > 0 and stack[depth].name != name:
                depth -= 1
            while depth > 0 and len(stack) > depth:
                _close(stack)
        else:
            if len(stack) >= MAX_DEPTH:
                return None
            element = _Element(name, attributes(html, tags.start[tag], tags.stop[tag]))
            if name in _EMPTY or html[tags.stop[tag] - 2 : tags.stop[tag] - 1] == b"/":
                if name != b"mspace":
                    stack[-1].parts.append("\0" if name == b"mprescripts" else "")
                continue
            stack.append(element)
        stop = tags.start[tag + 1] if tag + 1 <= last else tags.stop[tag]
        if stop > tags.stop[tag] and (stack[-1].name in _LEAVES or stack[-1].name == b"mjx-c"):
            text = rendered(html[tags.stop[tag] : stop])
            chars += len(text)
            if chars > MAX_CHARS:
                return None
            stack[-1].parts.append(text)
    while len(stack) > 1:
        _close(stack)
    made = _row(stack[0].parts)
    return made if made and "\0" not in made and len(made) <= MAX_CHARS else None


def _close(stack):
    """Close the innermost element."""
    done = stack.pop()
    around = stack[-1]
    if done.name in _LEFT_OUT or done.name in _DRAWN:
        return
    if done.name == b"mjx-c" or done.name in _STRETCHED:
        said = done.attributes.get(b"c") or next(iter(_CODE_POINT.findall(done.attributes.get(b"class", b""))), b"")
        character = "".join(done.parts).strip()
        if not character and _HEX.fullmatch(said):
            character = chr(int(said, 16))
        if around.name not in _STRETCHED:
            around.parts.append(character)
    elif done.name in _BOXES:
        around.parts += done.parts
        around.named.update(done.named)
    elif done.name in _PARTS:
        around.named[done.name] = [part for part in done.parts if part]
    else:
        around.parts.append(_written(done))


def _written(element):
    """An element whose parts are written."""
    name, parts = element.name, element.parts
    if element.named:
        parts = _in_order(name, parts, element.named)
    if name in _LEAVES:
        bold = b"bold" if element.attributes.get(b"class") == b"mjx-b" else b""  # of MathJax
        return _leaf(name, "".join(parts).strip(), element.attributes.get(b"mathvariant", bold))
    if name in _ROWS:
        return _row(parts)
    if name == b"mtr" or name == b"mlabeledtr":
        return " & ".join(parts[name == b"mlabeledtr" :])
    if name == b"mtable" and len(parts) == 1 and " & " not in parts[0]:
        return parts[0]
    if name == b"mtable":
        return f"\\begin{{matrix}} {' \\\\ '.join(parts)} \\end{{matrix}}"
    if name == b"mfenced":
        given = element.attributes
        fences = given.get(b"open", b"("), given.get(b"close", b")")
        marks = [fence.decode("utf-8", "replace") for fence in fences]
        between = given.get(b"separators", b",").decode("utf-8", "replace").strip()[:1]
        return f"\\left{_fence(marks[0])} {f'{between} '.join(parts)} \\right{_fence(marks[1])}"
    one, two, three = (*parts[:20], "", "", "")[:3]
    if name == b"mmultiscripts":
        return _with_scripts(parts[:20])
    if name == b"mfrac" and element.attributes.get(b"linethickness", b"").startswith(b"0"):
        name = b"mbinom"
    elif name == b"msup" and two and not two.strip("'"):
        return f"{_base(one)}{two}"
    elif (name == b"munder" or name == b"mover") and (one in _LIMITS or two in _MARKS):
        mark = _MARKS.get(two)
        return f"\\{mark}{{{one}}}" if mark else f"{one}{'_' if name == b'munder' else '^'}{{{two}}}"
    elif name == b"munderover" and not two:
        return f"{one}^{{{three}}}"
    if name not in _FORMS:
        return _row(parts[:20] if name != b"msqrt" else parts)
    return _FORMS[name].format(one, two, three, base=_base(one), row=_row(parts))


_FORMS = {
    b"msqrt": "\\sqrt{{{row}}}", b"mfrac": "\\frac{{{0}}}{{{1}}}", b"mbinom": "\\binom{{{0}}}{{{1}}}",
    b"mroot": "\\sqrt[{1}]{{{0}}}", b"msub": "{base}_{{{1}}}", b"msup": "{base}^{{{1}}}",
    b"msubsup": "{base}_{{{1}}}^{{{2}}}", b"munderover": "{base}_{{{1}}}^{{{2}}}",
    b"munder": "\\underset{{{1}}}{{{0}}}", b"mover": "\\overset{{{1}}}{{{0}}}",
}
"""How to write elements: by three parts, by the first as a base of scripts, and by all as a row."""


def _in_order(name, parts, named):
    """The parts of an element of MathJax in the order of MathML."""
    def part(key):
        return _row(named.get(b"mjx-" + key, ()))
    scripts = named.get(b"mjx-script", [])
    orders = {
        b"mfrac": lambda: [part(b"num"), part(b"den")],
        b"mroot": lambda: [_row(parts), part(b"root")],
        b"munder": lambda: [part(b"base"), part(b"under")],
        b"mover": lambda: [part(b"base") or _row(parts), part(b"over")],
        # The element below stands in a box of its own.
        b"munderover": lambda: [_row(parts) or part(b"base"), part(b"under"), part(b"over")],
        b"msubsup": lambda: [_row(parts), *scripts[::-1]],
    }
    return orders.get(name, lambda: [_row(parts), _row(scripts)])()


_MARKS = {_SIGNS.get(sign, sign): name for sign, name in _ACCENTS.items()}


def _with_scripts(parts):
    """A base with pairs of scripts after it, and before it."""
    split = parts.index("\0") if "\0" in parts else len(parts)
    after, before = parts[1:split], parts[split + 1 :]
    return _pairs("{}", before) * bool(before) + _pairs(parts[0] if parts else "", after)


def _pairs(base, scripts):
    out = base
    for place in range(0, len(scripts), 2):
        low, high = scripts[place], scripts[place + 1] if place + 1 < len(scripts) else ""
        out += (f"_{{{low}}}" if low else "") + (f"^{{{high}}}" if high else "")
    return out


def _base(written):
    """Write a base of scripts: one symbol, or a group."""
    alone = len(written) < 2 or written[-1:] in ")]" or _SYMBOL.fullmatch(written)
    return written if alone else f"{{{written}}}"


def _fence(mark):
    return _SIGNS.get(mark, mark) or "."


def _leaf(name, text, variant):
    """A token: an identifier, a number, an operator or text."""
    if not text:
        return ""
    if name == b"mtext" or name == b"ms":
        plain = "".join("\\" + each if each in "{}$%#&_" else each for each in text if each not in "\\`")
        return f"\\text{{{plain}}}" if plain.strip() else ""
    if text in _FUNCTIONS:
        return f"\\{text}"
    if len(text) == 1 or name == b"mo":
        signs = " ".join(filter(None, (_sign(each) for each in text)))
        return f"\\{_STYLES[variant]}{{{signs}}}" if variant in _STYLES and text.isalnum() else signs
    letters = "".join(_sign(each) + " " * (_sign(each)[:1] == "\\") for each in text).strip()
    if name == b"mi" and text.isalpha() and text.isascii():
        return f"\\{_STYLES.get(variant, 'mathrm')}{{{letters}}}"
    return letters


def _sign(character):
    """A character as LaTeX."""
    written = _SIGNS.get(character)
    if written is None and character >= "\U0001d400" and character <= "\U0001d7ff":
        plain = unicodedata.normalize("NFKC", character)
        return _SIGNS.get(plain, plain)
    return character if written is None else written


def _row(parts):
    """Parts side by side, blanks between them but inside of brackets."""
    out = []
    for part in parts:
        if not part:
            continue
        if out and out[-1][-1:] not in _OPENING and part[:1] not in _CLOSING:
            out.append(" ")
        out.append(part)
    return "".join(out)
