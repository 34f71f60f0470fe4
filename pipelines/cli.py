"""The `cedar` command: parse, check, dispatch. Light to import: help needs neither Beam nor Arrow."""

from __future__ import annotations

import sys
from argparse import Action, ArgumentParser
from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

from pipelines.evaluate_options import add_evaluate_arguments, evaluate_options
from pipelines.options import (
    ExtractOptions,
    Parser,
    UsageError,
    add_extract_arguments,
    beam_actions,
    extract_options,
)
from pipelines.picture_options import (
    EXPLAIN_EXAMPLE,
    REPORT_EXAMPLE,
    add_explain_arguments,
    add_report_arguments,
    explain_options,
    report_options,
)
from transforms.compiled import is_in_use

_EXTRACT_EXAMPLE = """example:
  cedar extract crawl/*.warc.gz --output corpus/
  cedar extract 'incoming/*.warc.gz' --watch 30 --output corpus/
  cedar extract @warc.paths.gz --slice 0:90 --prefix s3://bucket/ --output s3://bucket/corpus
"""

_EVALUATE_EXAMPLE = """examples:
  cedar evaluate gold.jsonl.zst --extractor cetr --extractor cetd-ds
  cedar evaluate gold/*.zst --extractor all --extractor peer:trafilatura:mode=fast --by page_type
  cedar evaluate gold.jsonl.zst --extractor cetr-tm --sweep threshold_factor=0:2:0.25 --output curve.html
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code: 0 done, 1 failed, 2 wrong input, 130 interrupted."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        return _dispatch(arguments)
    except UsageError as error:
        print(f"cedar: {error}", file=sys.stderr)  # noqa: T201
        return 2
    except BrokenPipeError:
        return 1
    except KeyboardInterrupt:
        return 130


def _dispatch(arguments: list[str]) -> int:
    parser, extract, evaluate = _parsers()
    if arguments[:1] == ["extract"] and not {"-h", "--help"} & set(arguments):
        return _extract(extract_options(extract, arguments[1:], beam_actions))
    if arguments[:1] == ["evaluate"] and not {"-h", "--help", "--version"} & set(arguments):
        return _evaluate(evaluate, arguments[1:])
    values = parser.parse_args(arguments)
    if values.command == "extractors":
        return _list_extractors()
    if values.command == "explain":
        from pipelines import explain

        return explain.run(explain_options(values))
    if values.command == "report":
        from pipelines import report

        return report.run(report_options(values))
    parser.print_help()
    return 2


def _extract(options: ExtractOptions) -> int:
    from pipelines.logs import imports_quietly
    from pipelines.unused import without_unused_packages

    with without_unused_packages() if options.is_local else nullcontext():
        with imports_quietly(options.log_level):
            from pipelines.remote import reach_stores

            if not options.goes_on:
                from pipelines.extract_corpus import run
            elif options.is_local:
                from pipelines.watch import run
            else:
                from pipelines.stream import run

        reach_stores(options)
        return run(options)


def _evaluate(parser: Parser, arguments: list[str]) -> int:
    options = evaluate_options(parser, arguments)
    from pipelines.logs import imports_quietly

    with imports_quietly("warning"):
        from pipelines.evaluate import run as run_evaluation

    return run_evaluation(options)


def _parsers() -> tuple[Parser, Parser, Parser]:
    from argparse import RawDescriptionHelpFormatter

    parser = Parser(prog="cedar", description="Web crawls into clean text: WARC in, Parquet or Avro out.")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)
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
    for each in (parser, extract, evaluate):
        each.add_argument("--version", action=_Version, nargs=0, help="print the version and end")
    commands.add_parser(
        "extractors",
        help="the list of methods, with paper, summary and options",
        description="List the methods that --extractor takes, each with its paper and its options.",
        epilog="example:\n  cedar extractors\n",
        formatter_class=RawDescriptionHelpFormatter,
    )
    add_explain_arguments(
        commands.add_parser(
            "explain",
            help="one page, drawn: what was kept, and why",
            description="Draw one page: the numbers of a method, what it kept and dropped, and why.",
            epilog=EXPLAIN_EXAMPLE,
            formatter_class=RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
    )
    add_report_arguments(
        commands.add_parser(
            "report",
            help="a corpus, drawn: its books, its pages, its time",
            description="Draw a corpus: its books, its pages and its time; of two corpora what changed.",
            epilog=REPORT_EXAMPLE,
            formatter_class=RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
    )
    return parser, extract, evaluate


class _Version(Action):
    """Asks for the version only when it is wanted: that looks through what is installed."""

    def __call__(self, parser: ArgumentParser, *_: Any) -> None:
        """Print it and end."""
        from importlib.metadata import version

        kind = "compiled" if is_in_use() else "not compiled"
        print(f"cedar {version('cedar-corpus')} ({kind})")  # noqa: T201
        parser.exit()


def _list_extractors() -> int:
    from transforms.extractors import registry

    for name in registry.names():
        extractor = registry.get(name)
        print(f"{name}: {extractor.summary}")  # noqa: T201
        if extractor.paper:
            print(f"    {extractor.paper}")  # noqa: T201
        for option in extractor.option_specs:
            alias = f" (also {option.about.alias})" if option.about.alias else ""
            print(f"    {option.name}={option.default_text}{alias}: {option.about.doc} [{option.allowed}]")  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
