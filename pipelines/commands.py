"""The commands of `cedar`: parse, check, dispatch. Light to import: help needs neither Beam nor Arrow.

A command is a folder: `options` has its `COMMAND`, `command` its `run`.
"""

import difflib
import importlib
import os
import shutil
import textwrap
from argparse import Action, ArgumentParser, RawDescriptionHelpFormatter
from itertools import takewhile
from typing import Any, cast

from cedar.pipelines.common.arguments import Command, Parser, add_options, recipe_to_show
from cedar.pipelines.common.errors import UsageError
from cedar.pipelines.common.renamed import renamed_options
from cedar.pipelines.common.terminal import print_out, quoted
from cedar.pipelines.local.stopping import StartupInterrupt

COMMANDS = (
    "text",
    "explain",
    "crawls",
    "extract",
    "filter",
    "dedup",
    "export",
    "revisits",
    "check",
    "report",
    "browse",
    "extractors",
    "evaluate",
    "sample",
)
"""Their names, also the folders' names, in the order of the help: a page, a corpus, the methods."""

_SAYS_AND_ENDS = {"-h", "--help", "--version"}


def dispatch(arguments: list[str], interruption: StartupInterrupt) -> int:
    """Run the command that is asked for; returns its exit code, or raises UsageError or KeyboardInterrupt."""
    name, rest = (arguments[0], arguments[1:]) if arguments else ("", [])
    if name == "help":
        return dispatch([*rest, "--help"], interruption)
    if name and not name.startswith("-") and name not in COMMANDS:
        close = difflib.get_close_matches(name, COMMANDS, 1)
        hint = f"did you mean {close[0]}?" if close else f"choose from {', '.join(COMMANDS)}"
        raise UsageError(f"unknown command {quoted(name)}, {hint}")
    if name not in COMMANDS:
        overview = _overview()
        overview.parse_args(arguments)
        overview.print_help()
        return 2
    parser = command_parser(name)
    known = parser._option_string_actions
    for word in takewhile("--".__ne__, rest):
        if word in _SAYS_AND_ENDS:
            parser.parse_args([word])
        if word[:1] == "-" != word and os.path.exists(word) and word not in known:  # noqa: PTH110
            raise UsageError(f"{word} would be an option: to name the file, write ./{word}")
    command = command_of(name)
    recipe = recipe_to_show(parser, rest)
    if recipe is not None:
        print_out(recipe.rstrip())
        return 0
    options = command.options(parser, rest)

    from cedar.pipelines.common.logs import LogOptions, imports_quietly

    # Workers are processes: threads of OpenBLAS's in each of them take time to start, and would do nothing.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Arrow's own pool keeps what was freed: 20 to 30 MiB of a worker, and no time gained.
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    log = LogOptions(getattr(options, "log_level", "warning"), getattr(options, "log_format", "text"))
    with imports_quietly(log):
        run = importlib.import_module(f"cedar.pipelines.{name}.command").run
    interruption.check()
    return cast("int", run(options))


def command_parser(name: str) -> Parser:
    """Make the parser of one command, without the other commands' parsers."""
    command = command_of(name)
    parser = Parser(
        prog=f"cedar {name}",
        usage=f"cedar {name} {command.usage}",
        description=textwrap.fill(command.description, shutil.get_terminal_size().columns - 2),
        epilog=command.examples,
        formatter_class=RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add_options(parser, command.record)
    parser.renamed = renamed_options(name)
    _add_version(parser)
    return parser


def _overview() -> Parser:
    """Make the parser that knows the commands by name."""
    parser = Parser(prog="cedar", description="Web crawls into clean text: WARC in, Parquet or Avro out.")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)
    for name in COMMANDS:
        commands.add_parser(name, help=command_of(name).summary)
    _add_version(parser)
    return parser


def command_of(name: str) -> Command:
    """Return a command by its name."""
    return cast("Command", importlib.import_module(f"cedar.pipelines.{name}.options").COMMAND)


def _add_version(parser: Parser) -> None:
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")


class _Version(Action):
    """Asks for the version only when it is wanted: to find it takes time."""

    def __call__(self, parser: ArgumentParser, *_: Any) -> None:
        from importlib.metadata import version

        print_out(f"cedar {version('cedar-corpus')}")
        parser.exit()
