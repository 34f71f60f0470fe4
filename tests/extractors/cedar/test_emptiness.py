"""A page without content gives nothing, rather than its navigation or its form."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cedar import extract
from tests.extractors.cedar.contentless import EMPTY
from tests.extractors.cedar.lookalikes import CONTENT
from tests.extractors.cedar.pages import SENTENCES
from tests.extractors.cedar.sites import read_pages

NAVIGATION = "".join(
    f"<li><a href=/{name}>{name}</a></li>" for name in ("Home", "News", "Products", "Support", "About us")
)
FOOTER = "<footer><a href=/terms>Terms</a> <a href=/privacy>Privacy</a> <p>© 2024 Example Ltd.</p></footer>"


def page(title: str, body: str, head: str = "", body_class: str = "page") -> str:
    return (
        f'<!doctype html><html><head><title>{title}</title>{head}</head><body class="{body_class}">'
        f"<nav><ul>{NAVIGATION}</ul></nav>{body}{FOOTER}</body></html>"
    )


MESSAGE = (
    "Look at the address of the page once more, or start again at the first page of our site. If a link "
    "brought you here, please tell the owner of that site, who may not know that the page has moved."
)


PAGES = {
    "login": page(
        "Sign in - Example",
        "<main><h1>Sign in</h1><form action=/login method=post><label>E-mail <input type=email></label>"
        "<label>Password <input type='password' name=pw></label><button>Sign in</button>"
        "<p><a href=/reset>Forgot your password?</a></p><p>New here? <a href=/join>Make an account</a>"
        "</p></form></main>",
    ),
    "not found": page(
        "404 - Seite nicht gefunden",
        "<main><h1>404</h1><p>Die Seite, die Sie suchen, gibt es nicht mehr, oder sie ist umgezogen.</p>"
        "<p><a href=/>Zur Startseite</a></p></main>",
    ),
    "not found, by its name": page(
        "Example",
        "<div class=error-page><h2>Oops!</h2><p>We could not find what you were looking for.</p></div>",
    ),
    "server error": "<html><head><title>502 Bad Gateway</title></head><body><center><h1>502 Bad Gateway</h1>"
    "</center><hr><center>nginx</center></body></html>",
    "frames": "<html><head><title>Our shop</title></head><frameset cols='20%,80%'><frame src=menu.html>"
    "<frame src=main.html><noframes><body>Your browser cannot show frames.</body></noframes></frameset>",
    "one frame": page("Shop", "<iframe src=/app>Your browser cannot show frames.</iframe>"),
    "scripts alone": "<html><head><title>App</title></head><body><noscript>Enable JavaScript to run this"
    " app.</noscript><div id=root></div><script>start('a text that is not shown')</script></body></html>",
    "consent": page(
        "Before you continue",
        "<div class='cookie-consent modal' role=dialog><h2>We value your privacy</h2><p>We and our partners"
        " store and read information on your device, such as cookies, to show you adverts.</p>"
        "<button>Accept all</button><button>Reject all</button><a href=/settings>Settings</a></div>",
    ),
    "redirect": "<html><head><title>Moved</title><meta http-equiv='refresh' content='0; url=/new'></head>"
    "<body><p>This page has moved. If your browser stays here, <a href=/new>follow this link</a>.</p>"
    "</body></html>",
    "moved": "<html><head><title>301 Moved Permanently</title></head><body><h1>Moved Permanently</h1>"
    "<p>The document has moved <a href='/new'>here</a>.</p></body></html>",
    "challenge": "<html><head><title>Just a moment...</title></head><body><div class=main-wrapper>"
    "<div id=challenge-stage><h2>Checking that you are human. This may take a few seconds.</h2>"
    "<p>example.org has to look at the security of your connection first.</p></div></div></body></html>",
    "a spinner": "<html><head><title>Obituary - The Ridger</title></head><body><div id=__next><div "
    "class=spinner>"
    "Loading...</div></div><script id=__NEXT_DATA__>{}</script></body></html>",
    "a text that waits": "<html><head><title>Konto</title></head><body><div id=root><p>Wird geladen "
    "…</p></div>"
    "<script src=/app.js></script></body></html>",
    "a skeleton": "<html><head><title>ニュース</title></head><body><main>"
    "<div class='Skeleton_row'>読み込み中</div></main><script src=/app.js></script></body></html>",
    "navigation alone": page("Example", ""),
    **{
        f"missing, {language}": page(
            "Ropes",
            f"<main><h2>{title}</h2><p>404. <a href=/>Ropes</a></p></main>",
        )
        for language, title in {
            "en": "Sorry, the page that you asked for could not be found",
            "de": "Diese Seite existiert nicht mehr",
            "fr": "Cette page est introuvable",
            "es": "La página no existe",
            "pt": "Oops! A página que você procura não existe",
            "ru": "Страница не найдена",
            "ja": "お探しのページが見つかりません",
            "zh": "您访问的页面不存在",
            "ko": "페이지를 찾을 수 없습니다",
            "ar": "الصفحة غير موجودة",
        }.items()
    },
    "missing, by the title": page("Page not found | Ropes", f"<main><p>{MESSAGE}</p></main>"),
    "missing, in Turkish capitals": page("SAYFA BULUNAMADI", f"<main><p>{MESSAGE}</p></main>"),
    "leaving": page(
        "You are leaving ropes.example - Ropes",
        "<main><p>We do not answer for what other sites say. <a href=/on>Go on</a></p></main>",
    ),
    "leaving, in a heading": page(
        "Ropes",
        f"<main><h2>You're about to leave our site</h2><p>{MESSAGE}</p><a href=/on>On</a></main>",
    ),
    "a login with prose": page(
        "Log in - Ropes",
        f"<main><p>{MESSAGE}</p><ul><li>Tips</ul></main>"
        "<div><p>Who<p>are<p>you<p>there<form><input name=name><input type=password></form></div>",
    ),
    "robots": page(
        "Just a moment...", "<main><p>We look whether you are a person. Wait a little.</p></main>"
    ),
}


@pytest.mark.parametrize("name", PAGES)
def test_a_page_without_content_gives_nothing(name: str) -> None:
    found = extract(PAGES[name])
    assert found.text == ""
    assert found.metrics.confidence is not None
    assert found.metrics.confidence <= 0.2
    assert found.metrics.empty_reason
    assert not any(block.kept for block in found.blocks)


CONTENTLESS = EMPTY | read_pages("contentless.html")


@pytest.mark.parametrize("name", CONTENTLESS)
def test_a_page_that_a_program_made_without_content_gives_nothing(name: str) -> None:
    found = extract(CONTENTLESS[name])
    assert found.text == ""
    assert found.metrics.confidence == 0
    assert found.metrics.empty_reason


LOOKALIKES = CONTENT | read_pages("lookalikes.html")


@pytest.mark.parametrize("name", LOOKALIKES)
def test_a_page_that_looks_like_one_without_content_keeps_its_text(name: str) -> None:
    found = extract(LOOKALIKES[name])
    assert found.metrics.empty_reason is None
    assert found.text


@pytest.mark.parametrize("sentences", [1, 4, 20, 60])
def test_a_name_that_a_program_gives_to_the_page_empties_it(sentences: int) -> None:
    teasers = "".join(f"<p>{SENTENCES['en']}</p>" for _ in range(sentences))
    found = extract(page("Ropes", f"<main>{teasers}</main>", body_class="home error404"))
    assert found.text == ""


ARTICLE = (
    "<p>The council decided on Tuesday to close the bridge over the river for repairs from the first of May,"
    " and to let buses take the northern road until the work is done in October. It costs four million.</p>"
    "<p>Cyclists and walkers may cross on a floating path, which the fire brigade built in two days and which"
    " holds a hundred people at a time. Ships have to wait for an hour at most, the harbour master said.</p>"
)


@pytest.mark.parametrize(
    "html",
    [
        "<p>A page of a few words.",
        page("The bridge is closed", f"<article><h1>The bridge is closed</h1>{ARTICLE}</article>"),
        page(
            "404 people crossed the bridge",
            f"<article><h1>404 people crossed the bridge</h1>{ARTICLE}</article>"
            "<form>Comment? <input type=password></form>",
        ),
        page("Bridge", f"<article><h1>Bridge</h1>{ARTICLE}</article>", body_class="cookie-consent login"),
        page(
            "Page not found: how the library lost a book",
            f"<article><h1>Page not found: how the library lost a book</h1>{ARTICLE * 2}</article>",
        ),
        page(
            "Join the crew",
            f"<main><h1>Join the crew</h1><p>{SENTENCES['en'] * 2}</p><form><p>What you can do<input name=do>"
            "<p>Your name<input><p>Your town<input><p>Password<input type=password></form></main>",
        ),
    ],
)
def test_a_page_with_content_keeps_it(html: str) -> None:
    found = extract(html)
    assert found.text
    assert found.metrics.confidence is not None
    assert found.metrics.confidence > 0.2
    assert found.metrics.empty_reason is None


def remark(number: int, text: str) -> str:
    """A remark as a table's row, between a line of links above and a link below."""
    return (
        f"<tr class=athing id=r{number}><td><table><tr><td><a href=/vote?{number}>up</a><td>"
        f"<div><a href=/user?{number}>rower{number}</a> <a href=/item?{number}>2 days ago</a> |"
        f" <a href=#{number}>next</a></div><div class=comment>{text}</div>"
        f"<p><a href=/reply?{number}>reply</a></table>"
    )


