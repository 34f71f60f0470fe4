"""Inputs that are looked for again and again: which are whole, which are done and not asked about."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cedar.transforms.corpus import arrivals
from cedar.transforms.corpus.arrivals import Arrivals, DoneInputs
from cedar.transforms.files import inputs
from cedar.transforms.files.inputs import find_inputs
from cedar.transforms.files.storage import StoredFile


def test_a_file_is_whole_when_two_polls_in_a_row_find_it_the_same() -> None:
    polls = Arrivals()
    first, grown = StoredFile("/a", 1, "mtime:1"), StoredFile("/a", 2, "mtime:2")
    assert polls.poll([first]) == ()
    assert polls.poll([grown]) == ()
    assert polls.poll([grown]) == (grown,)
    assert polls.poll([]) == ()
    assert polls.poll([grown]) == ()


class Service:
    """Looks for inputs, all of which are done once they were found; notes which it asked about."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *given: Path | str) -> None:
        monkeypatch.setattr(arrivals, "_A_LOOK", 1)
        self.asked: list[str] = []
        self.done = DoneInputs()
        self._inputs = tuple(map(str, given))
        stat = inputs._stat

        def heard(path: str, *, opens: bool) -> os.stat_result | None:
            self.asked.append(Path(path).name)
            return stat(path, opens=opens)

        monkeypatch.setattr(inputs, "_stat", heard)

    def look(self) -> tuple[list[str], list[str]]:
        """Names of the files that are not done, and of those that were asked about, of one look."""
        self.asked.clear()
        found = self.done.look(lambda passing: find_inputs(self._inputs, passing=passing).files)
        for file in found:
            self.done.add(file)
        return [Path(file.path).name for file in found], sorted(self.asked)

    def _find(self, passing: set[str]) -> tuple[StoredFile, ...]:
        return find_inputs(self._inputs, passing=passing).files


def fill(directory: Path, *names: str) -> list[str]:
    for name in names:
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(name.encode())
    return list(names)


@pytest.mark.parametrize("given", ["", "*", "**/*.warc.gz"])
def test_inputs_that_are_done_are_passed_over_by_their_names(
    given: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = fill(tmp_path, *(f"{number}.warc.gz" for number in range(9)))
    service = Service(monkeypatch, tmp_path / given)
    assert service.look() == (names, names)
    fill(tmp_path, "b.warc.gz", "a.warc.gz", ".c.warc.gz", "d.warc.gz.part")
    assert service.look()[0] == ["a.warc.gz", "b.warc.gz"]
    (tmp_path / "d.warc.gz.part").rename(tmp_path / "d.warc.gz")
    assert service.look() == (["d.warc.gz"], ["d.warc.gz"])
    assert service.look() == ([], [])


def test_one_that_goes_and_comes_back_is_new(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(tmp_path, *(f"{number}.warc.gz" for number in range(9)))
    service = Service(monkeypatch, tmp_path)
    service.look()
    (tmp_path / "3.warc.gz").unlink()
    assert service.look() == ([], [])
    fill(tmp_path, "3.warc.gz")
    assert service.look() == (["3.warc.gz"], ["3.warc.gz"])


def test_one_that_is_done_and_changes_is_found_when_all_are_asked_about(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = fill(tmp_path, *(f"{number}.warc.gz" for number in range(3)))
    service = Service(monkeypatch, tmp_path)
    service.look()
    (tmp_path / "1.warc.gz").write_bytes(b"another")
    assert [service.look() for _ in range(4)] == [([], []), ([], []), ([], []), (["1.warc.gz"], names)]


def test_fewer_than_a_thousand_are_all_asked_about_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = fill(tmp_path, "0.warc.gz", "1.warc.gz")
    service = Service(monkeypatch, tmp_path)
    monkeypatch.setattr(arrivals, "_A_LOOK", 1000)
    service.look()
    assert service.look() == ([], names)
    (tmp_path / "1.warc.gz").write_bytes(b"another")
    assert service.look() == (["1.warc.gz"], names)
    assert service.look() == ([], names)


def test_directories_below_and_behind_links_are_passed_over_by_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(tmp_path / "in", *(f"{number}.warc.gz" for number in range(5)), "below/x.warc.gz")
    fill(tmp_path / "other", "y.warc.gz")
    (tmp_path / "in" / "link").symlink_to(tmp_path / "other")
    service = Service(monkeypatch, tmp_path / "in")
    assert len(service.look()[0]) == 7
    fill(tmp_path / "in" / "below", "z.warc.gz")
    fill(tmp_path / "other", "w.warc.gz")
    assert service.look() == (["z.warc.gz", "w.warc.gz"], ["w.warc.gz", "z.warc.gz"])


def test_what_was_listed_anyway_is_done_as_it_is_or_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrivals, "_A_LOOK", 1)
    files = [StoredFile(f"s3://b/{number}", 1, "etag:1") for number in range(5)]
    done = DoneInputs()
    for _ in range(3):
        assert done.look(lambda _: files) == files
    for file in files:
        done.add(file)
    assert done.look(lambda _: files) == []
    files[2] = changed = StoredFile("s3://b/2", 2, "etag:2")
    assert [done.look(lambda _: files) for _ in range(2)] == [[changed], [changed]]
    done.clear()
    assert done.look(lambda _: files) == files
