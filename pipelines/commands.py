"""The commands of `cedar`: parse, check, dispatch. Light to import: help needs neither Beam nor Arrow."""

from __future__ import annotations

import os
from argparse import Action, ArgumentParser, Namespace, RawDescriptionHelpFormatter, _SubParsersAction
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from pipelines.common.arguments import Parser
from pipelines.common.messages import show
from pipelines.common.stopping import Interruption
from pipelines.extract.beam_arguments import beam_actions
from pipelines.extract.options import ExtractOptions, add_extract_arguments, extract_options
from pipelines.extract.store_options import store_environment

Commands: TypeAlias = "_SubParsersAction[Parser]"

_EXTRACT_EXAMPLE = """example:
  cedar extract crawl/*.warc.gz --output corpus/
  cedar extract 'incoming/*.warc.gz' --watch 30 --output corpus/
  cedar extract @warc.paths.gz --slice 0:90 --prefix s3://bucket/ --output s3://bucket/corpus
  cedar extract cc:latest --sample-files 20 --output corpus/
"""

_EVALUATE_EXAMPLE = """examples:
  cedar evaluate gold.jsonl.zst --extractor cetr --extractor cetd-ds
  cedar evaluate gold/*.zst --extractor all --extractor peer:trafilatura:mode=fast --by page_type
  cedar evaluate gold.jsonl.zst --extractor cetr-tm --sweep threshold_factor=0:2:0.25 --output curve.html
"""


def dispatch(arguments: list[str], interruption: Interruption) -> int:
    """Run the command that is asked for; returns its exit code.

    Args:
        arguments: the command and its arguments.
        interruption: hears Ctrl-C until a run has begun.

    Raises:
        UsageError: the user's input is wrong; nothing was started.
        KeyboardInterrupt: the user stopped it.
    """
    if arguments[:1] == ["extract"] and not {"-h", "--help"} & set(arguments):
        options = extract_options(command_parser("extract"), arguments[1:], beam_actions)
        return _extract(options, interruption)
    if arguments[:1] == ["evaluate"] and not {"-h", "--help", "--version"} & set(arguments):
        return _evaluate(command_parser("evaluate"), arguments[1:], interruption)
    if arguments[:1] == ["dedup"] and not {"-h", "--help"} & set(arguments):
        return _dedup(command_parser("dedup"), arguments[1:], interruption)
    parser, _ = _parsers(_COMMANDS)
    values = parser.parse_args(arguments)
    if values.command == "extractors":
        return _list_extractors()
    if values.command == "explain":
        from pipelines.explain import command as explain
        from pipelines.explain.options import explain_options

        interruption.check()
        return explain.run(explain_options(values))
    if values.command == "text":
        from pipelines.text import command as text
        from pipelines.text.options import text_options

        interruption.check()
        return text.run(text_options(values))
    if values.command == "crawls":
        from pipelines.crawls import command as crawls
        from pipelines.crawls.options import crawls_options

        interruption.check()
        return crawls.run(crawls_options(values))
    if values.command == "filter":
        return _filter(values, interruption)
    if values.command == "report":
        from pipelines.report import command as report
        from pipelines.report.options import report_options

        interruption.check()
        return report.run(report_options(values))
    parser.print_help()
    return 2


def _extract(options: ExtractOptions, interruption: Interruption) -> int:
    from pipelines.common.logs import imports_quietly

    # Workers are processes: threads of OpenBLAS's in each of them take time to start, and would do nothing.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    with imports_quietly(options.log_level):
        if options.plan:
            from pipelines.extract.preview import run
        elif not options.goes_on:
            from pipelines.extract.graph import run
        elif options.is_local:
            from pipelines.extract.watch import run
        else:
            from pipelines.extract.stream import run

    interruption.check()
    store_environment(options.beam_arguments).enter()
    return run(options)


def _filter(values: Namespace, interruption: Interruption) -> int:
    from pipelines.common.logs import imports_quietly
    from pipelines.filter.options import filter_options

    options = filter_options(values)
    with imports_quietly(options.log_level):
        from pipelines.filter.command import run

    interruption.check()
    return run(options)


def _dedup(parser: Parser, arguments: list[str], interruption: Interruption) -> int:
    from pipelines.common.logs import imports_quietly
    from pipelines.dedup.options import dedup_options

    options = dedup_options(parser, arguments, beam_actions)
    with imports_quietly(options.log_level):
        from pipelines.dedup.command import run

    interruption.check()
    return run(options)


def _evaluate(parser: Parser, arguments: list[str], interruption: Interruption) -> int:
    from pipelines.evaluate.options import evaluate_options

    options = evaluate_options(parser, arguments)
    from pipelines.common.logs import imports_quietly

    with imports_quietly("warning"):
        from pipelines.evaluate.command import run as run_evaluation

    interruption.check()
    return run_evaluation(options)


def command_parser(name: str) -> Parser:
    """The parser of one command, made without those of the others."""
    return _parsers((name,))[1][name]


def _parsers(names: Iterable[str]) -> tuple[Parser, Mapping[str, Parser]]:
    """The parser of the command line with some of its commands, and theirs by name."""
    parser = Parser(prog="cedar", description="Web crawls into clean text: WARC in, Parquet or Avro out.")
    commands: Commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)
    for name in names:
        _COMMANDS[name](commands)
    for each in (parser, *(commands.choices[name] for name in _VERSIONED if name in commands.choices)):
        each.add_argument("--version", action=_Version, nargs=0, help="print the version and end")
    return parser, commands.choices


