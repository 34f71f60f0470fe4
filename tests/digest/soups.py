"""Markup in any order: tags, quotes, entities, blanks and letters of many scripts, drawn from a seed."""

from __future__ import annotations

from collections.abc import Callable

from .numbers import Numbers

PIECES = (
    *("<p>", "</p>", "<b>", "</b >", "<br/>", "<DIV class=x>", "</div>", "<li", "<td\n", "<x-y>", "<?xml ?>"),
    *("<!DOCTYPE html>", "<a href='/x'>", '<a href="/y">', "</a>", '<img alt="a>b">', "<i t='\"'>"),
    *(
        "<p a= \n'>'>",
        "<",
        ">",
        '"',
        "'",
        "=",
        '="',
        "='",
        "/",
        "/>",
        "<<",
        "< p>",
        "</",
        "<é>",
        "-->",
        "<1>",
    ),
    *(
        '<a b=">',
        "<!--",
        "<!-->",
        "--!>",
        "<script>",
        "</script>",
        "<SCRIPT src=x />",
        "<style>",
        "</STYLE >",
    ),
    *("<scripture>", "\n", "\r\n", "\r", "\n\n", " ", "   ", "\t", "\x0b", "\x1c", "\x1e", "\x85", "\xa0"),
    *("\u2003", "\u3000", "\x00", "\x01", "\x7f", "\x81", "\u200b", "\ufeff", "\u2028", "&amp;", "&nbsp;"),
    *("&nbsp", "&#32;", "&#10;", "&#x2003;", "&ensp;", "&lt;p&gt;", "&#129;", "&am", "p;", "&", "word"),
    *(
        "two words",
        "é",
        "漢字",
        "😀",
        "İ",
        "\u212a",
        "a" * 30,
        "long " * 9,
        "文" * 40,
        "</title>",
        "<title>T&amp;",
    ),
)
"""What a reader by lines and tags stumbles over."""

TAGS = (
    *(
        "<div>",
        "</div>",
        "<p>",
        "</p>",
        "<b>",
        "</b>",
        "<span class=x>",
        "</span>",
        "<br>",
        "<hr/>",
        "<ul><li>",
    ),
    *('<a href="/x">', "<a name=y>", "</a>", "<button>", "</button>", "<select><option>", "</select>"),
    *("<form action=/>", "</form>", "<h2>", "</h2>", "<table><tr><td>", "</table>", "<custom-element>"),
    *("<html>", "<head>", "<body>", "</body>", "</html>", "<body hidden>", "<html style='display:none'>"),
    *(
        "<script>a<b</script>",
        "<style>p{}</style>",
        "<title>t</title>",
        "<iframe>x</iframe>",
        "<xmp><b></xmp>",
    ),
    *(
        "<noframes>n</noframes>",
        "<noembed>n</noembed>",
        "<template><p>x</p></template>",
        "<templates>y</templates>",
    ),
    *(
        "<noframesets>y</noframesets>",
        "<plaintext>",
        "<textarea>",
        "</textarea>",
        "<svg><title>z</title></svg>",
    ),
    *(
        "<scr<ipt>",
        "<a<b c<d='<'>",
        '<x"y z"="<q>">',
        "<i/j/>",
        "<p ='x'>",
        "<p a=b=c/>",
        "<1>",
        "< p>",
        "<!x>",
    ),
    *(
        "<![CDATA[x<y]]>",
        "<!-- c -->",
        "<?pi?>",
        "<p",
        "<p title='",
        '">',
        "<div\n\tid=a\r>",
        "<DIV>",
        "</P >",
    ),
    *(
        "<p hidden>",
        "<p HIDDEN=until-found>",
        "<p xhidden>",
        "<p data-hidden=''>",
        "<img hidden>",
        "<br hidden/>",
    ),
    *("<p style='display:none'>", "<p style='DISPLAY : None;x'>", "<p style='display:\tnone '>"),
    *(
        "<p style='display&#9;:&#13;&#10;none'>",
        "<p style='display&#x9;:&#x20;none'>",
        "<p style='display:&#13'>",
    ),
    *("<p style='x-display:none'>", "<p style='display:none-x'>", "<p style='display:block;display:none'>"),
    *(
        "<p style='_display:none'>",
        "<p style='display display:none'>",
        "<p style=''>",
        "<p title=' hidden=\"'>",
    ),
    *(
        "<p title=' style=\"display:none'>",
        "<p title='x hidden='>",
        'display:none"',
        ' hidden="" style="display:none"',
    ),
)
"""What a reader of trees stumbles over."""

