"""AsciiMath as LaTeX (asciimath.org): symbols, brackets, operators before one or two terms, scripts."""

import re

MAX_CHARS = 2000
_MAX_DEPTH = 16
"""Terms in one another; deeper formulas are not read."""

_GREEK = "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi rho"
_GREEK += " sigma tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega"
_NAMES_ALIKE = (
    "sum prod int oint partial nabla infty emptyset forall exists therefore because prime angle triangle"
    " sin cos tan sec csc cot sinh cosh tanh log ln exp lim min max det dim gcd arcsin arccos arctan"
    " sup subset supset subseteq supseteq cup cap wedge vee in notin propto approx equiv cong times cdot div"
    " ldots cdots vdots ddots star ast circ oplus otimes quad pm mp le ge leq geq ne to leftarrow rightarrow"
    " Rightarrow Leftarrow leftrightarrow Leftrightarrow uparrow downarrow mapsto vdash models top bot perp"
)
_SYMBOLS = {name: f"\\{name}" for name in (*_GREEK.split(), *_NAMES_ALIKE.split())} | {
    "oo": "\\infty", "xx": "\\times", "-:": "\\div", "**": "\\ast", "***": "\\star", "//": "/", "@": "\\circ",
    "o+": "\\oplus", "ox": "\\otimes", "+-": "\\pm", "-+": "\\mp", "!=": "\\ne", "<=": "\\le", ">=": "\\ge",
    "lt": "<", "gt": ">", "-=": "\\equiv", "~~": "\\approx", "~=": "\\cong", "prop": "\\propto",
    "!in": "\\notin", "sub": "\\subset", "supe": "\\supseteq", "sube": "\\subseteq", "uu": "\\cup",
    "nn": "\\cap", "uuu": "\\bigcup", "nnn": "\\bigcap", "^^": "\\wedge", "vv": "\\vee", "not": "\\neg",
    "and": "\\text{ and }", "or": "\\text{ or }", "if": "\\text{ if }", "=>": "\\Rightarrow",
    "<=>": "\\Leftrightarrow", "iff": "\\iff",
    "AA": "\\forall", "EE": "\\exists", "->": "\\to", "|->": "\\mapsto", "rarr": "\\rightarrow",
    "larr": "\\leftarrow", "harr": "\\leftrightarrow", "rArr": "\\Rightarrow", "lArr": "\\Leftarrow",
    "del": "\\partial", "grad": "\\nabla", "O/": "\\emptyset", "...": "\\ldots", ":.": "\\therefore",
    "CC": "\\mathbb{C}", "NN": "\\mathbb{N}", "QQ": "\\mathbb{Q}", "RR": "\\mathbb{R}", "ZZ": "\\mathbb{Z}",
    "%": "\\%", "#": "\\#", "&": "\\&",
}  # fmt: skip
_ONE_TERM = {
    "sqrt": "\\sqrt{{{}}}", "abs": "\\left|{}\\right|", "floor": "\\lfloor {} \\rfloor",
    "ceil": "\\lceil {} \\rceil", "norm": "\\|{}\\|", "hat": "\\hat{{{}}}", "bar": "\\overline{{{}}}",
    "ul": "\\underline{{{}}}", "vec": "\\vec{{{}}}", "dot": "\\dot{{{}}}", "ddot": "\\ddot{{{}}}",
    "tilde": "\\tilde{{{}}}", "bb": "\\mathbf{{{}}}", "bbb": "\\mathbb{{{}}}", "cc": "\\mathcal{{{}}}",
    "tt": "\\mathtt{{{}}}", "fr": "\\mathfrak{{{}}}", "sf": "\\mathsf{{{}}}", "cancel": "\\cancel{{{}}}",
}  # fmt: skip
_TWO_TERMS = {
    "frac": "\\frac{{{}}}{{{}}}", "root": "\\sqrt[{}]{{{}}}", "stackrel": "\\overset{{{}}}{{{}}}",
    "overset": "\\overset{{{}}}{{{}}}", "underset": "\\underset{{{}}}{{{}}}",
}  # fmt: skip
_OPENING = {"(": "(", "[": "[", "{": "\\{", "(:": "\\langle", "{:": "."}
_CLOSING = {")": ")", "]": "]", "}": "\\}", ":)": "\\rangle", ":}": "."}
_KNOWN = sorted(
    (*_SYMBOLS, *_ONE_TERM, *_TWO_TERMS, *_OPENING, *_CLOSING), key=lambda name: (-len(name), name)
)
_TOKEN = re.compile(
    r'\s*(?:"(?P<said>[^"]*)"|text\((?P<text>[^()]*)\)|(?P<number>\d+(?:[.,]\d+)?)|(?P<known>'
    + "|".join(map(re.escape, _KNOWN))
    + r")|(?P<sign>\S))"
)

