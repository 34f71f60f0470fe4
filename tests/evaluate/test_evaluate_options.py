"""The command line of `cedar evaluate`."""

from __future__ import annotations

import pytest

from cedar.pipelines.common.arguments import Parser, add_options
from cedar.pipelines.common.errors import UsageError
from cedar.pipelines.common.shared_options import ExtractorOptions
from cedar.pipelines.evaluate.options import (
    EvaluateOptions,
    Sweep,
    evaluate_options,
    expanded,
)


def parsed(*argv: str) -> EvaluateOptions:
    parser = Parser(prog="cedar evaluate", allow_abbrev=False)
    add_options(parser, EvaluateOptions)
    return evaluate_options(parser, argv)


def test_defaults() -> None:
    options = parsed("a.jsonl", "b.jsonl")
    assert options.gold == ("a.jsonl", "b.jsonl")
    assert [choice.label for choice in options.extractors] == ["cedar", "keep-all"]
    assert options.metrics == ("lcs", "bag-lower")
    assert (options.workers, options.limit, options.by) == (1, None, ())


def test_extractors_carry_their_options() -> None:
    options = parsed(
        "g", "--extractor", "cetr:smoothing=literal,k=4", "--extractor", "peer:trafilatura:mode=fast"
    )
    own, peer = options.extractors
    assert (own.name, own.options) == ("cetr", (("smoothing", "literal"), ("k", "4")))
    assert own.label == "cetr:smoothing=literal,k=4"
    assert (peer.name, peer.options) == ("peer:trafilatura", (("mode", "fast"),))
    assert peer.label == "peer:trafilatura:mode=fast"


def test_names_with_commas_and_underscores_in_options() -> None:
    options = parsed("g", "--page_timeout", "3", "--by=lang,page-type", "--metric", "bag,ttr")
    assert (options.page_timeout, options.by) == (3.0, ("lang", "page_type"))
    assert options.metrics == ("bag", "ttr")


def test_sweep_includes_both_ends() -> None:
    assert parsed("g", "--sweep", "threshold_factor=0:2:0.25").sweep == Sweep(
        "threshold_factor", ("0", "0.25", "0.5", "0.75", "1", "1.25", "1.5", "1.75", "2")
    )
    assert parsed("g", "--sweep", "x=0:0.3:0.1").sweep == Sweep("x", ("0", "0.1", "0.2", "0.3"))


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        ((), "GOLD"),
        (("g", "--extractor", ":k=3"), "not a valid extractor"),
        (("g", "--extractor", "cetr:"), "not a valid extractor"),
        (("g", "--sweep", "k=3:1:1"), "not a valid sweep"),
        (("g", "--sweep", "k=1:2:0"), "not a valid sweep"),
        (("g", "--sweep", "k=0:1:0.001"), "1001 steps"),
        (("g", "--by", "url"), "not a valid group"),
        (("g", "--limit", "0"), "whole number"),
        (("g", "--seed", "x"), "whole number"),
        (("g", "--speed", "3"), "unrecognized"),
    ],
)
def test_what_makes_no_sense_is_one_line(argv: tuple[str, ...], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        parsed(*argv)


def test_all_and_peers_stand_for_their_members_once() -> None:
    choices = [ExtractorOptions("b"), ExtractorOptions("all"), ExtractorOptions("peers")]
    found = expanded(choices, ("a", "b"), ("peer:c",), sweep=None)
    assert [choice.label for choice in found] == ["b", "a", "peer:c"]
    with pytest.raises(UsageError, match="all takes no options"):
        expanded([ExtractorOptions("all", (("k", "3"),))], ("a",), (), sweep=None)


def test_sweep_makes_an_extractor_of_each_value() -> None:
    found = expanded([ExtractorOptions("a", (("x", "1"),))], (), (), sweep=Sweep("y", ("0", "1")))
    assert [choice.label for choice in found] == ["a:x=1,y=0", "a:x=1,y=1"]
