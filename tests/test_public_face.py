"""`import cedar`, the one default extractor of all entry points, and packages that stand in the way."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import cedar
from cedar.pipelines.cli import main
from cedar.pipelines.commands import command_parser
from cedar.pipelines.common.arguments import record_from_args
from cedar.pipelines.common.shared_options import DEFAULT_EXTRACTOR
from cedar.pipelines.evaluate.options import evaluate_options
from cedar.pipelines.explain.options import ExplainOptions
from cedar.pipelines.extract.options import extract_options
from cedar.pipelines.text.options import text_options
from cedar.transforms.extractors import registry
from tests.helpers.crawl import article, write_warc

PAGE = article(1)


def test_all_entry_points_have_the_same_default() -> None:
    explain = record_from_args(ExplainOptions, command_parser("explain").parse_args(["p"]))
    named = {
        "extract": extract_options(command_parser("extract"), ["a.warc", "--output", "o"]).extractor.name,
        "explain": (explain.choices or (DEFAULT_EXTRACTOR,))[0].name,
        "text": (text_options(command_parser("text").parse_args(["p"])).extractor or DEFAULT_EXTRACTOR).name,
        "evaluate": evaluate_options(command_parser("evaluate"), ["g"]).extractors[0].name,
        "Extract": cedar.Extract()._plan.extractor,
        "names": cedar.names()[0],
        "catalogue": registry.DEFAULT,
    }
    assert set(named.values()) == {"cedar"}, named
    assert cedar.extract(PAGE) == cedar.extract(PAGE, "cedar") != cedar.extract(PAGE, "keep-all")


def test_the_stand_in_is_a_line_method_that_needs_no_guard() -> None:
    assert registry.STAND_IN == "cetr"
    assert not registry.get(registry.STAND_IN).is_guarded


def test_every_public_name_is_there_and_a_misspelt_one_is_named() -> None:
    assert all(getattr(cedar, name) is not None for name in cedar.__all__)
    assert dir(cedar) == sorted([*cedar.__all__, "__version__"])
    with pytest.raises(AttributeError, match="module 'cedar' has no attribute 'extrakt'"):
        _ = cedar.extrakt


def test_importing_cedar_imports_neither_beam_nor_arrow_nor_lxml() -> None:
    program = (
        "import sys, cedar; cedar.extract('<p>x</p>');"
        "print([m for m in ('apache_beam', 'pyarrow', 'lxml') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_commands_that_run_no_pipeline_import_no_beam() -> None:
    names = ", ".join(
        f"cedar.pipelines.{name}.command" for name in ("crawls", "dedup", "explain", "report", "text")
    )
    program = f"import sys, {names}; print('apache_beam' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


@pytest.mark.parametrize(
    ("arguments", "beginning", "code"),
    [
        (["-c", "from cedar import extract"], "ImportError: ", 1),
        (["-m", "cedar", "text", "--help"], "cedar: ", 2),
    ],
)
def test_sources_that_are_not_compiled_say_what_to_do(
    arguments: list[str], beginning: str, code: int, tmp_path: Path
) -> None:
    root = Path(cedar.__file__).parents[1]
    left_out = shutil.ignore_patterns("*.so", "__pycache__")
    shutil.copytree(root / "cedar", tmp_path / "cedar", ignore=left_out)
    done = subprocess.run(
        [sys.executable, *arguments], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith(f"{beginning}Cedar's modules in {tmp_path}"), done.stderr
    assert "are not compiled: " in last
    assert done.returncode == code


@pytest.mark.slow
def test_text_prints_the_text_of_a_file_of_standard_input_and_of_a_record(tmp_path: Path) -> None:
    page, archive = tmp_path / "page.html", tmp_path / "crawl.warc.gz"
    page.write_bytes(PAGE)
    write_warc(archive, 3)
    expected = cedar.extract(PAGE).text + "\n"
    for arguments, given in (
        ([str(page)], b""),
        (["-"], PAGE),
        ([], PAGE),
        ([str(archive), "--url", "https://crawl.example/1"], b""),
    ):
        done = subprocess.run(
            [sys.executable, "-m", "cedar", "text", *arguments],
            input=given,
            capture_output=True,
            env={**os.environ, "PYTHONIOENCODING": "ascii"},
            check=True,
        )
        assert done.stdout.decode() == expected


def test_text_of_several_pages_is_parted_by_empty_lines(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    pages = [tmp_path / name for name in ("a.html", "b.html")]
    pages[0].write_bytes(article(1))
    pages[1].write_bytes(article(2))
    texts = [cedar.extract(page.read_bytes()).text for page in pages]
    assert main(["text", *map(str, pages)]) == 0
    assert capfdbinary.readouterr().out.decode() == f"{texts[0]}\n\n{texts[1]}\n"
    assert main(["text", str(tmp_path / "gone.html"), *map(str, pages)]) == 1
    printed = capfdbinary.readouterr()
    assert printed.out.decode() == f"{texts[0]}\n\n{texts[1]}\n"
    assert b"gone.html" in printed.err


def test_of_a_page_without_text_it_is_said_why(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    pages = [tmp_path / name for name in ("blank.html", "article.html")]
    pages[0].write_bytes(b"<title>A title</title><body></body>")
    pages[1].write_bytes(article(1))
    assert main(["text", *map(str, pages)]) == 0
    printed = capfdbinary.readouterr()
    assert printed.out.decode().strip() == cedar.extract(article(1)).text
    (line,) = printed.err.decode().splitlines()
    assert "blank.html" in line
    assert "nothing is kept (no text)" in line


def test_text_as_json_is_an_object_a_page(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    page, archive = tmp_path / "page.html", tmp_path / "crawl.warc.gz"
    page.write_text(
        "<html lang=de><title>Ünter</title><meta name=author content='A. Writer'><p>Worte, "
        + "und mehr Worte. " * 30
    )
    write_warc(archive, 1, first=1)
    assert main(["text", str(page), str(archive), "--json", "--markdown", "--with-metadata"]) == 0
    first, second = map(json.loads, capfdbinary.readouterr().out.splitlines())
    assert (first["page"], first["url"], first["title"], first["lang"]) == (str(page), None, "Ünter", "de")
    assert first["author"] == "A. Writer"
    assert first["text"].startswith("Worte, und mehr")
    assert first["metrics"]["words"] == len(first["text"].split())
    assert second["url"] == "https://crawl.example/1"
    assert second["markdown"].startswith("# Page 1")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-", "--url", "http://x.example/"], "standard input is one page"),
        (["a.html", "b.html", "--url", "http://x.example/"], "give one PAGE with them"),
        (["a.html", "--with-metadata"], "add --json"),
        (["no-such-file.html"], "no-such-file.html"),
        (["-", "--extractor", "foo"], "unknown extractor 'foo'; there are: cedar, cetr"),
        (["-", "--extractor", "cetr:k=1"], "k must be a whole number"),
    ],
)
def test_what_text_cannot_do_is_one_line(arguments: list[str], message: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "cedar", "text", *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("fault", [ImportError("cannot import name 'x'"), TypeError("takes 2 arguments")])
def test_sources_that_changed_since_they_were_compiled_say_what_to_run(
    fault: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def dispatch(*_: object) -> int:
        raise fault

    (tmp_path / "transforms").mkdir()
    for number, name in enumerate(("setup.py", "transforms/_a.pyx", "transforms/_a.so")):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (number, number))
    monkeypatch.setattr(cedar, "__file__", str(tmp_path / "cedar" / "__init__.py"))
    monkeypatch.setattr(cedar, "not_compiled", lambda: None)
    monkeypatch.setattr("cedar.pipelines.commands.dispatch", dispatch)
    with pytest.raises(type(fault)):  # all is compiled: the fault is another one
        main(["extractors"])
    os.utime(tmp_path / "transforms" / "_a.pyx", (9, 9))
    assert main(["extractors"]) == 2
    said = capsys.readouterr().err
    assert len(said.splitlines()) == 1
    assert "setup.py build_ext --inplace" in said
    assert str(fault) in said
