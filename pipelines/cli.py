"""The entry of the `cedar` command: signals, faults and exit codes; `commands` does the rest.

Imports next to nothing: Ctrl-C is handled before the many modules of a run are imported.
"""

import errno
import logging
import os
import signal
import sys
from collections.abc import Sequence

import cedar
from cedar.pipelines.common.terminal import OutputError, prepare_streams, warn, write_out
from cedar.pipelines.local.stopping import StartupInterrupt


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code: 0 done, 1 failed, 2 wrong input, 130 interrupted."""
    try:
        with StartupInterrupt() as interruption:
            prepare_streams()
            code = _exit_code(list(sys.argv[1:] if argv is None else argv), interruption)
    except KeyboardInterrupt:
        code = 130
    if argv is None:
        # The process is about to end with this code.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    return code


def _exit_code(arguments: list[str], interruption: StartupInterrupt) -> int:
    """Run the command; turn its faults into one line and an exit code."""
    if sys.getfilesystemencoding() != "utf-8":
        warn(f"names of files are {sys.getfilesystemencoding()} here: set PYTHONUTF8=1, or a locale of UTF-8")
        return 2
    if (not_compiled := cedar.not_compiled()) is not None:
        warn(not_compiled)
        return 2
    try:
        from cedar.pipelines.commands import dispatch
        from cedar.pipelines.common.errors import UsageError, is_environment_error
        from cedar.transforms.corpus.errors import CorpusError, DamagedCorpusError

        try:
            code = dispatch(arguments, interruption)
            interruption.check()
            return code
        except (UsageError, CorpusError) as error:
            warn(str(error))
            return 1 if is_environment_error(error) else 2
        except DamagedCorpusError as fault:
            warn(str(fault))
            return 1
        finally:
            write_out("")
    except (ImportError, AttributeError, TypeError, ValueError) as fault:
        if (reason := _reason_of_installation(fault)) is None:
            raise
        warn(reason)
        return 2
    except OutputError as fault:
        warn(str(fault))
        return 1
    except MemoryError:
        warn("out of memory")
        return 1
    except OSError as fault:
        warn(_line_of(fault))
        logging.getLogger(__name__).info("a fault of the machine", exc_info=True)
        return 1


def _reason_of_installation(fault: Exception) -> str | None:
    """Return the fault of the installation and its remedy; None for a fault of another kind."""
    if isinstance(fault, ModuleNotFoundError):
        from cedar.transforms.model.packages import missing_package

        if (missing := missing_package(fault)) is not None:
            return f"needs {missing}"
    stale = cedar.stale_build()
    return None if stale is None else f"{stale} ({type(fault).__name__}: {fault})"


def _line_of(fault: OSError) -> str:
    if fault.strerror is None:
        return str(fault)
    if fault.strerror == os.strerror(errno.ENOENT) and not fault.filename:  # of getcwd
        return "this directory has been deleted: change to another one"
    return f"{fault.filename}: {fault.strerror}" if fault.filename else fault.strerror


if __name__ == "__main__":
    sys.exit(main())