def test_a_long_thread_in_tables_is_not_taken_for_navigation() -> None:
    words = np.array(SENTENCES["en"].split())
    chance = np.random.default_rng(1)
    said = (" ".join(chance.permutation(words)) for _ in range(800))
    remarks = "".join(remark(i, " ".join(islice(said, 1 + i % 4))) for i in range(200))
    found = extract(page("Ask: ropes", f"<center><table><tr><td><table>{remarks}</table></table></center>"))
    assert found.metrics.empty_reason is None
    assert found.metrics.words > 3_000


@pytest.mark.slow
@given(
    language=st.sampled_from([language for language in SENTENCES if language != "th"]),
    lengths=st.lists(st.integers(1, 5), min_size=60, max_size=90),
    links=st.lists(st.integers(0, 5), min_size=90, max_size=90),
    row=st.sampled_from(["<p>", "<li>", "<tr><td>", "<div class=item>", "<h3>"]),
)
@settings(derandomize=True, max_examples=40, deadline=None)
def test_three_hundred_words_in_sentences_are_content(
    language: str, lengths: list[int], links: list[int], row: str
) -> None:
    body = "".join(
        f"{row}{SENTENCES[language] * length}{'<a href=/x>More</a>' * count}"
        for length, count in zip(lengths, links, strict=False)
    )
    found = extract(page("Ropes", body))
    assert found.metrics.empty_reason is None
    assert found.text


