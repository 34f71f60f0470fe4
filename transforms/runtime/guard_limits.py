"""The limits of a page, and how much of them the machine grants a process.

Memory is limited as address space beyond the idle child's, read from `/proc/self/statm`; without that
file (other than Linux) memory is not limited.
"""

import math
import resource
from dataclasses import dataclass
from pathlib import Path

_PAGE_SIZE = resource.getpagesize()
_STATM = Path("/proc/self/statm")


class GuardFaultError(Exception):
    """Raised where no page is at fault: the machine keeps the guard from working, or the method itself."""


@dataclass(frozen=True, slots=True)
class GuardLimits:
    """The limits of a page.

    Attributes:
        cpu_seconds: CPU time, to the next whole second; wall time is limited to six times as much.
        memory_bytes: address space beyond what the idle child has.
    """

    cpu_seconds: float = 10.0
    memory_bytes: int = 512 << 20

    @property
    def wall_seconds(self) -> float:
        """Wall time that a page may take, whatever it does."""
        return 6 * self.cpu_seconds


DEFAULT_LIMITS = GuardLimits()


def granted(wanted: GuardLimits) -> GuardLimits:
    """Return the limits, cut down to what the hard limits of this process leave a child."""
    last_cpu = _last_cpu_second()
    _, hard_memory = resource.getrlimit(resource.RLIMIT_AS)
    cpu, memory = wanted.cpu_seconds, wanted.memory_bytes
    if last_cpu is not None:
        cpu = min(cpu, float(last_cpu))
    if hard_memory != resource.RLIM_INFINITY:
        memory = max(0, min(memory, hard_memory - (address_space() or 0)))
    return GuardLimits(cpu, memory)


def limit_memory(memory_bytes: int) -> None:
    """Limit this process to so much address space beyond what it has, if the system tells what it has."""
    in_use = address_space()
    if in_use is None:
        return
    room = in_use + memory_bytes
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard != resource.RLIM_INFINITY:
        room = min(room, hard)
    resource.setrlimit(resource.RLIMIT_AS, (room, room))


class CpuLimit:
    """Limits each page of this process to some CPU time."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        _, self._hard = resource.getrlimit(resource.RLIMIT_CPU)
        self._last = _last_cpu_second()
        self._end = 0

    def start_page(self, used: float) -> None:
        """Limit the page that begins now; `used` is the CPU time in seconds that is spent already."""
        end = math.ceil(used + self._seconds)
        if end == self._end:  # a second has many pages
            return
        soft = end if self._last is None else max(1, min(end, self._last))
        resource.setrlimit(resource.RLIMIT_CPU, (soft, self._hard))
        self._end = end

    def is_too_late(self, used: float) -> bool:
        """Tell whether too little CPU time is left for another page to have what the first one had."""
        return self._last is not None and used + self._seconds > self._last


def _last_cpu_second() -> int | None:
    """Return the CPU second at which a process can still be told that it is over; None: any.

    At the hard limit it is killed, as it might be for other reasons.
    """
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    return None if hard == resource.RLIM_INFINITY else max(0, hard - 1)


def address_space() -> int | None:
    """Return the address space of this process in bytes; None where the system does not tell."""
    try:
        return int(_STATM.read_text(encoding="ascii").split()[0]) * _PAGE_SIZE
    except FileNotFoundError:
        return None
