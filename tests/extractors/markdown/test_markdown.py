"""Markdown of what is kept: what its syntax says, and that a parser of CommonMark reads back the text."""

from __future__ import annotations

import re
from collections import Counter
from html import unescape

import numpy as np
import pytest
from cmarkgfm import markdown_to_html_with_extensions
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

import cedar
from cedar import MarkdownOptions
from cedar.transforms.extractors.cedar._writer import write as write_text
from cedar.transforms.extractors.markdown._document import write
from cedar.transforms.extractors.markdown._left_out import left_out
from cedar.transforms.extractors.segments._page import SegmentedPage

PARSER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


def markdown(html: str, url: str | None = None, **options: str) -> str:
    """The Markdown of all blocks of a page."""
    page = SegmentedPage(html.encode())
    return write(page, np.ones(page.blocks.count, bool), MarkdownOptions.of(options.items()), url)


@pytest.mark.parametrize(
    ("html", "written"),
    [
        ("<h2>Salt <b>pans</b> of <em>old</em></h2><p>They dry.</p>", "## Salt pans of *old*\n\nThey dry."),
        ("<h2>Pans <a href='#pans'>¶</a></h2>", "## Pans"),
        ("<h1>Pan<br>works #</h1>", "# Pan works \\#"),
        ("<h2>Pans</h3><p>Salt</p><p>sea</p>", "## Pans\n\nSalt\n\nsea"),
        ("<p><em>-</em></p><p><b>--</b> a</p><p><i>=</i></p>", "*-*\n\n**--** a\n\n*=*"),
        ("<div role=heading aria-level=3>Pans</div><p role=heading>Salt</p>a", "### Pans\n\n## Salt\n\na"),
        ("<div role=heading aria-level=12><span>Pans</span></div>a", "###### Pans\n\na"),
        ("<div role=heading><p>a</p><p>b</p><p>c</p><p>d</p></div>", "a\n\nb\n\nc\n\nd"),
        ("<p>One<br>two<br><br>three</p>", "One\\\ntwo\n\nthree"),
        ("<p><b>Salt</b> <b>sea</b> <i>a</i> <b>b</b></p>", "**Salt sea** *a* **b**"),
        ("<p><b>Salt</b>, <i>sea</i> and <del>sand</del>; <b><i>both</i></b></p>",
         "**Salt**, *sea* and ~~sand~~; ***both***"),
        ("<p>a<b> b </b>c, <b>d</b><b>e</b></p>", "a **b** c, **de**"),
        ("<p>盐<b>很多。</b>的，<i>海</i></p>", "盐很多。的，*海*"),
        ("<p>Use <code>a|b</code> or <kbd>`x`</kbd></p>", "Use `a|b` or `` `x` ``"),
    ],
)  # fmt: skip
def test_lines_have_their_headings_breaks_and_marks(html: str, written: str) -> None:
    assert markdown(html) == written


PROSE = "The pans along this coast were worked by hand for six hundred years, and then they closed."
SUBHEADINGS = [
    "<p><b>{}</b></p>", "<div><strong>{}</strong><br></div>",
    "<p><span style='font-weight: 700'>{}</span></p>",
    "<p class='article__cross-head'>{}</p>", "<div class='x-intertitre'>{}</div>",
    "<p class=Zwischentitel>{}</p>", "<p class=h2>{}</p>", "<div class=h3>{}</div>",
    "<p class='article__sub-title'>{}</p>", "<div class=section-heading><span>{}</span></div>",
    "<p class=text-bold>{}</p>", "<p><span class=bold>{}</span></p>", "<p class=mezititulek>{}</p>",
    "<p class=sottotitolo>{}</p>",
]  # fmt: skip


@pytest.mark.parametrize("form", SUBHEADINGS)
@pytest.mark.parametrize(("before", "marks"), [(1, "##"), (2, "###")])
def test_paragraphs_that_head_prose_are_headings(form: str, before: int, marks: str) -> None:
    html = f"<h{before}>Salt</h{before}><p>{PROSE}</p>"
    html += "".join(form.format(f"Pan {place}") + f"<p>{PROSE}</p>" for place in range(3))
    assert [line for line in markdown(html).split("\n") if "Pan" in line] == [
        f"{marks} Pan {place}" for place in range(3)
    ]