def test_a_heading_that_speaks_of_logging_in_empties_no_short_article() -> None:
    login = "<form action=/in method=post><input name=name><input type=password name=pw></form>"
    found = extract(
        page(
            "Ropes",
            f"{login}<ul><li><a href=/1>One</a><li><a href=/2>Two</a><li><a href=/3>Three</a>"
            "<li><a href=/4>Four</a></ul><main><article><h1>Where climbers sign in now</h1>"
            f"<p>{SENTENCES['en'] * 7}</p></article></main>",
        )
    )
    assert found.metrics.empty_reason is None
    assert SENTENCES["en"].strip() in found.text


@pytest.mark.parametrize("title", ["Access denied", "Page not found", "You are leaving our site", "Sign in"])
def test_a_page_of_seventy_words_in_sentences_stays_whatever_its_title_says(title: str) -> None:
    login = "<form action=/in method=post><input name=name><input type=password name=pw></form>"
    prose = f"<p>{SENTENCES['en'] * 3}</p><p>{SENTENCES['en'] * 3}</p>"
    found = extract(page(title, f"<main><h1>{title}</h1>{prose}</main><p>A</p><p>B</p><p>C</p>{login}"))
    assert found.metrics.empty_reason is None
    assert SENTENCES["en"].strip() in found.text
