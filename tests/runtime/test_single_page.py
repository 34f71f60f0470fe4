"""`cedar.extract` with a timeout: the same result, or a TimeoutError."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

import cedar
from cedar.transforms.model.books import RejectedError

PAGE = "<h1>The mill</h1>" + "<p>The tide mill turned again on Saturday, for the first time in years.</p>" * 5

SLOW = """
import time
import cedar

@cedar.extractor(summary="sleeps")
def sleeps(html: str) -> str:
    time.sleep(60)
    return html

@cedar.extractor(summary="never ends", guarded=True)
def spins(html: str) -> str:
    while "Page 2" in html:
        pass
    return html

@cedar.extractor(summary="never works")
def fails(html: str) -> str:
    raise KeyError("page")
"""


@pytest.fixture
def _slow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tmp_path.joinpath("slow_extractors.py").write_text(SLOW)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.delitem(sys.modules, "slow_extractors", raising=False)


@pytest.mark.parametrize("extractor", ["cedar", pytest.param("cetd-ds", marks=pytest.mark.slow)])
def test_a_timeout_changes_no_result(extractor: str) -> None:
    within = cedar.extract(PAGE, extractor, timeout=60, markdown=True)
    whole = cedar.extract(PAGE, extractor, markdown=True)
    assert within == whole
    assert within.blocks == whole.blocks
    assert within.markdown


@pytest.mark.usefixtures("_slow")
def test_a_page_over_its_timeout_is_a_timeout_error() -> None:
    begun = time.monotonic()
    with pytest.raises(TimeoutError, match=r"0\.1 s"):
        cedar.extract(PAGE, "slow_extractors:sleeps", timeout=0.1)
    assert time.monotonic() - begun < 55


@pytest.mark.slow
@pytest.mark.usefixtures("_slow")
def test_a_guarded_extractor_over_its_timeout_is_a_timeout_error() -> None:
    assert "Page 1" in cedar.extract("<p>Page 1", "slow_extractors:spins", timeout=60).text
    with pytest.raises(TimeoutError):
        cedar.extract("<p>Page 2", "slow_extractors:spins", timeout=0.5)


@pytest.mark.usefixtures("_slow")
def test_what_an_extractor_raises_is_raised_with_a_timeout_too() -> None:
    with pytest.raises(RejectedError, match="KeyError: 'page'"):
        cedar.extract(PAGE, "slow_extractors:fails", timeout=60)


@pytest.mark.parametrize(
    ("timeout", "error"), [(0, ValueError), (-1, ValueError), (float("nan"), ValueError), ("3", TypeError)]
)
def test_a_timeout_is_a_number_above_0(timeout: object, error: type[Exception]) -> None:
    with pytest.raises(error, match="timeout is a number of seconds"):
        cedar.extract(PAGE, timeout=timeout)  # type: ignore[arg-type]
