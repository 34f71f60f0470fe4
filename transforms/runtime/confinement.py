"""What a process gives up that only reads pages: should hostile markup take it over, it is worth little.

The limits hold everywhere. The filter of system calls is for Linux on x86-64; a kernel without filters goes
without.
"""

from __future__ import annotations

import ctypes
import os
import platform
import resource
import signal
import struct
import sys

_NO_NEW_PRIVS, _DEATH_SIGNAL = 38, 1  # prctl(2)
_SECCOMP, _SET_FILTER, _AS_FAST_AS_BEFORE = 317, 1, 1 << 2  # seccomp(2); its SECCOMP_FILTER_FLAG_SPEC_ALLOW

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
        ctypes.CDLL(None).syscall(_SECCOMP, _SET_FILTER, _AS_FAST_AS_BEFORE, header)


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


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("<HBBI", code, if_true, if_false, value)


def _load(at: int) -> bytes:
    return _step(0x20, at)


def _load_argument(number: int) -> bytes:
    return _load(_ARGUMENTS_AT + 8 * number)  # its lower half


def _if_equal(value: int, steps: bytes) -> bytes:
    return _step(0x15, value, 0, len(steps) // 8) + steps


def _unless_equal(value: int) -> bytes:
    return _step(0x15, value, 1, 0)


def _if_any_bit(bits: int) -> bytes:
    return _step(0x45, bits, 0, 1)
