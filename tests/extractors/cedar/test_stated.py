"""What a page states of itself stays: its description, its ingredients, the answers to its questions."""

from __future__ import annotations

import json

import numpy as np
import pytest

from cedar import extract
from cedar.transforms.extractors.cedar._stated import keep_stated
from cedar.transforms.extractors.cedar.model import UNIT
from cedar.transforms.extractors.segments._page import SegmentedPage
from tests.helpers.shapes import assert_time_is_linear, cpu_seconds

INGREDIENTS = [
    *(("250 g", "Tellerlinsen"), ("2", "Möhren"), ("1 Stange", "Lauch"), ("3", "Kartoffeln, festkochend")),
    *(
        ("1,5 l", "Gemüsebrühe"),
        ("4", "Wiener Würstchen"),
        ("2 EL", "Weißweinessig"),
        ("", "Salz und Pfeffer"),
    ),
]
STATED = [f"{amount} {name}".strip() for amount, name in INGREDIENTS]
STEPS = [
    "Die Linsen in einem Sieb abspülen und gut abtropfen lassen.",
    "Möhren, Lauch und Kartoffeln putzen und in kleine Würfel schneiden.",
    "Das Gemüse in etwas Öl andünsten, die Linsen dazugeben und mit der Brühe aufgießen.",
    "Alles etwa vierzig Minuten bei mittlerer Hitze köcheln lassen, dann abschmecken.",
]
STORY = (
    "<p>Dieses Rezept stammt von meiner Großmutter, die es an jedem Samstag im Winter kochte. Es braucht "
    "nicht viel Zeit und schmeckt am nächsten Tag noch besser als am ersten.</p>"
)
MENU = "".join(f"<li><a href=/{number}>Rubrik {number}</a></li>" for number in range(9))
FORMS = {
    "cells": ("<table>", "<tr><td>{0}</td><td>{1}</td></tr>", "</table>"),
    "names first": ("<table>", "<tr><td>{1}</td><td>{0}</td></tr>", "</table>"),
    "rows": ("<div>", "<div class=row><div>{0}</div><div>{1}</div></div>", "</div>"),
    "links": ("<ul>", "<li>{0} <a href=/g>{1}</a></li>", "</ul>"),
    "buttons": ("<ul>", "<li><button>{0} {1}</button></li>", "</ul>"),
    "labels": ("<form>", "<div><label><input type=checkbox> {0} {1}</label></div>", "</form>"),
    "marked": ("<div>", "<span itemprop=recipeIngredient>{0} {1}</span><br>", "</div>"),
}


def recipe(form: str, *, stated: object = None, last: bool = False) -> str:
    begin, row, end = FORMS[form]
    listed = begin + "".join(row.format(*each) for each in INGREDIENTS) + end
    steps = "<h2>Zubereitung</h2><ol>" + "".join(f"<li>{step}</li>" for step in STEPS) + "</ol>"
    script = f'<script type="application/ld+json">{json.dumps(stated)}</script>' if stated else ""
    parts = (steps, f"<div class=side>{listed}</div>") if last else (f"<aside>{listed}</aside>", steps)
    return (
        f"<title>Linsensuppe</title>{script}<body><nav><ul>{MENU}</ul></nav><h1>Linsensuppe</h1>{STORY}"
        f"{''.join(parts)}<footer><a href=/p>Impressum</a> Alle Rechte vorbehalten</footer>"
    )


def names_kept(page: str) -> int:
    found = extract(page, "cedar").text
    assert all(step in found for step in STEPS)
    assert "Rubrik" not in found
    assert "Impressum" not in found
    return sum(name in found for _, name in INGREDIENTS)


@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize("form", [form for form in FORMS if form != "marked"])
def test_ingredients_that_a_page_states_stay_whatever_their_form(form: str, last: bool) -> None:
    graph = {"@graph": [{"@type": "WebSite"}, {"@type": "Recipe", "recipeIngredient": STATED}]}
    others = {
        "@type": "Recipe",
        "recipeIngredient": ["500 g Mehl", "3 Eier", "1 Prise Zucker", "Hefe, frisch"],
    }
    older = {"ingredients": STATED, "recipeInstructions": STEPS}
    for stated in (graph, [others, graph], older):
        assert names_kept(recipe(form, stated=stated, last=last)) == len(INGREDIENTS)


def test_ingredients_of_microdata_stay_and_what_a_meta_says_marks_nothing() -> None:
    for last in (False, True):
        assert names_kept(recipe("marked", last=last)) == len(INGREDIENTS)
    page = SegmentedPage(b"<h1>A</h1><div><meta itemprop=recipeIngredient content=Salt></div><p>Read on</p>")
    scores = np.full(page.blocks.count, -UNIT)
    keep_stated(page, scores, np.zeros(scores.size, bool), one_text=True)
    assert (scores == -UNIT).all()


