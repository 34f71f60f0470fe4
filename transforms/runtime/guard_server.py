"""The page guard's program: a server that imports once, and the children that it forks, one at a time.

The server has no threads: forking a worker of Beam's, which has many, is not safe. Each child has a socket of
its own, so that nothing of a page that killed one can reach the next; one whose memory has grown leaves.

A child gives up what a process that only reads pages does not need: should hostile markup take it over, it
is worth little. The limits hold everywhere, the filter of system calls on Linux on x86-64, if its kernel has
filters.
"""

import ctypes
import gc
import json
import os
import pkgutil
import platform
import resource
import signal
import socket
import struct
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import NoReturn

from cedar.transforms.extractors.extraction import Extraction
from cedar.transforms.model.books import RejectedError, RejectReason
from cedar.transforms.model.texts import MAX_DETAIL_CHARS, describe
from cedar.transforms.runtime import guard_wire as wire
from cedar.transforms.runtime.guard_limits import CpuLimit, GuardLimits, granted, limit_memory

_NO_NEW_PRIVS, _DEATH_SIGNAL = 38, 1  # prctl(2)
_SECCOMP, _SET_FILTER, _SPEC_ALLOW = 317, 1, 1 << 2  # seccomp(2); its SECCOMP_FILTER_FLAG_SPEC_ALLOW

_X86_64 = 0xC000003E  # AUDIT_ARCH_X86_64
_X32 = 0x40000000  # system calls of the other ABI have this bit
_NUMBER_AT, _ARCH_AT, _ARGUMENTS_AT = 0, 4, 16  # struct seccomp_data
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000 | 1  # continue; fail with EPERM

# Linux, arch/x86/entry/syscalls/syscall_64.tbl
_REFUSED = (
    *(56, 57, 58, 435, 59, 322),  # clone, fork, vfork, clone3, execve, execveat
    *(101, 310, 311, 434, 438, 312),  # ptrace, process_vm_readv, _writev, pidfd_open, _getfd, kcmp
    *(41, 53, 42, 49),  # socket, socketpair, connect, bind
    *(85, 87, 263, 82, 264, 316),  # creat, unlink, unlinkat, rename, renameat, renameat2
    *(83, 258, 84, 86, 265, 88, 266),  # mkdir, mkdirat, rmdir, link, linkat, symlink, symlinkat
    *(90, 91, 268, 92, 93, 94, 260),  # chmod, fchmod, fchmodat, chown, fchown, lchown, fchownat
    *(76, 77, 133, 259),  # truncate, ftruncate, mknod, mknodat
    *(304, 437, 425),  # open_by_handle_at, openat2, io_uring_setup
    *(321, 298, 323),  # bpf, perf_event_open, userfaultfd
    *(165, 272, 308, 161),  # mount, unshare, setns, chroot
    *(129, 297, 424),  # rt_sigqueueinfo, rt_tgsigqueueinfo, pidfd_send_signal
)
_OPEN, _OPENAT = 2, 257
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
_TO_ITSELF = (62, 200, 234)  # kill, tkill, tgkill
_PRLIMIT = 302


def confine() -> None:
    """Give up, for good, new privileges, new processes and core files, which extraction does not need.

    Where there is a filter of system calls: other programs, sockets, other processes' memory and signals to
    them, and whatever changes a file, too.
    """
    for what in (resource.RLIMIT_NPROC, resource.RLIMIT_CORE):
        resource.setrlimit(what, (0, 0))
    if sys.platform != "linux":
        return
    _prctl(_NO_NEW_PRIVS, 1)
    if platform.machine() == "x86_64":
        program = _program(os.getpid())
        code = ctypes.create_string_buffer(program, len(program))
        header = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(code))  # struct sock_fprog
        ctypes.CDLL(None).syscall(_SECCOMP, _SET_FILTER, _SPEC_ALLOW, header)


