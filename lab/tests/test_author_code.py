"""The program of CETR's author, on the numbers of the paper's example and on pages."""

import numpy as np
import pytest

import cedar
from lab import author_code
from tests.extractors.lines.test_smoothing_and_clustering import T


def test_content_of_the_example() -> None:
    assert np.flatnonzero(author_code.above_threshold(T, 1.0)).tolist() == list(range(6, 16))
    assert np.flatnonzero(author_code.one_axis(T, 3)).tolist() == list(range(6, 16))
    assert np.flatnonzero(author_code.plane(T, 3, 3)).tolist() == list(range(6, 15))


def test_partial_sums_are_cut_to_integers() -> None:
    assert author_code.moving_mean(np.array([0.9, 0.9, 1.9]), 1).tolist() == [0.0, 1 / 3, 0.5]


def test_both_axes_are_scaled_however_small_their_range() -> None:
    kept = author_code.plane(np.array([4.04, 4.04, 4.04, 3.99]), 2, 2)
    assert kept.tolist() == [True, False, False, True]


@pytest.mark.parametrize(
    ("page", "left"),
    [
        ("a<script>x</script>b", "ab"),
        ("a<SCRIPT>x</SCRIPT>b", "ab"),
        ("a<Script>x</Script>b", "a<Script>x</Script>b"),
        ("a<script>x</SCRIPT>b", "a<script>x</SCRIPT>b"),
        ("a<!-- x", "a<!-- x"),
        ("a<!-- x -->b", "ab"),
    ],
)
def test_what_is_removed(page: str, left: str) -> None:
    assert author_code.visible(page) == left


def test_tags_are_read_line_by_line() -> None:
    lines = ["one <a", "href='x'> two", "3 < 4 five", "6 > 7 <b>x</b> > y", "<i <b> z"]
    assert [author_code.counts(line) for line in lines] == [
        (4, 1),
        (4, 1),
        (2, 1),
        (len(" 7 x > y"), 3),
        (2, 1),
    ]


def test_blank_lines_stay_and_single_lines_are_not_broken() -> None:
    page = "<p>a</p>\n\n\n<p>" + "b" * 40 + "</p>"
    assert cedar.extract(page, "lab.author_code:cetr_tm").metrics.lines == 4
    assert cedar.extract("<p>" + "a " * 200, "lab.author_code:cetr").metrics.lines == 1
