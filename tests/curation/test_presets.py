"""Presets: their bounds, their order, and what is said of a page that fails."""

from __future__ import annotations

import pytest

from cedar.transforms.curation._signals import measure
from cedar.transforms.curation.expressions import Columns, parse
from cedar.transforms.curation.presets import NOT_IF_DENSE, PRESETS, Bound, first_failing
from cedar.transforms.curation.rules import RuleFailure, Rules
from cedar.transforms.curation.stop_words import stop_words
from cedar.transforms.model.annotations import Signals
from tests.curation.texts import TEXTS

PROSE = TEXTS["prose"]
ENGLISH = stop_words("eng")

GOOD = measure(PROSE, ENGLISH)[0]._replace(
    cedar_words=200,
    top_2gram=0.0,
    terminal_lines=1.0,
    c4_sentences=9,
    c4_sentences_any_end=9,
)


def with_signals(**values: float | bool | None) -> Signals:
    return GOOD._replace(**values)


def test_good_prose_passes_all() -> None:
    for preset in PRESETS:
        assert first_failing(PRESETS[preset], GOOD) is None, preset


@pytest.mark.parametrize(
    ("preset", "signal", "at_the_bound", "beyond"),
    [
        ("gopher-repetition", "dup_lines", 0.3, 0.31),
        ("gopher-repetition", "dup_line_chars", 0.2, 0.21),
        ("gopher-repetition", "top_2gram", 0.2, 0.21),
        ("gopher-repetition", "top_3gram", 0.18, 0.181),
        ("gopher-repetition", "top_4gram", 0.16, 0.161),
        ("gopher-repetition", "dup_5gram", 0.15, 0.151),
        ("gopher-repetition", "dup_6gram", 0.14, 0.141),
        ("gopher-repetition", "dup_7gram", 0.13, 0.131),
        ("gopher-repetition", "dup_8gram", 0.12, 0.121),
        ("gopher-repetition", "dup_9gram", 0.11, 0.111),
        ("gopher-repetition", "dup_10gram", 0.1, 0.101),
        ("gopher-quality", "cedar_words", 50, 49),
        ("gopher-quality", "cedar_words", 100_000, 100_001),
        ("gopher-quality", "mean_word_length", 3.0, 2.9),
        ("gopher-quality", "mean_word_length", 10.0, 10.1),
        ("gopher-quality", "hash_ratio", 0.1, 0.11),
        ("gopher-quality", "ellipsis_ratio", 0.1, 0.11),
        ("gopher-quality", "bullet_lines", 0.9, 0.91),
        ("gopher-quality", "ellipsis_lines", 0.3, 0.31),
        ("gopher-quality", "alpha_words", 0.8, 0.79),
        ("gopher-quality", "stop_words", 2, 1),
        ("c4", "lorem_ipsum", False, True),
        ("c4", "curly_bracket", False, True),
        ("c4", "c4_sentences", 5, 4),
        ("fineweb", "c4_sentences_any_end", 5, 4),
        ("fineweb-quality", "terminal_lines", 0.12, 0.119),
        ("fineweb-quality", "short_lines", 0.67, 0.671),
        ("fineweb-quality", "dup_line_chars_net", 0.01, 0.011),
        ("fineweb-quality", "newline_ratio", 0.3, 0.31),
    ],
)
def test_a_bound_is_kept_up_to_its_limit(
    preset: str, signal: str, at_the_bound: float, beyond: float
) -> None:
    import numpy as np

    def stored(value: float) -> float:
        return float(np.float32(value)) if isinstance(value, float) else value

    assert first_failing(PRESETS[preset], with_signals(**{signal: stored(at_the_bound)})) is None
    failure = first_failing(PRESETS[preset], with_signals(**{signal: stored(beyond)}))
    assert failure is not None
    assert failure.startswith(f"{signal} ")


