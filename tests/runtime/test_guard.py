"""The page guard: whatever a page does to its child is one reject, and costs nobody else."""

from __future__ import annotations

import os
import resource
import signal
import time
from collections.abc import Iterator

import psutil
import pytest

from transforms.extractors import extract
from transforms.model.books import RejectedError
from transforms.runtime.guard import Guard
from transforms.runtime.guard_limits import GuardLimits

PAGE = b"<html><head><title>T</title></head><body><p>some words</p></body></html>"


@pytest.fixture(scope="module")
def guard() -> Iterator[Guard]:
    guard = Guard(
        (), GuardLimits(cpu_seconds=1.0, memory_bytes=256 << 20), "tests.runtime.guard_targets:by_content"
    )
    yield guard
    guard.close()


def verdict(guard: Guard, page: bytes) -> tuple[str, str]:
    with pytest.raises(RejectedError) as error:
        guard.extract(page)
    return error.value.reason.value, error.value.detail


def test_a_page_comes_back_as_it_would_without_a_guard(guard: Guard) -> None:
    found, expected = guard.extract(PAGE), extract(PAGE, "keep-all")
    assert (found.text, found.title, found.html) == (expected.text, expected.title, expected.html)
    assert found.metrics == expected.metrics
    assert found.blocks == ()


@pytest.mark.parametrize(
    ("page", "reason", "detail"),
    [
        # on a machine that is very busy the wall time is over first
        (b"burn", "time_limit", "1 s of CPU time|6 s of wall time"),
        (b"burn in C", "time_limit", "1 s of CPU time|6 s of wall time"),
        (b"sleep", "time_limit", "6 s of wall time"),
        (b"allocate", "memory_limit", "256 MiB of address space"),
        (b"fail", "extractor_error", "ZeroDivisionError: no such page"),
        (b"reject", "media_type", "said so"),
        (b"segfault", "extractor_error", "the extractor's process died: SIGSEGV"),
        (b"leave", "extractor_error", "the extractor's process died: exit code 3"),
    ],
)
def test_a_bad_page_is_one_reject_and_the_next_is_well(
    page: bytes, reason: str, detail: str, guard: Guard
) -> None:
    start = time.monotonic()
    found = verdict(guard, page)
    assert found[0] == reason
    assert found[1] in detail.split("|")
    assert time.monotonic() - start < 20
    assert guard.extract(PAGE).title == "T"


def test_a_child_that_the_system_kills_is_given_the_page_once_more(guard: Guard) -> None:
    child = int(guard.extract(b"pid").text)
    os.kill(child, signal.SIGKILL)
    assert guard.extract(PAGE).title == "T"
    assert verdict(guard, b"killed") == ("memory_limit", "killed by the system, twice")
    assert guard.extract(PAGE).title == "T"


def test_children_stay_warm(guard: Guard) -> None:
    assert guard.extract(b"pid").text == guard.extract(b"pid").text


def test_what_a_page_takes_is_not_taken_from_the_next(guard: Guard) -> None:
    child = guard.extract(b"pid").text
    assert guard.extract(b"grow").text == child
    assert guard.extract(b"pid").text != child


@pytest.mark.parametrize(("page", "least"), [(b"work", 0.2), (b"burn", 0.2)])
def test_cpu_time_of_children_is_booked_also_when_they_are_killed(
    page: bytes, least: float, guard: Guard
) -> None:
    guard.extract(PAGE)
    before = guard.cpu_seconds
    if page == b"work":
        guard.extract(page)
    else:
        verdict(guard, page)
    assert least < guard.cpu_seconds - before < 3.0


def test_cpu_time_of_children_counts_in_this_process_once_the_guard_is_closed() -> None:
    def of_children() -> float:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    before = of_children()
    guard = Guard((), GuardLimits(), "tests.runtime.guard_targets:by_content")
    for _ in range(5):
        guard.extract(b"work")
    guard.close()
    # The server itself takes some tenths of a second to start.
    assert of_children() - before > guard.cpu_seconds > 1.0


def test_large_pages_pass(guard: Guard) -> None:
    page = b"<p>" + b"word " * 1_000_000
    assert guard.extract(page).metrics.words == 1_000_000


def test_a_lost_server_is_replaced() -> None:
    guard = Guard((), GuardLimits(), "tests.runtime.guard_targets:by_content")
    child = int(guard.extract(b"pid").text)
    server = psutil.Process(child).parent()
    assert server is not None
    server.kill()
    os.kill(child, signal.SIGKILL)
    assert guard.extract(PAGE).title == "T"
    guard.close()


def test_nothing_is_left_behind_when_the_guard_closes() -> None:
    guard = Guard((), GuardLimits(), "tests.runtime.guard_targets:by_content")
    child = psutil.Process(int(guard.extract(b"pid").text))
    server = child.parent()
    assert server is not None
    guard.close()
    gone, alive = psutil.wait_procs([child, server], timeout=10)
    assert not alive, gone
    assert guard.extract(PAGE).title == "T"
    guard.close()
