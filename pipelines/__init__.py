"""What a person runs: the `cedar` command and its graphs."""

import sys

_shown = sys.excepthook
# Of Ctrl-C while modules are imported, the exit code says all.
sys.excepthook = lambda kind, *more: None if kind is KeyboardInterrupt else _shown(kind, *more)
