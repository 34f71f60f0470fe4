"""Signatures are what their plain definition says, and stay what they are."""

from __future__ import annotations

import struct

import numpy as np
import pytest
from hypothesis import given, settings

from cedar.transforms.curation._signals import measure
from cedar.transforms.curation._signatures import keys_of, sign
from cedar.transforms.curation._tokens import hash_of, read
from cedar.transforms.curation.banding import BANDS, ROWS
from cedar.transforms.curation.signatures import sign_text
from tests.curation.texts import TEXTS, texts
from tests.oracles import signatures as oracle
from tests.oracles.signals import tokens
from tests.oracles.signatures import candidate_probability


def check(text: str) -> None:
    keys, minima = sign_text(text)
    expected = oracle.band_keys(text)
    if expected is None:
        assert keys is minima is None
        return
    assert keys is not None
    assert minima is not None
    assert list(struct.unpack("<14Q", keys)) == expected
    assert list(struct.unpack("<112I", minima)) == oracle.minima(text)


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_has_the_keys_of_the_definition(name: str) -> None:
    check(TEXTS[name])


@settings(max_examples=60)
@given(texts)
def test_any_text_has_the_keys_of_the_definition(text: str) -> None:
    check(text)


@pytest.mark.parametrize(("bands", "rows"), [(14, 8), (20, 5), (1, 112)])
def test_whole_signatures_have_the_keys_of_other_bands(bands: int, rows: int) -> None:
    signed = [sign_text(text)[1] for text in TEXTS.values()]
    minima = np.array([np.frombuffer(one, "<u4") for one in signed if one is not None], np.uint32)
    expected = [oracle.band_keys(text, bands, rows) for text in TEXTS.values()]
    assert keys_of(minima, bands, rows).tolist() == [keys for keys in expected if keys is not None]


def test_more_lanes_than_there_are_are_refused() -> None:
    with pytest.raises(ValueError, match="20 bands of 6 rows of 112 lanes: there are 112"):
        keys_of(np.zeros((1, 112), np.uint32), 20, 6)


@settings(max_examples=200)
@given(texts)
def test_tokens_are_hashed_as_the_definition_says(text: str) -> None:
    assert read(text).as_lists()[0] == [oracle.token_hash(token) for token in tokens(text)]


@settings(max_examples=60)
@given(texts)
def test_the_tokens_of_the_signals_make_the_same_signature(text: str) -> None:
    assert sign(measure(text, None)[1]) == sign_text(text)


def test_keys_do_not_change_from_one_version_to_the_next() -> None:
    keys, _ = sign_text("The heron stood in the shallows until the mill began to turn.")
    assert keys is not None
    assert keys[:16].hex() == "5f12da45fd5a9ec51e88a51108cae5ac"


def test_four_tokens_have_no_signature_and_five_have_one() -> None:
    assert sign_text("one two three four") == (None, None)
    assert None not in sign_text("one two three four five")
    assert sign_text("水车不转") == (None, None)
    assert None not in sign_text("水车不转动")


def test_case_does_not_count_and_digits_and_accents_do() -> None:
    def of(text: str):
        return sign_text(text + " beside the old mill pond")

    assert of("HERON") == of("heron")
    assert of("heron 1") != of("heron 2")
    assert of("eté") != of("ete")


def test_only_a_single_token_has_a_hash_of_its_own() -> None:
    assert hash_of("Mill") == oracle.token_hash("mill")
    with pytest.raises(ValueError, match="not one token"):
        hash_of("two words")


def test_options_are_checked_with_the_numbers_that_are_compiled() -> None:
    keys, minima = sign_text("the heron waits beside the old mill pond")
    assert keys is not None
    assert minima is not None
    assert (len(keys) // 8, len(minima) // 4) == (BANDS, BANDS * ROWS)


def test_the_probability_of_a_candidate_follows_the_curve() -> None:
    # 1 - (1 - s^8)^14 by hand at the ends and in the middle of the rise.
    assert candidate_probability(0) == 0
    assert candidate_probability(1) == 1
    assert candidate_probability(0.5) == pytest.approx(1 - (255 / 256) ** 14)
    assert candidate_probability(0.8) == pytest.approx(0.923548, abs=1e-6)
