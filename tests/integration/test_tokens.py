"""Counts of tokens next to the library's own: with the package tokenizers."""

from __future__ import annotations

from pathlib import Path

import pytest

pytestmark = pytest.mark.needs("tokenizers")

TEXTS = ["The tide mill turns again.", "", "Die Mühle am Meer, 潮汐磨坊 — 42 %!\n\nzweite Zeile"] * 300


def test_counts_are_the_librarys(tmp_path: Path) -> None:
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    from cedar.transforms.curation.token_counts import TokenCounter, token_column

    trained = Tokenizer(models.BPE())
    trained.pre_tokenizer = pre_tokenizers.ByteLevel()
    trained.train_from_iterator(TEXTS, trainers.BpeTrainer(vocab_size=300))
    trained.enable_truncation(3)  # what a model takes at once is no matter
    trained.enable_padding()
    path = tmp_path / "tokenizer.json"
    trained.save(str(path))
    trained.no_truncation()
    trained.no_padding()
    column = token_column(f"bpe={path}")
    counted = TokenCounter([column]).count(TEXTS)
    assert [of_text.values["bpe"] for of_text in counted] == [len(trained.encode(text).ids) for text in TEXTS]
    assert counted[1].values["bpe"] == 0