def _add_extract(commands: Commands) -> None:
    extract = commands.add_parser(
        "extract",
        help="WARC files to a corpus: text and metrics of every page",
        description="Read WARC and ARC files, extract the main content of every page, write a corpus. "
        "A run that was cut short goes on when the same command is given again.",
        epilog=_EXTRACT_EXAMPLE,
        formatter_class=RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add_extract_arguments(extract)


def _add_evaluate(commands: Commands) -> None:
    from pipelines.evaluate.options import add_evaluate_arguments

    evaluate = commands.add_parser(
        "evaluate",
        help="scores of extractors on pages whose text is known",
        description="Extract the pages of gold sets, compare with their gold text, and print means with "
        "intervals. A page on which an extractor fails scores 0.",
        epilog=_EVALUATE_EXAMPLE,
        formatter_class=RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add_evaluate_arguments(evaluate)


def _add_extractors(commands: Commands) -> None:
    commands.add_parser(
        "extractors",
        help="the list of methods, with paper, summary and options",
        description="List the methods that --extractor takes, each with its paper and its options.",
        epilog="example:\n  cedar extractors\n",
        formatter_class=RawDescriptionHelpFormatter,
    )


def _add_explain(commands: Commands) -> None:
    from pipelines.explain.options import EXPLAIN_EXAMPLE, add_explain_arguments

    explain = commands.add_parser(
        "explain",
        help="one page, drawn: what was kept, and why",
        description="Draw one page: the numbers of a method, what it kept and dropped, and why.",
        epilog=EXPLAIN_EXAMPLE,
        formatter_class=RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add_explain_arguments(explain)


def _add_text(commands: Commands) -> None:
    from pipelines.text.options import TEXT_EXAMPLE, add_text_arguments

    text = commands.add_parser(
        "text",
        help="the text of one page on standard output",
        description="Print the text of one page: of an HTML file, of a record of an archive, or of standard "
        "input. One block is one line.",
        epilog=TEXT_EXAMPLE,
        formatter_class=RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add_text_arguments(text)


def _add_filter(commands: Commands) -> None:
    from pipelines.filter.options import FILTER_EXAMPLE, add_filter_arguments

    parser = commands.add_parser(
        "filter",
        help="rules over a corpus: what they would drop, or a corpus of what they leave",
        description="Hold the pages of a corpus to rules: count what they would drop, or write a corpus of "
        "what they leave. Columns that the corpus lacks are made of its texts.",
        epilog=FILTER_EXAMPLE,
        formatter_class=RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add_filter_arguments(parser)


def _add_crawls(commands: Commands) -> None:
    from pipelines.crawls.options import CRAWLS_EXAMPLE, add_crawls_arguments

    crawls = commands.add_parser(
        "crawls",
        help="the crawls that Common Crawl has published",
        description="List the crawls that cedar extract takes as cc:NAME, newest first, with their dates.",
        epilog=CRAWLS_EXAMPLE,
        formatter_class=RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add_crawls_arguments(crawls)


def _add_dedup(commands: Commands) -> None:
    from pipelines.dedup.options import DEDUP_EXAMPLE, add_dedup_arguments

    dedup = commands.add_parser(
        "dedup",
        help="duplicates, exact and near, within corpora and against earlier ones",
        description="Find the pages that are duplicates of others, and say which one of them is kept. "
        "Corpora are read, never changed. A run that was cut short goes on when the same command is given "
        "again.",
        epilog=DEDUP_EXAMPLE,
        formatter_class=RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add_dedup_arguments(dedup)


def _add_report(commands: Commands) -> None:
    from pipelines.report.options import REPORT_EXAMPLE, add_report_arguments

    report = commands.add_parser(
        "report",
        help="a corpus, drawn: its books, its pages, its time",
        description="Draw a corpus: its books, its pages and its time; of two corpora what changed.",
        epilog=REPORT_EXAMPLE,
        formatter_class=RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add_report_arguments(report)


_COMMANDS: Mapping[str, Callable[[Commands], None]] = {
    "extract": _add_extract,
    "evaluate": _add_evaluate,
    "extractors": _add_extractors,
    "explain": _add_explain,
    "text": _add_text,
    "filter": _add_filter,
    "dedup": _add_dedup,
    "report": _add_report,
    "crawls": _add_crawls,
}

_VERSIONED = ("extract", "evaluate")
"""The commands that take --version, too."""


class _Version(Action):
    """Asks for the version only when it is wanted: that looks through what is installed."""

    def __call__(self, parser: ArgumentParser, *_: Any) -> None:
        """Print it and end."""
        from importlib.metadata import version

        show(f"cedar {version('cedar-corpus')}")
        parser.exit()


def _list_extractors() -> int:
    from transforms.extractors import plugins, registry

    for name in (*registry.names(), *plugins.names()):
        extractor = registry.get(name)
        default = " (the default)" if name == registry.DEFAULT else ""
        show(f"{name}{default}: {extractor.summary}")
        show(f"    {extractor.fidelity.value}")
        if extractor.paper:
            show(f"    {extractor.paper}")
        for option in extractor.option_specs:
            alias = f" (also {option.about.alias})" if option.about.alias else ""
            show(f"    {option.name}={option.default_text}{alias}: {option.about.doc} [{option.allowed}]")
    return 0
