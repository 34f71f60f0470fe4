"""An `id` that a documentation or a wiki made of a section's heading says nothing of the section."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from cedar import extract

PARAGRAPHS = [
    "The salt road from Varn to the lakes is first mentioned in a charter of 1162, which grants the monks "
    "of Saint Osric the toll of its two bridges. It must be far older, since coins have come to light there.",
    "For three hundred years salt was carried on it by trains of up to forty mules. Each animal bore two "
    "sacks of about fifty kilograms, and the journey took nine days in summer, when the pass was open.",
    "The decline of the road began with the canal of 1704. Boats could carry the load of a hundred mules, at "
    "a tenth of the cost, and within a generation the inns along the road had been turned into farms.",
    "Historians disagree about the part that the road played in the plague of 1349. Registers of the "
    "parishes along it show deaths in the order in which a traveller would have reached them.",
]


def slug(heading: str) -> str:
    return heading.lower().replace(" ", "-")


def camel(heading: str) -> str:
    return heading.title().replace(" ", "")


SHAPES: dict[str, Callable[[str, str], str]] = {
    "sections": lambda head, text: f'<section id="{slug(head)}"><h2>{head}</h2><p>{text}</p></section>',
    "capitals": lambda head, text: (
        f'<div id="{camel(head)}"><header><h2>{head}</h2></header><p>{text}</p></div>'
    ),
    "headings": lambda head, text: f'<h2 id="{slug(head)}">{head}</h2><p>{text}</p>',
    "with a class": lambda head, text: (
        f'<div class="section" id="{slug(head)}"><h2>{head}<a href="#{slug(head)}">¶</a></h2>'
        f"<p>{text}</p></div>"
    ),
}


def page(shape: str, headings: list[str]) -> str:
    sections = [SHAPES[shape](head, text) for head, text in zip(headings, PARAGRAPHS, strict=False)]
    return (
        "<title>On the salt road</title><nav><a href=/>Home</a> <a href=/a>Articles</a></nav><main>"
        f"<h1>On the salt road</h1><p>{PARAGRAPHS[-1]}</p>{''.join(sections)}</main><footer>© Varn</footer>"
    )


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(
    "headings",
    [
        ["Methods", "Results", "Discussion"],
        ["Requests", "Errors", "Responses"],
        ["Feedback loops"],
        ["Comment syntax"],
        ["Discussion of the plague"],
        ["Feedforward and feedback"],
        ["Cookie policy of the abbey", "Sharing the toll"],
    ],
    ids=" ".join,
)
def test_sections_whose_id_repeats_their_heading_stay(shape: str, headings: list[str]) -> None:
    text = extract(page(shape, headings)).text
    for heading, paragraph in zip(headings, PARAGRAPHS, strict=False):
        assert heading in text
        assert paragraph in text


@pytest.mark.parametrize(
    "remarks",
    [
        "<section id=comments><h2>Comments</h2>{}</section>",
        "<div id=reader-comments><h3>Reader comments</h3>{}</div>",
        "<div id=leave-a-reply><h3>Leave a reply</h3>{}<form><textarea></textarea></form></div>",
        "<div id=join-the-discussion><h3>Join the discussion</h3><div class=comment>{}</div></div>",
        "<div id=feedback><h2>Feedback</h2>{}<form><input name=mail></form></div>",
    ],
)
def test_what_readers_say_is_left_out_though_its_heading_is_its_name(remarks: str) -> None:
    said = "<p>Anna: I walked it last summer and never saw a mule, but the bridge is there.</p>"
    html = page("sections", ["Methods", "Results"]).replace("</main>", remarks.format(said) + "</main>")
    text = extract(html).text
    assert "never saw a mule" not in text
    assert PARAGRAPHS[0] in text


def test_ids_of_nested_sections_take_time_in_proportion_to_their_number() -> None:
    section = "<section id=discussion><h2>Discussion</h2>"
    began = time.process_time()
    extract(section * 20_000 + "<section id=rope><h2>Rope</h2>" * 20_000)
    assert time.process_time() - began < 5.0
