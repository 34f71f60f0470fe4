"""`cedar.evaluate`: a record for each page and extractor, the same scores as the command's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas
import pytest

import cedar
from cedar.pipelines.cli import main

GOLD = Path(__file__).parent.parent / "gold" / "handmade"
TEXT = "Tides turn the wheel of the mill, twice a day."
PAGE: dict[str, Any] = {
    "html": f"<nav><a href='/'>Home</a></nav>{f'<p>{TEXT}</p>' * 9}",
    "text": "\n".join([TEXT] * 9),
}


def test_records_are_a_table_with_the_scores_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    chosen = ["cetr", "cetr-tm:lambda=0.5"]
    table = pandas.DataFrame(cedar.evaluate(str(GOLD), chosen))
    assert main(["evaluate", str(GOLD), *(f"--extractor={name}" for name in chosen), "--json"]) == 0
    means = {
        one["extractor"]: one["metrics"]["lcs"]["f1"]["mean"]
        for one in json.loads(capsys.readouterr().out)["results"]
    }
    assert table.groupby("extractor").f1.mean().to_dict() == pytest.approx(means, abs=1e-5)
    assert len(table) == 2 * 29
    assert set(table.lang) > {"en", "zh"}
    assert table.failure.isna().all()


def test_a_gold_set_may_be_a_path_object(tmp_path: Path) -> None:
    path = tmp_path / "gold.jsonl"
    path.write_text(json.dumps({**PAGE, "id": "mine"}) + "\n")
    assert [found["page"] for found in cedar.evaluate(path)] == ["mine"]


@pytest.mark.parametrize(
    ("pages", "extractors", "said"),
    [
        (PAGE, ["cetr"], r"as \[page\]"),
        (["page.html"], ["cetr"], "page 0: give a mapping"),
        ([PAGE], [len], "package.module:function"),
        ([PAGE], [lambda html: html], "package.module:function"),
    ],
)
def test_what_is_no_page_or_no_extractor_is_refused(pages: Any, extractors: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        cedar.evaluate(pages, extractors)


def test_pages_are_mappings_with_text_or_bytes_as_html() -> None:
    as_bytes = {**PAGE, "id": "mine", "html": PAGE["html"].encode("utf-16"), "page_type": "article"}
    plain, encoded = cedar.evaluate([PAGE, as_bytes])
    assert (plain["page"], encoded["page"], encoded["page_type"]) == ("0", "mine", "article")
    assert plain["extractor"] == "cedar"
    assert plain["f1"] == encoded["f1"] == 1.0


def test_tree_methods_run_in_their_guard() -> None:
    (found,) = cedar.evaluate([PAGE], ["cetd-ds"], metric="bag-lower")
    assert found["recall"] == 1.0


@pytest.mark.parametrize(
    ("pages", "chosen", "said"),
    [
        ([PAGE], {"extractors": ["cetx"]}, "cetx"),
        ([PAGE], {"extractors": ["cetr:k="]}, "cetr:k="),
        ([PAGE], {"metric": "bleu"}, "bleu"),
        ([PAGE, {"html": "<p>x"}], {}, "page 1: "),
        ("no/such/gold", {}, "no/such/gold"),
    ],
)
def test_what_cannot_be_scored_is_a_value_error(pages: Any, chosen: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        cedar.evaluate(pages, **chosen)
