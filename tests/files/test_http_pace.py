"""The pace of a host: over all processes, never above the limits, and slower where the host complains."""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cedar.transforms.files.http_options import RateLimits
from cedar.transforms.files.pace import HostPace, Pace
from tests.helpers.crawl_server import FakeClock

HOST = "data.example"


def pace_of(directory: Path, clock: FakeClock, limits: RateLimits | None = None) -> Pace:
    return Pace(directory, limits or RateLimits(), clock.now, sleep=clock.sleep)


@given(rests=st.lists(st.floats(0, 20), min_size=1, max_size=80), rate=st.floats(0.1, 50))
def test_no_span_of_time_has_more_requests_than_the_bucket_and_the_rate_allow(
    rests: list[float], rate: float
) -> None:
    pace, now, sent = HostPace.begin(0.0, rate), 0.0, []
    for rest in rests:
        now += rest
        pace = pace.promise(now, rate)
        sent.append(now + pace.wait)
    for i, first in enumerate(sent):
        for j in range(i, len(sent)):
            assert j - i + 1 <= 10 + (sent[j] - first) * rate + 1e-6


def test_a_complaint_halves_the_rate_and_minutes_of_peace_raise_it_again() -> None:
    pace = HostPace.begin(0.0, 2.0).after_complaint(10.0)
    assert pace.rate == 1.0
    pace = pace.promise(69.0, 2.0)
    assert pace.rate == 1.0
    pace = pace.promise(70.0, 2.0)
    assert pace.rate == pytest.approx(1.1)
    pace = pace.promise(10_000.0, 2.0)
    assert pace.rate == 2.0


def test_requests_that_were_under_way_together_are_refused_as_one() -> None:
    pace = HostPace.begin(0.0, 2.0).after_refusal(sent=1.0, now=2.0).after_refusal(sent=1.5, now=3.0)
    assert (pace.pause, pace.paused_until) == (60.0, 62.0)
    assert pace.after_refusal(sent=62.0, now=63.0).pause == 120.0


def test_an_answer_ends_the_hour_of_refusals() -> None:
    pace = HostPace.begin(0.0, 2.0).after_refusal(sent=1.0, now=2.0)
    assert pace.refused_for_long(3601.0)
    assert not pace.after_answer(3.0).refused_for_long(1e9)


def test_a_refusal_that_one_met_pauses_all(tmp_path: Path) -> None:
    clock = FakeClock()
    one, other = pace_of(tmp_path, clock), pace_of(tmp_path, clock)
    one.change(HOST, partial(HostPace.after_refusal, sent=clock.now()))
    with other.turn(HOST):
        assert clock.waits("403") == [60.0]
    with other.turn("another.example"):
        assert len(clock.slept) == 1


def test_all_share_one_bucket(tmp_path: Path) -> None:
    clock = FakeClock()
    paces = [pace_of(tmp_path, clock) for _ in range(3)]
    for n in range(14):
        with paces[n % 3].turn(HOST):
            pass
    assert clock.time == pytest.approx(1000.0 + 4 / 2.0)


def test_there_are_no_more_connections_than_allowed_and_those_of_the_dead_are_free(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from tests.files.test_http_pace import *;"
        f"held = pace_of(Path({str(tmp_path)!r}), FakeClock(), RateLimits(connections=2)).turn(HOST);"
        "held.__enter__(); print('held', flush=True); sys.stdin.read()"
    )
    holder = subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert holder.stdout is not None
    assert holder.stdout.readline() == b"held\n"

    clock = FakeClock()

    def sleep(seconds: float, why: str) -> None:
        clock.sleep(seconds, why)
        holder.kill()
        holder.wait()

    pace = Pace(tmp_path, RateLimits(connections=2), clock.now, sleep=sleep)
    with pace.turn(HOST):
        assert not clock.slept
        with pace.turn(HOST):
            assert clock.waits("connections") == [0.5]
    holder.communicate()
