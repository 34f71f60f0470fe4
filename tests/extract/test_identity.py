"""`corpus.json` pins what shapes a corpus."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields, replace
from pathlib import Path

import pytest

from pipelines.common.errors import UsageError
from pipelines.extract.identity import Identity
from transforms.corpus.commit import Corpus
from transforms.extractors import registry
from transforms.model.caps import Caps

IDENTITY = Identity(
    schema=1,
    extractor="cetr",
    extractor_options="{}",
    format="parquet",
    compression="zstd",
    status="200-299",
    record_types="response",
    url_include=None,
    url_exclude=None,
    limit=None,
    split_size=0,
    caps=Caps(max_body=1, max_header=2),
    reject_rows="notable",
    with_html=False,
    page_timeout=10.0,
    page_memory=3,
)


def test_first_claim_writes_and_the_same_claim_passes(tmp_path: Path) -> None:
    corpus = Corpus(str(tmp_path), "parquet")
    IDENTITY.claim(corpus)
    IDENTITY.claim(corpus)
    there = json.loads((tmp_path / "corpus.json").read_text())
    assert there["extractor"] == "cetr"
    assert there["options_digest"] == IDENTITY.digest
    assert [p.name for p in tmp_path.rglob("*") if p.is_file()] == ["corpus.json"]


def test_another_choice_is_refused_and_named(tmp_path: Path) -> None:
    corpus = Corpus(str(tmp_path), "parquet")
    IDENTITY.claim(corpus)
    other = replace(IDENTITY, extractor="cetr-tm", url_include="news", caps=Caps(max_body=3, max_header=2))
    with pytest.raises(UsageError) as error:
        other.claim(corpus)
    assert "extractor 'cetr', now 'cetr-tm'" in str(error.value)
    assert "url-include None, now 'news'" in str(error.value)
    assert "max-body 1, now 3" in str(error.value)
    assert "max-header" not in str(error.value)
    assert "--overwrite" in str(error.value)
    assert other.digest != IDENTITY.digest


def test_a_file_that_is_no_corpus_json_is_refused(tmp_path: Path) -> None:
    for content in ("[]", "no json"):
        (tmp_path / "corpus.json").write_text(content)
        with pytest.raises(UsageError, match="was not written by Cedar"):
            IDENTITY.claim(Corpus(str(tmp_path), "parquet"))


@dataclass(frozen=True, slots=True)
class Later(Identity):
    """As a later version may have it, with a choice more."""

    later: bool = False


def later(*, choice: bool) -> Later:
    return Later(**{field.name: getattr(IDENTITY, field.name) for field in fields(Identity)}, later=choice)


def test_a_later_choice_is_not_written_while_it_has_its_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipelines.extract.identity.Identity", Later)
    corpus = Corpus(str(tmp_path), "parquet")
    IDENTITY.claim(corpus)
    later(choice=False).claim(corpus)
    assert later(choice=False).digest == IDENTITY.digest
    with pytest.raises(UsageError, match="later False, now True"):
        later(choice=True).claim(corpus)


def test_a_choice_that_this_version_does_not_know_is_refused(tmp_path: Path) -> None:
    corpus = Corpus(str(tmp_path), "parquet")
    IDENTITY.claim(corpus)
    there = json.loads((tmp_path / "corpus.json").read_text())
    (tmp_path / "corpus.json").write_text(json.dumps(there | {"bicycle": "red"}))
    with pytest.raises(UsageError, match="bicycle 'red', which this version does not know"):
        IDENTITY.claim(corpus)


def test_an_option_of_the_method_that_is_not_named_has_its_default(tmp_path: Path) -> None:
    corpus = Corpus(str(tmp_path), "parquet")
    options = registry.options_json(registry.parse_options("cetr", {}))
    replace(IDENTITY, extractor_options=json.dumps(dict(list(json.loads(options).items())[1:]))).claim(corpus)
    replace(IDENTITY, extractor_options=options).claim(corpus)


def test_a_corpus_begun_with_another_table_goes_on_and_says_so(tmp_path: Path) -> None:
    corpus = Corpus(str(tmp_path), "parquet")
    begun, now = replace(IDENTITY, table="1"), replace(IDENTITY, table="2")
    assert begun.claim(corpus) == begun.claim(corpus) == ()
    assert json.loads((tmp_path / "corpus.json").read_text())["table"] == "1"
    assert begun.digest == now.digest == IDENTITY.digest
    (note,) = now.claim(corpus)
    assert "was begun with table 1 of cetr: rows that are added are of table 2" in note


def test_a_corpus_that_names_no_table_was_begun_with_the_first(tmp_path: Path) -> None:
    corpus = Corpus(str(tmp_path), "parquet")
    IDENTITY.claim(corpus)
    assert replace(IDENTITY, table="1").claim(corpus) == ()
    assert len(replace(IDENTITY, table="2").claim(corpus)) == 1
