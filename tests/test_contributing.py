"""CONTRIBUTING.md says what to add where: its steps, followed on a copy of the checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest

ROOT = Path(__file__).parent.parent
FOLDERS = ("cedar", "pipelines", "transforms", "src", "docs")

pytestmark = pytest.mark.slow


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of the sources, with what was compiled of them."""
    for name in FOLDERS:
        left_out = shutil.ignore_patterns("__pycache__", "*.pyx", "*.png")
        shutil.copytree(ROOT / name, tmp_path / name, symlinks=True, ignore=left_out)
    for name in ("README.md", "CONTRIBUTING.md", "mkdocs.yml"):
        shutil.copy(ROOT / name, tmp_path)
    return tmp_path


def run(checkout: Path, *arguments: str) -> str:
    """Run a command of the copy; what it printed."""
    done = subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        cwd=checkout,
        env={**os.environ, "PYTHONPATH": str(checkout / "src")},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def cedar(checkout: Path, *arguments: str) -> str:
    return run(checkout, "-m", "cedar", *arguments)


def add_line(path: Path, before: str, line: str) -> None:
    """Put one line into a file, before the line that begins with `before`."""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    (place,) = (number for number, each in enumerate(lines) if each.startswith(before))
    path.write_text("".join([*lines[:place], line + "\n", *lines[place:]]), encoding="utf-8")


OPTIONS = '''
from dataclasses import dataclass

from cedar.pipelines.common.arguments import Command
from cedar.transforms.model.options import option


@dataclass(frozen=True, slots=True, kw_only=True)
class GreetOptions:
    """What `cedar greet` was asked for."""

    name: str = option("whom to greet", "world", metavar="NAME")


COMMAND = Command(
    usage="[options]",
    summary="greet somebody",
    description="Greet somebody.",
    examples="",
    record=GreetOptions,
)
'''
COMMAND = '''
from cedar.pipelines.common.terminal import print_out
from cedar.pipelines.greet.options import GreetOptions


def run(options: GreetOptions) -> int:
    """Print the greeting."""
    print_out(f"hello {options.name}")
    return 0
'''


def test_a_command_is_a_folder_and_one_line(checkout: Path) -> None:
    folder = checkout / "pipelines" / "greet"
    folder.mkdir()
    for name, content in (("__init__", ""), ("options", OPTIONS), ("command", COMMAND)):
        (folder / f"{name}.py").write_text(content)
    add_line(checkout / "pipelines" / "commands.py", '    "sample",', '    "greet",')
    assert cedar(checkout, "greet") == "hello world\n"
    assert cedar(checkout, "greet", "--name", "you") == "hello you\n"
    assert "greet somebody" in cedar(checkout, "--help")
    run(checkout, "docs/site_pages.py", "pages")
    assert "| `--name NAME` | whom to greet" in (checkout / "pages/cedar-greet.md").read_text()


def test_an_option_is_one_field(checkout: Path) -> None:
    options = checkout / "pipelines" / "export" / "options.py"
    field = '    tempo: int = option("how fast to write", 3, unit="number")'
    add_line(options, "    quiet: bool", field)
    assert "how fast to write" in cedar(checkout, "export", "--help")
    read = "from cedar.pipelines.commands import command_parser as p; print(p('export').parse_args({}))"
    given = ["c", "--output", "o", "--tempo", "7"]
    assert "tempo=7" in run(checkout, "-c", read.format(given))
    run(checkout, "docs/site_pages.py", "pages")
    assert "| `--tempo N` | how fast to write" in (checkout / "pages/options.md").read_text()


EXTRACTOR = '''
from cedar.transforms.extractors.extraction import Extraction
from cedar.transforms.extractors.lines.document import Decision, LineExtraction, LineOptions, read_document
from cedar.transforms.extractors.options import NoOptions


def long_lines(html: bytes, _: NoOptions) -> Extraction:
    """Keep the lines of a ratio above 20."""
    document = read_document(html, LineOptions())
    return LineExtraction.of(document, Decision(document.ratios > 20, document.ratios, 20.0))
'''


