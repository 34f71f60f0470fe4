"""AsciiMath as LaTeX (asciimath.org): symbols, brackets, matrices, scripts, operators before terms."""

import re
from dataclasses import dataclass

MAX_CHARS = 2000
_MAX_DEPTH = 16
"""Terms in one another; deeper formulas are not read."""
_MAX_COLUMNS = 10
"""Columns of a matrix of LaTeX."""

_GREEK = "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi rho"
_GREEK += " sigma tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega"
_FUNCTIONS_ALIKE = "sin cos tan sec csc cot sinh cosh tanh coth log ln exp det gcd arcsin arccos arctan"
_NAMES_ALIKE = (
    "sum prod int oint partial nabla infty emptyset forall exists therefore because prime angle triangle"
    " lim min max dim aleph diamond square frown quad qquad bigcap bigcup bigwedge bigvee"
    " subset supset subseteq supseteq cup cap wedge vee in notin propto approx equiv cong times cdot div"
    " ldots cdots vdots ddots star ast circ oplus otimes odot pm mp le ge leq geq ne to leftarrow rightarrow"
    " Rightarrow Leftarrow leftrightarrow Leftrightarrow uparrow downarrow mapsto vdash models top bot perp"
    " ltimes rtimes bowtie ll gg prec preceq succ succeq sim neg implies iff setminus backslash"
    " lfloor rfloor lceil rceil"
)
_FUNCTIONS = {name: f"\\{name}" for name in _FUNCTIONS_ALIKE.split()} | {
    name: f"\\operatorname{{{name}}}" for name in ("sech", "csch", "lcm")
}
_SYMBOLS = _FUNCTIONS | {name: f"\\{name}" for name in (*_GREEK.split(), *_NAMES_ALIKE.split())} | {
    "oo": "\\infty", "xx": "\\times", "-:": "\\div", "*": "\\cdot", "**": "\\ast", "***": "\\star",
    "//": "/", "@": "\\circ", "o+": "\\oplus", "ox": "\\otimes", "o.": "\\odot", "+-": "\\pm", "-+": "\\mp",
    "|><": "\\ltimes", "><|": "\\rtimes", "|><|": "\\bowtie", "\\\\": "\\backslash", "\\ ": "\\;",
    "!=": "\\ne", "<=": "\\le", ">=": "\\ge", "lt": "<", "gt": ">", "mlt": "\\ll", "mgt": "\\gg",
    "-<": "\\prec", "-<=": "\\preceq", ">-": "\\succ", ">-=": "\\succeq", "-=": "\\equiv", "~": "\\sim",
    "~~": "\\approx", "~=": "\\cong", "prop": "\\propto",
    "!in": "\\notin", "sub": "\\subset", "sup": "\\supset", "supe": "\\supseteq", "sube": "\\subseteq",
    "uu": "\\cup", "nn": "\\cap", "uuu": "\\bigcup", "nnn": "\\bigcap", "^^": "\\wedge", "vv": "\\vee",
    "^^^": "\\bigwedge", "vvv": "\\bigvee", "not": "\\neg",
    "and": "\\text{ and }", "or": "\\text{ or }", "if": "\\text{ if }", "else": "\\text{else}",
    "otherwise": "\\text{otherwise}", "=>": "\\Rightarrow", "<=>": "\\Leftrightarrow",
    "AA": "\\forall", "EE": "\\exists", "TT": "\\top", "_|_": "\\bot", "|--": "\\vdash", "|==": "\\models",
    "->": "\\to", "|->": "\\mapsto", ">->": "\\rightarrowtail", "->>": "\\twoheadrightarrow",
    "rarr": "\\rightarrow", "larr": "\\leftarrow", "harr": "\\leftrightarrow", "uarr": "\\uparrow",
    "darr": "\\downarrow", "rArr": "\\Rightarrow", "lArr": "\\Leftarrow", "hArr": "\\Leftrightarrow",
    "del": "\\partial", "grad": "\\nabla", "O/": "\\emptyset", "...": "\\ldots", ":.": "\\therefore",
    ":'": "\\because", "/_": "\\angle", "/_\\": "\\triangle",
    "|__": "\\lfloor", "__|": "\\rfloor", "|~": "\\lceil", "~|": "\\rceil",
    "CC": "\\mathbb{C}", "NN": "\\mathbb{N}", "QQ": "\\mathbb{Q}", "RR": "\\mathbb{R}", "ZZ": "\\mathbb{Z}",
    "dx": "d x", "dy": "d y", "dz": "d z", "dt": "d t", "mod": "\\operatorname{mod}",
    "lub": "\\operatorname{lub}", "glb": "\\operatorname{glb}", "%": "\\%", "#": "\\#", "&": "\\&",
}  # fmt: skip
_FUNCTION_LETTERS = ("f", "g")
"""Functions if brackets follow."""
_ONE_TERM = {
    "sqrt": "\\sqrt{{{}}}", "abs": "\\left|{}\\right|", "floor": "\\lfloor {} \\rfloor",
    "ceil": "\\lceil {} \\rceil", "norm": "\\|{}\\|", "hat": "\\hat{{{}}}", "bar": "\\overline{{{}}}",
    "overline": "\\overline{{{}}}", "ul": "\\underline{{{}}}", "underline": "\\underline{{{}}}",
    "vec": "\\vec{{{}}}", "dot": "\\dot{{{}}}", "ddot": "\\ddot{{{}}}", "tilde": "\\tilde{{{}}}",
    "ubrace": "\\underbrace{{{}}}", "underbrace": "\\underbrace{{{}}}", "obrace": "\\overbrace{{{}}}",
    "overbrace": "\\overbrace{{{}}}", "overarc": "\\overset{{\\frown}}{{{}}}",
    "bb": "\\mathbf{{{}}}", "mathbf": "\\mathbf{{{}}}", "bbb": "\\mathbb{{{}}}", "mathbb": "\\mathbb{{{}}}",
    "cc": "\\mathcal{{{}}}", "mathcal": "\\mathcal{{{}}}", "tt": "\\mathtt{{{}}}",
    "mathtt": "\\mathtt{{{}}}", "fr": "\\mathfrak{{{}}}", "mathfrak": "\\mathfrak{{{}}}",
    "sf": "\\mathsf{{{}}}", "mathsf": "\\mathsf{{{}}}", "cancel": "\\cancel{{{}}}",
}  # fmt: skip
_TWO_TERMS = {
    "frac": "\\frac{{{}}}{{{}}}", "root": "\\sqrt[{}]{{{}}}", "stackrel": "\\overset{{{}}}{{{}}}",
    "overset": "\\overset{{{}}}{{{}}}", "underset": "\\underset{{{}}}{{{}}}",
}  # fmt: skip
_OPENING = {
    "(": "(", "[": "[", "{": "\\{", "(:": "\\langle", "<<": "\\langle", "langle": "\\langle", "{:": ".",
}  # fmt: skip
_CLOSING = {
    ")": ")", "]": "]", "}": "\\}", ":)": "\\rangle", ">>": "\\rangle", "rangle": "\\rangle", ":}": ".",
}  # fmt: skip
_BARS = {"|": "|", "||": "\\|"}
_ENVIRONMENTS = {"()": "pmatrix", "[]": "bmatrix", "||": "vmatrix"}
_KNOWN = sorted(
    (*_SYMBOLS, *_ONE_TERM, *_TWO_TERMS, *_OPENING, *_CLOSING, *_BARS),
    key=lambda name: (-len(name), name),
)
_TOKEN = re.compile(
    r'\s*(?:"(?P<said>[^"]*)"|(?:text|mbox)\s?[({\[](?P<text>[^)}\]]*)[)}\]]'
    r"|color\s?[({\[]\s?(?P<colour>[A-Za-z]+)\s?[)}\]]|(?:left|right)(?=\s?[^\w\s])(?P<size>)"
    r"|(?P<number>\d+(?:\.\d+)?)|(?P<known>" + "|".join(map(re.escape, _KNOWN)) + r")|(?P<sign>\S))"
)
_SPECIAL = re.compile(r"[\\{}$#%&_^~]")


