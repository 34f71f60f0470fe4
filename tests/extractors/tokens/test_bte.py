"""BTE, its stretch and its tokens."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cedar import extract
from cedar.transforms.extractors.tokens._tokens import maximum_subsequence, tag_lengths
from cedar.transforms.extractors.tokens.bte import best_stretch
from cedar.transforms.extractors.tokens.tokens import read_tokens
from tests.extractors.samples import PAGE_W, pieces
from tests.extractors.tree_samples import PAGE_W2
from tests.oracles import tokens as plain

ARTICLE = [
    "Bridge reopens",
    "The old bridge over the river was opened again on Monday after two years of repair work.",
    "Drivers had to use a detour of nine miles.",
    "Traffic is expected to return to normal by the end of the week, the council said in a note.",
]


def words(page: str) -> list[str]:
    found = read_tokens(page.encode())
    text = found.text.coded.tobytes()
    return [
        text[a:b].decode()
        for a, b in zip(found.words.starts.tolist(), found.words.stops.tolist(), strict=True)
    ]


def signs(page: str) -> str:
    found = read_tokens(page.encode())
    return "".join("wt"[tag] for tag in found.is_tag.tolist()[found.body :])


@pytest.mark.parametrize("page", [PAGE_W, PAGE_W2])
def test_the_article_of_page_w_and_w2(page: str) -> None:
    result = extract(page, "bte")
    assert result.text.split("\n") == ARTICLE
    assert [block.kept for block in result.blocks] == [False] * 3 + [True] * 4 + [False]
    assert [page[block.start : block.stop] for block in result.blocks[3:-1]] == ARTICLE
    assert result.title == "Town News"


def test_numbers_of_page_w() -> None:
    page = read_tokens(PAGE_W.encode())
    decision = best_stretch(page, tag_cost=1.0)
    assert decision.scores[decision.kept].sum() == 42
    metrics = extract(PAGE_W, "bte").metrics
    assert (metrics.words, metrics.tags, metrics.lines, metrics.content_lines) == (47, 32, 8, 4)
    assert (metrics.tag_ratio_mean, metrics.tag_ratio_std, metrics.threshold) == (None, None, None)
    assert metrics.text_chars == len("\n".join(ARTICLE))
    assert metrics.content_ratio == len("\n".join(ARTICLE)) / len(extract(PAGE_W, "keep-all").text)


def test_of_equal_stretches_the_earliest_start_and_then_the_earliest_end() -> None:
    tokens = "ttwttwwwtwwtwttwt"
    values = np.array([1.0 if token == "w" else -1.0 for token in tokens])
    assert maximum_subsequence(values) == (5, 11)
    assert values[5:11].sum() == values[5:13].sum() == 4
    assert maximum_subsequence(np.array([1.0, -1.0, 1.0, 1.0])) == (0, 4)
    assert maximum_subsequence(np.array([-1.0, -1.0])) == maximum_subsequence(np.array([])) == (0, 0)


@given(st.lists(st.sampled_from([1.0, -1.0, -3.25, 0.0]), max_size=30))
def test_the_stretch_is_that_of_all_stretches(values: list[float]) -> None:
    assert maximum_subsequence(np.array(values)) == plain.best_stretch(values)


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("<p>two words</p>", ["two", "words"]),
        ("a<b>b</b>c", ["a", "b", "c"]),
        ("a\u3000b\x85c\nd", ["a", "b", "c", "d"]),
        ("&nbsp;<td>&nbsp;&#160; a&nbsp;b&#xA0;</td>", ["a", "b"]),
        ("漢字 kana かな ไท é", ["漢", "字", "kana", "か", "な", "ไ", "ท", "é"]),
        ("ab漢c。𠀀", ["ab", "漢c。", "𠀀"]),
        ("한국어 😀", ["한국어", "😀"]),
        ("1 < 2 <3", ["1", "<", "2", "<3"]),
        ("", []),
        ("<!-- no --><script>no</script>yes", ["yes"]),
    ],
)
def test_words(page: str, expected: list[str]) -> None:
    assert words(page) == expected


@pytest.mark.parametrize(
    ("page", "tokens"),
    [
        ("<head><title>no</title></head><body><p>a b</p></body>c", "twwttw"),
        ("<title>no</title><BODY class=x>a", "w"),
        ("<head><title>no</title></head>a<p>", "wt"),
        ("<head><title>yes</title>", "ttwt"),
        ("<body>", ""),
        ("a<p>b", "wtw"),
    ],
)
def test_tokens_of_the_body(page: str, tokens: str) -> None:
    assert signs(page) == tokens


def test_a_block_that_is_cut_becomes_two() -> None:
    page = "<ul><li><a>x</a> <a>y</a> <a>z</a><i></i><i></i>the start of a text <b>with</b> some words</ul>"
    result = extract(page, "bte")
    assert [(block.text, block.kept) for block in result.blocks] == [
        ("x y z", False),
        ("the start of a text with some words", True),
    ]
    assert result.text == "the start of a text with some words"


def test_line_feeds_of_the_source_do_not_cut_a_paragraph() -> None:
    assert extract("<p>one\ntwo</p>\n<p>three\r\nfour five</p>", "bte").text == "one two\nthree four five"


def test_references_and_controls_come_out_as_in_line_methods() -> None:
    page = "<body>a &amp; b&eacute; c\x00d<br>&nbsp;e f g&#129;</body>"
    assert extract(page, "bte").text == "a & bé cd\ne f g"


@pytest.mark.parametrize("page", ["", "<p></p>", "<a>x</a>"[:3], "\x00", "<p>&nbsp;</p>", "\n \n"])
def test_pages_without_words(page: str) -> None:
    assert extract(page, "bte").text == ""
    assert extract(page, "bte").metrics.content_ratio == 0.0


def test_a_page_without_tags_is_kept() -> None:
    assert extract("no tags\nhere", "bte").text == "no tags here"
    assert extract("漢字漢字", "bte").text == "漢字漢字"


@given(pieces | st.text(st.sampled_from("a \n<b></bp>&nbsp;#16032xAé漢かไ\u3000\0"), max_size=60))
def test_tokens_are_those_of_the_plain_reading(page: str) -> None:
    page = page.encode(errors="replace").decode()
    found = read_tokens(page.encode())
    words = found.words
    expected = plain.tokens(page)
    tags = [token for token in expected if isinstance(token, plain.Tag)]
    assert found.is_tag.tolist() == [isinstance(token, plain.Tag) for token in expected]
    assert tag_lengths(found.source.html, found.text.tags).tolist() == [tag.length for tag in tags]
    plain_words = [token for token in expected if isinstance(token, plain.Word)]
    assert words.fused.tolist() == [word.fused for word in plain_words]
    assert words.blocks.tolist() == [word.block for word in plain_words]
    coded = found.text.coded.tobytes()
    texts = [coded[a:b].decode() for a, b in zip(words.starts.tolist(), words.stops.tolist(), strict=True)]
    assert texts == [word.text for word in plain_words]
    assert words.tokens.tolist() == [i for i, token in enumerate(expected) if isinstance(token, plain.Word)]
