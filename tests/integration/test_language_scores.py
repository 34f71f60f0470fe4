"""Scores of languages next to the library's own: with the package fasttext-predict."""

from __future__ import annotations

import pytest

from cedar.transforms.curation import language
from cedar.transforms.curation._scripts import read_line
from tests.curation.texts import TEXTS

pytestmark = pytest.mark.needs("fasttext")


def test_scores_are_the_librarys() -> None:
    import fasttext

    path = language._packaged_model()
    library = fasttext.load_model(str(path))
    engine = language._engine(path)
    for text in TEXTS.values():
        line = read_line(language.sample(text))[0]
        (label,), (score,) = library.predict(line.decode(), k=1)
        assert engine(line) == (label.removeprefix("__label__"), pytest.approx(score, abs=1e-5))
