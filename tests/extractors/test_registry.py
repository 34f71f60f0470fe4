"""Names and options of extractors."""

from __future__ import annotations

import dataclasses
import json

import pytest

from cedar import extract, names
from cedar.transforms.extractors import registry
from cedar.transforms.extractors.lines.cetr import CetrOptions, ThresholdOptions
from cedar.transforms.extractors.tree.combine import CombineOptions
from cedar.transforms.extractors.tree.limits import MAX_TAGS


def test_names_begin_with_the_default() -> None:
    assert names()[:4] == (registry.DEFAULT, "cetr", "cetr-tm", "cetr-km")


@pytest.mark.parametrize("name", names())
def test_every_extractor_describes_itself(name: str) -> None:
    extractor = registry.get(name)
    assert extractor.name == name
    assert extractor.summary
    assert "\n" not in extractor.summary
    assert all(spec.about.doc and spec.allowed for spec in extractor.option_specs)
    assert dataclasses.is_dataclass(registry.parse_options(name, {}))


def test_an_unknown_extractor_is_refused_with_the_list() -> None:
    with pytest.raises(
        ValueError, match=r"unknown extractor 'foo'; there are: cedar, cetr, cetr-tm, cetr-km, keep-all"
    ):
        extract("", "foo")


def test_a_name_with_options_is_refused_with_the_way_to_give_them() -> None:
    with pytest.raises(ValueError, match="options are given apart: k=4,head=drop"):
        registry.get("cetr:k=4,head=drop")


def test_strings_are_converted_by_type() -> None:
    given = {"alpha": "5", "k": "4", "smoothing": "literal", "line-break": "after-tag", "head": "drop"}
    assert registry.parse_options("cetr", given) == CetrOptions(
        alpha=5, k=4, smoothing="literal", line_break="after_tag", head="drop"
    )


def test_python_values_are_taken_too() -> None:
    assert registry.parse_options("cetr-tm", {"threshold_factor": 2}) == ThresholdOptions(
        threshold_factor=2.0
    )
    assert registry.parse_options("cetr", {"k": 4.0}) == CetrOptions(k=4)


def test_lambda_is_another_name_of_the_threshold_factor() -> None:
    assert registry.parse_options("cetr-tm", {"lambda": "0.5"}) == ThresholdOptions(threshold_factor=0.5)
    with pytest.raises(ValueError, match="threshold_factor is given twice"):
        registry.parse_options("cetr-tm", {"lambda": "0.5", "threshold-factor": "1"})


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        (
            "cetr",
            {"lambda": "1"},
            "cetr has no option 'lambda'; its options: line_break, blank_lines, chars, head, smoothing, k",
        ),
        ("keep-all", {"k": 3}, "keep-all has no option 'k'; its options: none"),
        ("cetr", {"k": "1"}, "cetr: k must be a whole number from 2 to 64, not '1'"),
        ("cetr", {"k": "x"}, "cetr: k must be a whole number from 2 to 64, not 'x'"),
        ("cetr", {"k": 2.5}, "cetr: k must be a whole number from 2 to 64, not 2.5"),
        ("cetr", {"k": True}, "cetr: k must be a whole number from 2 to 64, not True"),
        ("cetr", {"alpha": 0}, "cetr: alpha must be a whole number from 1 to 64, not 0"),
        (
            "cetr-tm",
            {"threshold_factor": "-1"},
            "cetr-tm: threshold_factor must be a number, at least 0, not '-1'",
        ),
        ("cetr-tm", {"threshold_factor": "nan"}, "at least 0, not 'nan'"),
        ("cetr-tm", {"threshold_factor": float("inf")}, "at least 0, not inf"),
        ("cetr-tm", {"threshold_factor": None}, "at least 0, not None"),
        ("cetr", {"smoothing": "none"}, "cetr: smoothing must be fixed or literal, not 'none'"),
        ("cetr", {"smoothing": 1}, "cetr: smoothing must be fixed or literal, not 1"),
        ("cetr", {"head": "off"}, "cetr: head must be keep or drop, not 'off'"),
    ],
)
def test_what_is_not_allowed_is_named(name: str, given: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError) as refused:  # noqa: PT011 - the message is compared as a whole below
        registry.parse_options(name, given)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_list_is_cut_at_its_commas_and_takes_the_order_of_the_choices() -> None:
    expected = CombineOptions(members=("bte", "cectd-ds", "lqf"))
    for given in ("lqf,cectd_ds,bte", " bte, lqf ,cectd-ds", ["lqf", "bte", "cectd-ds"]):
        assert registry.parse_options("combine", {"members": given}) == expected
    assert json.loads(registry.options_json(expected))["members"] == ["bte", "cectd-ds", "lqf"]
    again = registry.parse_options("combine", json.loads(registry.options_json(expected)))
    assert again == expected


