"""`--quiet`: every command that makes or checks something takes it, and prints nothing where all is well."""

from pathlib import Path

import pytest

from cedar.pipelines.cli import main
from tests.helpers.crawl import article, write_warc


@pytest.mark.parametrize("quiet", ["-q", "--quiet"])
def test_nothing_is_printed(quiet: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    crawl, corpus, page = write_warc(tmp_path / "a.warc.gz", 3), str(tmp_path / "c"), tmp_path / "page.html"
    page.write_bytes(article(1))
    for command in (
        ["sample", str(tmp_path / "s.warc.gz")],
        ["sample", str(tmp_path / "mirror"), "--mirror", "--pages", "1"],
        ["extract", str(crawl), "--output", corpus],
        ["check", corpus],
        ["check", corpus, "--repair"],
        ["browse", corpus, "--output", str(tmp_path / "site")],
        ["explain", str(page), "--output", str(tmp_path / "drawn.html")],
        ["explain", corpus, "--url", "https://crawl.example/0", "--output", str(tmp_path / "drawn2.html")],
        ["report", corpus, "--output", str(tmp_path / "report.html")],
    ):
        assert main([*command, quiet]) == 0
        assert capfd.readouterr() == ("", ""), command
    (tmp_path / "c" / "run.json").unlink()
    assert main(["check", corpus, quiet]) == 1
    assert "run.json is missing" in capfd.readouterr().err
    assert main(["explain", str(page), "--text", quiet]) == 0
    assert "+ " in capfd.readouterr().out