@pytest.mark.parametrize(
    "form",
    [
        "<p><b>{}.</b></p>", "<p><b>{}:</b></p>", "<p><b>{}</b> pans</p>", "<ul><li><p><b>{}</b></p></ul>",
        "<blockquote><p class=crosshead>{}</p></blockquote>", "<p class=line>{}</p>",
        "<p><a href=/x><b>{}</b></a></p>",
    ],
)  # fmt: skip
def test_other_paragraphs_are_no_headings(form: str) -> None:
    html = "".join(form.format(f"Pan {place}") + f"<p>{PROSE}</p>" for place in range(3))
    assert "#" not in markdown(html)


@pytest.mark.parametrize(
    ("text", "stays"),
    [("In den Warenkorb", 0), ("Details", 0), ("Read more »", 0), ("Norway", 3), ("Morecambe", 3)],
)
def test_links_that_do_something_with_each_row_are_left_out(text: str, stays: int) -> None:
    rows = "".join(f"<tr><td>Pan {place}</td><td><a href=/x>{text}</a></td></tr>" for place in range(3))
    assert markdown(f"<table><tr><th>Salt</th><th>Land</th></tr>{rows}</table>").count(text) == stays


def test_counters_beside_the_names_of_a_threads_authors_are_left_out() -> None:
    user = "<div class=user><h4 class=message-name>{}</h4><dl><dt>Joined<dd>2020</dl></div>"
    said = "<ul><li>May 3</li><li><a href=#p>#1</a></li></ul><p>Salt</p><ul><li>Pans</li></ul>"
    post = f"<div><section class=message-user>{user}</section><div>{said}</div></div>"
    written = markdown(post.format("ana") + post.format("bo"))
    assert written == "\n\n".join(f"{name}\n\n- May 3\n\nSalt\n\n- Pans" for name in ("ana", "bo"))
    assert "Joined" in markdown(post.format("ana"))


@pytest.mark.parametrize("bullet", ["•", "-", "·", "●"])
def test_paragraphs_with_bullets_are_items(bullet: str) -> None:
    html = "".join(f"<p>{bullet} <b>Pan</b> {place}</p>" for place in range(3))
    assert markdown(html).replace("\n\n", "\n") == "- **Pan** 0\n- **Pan** 1\n- **Pan** 2"
    assert "- Pan" not in markdown(f"<p>{bullet} Pan</p><p>Salt</p><p>{bullet} Pan</p>").replace("\\-", "")


def test_bold_paragraphs_are_headings_only_if_there_are_some() -> None:
    assert markdown(f"<p><b>Pan</b></p><p>{PROSE}</p>" * 2).startswith("**Pan**")
    assert markdown("<p><b>Pan</b></p><p>Salt</p>" * 3).startswith("**Pan**")
    assert markdown(f"<p class=subtitle>Pan</p><p>{PROSE}</p>" * 2).startswith("Pan")


def test_a_box_that_is_the_page_is_no_note() -> None:
    assert markdown("<div class=callout>" + "<p>a</p>" * 30 + "</div>").startswith("a\n\na")


def test_a_deck_below_the_headline_is_no_heading() -> None:
    assert markdown(f"<h1>Salt</h1><p class=subheading>Pans</p><p>{PROSE}</p>").startswith("# Salt\n\nPans")


