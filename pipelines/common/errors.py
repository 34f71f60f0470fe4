"""Errors that end a command."""

import errno
from contextlib import AbstractContextManager

from cedar.transforms.files.retry import TransientStorageError
from cedar.transforms.files.storage import raised_as

_MACHINE_FAULTS = frozenset(
    {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.ESTALE, errno.ETIMEDOUT}
)


class UsageError(Exception):
    """The user's input is wrong; the message says what to do. Ends with exit code 2."""


def usage_errors(
    *kinds: type[Exception], saying: str = "", short: bool = False
) -> AbstractContextManager[None]:
    """Raise errors of these kinds as UsageError: what the user gave is wrong, and their messages say how."""
    return raised_as(UsageError, *kinds, saying=saying, short=short)


def is_environment_error(error: BaseException) -> bool:
    """Tell whether an error comes, whatever wraps it, of a machine that failed: a disk, a store, a server."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, TransientStorageError) or getattr(cause, "errno", None) in _MACHINE_FAULTS:
            return True
        cause = cause.__cause__
    return False
