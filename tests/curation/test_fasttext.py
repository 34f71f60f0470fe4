"""fastText's classifiers are read, and asked, as their plain definition says."""

from __future__ import annotations

import functools
import struct
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cedar.transforms.curation._fasttext import Classifier, label_scores
from cedar.transforms.curation.fasttext_file import Loss, ModelError, ModelFile, read_model
from tests.curation import fasttext_files
from tests.oracles import fasttext as oracle

KINDS = {
    "softmax": {"loss": Loss.SOFTMAX},
    "hierarchical": {"loss": Loss.HIERARCHICAL_SOFTMAX},
    "one against all": {"loss": Loss.ONE_VS_ALL},
    "runs of words": {"word_ngrams": 2},
    "words alone": {"ngrams": (0, 0)},
    "single letters": {"ngrams": (1, 3)},
    "compressed": {"small": True},
    "compressed hierarchical": {"small": True, "loss": Loss.HIERARCHICAL_SOFTMAX, "word_ngrams": 2},
}


@functools.cache
def model(kind: str) -> tuple[ModelFile, Classifier]:
    with tempfile.TemporaryDirectory() as directory:
        found = read_model(fasttext_files.write(Path(directory) / "model.bin", **KINDS[kind]))
    return found, Classifier(found)


words = st.one_of(
    st.sampled_from(["the", "und", "мост", "水", "a", "мосты", "theund", "水车", "ÿ", "\U0001f600"]),
    st.text(st.characters(min_codepoint=33, exclude_categories=("Cs", "Zs")), min_size=1, max_size=6),
).filter(lambda word: not word.startswith(("__label__", "</s>")))


@pytest.mark.parametrize("kind", KINDS)
@given(st.lists(words, min_size=1, max_size=8))
def test_a_text_is_classified_as_the_definition_says(kind: str, text: list[str]) -> None:
    file, classifier = model(kind)
    label, score = classifier.classify(" ".join(text).encode())
    expected, expected_score = oracle.classify(file, " ".join(text))
    assert score == pytest.approx(expected_score, abs=1e-5)
    if file.labels[label] != expected:  # two labels with the same score
        assert score == pytest.approx(expected_score, abs=1e-7)


@pytest.mark.parametrize("kind", KINDS)
@given(st.lists(words, min_size=1, max_size=8))
def test_each_label_is_scored_as_the_definition_says(kind: str, text: list[str]) -> None:
    file, classifier = model(kind)
    asked = [(classifier, label) for label in range(len(file.labels))]
    found = label_scores([*asked, *asked], " ".join(text).encode())
    # A product on the edge of a step of the table may fall to either side of it.
    near = 0.008 if kind == "one against all" else 1e-5
    assert found == pytest.approx(oracle.scores(file, " ".join(text)) * 2, abs=near)


def test_what_is_compressed_is_read_as_what_it_was() -> None:
    with tempfile.TemporaryDirectory() as directory:
        file = read_model(fasttext_files.write(Path(directory) / "model.ftz", small=True))
    random = np.random.default_rng(7)
    inputs = random.normal(size=file.inputs.shape)
    assert file.inputs == pytest.approx(inputs, abs=1e-5)
    assert file.kept is not None
    assert len(file.kept) == 33


def test_what_parts_words_and_what_is_none() -> None:
    _, classifier = model("softmax")
    assert classifier.classify("the\tund  мост\r\n".encode()) == classifier.classify("the und мост".encode())
    assert classifier.classify(b"the __label__und und") == classifier.classify(b"the und")
    assert classifier.classify(b"the </s> und") == classifier.classify(b"the")
    assert classifier.classify(b"") == classifier.classify(b"  ")


def test_a_word_of_any_length_is_read() -> None:
    _, classifier = model("softmax")
    assert 0 < classifier.classify(b"w" * 1_000_000)[1] <= 1.0001


def test_the_tree_of_a_single_label_is_a_leaf() -> None:
    file, _ = model("hierarchical")
    import dataclasses

    one = dataclasses.replace(file, labels=file.labels[:1], label_counts=file.label_counts[:1])
    assert Classifier(one).classify(b"the") == (0, 1.0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: data[:0], "it is empty"),
        (lambda data: b"PAR1" + data[4:], "does not begin as a model of fastText"),
        (lambda data: data[:4] + b"\x09" + data[5:], "version 9"),
        (lambda data: data[:36] + b"\x01" + data[37:], "not a classifier"),
        (lambda data: data[:100], "cut, or damaged"),
        (lambda data: data[:-1], "cut, or damaged"),
        (lambda data: data[:64] + b"\x7f" + data[65:], "do not add up"),
    ],
)
def test_a_file_that_is_no_model_is_named_as_what_it_is(change, message: str, tmp_path: Path) -> None:
    path = fasttext_files.write(tmp_path / "model.bin")
    path.write_bytes(change(path.read_bytes()))
    with pytest.raises(ModelError, match=message):
        read_model(path)


@pytest.mark.parametrize(("parts", "width"), [(0, 4), (-1, 4), (1, 0), (2, -4)])
def test_a_matrix_of_no_parts_is_refused_whatever_its_rows_are(
    parts: int, width: int, tmp_path: Path
) -> None:
    path = fasttext_files.write(tmp_path / "model.ftz", small=True)
    data = path.read_bytes()
    columns = read_model(path).inputs.shape[1]
    at = data.index(struct.pack("<2q", len(read_model(path).inputs), columns))
    rows_to_sizes = 16 + 4 + struct.unpack_from("<i", data, at + 16)[0]
    sizes = struct.pack("<4i", columns, parts, width, columns - (parts - 1) * width)
    head = struct.pack("<2qi", 1 << 40, columns, 0)
    path.write_bytes(data[:at] + head + sizes + data[at + rows_to_sizes + 16 :])
    with pytest.raises(ModelError, match="another size than its parts"):
        read_model(path)


@given(st.integers(0, 400), st.binary(min_size=1, max_size=8))
def test_a_damaged_file_is_a_model_or_an_error(at: int, damage: bytes) -> None:
    with tempfile.TemporaryDirectory() as directory:
        path = fasttext_files.write(Path(directory) / "model.ftz", small=True, loss=Loss.HIERARCHICAL_SOFTMAX)
        data = path.read_bytes()
        path.write_bytes(data[:at] + damage + data[at + len(damage) :])
        try:
            classifier = Classifier(read_model(path))
        except ModelError:
            return
    assert 0 <= classifier.classify("the мосты".encode())[0] < len(classifier.labels)