@pytest.mark.parametrize(
    ("html", "written"),
    [
        ("<h5 class=authorline>Ana Lima</h5><p>a</p>", "Ana Lima\n\na"),
        ("<h4 class=message-name>ana</h4><p>a</p>", "ana\n\na"),
        ("<h1 class=author>Ana Lima</h1><p>a</p>", "# Ana Lima\n\na"),
        ("<h3 class=authority>Ports</h3><p>a</p>", "### Ports\n\na"),
        ("<div class='alert alert-info'><p class=alert-heading>Mind</p><p>a</p></div>", "> Mind\n>\n> a"),
        ("<div class=alert><p>a</p></div>", "a"),
        (
            "<div class=''><p>a</p></div><blockquote class=''>b</blockquote><h2 class=''>c</h2>",
            "a\n\n> b\n\n## c",
        ),
        ("<div class='custom-block tip'><p>a</p></div>", "> a"),
        ("<p>a</p><p>------</p><p>b</p>", "a\n\nb"),
        ("<p>===</p>", "\\==="),
        ("<p>a</p><p>* * *</p><p>b</p>", "a\n\nb"),
        ("<p>a</p><p>———</p><p>b</p>", "a\n\nb"),
        ("<p>a<br>---</p>", "a\\\n\\---"),
        ("<p>1. a</p><p>2. b</p><p>3. c</p>", "1. a\n\n2. b\n\n3. c"),
        ("<p>1. a<br>2. b<br>3. c</p>", "1. a\n\n2. b\n\n3. c"),
        ("<p>1. a</p><p>2. b</p><p>x</p><p>3. c</p>", "1\\. a\n\n2\\. b\n\nx\n\n3\\. c"),
        ("<p>1. a</p><p>2) b</p><p>3. c</p>", "1\\. a\n\n2\\) b\n\n3\\. c"),
    ],
)
def test_other_blocks_are_what_they_mean(html: str, written: str) -> None:
    assert markdown(html) == written


@pytest.mark.parametrize(
    ("html", "written"),
    [
        ("<dl><dd>a</dd><dd>b</dd></dl>", "a\n\nb"),
        ("<dl><dd>a<dl><dd>b</dd></dl></dd></dl>", "a\n\nb"),
        ("<dl><dt>a</dt><dd>b</dd></dl>", "- a\\\n  b"),
        ("<ul class=screen><li>a<li>b</ul><ul class=print><li>a<li>b</ul><p>c</p>", "- a\n- b\n\nc"),
        ("<div class=screen><ul><li>a<li>b</ul></div><div class=print><ul><li>a<li>b</ul></div>", "- a\n- b"),
        ("<ul><li>a<li>b</ul><ul><li>a<li>c</ul>", "- a\n- b\n\n* a\n* c"),
        ("<p>a<br>b</p><p>a<br>b</p>", "a\\\nb\n\na\\\nb"),
        ("<ul><li><input type=checkbox class=save> a</li></ul>", "- a"),
        ("<ul><li><input type=checkbox name=x> a</li></ul>", "- a"),
        ("<ul><li><input type=checkbox disabled class=x> a</li></ul>", "- [ ] a"),
        ("<ul><li><input class=task-list-item-checkbox type=checkbox checked> a</li></ul>", "- [x] a"),
        ("<p>a <span class=mw-cite-backlink>^ <a href='#r'><b>a</b></a></span> b</p>", "a b"),
        ("<ol><li>a <a href='#r'>↩</a></li><li><b><a href='#r'>^</a></b> b</li></ol>", "1. a\n2. b"),
    ],
)
def test_lists_have_what_belongs_to_them(html: str, written: str) -> None:
    assert markdown(html) == written


@pytest.mark.parametrize(
    ("html", "written"),
    [
        ("<td>Lima, Ana<br>Berg, Ole", "Lima, Ana; Berg, Ole"),
        ("<td><ul><li>ropes<li>winches</ul>", "ropes; winches"),
        ("<td>王<br>李", "王; 李"),
        ("<td>cm<br>or so", "cm or so"),
        ("<td>cm<br>(or so)", "cm (or so)"),
        ("<td><p>One.</p><p>Two</p>", "One. Two"),
        ("<th>Size<br>Metres", "Size Metres"),
        ("<td><b>Ana</b><br><i>Ole</i>", "**Ana**; *Ole*"),
    ],
)
def test_lines_of_a_cell_are_parted(html: str, written: str) -> None:
    html = f"<table><tr><th>a<th>b<tr><td>c{html}</table>"
    assert markdown(html) == f"| a | b |\n| --- | --- |\n| c | {written} |"


def test_a_heading_parts_a_table() -> None:
    row = "<tr><td>a<td>b"
    html = f"<table><tr><td colspan=2><h2>One</h2>{row}{row}<tr><td colspan=2><h2>Two</h2>{row}{row}</table>"
    table = "| a | b |\n| --- | --- |\n| a | b |"
    assert markdown(html) == f"## One\n\n{table}\n\n## Two\n\n{table}"


