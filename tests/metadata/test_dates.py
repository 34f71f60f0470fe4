"""Dates as pages write them, in the languages that are read."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cedar.transforms.metadata.dates import DateReader

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
        ("2024-05-03 15:47:42 GMT+0800", "2024-05-03T15:47:42+08:00"),
        ("Fri May 03 2024 15:47:42 GMT+0800 (China Standard Time)", "2024-05-03T15:47:42+08:00"),
        ("Fri May 03 2024 15:47:42 GMT-0330 (NDT)", "2024-05-03T15:47:42-03:30"),
        ("Thu Sep 25 10:36:28 EDT 2003", "2003-09-25"),
        ("Thu Sep 25 10:36:28 GMT+02:00 2003", "2003-09-25T10:36:28+02:00"),
        ("2024-05-03 15:47:42 EST", "2024-05-03T15:47:42"),
        ("Thu Sep 25 10:36:28 2003", "2003-09-25"),
        ("Fri May  3 10:36:28 2024", "2024-05-03"),
        ("Fri, 03 May 2024 15:47:42 PST", "2024-05-03"),
        ("20240503154742", "2024-05-03T15:47:42"),
        ("202405031547", "2024-05-03T15:47:00"),
        ("20240503154742 +0200", "2024-05-03T15:47:42+02:00"),
        ("2024050315474", None),
        ("31-Dec-00", "2000-12-31"),
        ("31-Dec-95", "1995-12-31"),
        ("Sunday, 06-Nov-05 08:49:37 GMT", "2005-11-06"),
        ("1714751262", "2024-05-03T15:47:42+00:00"),
        ("1714751262000", "2024-05-03T15:47:42+00:00"),
        ("788000000", None),
        ("1999999999", None),
        ("04.04.95", "1995-04-04"),
        ("04.04.94", None),
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
        "民國113年5月3日",
        "中華民國 113 年 5 月 3 日",
        "3 मई 2024",
        "मई 3, 2024",
        "3 พฤษภาคม 2567",
        "3 พฤษภาคม พ.ศ. 2567",
        "3 พ.ค. 2567",
        "3/5/2567",
        "03.05.2024",
        "3/5/24",
        "2024/5/3",
    ],
)
def test_dates_are_read_in_the_words_of_their_languages(written: str) -> None:
    assert READER.written(written) == "2024-05-03"


@pytest.mark.parametrize(
    ("month", "forms"),
    [
        (1, "17 Jan 2024|17 janv. 2024|17. Jän. 2024|17 sty 2024|17. led 2024|17 янв. 2024|17 січ. 2024"),
        (2, "17 févr. 2024|17 lut 2024|17 úno 2024|17 февр. 2024|17 лют. 2024|17 Şub 2024|2024. febr. 17."),
        (3, "17 Mär 2024|17. März 2024|17 mrt. 2024|17 bře 2024|17 бер. 2024|2024. márc. 17.|17 Μαρ 2024"),
        (4, "17 kwi 2024|17 dub 2024|17 квіт. 2024|2024. ápr. 17.|17 Nis 2024|17. huhti 2024|17 Απρ 2024"),
        (5, "17 kvě 2024|17 трав. 2024|17 Mei 2024|17 Μαΐ 2024|17 Μάι 2024|17 touko 2024|2024. máj. 17."),
        (6, "17 cze 2024|17 čvn 2024|17 черв. 2024|17 Haz 2024|17 Ιουν 2024|17 iun. 2024|2024. jún. 17."),
        (7, "17 lip 2024|17 čvc 2024|17 juil. 2024|17 Tem 2024|17 Ιούλ 2024|17 iul. 2024|2024. júl. 17."),
        (8, "17 sie 2024|17 srp 2024|17 серп. 2024|17 Ağu 2024|17 Αυγ 2024|17 elo 2024|17 Agu 2024"),
        (9, "17 wrz 2024|17 zář 2024|17 сент. 2024|17 вер. 2024|17 Eyl 2024|2024. szept. 17."),
        (10, "17 paź 2024|17 říj 2024|17 жовт. 2024|17 Eki 2024|17 Οκτ 2024|17 de out. de 2024"),
        (11, "17 lis 2024|17 нояб. 2024 г.|17 лист. 2024|17 Kas 2024|17 Νοε 2024|nov. 17, 2024"),
        (12, "17 déc. 2024|17 gru 2024|17 pro 2024|17 груд. 2024|17 Ara 2024|17 Δεκ 2024|17 des. 2024"),
    ],
)  # fmt: skip
def test_months_are_read_in_the_short_forms_of_their_languages(month: int, forms: str) -> None:
    for form in forms.split("|"):
        assert READER.written(form) == f"2024-{month:02}-17", form


LANGUAGES = "en de fr es it pt nl pl ru uk cs sv da nb nn fi tr ro hu id el ja zh ko hi"


def test_the_names_of_months_in_cldr_are_read() -> None:
    dates = pytest.importorskip("babel.dates", reason="babel is not installed")
    for language in LANGUAGES.split():
        for month in range(1, 13):
            day = date(2024, month, 17)
            written = {dates.format_date(day, form, locale=language) for form in ("medium", "long", "full")}
            if language not in ("ja", "zh", "ko"):
                written |= {dates.format_date(day, form, locale=language) for form in ("d MMM y", "d LLL y")}
            for form in written:
                assert READER.written(form) == day.isoformat(), (language, form)


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
