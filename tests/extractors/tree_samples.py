"""Pages made for the tests of tree methods."""

from __future__ import annotations

from hypothesis import strategies as st

from cedar.transforms.extractors.tree.tree import Tree, read_tree, visible_source
from tests.extractors.samples import PAGE_W

PAGE_W2 = PAGE_W.replace("<h1>", '<div id="main"><h1>').replace("<br><br>", "<br><br></div>")
assert PAGE_W2.count("main") == 1

ARTICLE = (
    "Bridge reopens\n"
    "The old bridge over the river was opened again on Monday after two years of repair work.\n"
    "Drivers had to use a detour of nine miles.\n"
    "Traffic is expected to return to normal by the end of the week, the council said in a note."
)
"""The article of both."""

WHOLE_BODY = f"Home\nSport\n{ARTICLE}\nContact | Imprint"

EXAMPLE = (
    "<body><main><article>"
    f"<h1>{'h' * 46}</h1>"
    f"<div>{'t' * 24}<a href='/x'>{'l' * 15}</a></div>"
    "</article></main></body>"
)
"""The example of the paper: C and T of its nodes, with a body that holds nothing else."""

_WORDS = st.sampled_from(
    [
        "word",
        "two words",
        " x ",
        "\n",
        " ",
        "é — 漢字",
        "a&amp;b",
        "&lt;p&gt;",
        "&nbsp;",
        "&#13;",
        "long " * 12,
    ]
)
_NESTING = ["div", "section", "span", "b", "i", "custom-tag", "blockquote"]
_NAMES = [*_NESTING, "p", "a", "ul", "li", "h2", "button"]
_EMPTY = ["<br>", "<img src='a>b'>", "<hr/>", "<input value=v>", "<i/>", ' hidden="" style="display:none ']
_STRAY = ["<p>", "<td>", "</p>", "</div>"]
_SHOWN = [
    *("<noscript>yes</noscript>", "<p style='x-display:none'>yes</p>", "<p title=' hidden=\"'>yes</p>"),
]
_GONE = [
    *("<!-- no -->", "<script>no()</script>", "<iframe>no</iframe>", "<template>no</template>"),
    *("<style>no{}</style>", "<div hidden>no</div>", "<p style='color:red; DISPLAY : none'>no</p>"),
]


def _pages(names: list[str], leaves: list[str]) -> st.SearchStrategy[str]:
    def element(content: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        inner = st.lists(content, max_size=5).map("".join)
        return st.builds(
            lambda name, inner: f"<{name} class='c'>{inner}</{name}>", st.sampled_from(names), inner
        )

    nodes = st.recursive(_WORDS | st.sampled_from(leaves), element, max_leaves=40)
    return st.lists(nodes, max_size=8).map(lambda parts: "<body>" + "".join(parts))


pages = _pages(_NAMES, _EMPTY + _STRAY + _SHOWN + _GONE)
"""Markup of a body, mostly well nested."""

nested_pages = _pages(_NESTING, _EMPTY)
"""The same, all of it nested as it is written, and nothing in it that goes before anything is counted."""


def read(html: str) -> Tree:
    return read_tree(visible_source(html.encode()), keep_hidden=False)
