"""The options of `cedar filter`: one frozen record, and the parser that makes it."""

import argparse
from dataclasses import dataclass, replace

from cedar.pipelines.common.arguments import Command, ConfigOptions, record_from_args
from cedar.pipelines.common.curation_options import CurationOptions
from cedar.pipelines.common.errors import UsageError
from cedar.pipelines.common.shared_options import (
    RUNNING,
    json_option,
    log_format_option,
    log_level_option,
    metrics_file_option,
    quiet_option,
    refuse_seed_alone,
    sample_option,
    seed_option,
)
from cedar.pipelines.common.url_options import NO_URL_OPTIONS, UrlOptions
from cedar.transforms.model.options import flag, option, options_of_record, required
from cedar.transforms.urls.sample import SampleSize

_BENCHMARK_WORDS = 13


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterOptions:
    """What `cedar filter` was asked for; the help of each field says what it means."""

    corpus: str = required("directory or URI of a corpus", name="corpus", unit="path", metavar="CORPUS")
    dry_run: bool = flag("count what would be kept and dropped, and write nothing")
    output: str | None = option(
        "directory or URI of the corpus to write", unit="path", metavar="DIR", alias="-o"
    )
    format: str | None = option(
        "format of the corpus to write: parquet, avro or jsonl", metavar="F", shown="CORPUS's"
    )
    decontaminate: tuple[str, ...] = option(
        "no pages that contain passages of a benchmark: JSON lines with the fields to look at, as "
        "mmlu.jsonl:question,answer, or plain text, a passage per line; may be repeated",
        metavar="FILE",
        repeats="append",
    )
    decontaminate_words: int = option(
        "words in a row that page and benchmark have in common", _BENCHMARK_WORDS, unit="number"
    )
    decontaminate_common: int | None = option(
        "passages on N pages of CORPUS or more do not count", unit="number", shown="all count"
    )
    sample: SampleSize | None = sample_option()
    seed: int = seed_option()
    files: ConfigOptions = options_of_record(ConfigOptions)
    urls: UrlOptions = options_of_record(UrlOptions)
    curation: CurationOptions = options_of_record(CurationOptions)
    workers: int | None = option("local processes", unit="number", shown="the cores", group=RUNNING)
    overwrite: bool = flag("delete the existing corpus, and start again", group=RUNNING)
    quiet: bool = quiet_option()
    json: bool = json_option("what runs/ keeps of this run, or what --dry-run counts, on one line")
    log_level: str = log_level_option()
    log_format: str = log_format_option()
    metrics_file: str | None = metrics_file_option()


def filter_options(values: argparse.Namespace) -> FilterOptions:
    """Make the record of parsed arguments.

    Raises UsageError: they do not go together, or there is nothing to do.
    """
    options = record_from_args(FilterOptions, values)
    if options.dry_run == (options.output is not None):
        raise UsageError("give one of the two: --dry-run counts, --output DIR writes")
    if options.dry_run and options.format is not None:
        raise UsageError("--format is for the corpus that --output writes: leave out --dry-run")
    refuse_seed_alone(options.seed, options.sample)
    has_benchmarks = bool(options.decontaminate)
    choices = (options.decontaminate_words, options.decontaminate_common)
    if not has_benchmarks and choices != (_BENCHMARK_WORDS, None):
        raise UsageError(
            "--decontaminate-words and --decontaminate-common are for --decontaminate: give it, too"
        )
    options = replace(options, curation=options.curation.checked(has_other_rules=has_benchmarks))
    if options.urls == NO_URL_OPTIONS:
        if options.dry_run and not (options.curation.keep or options.curation.preset or has_benchmarks):
            raise UsageError("nothing to count: give --keep, --preset or --block-domains")
        if options.curation == CurationOptions() and options.sample is None and not has_benchmarks:
            raise UsageError("nothing to do: give --keep, --preset, --mask or --block-domains, or --sample")
    return options


COMMAND = Command(
    usage="CORPUS (--dry-run | --output DIR) [options]",
    summary="apply rules to a corpus: count what they drop, or write what passes",
    description=(
        "Apply rules to the pages of a corpus: count what they would drop, or write a corpus of the pages "
        "that pass. Columns that the corpus lacks are computed from its texts."
    ),
    examples="""examples:
  cedar filter corpus/ --preset fineweb --dry-run
  cedar filter corpus/ --sample 1% --preset gopher --dry-run
  cedar filter corpus/ --language --keep 'language == eng and words >= 100' --output english/
""",
    record=FilterOptions,
    parse=lambda parser, argv: filter_options(parser.parse_args(argv)),
)
