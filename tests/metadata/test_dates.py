"""Dates as pages write them, in the languages that are read."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transforms.metadata.dates import DateReader

READER = DateReader(last=date(2030, 12, 31))


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("2024-05-03", "2024-05-03"),
        ("20240503", "2024-05-03"),
        ("2024-05-03T15:47:42+0200", "2024-05-03T15:47:42+02:00"),
        ("2024-05-03 15:47:42 UTC", "2024-05-03T15:47:42+00:00"),
        ("2024-05-03T23:10-05:00", "2024-05-03T23:10:00-05:00"),
        ("2024-05-03T15:47:42.123Z", "2024-05-03T15:47:42+00:00"),
        ("2024-05-03T15:47:42", "2024-05-03T15:47:42"),
        ("Fri, 03 May 2024 15:47:42 GMT", "2024-05-03T15:47:42+00:00"),
        ("2024-05-03T25:00:00Z", "2024-05-03"),
        ("2024-02-30", None),
        ("1994-12-31", None),
        ("2031-01-01", None),
        ("May 2024", None),
        ("2024", None),
        ("", None),
    ],
)
def test_a_declared_date_keeps_its_offset_and_what_is_no_day_is_none(written: str, read: str | None) -> None:
    assert READER.declared(written) == read


@pytest.mark.parametrize(
    "written",
    [
        "May 3, 2024",
        "Published: 3rd May 2024 at noon",
        "3. Mai 2024",
        "3 mai 2024",
        "3 de mayo de 2024",
        "3 maggio 2024",
        "3 de maio de 2024",
        "3 mei 2024",
        "3 maja 2024",
        "3 мая 2024",
        "3 травня 2024",
        "3. května 2024",
        "3 maj 2024",
        "3. toukokuuta 2024",
        "3 Mayıs 2024",
        "2024. május 3.",
        "3 Μαΐου 2024",
        "2024年5月3日",
        "2024년 5월 3일",
        "03.05.2024",
        "3/5/24",
        "2024/5/3",
    ],
)
def test_dates_are_read_in_the_words_of_their_languages(written: str) -> None:
    assert READER.written(written) == "2024-05-03"


def test_the_order_of_day_and_month_is_the_pages_where_both_are_possible() -> None:
    assert DateReader(month_first=True).written("3/5/2024") == "2024-03-05"
    assert DateReader(month_first=True).written("13/5/2024") == "2024-05-13"
    assert DateReader().written("5/13/2024") == "2024-05-13"


def test_the_first_possible_date_counts() -> None:
    assert READER.written("31.02.2024, then 1.3.2024") == "2024-03-01"
    assert READER.written("call 12.34.5678 or 192.168.2019.1") is None


@given(st.text(alphabet="0123456789-/. :,年月日T+Z mayMAY", max_size=60))
def test_what_is_read_is_a_day_within_bounds(text: str) -> None:
    for read in (READER.written(text), READER.declared(text)):
        assert read is None or date(1995, 1, 1) <= date.fromisoformat(read[:10]) <= date(2030, 12, 31)


@given(st.dates(date(1995, 1, 1), date(2030, 12, 31)))
def test_each_form_of_a_day_reads_back(day: date) -> None:
    y, m, d = day.year, day.month, day.day
    for form in (f"{y}-{m:02}-{d:02}", f"{d}.{m}.{y}", f"{y}年{m}月{d}日", f"{day:%B} {d}, {y}"):
        assert READER.written(f"at {form} we met") == day.isoformat()
