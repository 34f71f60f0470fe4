"""Inputs that are looked for again and again: which are whole, which are done and not asked about."""

from __future__ import annotations

from pathlib import Path

import pytest

from cedar.transforms.corpus.unread import DoneInputs, UnchangedFiles
from cedar.transforms.files.inputs import find_inputs
from cedar.transforms.files.storage import StoredFile


def test_a_file_is_whole_when_two_polls_in_a_row_find_it_the_same() -> None:
    polls = UnchangedFiles()
    first, grown = StoredFile("/a", 1, "mtime:1"), StoredFile("/a", 2, "mtime:2")
    assert polls.poll([first]) == ()
    assert polls.poll([grown]) == ()
    assert polls.poll([grown]) == (grown,)
    assert polls.poll([]) == ()
    assert polls.poll([grown]) == ()


class Service:
    """Looks for inputs, all of which are done once they were found."""

    def __init__(self, *given: Path | str) -> None:
        self.done = DoneInputs()
        self._inputs = tuple(map(str, given))

    def look(self) -> list[str]:
        """Names of the files that one look finds not to be done."""
        found = self.done.undone(find_inputs(self._inputs, arriving=True).files)
        for file in found:
            self.done.add(file)
        return [Path(file.path).name for file in found]


def fill(directory: Path, *names: str) -> list[str]:
    for name in names:
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(name.encode())
    return list(names)


@pytest.mark.parametrize("given", ["", "*", "**/*.warc.gz"])
def test_inputs_that_are_done_are_left_out_until_they_change(given: str, tmp_path: Path) -> None:
    names = fill(tmp_path, *(f"{number}.warc.gz" for number in range(9)))
    service = Service(tmp_path / given)
    assert service.look() == names
    assert service.look() == []
    fill(tmp_path, "b.warc.gz", "a.warc.gz", ".c.warc.gz", "d.warc.gz.part")
    assert service.look() == ["a.warc.gz", "b.warc.gz"]
    (tmp_path / "d.warc.gz.part").rename(tmp_path / "d.warc.gz")
    assert service.look() == ["d.warc.gz"]
    (tmp_path / "1.warc.gz").write_bytes(b"another")
    assert service.look() == ["1.warc.gz"]
    assert service.look() == []


def test_one_that_goes_and_comes_back_is_new(tmp_path: Path) -> None:
    fill(tmp_path, *(f"{number}.warc.gz" for number in range(9)))
    service = Service(tmp_path)
    service.look()
    (tmp_path / "3.warc.gz").unlink()
    assert service.look() == []
    fill(tmp_path, "3.warc.gz")
    assert service.look() == ["3.warc.gz"]


def test_directories_below_and_behind_links_are_looked_at(tmp_path: Path) -> None:
    fill(tmp_path / "in", *(f"{number}.warc.gz" for number in range(5)), "below/x.warc.gz")
    fill(tmp_path / "other", "y.warc.gz")
    (tmp_path / "in" / "link").symlink_to(tmp_path / "other")
    service = Service(tmp_path / "in")
    assert len(service.look()) == 7
    fill(tmp_path / "in" / "below", "z.warc.gz")
    fill(tmp_path / "other", "w.warc.gz")
    assert service.look() == ["z.warc.gz", "w.warc.gz"]


def test_all_are_new_after_commits_have_gone() -> None:
    files = [StoredFile(f"s3://b/{number}", 1, "etag:1") for number in range(5)]
    done = DoneInputs()
    for _ in range(3):
        assert done.undone(files) == files
    for file in files:
        done.add(file)
    assert done.undone(files) == []
    files[2] = changed = StoredFile("s3://b/2", 2, "etag:2")
    assert [done.undone(files) for _ in range(2)] == [[changed], [changed]]
    done.clear()
    assert done.undone(files) == files
