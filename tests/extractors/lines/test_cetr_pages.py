"""CETR and keep-all on whole pages."""

from __future__ import annotations

import itertools
import math
import pickle
import re
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cedar import Extraction
from cedar import extract as extract_by
from cedar.transforms.extractors.extraction import PageMetrics
from tests.extractors.samples import PAGE_W, STORMS, paragraphs, pieces
from tests.helpers.shapes import assert_linear

METHODS = ("cetr", "cetr-tm", "cetr-km")
MODES = ("fixed", "literal")


def extract(html: bytes | str, extractor: str = "cetr", **options: object) -> Extraction:
    """Extract as CETR does, where no other method is named."""
    return extract_by(html, extractor, **options)


def kept(result: Extraction) -> list[int]:
    return [i for i, block in enumerate(result.blocks) if block.kept]


@pytest.mark.parametrize(
    ("method", "fixed", "literal"),
    [
        ("cetr-tm", range(4, 10), range(1, 10)),
        ("cetr-km", range(3, 10), range(1, 10)),
        ("cetr", range(1, 10), range(1, 10)),
    ],
)
def test_content_of_page_w(method: str, fixed: range, literal: range) -> None:
    assert kept(extract(PAGE_W, method)) == list(fixed)
    assert kept(extract(PAGE_W, method, smoothing="literal")) == list(literal)


def test_numbers_of_page_w() -> None:
    result = extract(PAGE_W, "cetr-tm")
    assert [round(block.score, 3) for block in result.blocks] == [
        *(0.904, 0.751, 1.61, 8.488, 14.922, 24.347, 26.633, 23.434, 16.528, 12.092)
    ]
    assert [b.score for b in extract(PAGE_W, "keep-all").blocks] == [
        2.25,
        0,
        0,
        0.9,
        7,
        44,
        21,
        45.5,
        17 / 6,
        0,
    ]
    metrics = result.metrics
    assert metrics.tag_ratio_std == pytest.approx(17.278128, rel=1e-7)
    assert metrics.threshold == pytest.approx(9.417401, rel=1e-7)
    assert result.title == "Town News"
    assert result.text.split("\n") == [
        "Bridge reopens",
        "The old bridge over the river was opened again on Monday after two years of repair work.",
        "Drivers had to use a detour of nine miles.",
        "Traffic is expected to return to normal by the end of the week, the council said in a note.",
        "Contact | Imprint",
    ]


def test_metrics_of_keep_all_on_page_w() -> None:
    assert extract(PAGE_W, "keep-all").metrics == PageMetrics(
        html_chars=len(PAGE_W),
        text_chars=277,
        words=54,
        lines=10,
        content_lines=10,
        tags=32,
        link_chars=len("HomeSportContactImprint"),
        tag_ratio_mean=pytest.approx(12.3483333),
        tag_ratio_std=pytest.approx(17.278128),
        threshold=None,
        content_ratio=1.0,
    )


@pytest.mark.parametrize(
    ("page", "link_chars"),
    [
        ("<a href=x>a b</a> c", 2),
        ("<a>a<b>b</b><a>c</A>d", 3),
        ("<a>a&nbsp;\u3000é", 8),
        ("<abbr>a</abbr><area>b", 0),
        ("a</a>b", 0),
    ],
)
def test_link_characters_stand_behind_an_open_a(page: str, link_chars: int) -> None:
    assert extract(page, "keep-all").metrics.link_chars == link_chars


def test_only_cetr_tm_has_a_threshold() -> None:
    assert [extract(PAGE_W, name).metrics.threshold is None for name in ("cetr-tm", "cetr-km", "cetr")] == [
        False,
        True,
        True,
    ]


@pytest.mark.parametrize("method", ["cetr", "cetr-tm", "cetr-km", "keep-all"])
@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("", ""),
        ("x", "x"),
        ("<p></p>", ""),
        ("no tag here\n\nnor here\nat all", "no tag here\nnor here\nat all"),
        ("<p>one line</p>", "one line"),
        ("<p>same</p>\n<i>four</i>", "same\nfour"),
        ("\x00", ""),
        ("text <a href='", "text"),
    ],
)
def test_pages_on_which_ratios_tell_nothing_are_kept(method: str, page: str, text: str) -> None:
    result = extract(page, method)
    assert result.text == text
    assert result.metrics.threshold is None


def test_metrics_of_an_empty_page() -> None:
    assert extract("").metrics == PageMetrics(0, 0, 0, 0, 0, 0, 0, None, None, None, 0.0)
    assert extract("").blocks == ()
    assert extract("<p></p>").metrics.content_ratio == 0.0


def test_k_beyond_the_distinct_points_is_lowered() -> None:
    page = "<p>" + "a" * 50 + "</p>\n<p></p>"
    assert extract(page, "cetr-km", k=9, smoothing="literal").text == "a" * 50


