"""Images and roles against plain definitions."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from cedar.transforms.extractors.markdown._placing import images
from cedar.transforms.extractors.markdown._roles import roles
from cedar.transforms.extractors.segments._page import SegmentedPage
from tests.oracles import images_and_roles

BASE = "https://salt.example/pans/"


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
    plain = images_and_roles.Images(BASE)
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
    plain = images_and_roles.Roles()
    plain.feed(html)
    opens = page.elements.opens
    notes, posts, titles, *_ = roles(page, np.arange(page.blocks.count + 1))
    assert {int(opens[each]): level for each, level in titles.items()} == plain.titles
    assert {int(opens[each]) for each in notes} == plain.notes
    assert {int(opens[each]) for each in posts} == plain.posts
