"""Output in a terminal: every line that Cedar prints goes through here.

Names, URLs and lists come from outside: control characters and marks that turn text around are written out.
"""

import contextlib
import os
import re
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

_CONTROLS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
_MAX_QUOTED_CHARS = 60


class OutputError(Exception):
    """Standard output cannot be written; the message says why. Ends with exit code 1."""


def escape_controls(text: str) -> str:
    """Return a text from outside with its control characters written out."""
    return _CONTROLS.sub(lambda match: f"‹U+{ord(match[0]):04X}›", text)


def _without_secrets(text: str) -> str:
    if ":" not in text or "/" not in text:
        return text
    # Here, where it is needed: an import takes time.
    from cedar.transforms.files.http_options import with_urls_without_secrets

    return with_urls_without_secrets(text)


def quoted(text: str) -> str:
    """Return a value in quotes for a message, without secrets; a long one is cut."""
    text = _without_secrets(text)
    return repr(text if len(text) <= _MAX_QUOTED_CHARS else f"{text[:_MAX_QUOTED_CHARS]}...")


def plural(number: int, noun: str) -> str:
    """Return a number and what it counts: `1 shard`, `2,000 shards`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def format_bytes(size: float) -> str:
    """Return a size in bytes for people: `3.1 MB`."""
    unit, bytes_ = ("GB", 1e9) if size >= 1e9 else ("MB", 1e6) if size >= 1e5 else ("kB", 1e3)
    return f"{size / bytes_:,.1f} {unit}"


def relative_path(root: str) -> str:
    """Return a path relative to this directory, if it is in it."""
    path = Path(root)
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else root


def shell_command(words: Iterable[str]) -> str:
    """Quote a command for a shell; control characters are written as escapes of bash and zsh."""
    return " ".join(map(_shell_word, words))


def _shell_word(word: str) -> str:
    if word.isprintable() and escape_controls(word) == word:
        return shlex.quote(word)
    # Byte for byte, so that names that are not text stay what they are.
    octets = word.encode("utf-8", "surrogateescape")
    plain = (chr(b) if 0x20 <= b < 0x7F and b not in b"'\\" else f"\\x{b:02x}" for b in octets)
    return f"$'{''.join(plain)}'"


def print_out(*lines: str) -> None:
    """Print lines on standard output, if anybody reads them; raise OutputError where that fails."""
    write_out("".join(f"{escape_controls(line)}\n" for line in lines))


def print_unless(quiet: bool) -> Callable[..., None]:
    """Return what prints lines on standard output, or with `quiet` nothing."""
    return (lambda *_: None) if quiet else print_out


def warn(*lines: str) -> None:
    """Print warnings on standard error, with Cedar's name in front; an empty line is left out."""
    info(*(f"cedar: {line}" for line in lines if line))


def info(*lines: str) -> None:
    """Print lines on standard error; no URL in them shows a secret."""
    # Where no message can be written, the exit code still says how it ended.
    with contextlib.suppress(OSError, AttributeError):
        for line in lines:
            sys.stderr.write(f"{escape_controls(_without_secrets(line)).replace(chr(10), '‹U+000A›')}\n")
            sys.stderr.flush()


@contextlib.contextmanager
def table_console() -> "Iterator[Console]":
    """Make a console of rich whose lines are printed on standard output at the end.

    Text from outside that is given to the console goes through `escape_controls`. Raises as `print_out`.
    """
    from rich.console import Console

    console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
    with console.capture() as captured:
        yield console
    write_out(captured.get())


def show_rows(
    rows: Sequence[Sequence[str]], *, before: Sequence[str] = (), after: Sequence[str] = ()
) -> None:
    """Print a table on standard output: the first column to the left, the others to the right.

    Rows have equal numbers of cells; `before` and `after` are lines. No line is cut in a narrow window.
    Raises as `print_out`.
    """
    cells = [[escape_controls(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    print_out(*before)
    for first, *others in cells:
        rest = (cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True))
        print_out("  ".join((first.ljust(widths[0]), *rest)))
    print_out(*after)


def write_out(text: str | bytes) -> bool:
    """Write a text, or data as it is, to standard output; returns whether anybody reads on.

    What it still holds is written, too; if it cannot be, Python would try once more at its end.
    Raises as `print_out`.
    """
    try:
        stream: Any = sys.stdout if isinstance(text, str) else sys.stdout.buffer
        stream.write(text)
        stream.flush()
    except OSError as fault:
        with contextlib.suppress(OSError), open(os.devnull, "wb") as nowhere:  # noqa: PTH123
            os.dup2(nowhere.fileno(), sys.stdout.fileno())
        if isinstance(fault, BrokenPipeError):
            return False
        from cedar.transforms.files.storage import (
            cannot_write,  # here, where it is needed: an import takes time
        )

        raise OutputError(cannot_write("standard output", fault)) from fault
    return True


def prepare_streams() -> None:
    """Make the standard streams write out what their encoding cannot hold; those that are closed take all.

    Files that are opened later never have the number of one of them, here and in processes that are started.
    """
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(number, True)
    os.close(number)
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: PTH123, SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: PTH123, SIM115
    for stream in (sys.stdout, sys.stderr):
        # Other programs put other objects there.
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
