"""The `cedar` command: parse, check, dispatch. Light to import: help needs neither Beam nor Arrow."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.metadata import version

from pipelines.options import Parser, UsageError, add_extract_arguments, beam_actions, extract_options

_EXTRACT_EXAMPLE = """example:
  cedar extract crawl/*.warc.gz --output corpus/
  cedar extract 'incoming/*.warc.gz' --watch 30 --output corpus/
  cedar extract @warc.paths.gz --slice 0:90 --prefix s3://bucket/ --output s3://bucket/corpus
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
    parser, extract = _parsers()
    if arguments[:1] == ["extract"] and not {"-h", "--help"} & set(arguments):
        options = extract_options(extract, arguments[1:], beam_actions)
        from pipelines.logs import imports_quietly

        with imports_quietly(options.log_level):
            from pipelines import extract_corpus, stream, watch

        if options.watch is None:
            return extract_corpus.run(options)
        return watch.run(options) if options.is_local else stream.run(options)
    command = parser.parse_args(arguments).command
    if command == "extractors":
        return _list_extractors()
    parser.print_help()
    return 2


def _parsers() -> tuple[Parser, Parser]:
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
    for each in (parser, extract):
        each.add_argument("--version", action="version", version=f"cedar {version('cedar-corpus')}")
    commands.add_parser(
        "extractors",
        help="the list of methods, with paper, summary and options",
        description="List the methods that --extractor takes, each with its paper and its options.",
        epilog="example:\n  cedar extractors\n",
        formatter_class=RawDescriptionHelpFormatter,
    )
    return parser, extract


def _list_extractors() -> int:
    from transforms.extractors import registry

    for name in registry.names():
        extractor = registry.get(name)
        print(f"{name}: {extractor.summary}")  # noqa: T201
        if extractor.paper:
            print(f"    {extractor.paper}")  # noqa: T201
        for option in extractor.option_specs:
            alias = f" (also {option.about.alias})" if option.about.alias else ""
            print(f"    {option.name}={option.default}{alias}: {option.about.doc} [{option.allowed}]")  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
