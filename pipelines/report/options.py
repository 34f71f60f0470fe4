"""The options of `cedar report`: one frozen record, and the parser that makes it."""

from dataclasses import dataclass

from cedar.pipelines.common.arguments import Command
from cedar.pipelines.common.errors import UsageError
from cedar.pipelines.common.shared_options import json_option, quiet_option
from cedar.transforms.model.options import flag, option


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportOptions:
    """The options of `cedar report`."""

    corpora: tuple[str, ...] = option(
        "directory or URI of a corpus, or of a result of cedar dedup; given two, what changed",
        name="corpora",
        unit="path",
        repeats="+",
        metavar="CORPUS",
    )
    duplicates: str | None = option(
        "result of cedar dedup over the one corpus: also show how many pages remain without duplicates",
        unit="path",
        metavar="RESULT",
    )
    output: str | None = option(
        "HTML file to write",
        unit="local path",
        metavar="FILE",
        shown="report.html in this directory",
        alias="-o",
    )
    open: bool = flag("show it in the browser")
    text: bool = flag("print a summary; no HTML unless --output is given")
    json: bool = json_option("its figures, on one line; no HTML unless --output is given", None)
    quiet: bool = quiet_option(None)

    def __post_init__(self) -> None:
        """Raise UsageError for options that do not go together."""
        if len(self.corpora) > 2:
            raise UsageError("give one corpus, or two to compare")
        if len(self.corpora) > 1 and self.duplicates is not None:
            raise UsageError("--duplicates is for the report of one corpus")
        if self.quiet and self.text:
            raise UsageError("give one of the two: --text prints a summary, --quiet only errors")


COMMAND = Command(
    usage="CORPUS [CORPUS] [options]",
    summary="draw a corpus: its counts, its pages, its time",
    description="Draw a corpus: its counts, its pages and its time; given two corpora, what changed.",
    examples="""examples:
  cedar report corpus/
  cedar report january/ february/ --output change.html
""",
    record=ReportOptions,
)
