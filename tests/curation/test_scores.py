"""Columns of scores by classifiers of fastText."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cedar.pipelines.cli import main
from cedar.transforms.corpus.corpus_reader import CorpusReader
from cedar.transforms.curation.fasttext_file import Loss
from cedar.transforms.curation.scores import TextScorer, scored
from cedar.transforms.model.annotations import Own
from tests.curation import fasttext_files
from tests.extract.runs import extract
from tests.helpers.corpus import books
from tests.helpers.corpus import rows as page_rows
from tests.helpers.crawl import write_warc

TEXT = "the und the\nмост\tthe 水\n"
KEPT = {"softmax": 0.680832, "hierarchical": 0.886661, "one against all": 0.803184}
"""Scores of `TEXT` for eng_Latn, as fasttext-predict 0.9.2.4 gives them for the same files."""

LOSSES = {
    "softmax": Loss.SOFTMAX,
    "hierarchical": Loss.HIERARCHICAL_SOFTMAX,
    "one against all": Loss.ONE_VS_ALL,
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A crawl of ten pages and two models."""
    folder = tmp_path_factory.mktemp("models")
    write_warc(folder / "crawl.warc.gz", 10)
    fasttext_files.write(folder / "a.bin", word_ngrams=2)
    fasttext_files.write(folder / "b.ftz", Loss.HIERARCHICAL_SOFTMAX, small=True)
    return folder


@pytest.mark.parametrize("kind", KEPT)
def test_scores_are_those_of_fasttext(kind: str, tmp_path: Path) -> None:
    path = fasttext_files.write(tmp_path / "model.bin", LOSSES[kind], word_ngrams=2)
    (found,) = TextScorer([scored(f"q={path}:eng_Latn")]).score(TEXT).values.values()
    assert found == pytest.approx(KEPT[kind], abs=1e-5)


def test_several_models_score_as_each_alone(folder: Path) -> None:
    asked = [scored(f"{name}={folder}/{file}:{label}") for name, file, label in (
        ("x", "a.bin", "eng_Latn"), ("y", "b.ftz", "__label__rus_Cyrl"), ("z", "a.bin", "deu_Latn")
    )]  # fmt: skip
    together = TextScorer(asked).score(TEXT).values
    assert together == {name: v for one in asked for name, v in TextScorer([one]).score(TEXT).values.items()}
    assert len(set(together.values())) == 3


@pytest.mark.parametrize("file_format", ["parquet", "avro", "jsonl"])
def test_scores_are_columns_that_rules_look_at(file_format: str, folder: Path, tmp_path: Path) -> None:
    classifiers = [
        "--classifier",
        f"quality={folder}/a.bin:eng_Latn",
        "--classifier",
        f"rus_cyrl={folder}/b.ftz:rus_Cyrl",
    ]
    corpus = tmp_path / "corpus"
    assert extract(folder / "crawl.warc.gz", corpus, *classifiers[:2], "--format", file_format) == 0
    (summary,) = CorpusReader.at(str(corpus)).summaries()
    pages = list(CorpusReader.at(str(corpus)).pages(summary))
    own = [one for page in pages for one in page.annotations if isinstance(one, Own)]
    values = [float(one.values["quality"] or 0) for one in own]
    again = TextScorer([scored(classifiers[1])])
    assert values == [again.score(page.row.text).values["quality"] for page in pages]
    bound = sorted(values)[5]
    keep = ["--keep", f"quality >= {bound}"]
    more = [str(corpus), *classifiers[2:], *keep]
    assert main(["filter", *more, "--output", str(tmp_path / "kept"), "--quiet"]) == 0
    assert books(tmp_path / "kept")["pages"] == sum(value >= bound for value in values)
    described = json.loads((tmp_path / "kept" / "corpus.json").read_text())
    assert described["column_groups"] == [
        "confidence",
        "drop_reason",
        "own:quality:float32",
        "own:rus_cyrl:float32",
    ]
    assert described["classifiers"].startswith("rus_cyrl=b.ftz ")
    if file_format == "parquet":
        assert all(0 < row["rus_cyrl"] < 1 for row in page_rows(tmp_path / "kept"))


@pytest.mark.parametrize(
    ("classifier", "said"),
    [
        ("quality", "not a valid classifier: 'quality' (write it as quality=model.bin:hq)"),
        ("quality=gone.bin:hq", "cannot read the classifier 'gone.bin' (No such file or directory)"),
        ("quality={}/a.bin", "has no label 'quality': write quality="),
        ("quality={}/a.bin:hq", "one of eng_Latn, deu_Latn, rus_Cyrl, zho_Hans, ell_Grek"),
        (
            "Quality={}/a.bin:eng_Latn",
            "'Quality' cannot be the name of a column (small",
        ),
        ("words={}/a.bin:eng_Latn", "there is a column 'words' already: choose another name"),
        ("quality={}/crawl.warc.gz:hq", "not a classifier of fastText: "),
    ],
)
def test_a_classifier_that_cannot_be_asked_is_refused(
    classifier: str, said: str, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--classifier", classifier.format(folder)]
    assert extract(folder / "crawl.warc.gz", tmp_path / "corpus", *arguments) == 2
    assert said in capsys.readouterr().err
    assert not (tmp_path / "corpus").exists()