def test_buttons_in_rows_are_left_out() -> None:
    rows = "".join(f"<tr><td>{n}<td><div>Pan</div><div><a href=/{n}>Buy</a></div>" for n in range(3))
    assert "Buy" not in markdown(f"<table><tr><th>a<th>b{rows}</table>")
    rows = "".join(f"<tr><td>{n}<td><div class=cta-button><a href=/{n}>Buy</a></div>" for n in range(3))
    assert "Buy" not in markdown(f"<table><tr><th>a<th>b{rows}</table>")
    rows = "".join(f"<tr><td>{n}<td><a href=/{n}>PDF</a>" for n in range(3))
    assert "PDF" in markdown(f"<table><tr><th>a<th>b{rows}</table>")


@pytest.mark.parametrize(
    ("html", "written"),
    [
        ("<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>", "- a\n- b\n  - c"),
        ("<ol start=9><li>a<p>more</p></li><li>b</li></ol>", "9. a\n\n   more\n10. b"),
        ("<ul><li>a</li></ul><ul><li>b</li></ul>", "- a\n\n* b"),
        ("<ol><li>a</li></ol><ol><li>b</li></ol>", "1. a\n\n1) b"),
        ("<ul><li>a</li><ul><li>b</li></ul></ul>", "- a\n  - b"),
        ("<ul><li>a<ol start=4><li>b</li></ol></li></ul>", "- a\n\n  4. b"),
        ("<ul><li><h3>Card</h3><p>a</p></li><li>b</li></ul>", "### Card\n\na\n\nb"),
        ("<ul><li>a<table><tr><th>b<th>c<tr><td>d<td>e</table><li>f</ul>",
         "- a\n\n  | b | c |\n  | --- | --- |\n  | d | e |\n- f"),
        ("<ul><li>One. Two.</li><li><p>Three.</p><p>Four.</p></li></ul>",
         "- One. Two.\n- Three.\n\n  Four."),
        ("<li>alone</li>", "alone"),
        ("<dl><dt>Brine</dt><dd>Salt water</dd><dt>Pan</dt><dd>Basin</dd></dl>",
         "- Brine\\\n  Salt water\n- Pan\\\n  Basin"),
        ("<blockquote><p>a</p><ul><li>b</li></ul></blockquote><p>c</p>", "> a\n>\n> - b\n\nc"),
        ("<div class='admonition tip'><p>Tip</p><p>a</p></div>b", "> Tip\n>\n> a\n\nb"),
        ("<div class='note info'><p>a</p></div>b", "> a\n\nb"),
        ("<aside class=WARNING><p>a</p></aside>b", "> a\n\nb"),
        ("<div class='notecard note'><p>a</p></div>b", "> a\n\nb"),
        ("<div class='message is-danger'><p>a</p></div>b", "> a\n\nb"),
        ("<div class='note of-the-editor'><p>a</p></div>b", "a\n\nb"),
        ("<div class='message first'><p>a</p></div>b", "a\n\nb"),
        ("<ul><li><input type=checkbox checked> a</li><li><input type=checkbox> b</li></ul>",
         "- [x] a\n- [ ] b"),
        ("<ul><li>a<blockquote>b</blockquote></li><li>c</li></ul>", "- a\n\n  > b\n- c"),
        ("<blockquote class='postcontent restore'>a<blockquote>b</blockquote></blockquote>", "a\n\n> b"),
    ],
)  # fmt: skip
def test_lists_and_quotes_nest(html: str, written: str) -> None:
    assert markdown(html) == written


def test_nesting_ends_at_sixteen_levels() -> None:
    assert markdown("<blockquote>" * 500 + "x") == "> " * 16 + "x"
    written = markdown("<ul><li>a" * 500)
    assert max(len(line) - len(line.lstrip()) for line in written.splitlines()) == 2 * 16


ROWS = "<tr><th>Pan</th><th>Salt</th></tr><tr><td>old</td><td>3|4</td></tr>"