TEXTS = (
    *(
        "word",
        "two words",
        " ",
        "\n",
        "\t \r\n",
        "  x  ",
        "é",
        "漢字",
        "😀",
        "\u00a0",
        "\u2003",
        "\u3000",
        "\u1680",
    ),
    *(
        "\u200b",
        "\u205f",
        "\u202f",
        "\u2028",
        "\u00b7",
        "\u2014",
        "\u0085",
        "\u009f",
        "\u007f",
        "\x01",
        "\x0b",
    ),
    *("\x1c", "&amp;", "&lt;", "&gt;", "&nbsp;", "&amp", "&", "&#13;", "&#1;", "&#x85;", "&#127;", "&#0;"),
    *("&#xD800;", "&#129;", "&nGt;", "&amp;#13;", "&amp;lt;", "&#x1F600;", "long " * 12, "文" * 20, "a" * 70),
)
"""What is between tags."""

_NESTING = "div section span b i custom-tag blockquote p a ul li ol dl dt dd h2 button table tr td pre"
_LEAVES = (
    *(
        "<br>",
        "<img src='a>b'>",
        "<hr/>",
        "<input value=v>",
        "<i/>",
        ' hidden="" style="display:none ',
        "<p>",
    ),
    *(
        "<td>",
        "</p>",
        "</div>",
        "<noscript>yes</noscript>",
        "<p style='x-display:none'>yes</p>",
        "<!-- no -->",
    ),
    *("<script>no()</script>", "<iframe>no</iframe>", "<template>no</template>", "<div hidden>no</div>"),
)


def pieces(n: Numbers) -> str:
    """Make a page of `PIECES`."""
    return "".join(n.one_of(PIECES) for _ in range(n.between(20, 400)))


def single_line(n: Numbers) -> str:
    """Make a page of `PIECES` without a line break, a script or a style."""
    allowed = [each for each in PIECES if not {"\n", "\r"} & set(each) and not {"s", "S"} & set(each[1:2])]
    return "".join(n.one_of(allowed) for _ in range(n.between(60, 400)))


def markup(n: Numbers) -> str:
    """Make a page of `TAGS` and `TEXTS`."""
    return "".join(n.one_of(n.one_of((TAGS, TEXTS))) for _ in range(n.between(20, 400)))


def nested(n: Numbers) -> str:
    """Make a page whose tags are mostly well nested."""

    def node(depth: int) -> str:
        if depth == 0 or n.share() < 0.2:
            return n.one_of(_LEAVES if n.share() < 0.2 else TEXTS)
        name = n.one_of(_NESTING.split())
        inner = "".join(node(depth - 1) for _ in range(n.between(0, 5)))
        return f"<{name} class='c' href=/{depth}>{inner}</{name}>"

    return "<title>nested</title><body>" + "".join(node(5) for _ in range(n.between(1, 6)))


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
    "open elements": lambda n: "<div>x" * n,
    "open elements and stray ends": lambda n: "<div>" * n + "</span>x" * n,
    "nested lists": lambda n: "<ul><li>x" * n,
    "nested tables": lambda n: "<table><tr><td>x" * n,
    "nested links": lambda n: "<a href=/>x" * n,
    "line breaks": lambda n: "<p>one<br>" + "<br>\n" * n + "two</p>",
    "attributes": lambda n: "<p " + " ".join(f"a{i}=b" for i in range(n)) + ">x</p>",
    "one huge attribute": lambda n: "<p data-x='" + "<b>y " * n + "'>x</p>\nplain text after it",
    "cells": lambda n: "<table>" + "<tr><td>x<td>y" * n,
    "headings": lambda n: "<h2>x</h2>" * n,
    "bold and paragraphs, crossed": lambda n: "<b>x<p>y</b>z" * n,
}
"""Pages that a careless program takes quadratic time for, by their size."""
