# cython: wraparound=True, boundscheck=True
"""MathML as LaTeX (MathML Core, W3C): presentation markup, element by element, on a stack of its own.

What MathJax makes of it for screens has the same names with `mjx-` before them, boxes between them, and each character
in an element whose class is its code point (MathJax 3, CommonHTML).
"""

import re
import unicodedata

from transforms.extractors.html._tags cimport END, Tags

from transforms.extractors.html._attributes import attributes
from transforms.extractors.html._text import rendered

cdef enum:
    MOST_TAGS = 6000
    MOST_DEPTH = 80
    MOST_CHARS = 10000

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
    "ℤ": "\\mathbb{Z}", "ℚ": "\\mathbb{Q}", "ℂ": "\\mathbb{C}", "‖": "\\|", "°": "^{\\circ}", "\u2061": "", "\u2062": "",
    "\u2063": "", "\u2064": "", "\u200b": "", "\u00a0": " ", "`": "'",
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
    b"bold": "mathbf", b"double-struck": "mathbb", b"script": "mathcal", b"fraktur": "mathfrak", b"bold-italic": "boldsymbol",
    b"sans-serif": "mathsf", b"monospace": "mathtt",
}
_LIMITS = frozenset(
    "\\sum \\prod \\coprod \\int \\iint \\iiint \\oint \\bigcup \\bigcap \\bigoplus \\bigotimes \\bigwedge \\bigvee"
    " \\lim \\limsup \\liminf \\max \\min \\sup \\inf \\Pr \\gcd \\det \\overbrace \\underbrace".split()
)
_ROWS = frozenset(b"math mrow mstyle mpadded menclose semantics mtd merror maction".split())
_LEAVES = frozenset((b"mi", b"mn", b"mo", b"ms", b"mtext"))
_EMPTY = frozenset((b"mspace", b"none", b"mprescripts"))
_LEFT_OUT = frozenset((b"annotation", b"annotation-xml", b"mphantom"))
# Of MathJax: what only draws, what only holds others, and what is a part of the element around.
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
    """An open element, and what is in it so far."""

    __slots__ = ("attributes", "name", "named", "parts")

    def __init__(self, name, attributes):
        self.name, self.attributes, self.parts = name, attributes, []
        self.named = {}  # its parts in what MathJax makes, by their names


def latex(bytes html not None, Tags tags not None, Py_ssize_t first, Py_ssize_t last):
    """Write the element between two tags as LaTeX; None if it is too large, or there is nothing in it."""
    cdef Py_ssize_t tag, stop, chars = 0
    if last - first > MOST_TAGS:
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
            if len(stack) >= MOST_DEPTH:
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
            if chars > MOST_CHARS:
                return None
            stack[-1].parts.append(text)
    while len(stack) > 1:
        _close(stack)
    made = _row(stack[0].parts)
    return made if made and "\0" not in made and len(made) <= MOST_CHARS else None


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
    if name == b"mtable":
        return f"\\begin{{matrix}} {' \\\\ '.join(parts)} \\end{{matrix}}"
    if name == b"mfenced":
        given = element.attributes
        marks = [given.get(key, default).decode("utf-8", "replace") for key, default in ((b"open", b"("), (b"close", b")"))]
        between = given.get(b"separators", b",").decode("utf-8", "replace").strip()[:1]
        return f"\\left{_fence(marks[0])} {f'{between} '.join(parts)} \\right{_fence(marks[1])}"
    one, two, three = (*parts[:20], "", "", "")[:3]
    if name == b"mmultiscripts":
        return _scripts(parts[:20])
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
    b"mroot": "\\sqrt[{1}]{{{0}}}", b"msub": "{base}_{{{1}}}", b"msup": "{base}^{{{1}}}", b"msubsup": "{base}_{{{1}}}^{{{2}}}",
    b"munder": "\\underset{{{1}}}{{{0}}}", b"mover": "\\overset{{{1}}}{{{0}}}", b"munderover": "{base}_{{{1}}}^{{{2}}}",
}
"""How elements are written, by their first three parts, the first as what carries a script, and all of them as a row."""


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


def _scripts(parts):
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
    """What carries a script: one symbol, or a group."""
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
