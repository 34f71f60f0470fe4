"""MathML as LaTeX, element by element, and as MathJax 3 draws it; to hold the compiled reader against."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape

SIGNS = {
    "α": "\\alpha", "β": "\\beta", "∑": "\\sum", "→": "\\rightarrow", "−": "-", "≤": "\\leq",
    "{": "\\{", "%": "\\%", "\u2062": "",
}  # fmt: skip
FUNCTIONS = frozenset({"sin", "max"})
LIMITS = frozenset({"\\sum", "\\max"})
ACCENTS = {"^": "hat", "¯": "bar", "\\rightarrow": "vec"}
VARIANTS = {"bold": "mathbf", "double-struck": "mathbb"}
ROWS = frozenset({"math", "mrow", "mstyle", "semantics", "mtd", "unknown"})
LEAVES = frozenset({"mi", "mn", "mo", "mtext"})


@dataclass(frozen=True)
class Node:
    """An element of MathML; of a leaf, its text."""

    name: str
    children: Sequence[Node] = ()
    text: str = ""
    attributes: dict[str, str] = field(default_factory=dict)


def html(node: Node) -> str:
    said = "".join(f' {name}="{escape(value)}"' for name, value in node.attributes.items())
    return f"<{node.name}{said}>{escape(node.text)}{''.join(map(html, node.children))}</{node.name}>"


def latex(node: Node) -> str | None:
    """A formula; None if there is nothing in it."""
    return written(node) or None


def written(node: Node) -> str:
    name = node.name
    if name in LEAVES:
        return leaf(node)
    parts = [written(child) for child in node.children if child.name not in ("annotation", "mphantom")]
    one, two, three = (*parts, "", "", "")[:3]
    if name in ROWS:
        return row(parts)
    if name == "msqrt":
        return f"\\sqrt{{{row(parts)}}}"
    if name == "mroot":
        return f"\\sqrt[{two}]{{{one}}}"
    if name == "mfrac":
        is_binomial = node.attributes.get("linethickness") == "0"
        return f"\\binom{{{one}}}{{{two}}}" if is_binomial else f"\\frac{{{one}}}{{{two}}}"
    if name == "msub":
        return f"{base(one)}_{{{two}}}"
    if name == "msup":
        is_prime = two and set(two) == {"'"}
        return base(one) + (two if is_prime else f"^{{{two}}}")
    if name == "msubsup":
        return f"{base(one)}_{{{two}}}^{{{three}}}"
    if name in ("munder", "mover"):
        if two in ACCENTS:
            return f"\\{ACCENTS[two]}{{{one}}}"
        if one in LIMITS:
            return f"{one}{'_' if name == 'munder' else '^'}{{{two}}}"
        return f"\\{name[1:]}set{{{two}}}{{{one}}}"
    if name == "mtable" and len(parts) == 1 and " & " not in parts[0]:
        return parts[0]
    if name == "mtable":
        return "\\begin{matrix} " + " \\\\ ".join(parts) + " \\end{matrix}"
    if name == "mtr":
        return " & ".join(parts)
    raise AssertionError(name)


def row(parts: Sequence[str]) -> str:
    """Parts with blanks between them, none inside of brackets or before what closes."""
    out = ""
    for part in filter(None, parts):
        out += " " * (out != "" and out[-1] not in "([{|" and part[0] not in ")],;.!'") + part
    return out


def base(text: str) -> str:
    """What carries a script: one sign, or a group."""
    is_name = re.fullmatch(r"\\([A-Za-z]+|[a-z]+{[^{}]*})", text)
    is_one = len(text) < 2 or text[-1] in ")]" or is_name or set(text) <= set("0123456789.")
    return text if is_one else f"{{{text}}}"


def leaf(node: Node) -> str:
    text = node.text.strip()
    if node.name == "mtext":
        plain = "".join("\\" + each if each in "{}$%#&_" else each for each in text if each not in "\\`")
        return f"\\text{{{plain}}}" if plain else ""
    if not text:
        return ""
    if text in FUNCTIONS:
        return f"\\{text}"
    variant = VARIANTS.get(node.attributes.get("mathvariant", ""))
    signs = [SIGNS.get(each, each) for each in text]
    if len(text) == 1 or node.name == "mo":
        made = " ".join(filter(None, signs))
        return f"\\{variant}{{{made}}}" if variant and text.isalnum() else made
    letters = "".join(sign + " " * (sign[:1] == "\\") for sign in signs).strip()
    if node.name == "mi" and text.isalpha() and text.isascii():
        return f"\\{variant or 'mathrm'}{{{letters}}}"
    return letters


def drawn(node: Node) -> str:
    """The same as MathJax 3 draws it: boxes, and characters by their code points."""
    children = [drawn(child) for child in node.children]
    if node.name in LEAVES:
        bold = ' class="mjx-b"' * (node.attributes.get("mathvariant") == "bold")
        inner = "".join(f'<mjx-c class="mjx-c{ord(each):X} TEX-N"></mjx-c>' for each in node.text)
        return f"<mjx-{node.name}{bold}>{inner}</mjx-{node.name}>"
    one, two, three = (*children, "", "", "")[:3]
    inner = {
        "msup": f"{one}<mjx-script>{two}</mjx-script>",
        "msub": f"{one}<mjx-script>{two}</mjx-script>",
        "msubsup": f"{one}<mjx-script>{three}<mjx-spacer></mjx-spacer>{two}</mjx-script>",
        "mfrac": f"<mjx-frac><mjx-num><mjx-nstrut></mjx-nstrut>{one}</mjx-num><mjx-dbox><mjx-dtable>"
        f"<mjx-line></mjx-line><mjx-row><mjx-den><mjx-dstrut></mjx-dstrut>{two}</mjx-den></mjx-row></mjx-dtable></mjx-dbox>"
        "</mjx-frac>",
        "msqrt": "<mjx-sqrt><mjx-surd><mjx-mo><mjx-c class='mjx-c221A'></mjx-c></mjx-mo></mjx-surd>"
        f"<mjx-box>{''.join(children)}</mjx-box></mjx-sqrt>",
        "mroot": f"<mjx-root>{two}</mjx-root><mjx-sqrt><mjx-box>{one}</mjx-box></mjx-sqrt>",
        "munder": f"<mjx-row><mjx-base>{one}</mjx-base></mjx-row>"
        f"<mjx-row><mjx-under>{two}</mjx-under></mjx-row>",
        "mover": f"<mjx-over>{two}</mjx-over><mjx-base>{one}</mjx-base>",
        "mtable": f"<mjx-table><mjx-itable>{''.join(children)}</mjx-itable></mjx-table>",
        "mtd": f"{''.join(children)}<mjx-tstrut></mjx-tstrut>",
    }.get(node.name, "".join(children))
    return f"<mjx-{node.name}>{inner}</mjx-{node.name}>"
