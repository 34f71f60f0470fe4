"""Formulas of pages as LaTeX: their sources, where they stay, and that a parser reads nothing else there."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from cedar import MarkdownOptions
from cedar.transforms.extractors.markdown import asciimath
from cedar.transforms.extractors.markdown._document import write
from cedar.transforms.extractors.markdown._placing import names_program
from cedar.transforms.extractors.markdown.tex import Delimiters
from cedar.transforms.extractors.segments._page import SegmentedPage

PARSER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
MATHJAX = "<script src=MathJax.js></script>"


def markdown(html: str, dropped: tuple[int, ...] = (), **options: str) -> str:
    """The Markdown of a page without some of its blocks."""
    page = SegmentedPage(html.encode())
    kept = np.ones(page.blocks.count, bool)
    kept[list(dropped)] = False
    return write(page, kept, MarkdownOptions.of(options.items()), None)


def mathml(inner: str) -> str:
    return markdown(f"<p>so <math>{inner}</math>.</p>").removeprefix("so ").removesuffix(".")


KATEX = (
    "<span class=katex><span class=katex-mathml><math><semantics><mi>y</mi>"
    "<annotation encoding='application/x-tex'>y^2</annotation></semantics></math></span>"
    "<span class=katex-html aria-hidden=true><i>y</i>2</span></span>"
)


@pytest.mark.parametrize(
    ("html", "written"),
    [
        (f"<p>so {KATEX}, end</p>", "so $y^2$, end"),
        (f"<p>so</p><p><span class=katex-display>{KATEX}</span></p><p>end</p>", "so\n\n$$\ny^2\n$$\n\nend"),
        ("<p>a <math alttext='x+1'><mi>x</mi></math> b</p>", "a $x+1$ b"),
        ("<p>a <span data-tex='x_1'><i>x1</i></span> b</p>", "a $x_1$ b"),
        ("<p>a <script type='math/tex'>x<y</script>, b</p>", "a $x< y$, b"),
        ("<p>a</p><script type='math/tex; mode=display'>x\n=1</script><p>b</p>", "a\n\n$$\nx =1\n$$\n\nb"),
        ("<p>a<script type='math/tex'>x</script> b</p>", "a$x$ b"),
        ("<p>é<script type='math/tex'>x</script>重</p>", "é$x$重"),
        ("<p>a <span class=MathJax>x1</span><script type='math/tex'>x_1</script> b</p>", "a $x_1$ b"),
        ("<p>a <img class=latex alt='\\pi r^2' src=/1.png> b</p>", "a $\\pi r^2$ b"),
        ("<p>a <img src='https://latex.codecogs.com/gif.latex?%5Cpi'> b</p>", "a $\\pi$ b"),
        ("<p>a <img src='/cgi-bin/mimetex.cgi?f(x)=\\pi'> b</p>", "a $f(x)=\\pi$ b"),
        ("<p>a <img class=latex alt='<br />\n\\pi<br />' src=/1.png> b</p>", "a $\\pi$ b"),
        ("<p>a <img alt='A photo' src=/1.png> b</p>", "a b"),
        (
            "<p>a <img class=latex alt='\\pi r' src=x><noscript><img class=latex alt='\\pi r'></noscript> b",
            "a $\\pi r$ b",
        ),
        ("<p>a <mjx-container display=true><mjx-assistive-mml><math><mi>x</mi></math></mjx-assistive-mml>"
         "</mjx-container> b</p>", "a\n\n$$\nx\n$$\n\nb"),
        ("<p>a <span class='mwe-math-element'><math><mi>x</mi></math>"
         "<img class=mwe-math-fallback-image-inline alt='x'></span> b</p>", "a $x$ b"),
        ("<p>a <span class=MathJax data-mathml='&lt;math>&lt;mi>x&lt;/mi>&lt;/math>'>x</span> b</p>",
         "a $x$ b"),
        ("<p>a <mjx-container><x>\\pi</x></mjx-container> b <mjx-container>c</mjx-container></p>",
         "a $\\pi$ b c"),
        ("<p>a <mjx-container> <mjx-math><mjx-mi>x</mjx-mi></mjx-math> </mjx-container> b</p>", "a $x$ b"),
        ("<p>a <em>b</em> <span class=katex-html>x</span></p>", "a *b* x"),
    ],
)  # fmt: skip
def test_a_formula_is_taken_once_from_the_first_of_its_sources(html: str, written: str) -> None:
    assert markdown(html) == written


@pytest.mark.parametrize(
    ("html", "written"),
    [
        ("<p>a \\(x\\) b</p>", "a $x$ b"),
        ("<p>a \\[x\\] b</p>", "a\n\n$$\nx\n$$\n\nb"),
        ("<p>$$a<br>= b$$</p>", "$$\na = b\n$$"),
        ("<p>a $x$ b</p>", "a \\$x\\$ b"),
        (MATHJAX + "<p>a $x$ b</p>", "a $x$ b"),
        (MATHJAX + "<p>a $5 and $6 b</p>", "a \\$5 and \\$6 b"),
        (MATHJAX + "<p>$x$ costs $5</p>", "$x$ costs \\$5"),
        ("<p>one costs $5</p>", "one costs $5"),
        (MATHJAX + "<p><code>$x$</code></p>", "`$x$`"),
        (MATHJAX + "<pre>$x$</pre>", "```\n$x$\n```"),
        ("<script>MathJax={inlineMath:[['##','##'],['\\\\(','\\\\)']]}</script><p>a ##x## b</p>", "a $x$ b"),
        ("<script>MathJax={tex:{displayMath:[['[tex]','[/tex]']]}}</script><p>[tex]x[/tex]</p>", "$$\nx\n$$"),
        (MATHJAX + "<p>\\begin{align}a&=b\\end{align}</p>", "$$\n\\begin{align}a&=b\\end{align}\n$$"),
        ("<p>a \\(\\newcommand{\\b}{c}\\) b</p>", "a b"),
        ("<p>\\(x b</p>", "\\\\(x b"), ("<p>\\(}\\) b</p>", "\\\\(}\\\\) b"),
        ("<h2>On \\(x\\)</h2>", "## On $x$"),
        ("<table><tr><th>a<th>b<tr><td>\\(|x|\\)<td>1</table>",
         "| a | b |\n| --- | --- |\n| $\\|x\\|$ | 1 |"),
        ("<p><b>a \\(x\\) b</b></p>", "**a $x$ b**"),
        ("<p>a <b>\\(x</b>\\) b</p>", "a $x$ b"),
    ],
)  # fmt: skip
def test_formulas_in_text_are_told_by_what_stands_around_them(html: str, written: str) -> None:
    assert markdown(html) == written


@pytest.mark.parametrize(
    ("inner", "written"),
    [
        ("<mfrac><mi>a</mi><mi>b</mi></mfrac>", "$\\frac{a}{b}$"),
        ("<msub><mi>a</mi><mn>1</mn></msub><mo>+</mo><msup><mi>b</mi><mrow><mn>2</mn><mi>n</mi></mrow></msup>",
         "$a_{1} + b^{2 n}$"),
        ("<msqrt><mi>x</mi></msqrt><mroot><mi>x</mi><mn>3</mn></mroot>", "$\\sqrt{x} \\sqrt[3]{x}$"),
        ("<munderover><mo>∑</mo><mi>i</mi><mi>n</mi></munderover><mi>λ</mi>", "$\\sum_{i}^{n} \\lambda$"),
        ("<mover><mi>x</mi><mo>^</mo></mover><mi>sin</mi><mi>PARL</mi>", "$\\hat{x} \\sin \\mathrm{PARL}$"),
        ("<mfenced><mi>a</mi><mi>b</mi></mfenced>", "$\\left( a, b \\right)$"),
        ("<mtable><mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr><mtr><mtd><mn>0</mn></mtd></mtr></mtable>",
         "$\\begin{matrix} a & b \\\\ 0 \\end{matrix}$"),
        ("<mi mathvariant=bold>v</mi><mtext>if 5%</mtext>", "$\\mathbf{v} \\text{if 5\\%}$"),
        ("<mmultiscripts><mi>X</mi><mn>1</mn><mn>2</mn><mprescripts/><mn>3</mn><mn>4</mn></mmultiscripts>",
         "${}_{3}^{4}X_{1}^{2}$"),
        ("<m:mi>x</m:mi><mo>&#x2062;</mo><mi>y</mi><mphantom><mi>z</mi></mphantom>", "$x y$"),
    ],
)  # fmt: skip
def test_mathml_is_written_as_latex(inner: str, written: str) -> None:
    assert mathml(inner) == written


def drawn(written: str) -> str:
    """What MathJax 3 draws: `name(…)` is an element, all else is characters, by their code points."""
    opened: list[str] = []
    made = []
    for name, ends, character in re.findall(r"([a-z]+)\(|(\))|(\S)", written):
        if name:
            opened.append(name)
            made.append(f"<mjx-{name}>")
        elif ends:
            made.append(f"</mjx-{opened.pop()}>")
        else:
            made.append(f"<mjx-mi><mjx-c class='mjx-c{ord(character):X} TEX-I'></mjx-c></mjx-mi>")
    return "".join(made)


@pytest.mark.parametrize(
    ("html", "written"),
    [
        ("msup(X script(Y))", "$X^{Y}$"),
        ("msubsup(X script(Y spacer() Z))", "$X_{Z}^{Y}$"),
        ("mfrac(frac(num(nstrut() X) dbox(dtable(line() row(den(dstrut() Y))))))", "$\\frac{X}{Y}$"),
        ("munderover(over(N) box(munder(row(base(∑)) row(under(I)))))", "$\\sum_{I}^{N}$"),
        ("mover(over(→) base(X))", "$\\vec{X}$"),
        ("msqrt(sqrt(surd(√) box(X)))", "$\\sqrt{X}$"),
        ("mroot(root(N) sqrt(surd(√) box(X)))", "$\\sqrt[N]{X}$"),
        ("mtable(table(itable(mtr(mtd(A tstrut()) mtd(B)) mtr(mtd(C) mtd(D)))))",
         "$\\begin{matrix} A & B \\\\ C & D \\end{matrix}$"),
    ],
)  # fmt: skip
def test_what_mathjax_has_drawn_is_read_back(html: str, written: str) -> None:
    assert (
        markdown(f"<p>so <mjx-container><mjx-math>{drawn(html)}</mjx-math></mjx-container></p>")
        == f"so {written}"
    )


def test_a_formula_between_blocks_stays_with_its_neighbours() -> None:
    formula = f"<mjx-container><mjx-math>{drawn('mi(X)')}</mjx-math></mjx-container>"
    html = f"<div><p>a</p><p>{formula}</p><p>b</p></div>"
    assert markdown(html) == "a\n\n$$\nX\n$$\n\nb"
    assert markdown(html, dropped=(1,)) == "a"
    for formula, tex in (("<math><mi>x</mi></math>", "x"), (KATEX, "y^2")):
        rendered = f"<div><p>a</p><p>{formula}</p><p>b</p></div>"
        assert markdown(rendered, dropped=(1,)) == f"a\n\n$$\n{tex}\n$$\n\nb"


@pytest.mark.parametrize("first", ["", "<p>so</p>"])
def test_no_block_joins_the_formula_before_it(first: str) -> None:
    formula = f"<mjx-container><mjx-math>{drawn('mi(X)')}</mjx-math></mjx-container>"
    written = f"{'so' if first else ''}\n\n- $$\n  X\n  $$\n\n  What it means.".strip()
    assert markdown(f"{first}<dl><dt>{formula}<dd>What it means.</dl>") == written
    without_list = written.replace("- ", "").replace("\n  ", "\n")
    assert markdown(f"{first}<dl><dd>{formula}<dd>What it means.</dl>") == without_list


def test_formulas_can_be_left_as_they_are_in_text() -> None:
    assert (
        markdown(f"<p>so {KATEX}, $5 and $6, \\(x\\)</p>", formulas="drop")
        == "so y^2, $5 and $6, \\\\(x\\\\)"
    )


SYNTAX = st.lists(
    st.sampled_from([*"ab1<>&#[](){}|$\\_^*~=-+! \n`", "\\(", "\\)", "$$", "](", "&lt;b&gt;", "&amp;lt;",
                     "\\[x\\]"]),
    max_size=12,
).map("".join)  # fmt: skip


@settings(max_examples=200)
@given(
    texts=st.lists(SYNTAX, min_size=1, max_size=4), where=st.sampled_from(["p", "td", "h2", "li", "script"])
)
def test_a_parser_reads_no_html_and_no_link_in_a_formula(texts: list[str], where: str) -> None:
    if where == "script":
        body = "".join(f"<p>a <script type='math/tex'>{text}</script> b</p>" for text in texts)
    else:
        body = "".join(
            f"<{where}>a <math alttext='{text}'></math> \\({text}\\) b</{where}>" for text in texts
        )
        body = f"<table><tr>{body}<tr>{body}</table>" if where == "td" else body
    written = markdown(MATHJAX + body)
    kinds = {token.type for token in PARSER.parse(written)}
    kinds |= {inner.type for token in PARSER.parse(written) for inner in token.children or ()}
    assert not kinds & {"html_block", "html_inline", "link_open", "image", "hr", "code_block"}
    assert "heading_open" not in kinds or where == "h2"
    assert not re.search(r" $|\n\n\n", written)


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "html",
    [
        "<p>a" + "<span class=katex>" * 20_000, "<p>a" + "<math>" * 20_000,
        "<p>a <math>" + "<mrow>" * 20_000 + "x",
        "<p>a <math>" + "<mi>x</mi>" * 20_000, "<p>" + "\\(" * 50_000 + "\\)", "<p>" + "$$" * 50_000,
        MATHJAX + "<p>" + "$x " * 50_000, "<p>a" + "<script type=math/tex>x</script>" * 10_000,
        "<p>" + "\\(a\\)" * 10_000, "<p>a" + "<math><mi>x" * 5_000,
    ],
)  # fmt: skip
def test_hostile_formulas_are_read_in_no_time(html: str) -> None:
    assert markdown(html)


def test_delimiters_of_no_mathjax_are_three() -> None:
    found = Delimiters.of(b"<p>", b"$x$", names_program)
    assert found is not None
    assert [each.opened for each in found.known] == ["\\(", "\\[", "$$"]
    assert Delimiters.of(b"MathJax", b"text", names_program) is None


@settings(deadline=None)
@given(st.lists(st.sampled_from([b"k", b"ate", b"x", b"a", b"thj", b"thJ", b"THJ", b"ax", b"t"]), max_size=8))
def test_programs_are_named_by_what_stands_in_the_page(pieces: list[bytes]) -> None:
    page = b"".join(pieces)
    assert names_program(page) == any(name in page for name in (b"katex", b"athjax", b"athJax"))


@pytest.mark.parametrize(
    ("html", "written"),
    [
        (r'<p>so</p><p><img alt="\sqrt{n} + 1"></p>', "so\n\n$$\n\\sqrt{n} + 1\n$$"),
        (r'<p>so <img src=e.svg alt="L = \frac{n}{2}"></p>', "so $L = \\frac{n}{2}$"),
        (r'<p>so <img src=e.png alt="C:\Users\ana"></p>', "so"),
        (r'<p>so <img src=e.png alt="a photo of \o/"></p>', "so"),
    ],
)
def test_a_description_in_tex_is_a_formula_whatever_the_class(html: str, written: str) -> None:
    page = SegmentedPage(html.encode())
    assert write(page, np.ones(page.blocks.count, bool), MarkdownOptions(), None) == written


def test_a_row_with_a_label_is_the_row() -> None:
    row = "<mlabeledtr><mtd><mtext>(1)</mtext></mtd><mtd><mi>E</mi></mtd></mlabeledtr>"
    page = SegmentedPage(f"<p>so <math><mtable>{row}</mtable></math></p>".encode())
    assert write(page, np.ones(page.blocks.count, bool), MarkdownOptions(), None) == "so $E$"


@pytest.mark.parametrize("size", [6_666, 6_667, 6_668])
def test_a_source_that_is_cut_is_cut_between_characters(size: int) -> None:
    assert markdown(f"<p>a <img class=latex alt='\\frac{{{'中' * size}}}{{2}}' src=x> b</p>").startswith("a ")


def test_text_after_a_rendered_formula_stays() -> None:
    formula = '<span class="katex"><math alttext="X"></math><p>X</p>'
    page = SegmentedPage(f"<div>so {formula}</span> is the load</div>".encode())
    assert write(page, np.ones(page.blocks.count, bool), MarkdownOptions(), None) == "so $X$\n\nis the load"


@pytest.mark.parametrize(
    ("written", "tex"),
    [
        ("q = a/v", "q = \\frac{a}{v}"),
        ("sum_(i=1)^n a_i/2", "\\sum_{i = 1}^{n} \\frac{a_{i}}{2}"),
        ("x=(-b+-sqrt(b^2-4ac))/(2a)", "x = \\frac{- b \\pm \\sqrt{b^{2} - 4 a c}}{2 a}"),
        ("root 3 x + frac 1 2", "\\sqrt[3]{x} + \\frac{1}{2}"),
        ('"tide" <= 10^-3 xx alpha', "\\text{tide} \\le 10^{-3} \\times \\alpha"),
        ("lim_(x->oo) hat f(x)", "\\lim_{x \\to \\infty} \\hat{f} \\left( x \\right)"),
        ("{:a:}", "\\left. a \\right."),
        ("[[a,1],[c,1/2]]", "\\begin{bmatrix} a & 1 \\\\ c & \\frac{1}{2} \\end{bmatrix}"),
        ("((n),(k))", "\\begin{pmatrix} n \\\\ k \\end{pmatrix}"),
        ("|(1,0),(0,1)|", "\\begin{vmatrix} 1 & 0 \\\\ 0 & 1 \\end{vmatrix}"),
        ("{:(a,b),(c,d):}", "\\left. \\begin{matrix} a & b \\\\ c & d \\end{matrix} \\right."),
        (
            "{(x,if x>0),(-x,else):}",
            "\\begin{cases} x & \\text{ if } x > 0 \\\\ - x & \\text{else} \\end{cases}",
        ),
        (
            "{(2x,+,y,=,3),(x,-,y,=,5):}",
            "\\left\\{ \\begin{matrix} 2 x & + & y & = & 3 \\\\ x & - & y & = & 5 \\end{matrix} \\right.",
        ),
        ("{(1,2),(3,4)}", "\\left\\{ \\left( 1 , 2 \\right) , \\left( 3 , 4 \\right) \\right\\}"),
        ("((1,2),(3))", "\\left( \\left( 1 , 2 \\right) , \\left( 3 \\right) \\right)"),
        ("a_b_c + x^2^3 + f'' + y^2'", "{a_{b}}_{c} + {x^{2}}^{3} + f'' + {y^{2}}'"),
        ("a*b ** c", "a \\cdot b \\ast c"),
        ("color(red)(x) ubrace(a+b)_2", "\\textcolor{red}{x} \\underbrace{a + b}_{2}"),
        ("obrace(x)^n overarc(AB)", "\\overbrace{x}^{n} \\overset{\\frown}{A B}"),
        ("sin(x)/x + sin^2 x/2", "\\frac{\\sin \\left( x \\right)}{x} + \\frac{\\sin^{2} x}{2}"),
        ("f'(x)/g(x) = dy/dx", "\\frac{f' \\left( x \\right)}{g \\left( x \\right)} = \\frac{d y}{d x}"),
        ("|x|/2 + P(A|B)", "\\frac{\\left| x \\right|}{2} + P \\left( A | B \\right)"),
        ("x^{2} + RR^+ + F|_0^1", "x^{2} + \\mathbb{R}^{+} + F |_{0}^{1}"),
        (
            "A sup B mod lcm(a,b)",
            "A \\supset B \\operatorname{mod} \\operatorname{lcm} \\left( a , b \\right)",
        ),
        ("\\alpha left( b right) text(for (all))", "\\alpha \\left( b \\right) \\text{for (all} )"),
    ],
)
def test_asciimath_is_written_as_tex(written: str, tex: str) -> None:
    program = "<script src=/MathJax.js?config=AM_CHTML></script>"
    assert markdown(f"<p>Flow `{written}` here.</p>{program}") == f"Flow ${tex}$ here."
    script = f"<p>Flow <script type=math/asciimath>{written}</script> here.</p>"
    assert markdown(script) == f"Flow ${tex}$ here."


def test_backticks_are_no_asciimath_unless_the_page_names_it() -> None:
    assert markdown("<p>Flow `a/b` here.</p>") == "Flow \\`a/b\\` here."


def test_asciimath_that_is_too_deep_or_broken_stays_as_it_is() -> None:
    program = "<script src=/ASCIIMathML.js></script>"
    deep = "(" * 40
    assert markdown(f"<p>Flow `{deep}` here.</p>{program}") == f"Flow \\`{deep}\\` here."
    assert markdown(f"<p>Flow `(a` here.</p>{program}") == "Flow $\\left( a \\right.$ here."
    for written in ("a/", "(a/)", "x sqrt", "|x+sqrt|", "a ^", "(a'" + "_b" * 40, f"[[{'1,' * 11}1]]"):
        assert asciimath.latex(written) is None


ASCIIMATH = "a x 2 f sin sqrt frac root color(red) ubrace text(b) dx"
ASCIIMATH += " _ ^ ' / , | || ( ) [ ] { } {: :} (: :) - + * \\ $ & % \""


@given(st.lists(st.sampled_from(ASCIIMATH.split()), max_size=24).map("".join))
@settings(max_examples=1500, deadline=None)
def test_asciimath_is_never_wrong_tex(written: str) -> None:
    tex = asciimath.latex(written)
    if tex is None:
        return
    used = [""]  # the scripts of the last term, of each group that is open
    is_script = [False]
    for found in re.finditer(r"\\[A-Za-z]+|\\.|\S", tex):
        token = found[0]
        if token == "{":
            is_script.append(tex[found.start() - 1 : found.start()] in ("_", "^"))
            used.append("")
        elif token == "}":
            used.pop()
            if not is_script.pop():
                used[-1] = ""
        elif token in ("_", "^", "'"):
            sign = token.replace("'", "^")
            assert sign not in used[-1] or tex[found.start() - 1] == token == "'", tex
            used[-1] += sign
        else:
            used[-1] = ""
    assert len(used) == 1, tex
    assert len(re.findall(r"\\left\b", tex)) == len(re.findall(r"\\right\b", tex)), tex
