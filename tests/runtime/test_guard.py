"""The page guard: whatever a page does to its child is one reject, and costs nobody else."""

from __future__ import annotations

import os
import platform
import resource
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from cedar import extract
from cedar.transforms.model.books import RejectedError
from cedar.transforms.runtime.guard import Guard, ServerLostError
from cedar.transforms.runtime.guard_limits import GuardFaultError, GuardLimits

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
        (b"burn in C", "time_limit", "1 s of CPU time|6 s of wall time"),
        (b"sleep", "time_limit", "6 s of wall time"),
        (b"allocate", "memory_limit", "256 MiB of address space"),
        (b"fail", "extractor_error", "ZeroDivisionError: no such page"),
        (b"reject", "media_type", "said so"),
        (b"segfault", "extractor_error", "the extractor's process died: SIGSEGV"),
        (b"leave", "extractor_error", "the extractor's process died: exit code 3"),
        (b"end", "extractor_error", "the extractor's process died: SIGTERM"),
        (b"lie", "extractor_error", f"the extractor's process talks nonsense: an answer of {1 << 60} bytes"),
        (b"babble", "extractor_error", "the extractor's process talks nonsense: "),
    ],
)
def test_a_bad_page_is_one_reject_and_the_next_is_well(
    page: bytes, reason: str, detail: str, guard: Guard
) -> None:
    found = verdict(guard, page)
    assert found[0] == reason
    assert any(found[1].startswith(each) for each in detail.split("|"))
    assert guard.extract(PAGE).title == "T"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGKILL])
def test_a_page_whose_child_is_killed_from_outside_is_extracted_by_the_next(
    number: signal.Signals, guard: Guard
) -> None:
    child = int(guard.extract(b"pid").text)
    os.kill(child, number)
    assert guard.extract(PAGE).title == "T"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("factory", "message"),
    [
        ("tests.runtime.guard_targets:refusing", "the page guard cannot work: OSError: no such luck"),
        (
            "tests.runtime.guard_targets:dying_in_children",
            "a page was stopped (the extractor's process died: exit code 3), "
            "and after it a small one, too (the extractor's process died: exit code 3)",
        ),
        (
            "tests.runtime.guard_targets:leaving",
            "the method ended its process on a small page (exit code 3)",
        ),
        (
            "tests.runtime.guard_targets:crashing",
            "the process of the method ended on a small page (killed by SIGABRT): no luck in C",
        ),
    ],
)
def test_where_no_page_can_be_extracted_it_is_no_fault_of_the_page(factory: str, message: str) -> None:
    guard = Guard((), GuardLimits(), factory)
    for _ in range(2):
        with pytest.raises(GuardFaultError) as fault:
            guard.extract(PAGE)
        assert str(fault.value) == message
    guard.close()


GRANTED_LESS = """
import resource
from cedar.transforms.runtime.guard import Guard
from cedar.transforms.runtime.guard_limits import GuardFaultError
from cedar.transforms.runtime.guard_limits import GuardLimits
resource.setrlimit(getattr(resource, {what!r}), ({hard}, {hard}))
guard = Guard((), GuardLimits(10.0, 8 << 30), "tests.runtime.guard_targets:by_content")
print(guard.extract(b"some words").text)
try:
    guard.extract({page!r})
except GuardFaultError as fault:
    print(fault)
print(guard.extract(b"some words").text)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("what", "hard", "page", "message"),
    [
        ("RLIMIT_CPU", 3, b"burn", "a page takes over 2 s of CPU time, all that this machine grants"),
        ("RLIMIT_AS", 3 << 30, b"allocate", " MiB of memory, all that this machine grants"),
    ],
)
def test_a_page_over_what_the_machine_grants_below_the_limit_is_a_fault(
    what: str, hard: int, page: bytes, message: str
) -> None:
    code = GRANTED_LESS.format(what=what, hard=hard, page=page)
    # The child is to find the functions of the tests, and looks for nothing in the current directory.
    there = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=there)
    before, fault, after = done.stdout.splitlines()
    assert before == after == "some words"
    assert message in fault


def test_a_child_has_imported_everything_before_its_first_page() -> None:
    guard = Guard((), GuardLimits(), "tests.runtime.guard_targets:importing_late")
    assert guard.extract(PAGE).text == "2"
    guard.close()


@pytest.mark.skipif(platform.machine() != "x86_64", reason="system calls are filtered on x86-64 alone")
def test_a_child_that_is_taken_over_reaches_nothing(guard: Guard) -> None:
    assert guard.extract(b"escape").text == "terminal"


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


def test_cpu_time_of_children_is_booked_also_when_they_are_killed(guard: Guard) -> None:
    before = guard.cpu_seconds
    guard.extract(b"work")
    worked = guard.cpu_seconds
    verdict(guard, b"burn")
    assert worked - before > 0.2
    assert guard.cpu_seconds - worked > 0.2


@pytest.mark.slow
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
    page = b"<p>" + b"word " * 300_000
    assert guard.extract(page).metrics.words == 300_000


def test_a_lost_server_is_replaced() -> None:
    guard = Guard((), GuardLimits(), "tests.runtime.guard_targets:by_content")
    child = int(guard.extract(b"pid").text)
    server = psutil.Process(child).parent()
    assert server is not None
    server.kill()
    os.kill(child, signal.SIGKILL)
    assert guard.extract(PAGE).title == "T"
    guard.close()


def test_a_server_that_was_lost_before_it_served_is_a_fault() -> None:
    def end_child() -> tuple[int, float]:
        raise ServerLostError("it is gone")

    guard = Guard((), GuardLimits(), "tests.runtime.guard_targets:by_content")
    for has_served in (True, False):
        ours, theirs = socket.socketpair()
        lost = SimpleNamespace(end_child=end_child, has_served=has_served, close=lambda: (0, 0.0))
        guard._pages, guard._server = ours, lost  # type: ignore[assignment]
        if has_served:
            assert guard._end_child() is None
        else:
            with pytest.raises(GuardFaultError, match="it is gone"):
                guard._end_child()
        theirs.close()


def test_nothing_is_left_behind_when_the_guard_closes() -> None:
    guard = Guard((), GuardLimits(), "tests.runtime.guard_targets:by_content")
    child = psutil.Process(int(guard.extract(b"pid").text))
    server = child.parent()
    assert server is not None
    guard.close()
    gone, alive = psutil.wait_procs([child, server], timeout=60)
    assert not alive, gone
    assert guard.extract(PAGE).title == "T"
    guard.close()