def test_ingredients_of_another_recipe_and_single_words_of_them_keep_nothing() -> None:
    """Half of the list has to stand in one run, most of it words of the list."""
    page = SegmentedPage(
        f"<h1>Suppe</h1><ul>{MENU}<li>Salz</li></ul><p>{STEPS[1]}</p><p>Pfeffer</p>"
        f'<script type="application/ld+json">{json.dumps({"recipeIngredient": STATED})}</script>'.encode()
    )
    scores = np.full(page.blocks.count, -UNIT)
    kept = np.zeros(scores.size, bool)
    keep_stated(page, scores, kept, one_text=True)
    assert not kept.any()
    assert (scores == -UNIT).all()


@pytest.mark.parametrize(
    "stated",
    [
        {"recipeInstructions": STEPS},
        {"recipeInstructions": "\n".join(STEPS)},
        {"recipeInstructions": [{"@type": "HowToStep", "text": f"<b>{step}</b>"} for step in STEPS]},
    ],
)
def test_steps_of_a_recipe_stay_once_and_no_other_text_does(stated: dict[str, object]) -> None:
    steps = "".join(f"<li>{step}</li>" for step in STEPS)
    page = SegmentedPage(
        f"<h1>Suppe</h1><ul>{MENU}</ul>{STORY}<ol>{steps}</ol><ol class=print>{steps}</ol><p>Salz dazu</p>"
        f'<script type="application/ld+json">{json.dumps(stated)}</script>'.encode()
    )
    scores = np.full(page.blocks.count, -3 * UNIT)
    kept = np.zeros(scores.size, bool)
    keep_stated(page, scores, kept, one_text=False)
    assert [page.blocks.read(block) for block in kept.nonzero()[0]] == STEPS
    assert (scores[kept] == 3 * UNIT).all()
    assert (scores[~kept] == -3 * UNIT).all()


SAID = "The council wants the old bridge mended before the winter of next year"
LINE = f"<p class=deck>{SAID}</p>"


def kept_of(page: str, score: float, *, one_text: bool = True) -> dict[str, bool]:
    """Whether each block stays of which none was chosen, by its text; all have one score."""
    read = SegmentedPage(page.encode())
    scores = np.full(read.blocks.count, int(score * UNIT))
    kept = np.zeros(scores.size, bool)
    keep_stated(read, scores, kept, one_text=one_text)
    return {read.blocks.read(block): bool(stays) for block, stays in enumerate(kept)}


@pytest.mark.parametrize(
    ("meta", "score", "stays"),
    [
        (f'<meta name="description" content="{SAID}.">', -1.9, True),
        (f"<META content='{SAID.upper().title()}' property=og:description>", -1.9, False),  # other words
        (f'<meta property="og:description" content="Oslo &ndash; {SAID}">', -1.9, True),
        (f'<meta name="description" content="{SAID}">', -2.1, False),
        (f'<meta name="description" content="{SAID} {"and more of it " * 20}">', -1.9, False),
        (f'<meta name="keywords" content="{SAID}">', -1.9, False),
        ('<meta name="description" content="">', -1.9, False),
    ],
)
def test_the_description_of_a_page_stays_after_its_headline(meta: str, score: float, stays: bool) -> None:
    body = "{0}<h1>A bridge</h1>{1}<p>Another line of some other words.</p>"
    page = f"<title>A bridge</title>{meta}<body>{body}"
    found = kept_of(page.format("", LINE), score)
    assert found[SAID] is stays
    assert sum(found.values()) == stays
    # Not before the headline, where crumbs and slogans stand, and not as a link.
    assert not any(kept_of(page.format(LINE, ""), score).values())
    assert not any(kept_of(page.format("", f"<p><a href=/x>{SAID}</a></p>"), score).values())


def test_answers_that_a_page_of_one_text_states_stay() -> None:
    answer = {
        "@type": "Question",
        "name": "When?",
        "acceptedAnswer": {"@type": "Answer", "text": f"<p>{SAID}.</p>"},
    }
    page = (
        f'<title>A</title><script type="application/ld+json">{json.dumps({"mainEntity": [answer]})}</script>'
        f"<body><h1>A</h1><div class=accordion>{LINE}</div><p>Another line of some other words.</p>"
    )
    assert kept_of(page, -1)[SAID]
    assert not any(kept_of(page, -1, one_text=False).values())
    assert not any(kept_of(page.replace("acceptedAnswer", "suggestedAnswer"), -1).values())


@pytest.mark.parametrize(
    "unit",
    [
        *(
            '"recipeIngredient":[',
            '"recipeIngredient":["a b","',
            '"text":"\\',
            '"text":           ',
            "acceptedAnswer",
        ),
        *('"recipeIngredient":["a b c d"],', '"text":"a b c d e f",acceptedAnswer '),
        *('"recipeInstructions":["a b c d e f",', '"text":"a b c d e f",HowToStep '),
    ],
)
def test_hostile_statements_take_linear_time(unit: str) -> None:
    def make(size: int) -> str:
        script = f'<script type="application/ld+json">{unit * (size // 2 // len(unit))}</script>'
        return f"<h1>A b</h1>{script}{'<p>a b c d e f' * (size // 28)}"

    def seconds(html: bytes) -> float:
        page = SegmentedPage(html)
        kept, scores = np.zeros(page.blocks.count, bool), np.zeros(page.blocks.count, np.int64)
        return cpu_seconds(lambda: keep_stated(page, scores, kept, one_text=True))

    assert_time_is_linear(seconds, make)
