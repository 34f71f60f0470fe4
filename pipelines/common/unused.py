"""Packages that a local run has no use for, though Beam and Arrow import them wherever they are installed."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from types import ModuleType

_UNUSED = frozenset({"apache_beam.io.gcp.bigquery", "bson", "pandas", "pymongo"})
"""Each of them is optional to whoever imports it. Beam has its connectors to databases in one namespace with
its files, and so loads their clients; Arrow asks of every list whether it is one of pandas'."""


class _NotInstalled:
    """Says of unused packages that there are none; leaves all others to the finders behind it."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002 - the import system's interface
        target: ModuleType | None = None,  # noqa: ARG002 - as above
    ) -> ModuleSpec | None:
        """Find nothing.

        Raises:
            ModuleNotFoundError: the module is unused.
        """
        if fullname in _UNUSED:
            raise ModuleNotFoundError(f"{fullname} is of no use to a local run", name=fullname)
        return None


@contextlib.contextmanager
def without_unused_packages() -> Iterator[None]:
    """Within it, packages that a local run has no use for look as if they were not installed.

    They are a fourth of the time that a run takes to start. Those that have been imported before stay as they
    are; behind it, all can be imported again.
    """
    finder = _NotInstalled()
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