@pytest.mark.parametrize(
    ("html", "written"),
    [
        (f"<table>{ROWS}</table>", "| Pan | Salt |\n| --- | --- |\n| old | 3\\|4 |"),
        (f"<table><caption>Yields</caption>{ROWS}</table>",
         "Yields\n\n| Pan | Salt |\n| --- | --- |\n| old | 3\\|4 |"),
        ("<table><tr><td colspan=2>a</td></tr><tr><td rowspan=2>b</td><td>c</td></tr>"
         "<tr><td>d</td></tr></table>",
         "| a | |\n| --- | --- |\n| b | c |\n| | d |"),
        ("<table><tr><td>a<p>b</p></td><td><pre>c\nd</pre></td></tr><tr><td>e</td><td>f</td></tr></table>",
         "| a; b | c d |\n| --- | --- |\n| e | f |"),
        ("<table><thead><th>a<th>b</thead><tr><td>c<td>d</table>", "| a | b |\n| --- | --- |\n| c | d |"),
        ("<table><tr><td>Pans</td></tr>" + "<tr><td>a</td><td>b</td></tr>" * 3 + "</table>",
         "| Pans | |\n| --- | --- |\n| a | b |\n| a | b |\n| a | b |"),
        ("<table><tr><td>a</td><td>b</td>e</tr><tr><td>c</td><td>d</td></tr></table>",
         "| a | b; e |\n| --- | --- |\n| c | d |"),
        (f"<table role=presentation>{ROWS}</table>", "Pan\n\nSalt\n\nold\n\n3|4"),
        ("<table><tr><td><h2>News</h2></td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>",
         "## News\n\nb\n\nc\n\nd"),
        ("<table><tr><td>a</td></tr><tr><td>b</td></tr></table>", "a\n\nb"),
        ("<table><thead><tr><th>a</thead><tr><td>b</table>", "| a |\n| --- |\n| b |"),
        ("<table><thead><tr><th>a<th>b</thead></table>", "| a | b |\n| --- | --- |"),
        (f"<table><tr><th colspan=2><h3>Pans</h3></th></tr>{ROWS}</table>",
         "### Pans\n\n| Pan | Salt |\n| --- | --- |\n| old | 3\\|4 |"),
        ("<table><tr><th><h3>Pan</h3></th><th><h3>Salt</h3></th></tr><tr><td>old</td><td>3</td></tr></table>",
         "| Pan | Salt |\n| --- | --- |\n| old | 3 |"),
    ],
)  # fmt: skip
def test_tables_of_data_are_tables_and_others_are_not(html: str, written: str) -> None:
    assert markdown(html) == written


def test_spans_without_end_are_bounded() -> None:
    html = "<table><tr><td colspan=99999999999>a<td>b<tr><td rowspan=99999999>c<td>d</table>"
    assert len(markdown(html)) < 1000


@pytest.mark.parametrize(
    ("html", "written"),
    [
        ("<pre>\n\n  a\n\n\tb\n</pre>", "```\n  a\n\n\tb\n```"),
        ("<pre> \na\n  \nb  \n \n</pre>", "```\na\n  \nb  \n```"),
        ("<pre><code class='language-Rust x'>a</code></pre>", "```rust\na\n```"),
        ("<div class='highlight-source-c'><pre>a</pre></div>", "```c\na\n```"),
        ("<pre data-lang=python>a</pre>", "```python\na\n```"),
        ("<pre class='brush: js; gutter: 1'>a</pre>", "```js\na\n```"),
        ("<pre class=language-plaintext>a</pre>", "```\na\n```"),
        ("<pre>a<br>b<div>c</div><div>d</div></pre>", "```\na\nb\nc\nd\n```"),
        ("<p>So:</p><div><code>a = 1<br>b = 2<br><br>c</code></div>", "So:\n\n```\na = 1\nb = 2\n\nc\n```"),
        ("<p><code>a</code><br><code>b</code></p>", "```\na\nb\n```"),
        ("<pre><span class=hljs-ln-numbers>1</span> a</pre>", "```\na\n```"),
        ("<pre><span class=lineno>1</span> a\n<span class=lineno>2</span>   b</pre>", "```\na\n  b\n```"),
        ("<pre>```</pre>", "````\n```\n````"),
        ("<h1>Pans<pre>a\n b</pre><pre>c</pre>", "# Pans\n\n```\na\n b\n```\n\n```\nc\n```"),
        ("<ul><li>a<pre>b\n c</pre></li></ul>", "- a\n\n  ```\n  b\n   c\n  ```"),
        ("<table><tr><td class=gutter><pre>1\n2</pre></td><td><pre>a\nb</pre></td></tr></table>",
         "```\na\nb\n```"),
    ],
)  # fmt: skip
def test_code_keeps_its_lines_and_its_language(html: str, written: str) -> None:
    assert markdown(html) == written


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("# a", "\\# a"), ("1986. A year", "1986\\. A year"), ("- a", "\\- a"), ("--", "\\--"),
        ("+ a", "\\+ a"), ("* a", "\\* a"), ("+a", "+a"), ("+", "\\+"),
        ("> a", "\\> a"),
        ("a * b", "a * b"), ("a*b", "a\\*b"), ("a_b", "a_b"), ("_a_", "\\_a\\_"), ("~~a~~", "\\~\\~a\\~\\~"),
        ("~a~", "\\~a\\~"), ("~5", "~5"),
        ("1 < 2 <b>", "1 < 2 \\<b>"), ("&amp;", "\\&amp;"), ("R&D", "R&D"), ("[a](b)", "\\[a](b)"),
        ("[a]", "[a]"),
        ("`a`", "\\`a\\`"), ("a\\", "a\\\\"), ("| --- |", "\\| --- |"),
        ("#a", "#a"),
    ],
)  # fmt: skip
def test_only_what_would_be_syntax_is_escaped(text: str, written: str) -> None:
    escaped = text.replace("&", "&amp;").replace("<", "&lt;")
    assert markdown(f"<p>{escaped}</p>") == written


