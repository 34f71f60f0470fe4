"""Corpora whose files are not those that were committed: every command that reads one names the file."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from cedar.pipelines.cli import main
from tests.dedup.corpora import Kind, Made, words, write_corpus

URL = "https://crawl.example/wanted"
COMMANDS: dict[str, Sequence[str]] = {
    "filter": ("filter", "CORPUS", "--keep", "words > 1", "--output", "OUTPUT", "--workers", "1", "--quiet"),
    "dry run": ("filter", "CORPUS", "--keep", "words > 1", "--dry-run"),
    "dedup": ("dedup", "CORPUS", "--output", "OUTPUT", "--quiet", "--workers", "1"),
    "report": ("report", "CORPUS", "--output", "OUTPUT"),
    "change": ("report", "OTHER", "CORPUS", "--output", "OUTPUT"),
    "explain": ("explain", "CORPUS", "--url", URL, "--output", "OUTPUT"),
    "text": ("text", "CORPUS", "--url", URL),
}


@pytest.fixture(scope="module", params=["parquet", "avro", "jsonl"])
def whole(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus of two shards; the page that is asked for is in the second."""
    root = tmp_path_factory.mktemp("whole") / "corpus"
    first = [Made(" ".join(words(number, 40))) for number in range(4)]
    second = [Made(" ".join(words(100 + number, 30)), URL if number == 1 else None) for number in range(3)]
    return write_corpus(root, [first, second], Kind(format=request.param, signed=False))


def pages(root: Path) -> list[Path]:
    return sorted((root / "pages").iterdir())


def commits(root: Path) -> list[Path]:
    return sorted((root / "shards").iterdir())


def edited(path: Path, *names: str, change: Callable[[object], object]) -> None:
    """Change a value in a file of JSON."""
    described = inner = json.loads(path.read_text())
    for name in names[:-1]:
        inner = inner[name]
    inner[names[-1]] = change(inner[names[-1]])
    path.write_text(json.dumps(described))


def cut(root: Path) -> Path:
    (path, _) = pages(root)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    return path


def lengthened(root: Path) -> Path:
    (path, _) = pages(root)
    path.write_bytes(path.read_bytes() + b"\0")
    return path


def gone(root: Path) -> Path:
    (path, _) = pages(root)
    path.unlink()
    return path


def emptied(root: Path) -> Path:
    (path, _) = pages(root)
    path.write_bytes(b"")
    return path


def foreign(root: Path) -> Path:
    (path, _) = pages(root)
    path.write_bytes(b"x" * path.stat().st_size)
    return path


def swapped(root: Path) -> Path:
    """The files of two shards, with sizes and rows that fit."""
    first, second = pages(root)
    contents = first.read_bytes(), second.read_bytes()
    first.write_bytes(contents[1])
    second.write_bytes(contents[0])
    for path, rows, commit in zip((first, second), (3, 4), commits(root), strict=True):
        counted = {"rows": rows, "bytes": path.stat().st_size}
        edited(commit, "files", f"pages/{path.name}", change=lambda _, counted=counted: counted)
        edited(commit, "pages", change=lambda _, rows=rows: rows)
    return first


def of_fewer_rows(root: Path) -> Path:
    (path, _), (commit, _) = pages(root), commits(root)
    edited(commit, "files", f"pages/{path.name}", "rows", change=lambda _: 5)
    edited(commit, "pages", change=lambda _: 5)
    return path


def commit_cut(root: Path) -> Path:
    (path, _) = commits(root)
    path.write_bytes(path.read_bytes()[:40])
    return path


def commit_without_files(root: Path) -> Path:
    (path, _) = commits(root)
    edited(path, "files", change=lambda _: {})
    return path


def commit_of_words(root: Path) -> Path:
    (path, _) = commits(root)
    edited(path, "pages", change=lambda _: "four")
    return path


def commit_of_another_shard(root: Path) -> Path:
    first, second = commits(root)
    first.write_bytes(second.read_bytes())
    return first


DAMAGES = (cut, lengthened, gone, emptied, foreign, swapped, of_fewer_rows)
DAMAGED_COMMITS = (commit_cut, commit_without_files, commit_of_words, commit_of_another_shard)


