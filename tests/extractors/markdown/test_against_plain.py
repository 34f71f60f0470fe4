"""The compiled writer of Markdown against plain definitions."""

from __future__ import annotations

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from cedar.transforms.extractors.html._source import lex
from cedar.transforms.extractors.markdown._document import write
from cedar.transforms.extractors.markdown._formulas import formulas as find_formulas
from cedar.transforms.extractors.markdown._formulas import latex
from cedar.transforms.extractors.markdown._left_out import left_out
from cedar.transforms.extractors.markdown._placing import placed
from cedar.transforms.extractors.segments._page import SegmentedPage
from cedar.transforms.model.markdown_options import MarkdownOptions
from tests.oracles import formulas, mathml
from tests.oracles import markdown as plain
from tests.oracles.formulas import Element, Found
from tests.oracles.markdown import Code, Heading, Items, Paragraph, Quote, Table, Words

PIECES = [
    *(
        "salt",
        "pan",
        "重要。",
        "é",
        "1.",
        "2)",
        "#",
        "##x",
        "-",
        "+",
        "*",
        ">",
        "&",
        "&amp;",
        "<",
        "<i",
        "3<4",
    ),
    *("c\\", "\\", "`", "`x`", "~", "~~", "[a]", "[", "[^", "[x]", "!", "a!", "$5", "|", "a|b", "===", "---"),
    *("*a*", "_a_", "a_b", "a*b", ":", "-|", "…", "."),
]
TEXTS = st.lists(st.sampled_from(PIECES), min_size=1, max_size=3).map(" ".join)
LINES = st.lists(
    st.builds(Words, TEXTS, st.sampled_from(["", "", "b", "i", "del", "code"]), st.booleans()),
    min_size=1,
    max_size=3,
)


def parted(line: list[Words]) -> list[Words]:
    """A line without two texts of one style side by side: those are one."""
    return [words for number, words in enumerate(line) if not number or words.style != line[number - 1].style]


CLEAN = LINES.map(parted)
PARAGRAPHS = st.builds(Paragraph, st.lists(CLEAN, min_size=1, max_size=3))
BARE = st.builds(Paragraph, st.lists(CLEAN, min_size=1, max_size=2), st.just(""))
CODES = st.builds(
    Code,
    st.sampled_from(["py", "c"]),
    st.lists(st.sampled_from(["a", "  b `", "```", "", "# c", "<d> "]), min_size=1, max_size=4),
).filter(lambda code: any(line.strip() for line in code.lines))
LEAVES = st.one_of(PARAGRAPHS, st.builds(Heading, st.integers(1, 6), CLEAN), CODES)


def nested(inner: st.SearchStrategy[plain.Node]) -> st.SearchStrategy[plain.Node]:
    rest = st.lists(inner, max_size=2)
    item = st.tuples(BARE, rest).map(lambda pair: [pair[0], *pair[1]])
    return st.one_of(
        st.builds(Quote, st.lists(inner, min_size=1, max_size=3)),
        st.builds(Items, st.sampled_from([None, 1, 9]), st.lists(item, min_size=1, max_size=3)),
    )


NODES = st.recursive(LEAVES, nested, max_leaves=6)


@st.composite
def tables(draw: st.DrawFn) -> Table:
    columns = draw(st.integers(2, 3))
    rows = draw(st.lists(st.lists(CLEAN, min_size=columns, max_size=columns), min_size=2, max_size=3))
    if draw(st.booleans()) and len(rows) > 2:
        return Table([*rows[:-1], rows[-1][1:]], frozenset({(len(rows) - 1, 0)}))
    return Table(rows)


@settings(max_examples=120)
@given(st.lists(st.one_of(NODES, NODES, tables()), min_size=1, max_size=4))
def test_a_document_is_what_the_plain_writer_makes_of_it(nodes: list[plain.Node]) -> None:
    html = plain.html(nodes)
    page = SegmentedPage(html.encode())
    kept = np.ones(page.blocks.count, bool)
    assume(not left_out(page, kept))
    assert write(page, kept, MarkdownOptions(), None) == plain.markdown(nodes), html


LEAF = st.builds(
    mathml.Node,
    st.sampled_from(["mi", "mn", "mo", "mtext"]),
    st.just(()),
    st.sampled_from(
        ["x", "αβ", "12", "1.5", "sin", "ab", "∑", "→", "−", "(", ")", ",", "^", "%", "{", "≤", "", "\u2062"]
    ),
    st.sampled_from([{}, {}, {"mathvariant": "bold"}]),
)
WHOLE = LEAF.filter(lambda leaf: leaf.text not in ("", "\u2062"))
"""Of MathJax's scripts only those that show something are there."""


def formula(leaves: st.SearchStrategy[mathml.Node]) -> st.SearchStrategy[mathml.Node]:
    def of(
        names: tuple[str, ...], inner: st.SearchStrategy[mathml.Node], size: int
    ) -> st.SearchStrategy[mathml.Node]:
        return st.builds(mathml.Node, st.sampled_from(names), st.lists(inner, min_size=size, max_size=size))

    def wider(inner: st.SearchStrategy[mathml.Node]) -> st.SearchStrategy[mathml.Node]:
        cells = st.lists(inner.map(lambda cell: mathml.Node("mtd", [cell])), min_size=1, max_size=2)
        rows = st.lists(cells.map(lambda row: mathml.Node("mtr", row)), min_size=1, max_size=2)
        return st.one_of(
            of(("msub", "msup", "mfrac", "mroot", "munder", "mover"), inner, 2),
            of(("msubsup",), inner, 3),
            st.builds(
                mathml.Node,
                st.sampled_from(["mrow", "msqrt", "mstyle"]),
                st.lists(inner, min_size=1, max_size=3),
            ),
            rows.map(lambda found: mathml.Node("mtable", found)),
        )

    return st.recursive(leaves, wider, max_leaves=6).map(lambda node: mathml.Node("math", [node]))