def test_a_page_may_begin_with_a_link() -> None:
    html = "<a href='https://a.example/'>the <b>pans</b></a> of <b>salt</b>"
    assert markdown(html) == "the **pans** of **salt**"
    assert markdown(html, links="keep") == "[the **pans**](https://a.example/) of **salt**"


def test_links_are_text_unless_they_are_asked_for() -> None:
    html = (
        "<p>See <a href='../a (1).html?b=1&amp;c'>the <b>pans</b></a>, "
        "<a href='javascript:x'>this</a>, <a href='#t'>top</a>!</p>"
    )
    assert markdown(html) == "See the **pans**, this, top!"
    url = "https://salt.example/x/y"
    kept = "See [the **pans**](https://salt.example/a%20%281%29.html?b=1&c), this, top!"
    assert markdown(html, url, links="keep") == kept
    assert (
        markdown("<base href='https://b.example/z/'><a href=q>a</a>", url, links="keep")
        == "[a](https://b.example/z/q)"
    )


EVIL = "http://evil.example/"
FORMS = [
    f"foo [a]({EVIL}) bar", f"[a]({EVIL})", "array[0", "a]", "][", "[", "]", "[a][b]", f"[a]: {EVIL}",
    f"]({EVIL})", f"]({EVIL}) [", f"![a]({EVIL})", f"\\[a\\]({EVIL})", f"[a](&lt;{EVIL}&gt;)",
    f"<b>[a](</b>{EVIL})", f"[a]<b>({EVIL})</b>", f"[<code>a</code>]({EVIL})", "<code>[</code>",
    "[<code>]</code>", "[x] a", "^1", "[^1]", "[[a]", "&lt;http://evil.example/&gt;", "[a] [b]",
]  # fmt: skip


@pytest.mark.parametrize("text", FORMS)
@pytest.mark.parametrize(
    "around", ["{}", "a {} b", "[{}", "{}]", "{}(b)", "[{}](b)", "<b>{}</b>", "<li>{}</li>"]
)
def test_a_link_keeps_its_address_whatever_brackets_stand_in_it(text: str, around: str) -> None:
    html = around.format(f"<a href=http://x.example/>{text}</a>")
    written = markdown(html, links="keep", formulas="drop")
    tokens = [inner for token in PARSER.parse(written) for inner in token.children or ()]
    assert [token.attrs["href"] for token in tokens if token.type == "link_open"] == ["http://x.example/"]
    opened, closed = ([token.type for token in tokens].index(kind) for kind in ("link_open", "link_close"))
    said = "".join(token.content for token in tokens[opened:closed])
    assert said == unescape(re.sub(r"<[^>]*>", "", text))


def test_a_formula_with_an_odd_bracket_costs_its_link_the_address() -> None:
    html = r"<p>a <a href=http://x.example/>b \(]0\)</a> <a href=http://x.example/>\([0]\)</a></p>"
    assert markdown(html, links="keep") == "a b $]0$ [$[0]$](http://x.example/)"


