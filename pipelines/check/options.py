"""The options of `cedar check`."""

from dataclasses import dataclass

from cedar.pipelines.common.arguments import Command
from cedar.pipelines.common.shared_options import quiet_option
from cedar.transforms.model.options import flag, option, required


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckOptions:
    """The options of `cedar check`; the help of each field says what it means."""

    corpora: tuple[str, ...] = required(
        "directory or URI of a corpus", name="corpora", unit="path", repeats="+", metavar="CORPUS"
    )
    cdx: tuple[str, ...] = option(
        "CDXJ or CDX files, or a WACZ for the index in it: count what became of their captures, and list "
        "those without a row",
        unit="path",
        repeats="+",
        metavar="FILE",
    )
    repair: bool = flag(
        "finish what was cut short, delete files that no commit names, and rewrite run.json from the commits"
    )
    quiet: bool = quiet_option(None)


COMMAND = Command(
    usage="CORPUS ... [--repair] [--cdx FILE ...]",
    summary="check that a corpus is whole, and repair what a killed run left",
    description=(
        "Compare the files of a corpus with its commits, and its run.json with their sums. Rows are read "
        "with --cdx only, and nothing is changed without --repair. The exit code is 1 if anything is "
        "wrong, or a capture has no row."
    ),
    examples="""examples:
  cedar check corpus/
  cedar check s3://bucket/corpus --repair
  cedar check corpus/ --cdx index.cdxj
""",
    record=CheckOptions,
)