def test_larger_presets_are_made_of_smaller_ones_in_order() -> None:
    assert PRESETS["gopher"] == PRESETS["gopher-repetition"] + PRESETS["gopher-quality"]
    inside = tuple(
        b for b in PRESETS["fineweb"] if b.signal != "c4_sentences_any_end" and b.limit is not False
    )
    assert inside == PRESETS["gopher"] + PRESETS["fineweb-quality"]
    assert "c4_sentences" not in {bound.signal for bound in PRESETS["fineweb"]}


def test_the_first_bound_that_fails_is_the_reason() -> None:
    page = with_signals(dup_lines=0.5, dup_5gram=0.5, cedar_words=3)
    assert first_failing(PRESETS["fineweb"], page) == "dup_lines 0.5 > 0.3"
    assert first_failing(PRESETS["gopher-quality"], page) == "cedar_words 3 < 50"
    failure = first_failing(PRESETS["c4"], with_signals(curly_bracket=True))
    assert failure == "curly_bracket true != false"


def test_a_page_without_a_token_is_empty_whatever_the_preset() -> None:
    nothing = measure("", ENGLISH)[0]
    assert {first_failing(PRESETS[preset], nothing) for preset in PRESETS} == {"empty"}


def test_words_of_scripts_without_blanks_have_no_bounds() -> None:
    values = dict.fromkeys(NOT_IF_DENSE, 0)
    assert first_failing(PRESETS["gopher-quality"], with_signals(**values)) is not None
    assert first_failing(PRESETS["gopher-quality"], with_signals(**values, dense_share=0.51)) is None
    assert first_failing(PRESETS["gopher-quality"], with_signals(**values, dense_share=0.5)) is not None


def test_a_signal_that_is_null_has_no_bound() -> None:
    assert first_failing(PRESETS["gopher-quality"], with_signals(stop_words=None)) is None


def test_a_bound_is_compared_as_32_bits() -> None:
    import numpy as np

    assert Bound("dup_lines", "<=", 0.3).holds(float(np.float32(0.3)))
    assert not Bound("dup_lines", "<=", 0.3).holds(float(np.nextafter(np.float32(0.3), np.float32(1))))
    assert Bound("alpha_words", ">=", 0.8).holds(float(np.float32(0.8)))


COLUMNS = Columns({"cedar_words": "int32", "language": "string"}, {})


@pytest.mark.parametrize(
    ("value", "shown"), [(None, "null"), ("a (b) c", "..."), ("eng", "eng"), ("192.0.2.7", "...")]
)
def test_a_reason_shows_codes_and_no_other_texts(value: str | None, shown: str) -> None:
    verdict = Rules((parse("language == de", COLUMNS),)).first_failure({"language": value}.__getitem__, None)
    assert verdict is not None
    assert verdict.reason == f"keep: language == deu (language {shown})"


def test_expressions_come_first_then_presets_in_order() -> None:
    keeps = (parse("cedar_words > 100", COLUMNS), parse("language == en", COLUMNS))
    rules = Rules(keeps, ("gopher-quality", "c4"))
    row = {"cedar_words": 200, "language": "eng"}
    assert rules.first_failure(row.__getitem__, GOOD) is None
    row["language"] = "deu"
    assert rules.first_failure(row.__getitem__, with_signals(cedar_words=3)) == RuleFailure(
        "keep: language == eng", "keep: language == eng (language deu)", is_of_preset=False
    )
    row["language"] = "eng"
    assert rules.first_failure(row.__getitem__, with_signals(cedar_words=3, c4_sentences=0)) == RuleFailure(
        "gopher-quality: cedar_words < 50", "gopher-quality: cedar_words 3 < 50", is_of_preset=True
    )
    assert rules.first_failure(row.__getitem__, with_signals(c4_sentences=0)) == RuleFailure(
        "c4: c4_sentences < 5", "c4: c4_sentences 0 < 5", is_of_preset=True
    )


def test_a_preset_without_signals_is_a_fault_of_the_program() -> None:
    with pytest.raises(ValueError, match="needs signals"):
        Rules((), ("c4",)).first_failure(lambda _: None, None)
