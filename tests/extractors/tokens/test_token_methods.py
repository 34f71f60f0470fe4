"""What all methods on tokens have in common, and DSC, CCB and MSS one by one."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cedar import extract
from cedar.transforms.extractors.html.characters import Floats
from cedar.transforms.extractors.tokens.ccb import blurred
from cedar.transforms.extractors.tokens.dsc import (
    AdscOptions,
    DscOptions,
    half_width,
    sections,
    window_slopes,
)
from tests.extractors.samples import PAGE_W, STORMS, paragraphs, pieces
from tests.extractors.tree_samples import PAGE_W2
from tests.helpers.shapes import assert_linear

METHODS = ("bte", "dsc", "adsc", "ccb", "accb", "mss")

TITLE, HOME, SPORT, HEADLINE = "Town News", "Home", "Sport", "Bridge reopens"
BRIDGE = "The old bridge over the river was opened again on Monday after two years of repair work."
DRIVERS = "Drivers had to use a detour of nine miles."
TRAFFIC = "Traffic is expected to return to normal by the end of the week, the council said in a note."


@pytest.mark.parametrize(
    ("method", "on_w", "on_w2"),
    [
        ("bte", [HEADLINE, BRIDGE, DRIVERS, TRAFFIC], [HEADLINE, BRIDGE, DRIVERS, TRAFFIC]),
        ("dsc", [BRIDGE, DRIVERS, TRAFFIC[:-6]], [BRIDGE[8:], DRIVERS, TRAFFIC[:-8]]),
        ("adsc", [HEADLINE, BRIDGE, DRIVERS, TRAFFIC], [BRIDGE, DRIVERS, TRAFFIC]),
        ("ccb", [BRIDGE, DRIVERS, TRAFFIC], [BRIDGE, DRIVERS, TRAFFIC]),
        ("accb", [BRIDGE, DRIVERS, TRAFFIC], [BRIDGE, DRIVERS, TRAFFIC]),
        ("mss", [BRIDGE, DRIVERS, TRAFFIC], [BRIDGE, DRIVERS, TRAFFIC]),
    ],
)
def test_content_of_page_w_and_w2(method: str, on_w: list[str], on_w2: list[str]) -> None:
    for page, expected in ((PAGE_W, on_w), (PAGE_W2, on_w2)):
        result = extract(page, method)
        assert result.text.split("\n") == expected
        assert [page[b.start : b.stop] for b in result.blocks if b.kept] == expected


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("page", "text"),
    [
        *(("", ""), ("<p></p>", ""), ("\x00", ""), ("<p>&nbsp;</p>", ""), ("\n \n", ""), ("<body>", "")),
        *(("x", "x"), ("no tags\nhere", "no tags here"), ("漢字漢字", "漢字漢字"), ("<a", "")),
    ],
)
def test_pages_without_words_or_without_tags(method: str, page: str, text: str) -> None:
    result = extract(page, method)
    assert result.text == text
    assert result.metrics.content_ratio == (1.0 if text else 0.0)


@pytest.mark.slow
@given(pieces, st.sampled_from(METHODS))
@settings(max_examples=250)
def test_output_is_clean_and_the_kept_blocks(page: str, method: str) -> None:
    page = page.encode(errors="replace").decode()
    result = extract(page, method)
    metrics, blocks = result.metrics, result.blocks
    assert re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f]", result.text) is None
    assert all(line and line == " ".join(line.split()) for line in result.text.split("\n") if result.text)
    assert result.text == "\n".join(block.text for block in blocks if block.kept and block.text)
    assert (metrics.text_chars, metrics.words) == (len(result.text), len(result.text.split()))
    assert (metrics.html_chars, metrics.lines) == (len(page), len(blocks))
    assert metrics.content_lines == sum(block.kept for block in blocks)
    assert 0 <= metrics.content_ratio <= 1
    places = [place for block in blocks for place in (block.start, block.stop)]
    assert places == sorted(place for place in places if place is not None)
    assert all(math.isfinite(block.score) for block in blocks)
    assert extract(page, method) == result


@given(pieces, st.sampled_from(METHODS))
def test_all_blocks_together_are_the_text_of_the_page(page: str, method: str) -> None:
    page = page.encode(errors="replace").decode()
    blocks = "".join(block.text for block in extract(page, method).blocks)
    assert re.sub(r"\s", "", blocks) == re.sub(r"\s", "", extract(page, "keep-all").text)


@given(paragraphs, st.sampled_from(METHODS))
@example(["words and words and words and words", "<li><a href='/x'>words and words an</a></li>"], "ccb")
def test_the_layout_of_the_source_changes_nothing(lines: list[str], method: str) -> None:
    noise = ["", "<!-- <p> words and words -->", "<script>a<b</script>", "<style>\np{}\n</style>", "\n \n"]
    # Blanks of texts alone: CCB counts the characters of a tag.
    spread = [re.sub(r" (?![^<>]*>)", "\n\t", line) for line in lines]
    noisy = "\n".join(line + noise[i % 5] for i, line in enumerate(spread))
    assert extract(noisy, method).text == extract("\n".join(lines), method).text


@given(paragraphs, st.sampled_from(METHODS))
def test_output_of_tagless_output_has_the_same_words(lines: list[str], method: str) -> None:
    once = extract("\n".join(lines), method).text
    assert extract(once, method).text.split() == once.split()


def test_a_text_without_blanks_is_not_cut() -> None:
    page = "<i></i>" * 30 + "漢字" * 60 + "<i></i>" * 30
    blocks = extract(page, "dsc", confirm=1).blocks
    assert [block.text for block in blocks] == ["漢字" * 60]


def test_windows_grow_with_the_page() -> None:
    sizes = (0, 200, 2600, 5000, 10**6)
    assert [half_width(size, AdscOptions()) for size in sizes] == [4, 4, 14, 25, 25]
    assert half_width(10, DscOptions(min_window=20)) == 10


@pytest.mark.parametrize(
    ("tokens", "slopes"),
    [
        ("", []),
        ("w", [0]),
        ("t", [1]),
        ("tw", [1 / 2]),
        ("ttw", [2 / 3]),
        ("ttww", [1 / 2]),
        ("ttwww", [1 / 2, 0]),
        ("ttwwwt", [1 / 2, 1 / 4]),
        ("ttwwwtw", [1 / 2, 1 / 4, 1 / 3]),
    ],
)
def test_windows_of_four_tokens_overlap_by_half(tokens: str, slopes: list[float]) -> None:
    assert window_slopes(np.array([t == "t" for t in tokens], bool), 2).tolist() == slopes


@pytest.mark.parametrize(
    ("low", "inside"),
    [
        ("", ""),
        ("1", "1"),
        ("10", "00"),
        ("11", "11"),
        ("0110", "0000"),
        ("01110", "01111"),
        ("0111010010000111", "0111111110000111"),
        ("111000111", "111000111"),
    ],
)
def test_three_windows_in_a_row_begin_and_end_a_section(low: str, inside: str) -> None:
    found = sections(np.array([c == "1" for c in low], bool), 3)
    assert "".join("01"[c] for c in found.tolist()) == inside


def test_adsc_keeps_windows_with_more_words_than_tags() -> None:
    page = "<i></i>" * 20 + "one two three four five six seven " * 6 + "<i></i>" * 20
    assert len(extract(page, "adsc").text.split()) == 42
    assert extract("<i></i>" * 20 + "a b c" + "<i></i>" * 20, "adsc").text == ""


def plain_blur(vector: list[int], radius: int) -> Floats:
    """Each place by the definition, and the mass of the kernel inside, float64 (2, n)."""
    size = len(vector)
    weights = {d: math.exp(-d * d / (2 * radius * radius)) for d in range(-radius, radius + 1)}
    near = [[x for x in range(size) if abs(x - y) <= radius] for y in range(size)]
    blur = [sum(weights[x - y] * vector[x] for x in near[y]) for y in range(size)]
    mass = [sum(weights[x - y] for x in near[y]) for y in range(size)]
    return np.array((blur, mass))


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(1, 9)), max_size=14), st.sampled_from([1, 2, 5, 30]))
def test_blurring_of_runs_is_that_of_each_place(runs: list[tuple[int, int]], radius: int) -> None:
    vector = [value for value, length in runs for _ in range(length)]
    edges = np.flatnonzero(np.diff(vector, prepend=0, append=0))
    starts, stops = edges[::2], edges[1::2]
    blur, mass = plain_blur(vector, radius)
    expected = [blur[a:b].sum() / mass[a:b].sum() for a, b in zip(starts, stops, strict=True)]
    assert blurred(starts, stops, len(vector), radius=radius) == pytest.approx(expected)


def test_text_among_text_is_content_and_links_count_only_in_ccb() -> None:
    link = "<a href='http://an.example/of/a/long/address/that/takes/the/place/of/much/text'>link</a>"
    page = f"<body><p>{'words ' * 30}{link} {'words ' * 30}</p><ul>" + "<li>x</li>" * 20 + "</ul>"
    assert extract(page, "accb").text.split("\n") == ["words " * 30 + "link " + ("words " * 30).strip()]
    assert "link" not in extract(page, "ccb").text
    assert extract(page, "ccb", threshold=0.99, radius=5).text == ""


def test_code_points_and_blanks_in_ccb() -> None:
    plain = "<p title='xxxx'>" + "o" * 20 + " o</p><i>x</i>"
    wide = "<p title='éééé'>" + "漢" * 20 + " \n\t &nbsp; 漢</p>  <i>x</i>"
    scores = [[block.score for block in extract(page, "ccb").blocks] for page in (plain, wide)]
    assert scores[0] == pytest.approx(scores[1])


def test_a_tag_costs_more_in_mss_than_in_bte() -> None:
    page = "<ul><li>one two three</li><li>four five six</li></ul>" + "<p>" + "words " * 9 + "</p>"
    assert extract(page, "bte").text == "one two three\nfour five six\n" + "words " * 8 + "words"
    assert extract(page, "mss").text == "words " * 8 + "words"
    assert extract(page, "mss", tag_cost=1) == extract(page, "bte")
    assert extract(page, "mss", tag_cost=0).text == extract(page, "keep-all").text.replace(
        "three ", "three\n"
    ).replace("six ", "six\n")


@pytest.mark.parametrize("storm", STORMS)
def test_time_grows_with_the_page_and_no_faster(storm: str) -> None:
    assert_linear(lambda page: extract(page.decode(), "ccb"), STORMS[storm], 6_000)
