"""Signals of a text are what their plain definitions say, on all kinds of text and in linear time."""

from __future__ import annotations

import operator
import sys
import unicodedata

import numpy as np
import pytest
from hypothesis import given, settings

from cedar.transforms.curation._characters import DENSE_RANGES, kind_of
from cedar.transforms.curation._signals import measure
from cedar.transforms.curation.stop_words import ENGLISH, LISTS, stop_words
from tests.curation.texts import TEXTS, texts
from tests.helpers.shapes import assert_linear, repeated
from tests.oracles import signals as oracle

EIGHT = LISTS[ENGLISH].split()


def check(text: str) -> None:
    measured, tokens = measure(text, stop_words(ENGLISH))
    expected = oracle.signals(text, EIGHT)
    assert measured._asdict() == {
        name: float(np.float32(value)) if isinstance(value, float) else value
        for name, value in expected.items()
    }
    assert tokens.as_lists()[1] == [len(token) for token in oracle.tokens(text)]


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_has_the_signals_of_the_definition(name: str) -> None:
    check(TEXTS[name])


@settings(max_examples=200)
@given(texts)
def test_any_text_has_the_signals_of_the_definition(text: str) -> None:
    check(text)


@settings(max_examples=100)
@given(texts, texts)
def test_runs_that_come_again_are_found_in_long_texts(one: str, other: str) -> None:
    check(f"{one}\n{other} {one} {one}\n{other}")


@pytest.mark.parametrize(("chars", "share"), [(29, 1.0), (30, 1.0), (31, 0.0)])
@pytest.mark.parametrize("letter", "aé漢")
def test_a_line_of_thirty_characters_is_short(chars: int, share: float, letter: str) -> None:
    assert measure(letter * chars, None)[0].short_lines == share
    check(f"{letter * chars}\n{letter * 40}")


def test_a_text_whose_signals_are_counted_by_hand() -> None:
    text = "The cat saw the cat.\nThe cat saw the cat.\n# Two...\n"
    signals, _ = measure(text, stop_words(ENGLISH))
    assert (signals.cedar_words, signals.sentences, signals.stop_words) == (11, 3, 1)
    assert signals.hash_ratio == signals.ellipsis_ratio == float(np.float32(1 / 12))
    assert signals.dup_lines == float(np.float32(1 / 3))
    assert signals.dup_line_chars == float(np.float32(20 / 51))
    # "The cat" comes twice, "the cat" as well; of three tokens, "cat saw the" is longest with "The cat saw".
    assert signals.top_2gram == float(np.float32(7 * 2 / 51))
    assert signals.dup_5gram == float(np.float32(15 / 51))
    assert signals.unique_words == float(np.float32(4 / 11))


def test_stop_words_are_null_without_a_list() -> None:
    assert measure("the be to of", None)[0].stop_words is None
    assert measure("the be to of the", stop_words("eng"))[0].stop_words == 4
    assert measure("Der Hund und die Katze", stop_words("deu"))[0].stop_words == 3


def test_each_language_has_a_list_of_single_tokens_in_lower_case() -> None:
    for language, words in LISTS.items():
        found = stop_words(language)
        assert found is not None
        assert len(found) == len(set(words.split())) == len(words.split()) >= 8, language
        assert words == words.lower()
    assert stop_words("zho") is None


def test_a_lone_surrogate_is_no_text() -> None:
    with pytest.raises(UnicodeEncodeError):
        measure("a\ud800b", None)


@pytest.mark.slow
def test_each_character_is_what_python_says() -> None:
    characters = [chr(point) for point in range(sys.maxunicode + 1)]
    kinds = np.fromiter(map(kind_of, characters), np.uint16)
    category = list(map(unicodedata.category, characters))

    def bit(number: int) -> list[bool]:
        return (kinds >> number & 1).astype(bool).tolist()

    words = [c == "_" or c.isalnum() for c in characters]
    marks = [c[0] == "M" for c in category]
    assert bit(0) == words
    assert bit(1) == marks
    assert not any(map(operator.and_, words, marks)), "a mark would be a token"
    assert bit(4) == list(map(str.isalpha, characters))
    assert bit(5) == list(map(str.isspace, characters))
    assert bit(6) == list(map(str.isupper, characters))
    assert bit(7) == [c.islower() or kind == "Lt" for c, kind in zip(characters, category, strict=True)]
    assert bit(8) == list(map(str.isdigit, characters))
    assert bit(9) == list(map(str.isdecimal, characters))
    assert bit(14) == [c.lower()[0] != c for c in characters]


def test_scripts_without_blanks_are_what_the_ranges_say() -> None:
    dense = {point for first, last in DENSE_RANGES for point in range(first, last + 1)}
    assert {point for point in range(0x42000) if kind_of(chr(point)) & 8} == dense


HOSTILE = {
    "one word": "word ",
    "one letter": "a ",
    "short lines": "ab\n",
    "dots": "...)..\u201d",
    "brackets": "[",
    "digits in brackets": "[1",
    "notes": "x[1] ",
    "beginnings of phrases": "java\nscri coo lore\n",
    "capital sigma": "ΣΑΣ ",
    "marks": "a\u0301\u0301\u0301",
    "one word without an end": "w",
    "joiners": "\u200d",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_the_time_of_a_hostile_text_grows_with_its_size(name: str) -> None:
    words = stop_words(ENGLISH)
    assert_linear(lambda text: measure(text.decode(), words), repeated(HOSTILE[name], before=""), 100_000)
