"""Characters that are not seen, and readings of ruby."""

from __future__ import annotations

import pytest

import cedar
from cedar import MarkdownOptions
from tests.helpers.shapes import assert_linear, repeated

WORDS = "この光は遠い海の上を渡って、静かに町へ届いたと言われている。"


def content(html: str, method: str = "cedar") -> tuple[str, str]:
    """The text and the Markdown of a part of an article."""
    page = f"<article><p>{WORDS}</p><p>{WORDS}{html}</p><p>{WORDS}</p></article>"
    found = cedar.extract(page, method, markdown=MarkdownOptions())
    text = found.text.replace(WORDS, "")
    return text.strip(), (found.markdown or "").replace(WORDS, "").strip()


@pytest.mark.parametrize("method", ["cedar", "keep-all", "cetd-ds"])
@pytest.mark.parametrize(
    ("html", "seen"),
    [
        ("Unter&shy;neh\u00admen", "Unternehmen"),
        ("a\u200bb&ZeroWidthSpace;c&#8203;d", "abcd"),
        ("a\u2060b&NoBreak;c \ufeffd", "abc d"),
        ("a \u200b b", "a b"),
        ("z\u200cy w&zwj;v « £ § ﬀ", "z\u200cy w\u200dv « £ § ﬀ"),
    ],
)
def test_characters_that_are_not_seen_part_no_words(method: str, html: str, seen: str) -> None:
    assert content(html, method) == (seen, seen)


def test_they_stay_in_code() -> None:
    assert content("<code>a\u200bb&shy;c</code>") == ("a\u200bb\u00adc", "`a\u200bb\u00adc`")
    assert content("<pre>a\u200bb</pre>") == ("a\u200bb", "```\na\u200bb\n```")


def test_they_are_not_in_titles() -> None:
    assert cedar.extract("<title>Unter&shy;neh\u200bmen</title>").title == "Unternehmen"


@pytest.mark.parametrize(
    ("html", "written"),
    [
        ("<ruby>宇宙<rt>そら</rt></ruby>が", "宇宙（そら）が"),
        ("<ruby>宇宙<rp>(</rp><rt>そら</rt><rp>)</rp></ruby>が", "宇宙(そら)が"),
        ("<ruby>宇<rt>う<rb>宙<rt>ちゅう</ruby>が", "宇（う）宙（ちゅう）が"),
        ("<ruby>宇宙<rtc>そら</rtc></ruby>が", "宇宙（そら）が"),
        ("<ruby><rb>宇</rb><rtc><rt>う</rt></rtc></ruby>が", "宇（う）が"),
        ("<ruby>宇<rt></rt></ruby>が", "宇が"),
        ("<ruby>宇<rt> </rt></ruby>が", "宇 が"),
        ("<ruby>宇<rt>う</ruby><ruby>宙<rt>ちゅう</ruby>", "宇（う）宙（ちゅう）"),
        ("<ruby>宇<rt>う<p>宙</p>", "宇（う）\n宙"),
    ],
)
def test_readings_of_ruby_stand_in_brackets(html: str, written: str) -> None:
    text, markdown = content(html)
    assert text == written
    assert markdown.replace("\n\n", "\n") == written


@pytest.mark.slow
@pytest.mark.parametrize("unit", ["<rt>a", "<rt>", "<ruby>a<rt>b</ruby>", "<rtc>\u00ad", "<rp>(<rt>"])
def test_hostile_ruby_takes_linear_time(unit: str) -> None:
    assert_linear(cedar.extract, repeated(unit))
