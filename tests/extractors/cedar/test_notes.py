"""Notes amid paragraphs, and code that notebooks call input, stay with the text around them."""

import pytest

import cedar

PROSE = (
    "<p>The harbour office keeps a ledger of every boat that has wintered here since it was built.</p>"
    "<p>Each spring the ropes are checked in the order in which they were laid, and the worn are cut.</p>"
)


def text_of(inside: str) -> str:
    article = f"<article><h1>Ropes in spring</h1>{PROSE}{inside}{PROSE}</article>"
    return cedar.extract(f"<title>Ropes in spring</title><main>{article}</main>").text


@pytest.mark.parametrize(
    "note",
    [
        "<div class='alert alert-info'><p class=alert-title>Important</p><p>The winch is first.</div>",
        "<div class='markdown-alert markdown-alert-note'><p>Important</p><p>The winch is first.</div>",
        "<aside class='admonition warning'><p>Important</p><p>The winch is first.</p></aside>",
        "<div class='alert alert-info'><p>Important</p></div>"
        "<div class='alert alert-danger'><p>The winch is first.</p></div>",
    ],
)
def test_a_note_amid_paragraphs_stays_whole(note: str) -> None:
    assert "\nImportant\nThe winch is first.\n" in text_of(note)


def test_a_notice_of_cookies_amid_paragraphs_is_no_note() -> None:
    assert "winch" not in text_of(
        "<div class='cookie-notice'><p>Important</p><p>The winch takes cookies.</p></div>"
    )


def test_code_in_an_element_named_input_stays() -> None:
    code = "<div class=highlight><pre>turns = 3\nprint(turns)</pre></div>"
    assert "print(turns)" in text_of(f"<div class=cell><div class=cell_input>{code}</div></div>")
