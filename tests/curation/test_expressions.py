"""Expressions of --keep: what they mean, how they are written back, and how faults in them are named."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cedar.transforms.curation.expressions import (
    MAX_DEPTH,
    Columns,
    ExpressionError,
    Value,
    columns_of,
    parse,
)
from cedar.transforms.curation.float32 import rounded, written
from cedar.transforms.curation.languages import iso_639_3

COLUMNS = Columns(
    kinds={
        "url": "string",
        "language": "string",
        "language_score": "float32",
        "content_ratio": "float64",
        "tokens": "int32",
        "length": "int64",
        "truncated": "bool",
        "fetched_at": "timestamp",
        "status": "int32",
        "lang": "string",
    },
    unfilled={"dup_lines": "--signals"},
)

ROW: dict[str, Value | None] = {
    "url": "https://mill.example/a (1).html",
    "language": "eng",
    "language_score": rounded(0.65),
    "content_ratio": 0.3,
    "tokens": 120,
    "length": 2**40 + 1,
    "truncated": False,
    "fetched_at": 1_767_225_600_000_000,  # 2026-01-01
    "status": None,
    "lang": "en-US",
}


def holds(expression: str) -> bool:
    return parse(expression, COLUMNS).holds(ROW.__getitem__)


@pytest.mark.parametrize(
    "expression",
    [
        "tokens >= 100",
        "tokens>=100 and tokens<121",
        "tokens == 120.0",
        "length == 1099511627777",
        "length > 1099511627776",
        "language_score >= 0.65",
        "language_score <= .65",
        "content_ratio == 0.3",
        "language == en",
        "language == eng",
        "language in (de, 'en', fra)",
        "language == en-GB",
        "lang == en",
        "lang in (ger, eng)",
        "lang != de",
        "language != de",
        "not language in (de, fr)",
        "language not in (de, fr)",
        "truncated == false",
        "status is null",
        "tokens is not null",
        "not status == 200",
        "not status != 200",
        'url == "https://mill.example/a (1).html"',
        "fetched_at >= 2026-01-01",
        "fetched_at < '2026-01-01T00:00:01'",
        "fetched_at < '2026-01-01T00:30+00:00'",
        "tokens > 1000 or tokens > 100 and language == en",
        "not (tokens > 1000 or language == de)",
        "(((tokens > 1)))",
        "tokens > -1e3",
    ],
)
def test_what_holds(expression: str) -> None:
    assert holds(expression)
    assert not holds(f"not ({expression})")


@pytest.mark.parametrize(
    "expression",
    [
        "status == 200",
        "status != 200",
        "status in (200)",
        "(tokens > 1000 or tokens > 100) and language == de",
        "truncated == true",
        "language_score > 0.65",
    ],
)
def test_what_does_not_hold(expression: str) -> None:
    assert not holds(expression)


@pytest.mark.parametrize(
    ("expression", "at", "message"),
    [
        ("", 1, "the name of a column is missing"),
        ("tokens", 7, "is missing here"),
        ("tokens >", 9, "a value is missing"),
        ("tokns > 3", 1, "no column 'tokns' (the nearest is 'tokens')"),
        ("tokens > 3 and langage == en", 16, "the nearest is 'language'"),
        ("dup_lines < 0.3", 1, "dup_lines is filled only with --signals"),
        ("tokens > many", 10, "tokens is compared with a value such as 12 or 0.5, not 'many'"),
        ("tokens > nan", 10, "nan"),
        ("truncated == yes", 14, "truncated is true or false, not 'yes'"),
        ("truncated < true", 11, "no order"),
        ("url < b", 5, "url has no order: compare it with ==, != or in"),
        ("fetched_at > yesterday", 14, "2026-01-31"),
        ("tokens = 3", 8, "write == in place of ="),
        ("tokens=3", 7, "write == in place of ="),
        ("tokens === 3", 8, "write == in place of ==="),
        ("tokens => 3", 8, "write >= in place of =>"),
        ("tokens <> 3", 8, "write != in place of <>"),
        ("tokens > 3 && tokens < 9", 12, "write and in place of &&"),
        ("tokens > 3 | tokens < 9", 12, "write or in place of |"),
        ("!(tokens > 3)", 1, "write not in place of !"),
        ("tokens > 3 tokens < 9", 12, "'tokens' is too much"),
        ("(tokens > 3", 12, "')' is missing"),
        ("tokens > 3)", 11, "')' is too much"),
        ("language in en", 13, "'(' is missing"),
        ("language in ()", 14, "a value is missing"),
        ("language in (en", 16, "')' is missing"),
        ("language is en", 13, "'null' is missing"),
        ("language not en", 14, "'in' is missing"),
        ("language == 'en", 13, "neither a sign nor the beginning of a word"),
        (
            "language == english",
            13,
            "language is never 'english': write a language by its code",
        ),
        ("lang in (en, xx)", 14, "write a language by its code"),
        ("and", 1, "no column 'and'"),
        ("tokens > 3 or", 14, "the name of a column is missing"),
    ],
)
def test_a_fault_is_named_with_its_place(expression: str, at: int, message: str) -> None:
    with pytest.raises(ExpressionError) as raised:
        parse(expression, COLUMNS)
    assert str(raised.value).startswith(f"character {at} of {expression!r}: ")
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("code", "found"),
    [("nb", "nor"), ("nob", "nor"), ("cmn", "zho"), ("zh-CN", "zho"), ("arb", "ara"), ("nn", "nno")],
)
def test_the_partner_of_a_group_is_read_as_the_group_that_the_model_says(code: str, found: str) -> None:
    columns = replace(COLUMNS, languages=frozenset({"ara", "nno", "nor", "zho"}))
    assert str(parse(f"language == {code}", columns)) == f"language == {found}"
    assert str(parse(f"lang == {code}", columns)) == f"lang == {iso_639_3(code)}"


@pytest.mark.parametrize("code", ["ary", "xx-YY", "eng", "mul"])
def test_a_language_that_the_model_never_says_is_refused(code: str) -> None:
    columns = replace(COLUMNS, languages=frozenset({"cmn", "nor"}))
    with pytest.raises(ExpressionError, match="language is never '"):
        parse(f"language == {code}", columns)
    with pytest.raises(ExpressionError, match="'zh': the model says one of cmn, nor"):
        parse("language in (nob, zh)", columns)


@pytest.mark.parametrize("code", ["zh-Hans", "zh_Hant", "sr-Latn-RS", "srp_Cyrl"])
def test_the_script_of_a_language_is_not_silently_lost(code: str) -> None:
    for column in ("language", "lang"):
        with pytest.raises(ExpressionError, match=r"write the language alone, as (zho|srp); language_script"):
            parse(f"{column} == {code}", COLUMNS)


def test_many_brackets_are_a_fault_and_no_overflow() -> None:
    assert holds("(" * (MAX_DEPTH - 1) + "tokens > 3" + ")" * (MAX_DEPTH - 1))
    with pytest.raises(ExpressionError, match=f"more than {MAX_DEPTH} brackets"):
        parse("(" * 10_000, COLUMNS)
    with pytest.raises(ExpressionError, match=f"more than {MAX_DEPTH} brackets"):
        parse("not " * 10_000 + "tokens > 3", COLUMNS)


def test_the_columns_of_an_expression() -> None:
    expression = parse("tokens > 3 or not (status is null and url == a) and language in (en)", COLUMNS)
    assert columns_of(expression) == {"tokens", "status", "url", "language"}


CONDITIONS = [
    "tokens > 3", "tokens <= 120", "language in (eng, deu)", "status is null", "truncated == true",
    "url == 'a b'", "language == deu", "status > 3", "url == 'in'", "language_score >= 0.65",
]  # fmt: skip

trees = st.recursive(
    st.sampled_from(CONDITIONS),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["and", "or"]), inner).map(lambda t: f"({t[0]}) {t[1]} ({t[2]})"),
        inner.map(lambda text: f"not ({text})"),
    ),
    max_leaves=8,
)


@given(trees)
def test_an_expression_is_written_back_as_one_that_means_the_same(text: str) -> None:
    expression = parse(text, COLUMNS)
    again = parse(str(expression), COLUMNS)
    assert again == expression
    assert again.holds(ROW.__getitem__) == expression.holds(ROW.__getitem__)


@given(trees)
def test_an_expression_means_what_python_means(text: str) -> None:
    plain = text
    for condition in CONDITIONS:
        plain = plain.replace(condition, str(holds(condition)))
    assert holds(text) == eval(plain, {})


@given(st.text(max_size=40))
def test_any_text_is_an_expression_over_the_columns_or_a_fault(text: str) -> None:
    try:
        expression = parse(text, COLUMNS)
    except ExpressionError:
        return
    assert columns_of(expression) <= set(COLUMNS.kinds)


@given(st.floats(width=32, allow_nan=False))
def test_a_number_of_32_bits_stays_what_it_is(number: float) -> None:
    assert rounded(number) == number


def test_numbers_are_rounded_to_32_bits() -> None:
    import numpy as np

    assert rounded(0.3) == float(np.float32(0.3)) != 0.3
    assert rounded(1e39) == float("inf")
    assert rounded(-1e39) == float("-inf")


def test_a_number_is_written_so_that_it_shows_on_which_side_it_is() -> None:
    assert written(0.41234567, 0.3) == "0.4123"
    assert written(rounded(0.3000001), 0.3) == "0.300000101"
