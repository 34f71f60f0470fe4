"""Footnotes, images and roles against plain definitions."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from cedar.transforms.extractors.markdown._containers import roles
from cedar.transforms.extractors.markdown._document import write
from cedar.transforms.extractors.markdown._placing import images
from cedar.transforms.extractors.segments._page import SegmentedPage
from cedar.transforms.model.markdown_options import MarkdownOptions
from tests.oracles import footnotes
from tests.oracles.footnotes import Link, Paragraph

BASE = "https://salt.example/pans/"
FORMS = (
    "<sup><a href='#'>{}</a></sup>", "<sup>[<a href='#'>{}</a>]</sup>", "<a href='#'><sup>{}</sup></a>",
    "<a role=doc-noteref href='#'>{}</a>", "<a href='#'>{}</a>",
)  # fmt: skip
NAMES = ("a", "b", "fn1", "note2")
LINKS = st.builds(
    Link,
    st.sampled_from(FORMS),
    st.sampled_from(["1", "12", "k", "†", "↩", "words"]),
    st.sampled_from([*NAMES, footnotes.NOWHERE]),
)


@st.composite
def documents(draw: st.DrawFn) -> list[Paragraph]:
    names = draw(st.permutations(NAMES))
    return [
        Paragraph(
            name, [*draw(st.lists(LINKS, max_size=1)), "salt", *draw(st.lists(LINKS, max_size=2)), "pans"]
        )
        for name in names
    ]


@settings(max_examples=150)
@given(documents())
def test_footnotes_are_those_of_the_plain_definition(paragraphs: list[Paragraph]) -> None:
    page = SegmentedPage(footnotes.html(paragraphs).encode())
    kept = np.ones(page.blocks.count, bool)
    written = write(page, kept, MarkdownOptions(footnotes="keep", emphasis="drop"), None)
    assert written == footnotes.markdown(paragraphs)


ADDRESSES = st.sampled_from(
    ["", "/a.png", "b.png 1x, c.png 2x", "data:x", "https://b.example/d.png", "javascript:x", "#e"]
)
IMAGES = st.dictionaries(
    st.sampled_from(["src", "data-src", "srcset", "data-original", "width", "alt"]),
    st.one_of(ADDRESSES, st.just("1")),
).filter(
    lambda given: " " not in given.get("src", "") + given.get("data-src", "") + given.get("data-original", "")
)


@settings(max_examples=100)
@given(st.lists(IMAGES, min_size=1, max_size=3))
def test_images_have_the_addresses_of_the_plain_definition(given_images: list[dict[str, str]]) -> None:
    html = "<p>a" + "".join(
        "<img " + " ".join(f'{name}="{value}"' for name, value in given.items()) + ">"
        for given in given_images
    )
    page = SegmentedPage(html.encode())
    plain = footnotes.Images(BASE)
    plain.feed(html)
    found = [each.written for each in images(BASE, page, 0, page.markup.tags.count)]
    assert found == [f"![{alt}]({address})" for alt, address in plain.found]


SAID = st.dictionaries(
    st.sampled_from(["class", "role", "aria-level"]),
    st.sampled_from(
        ["callout tip", "x Admonition", "postcontent restore", "messageText", "heading", "3", "12", "note"]
    ),
)


@settings(max_examples=100)
@given(
    st.lists(
        st.tuples(st.sampled_from(["div", "section", "p", "blockquote", "b"]), SAID), min_size=1, max_size=4
    )
)
def test_roles_are_those_of_the_plain_definition(elements: list[tuple[str, dict[str, str]]]) -> None:
    html = "".join(
        f"<{name} " + " ".join(f'{key}="{value}"' for key, value in given.items()) + f">a</{name}>"
        for name, given in elements
    )
    page = SegmentedPage(html.encode())
    plain = footnotes.Roles()
    plain.feed(html)
    opens = page.elements.opens
    notes, posts, titles = roles(page, np.arange(page.blocks.count + 1))
    assert {int(opens[each]): level for each, level in titles.items()} == plain.titles
    assert {int(opens[each]) for each in notes} == plain.notes
    assert {int(opens[each]) for each in posts} == plain.posts