@pytest.mark.parametrize("damage", [*DAMAGES, *DAMAGED_COMMITS], ids=lambda damage: damage.__name__)
def test_a_damaged_corpus_is_named_by_every_command_that_reads_it(
    damage: Callable[[Path], Path], whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = Path(shutil.copytree(whole, tmp_path / "corpus"))
    path = damage(root)
    before = {each: each.read_bytes() for each in root.rglob("*") if each.is_file()}
    for name, command in COMMANDS.items():
        places = {"CORPUS": str(root), "OUTPUT": str(tmp_path / name), "OTHER": str(whole)}
        code = main([places.get(word, word) for word in command])
        out, error = capsys.readouterr()
        assert code == 1, (name, error)
        named = [line for line in (out + error).splitlines() if path.name in line]
        assert len(named) == 1, (name, out + error)
        assert error.count("\n") <= 1 + (name == "filter"), error
    assert before == {each: each.read_bytes() for each in root.rglob("*") if each.is_file()}


def of_spoilt_texts(root: Path) -> Path:
    """What a reader of the other columns does not see, in Parquet."""
    (path, _) = pages(root)
    content = bytearray(path.read_bytes())
    start, size = 0, len(content)
    if path.suffix == ".parquet":
        group = pq.read_metadata(path).row_group(0)
        (texts,) = (c for c in map(group.column, range(group.num_columns)) if c.path_in_schema == "text")
        start, size = texts.dictionary_page_offset or texts.data_page_offset, texts.total_compressed_size
    middle = start + size // 2
    content[middle : middle + 40] = b"\xff" * 40
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("name", ["filter", "dedup", "report", "change"])
def test_texts_that_do_not_decompress_are_named_by_every_command_that_reads_them(
    name: str, whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = Path(shutil.copytree(whole, tmp_path / "corpus"))
    path = of_spoilt_texts(root)
    places = {"CORPUS": str(root), "OUTPUT": str(tmp_path / name), "OTHER": str(whole)}
    assert main([places.get(word, word) for word in COMMANDS[name]]) == 1
    out, error = capsys.readouterr()
    assert (out + error).count(path.name) == 1


@pytest.mark.parametrize("damage", ["cut", "gone"])
def test_damaged_signatures_are_named(
    damage: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = write_corpus(tmp_path / "corpus", [[Made(" ".join(words(1, 40)))]])
    (path,) = (root / "signatures").iterdir()
    if damage == "gone":
        path.unlink()
    else:
        path.write_bytes(path.read_bytes()[:-20])
    assert main(["dedup", str(root), "--output", str(tmp_path / "result"), "--quiet"]) == 1
    assert f"signatures/{path.name} is" in capsys.readouterr().err


@pytest.mark.parametrize("whole", ["parquet"], indirect=True)
@pytest.mark.parametrize("table", ["index", "duplicates"])
@pytest.mark.parametrize("damage", ["cut", "gone"])
def test_a_damaged_result_of_dedup_is_named(
    table: str, damage: str, whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    result = tmp_path / "result"
    assert main(["dedup", str(whole), "--output", str(result), "--quiet"]) == 0
    path = min((result / table).glob("*/*.parquet"))
    if damage == "gone":
        path.unlink()
    else:
        path.write_bytes(path.read_bytes()[:-20])
    second = ["dedup", str(whole), "--against", str(result), "--output", str(tmp_path / "second"), "--quiet"]
    command = second if table == "index" else ["report", str(result), "--output", str(tmp_path / "page.html")]
    assert main(command) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert f"{table}/{path.parent.name}/{path.name} is" in line


@pytest.mark.parametrize("whole", ["parquet"], indirect=True)
@pytest.mark.parametrize("schema", [99, "1", None])
def test_a_corpus_of_another_version_is_refused_by_every_command(
    schema: object, whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = Path(shutil.copytree(whole, tmp_path / "corpus"))
    edited(root / "corpus.json", "schema", change=lambda _: schema)
    for name, command in COMMANDS.items():
        places = {"CORPUS": str(root), "OUTPUT": str(tmp_path / name), "OTHER": str(whole)}
        assert main([places.get(word, word) for word in command]) == 2, name
        (line,) = capsys.readouterr().err.splitlines()
        assert "of another version of Cedar" in line or "was not written by Cedar" in line
        assert not (tmp_path / name).exists()