@pytest.mark.parametrize(
    ("page", "title"),
    [
        ("<title>A &amp; B</title>", "A & B"),
        ("<TITLE lang=en>\n a\n  b \n</Title>", "a b"),
        ("<!-- <title>no</title> --><script>'<title>no</title>'</script><title>yes</title>", "yes"),
        ("<title></title><title>second</title>", None),
        ("<title>&nbsp; </title>", None),
        ("<title>a <b>c</b></title>", "a <b>c</b>"),
        ("<title>unclosed<meta>text", "unclosed"),
        ("<title>unclosed", "unclosed"),
        ("<titles>x</titles>", None),
        ("<p>x</p>", None),
        ("<meta content='<title>no</title>'><title>y\x00e\x81s</title>", "yes"),
    ],
)
def test_title(page: str, title: str | None) -> None:
    assert extract(page, "keep-all").title == title
    assert extract(page, "cetr", head="drop").title == title


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<head><title>t</title></head><body><p>x", "x"),
        ("<head><title>t</title><body><p>x", "x"),
        ("<HEAD lang=en>t</HEAD>x<body>", "x"),
        ("<head><title>t</title><p>x", "t x"),
        ("<title>t</title><body><p>x", "t x"),
        ("<header>t</header><body>x", "t x"),
        ("a<head>\n<!-- c -->\n</head><body>b", "a b"),
    ],
)
def test_head_is_dropped_only_where_it_ends(page: str, text: str) -> None:
    result = extract(page, "cetr-tm", head="drop", threshold_factor=0)
    assert result.text == text
    for block in result.blocks:
        assert page[block.start : block.stop] == page[block.start : block.stop].strip()


def test_blank_lines_can_take_part() -> None:
    page = "<p>a</p>\n\n\n<p>" + "b" * 40 + "</p>"
    assert extract(page).metrics.lines == 2
    assert extract(page, blank_lines="keep").metrics.lines == 4
    assert extract(page, "cetr-tm", blank_lines="keep", threshold_factor=0).text == "a\n" + "b" * 40


def test_bytes_are_decoded_and_strings_taken_as_they_are() -> None:
    assert extract("<p>größe</p>".encode("latin-1"), "keep-all").text == "größe"
    assert extract(b"\xef\xbb\xbf<p>\xe2\x82\xac</p>", "keep-all").text == "€"
    assert extract("a\ud800b\udfff\ud83d\ude00", "keep-all").text == "a\ufffdb\ufffd\ufffd\ufffd"


@pytest.mark.slow
@given(pieces, st.sampled_from(METHODS), st.sampled_from(MODES), st.sampled_from(["raw", "decoded"]))
@settings(max_examples=250)
def test_output_is_clean_and_a_selection_of_the_lines(page: str, method: str, mode: str, chars: str) -> None:
    page = page.encode(errors="replace").decode()
    result = extract(page, method, smoothing=mode, chars=chars)
    metrics = result.metrics
    assert re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f]", result.text) is None
    assert all(line and line == " ".join(line.split()) for line in result.text.split("\n") if result.text)
    everything = [b.text for b in result.blocks]
    squeezed = iter("".join(everything).replace(" ", ""))
    assert all(character in squeezed for character in re.sub(r"\s", "", result.text))
    assert (metrics.text_chars, metrics.words) == (len(result.text), len(result.text.split()))
    assert metrics.html_chars == len(page)
    assert metrics.content_lines == len(kept(result)) <= metrics.lines == len(result.blocks)
    numbers = (metrics.tag_ratio_mean, metrics.tag_ratio_std, metrics.threshold, metrics.content_ratio)
    assert all(math.isfinite(n) for n in numbers if n is not None)
    assert all(math.isfinite(block.score) for block in result.blocks)
    assert 0 <= metrics.content_ratio <= 1


@given(paragraphs, st.sampled_from(METHODS), st.data())
def test_comments_scripts_styles_and_blank_lines_change_nothing(
    lines: list[str], method: str, data: st.DataObject
) -> None:
    page = "\n".join(lines)
    noise = st.sampled_from(
        ["", "<!-- <p> -->", "<script>a<b</script>", "<style>\np{}\n</style>", "\n", "  \n\t"]
    )
    disturbed = "\n".join(line + data.draw(noise) for line in lines)
    plain, noisy = extract(page, method), extract(disturbed, method)
    # A page in one line stays one only as long as no line is added that counts.
    assert noisy.text == plain.text
    assert [block.score for block in noisy.blocks] == [block.score for block in plain.blocks]


@given(paragraphs, st.sampled_from(METHODS))
def test_output_of_tagless_output_is_itself(lines: list[str], method: str) -> None:
    once = extract("\n".join(lines), method).text
    assert extract(once, method).text == once


@given(pieces)
def test_an_extraction_survives_pickling(page: str) -> None:
    result = extract(page)
    again = pickle.loads(pickle.dumps(result))
    assert again == result
    assert again.blocks == result.blocks


@pytest.mark.parametrize("storm", STORMS)
@pytest.mark.parametrize("smoothing", ["fixed", "literal"])
def test_time_grows_with_the_page_and_no_faster(storm: str, smoothing: str) -> None:
    assert_linear(lambda page: extract(page.decode(), smoothing=smoothing), STORMS[storm], 8_000)


def test_a_line_of_a_million_characters_and_a_hundred_thousand_lines() -> None:
    assert extract("<p>" + "word " * 200_000).metrics.lines > 15_000
    assert extract("<p>x</p>\n" * 100_000 + "<p>yy</p>").metrics.lines == 100_001


def test_results_do_not_depend_on_the_pages_before() -> None:
    pages = [PAGE_W, "<p>x</p>\n<p>y &amp; z</p>\nlong line of text", "<p>" + "a" * 500]
    alone = [extract(page) for page in pages]
    for order in itertools.permutations(range(3)):
        assert [extract(pages[i]) for i in order] == [alone[i] for i in order]


def test_line_methods_import_neither_beam_nor_arrow_nor_lxml() -> None:
    program = (
        "import sys; from cedar import extract; extract('<p>x</p>');"
        "print([m for m in ('apache_beam', 'pyarrow', 'lxml') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
