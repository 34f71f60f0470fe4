"""The options of `cedar revisits`."""

from dataclasses import dataclass

from cedar.pipelines.common.arguments import Command
from cedar.pipelines.common.shared_options import quiet_option
from cedar.transforms.model.options import option, required


@dataclass(frozen=True, slots=True, kw_only=True)
class RevisitsOptions:
    """The options of `cedar revisits`; the help of each field says what it means."""

    corpus: str = required("directory or URI of a corpus", name="corpus", unit="path", metavar="CORPUS")
    output: str = required("Parquet file to write", unit="local path", metavar="FILE", alias="-o")
    against: tuple[str, ...] = option(
        "corpora of earlier crawls, in which captures are looked up, too",
        unit="path",
        repeats="+",
        metavar="CORPUS",
    )
    quiet: bool = quiet_option(None)


COMMAND = Command(
    usage="CORPUS --output FILE [options]",
    summary="list the revisits of a corpus with the page that each refers to",
    description=(
        "Write the revisits of a corpus as one Parquet file: captures that an archive stored without their "
        "content, each with the row of the earlier capture that has it."
    ),
    examples="""examples:
  cedar revisits corpus/ --output revisits.parquet
  cedar revisits march/ --against february/ --output revisits.parquet
""",
    record=RevisitsOptions,
)
