"""The options of `cedar browse`: one frozen record, and the parser that makes it."""

from dataclasses import dataclass

from cedar.pipelines.common.arguments import Command
from cedar.transforms.model.options import flag, option, required


@dataclass(frozen=True, slots=True, kw_only=True)
class BrowseOptions:
    """The options of `cedar browse`."""

    corpus: str = required("directory or URI of a corpus", name="corpus", unit="path", metavar="CORPUS")
    duplicates: str | None = option(
        "result of cedar dedup over the corpus: show duplicates side by side",
        unit="path",
        metavar="RESULT",
    )
    sample: int = option(
        "at most N rows; of a larger corpus, some of each rule, language and length", 10_000, unit="number"
    )
    drawings: int = option(
        "draw N pages as cedar explain does, if their archives are on this machine or in an object store",
        50,
        unit="whole",
    )
    output: str = option("directory of the site", "site", unit="local path", metavar="DIR", alias="-o")
    open: bool = flag("show it in the browser")


COMMAND = Command(
    usage="CORPUS [options]",
    summary="make a website of a corpus, to search and read its pages",
    description="Make a website of a corpus: its pages, with search, and why each was kept or not.",
    examples="""examples:
  cedar browse corpus/ --open
  cedar browse corpus/ --duplicates unique/ --output site/
""",
    record=BrowseOptions,
)
