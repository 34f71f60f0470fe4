"""Errors that end a command."""

from __future__ import annotations

import contextlib
import errno
from collections.abc import Iterator

_MACHINE_FAULTS = frozenset(
    {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.ESTALE, errno.ETIMEDOUT}
)


class UsageError(Exception):
    """The user's input is wrong; the message says what to do. Ends with exit code 2."""


@contextlib.contextmanager
def of_user(*kinds: type[Exception]) -> Iterator[None]:
    """Raise errors of these kinds as UsageError: what the user gave is wrong, and their messages say how."""
    try:
        yield
    except kinds as error:
        raise UsageError(str(error)) from error


def is_machine_fault(error: BaseException) -> bool:
    """Tell whether an error comes, whatever wraps it, of a machine that failed: a disk, a store, a server."""
    from transforms.files.storage import PassingFaultError

    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, PassingFaultError) or getattr(cause, "errno", None) in _MACHINE_FAULTS:
            return True
        cause = cause.__cause__
    return False
