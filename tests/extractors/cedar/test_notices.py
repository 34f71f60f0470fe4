"""A notice of consent is left out, however short the text next to it is; a text about cookies stays."""

from __future__ import annotations

import pytest

from cedar import extract
from cedar.transforms.extractors.cedar.notices import consent_notices
from cedar.transforms.extractors.segments._page import SegmentedPage

NOTICE = (
    "<h2>Our use of cookies</h2><p>We use necessary cookies to make our site work, for example to manage "
    "your "
    "session. We would also like to use some other cookies to help us improve the site.</p><p>By clicking "
    "Accept on "
    "this banner you accept our use of optional cookies. Necessary cookies enable core functions such as "
    "security, "
    "and may be disabled in your browser.</p><p>Analytics cookies help us to understand how people use our "
    "site, "
    "and marketing cookies let others show what they think is of interest to you.</p><button>Accept "
    "all</button>"
)
STATEMENT = (
    "<h1>Statement on the Valley Savings Bank</h1><p>The Bank of Varn intends to apply to the court to "
    "place the "
    "Valley Savings Bank into a procedure for insolvent banks, absent any meaningful further information.</p>"
    "<p>It will stop making payments or accepting deposits in the interim. Depositors are protected.</p>"
)
NAMES = [
    "class=cookie-dialog role=dialog",
    "id=cookie-banner",
    "id=onetrust-banner-sdk",
    "id=CybotCookiebotDialog",
    "class='qc-cmp2-container'",
    "id=cookie-law-info-bar",
    "class=gdpr-notice",
    "id=usercentrics-root",
    "class='cky-consent-container'",
    "class=cookies",
]


def page(*parts: str) -> str:
    return (
        "<title>Statement on the Valley Savings Bank | Bank of Varn</title><body>"
        f"{''.join(parts)}<footer><a href=/legal>Legal</a></footer></body>"
    )


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("holder", ["main", "div"])
def test_a_short_text_stays_without_the_notice_next_to_it(name: str, first: bool, holder: str) -> None:
    notice, statement = f"<div {name}>{NOTICE}</div>", f"<{holder}>{STATEMENT}</{holder}>"
    found = extract(page(notice, statement) if first else page(statement, notice)).text
    assert "cookies" not in found
    assert found.startswith("Statement on the Valley Savings Bank\nThe Bank of Varn")
    assert "Depositors are protected." in found


@pytest.mark.parametrize(
    "body",
    [
        f"<div class=cookie-banner><h1>Statement on the Valley Savings Bank</h1>{NOTICE}</div>",
        f"<main><h1>Cookies</h1><div class=cookie-notice>{NOTICE}</div></main>",
        f"<h1>Cookies</h1><div class=cookie-policy>{NOTICE}</div>",
        f"<h1>Cookies</h1><div class=cookie-policy-page>{NOTICE}</div>",
    ],
)
def test_a_text_about_cookies_stays(body: str) -> None:
    assert "Analytics cookies help us" in extract(page(body)).text


def test_an_element_that_says_cookie_of_something_else_is_no_notice() -> None:
    form = f"<div class='user-info-from-cookie register-form'>{NOTICE}</div>"
    assert not consent_notices(SegmentedPage(page(form, STATEMENT).encode())).size
    assert consent_notices(SegmentedPage(page(form.replace("user-info", "banner"), STATEMENT).encode())).size


def test_on_a_page_without_other_prose_nothing_is_a_notice() -> None:
    assert not consent_notices(SegmentedPage(page(f"<div class=cookie-banner>{NOTICE}</div>").encode())).size


@pytest.mark.parametrize(
    "word",
    [
        "cookie",
        "consent",
        "gdpr",
        "onetrust",
        "cookiebot",
        "qc-cmp",
        "cmplz",
        "didomi",
        "usercentrics",
        "truste",
        "osano",
        "iubenda",
        "termly",
        "klaro",
        "evidon",
        "tarteaucitron",
        "axeptio",
    ],
)
@pytest.mark.parametrize("is_upper", [False, True])
def test_each_word_tells_a_notice_wherever_it_stands_in_a_name(word: str, is_upper: bool) -> None:
    name = f"hidden my{word}-banner"
    notice = f"<div class='{name.upper() if is_upper else name}'>{NOTICE}</div>"
    assert consent_notices(SegmentedPage(page(notice, STATEMENT).encode())).size
