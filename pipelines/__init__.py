"""What a person runs: the `cedar` command and its graphs."""

import sys

_shown = sys.excepthook


def _without_interrupts(kind, error, trace) -> None:  # type: ignore[no-untyped-def]
    """Show what ends the process; of Ctrl-C while modules are imported, the exit code says all."""
    if kind is not KeyboardInterrupt:
        _shown(kind, error, trace)


sys.excepthook = _without_interrupts
