"""`corpus.json` pins what shapes a corpus."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from cedar.transforms.corpus.corpus import Corpus
from cedar.transforms.corpus.errors import CorpusError
from cedar.transforms.corpus.identity import CorpusIdentity
from cedar.transforms.model.records import SCHEMA_VERSION

IDENTITY = CorpusIdentity(
    {
        "schema": SCHEMA_VERSION,
        "extractor": "cetr",
        "format": "parquet",
        "url_include": None,
        "max_body": 1,
        "max_header": 2,
        "column_groups": [],
    }
)


def claim(identity: CorpusIdentity, corpus: Corpus) -> tuple[str, ...]:
    return identity.claim(corpus, overwrite=False)[1]


def test_first_claim_writes_and_the_same_claim_passes(tmp_path: Path) -> None:
    corpus = Corpus(str(tmp_path), "parquet")
    claim(IDENTITY, corpus)
    claim(IDENTITY, corpus)
    there = json.loads((tmp_path / "corpus.json").read_text())
    assert there["extractor"] == "cetr"
    assert there["options_digest"] == IDENTITY.digest
    assert [p.name for p in tmp_path.rglob("*") if p.is_file()] == ["corpus.json"]


def test_another_choice_is_refused_and_named(tmp_path: Path) -> None:
    corpus = Corpus(str(tmp_path), "parquet")
    claim(IDENTITY, corpus)
    other = IDENTITY.with_choices(extractor="cetr-tm", url_include="news", max_body=3)
    with pytest.raises(CorpusError) as error:
        claim(other, corpus)
    assert "extractor 'cetr', now 'cetr-tm'" in str(error.value)
    assert "url-include None, now 'news'" in str(error.value)
    assert "max-body 1, now 3" in str(error.value)
    assert "max-header" not in str(error.value)
    assert "--overwrite" in str(error.value)
    assert other.digest != IDENTITY.digest


def test_a_file_that_is_no_corpus_json_is_refused(tmp_path: Path) -> None:
    for content in ("[]", "no json"):
        (tmp_path / "corpus.json").write_text(content)
        with pytest.raises(CorpusError, match="was not written by Cedar"):
            claim(IDENTITY, Corpus(str(tmp_path), "parquet"))


def test_a_choice_that_this_version_does_not_make_is_refused(tmp_path: Path) -> None:
    corpus = Corpus(str(tmp_path), "parquet")
    claim(IDENTITY, corpus)
    there = json.loads((tmp_path / "corpus.json").read_text())
    (tmp_path / "corpus.json").write_text(json.dumps(there | {"bicycle": "red"}))
    with pytest.raises(CorpusError, match="bicycle 'red', now None"):
        claim(IDENTITY, corpus)


def test_a_corpus_of_another_schema_is_refused_and_overwritten_when_asked(
    tmp_path: Path,
) -> None:
    corpus = Corpus(str(tmp_path), "parquet")
    claim(IDENTITY.with_choices(schema=99), corpus)
    with pytest.raises(CorpusError, match=r"of another version of Cedar \(schema 99"):
        claim(IDENTITY, corpus)
    assert IDENTITY.claim(corpus, overwrite=True)[1] == ()


def test_a_corpus_begun_with_another_version_of_cedar_goes_on_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = Corpus(str(tmp_path), "parquet")
    claim(IDENTITY, corpus)
    monkeypatch.setattr("cedar.transforms.corpus.identity.version", lambda _: "9.9")
    (note,) = claim(IDENTITY, corpus)
    assert note.endswith("of Cedar, this is 9.9")


def test_a_corpus_begun_with_another_table_goes_on_and_says_so(tmp_path: Path) -> None:
    corpus = Corpus(str(tmp_path), "parquet")
    begun, now = replace(IDENTITY, table="1"), replace(IDENTITY, table="2")
    assert claim(begun, corpus) == claim(begun, corpus) == ()
    assert json.loads((tmp_path / "corpus.json").read_text())["table"] == "1"
    assert begun.digest == now.digest == IDENTITY.digest
    (note,) = claim(now, corpus)
    assert "was begun with table 1 of cetr: rows that are added are of table 2" in note


def test_a_refusal_names_the_option_of_columns(tmp_path: Path) -> None:
    corpus = Corpus(str(tmp_path), "parquet")
    claim(IDENTITY.with_choices(column_groups=["confidence"]), corpus)
    with pytest.raises(CorpusError, match=r"options \(--signals new\)"):
        claim(IDENTITY.with_choices(column_groups=["confidence", "signals"]), corpus)
    with pytest.raises(CorpusError, match=r"options \(--extractor cedar left out\)"):
        claim(IDENTITY.with_choices(column_groups=[]), corpus)
