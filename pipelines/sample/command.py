"""`cedar sample`: a small crawl to try Cedar on."""

from pathlib import Path

from cedar.pipelines.common.errors import UsageError
from cedar.pipelines.common.terminal import format_bytes, plural, print_unless
from cedar.pipelines.sample.archive import is_sample, write_sample
from cedar.pipelines.sample.mirror import CRAWLS, MIRROR_PAGES, is_mirror, make_mirror
from cedar.pipelines.sample.options import SampleOptions
from cedar.transforms.corpus.outputs import refuse_special
from cedar.transforms.files.local import whole_file
from cedar.transforms.files.storage import writing


def run(options: SampleOptions) -> int:
    """Write the sample. Raises UsageError if it cannot be written, or if other files are there."""
    with writing(options.output, UsageError):
        if options.mirror:
            written = _write_mirror(Path(options.output), options.pages)
        else:
            written = _write_archive(Path(options.output), options.pages or 0)
    print_unless(options.quiet)(written)
    return 0


def _write_archive(target: Path, pages: int) -> str:
    """Write the archive; returns the line that says what it holds."""
    if target.is_dir():
        raise UsageError(f"{target} is a directory: name a file, or give --mirror")
    refuse_special(str(target))
    if target.exists() and not is_sample(target):
        raise UsageError(f"{target} is there, and `cedar sample` did not write it: choose another name")
    target.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(target) as staged, staged.open("wb") as file:
        responses = write_sample(file, pages)
    return f"{target}: {plural(responses, 'response')}, {format_bytes(target.stat().st_size)}"


def _write_mirror(target: Path, pages: int | None) -> str:
    """Write the mirror; returns the line that says what it holds."""
    if target.exists() and not is_mirror(target):
        raise UsageError(f"{target} is there, and `cedar sample` did not write it: choose another name")
    files = make_mirror(target, MIRROR_PAGES if pages is None else pages)
    return f"{target}: {files} files of {' and '.join(CRAWLS)}"
