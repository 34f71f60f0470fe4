"""Errors that end a command."""

from __future__ import annotations

import errno

_MACHINE_FAULTS = frozenset(
    {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.ESTALE, errno.ETIMEDOUT}
)


class UsageError(Exception):
    """The user's input is wrong; the message says what to do. Ends with exit code 2."""


def is_machine_fault(error: BaseException) -> bool:
    """Tell whether an error comes, whatever wraps it, of a machine that failed: a disk, a store, a server."""
    from transforms.files.storage import PassingFaultError

    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, PassingFaultError) or getattr(cause, "errno", None) in _MACHINE_FAULTS:
            return True
        cause = cause.__cause__
    return False