def latex(written: str) -> str | None:
    """Write AsciiMath as LaTeX; None if it is too long or deep, or an operator has no term."""
    if len(written) > MAX_CHARS:
        return None
    found = [(each.lastgroup or "", each[each.lastgroup or 0]) for each in _TOKEN.finditer(written)]
    # A backslash before a name says nothing.
    reader = _Reader([each for each in found if each[0] != "size" and each[1] != "\\"])
    terms = []
    while reader.next:
        terms.append(reader.fraction(0).tex)
    return None if reader.is_unread else " ".join(terms)


@dataclass(frozen=True, slots=True)
class _Term:
    """A term as LaTeX, and without its brackets; a group's brackets, and its cells, which commas part."""

    tex: str
    bare: str
    brackets: str = ""
    cells: tuple[str, ...] = ()

    @staticmethod
    def of(tex: str) -> "_Term":
        return _Term(tex, tex)


def _pairs_of_bars(tokens: list[tuple[str, str]]) -> dict[int, int]:
    """Find where bars that open a group close: the next same one between the same brackets."""
    pairs: dict[int, int] = {}
    opened: list[dict[str, int]] = [{}]
    for at, (kind, token) in enumerate(tokens):
        if kind != "known":
            continue
        if token in _OPENING:
            opened.append({})
        elif token in _CLOSING:
            opened = opened[:-1] if len(opened) > 1 else [{}]
        elif token in _BARS:
            before = opened[-1].pop(token, None)
            if before is not None:
                pairs[before] = at
                opened[-1].clear()
            elif at + 1 < len(tokens) and tokens[at + 1][1] not in ("_", "^", ","):
                opened[-1][token] = at
    return pairs