def test_an_extractor_over_lines_is_one_file_and_one_line(checkout: Path) -> None:
    (checkout / "transforms/extractors/lines/long_lines.py").write_text(EXTRACTOR)
    line = '    _ours("long-lines", "lines.long_lines", "NoOptions")("lines above 20"),'
    add_line(checkout / "transforms/extractors/catalogue.py", '    _ours("keep-all"', line)
    (checkout / "page.html").write_text("<p>Home</p>\n<p>" + "A line of many words. " * 5 + "</p>\n")
    text = cedar(checkout, "text", "page.html", "--extractor", "long-lines")
    assert text.startswith("A line of many words.")
    assert "lines above 20" in cedar(checkout, "extractors")
    cedar(checkout, "explain", "page.html", "--extractor", "long-lines", "--output", "drawn.html")


def test_a_column_is_a_field_and_what_fills_it(checkout: Path) -> None:
    annotations = checkout / "transforms/model/annotations.py"
    add_line(
        annotations,
        "    date_source: Annotated[",
        '    greeting: Annotated[str | None, "how it greets"] = None',
    )
    reading = checkout / "transforms/metadata/reading.py"
    add_line(reading, '        "date_source"', '        "greeting": "hello",')
    cedar(checkout, "sample", "sample.warc.gz")
    cedar(checkout, "extract", "sample.warc.gz", "--output", "corpus", "--with-metadata", "--quiet")
    (file,) = (checkout / "corpus" / "pages").iterdir()
    table = pq.read_table(file)
    assert set(table["greeting"].to_pylist()) == {"hello"}
    run(checkout, "docs/site_pages.py", "pages")
    assert "| `greeting` | string, nullable | how it greets |" in (checkout / "pages/metadata.md").read_text()


GROUP = '''
@described
class Greeting(NamedTuple):
    """How a page greets."""

    greeting: Annotated[str | None, "how it greets"] = None


GROUP_RECORDS: Mapping[str, type] = {
    "greeting": Greeting,
'''
MAKER = """
def _greeting(page: Page, extraction: Extraction, _: ExtractPlan) -> NamedTuple:
    from cedar.transforms.model.annotations import Greeting

    return Greeting(f"hello {page.url}, {len(extraction.text)}")


"""


def test_a_group_of_columns_is_three_files(checkout: Path) -> None:
    annotations = checkout / "transforms/model/annotations.py"
    text = annotations.read_text().replace("GROUP_RECORDS: Mapping[str, type] = {\n", GROUP)
    annotations.write_text(text)
    maker = checkout / "transforms/runtime/page_extractor.py"
    add_line(maker, "COLUMNS_OF_PAGES:", MAKER)
    add_line(maker, '    "metadata": _metadata', '    "greeting": _greeting,')
    flag = '    with_greeting: bool = flag("add how it greets", group=_MADE, adds="greeting")'
    add_line(checkout / "pipelines/extract/options.py", "    files: ConfigOptions", flag)
    cedar(checkout, "sample", "sample.warc.gz")
    extract = ("extract", "sample.warc.gz", "--output", "corpus", "--quiet")
    cedar(checkout, *extract, "--with-greeting", "--with-metadata")
    (file,) = (checkout / "corpus" / "pages").iterdir()
    table = pq.read_table(file, columns=["url", "greeting", "text", "date_source"])
    for row in table.to_pylist():
        assert row["greeting"] == f"hello {row['url']}, {len(row['text'])}"
    again = subprocess.run(
        [sys.executable, "-m", "cedar", *extract],
        capture_output=True,
        text=True,
        cwd=checkout,
        env={**os.environ, "PYTHONPATH": str(checkout / "src")},
        check=False,
    )
    assert again.returncode == 2
    assert "column_groups" in again.stderr or "columns" in again.stderr


OWN = "from cedar.transforms.warc.own_members import OwnMembers"
FORMAT = '''
from cedar.transforms.warc.gzip_members import GzipMembers


class OwnMembers(GzipMembers):
    """Gzip, by another name."""

    __slots__ = ()
    suffix = ".bz2"
'''


def test_a_compressed_format_is_a_class_and_one_line(checkout: Path) -> None:
    (checkout / "transforms/warc/own_members.py").write_text(FORMAT)
    containers = checkout / "transforms/warc/containers.py"
    text = containers.read_text()
    text = text.replace("(GzipMembers, ZstdFrames)", "(OwnMembers, ZstdFrames)")
    containers.write_text(text)
    add_line(containers, "from cedar.transforms.warc.zstd_frames", OWN)
    cedar(checkout, "sample", "sample.warc.gz")
    (checkout / "in").mkdir()
    (checkout / "sample.warc.gz").rename(checkout / "in/sample.warc.bz2")
    cedar(checkout, "extract", "in", "--output", "corpus", "--quiet")
    assert list((checkout / "corpus" / "pages").iterdir())