def test_emphasis_can_be_dropped() -> None:
    assert markdown("<p><b>a</b> <code>b</code></p>", emphasis="drop") == "a `b`"


def test_the_text_stays_what_it_is_and_markdown_is_made_on_request() -> None:
    html = (
        "<h1>Salt pans</h1>"
        + "<p>Long <b>paragraphs</b> about salt, its pans, and the sea beside them.</p>" * 4
    )
    plain, asked = cedar.extract(html), cedar.extract(html, markdown=MarkdownOptions())
    assert plain.markdown is None
    assert asked.text == plain.text
    assert asked.markdown is not None
    assert asked.markdown.startswith("# Salt pans\n\nLong **paragraphs** about")
    assert cedar.extract("", markdown=MarkdownOptions()).markdown == ""


def test_tree_methods_write_markdown_and_methods_of_lines_are_refused() -> None:
    html = (
        "<html><body><div>"
        + "<p>Long <b>paragraphs</b> about salt, its pans, and the sea.</p>" * 6
        + "</div></body></html>"
    )
    found = cedar.extract(html, "cetd-ds", markdown=MarkdownOptions())
    assert found.markdown is not None
    assert "Long **paragraphs** about" in found.markdown
    with pytest.raises(
        ValueError, match="cetr keeps lines of text and cannot write Markdown: choose from cedar, "
    ):
        cedar.extract(html, "cetr", markdown=MarkdownOptions())


WHOLE = (
    "<html><head><title>T</title><noscript>head <img src=/h.png></noscript></head><body><a href=/a>All</a>"
    "<h1>Pans</h1><p>Salt <i>dries</i><span hidden> not</span>.</p><p hidden>no</p>"
    "<div style='display: none'>no <img src=/n.png></div><a href=/c><img src=/s.png alt=sea></a></html>"
)


def test_keep_all_writes_the_whole_page_but_its_head_and_what_is_hidden() -> None:
    kept = MarkdownOptions(links="keep", images="keep")
    found = cedar.extract(WHOLE, "keep-all", "https://s.example/", markdown=kept)
    assert found.markdown == (
        "[All](https://s.example/a)\n\n# Pans\n\nSalt *dries*.\n\n"
        "[![sea](https://s.example/s.png)](https://s.example/c)"
    )
    assert found.text == cedar.extract(WHOLE, "keep-all").text


def test_keep_all_writes_pages_of_pictures_and_of_many_blocks() -> None:
    kept = MarkdownOptions(images="keep")
    assert cedar.extract("<img src=http://s.example/i.png>", "keep-all", markdown=kept).markdown == (
        "![](http://s.example/i.png)"
    )
    found = cedar.extract("<p>x" * 70_000, "keep-all", markdown=kept).markdown
    assert found == "\n\n".join("x" * 70_000)


@pytest.mark.parametrize("removed", ["footnotes", "spans"])
def test_options_that_were_removed_are_refused_by_name(removed: str) -> None:
    with pytest.raises(ValueError, match=removed):
        MarkdownOptions.of([(removed, "keep")])


def test_options_are_checked() -> None:
    with pytest.raises(
        ValueError,
        match="unknown option 'link' of Markdown: choose from links, emphasis, formulas, ",
    ):
        MarkdownOptions.of([("link", "keep")])
    with pytest.raises(ValueError, match="links of Markdown is drop or keep, not 'yes'"):
        MarkdownOptions.of([("links", "yes")])


# What a parser reads.

PIECES = [*"`*_[]()<>#|$\\~-+=!&^:;. 1ax", "重", "。", "é", "](", "---", "&amp;", "&lt;b"]
SYNTAX = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)
INLINE = ("b", "em", "i", "strong", "code", "del", "kbd", "span", "a href=/x")
BLOCKS = (
    "p",
    "div",
    "blockquote",
    "pre",
    "h1",
    "h3",
    "dl",
    "dt",
    "dd",
    "section",
    "li",
    "ul",
    "ol",
    "ol start=7",
)


