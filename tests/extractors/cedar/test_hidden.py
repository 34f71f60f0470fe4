"""What a page hides outside of its text is left out, however much; what a script shows in the text stays."""

from __future__ import annotations

import pytest

from cedar import extract

NEWS = "<p>{}</p>".format(
    "The old clock in the hall stood still for eighty years, and on Tuesday it began to move. " * 2
)
SECOND = (
    "<p>Restorers found a line of letters on its dial, which says that it was made in the port in 1784.</p>"
)
THIRD = (
    "<p>From next week visitors can see it; once a week it is wound by the pupils who paid for its "
    "repair.</p>"
)
TERMS = (
    "<p>{}</p>".format("This agreement is made between you and this site about the use of its services. " * 4)
    * 3
)
HEAD = "<h1>The clock moves again</h1>"
HIDDEN = ["hidden", "style='display:none'", "class=agreement_box style='display: none;'"]


def text(body: str) -> str:
    head = "<title>The clock moves again - Harbour Post</title>"
    return extract(
        f"{head}<body><div><a href=/>Home</a> <a href=/v>Video</a></div>{body}"
        "<div><a href=/about>About us</a></div></body>"
    ).text


@pytest.mark.parametrize("hidden", HIDDEN)
@pytest.mark.parametrize(
    "shape",
    [
        "<div class=news>{news}</div><div {hidden}>{terms}</div>",
        "<div {hidden}>{terms}</div><div class=news>{news}</div>",
        "<main><article>{news}</article><dialog {hidden}>{terms}</dialog></main>",
        "<div id=page><div>{news}</div><div {hidden}>{terms}</div></div>",
        "{news}<div {hidden}>{terms}</div>",
    ],
)
def test_a_hidden_agreement_goes_and_the_short_news_stays(hidden: str, shape: str) -> None:
    found = text(shape.format(news=HEAD + NEWS + SECOND + THIRD, hidden=hidden, terms=TERMS))
    assert "agreement" not in found
    assert found.startswith("The clock moves again\nThe old clock")
    assert "paid for its repair" in found


@pytest.mark.parametrize(
    "named",
    [
        "div class=user-agreement",
        "div id=privacyPolicy",
        "section class='popup terms'",
        "div role=dialog",
        "dialog",
        "div class=legal-notice",
    ],
)
@pytest.mark.parametrize(
    "place", ["{news}{hidden}", "{hidden}{news}", "<div>{news}<div><div>{hidden}</div></div></div>"]
)
def test_a_hidden_agreement_in_the_element_of_the_text_goes(named: str, place: str) -> None:
    hidden = f"<{named} style='display:none'>{TERMS}</{named.split()[0]}>"
    found = text(f"<article>{HEAD}{place.format(news=NEWS + SECOND + THIRD, hidden=hidden)}</article>")
    assert "agreement" not in found
    assert "paid for its repair" in found


@pytest.mark.parametrize(
    "shape",
    [
        "<article>{head}{first}{first}<div class=paywall style='display:none'>{rest}</div></article>",
        "<article>{head}{first}{first}<div hidden>{rest}</div></article>",
        "<article>{head}{first}<div hidden>{rest}</div></article>",
        "<div hidden><article>{head}{first}{rest}</article></div>",
        "<div>{head}{first}{first}</div><div id=S:1 hidden>{rest}</div>",
        "<div>{head}{first}{first}</div><div role=tabpanel hidden>{rest}</div>",
    ],
)
def test_a_text_that_a_script_shows_stays(shape: str) -> None:
    rest = (SECOND + THIRD + NEWS) * 3
    assert text(shape.format(head=HEAD, first=NEWS, rest=rest)).count("paid for its repair") == 3