def die_with(parent: int) -> None:
    """Have the system kill this process when its parent, which has this id, ends."""
    if sys.platform == "linux":
        _prctl(_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def _prctl(what: int, value: int) -> None:
    ctypes.CDLL(None).prctl(what, value, 0, 0, 0)


def _program(pid: int) -> bytes:
    """Return the filter for a process with this id, in the classic BPF that seccomp(2) takes."""
    # Each check jumps over the verdict that follows it, so that no distance has to be counted.
    allow, refuse = _step(0x06, _ALLOW), _step(0x06, _REFUSE)
    steps = _load(_ARCH_AT) + _unless_equal(_X86_64) + refuse + _load(_NUMBER_AT) + _if_any_bit(_X32) + refuse
    for number in _REFUSED:
        steps += _if_equal(number, refuse)
    for number, argument in ((_OPEN, 1), (_OPENAT, 2)):
        steps += _if_equal(number, _load_argument(argument) + _if_any_bit(_WRITES) + refuse + allow)
    for number, first in (*((number, pid) for number in _TO_ITSELF), (_PRLIMIT, 0)):
        steps += _if_equal(number, _load_argument(0) + _unless_equal(first) + refuse + allow)
    return steps + allow


def _step(code: int, value: int, if_true: int = 0, *, if_false: int = 0) -> bytes:
    return struct.pack("<HBBI", code, if_true, if_false, value)


def _load(at: int) -> bytes:
    return _step(0x20, at)


def _load_argument(number: int) -> bytes:
    return _load(_ARGUMENTS_AT + 8 * number)  # its lower half


def _if_equal(value: int, steps: bytes) -> bytes:
    return _step(0x15, value, 0, if_false=len(steps) // 8) + steps


def _unless_equal(value: int) -> bytes:
    return _step(0x15, value, 1, if_false=0)


def _if_any_bit(bits: int) -> bytes:
    return _step(0x45, bits, 0, if_false=1)


Method = Callable[[bytes], Extraction]

Parts = dict[str, bool]
"""Whether the kept HTML of a page, and its blocks, are wanted: the keywords of `guard_wire.encoded`."""

OUT_OF_MEMORY = 77
"""Exit code of a child whose page takes more memory than it may."""

TRIAL_PAGE = b"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>A page to try</title><style>p { margin: 0 }</style></head>
<body><div class="nav"><a href="/">Home</a> <a href="/about">About</a></div>
<h1>A page to try</h1>
<p>Every method can read this page. It is small &amp; has nothing odd about it, so that a process that dies of
it would die of any.</p>
<ul><li>one</li><li>two, with <a href="/two">a link</a></li></ul>
<table><tr><th>name</th><td>value</td></tr></table>
<script>var none = 0;</script></body></html>
"""
"""A page that is not an author's: what fails on it fails because of the machine."""

_START_SECONDS = 5.0  # CPU time for what a method imports at its first page
_GROWTH_SHARE = 8  # a child leaves that has grown by this part of its memory
_KIB = 1024


def main(arguments: list[str]) -> None:
    """Run the server's program: factory, and as JSON its arguments, whether HTML is wanted, and limits.

    Its stdin is the control socket.
    """
    # Ctrl-C goes to the whole group of processes; the guard says when to leave.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with socket.socket(fileno=os.dup(0)) as control, suppress(ConnectionError):
        try:
            server = _Server.of(arguments)
        except Exception as error:  # noqa: BLE001 - the guard raises it, where it can be seen
            _refuse(control, describe(error))
            return
        _close_standard_streams()
        gc.freeze()  # all of this stays: children need not look it through, nor copy its pages
        server.serve(control)


class _Server:
    def __init__(self, method: Method, limits: GuardLimits, parts: Parts) -> None:
        self._method = method
        self._limits = limits
        self._parts = parts
        self._child = 0

    @staticmethod
    def of(arguments: list[str]) -> "_Server":
        """Make the server that the program's arguments describe, and import all that it needs."""
        factory, factory_arguments, parts, limits_text = arguments
        limits = GuardLimits(*json.loads(limits_text))
        method: Method = pkgutil.resolve_name(factory)(*json.loads(factory_arguments))
        _try_method(method, limits.cpu_seconds + _START_SECONDS)
        return _Server(method, limits, json.loads(parts))

    def serve(self, control: socket.socket) -> None:
        """Fork a child for each socket that is handed in, and say how it ended, until the guard hangs up."""
        try:
            while True:
                message, descriptors, _, _ = socket.recv_fds(control, 1, 1)
                if not message:
                    return
                if message == wire.WAIT:
                    control.sendall(wire.END.pack(*self._end_child()))
                else:
                    self._start_child(control, descriptors[0])
        finally:
            if self._child:
                self._end_child()

    def _end_child(self) -> tuple[int, float]:
        """End the child, unless it has ended; returns its wait status, and the CPU seconds of all its life.

        Only a child that was waited for counts in the CPU time of those above it.
        """
        # What has begun to end keeps its status.
        os.kill(self._child, signal.SIGKILL)
        _, status, used = os.wait4(self._child, 0)
        self._child = 0
        return status, used.ru_utime + used.ru_stime

    def _start_child(self, control: socket.socket, pages: int) -> None:
        grant = granted(self._limits)
        parent = os.getpid()
        try:
            child = os.fork()
        except OSError as error:
            os.close(pages)
            _refuse(control, f"cannot start a process: {error.strerror}")
            return
        if child == 0:
            control.close()
            _run_child(parent, pages, self._method, grant=grant, parts=self._parts)
        os.close(pages)
        self._child = child
        control.sendall(wire.CHILD.pack(child, grant.cpu_seconds, grant.memory_bytes))


def _try_method(method: Method, seconds: float) -> None:
    """Have a method import what it imports at its first page; a child has no memory to spare for that.

    The system ends this process by SIGPROF if that takes longer than `seconds` of CPU time.
    """
    signal.setitimer(signal.ITIMER_PROF, seconds)
    os.write(2, f"{wire.TRYING}\n".encode())
    try:
        method(TRIAL_PAGE)
    except (ImportError, OSError, MemoryError):
        raise
    except Exception:  # noqa: BLE001, S110 - what it says of a page is asked for elsewhere
        pass
    with suppress(OSError):  # the method may have closed it
        os.ftruncate(2, 0)
    signal.setitimer(signal.ITIMER_PROF, 0)


def _refuse(control: socket.socket, why: str) -> None:
    control.sendall(wire.CHILD.pack(wire.NO_CHILD, 0.0, 0))
    wire.send(control, why[:MAX_DETAIL_CHARS].encode(errors="replace"))


def _close_standard_streams() -> None:
    """Close the streams that the server was started with: they are the user's."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nowhere, stream)
    os.close(nowhere)


def _run_child(parent: int, descriptor: int, method: Method, *, grant: GuardLimits, parts: Parts) -> NoReturn:
    """Run the child until the guard hangs up or the server is gone; the process ends here."""
    code = 1
    try:
        die_with(parent)
        limit_memory(grant.memory_bytes)
        confine()
        # Not closed before the process ends: then it is asked how it ended, and ended if it has not.
        pages = socket.socket(fileno=descriptor)
        _answer_pages(pages, method, grant, parts=parts)
        code = 0
    except MemoryError:
        code = OUT_OF_MEMORY
    except (EOFError, ConnectionError):
        code = 0  # the guard has left, perhaps with an answer unread
    finally:
        os._exit(code)


def _answer_pages(pages: socket.socket, method: Method, grant: GuardLimits, *, parts: Parts) -> None:
    """Answer pages until the child has grown or its CPU time is low; raise EOFError if the guard has left."""
    cpu_limit = CpuLimit(grant.cpu_seconds)
    used = resource.getrusage(resource.RUSAGE_SELF)
    max_rss = used.ru_maxrss + grant.memory_bytes // _GROWTH_SHARE // _KIB
    leaves = False
    while not leaves:
        html = wire.receive(pages)
        cpu_limit.start_page(used.ru_utime + used.ru_stime)
        found = _encoded_result(method, html, parts)
        used = resource.getrusage(resource.RUSAGE_SELF)
        cpu = used.ru_utime + used.ru_stime
        leaves = used.ru_maxrss > max_rss or cpu_limit.is_too_late(cpu)
        wire.send(pages, wire.answer(found, leaves=leaves, cpu_seconds=cpu))


def _encoded_result(method: Method, html: bytes, parts: Parts) -> bytes:
    """Extract from a page and encode the result; raise MemoryError if the page takes more than it may."""
    try:
        return wire.encoded(method(html), **parts)
    except MemoryError:
        raise
    except RejectedError as error:
        rejected = error
    except Exception as error:  # noqa: BLE001 - whatever a page does to an extractor is its own reject
        rejected = RejectedError(RejectReason.EXTRACTOR_ERROR, describe(error))
    return wire.encoded(rejected, with_html=False)
