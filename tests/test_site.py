"""The site: its first page says what is so, commands have their pages, nothing is loaded from elsewhere."""

from __future__ import annotations

import base64
import glob
import json
import re
import runpy
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import zstandard

import cedar
from cedar.pipelines.cli import main
from cedar.pipelines.commands import COMMANDS, command_of
from cedar.pipelines.sample.archive import write_sample
from tests.helpers.crawl import article
from tests.helpers.documents import ROOT

URL = "https://sample.example/rivers"
ELSEWHERE = re.compile(r"cc:|s3://|--watch|--open|peer:|curl|cedar crawls")
"""Examples that need a network, a browser or packages by others, or never end."""


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages of the site, in Markdown."""
    target = tmp_path_factory.mktemp("site") / "pages"
    subprocess.run([sys.executable, str(ROOT / "docs" / "site_pages.py"), str(target)], check=True)
    return target


def test_each_command_has_a_page_with_its_options_examples_and_picture(pages: Path) -> None:
    for name in COMMANDS:
        text = (pages / f"cedar-{name}.md").read_text(encoding="utf-8")
        assert text.startswith(f"# cedar {name}\n\n{command_of(name).description} ")
        every = (pages / "options.md").read_text(encoding="utf-8")
        own = every.split(f"## cedar {name}\n")[1].split("\n## ")[0]
        tables = re.findall(r"^\| `.*", own, re.MULTILINE)
        assert re.findall(r"^\| `.*", text, re.MULTILINE) == tables
        for example in command_of(name).examples.splitlines()[1:]:
            assert f"\n{example.strip()}\n" in text
    for name in ("explain", "report", "browse"):
        assert f"]({name}.png)" in (pages / f"cedar-{name}.md").read_text(encoding="utf-8")


def test_the_reference_has_every_public_name(pages: Path) -> None:
    shown = re.findall(r"^::: cedar\.(\w+)$", (pages / "api.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(shown) == sorted(cedar.__all__)


def test_pages_of_the_site_lead_to_each_other(pages: Path) -> None:
    for path in pages.glob("*.md"):
        for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8")):
            assert (pages / link).exists(), f"{path.name}: {link}"


@pytest.fixture
def crawled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with a page, an archive, corpora of three months and gold sets."""
    monkeypatch.chdir(tmp_path)
    for folder in ("crawl", "gold", "site"):
        (tmp_path / folder).mkdir()
    for number, name in enumerate(("page.html", "site/a.html")):
        (tmp_path / name).write_bytes(article(number))
    with (tmp_path / "crawl.warc.gz").open("wb") as file:
        write_sample(file)
    shutil.copy("crawl.warc.gz", "crawl")
    known = {"text": "Words", "html_b64": base64.b64encode(article(1)).decode(), "page_type": "article"}
    for name in ("gold.jsonl.zst", "gold/one.zst"):
        (tmp_path / name).write_bytes(zstandard.compress(json.dumps({"id": "1", **known}).encode()))
    assert main(["extract", "crawl.warc.gz", "--output", "january", "--quiet"]) == 0
    for name in ("february", "march"):
        shutil.copytree("january", name)
    return tmp_path


@pytest.mark.slow
def test_examples_of_help_run_as_they_stand(crawled: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    first = ("extract", "dedup")  # what the others take
    for name in (*first, *(name for name in COMMANDS if name not in first)):
        for example in command_of(name).examples.splitlines()[1:]:
            if not ELSEWHERE.search(example):
                assert main(words_of(example)) == 0, (example, capfdbinary.readouterr().err.decode())
        if name == "dedup":
            shutil.rmtree(crawled / "unique")
            assert main(["dedup", "corpus", "--output", "unique", "--write"]) == 0
        if name == "text":
            shutil.rmtree(crawled / "site")  # pages there, and in what follows the site of a corpus


def words_of(example: str) -> list[str]:
    """The arguments of a command line, whose pages are those of the sample."""
    _, *words = shlex.split(re.sub(r"https://(example\.org/|site\.example/page)", URL, example))
    return [name for word in words for name in (sorted(glob.glob(word)) if "*" in word else [word])]


def test_what_a_site_loads_from_elsewhere_is_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    check = runpy.run_path(str(ROOT / "docs" / "site_check.py"))["main"]
    assert check(tmp_path) == 2
    front = tmp_path / "index.html"
    front.write_text(
        "<link rel=canonical href=https://site.example/><link rel=stylesheet href=site.css>"
        "<a href=https://paper.example/>a paper</a><img src=picture.png><script src=../bundle.js></script>"
        "<style>p { background: url(data:image/png;base64,//8=) }</style><p>see url(https://text.example/)"
    )
    (tmp_path / "site.css").write_text("p { background: url(../picture.png) }")
    assert check(tmp_path) == 0
    loaded = [
        "<link rel='preconnect' href='https://1.example' crossorigin>",
        "<LINK rel=stylesheet href=//2.example/a.css>",
        "<script src=https://3.example/a.js></script>",
        "<img srcset='HTTPS://4.example/a.png 2x'>",
        "<style>@import 'https://5.example/a.css';</style>",
        "<p style='background: url(\"//6.example/a.png\")'>",
        "<iframe src=http://7.example/></iframe>",
    ]
    front.write_text("".join(loaded) + "<pre class=mermaid></pre>")
    (tmp_path / "site.css").write_text("@font-face { src: url(https://8.example/a.woff2) }")
    capsys.readouterr()
    assert check(tmp_path) == 1
    told = capsys.readouterr().out
    assert re.findall(r"loads .*?(\d)\.example", told) == list("12345678")
    assert "Mermaid" in told
