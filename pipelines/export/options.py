"""The options of `cedar export`: one frozen record, and the parser that makes it."""

from dataclasses import dataclass

from cedar.pipelines.common.arguments import Command
from cedar.pipelines.common.shared_options import quiet_option, sample_option, seed_option
from cedar.transforms.model.options import flag, option, required
from cedar.transforms.urls.sample import SampleSize

CDXJ = "cdxj"
"""The format that is no format of rows: an index."""

FILE_SIZE = 256 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportOptions:
    """What `cedar export` was asked for; the help of each field says what it means."""

    corpus: str = required("directory or URI of a corpus", name="corpus", unit="path", metavar="CORPUS")
    output: str = required(
        "directory or URI of the data set to write; of cdxj the file", unit="path", metavar="DIR", alias="-o"
    )
    columns: str | None = option(
        "the columns, in order (id: the id of a page's record); with a minus before each, all others: "
        "--columns=-html,-markdown",
        metavar="NAMES",
        shown="all",
    )
    where: str | None = option(
        "only pages for which this holds, such as 'language == eng and words >= 100'", metavar="EXPR"
    )
    sample: SampleSize | None = sample_option()
    seed: int = seed_option()
    shuffle: int | None = option(
        "write the pages in a random order, which this seed decides", unit="whole", metavar="SEED"
    )
    file_size: int = option(
        "start a new file when one has reached this size", FILE_SIZE, unit="size", minimum=64 << 10
    )
    format: str | None = option(
        "format: parquet, avro or jsonl; or cdxj: an index of pages and revisits, for tools of replay",
        metavar="F",
        shown="CORPUS's",
    )
    compression: str | None = option(
        "compression: zstd, snappy, gzip or none for parquet; deflate, zstandard or none for avro; "
        "zstd, gzip or none for jsonl",
        metavar="C",
        shown="the first of its format",
    )
    overwrite: bool = flag("delete the existing data set, and start again")
    quiet: bool = quiet_option(None)


COMMAND = Command(
    usage="CORPUS --output DIR [options]",
    summary="write a corpus as a data set: chosen columns, files of a given size",
    description=(
        "Write the pages of a corpus as a data set that loads by its directory: chosen columns and pages, in "
        "the order of the corpus or shuffled, in files of a given size. The same command continues an "
        "interrupted export."
    ),
    examples="""examples:
  cedar export corpus/ --output data/ --columns id,text,url --format jsonl --compression none
  cedar export corpus/ --output long/ --where 'words >= 100' --shuffle 1
  cedar export corpus/ --format cdxj --output index.cdxj
  cedar export unique/corpus/ --output all/ --columns=-decode_seconds,-extract_seconds --file-size 512MiB
""",
    record=ExportOptions,
)
