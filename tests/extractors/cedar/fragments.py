"""Pieces of pages in which each rule of `cedar` has something to do, and pages of them."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.extractors.samples import pieces

FRAGMENTS = [
    *("<p>", "</p>", "<li>", "</li>", "<ul>", "</ul>", "<div>", "</div>", "<br>", "<h1>", "</h1>", "<h2>"),
    *(
        "<table>",
        "<tr>",
        "<td>",
        "</td>",
        "<th>",
        "<caption>",
        "</table>",
        "<dl>",
        "<dt>",
        "<dd>",
        "<option>",
    ),
    *("<pre>", "</pre>", "<xmp>", "<b>", "</b>", "<a href=/x>", "<a HREF='#'>", "<a>", "</a>", "<a>href"),
    *(
        "<title>",
        "</title>",
        "<textarea>",
        "</textarea>",
        "<svg>",
        "</svg>",
        "<video>",
        "<button>",
        "</body>",
    ),
    *("<article>", "<main>", "<nav>", "<footer>", "<figcaption>", "</figcaption>", "<section>", "</h2>"),
    *("<div class='nav main'>", '<div class="Article-body" id=content>', "<li class=aBC_dEf-gHI>"),
    *(
        "<p /class=/class=fooBar/id=x>",
        '<p class="',
        "<p class=x",
        "<p class='a\"b'>",
        "<p class=>",
        "<p id=''>",
    ),
    *("<div style='display:none'>", '<div STYLE="DISPLAY: NONE">', "<p style='visibility: hidden'>"),
    *("<p hidden>", '<p aria-hidden="true">', "<p title='hidden' hidden=''>", "<p aria-hidden=false>"),
    *("<section role=main itemprop=articleBody>", "<div class=comments><p class=comment>", "<p data-id=x>"),
    *("&amp;", "&nbsp", "&#160;", "&#x2003;", "&#0;", "&#99999999999;", "&#x110000;", "&nGt;", "&eacute;"),
    *(
        "&abc",
        "&",
        "&#",
        "&#x;",
        "&" + "a" * 40 + ";",
        "&#x0A;",
        "&nbsp0",
        "&#x85;",
        "&lt;p&gt;",
        "&am\x01p;",
    ),
    *(
        "\t",
        "\n",
        "  ",
        "\x00",
        "\x0b",
        "\x1c",
        "\x85",
        "\xa0",
        "\u1680",
        "\u2003",
        "\u2029",
        "\u205f",
        "\u3000",
    ),
    *("\u200b", "\x9f", "\x7f", "\ufffd", "\uffff", "\x1d", "\x01\x02\x03", "\r\n"),
    *(
        "Some more words. ",
        "A title, ",
        "Год.",
        "漢字。",
        "ไทย",
        "é",
        "😀",
        "\U00020000",
        "1,234.5",
        "| ",
        "«x»",
    ),
    *("<", ">", "<>", "</", "<!-- c -->", "<!--", "<script>x</script>", "<?x?>", "<p\n>", "<P ID=main>"),
    *('"@type": "Article"', '<div itemtype="x/Product">', '<meta og:type" content="article">', "hype type"),
]

PAGES = st.one_of(
    st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=5), max_size=40).map("".join),
    st.lists(st.sampled_from(FRAGMENTS), min_size=30, max_size=90).map("".join),
    pieces,
).map("<html lang=en><body>{}".format)
"""Pages; nothing is read from attributes within a page's first bytes."""
