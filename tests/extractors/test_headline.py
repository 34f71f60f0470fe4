"""The headline of a page: found once, the same in its text, its Markdown and its metadata."""

import pytest

import cedar
from cedar.transforms.extractors.segments._headline import title_parts

PROSE = "".join(
    f"<p>{sentence} The tide turned the wheel twice a day, and the miller slept in between, for years."
    for sentence in ("Mills stood here.", "One is left.", "It has four stones.", "Nobody lives in it.")
)


def page(title: str, body: str, head: str = "") -> str:
    return f"<html><head><title>{title}</title>{head}</head><body>{body}</body></html>"


def found(html: str) -> str | None:
    """Return the headline, which is the same in the metadata, the text and the Markdown."""
    headline = cedar.metadata(html).headline
    read = cedar.extract(html, markdown=cedar.MarkdownOptions())
    assert read.markdown is not None
    levels = [line.removeprefix("# ") for line in read.markdown.split("\n") if line.startswith("# ")]
    assert (headline in read.text.split("\n") and headline in levels) or headline is None
    return headline


@pytest.mark.parametrize(
    "body",
    [
        "<h1>Tide mills of the coast</h1>",
        "<h3>News</h3><h2>Tide mills of the coast</h2>",
        "<div class=title>Tide mills of the coast</div>",
        "<div><span><b>Tide mills</b> of the coast</span></div>",
        "<table><tr><td>Tide mills of the coast</td></tr></table>",
        "<p><a href=/2024/mills>Tide mills of the coast</a></p>",
        "<h3><a href=/2024/mills>Tide mills of the coast</a></h3>",
        "<h1><a href=/>The Tide Letter</a></h1><h2>Tide mills of the coast</h2>",
        "<h1>The Tide Letter</h1><h1>Tide mills of the coast</h1>",
        "<div hidden><h1>Tell us what you think of it</h1></div><h1>Tide mills of the coast</h1>",
        "<h4>Share it</h4><h4>Tide mills of the coast</h4>",
    ],
)
def test_the_headline_is_what_shows_the_title(body: str) -> None:
    html = page("Tide mills of the coast | The Tide Letter", f"<nav><a href=/>Home</a></nav>{body}{PROSE}")
    assert found(html) == "Tide mills of the coast"


def test_a_headline_may_be_short() -> None:
    body = f"<a href=/><img alt='The Rope Letter'></a><h1>The Rope Letter</h1><h1>Strands</h1>{PROSE}"
    assert found(page("Strands - by Ana - The Rope Letter", body)) == "Strands"


def test_the_name_of_the_site_is_no_headline() -> None:
    head = "<meta property=og:site_name content='The Rope Letter'>"
    body = f"<h1>The Rope Letter</h1><h2>Strands</h2>{PROSE}"
    assert found(page("The Rope Letter: Strands", body, head)) == "Strands"
    assert found(page("The Rope Letter", f"<p>{PROSE}", head)) is None


def test_the_only_h1_is_the_headline_whatever_the_title_says() -> None:
    assert found(page("Harbour news", f"<h2>Menu</h2><h1>Ropes in spring</h1>{PROSE}")) == "Ropes in spring"


def test_a_title_in_another_form_is_shown_as_the_page_has_it() -> None:
    body = f"<h1>Tide mills &amp; the <span>old</span> coast of Kent</h1>{PROSE}"
    assert found(page("Tide mills &amp; the old coast of Kent", body)) == "Tide mills & the old coast of Kent"
    assert cedar.metadata("<h1>Tide mills<br>of <b>K</b>ent</h1>").headline == "Tide mills of Kent"


def test_without_a_headline_there_is_none() -> None:
    assert cedar.metadata(page("Tide mills of the coast", PROSE)).headline is None
    assert cedar.metadata("").headline is None


def test_the_headline_of_another_extractor_is_the_same() -> None:
    html = page("Tide mills of the coast", f"<div>Tide mills of the coast</div>{PROSE}").encode()
    assert cedar.metadata(html).headline == "Tide mills of the coast"


def test_the_headline_is_written_at_the_first_level_and_dropped_as_asked() -> None:
    html = page("Tide mills - The Letter", f"<h3>Tide mills</h3><h4>Stones</h4>{PROSE}<h2>More</h2>{PROSE}")
    kept = cedar.extract(html, markdown=cedar.MarkdownOptions()).markdown or ""
    assert kept.startswith("# Tide mills\n")
    dropped = cedar.extract(html, markdown=cedar.MarkdownOptions(), title="drop").markdown or ""
    assert "Tide mills" not in dropped


def test_a_heading_that_is_not_closed_ends_with_its_line() -> None:
    html = page("Tide mills of the coast", f"<h1>Tide mills of the coast<p>Words.<pre>a</pre>{PROSE}")
    assert cedar.metadata(html).headline == "Tide mills of the coast"


@pytest.mark.parametrize(
    ("title", "parts"),
    [
        ("Tide mills | The Letter", ["Tide mills", "The Letter"]),
        ("Tide-mills of Saint-Malo - News – The Letter", ["Tide-mills of Saint-Malo", "News", "The Letter"]),
        ("The Letter: Tide mills", ["The Letter", "Tide mills"]),
        ("It is 10:30, and/or later", ["It is 10:30, and/or later"]),
        ("潮汐磨坊_新闻-海报", ["潮汐磨坊", "新闻", "海报"]),
        ("a_b.c » Docs", ["a_b.c", "Docs"]),
        ("| ~ |", []),
        ("", []),
    ],
)
def test_a_title_is_parted_at_its_signs(title: str, parts: list[str]) -> None:
    assert title_parts(title) == parts


@pytest.mark.parametrize(
    "shape",
    ["<h1>a ", "<h1><a href=/>", "<div hidden>", "<p>Tide", "<a href=/>", "<h1><p>", "<div hidden><h2>a"],
)
def test_many_of_anything_are_read(shape: str) -> None:
    assert cedar.metadata(page("Tide mills | " * 20_000, shape * 20_000)).author is None
