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
    *("<a href=#x>", "<a class=y href='/z#x'>", "¶</a>", "#</a>", " &para; </a>", "\u200b</a>"),
    *("<span class=mw-editsection>", "<span class='MW-edits y'>", "<h3>", "</h3>"),
    *("<math>", "<annotation encoding='application/x-tex'>", "<annotation>x_2", "</annotation>", "</math>"),
    *(
        "<span class=katex-html>",
        "</math></span><span class='katex-html a'>",
        "<span class=mwe-math-mathml hidden>",
    ),
    *(
        "<span class=lineno>1</span>",
        "<td class='gutter x'>",
        "<pre class=linenos>2\n",
        "<template shadowrootmode=open>",
    ),
    *("<template>", "</template>", "<noscript>", "</noscript>"),
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
    *(
        "<span hidden>",
        "<b style='x:y;DISPLAY :none!'>",
        "</span>",
        "</b>",
        "<img hidden>",
        "<a HIDDEN href=x>",
    ),
    *(
        "<a HIDDEN href=x>",
        "<p hidden>",
        '<p aria-hidden="true">',
        "<p title='hidden' hidden=''>",
        "<p aria-hidden=false>",
    ),
    *(
        "<section id=discussion><h2>Discussion</h2>",
        "<section id=rope><h2>Rope</h2>",
        "<section>",
        "</section>",
    ),
    *(
        "<div class=reply id=RopeAndReplies><h2>Rope and replies",
        "<h2 id=sec-feedback>2 Feedback</h2>",
        "<h2 id=rope>Rope</h2>",
    ),
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
    *(
        "<",
        ">",
        "<>",
        "</",
        "<!-- c -->",
        "<!---->c",
        "<!--",
        "<script>x</script>",
        "<?x?>",
        "<p\n>",
        "<P ID=main>",
    ),
    *('"@type": "Article"', '<div itemtype="x/Product">', '<meta og:type" content="article">', "hype type"),
]

OF_PARTS = [
    *(
        "<form>",
        "</form>",
        "<input name=x>",
        "<input type=hidden>",
        "<input TYPE=Button>",
        "<select><option>",
    ),
    *(
        "<img src=x>",
        "<img src=y></img>",
        "<textarea name=t>",
        "</select>",
        "<li class=card><h3>",
        "$3",
        "4:30",
    ),
    *("<div class=card><h3>Rope", "<div class=card><p>9 $", "<tr><th>Length<td>30 m", "<dl><dt>Tar<dd>2 l"),
    *(
        "<p>",
        "</div>",
        "<ul>",
        "</ul>",
        "<table>",
        "</table>",
        "</dl>",
        "<a href=/x>",
        "</a>",
        "Some words. ",
    ),
]
"""Pieces of forms, cards and facts."""

PAGES_OF_PARTS = (
    st.lists(st.sampled_from(OF_PARTS), min_size=10, max_size=60)
    .map("".join)
    .map("<html lang=en><body>{}".format)
)

PAGES = st.one_of(
    st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=5), max_size=40).map("".join),
    st.lists(st.sampled_from(FRAGMENTS), min_size=30, max_size=90).map("".join),
    pieces,
).map("<html lang=en><body>{}".format)
"""Pages; nothing is read from attributes within a page's first bytes."""
