"""Buttons amid the text go: by their element, their role, and the classes that authors give them."""

from __future__ import annotations

import numpy as np
import pytest

from cedar import extract
from cedar.transforms.extractors.cedar._drops import drop_controls
from cedar.transforms.extractors.cedar.model import UNIT
from cedar.transforms.extractors.segments._page import SegmentedPage

TEXT = (
    "<p>The council said on Monday that the work on the old bridge is done at last, after two years.</p>" * 4
)
TITLE = "<title>The bridge is open</title><h1>The bridge is open</h1>"


def text(between: str) -> str:
    return extract(f"{TITLE}<article>{TEXT}{between}{TEXT}</article>").text


@pytest.mark.parametrize(
    "control",
    [
        "<p class=button-wrapper><a class='button primary' href=/join><span>{}</span></a></p>",
        "<p><a class=btn href=/join>{}</a></p>",
        "<div class='wp-block-button'><a class=wp-block-button__link href=/join>{}</a></div>",
        "<p><a role=button href=/join>{}</a></p>",
        "<div class=cta><a href=/join>{}</a></div>",
        "<p><a class=SubscribeButton_root__x1 href=/join>{}</a></p>",
        "<p><button type=button>{}</button></p>",
        "<p><a class='btn' href=/a>{}</a> <a class='btn' href=/b>Share</a></p>",
    ],
)
@pytest.mark.parametrize("words", ["Subscribe now", "Jetzt abonnieren", "Подписаться", "今すぐ登録"])
def test_a_button_between_paragraphs_goes(control: str, words: str) -> None:
    found = text(control.format(words))
    assert words not in found
    assert found.count("The council said") == 8


@pytest.mark.parametrize(
    "part",
    [
        "<h2><button class=accordion-button aria-expanded=true>{}</button></h2>",
        "<h2><a class=btn href=/x>{}</a></h2>",
        "<div><a role=button data-toggle=collapse href=#one>{}</a></div>",
        "<div class=tab><button>{}</button></div>",
        "<p>The map is <a class=btn href=/map>{}</a>.</p>",
        "<p><a class=btn href=/map>{}, and two more words</a></p>",
        "<p><b>{}</b></p>",
    ],
)
def test_what_unfolds_a_part_or_stands_in_a_sentence_stays(part: str) -> None:
    page = SegmentedPage(f"{TITLE}{TEXT}{part.format('What it costs')}{TEXT}".encode())
    kept = np.ones(page.blocks.count, bool)
    drop_controls(page, np.full(kept.size, UNIT), kept)
    assert kept.all()


def test_sure_text_in_a_button_stays() -> None:
    page = SegmentedPage(f"{TITLE}{TEXT}<p><button>2 eggs</button></p>{TEXT}".encode())
    for score, stays in ((2.9, False), (3.0, True)):
        kept = np.ones(page.blocks.count, bool)
        drop_controls(page, np.full(kept.size, int(score * UNIT)), kept)
        assert kept.all() == stays


def test_a_page_of_buttons_keeps_them() -> None:
    buttons = "".join(
        f"<p><a class=btn href=/{name}>{name} river</a></p>" for name in ("Lower", "Upper", "Old")
    )
    page = (
        f"<title>Bridges</title><main><h1>Bridges</h1><p>All our bridges by their rivers.</p>{buttons}</main>"
    )
    with_links = extract(page.replace("class=btn", "class=x")).text
    assert extract(page).text.count("river") == with_links.count("river")


def test_a_link_in_a_row_of_a_table_stays_whatever_it_is_called() -> None:
    rows = "".join(
        f"<tr><td><a role=button href=/opinions/{n}>State v. Miller {n}</a></td><td>02/1{n}/2025</td>"
        f"<td>The court heard the case of the miller and the tide in the spring term.</td></tr>"
        for n in range(6)
    )
    found = text(f"<table>{rows}</table>")
    assert all(f"State v. Miller {n}" in found for n in range(6))