_SPECIAL = re.compile(r"[\\{}$#%&_^]")


def latex(written: str) -> str | None:
    """Write AsciiMath as LaTeX; None if it is too long, or terms in it are too deep."""
    if len(written) > MAX_CHARS:
        return None
    reader = _Reader(
        [(found.lastgroup or "", found[found.lastgroup or 0]) for found in _TOKEN.finditer(written)]
    )
    terms = []
    while reader.next:
        terms.append(reader.fraction(0))
    return None if reader.is_too_deep else " ".join(terms)


class _Reader:
    """Reads terms from tokens, each its kind and its text."""

    def __init__(self, tokens: list[tuple[str, str]]) -> None:
        self._tokens, self._at = tokens, 0
        self.is_too_deep = False

    @property
    def next(self) -> str:
        """The text of the next token; "" at the end."""
        return self._tokens[self._at][1] or " " if self._at < len(self._tokens) else ""

    def fraction(self, depth: int) -> str:
        """Read a term, and what it is divided by."""
        upper, is_group = self._with_scripts(depth)
        if self.next != "/":
            return upper
        self._at += 1
        lower, is_lower_group = self._with_scripts(depth)
        return f"\\frac{{{_bare(upper, is_group)}}}{{{_bare(lower, is_lower_group)}}}"

    def _with_scripts(self, depth: int) -> tuple[str, bool]:
        """Read a term with its scripts; also whether it is a group in brackets."""
        term, is_group = self._simple(depth)
        for sign in "_^":
            if self.next == sign:
                self._at += 1
                minus = self.next if self.next in ("-", "+") else ""
                self._at += bool(minus)
                script, is_script_group = self._simple(depth)
                term, is_group = f"{term}{sign}{{{minus}{_bare(script, is_script_group)}}}", False
        return term, is_group

    def _simple(self, depth: int) -> tuple[str, bool]:
        """Read a symbol, a group in brackets, or an operator with its terms; also whether it is a group."""
        if self._at >= len(self._tokens) or depth > _MAX_DEPTH:
            self.is_too_deep |= depth > _MAX_DEPTH
            self._at = len(self._tokens)
            return "", False
        kind, token = self._tokens[self._at]
        self._at += 1
        if kind in ("said", "text"):
            return f"\\text{{{_SPECIAL.sub('', token)}}}", False
        if token in _ONE_TERM:
            return _ONE_TERM[token].format(_bare(*self._simple(depth + 1))), False
        if token in _TWO_TERMS:
            first, second = (_bare(*self._simple(depth + 1)) for _ in range(2))
            return _TWO_TERMS[token].format(first, second), False
        if token in _OPENING:
            return self._group(token, depth), True
        return _SYMBOLS.get(token) or _CLOSING.get(token) or token.replace("\\", ""), False

    def _group(self, opened: str, depth: int) -> str:
        """Read the terms up to a closing bracket."""
        inner = []
        while self.next and self.next not in _CLOSING:
            inner.append(self.fraction(depth + 1))
        closed = self.next or ":}"
        self._at += 1
        return f"\\left{_OPENING[opened]} {' '.join(inner)} \\right{_CLOSING[closed]}"


def _bare(term: str, is_group: bool) -> str:
    """Leave out the round brackets of a group that an operator or a script takes whole."""
    if is_group and term.startswith("\\left( ") and term.endswith(" \\right)"):
        return term.removeprefix("\\left( ").removesuffix(" \\right)")
    return term