def read(html: str) -> str | None:
    """The LaTeX of the whole of a page."""
    page = html.encode()
    tags = lex(page)
    return latex(page, tags, 0, tags.count - 1)


@settings(max_examples=150)
@given(formula(LEAF))
def test_mathml_is_what_the_plain_reader_makes_of_it(node: mathml.Node) -> None:
    assert read(mathml.html(node)) == mathml.latex(node)


@settings(max_examples=150)
@given(formula(WHOLE))
def test_what_mathjax_draws_of_mathml_is_the_same_formula(node: mathml.Node) -> None:
    assert read(mathml.drawn(node)) == mathml.latex(node)


TEX = st.sampled_from(["x", "y_1", "\\pi", "a^2"])
SAYING = st.one_of(
    st.just({}),
    st.builds(
        lambda name, tex: {name: tex}, st.sampled_from(["data-tex", "data-latex", "data-formula"]), TEX
    ),
    st.sampled_from(["katex", "katex-display", "MathJax", "plain"]).map(lambda name: {"class": name}),
)
MATH = st.builds(
    lambda said, letters: Element("math", said, [Element("mi", {}, [letter]) for letter in letters]),
    st.one_of(st.just({}), st.just({"display": "block"}), TEX.map(lambda tex: {"alttext": tex})),
    st.lists(st.sampled_from("xyz"), max_size=2),
)
IMAGE = st.builds(
    lambda name, tex: Element("img", {"class": name, "alt": tex, "src": "/a"}),
    st.sampled_from(["latex", "photo"]),
    TEX,
)
ANNOTATED = st.builds(
    lambda tex: Element("semantics", {}, [Element("annotation", {"encoding": "application/x-tex"}, [tex])]),
    TEX,
)
ATOMS = st.one_of(st.sampled_from(["a", "b c"]), MATH, IMAGE, ANNOTATED)


def inside(inner: st.SearchStrategy[Element | str]) -> st.SearchStrategy[Element | str]:
    content = st.lists(inner, max_size=3)
    return st.builds(Element, st.sampled_from(["span", "div", "b", "mjx-container"]), SAYING, content)


CONTENTS = st.lists(st.recursive(ATOMS, inside, max_leaves=6), min_size=1, max_size=4)


@settings(max_examples=150)
@given(CONTENTS)
def test_formulas_are_those_that_the_plain_finder_finds(nodes: list[Element | str]) -> None:
    page = SegmentedPage(formulas.html(nodes).encode())
    found = find_formulas(page, 0, page.markup.tags.count)
    assert [Found(each.first, each.last, each.tex, each.is_display) for each in found] == formulas.formulas(
        nodes
    )


def blocks_of(page: SegmentedPage) -> list[formulas.Block]:
    """The blocks of a page; in their text 0x1C and 0x1D stand for tags."""
    blocks = page.blocks
    found = []
    for number in range(blocks.count):
        words, tag = set(), int(blocks.first_gaps[number])
        for byte in bytes(blocks.text[blocks.starts[number] : blocks.stops[number]]):
            tag += byte in (0x1C, 0x1D)
            words |= {tag} if byte > 0x20 else set()
        found.append(
            formulas.Block(int(blocks.first_gaps[number]), int(blocks.last_gaps[number]), frozenset(words))
        )
    return found


@settings(max_examples=150)
@given(CONTENTS, st.integers(0, 255))
def test_formulas_stay_where_the_plain_rule_places_them(nodes: list[Element | str], dropped: int) -> None:
    nodes = [Element("div", {}, [Element("p", {}, [node]), "c"]) for node in nodes]
    page = SegmentedPage(formulas.html(nodes).encode())
    kept = np.array([not dropped >> number & 1 for number in range(page.blocks.count)], bool)
    if not kept.any():
        return
    elements = [
        formulas.Around(
            range(int(page.elements.opens[each]), int(page.elements.closes[each])),
            range(int(page.elements.first[each]), int(page.elements.last[each])),
        )
        for each in range(page.elements.count)
    ]
    expected = [
        (formulas.place(found, blocks_of(page), elements, kept.tolist()), found.tex)
        for found in formulas.formulas(nodes)
    ]
    found = placed(page, kept, [find_formulas])
    made = [(each.first, f"in {block}", each.tex) for block, here in found.inside.items() for each in here]
    made += [(each.first, f"before {after}", each.tex) for _, each, after in found.between]
    assert [(place, tex) for _, place, tex in sorted(made)] == [each for each in expected if each[0]]
    hidden = set(np.flatnonzero(kept).tolist()) - set(found.items)
    assert all(
        any(f.first < page.blocks.first_gaps[each] <= f.last for f in formulas.formulas(nodes))
        for each in hidden
    )
