"""Markup in any order, for tests of trees."""

from __future__ import annotations

from hypothesis import strategies as st

_TAGS = [
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
]
_HIDING = [
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
    *("<p style='x-display:none'>", "<p style='display:none-x'>", "<p style='display:nonexistent'>"),
    *(
        "<p style='_display:none'>",
        "<p style='display:block;display:none'>",
        "<p style='display display:none'>",
    ),
    *("<p style='display'>", "<p style='display:'>", "<p style=''>", "<p data-style='display:none'>"),
    *(
        "<p title=' hidden=\"'>",
        "<p title=' style=\"display:none'>",
        "<p title='x hidden='>",
        "<p title=' style='>",
    ),
    *('display:none"', ' hidden="" style="display:none"'),
]
_TEXT = [
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
        "\x1c",
    ),
    *(
        "&amp;",
        "&lt;",
        "&gt;",
        "&nbsp;",
        "&amp",
        "&",
        "&#13;",
        "&#1;",
        "&#x85;",
        "&#127;",
        "&#0;",
        "&#xD800;",
    ),
    *("&#129;", "&nGt;", "&amp;#13;", "&amp;lt;", "&#x1F600;", "long " * 12, "文" * 20, "a" * 70),
]

markup = st.lists(
    st.sampled_from(_TAGS) | st.sampled_from(_HIDING) | st.sampled_from(_TEXT) | st.text(max_size=2),
    max_size=50,
).map("".join)
"""Markup in any order: unclosed, badly nested, with odd names; much of it hidden or not for reading."""
