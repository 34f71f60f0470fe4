"""The README and docs/ say what is so: their examples run, their tables are the code's."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from cedar.pipelines.cli import main
from cedar.pipelines.commands import COMMANDS
from cedar.pipelines.sample.archive import write_sample
from tests.helpers.documents import README, ROOT, page, python_examples


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory in which the README's commands have been run."""
    directory = tmp_path_factory.mktemp("readme")
    sample = directory / "demo" / "sample.warc.gz"
    sample.parent.mkdir()
    with sample.open("wb") as file:
        write_sample(file)
    for name, options in (("corpus", []), ("avro", ["--format", "avro"])):
        arguments = ["extract", str(sample), "--output", str(directory / "demo" / name), "--quiet", *options]
        assert main(arguments) == 0
    return directory


EXAMPLES = python_examples(README, page("corpus"), page("markdown"), page("metadata"), page("python"))
OUTPUTS = {
    "pq.read_table": "5 timestamp[us, tz=UTC]",
    "duckdb.sql": "('gbk', 1, ",
    "fastavro.reader": "https://sample.example/lamp 2026-01-31 12:00:00+00:00",
    "<nav>": "Long paragraphs, one after the other",
    "cedar.MarkdownOptions())": "| Elling | 2 |\n\n```py\nflow = area * speed\n```\n",
    "cedar.metadata": "2024-05-03T15:47:42+02:00 meta Ana Lima; Ole Berg https://sea.example/mills",
    "cedar.evaluate": "keep-all",
    "cedar.names": "A long paragraph. A long paragraph.",
    "from_html": "('https://sea.example/mills', 'Mills', 80)",
    "cedar.records": "https://sample.example/rivers ",
    "gopher-quality": "('https://sample.example/tushuguan', 'keep: words > 30 (words 4)')",
    "WriteCorpus": "demo/own/corpus",
    "import DecodePage": "('https://sample.example/map.pdf', 'media_type')",
}


@pytest.mark.slow
@pytest.mark.parametrize("mark", OUTPUTS)
def test_examples_run_and_print_what_they_should(mark: str, demo: Path) -> None:
    (example,) = (text for text in EXAMPLES if mark in text)
    # In no fork: DuckDB has threads.
    run = subprocess.run(
        [sys.executable, "-c", example], cwd=demo, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    assert OUTPUTS[mark] in run.stdout


def test_every_example_is_run() -> None:
    assert len(EXAMPLES) == len(OUTPUTS)


def test_own_pipeline_wrote_its_pages(demo: Path) -> None:
    if not any((demo / "demo").glob("own/pages*")):
        test_examples_run_and_print_what_they_should("import DecodePage", demo)
    tables = [pq.read_table(path) for path in (demo / "demo").glob("own/pages*")]
    assert sum(table.num_rows for table in tables) == 5
    assert "text" in tables[0].schema.names


def shown(start: str) -> list[str]:
    """The lines of the README's example that begins with a text."""
    (block,) = (text for text in re.findall(r"```\n(.*?)```", README, re.DOTALL) if text.startswith(start))
    return block.splitlines()


@pytest.mark.slow
def test_the_three_commands_print_what_the_readme_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for line in shown("cedar sample"):
        assert main(line.partition("#")[0].split()[1:]) == 0
    printed = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    for line in shown("records read"):
        if not line.startswith(("pages per second", "space saved")):
            assert " ".join(line.split()) in printed
    assert (tmp_path / "demo" / "explain.html").stat().st_size > 10_000
    read = subprocess.run(
        [sys.executable, str(ROOT / "docs" / "read_corpus.py"), "demo/corpus"],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    for line in shown("https://sample.example/"):
        assert line in read.stdout.splitlines()


def test_the_demo_ends_with_what_to_open_in_twenty_lines(
    demo: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["demo.py", str(demo / "demo")])
    runpy.run_path(str(ROOT / "docs" / "demo.py"))
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) <= 20
    assert f"{(demo / 'demo' / 'explain.html').as_uri()}" in lines[-4]
    assert all(len(line) <= 140 for line in lines[:-4])


def test_links_of_readme_and_docs_lead_somewhere() -> None:
    for text, folder in (
        (README, ROOT),
        *((page(f.stem), ROOT / "docs") for f in (ROOT / "docs").glob("*.md")),
    ):
        for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
            assert (folder / link).exists() or link == "options.md", link  # made with the site


def test_every_page_is_in_the_menu_of_the_site() -> None:
    menu = re.findall(r": ([\w-]+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE)
    pages = {path.name for folder in ("docs", "docs/pages") for path in (ROOT / folder).glob("*.md")}
    made = {f"cedar-{name}.md" for name in COMMANDS}
    assert len(menu) == len(set(menu))
    assert set(menu) - made == pages | {"start.md", "api.md", "contributing.md", "options.md"}
