"""Pages made for the tests."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st

PAGE_W = """<html><head><title>Town News</title>
<style>p{margin:0}</style>
</head>
<body>
<ul><li><a href="/">Home</a></li><li><a href="/s">Sport</a></li></ul>
<!-- ad -->
<h1>Bridge reopens</h1>
<p>The old bridge over the river was opened again on Monday after two years of repair work.</p>
<p>Drivers had to use a detour of nine miles.</p>
Traffic is expected to return to normal by the end of the week, the council said in a note.<br><br>

<div id="foot"><a href="/c">Contact</a> | <a href="/i">Imprint</a></div>
</body></html>"""

G20 = [0, 2, 0, 3, 1, 0, 2, 0, 80, 95, 0, 120, 110, 70, 0, 2, 1, 0, 3, 0]

_PIECES = [
    *("<p>", "</p>", "<b>", "</b >", "<br/>", "<DIV class=x>", "</div>", "<li", "<td\n", "<x-y>", "<?xml ?>"),
    *(
        "<!DOCTYPE html>",
        "<a href='/x'>",
        '<a href="/y">',
        "</a>",
        '<img alt="a>b">',
        "<i t='\"'>",
        "<p a= \n'>'>",
    ),
    *("<", ">", '"', "'", "=", '="', "='", "/", "/>", "<<", "< p>", "</", "<é>", "-->", "<1>", '<a b=">'),
    *(
        "<!--",
        "<!-->",
        "<!---->a",
        "--!>",
        "<script>",
        "</script>",
        "<SCRIPT src=x />",
        "<style>",
        "</STYLE >",
        "<scripture>",
    ),
    *(
        "\n",
        "\r\n",
        "\r",
        "\n\n",
        " ",
        "   ",
        "\t",
        "\x0b",
        "\x1c",
        "\x1e",
        "\x85",
        "\xa0",
        "\u2003",
        "\u3000",
    ),
    *("\x00", "\x01", "\x7f", "\x81", "\u200b", "\ufeff", "\u2028"),
    *(
        "&amp;",
        "&nbsp;",
        "&nbsp",
        "&#32;",
        "&#10;",
        "&#x2003;",
        "&ensp;",
        "&lt;p&gt;",
        "&#129;",
        "&am",
        "p;",
        "&",
    ),
    *("word", "two words", "é", "漢字", "😀", "İ", "K", "a" * 30, "long " * 9, "文" * 40),
]

pieces = st.lists(st.sampled_from(_PIECES) | st.text(max_size=3), max_size=40).map("".join)
"""Pages of tags, quotes, entities, blanks and letters in any order; many of them in a single line."""

single_lines = st.lists(
    st.sampled_from([piece for piece in _PIECES if not {"\n", "\r"} & set(piece) and "script" not in piece]),
    min_size=20,
    max_size=90,
).map("".join)
"""Pages in one line."""

paragraphs = st.lists(
    st.tuples(
        st.sampled_from(
            ["<p>{}</p>", "<li><a href='/x'>{}</a></li>", "<td>{}</td><td>{}</td>", "{}<br>", "{}"]
        ),
        st.integers(0, 120),
    ).map(lambda pair: pair[0].replace("{}", "".join("words and "[i % 10] for i in range(pair[1])))),
    min_size=1,
    max_size=40,
)
"""Lines of a page as people write them; none is blank."""

STORMS: dict[str, Callable[[int], str]] = {
    "less-than": lambda n: "<" * n,
    "less-than and letters": lambda n: "<a" * n,
    "tags": lambda n: "<b>" * n,
    "tag lines": lambda n: "<b>x</b>\n" * n,
    "lines of one long tag": lambda n: "<b " + "x\n" * n + ">",
    "unclosed tag": lambda n: "<p>x</p>\n<a " + "b=c " * n,
    "quotes that do not close": lambda n: "<a b=\"'>" * n,
    "quotes that swallow": lambda n: '<a b=">" ' * n,
    "quoted to the end": lambda n: "<a b='>" * n + "<p>",
    "equals and blanks": lambda n: "<a " + "= " * n + ">",
    "comments": lambda n: "<!--" * n,
    "empty comments": lambda n: "<!-->" * n,
    "comment ends": lambda n: "-->--!" * n,
    "scripts": lambda n: "<script>" * n,
    "self-closed scripts": lambda n: "<script/>" * n,
    "script ends": lambda n: "</script " * n,
    "scripts in comments": lambda n: "<!-- <script> -->" * n,
    "ampersands": lambda n: "<p>" + "&" * n,
    "references": lambda n: "<p>" + "&ensp;" * n,
    "digits": lambda n: "<p>&#" + "9" * n,
    "one line": lambda n: "<p>" + "word " * n,
    "one line of wide characters": lambda n: "<p>" + "漢" * n,
    "one line of links": lambda n: "<a href='x'>y</a> " * n,
    "blanks": lambda n: " " * n + "<p>x" + "\u3000" * n,
    "blank lines": lambda n: "\r" * n + "<p>x",
    "wide blanks on lines": lambda n: "\u3000\n" * n + "<p>x",
    "nulls": lambda n: "\x00" * n,
    "titles": lambda n: "<title>" * n,
}
"""Pages that a careless program takes quadratic time for, by their size."""