def test_a_default_list_is_in_order_and_reads_as_on_a_command_line() -> None:
    (spec,) = (spec for spec in registry.get("combine").option_specs if spec.name == "members")
    assert registry.parse_options("combine", {"members": spec.default_text}) == CombineOptions()
    assert spec.allowed.startswith("a comma-separated list of cetr, ")


@pytest.mark.parametrize("value", ["", "cetr,", "cetr,cetr", "cetr;bte", "combine", 3, None, [], ["cetr", 1]])
def test_lists_of_anything_else_are_refused(value: object) -> None:
    with pytest.raises(
        ValueError, match=r"combine: members must be a comma-separated list of cetr, .* or lqf, not"
    ):
        registry.parse_options("combine", {"members": value})


def test_options_become_canonical_json() -> None:
    text = registry.options_json(registry.parse_options("cetr-tm", {"lambda": "2"}))
    assert text == (
        '{"blank_lines":"drop","chars":"raw","head":"keep","line_break":"before_text",'
        '"smoothing":"fixed","threshold_factor":2.0}'
    )
    assert registry.parse_options("cetr-tm", json.loads(text)) == ThresholdOptions(threshold_factor=2.0)
    assert registry.options_json(registry.parse_options("keep-all", {})) == "{}"


def test_options_are_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        registry.parse_options("cetr", {}).__setattr__("k", 5)


def test_the_default_stands_in_where_a_tree_is_too_large() -> None:
    page = b"<html><body><ul><li><a href='/'>Home</a></li></ul>\n<p>" + b"words " * 40 + b"</p></body></html>"
    assert extract(page, "cetd-ds").fallback is None
    large = page + b"<b>" * MAX_TAGS
    found = registry.bind("cetd-ds", "{}")(large)
    assert found.fallback is not None
    assert found.fallback.startswith("cetr: ")
    assert found.text == extract(large, "cetr").text
    assert extract(page, "cetr").fallback is None


def test_only_methods_that_build_trees_are_guarded() -> None:
    guarded = [name for name in names() if registry.get(name).builds_tree]
    trees = ["cetd-ds", "cectd-ds", "cectd-s", "coreex", "lqf", "lp", "lsi", "fe", "kfe", "vips"]
    assert guarded == [*trees, "crunch", "combine"]


def test_line_and_token_methods_are_named_as_in_the_literature() -> None:
    assert {"ttr-t", "ttr-km", "ttr-em", "ttr-ff", "ttr-p"} <= set(names())
    assert {"bte", "dsc", "adsc", "ccb", "accb", "mss"} <= set(names())


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "ttr-t",
            '{"blank_lines":"drop","chars":"raw","head":"keep","line_break":"before_text",'
            '"threshold_factor":0.5}',
        ),
        (
            "ttr-em",
            '{"blank_lines":"drop","chars":"raw","head":"keep","line_break":"before_text","max_clusters":3,'
            '"threshold_factor":0.5}',
        ),
        (
            "ttr-p",
            '{"blank_lines":"drop","chars":"raw","head":"keep","line_break":"before_text",'
            '"threshold_factor":0.5,"window":3}',
        ),
    ],
)
def test_methods_of_ttr_take_lambda(name: str, text: str) -> None:
    assert registry.options_json(registry.parse_options(name, {"lambda": "0.5"})) == text


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("bte", "{}"),
        ("dsc", '{"confirm":3,"max_window":50,"min_window":8,"slope_factor":0.5}'),
        ("adsc", '{"max_window":50,"min_window":8}'),
        ("ccb", '{"radius":40,"threshold":0.75}'),
        ("accb", '{"radius":40,"threshold":0.75}'),
        ("mss", '{"tag_cost":3.25}'),
    ],
)
def test_options_of_token_methods(name: str, text: str) -> None:
    assert registry.options_json(registry.parse_options(name, {})) == text


def test_rows_name_the_table_that_a_method_learned_and_their_options_can_be_given_again() -> None:
    plain = registry.options_json(registry.parse_options("cedar", {"title": "drop"}))
    named = json.loads(registry.row_options("cedar", plain))
    assert named == {**json.loads(plain), "@table": registry.get("cedar").table}
    assert registry.options_json(registry.parse_options("cedar", named)) == plain
    with pytest.raises(ValueError, match="the options are of table 0, here is table"):
        registry.parse_options("cedar", named | {"@table": "0"})
    assert registry.row_options("cetr", "{}") == "{}"