class _Reader:
    """Reads terms from tokens, each its kind and its text."""

    def __init__(self, tokens: list[tuple[str, str]]) -> None:
        self._tokens, self._at = tokens, 0
        self._bars = _pairs_of_bars(tokens)
        self._closing_bars = set(self._bars.values())
        self.is_unread = False

    @property
    def next(self) -> str:
        """The text of the next token; "" at the end."""
        return self._tokens[self._at][1] or " " if self._at < len(self._tokens) else ""

    @property
    def _is_end(self) -> bool:
        """Whether a bracket closes here, or the formula ends."""
        return self.next in ("", *_CLOSING) or self._at in self._closing_bars

    def fraction(self, depth: int) -> _Term:
        """Read a term, and what it is divided by."""
        upper = self._with_scripts(depth)
        if self.next != "/":
            return upper
        self._at += 1
        self._expect_term()
        lower = self._with_scripts(depth)
        return _Term.of(f"\\frac{{{upper.bare}}}{{{lower.bare}}}")

    def _expect_term(self) -> None:
        """Leave the formula unread if no term begins here."""
        self.is_unread |= self._is_end or self.next in ("_", "^", "/")

    def _operand(self, depth: int) -> str:
        """Read the term that an operator or a script takes, without its brackets."""
        self._expect_term()
        return self._simple(depth + 1).bare

    def _with_scripts(self, depth: int) -> _Term:
        """Read a term with its scripts; of a function, its argument, too."""
        name = self.next
        term = self._simple(depth)
        signs: set[str] = set()
        groups = 0
        while self.next in ("_", "^", "'"):
            sign = self.next.replace("'", "^")
            if sign in signs:  # LaTeX refuses a second one
                term, signs, groups = _Term.of(f"{{{term.tex}}}"), set(), groups + 1
                self.is_unread |= groups > _MAX_DEPTH
            signs.add(sign)
            term = _Term.of(term.tex + self._script(depth))
        is_called = name in _FUNCTION_LETTERS and self.next in ("(", "[", "{")
        if is_called or (name in _FUNCTIONS and self._has_argument()):
            term = _Term.of(f"{term.tex} {self._with_scripts(depth + 1).tex}")
        return term

    def _has_argument(self) -> bool:
        """Whether the next term is a function's argument."""
        return not self._is_end and self.next not in ("/", ",", "=", "+", "-")

    def _script(self, depth: int) -> str:
        """Read primes, or a sign of a script and its term, which a minus may precede."""
        sign = self.next
        self._at += 1
        if sign == "'":
            primes = 1
            while self.next == "'":
                self._at += 1
                primes += 1
            return "'" * primes
        minus = ""
        if self.next == "-":
            self._at += 1
            if self._is_end or not (self.next.isalnum() or self.next in _OPENING):
                return f"{sign}{{-}}"
            minus = "-"
        return f"{sign}{{{minus}{self._operand(depth)}}}"

    def _simple(self, depth: int) -> _Term:
        """Read a symbol, a group in brackets, or an operator with its terms."""
        if self._at >= len(self._tokens) or depth > _MAX_DEPTH:
            self.is_unread = True
            self._at = len(self._tokens)
            return _Term.of("")
        at = self._at
        kind, word = self._tokens[at]
        self._at += 1
        if kind in ("said", "text"):
            return _Term.of(f"\\text{{{_SPECIAL.sub('', word)}}}")
        if kind == "colour":
            return _Term.of(f"\\textcolor{{{word}}}{{{self._operand(depth)}}}")
        if word in _ONE_TERM:
            return _Term.of(_ONE_TERM[word].format(self._operand(depth)))
        if word in _TWO_TERMS:
            first = self._operand(depth)
            if word == "root" and "]" in first:
                first = f"{{{first}}}"
            return _Term.of(_TWO_TERMS[word].format(first, self._operand(depth)))
        if word in _OPENING or at in self._bars:
            return self._group(depth)
        self.is_unread |= word in ("_", "^")
        if word in _CLOSING:
            return _Term.of("{}" if word == ":}" else _CLOSING[word])
        return _Term.of("\\prime" if word == "'" else _SYMBOLS.get(word) or _BARS.get(word) or word)

    def _group(self, depth: int) -> _Term:
        """Read the terms up to a closing bracket or bar."""
        opened = self._tokens[self._at - 1][1]
        rows: list[_Term] = []  # the terms between commas
        cells: list[list[str]] = [[]]
        while not self._is_end:
            if self.next == ",":
                self._at += 1
                cells.append([])
                continue
            rows.append(self.fraction(depth + 1))
            cells[-1].append(rows[-1].tex)
        closed = self.next or ":}"
        self._at += 1
        if len(rows) == len(cells) and all(cells):
            matrix = self._matrix(rows, opened, closed)
            if matrix:
                return _Term.of(matrix)
        said = tuple(" ".join(cell) for cell in cells)
        inner = " , ".join(said).strip()
        tex = _bracketed(inner, opened, closed)
        is_taken = opened in ("(", "[", "{") and closed in (")", "]", "}")
        return _Term(tex, inner if is_taken else tex, opened + closed, said)

    def _matrix(self, rows: list[_Term], opened: str, closed: str) -> str:
        """Write rows in brackets alike, of as many cells, as a matrix or as cases; "" if they are none."""
        columns = len(rows[0].cells)
        is_matrix = rows[0].brackets in ("()", "[]") and (columns > 1 or len(rows) > 1)
        for row in rows:
            is_matrix &= row.brackets == rows[0].brackets and len(row.cells) == columns
        if not is_matrix or closed == "}":
            return ""
        self.is_unread |= columns > _MAX_COLUMNS
        body = " \\\\ ".join(" & ".join(row.cells) for row in rows)
        if (opened, closed) == ("{", ":}") and columns <= 2:
            name = "cases"
        else:
            name = _ENVIRONMENTS.get(opened + closed, "matrix")
        matrix = f"\\begin{{{name}}} {body} \\end{{{name}}}"
        return _bracketed(matrix, opened, closed) if name == "matrix" else matrix


def _bracketed(inner: str, opened: str, closed: str) -> str:
    return f"\\left{(_OPENING | _BARS)[opened]} {inner} \\right{(_CLOSING | _BARS)[closed]}"