def element(names: tuple[str, ...], inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.tuples(st.sampled_from(names), inner).map(lambda e: f"<{e[0]}>{e[1]}</{e[0].split()[0]}>")


def listed(items: list[str]) -> str:
    return "<ul>" + "".join(f"<li>{item}</li>" for item in items) + "</ul>"


def tabled(rows: list[list[str]]) -> str:
    return "<table>" + "".join("<tr>" + "".join(f"<td>{cell}" for cell in row) for row in rows) + "</table>"


def nodes(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    several = st.lists(inner, min_size=1, max_size=3)
    return st.one_of(
        element(INLINE, inner),
        element(BLOCKS, several.map("".join)),
        several.map(listed),
        several.map("<br>".join),
        st.lists(several, min_size=2, max_size=3).map(tabled),
    )


PAGES = st.recursive(SYNTAX, nodes, max_leaves=12)


def read(written: str) -> tuple[str, set[str]]:
    """The text that a parser sees, and the kinds of its tokens."""
    texts, kinds = [], set()
    for token in PARSER.parse(written):
        kinds.add(token.type)
        if token.type in ("fence", "code_block", "html_block"):
            texts.append(token.content)
        for inner in token.children or ():
            kinds.add(inner.type)
            texts.append(inner.content)
    return "".join(texts), kinds


OPENED = {
    "h1": "heading_open", "h3": "heading_open", "li": "list_item_open", "blockquote": "blockquote_open",
    "pre": "fence", "tr": "tr_open", "td": "td_open", "ol": "ordered_list_open", "ul": "bullet_list_open",
}  # fmt: skip
"""The tags of HTML whose number a second parser must agree on, and the tokens of the first one."""


def second_reading(written: str) -> tuple[str, Counter[str]]:
    """The text that cmark-gfm sees, and how many elements of each kind it makes."""
    made = markdown_to_html_with_extensions(written, extensions=["table", "strikethrough"])
    assert "raw HTML omitted" not in made
    counted = Counter(OPENED[name] for name in re.findall(r"<(\w+)", made) if name in OPENED)
    return unescape(re.sub(r"<[^>]*>", "", made)), counted


@pytest.mark.slow
@settings(max_examples=300)
@given(html=PAGES, seed=st.integers(0, 2**16))
def test_a_parser_reads_back_the_text_and_nothing_else(html: str, seed: int) -> None:
    page = SegmentedPage(html.encode())
    kept = np.random.default_rng(seed).random(page.blocks.count) < 0.85
    written = write(page, kept, MarkdownOptions(), None)
    text, kinds = read(written)
    said = kept.copy()
    said[list(left_out(page, kept))] = False
    assert re.sub(r"[\s;]", "", text) == re.sub(r"[\s;]", "", write_text(page, said)[0].decode())
    assert not kinds & {"html_block", "html_inline", "code_block", "hr", "image", "link_open"}
    second, counted = second_reading(written)
    assert re.sub(r"\s", "", second) == re.sub(r"\s", "", text)
    assert counted == Counter(token.type for token in PARSER.parse(written) if token.type in OPENED.values())
    assert written == written.strip("\n")
    assert not any(line.endswith(" ") for line in written.split("\n"))
    assert written == write(page, kept, MarkdownOptions(), None)


@settings(max_examples=100)
@given(PAGES)
def test_kept_links_lead_to_the_web_alone(html: str) -> None:
    page = SegmentedPage(html.replace("/x", "javascript:x").encode())
    written = write(
        page, np.ones(page.blocks.count, bool), MarkdownOptions(links="keep"), "https://salt.example/"
    )
    assert "link_open" not in read(written)[1]


@pytest.mark.parametrize(
    "html",
    [
        "<ul>" * 20_000 + "x", "<ul><li>x" * 20_000, "<blockquote>" * 20_000 + "x", "<table>" * 20_000 + "x",
        "<b>" * 50_000 + "x", "<p>" + "<b>x</b> " * 20_000, "<p>" + "<i>a<b>b</i>c</b>" * 20_000,
        "<p>" + "[x](" * 100_000, "<pre>" + "`" * 100_000, "<table>" + "<tr><td>a<td>b" * 10_000,
    ],
)  # fmt: skip
@pytest.mark.timeout(20)
def test_hostile_pages_are_written_in_no_time(html: str) -> None:
    assert "x" in markdown(html) or "a" in markdown(html) or "`" in markdown(html)
