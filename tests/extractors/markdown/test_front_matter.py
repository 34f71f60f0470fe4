"""Front matter: facts of a page as YAML before its Markdown."""

import json
from pathlib import Path

import pytest

from cedar.pipelines.cli import main
from cedar.transforms.extractors.markdown.front_matter import front_matter

PAGE = (
    '<html lang=en><title>Tide mills: "old" | The Sea</title><meta name=author content="Ana Lima">'
    '<meta name=date content=2024-05-03><a href=/>The Sea</a><h1>Tide mills: "old"</h1>'
    "<p>The mill at Elling still grinds flour on every ebb, as it has for long, and the miller sleeps."
)


def test_facts_stand_before_the_markdown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.html"
    page.write_text(PAGE)
    assert main(["text", str(page), "--markdown", "--front-matter"]) == 0
    lines = capsys.readouterr().out.split("\n")
    assert lines[:8] == [
        "---",
        r'title: "Tide mills: \"old\" | The Sea"',
        r'headline: "Tide mills: \"old\""',
        'author: "Ana Lima"',
        'date: "2024-05-03"',
        'site: "The Sea"',
        'language: "en"',
        "---",
    ]
    assert lines[8:10] == ["", '# Tide mills: "old"']


@pytest.mark.parametrize("options", [["--front-matter"], ["--front-matter", "--markdown", "--json"]])
def test_front_matter_is_of_printed_markdown(
    tmp_path: Path, options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.html"
    page.write_text(PAGE)
    assert main(["text", str(page), *options]) == 2
    assert "--front-matter" in capsys.readouterr().err


@pytest.mark.parametrize(
    "value",
    ["a: b", "- x", "---\n---", "\u2028 \x85 \x7f", "\ufffe\uffff \u202e", '\\ "', "{a} #b", "日本", "yes"],
)
def test_no_value_leaves_its_line(value: str) -> None:
    opened, line, closed, rest = front_matter({"title": value, "site": None, "url": ""}).split("\n")
    assert (opened, closed, rest) == ("---", "---", "")
    assert len(line.splitlines()) == 1
    assert json.loads(line.removeprefix("title: ")) == value


def test_without_facts_there_is_none() -> None:
    assert front_matter({"title": None}) == ""
