"""The options of `cedar check`."""

from dataclasses import dataclass

from cedar.pipelines.common.arguments import Command
from cedar.transforms.model.options import flag, required


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckOptions:
    """The options of `cedar check`; the help of each field says what it means."""

    corpora: tuple[str, ...] = required(
        "directory or URI of a corpus", name="corpora", unit="path", repeats="+", metavar="CORPUS"
    )
    repair: bool = flag(
        "finish what was cut short, delete files that no commit names, and rewrite run.json from the commits"
    )


COMMAND = Command(
    usage="CORPUS ... [--repair]",
    summary="check that a corpus is whole, and repair what a killed run left",
    description=(
        "Compare the files of a corpus with its commits, and its run.json with their sums. No rows are read, "
        "and nothing is changed without --repair. The exit code is 1 if anything is wrong."
    ),
    examples="""examples:
  cedar check corpus/
  cedar check s3://bucket/corpus --repair
""",
    record=CheckOptions,
)
