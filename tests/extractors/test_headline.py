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


@pytest.mark.parametrize(
    "body",
    [
        f"{PROSE}<footer><h1>© 2026 The Tide Letter. All rights reserved.</h1></footer>",
        f"{PROSE}<h1>© 2026 The Tide Letter</h1>",
        f"<h1>&copy; The Tide Letter</h1>{PROSE}",
        f"{PROSE}<aside><h1>Related stories</h1></aside>",
        f"<aside><h1>Related stories</h1></aside>{PROSE}",
        f"<nav><h1>Sections</h1></nav>{PROSE}",
        f"<form><h1>Newsletter sign up</h1><input></form>{PROSE}",
        f"<dialog open><h1>We value your privacy</h1></dialog>{PROSE}",
        f"<div class=cookie-notice><h1>We value your privacy</h1></div>{PROSE}",
        f"{PROSE}<h1>3 comments</h1>",
        f"{PROSE}<div><h1>Newsletter sign up</h1></div>",
        f"<h1><button>Subscribe</button></h1>{PROSE}",
        f"<button>Tide mills of the coast</button>{PROSE}",
        f"<div style='display:none'><h1>Tide mills of the coast</h1></div>{PROSE}",
        f"<div hidden><div>Tide mills of the coast</div></div>{PROSE}",
    ],
)
def test_what_stands_where_headlines_do_not_is_none(body: str) -> None:
    assert found(page("Tide mills of the coast | The Tide Letter", body)) is None


def test_the_title_is_the_headline_even_in_an_aside() -> None:
    body = f"<aside><h1>Tide mills of the coast</h1></aside>{PROSE}"
    assert found(page("Tide mills of the coast | The Tide Letter", body)) == "Tide mills of the coast"


def test_a_line_of_the_title_is_the_headline_below_a_notice() -> None:
    body = (
        f"<div class=cookie-notice><h1>We value your privacy</h1></div><div class=t>Tide mills</div>{PROSE}"
    )
    assert found(page("Tide mills - The Letter", body)) == "Tide mills"


def test_a_page_in_a_form_has_a_headline() -> None:
    body = f"<form action=/>{'<p><b>a</b>' * 9}<h1>Ropes in spring</h1>{PROSE}</form>"
    assert found(page("Harbour news", body)) == "Ropes in spring"


def test_of_several_h1_the_one_right_above_the_prose_is_the_headline() -> None:
    body = f"<h1>Sign in</h1><h1>Ropes in spring</h1>{PROSE}<h1>Ropes in autumn</h1>{PROSE}"
    assert found(page("Harbour news", body)) == "Ropes in spring"


def test_copies_that_differ_in_punctuation_are_the_same() -> None:
    body = f"<h1>Kent: Tide mills</h1><h2>Kent – Tide mills</h2>{PROSE}"
    html = page("Kent: Tide mills", body)
    assert found(html) == "Kent: Tide mills"
    assert cedar.extract(html).text.count("Tide mills") == 1
    assert "Tide mills" not in cedar.extract(html, title="drop").text
    html = page("Kent: Tide mills", body.replace("<h1>Kent: Tide", "<h1><div>Kent:</div>Tide"))
    assert cedar.extract(html).text.count("Tide mills") == 1
    assert "Tide mills" not in cedar.extract(html, title="drop").text


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


@pytest.mark.parametrize("label", ["Menu", "News", "Search", "Hauptmenü", "Recherche", "Меню", "搜索"])
def test_a_lone_heading_that_names_a_part_of_a_site_is_no_headline(label: str) -> None:
    assert found(page("The Tide Letter", f"<h1>{label}</h1>{PROSE}")) is None
    assert found(page(label, f"<h1>{label}</h1>{PROSE}")) == label


def test_a_short_page_without_a_first_heading_has_one_of_its_few_second_ones() -> None:
    short = "<h2>How can we help?</h2><p>Write to us, or call us by day.</p><h2>Where</h2><p>At the quay.</p>"
    assert cedar.metadata(page("The Tide Letter", f"<h1></h1>{short}")).headline == "How can we help?"
    assert cedar.metadata(page("The Tide Letter", short + PROSE)).headline is None
    sections = "".join(f"<h2>Part {number}</h2><p>At the quay.</p>" for number in "abcd")
    assert cedar.metadata(page("The Tide Letter", sections)).headline is None


def markdown_of(html: str) -> str:
    return cedar.extract(html, markdown=cedar.MarkdownOptions()).markdown or ""


def test_other_headings_of_the_first_level_stand_below_the_headline() -> None:
    body = f"<h1>Tide mills of the coast</h1>{PROSE}<h1>Stones</h1>{PROSE}<h2>Dressing</h2>{PROSE}"
    written = markdown_of(page("Tide mills of the coast", body))
    headings = [line for line in written.split("\n") if line.startswith("#")]
    assert headings == ["# Tide mills of the coast", "## Stones", "### Dressing"]


def test_a_long_heading_below_the_headline_is_a_paragraph_unless_others_are_like_it() -> None:
    deck = "The last miller of the coast sells flour to the bakers of three towns and means to go on"
    top = f"<h1>Tide mills of the coast</h1><h2 class=deck>{deck}</h2>{PROSE}"
    sections = f"<h2>Stones</h2>{PROSE}<h2>Wheels</h2>{PROSE}"
    written = markdown_of(page("Tide mills of the coast", top + sections))
    assert f"\n\n{deck}\n\n" in written
    assert "## Stones" in written
    written = markdown_of(page("Tide mills of the coast", top.replace(" class=deck", "") + sections))
    assert f"## {deck}" in written


def test_the_longer_part_of_a_title_is_the_headline_where_no_heading_is() -> None:
    bar = "<table><tr><td><font size=6>The Harbour Post</font></table>"
    story = "<font size=5><b>Bread for a town without an oven</b></font>"
    title = "<title>The Harbour Post - Bread for a town without an oven</title>"
    assert cedar.metadata(
        f"{title}{bar}{story}<p>{'The bakers have no oven of their own. ' * 9}"
    ).headline == ("Bread for a town without an oven")
