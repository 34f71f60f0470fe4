"""`cedar extract --watch`: files that arrive, change and stay away; kills, signals, rounds."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from cedar.pipelines.cli import main
from cedar.pipelines.common.errors import UsageError
from cedar.pipelines.extract.watch import Watch, held_corpus
from cedar.pipelines.local.stopping import StopRequest
from cedar.transforms.corpus.corpus import Corpus
from cedar.transforms.corpus.settle import Settled, settle
from cedar.transforms.files.http_client import Web
from cedar.transforms.model.records import Shard
from tests.extract.runs import options_for, start, urls
from tests.helpers.corpus import books
from tests.helpers.crawl import write_warc
from tests.helpers.processes import kill, wait_until

ROOT = Path(__file__).parents[2]


def watch_over(inputs: Path, corpus: Path, *more: str, stop: StopRequest | None = None) -> Callable[[], None]:
    """A watch of which the test calls the rounds."""
    options = options_for(
        str(inputs), "--output", str(corpus), "--watch", "1", "--workers", "1", "--quiet", *more
    )
    held = held_corpus(options)
    watch = Watch(held.__enter__(), options)

    def go_on(_: object = held) -> None:
        watch.round(stop or StopRequest(drain_on_sigterm=True))

    return go_on


def numbered(*ranges: range) -> list[str]:
    return sorted(f"https://crawl.example/{n}" for numbers in ranges for n in numbers)


def runs(corpus: Path) -> int:
    return len(list((corpus / "runs").glob("*.json"))) if (corpus / "runs").exists() else 0


def pages_of_shards(corpus: Path) -> int:
    """Pages of all shards of a run at work, which reads files again that only seemed whole."""
    found = 0
    for path in corpus.glob("shards/*.json"):
        with suppress(FileNotFoundError):
            found += json.loads(path.read_text())["pages"]
    return found


def test_rounds_take_what_is_whole_and_only_rounds_with_work_leave_a_record(tmp_path: Path) -> None:
    inbox, corpus = tmp_path / "in", tmp_path / "corpus"
    inbox.mkdir()
    once = watch_over(inbox, corpus)
    once()
    write_warc(inbox / "a.warc.gz", 3)
    once()
    assert (urls(corpus), runs(corpus)) == ([], 0)
    once()
    assert (urls(corpus), runs(corpus)) == (numbered(range(3)), 1)
    once()
    write_warc(inbox / "b.warc.gz", 2, first=10)
    once()
    assert runs(corpus) == 1
    once()
    assert (urls(corpus), runs(corpus)) == (numbered(range(3), range(10, 12)), 2)
    assert (books(corpus)["pages"], books(corpus)["shards"], books(corpus)["balanced"]) == (5, 2, True)


@pytest.mark.parametrize("name", [".a.warc.gz", "a.warc.gz.open", "a.warc.gz.tmp", "a.warc.gz.part"])
def test_names_of_unfinished_files_are_left_alone_though_a_glob_matches_them(
    name: str, tmp_path: Path
) -> None:
    once = watch_over(tmp_path / "in" / "*", tmp_path / "corpus")
    write_warc(tmp_path / "in" / name, 2)
    write_warc(tmp_path / "in" / "b.warc.gz", 1, first=5)
    once()
    once()
    assert urls(tmp_path / "corpus") == numbered(range(5, 6))


@pytest.mark.parametrize("restart", [False, True])
@pytest.mark.parametrize("link", [False, True])
def test_a_file_that_is_renamed_or_linked_is_named_once_and_not_read_again(
    link: bool, restart: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    inbox, corpus = tmp_path / "in", tmp_path / "corpus"
    once = watch_over(inbox, corpus)
    write_warc(inbox / "b.warc.gz", 3)
    once()
    once()
    (os.link if link else os.rename)(inbox / "b.warc.gz", inbox / "a.warc.gz")
    if restart:
        once = watch_over(inbox, corpus)
    for _ in range(3):
        once()
    assert urls(corpus) == numbered(range(3))
    told = f"{inbox / 'a.warc.gz'} was read as {inbox / 'b.warc.gz'}: not read again"
    assert capsys.readouterr().err.count(told) == 1


@pytest.mark.parametrize("first", ["a", "z"])
def test_a_renamed_file_is_read_under_its_new_name_once_the_old_one_stands_for_another(
    first: str, tmp_path: Path
) -> None:
    inbox, corpus = tmp_path / "in", tmp_path / "corpus"
    once = watch_over(inbox, corpus)
    old = inbox / "b.warc.gz"
    write_warc(old, 3)
    once()
    once()
    old.rename(inbox / f"{first}.warc.gz")
    once()
    once()
    write_warc(old, 2, first=10)
    for _ in range(4):
        once()
    assert urls(corpus) == numbered(range(3), range(10, 12))


@pytest.mark.parametrize("other", ["content", "copy", "time", "replaced"])
def test_anything_else_of_another_name_is_new(other: str, tmp_path: Path) -> None:
    inbox, corpus = tmp_path / "in", tmp_path / "corpus"
    once = watch_over(inbox, corpus)
    old, new = inbox / "a.warc", inbox / "b.warc"
    write_warc(old, 3)
    once()
    once()
    stat = old.stat()
    if other == "copy":  # as rsync and cp -p make one, then the first goes
        shutil.copy2(old, new)
        old.unlink()
    else:
        old.rename(new)
    if other == "content":
        with new.open("r+b") as file:  # the time in gzip's header
            file.seek(4)
            file.write(b"\x01")
        os.utime(new, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    elif other == "time":
        os.utime(new, ns=(1, 1))
    elif other == "replaced":
        write_warc(old, 1, first=50)
    once()
    once()
    assert len(urls(corpus)) == (4 if other == "replaced" else 6)
    assert books(corpus)["balanced"]


def test_a_dead_link_is_named_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    inbox, corpus = tmp_path / "in", tmp_path / "corpus"
    inbox.mkdir()
    (inbox / "gone.warc.gz").symlink_to(tmp_path / "nowhere")
    once = watch_over(inbox, corpus)
    for _ in range(3):
        once()
    assert capsys.readouterr().err.count("gone.warc.gz: the link leads nowhere") == 1


def test_a_file_that_changes_is_read_again_and_its_old_rows_are_revoked(tmp_path: Path) -> None:
    inbox, corpus = tmp_path / "in", tmp_path / "corpus"
    once = watch_over(inbox, corpus)
    write_warc(inbox / "a.warc.gz", 3)
    write_warc(inbox / "b.warc.gz", 1, first=20)
    once()
    once()
    write_warc(inbox / "a.warc.gz", 4, first=10)
    once()
    assert urls(corpus) == numbered(range(3), range(20, 21))
    once()
    assert urls(corpus) == numbered(range(10, 14), range(20, 21))
    assert len(list((corpus / "shards").iterdir())) == 2
    assert books(corpus)["pages"] == 5


def test_a_changed_file_of_the_same_size_is_read_again(tmp_path: Path) -> None:
    inbox, corpus = tmp_path / "in", tmp_path / "corpus"
    once = watch_over(inbox, corpus)
    path = write_warc(inbox / "a.warc.gz", 2)
    once()
    once()
    (before,) = (p.read_text() for p in (corpus / "shards").iterdir())
    os.utime(path, ns=(1, 10**18))
    once()
    once()
    (after,) = (p.read_text() for p in (corpus / "shards").iterdir())
    assert json.loads(before)["attempt"] != json.loads(after)["attempt"]
    assert urls(corpus) == numbered(range(2))


def test_files_that_leave_the_inbox_stay_in_the_corpus(tmp_path: Path) -> None:
    inbox, corpus = tmp_path / "in", tmp_path / "corpus"
    once = watch_over(inbox, corpus)
    path = write_warc(inbox / "a.warc.gz", 3)
    once()
    once()
    path.unlink()
    once()
    assert urls(corpus) == numbered(range(3))


def test_a_large_file_is_cut_and_every_page_is_there_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cedar.pipelines.common.option_types._MIN_SPLIT_BYTES", 1)
    inbox, corpus = tmp_path / "in", tmp_path / "corpus"
    once = watch_over(inbox, corpus, "--split-size", "4KiB")
    write_warc(inbox / "a.warc.gz", 60)
    once()
    once()
    assert urls(corpus) == numbered(range(60))
    assert len(list((corpus / "shards").iterdir())) > 2


@pytest.mark.slow
def test_a_file_that_cannot_be_read_is_named_rests_and_is_read_when_it_can_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from cedar.transforms.files.local import LocalStorage

    inbox, corpus = tmp_path / "in", tmp_path / "corpus"
    once = watch_over(inbox, corpus)
    bad = str(write_warc(inbox / "bad.warc.gz", 2))
    write_warc(inbox / "good.warc.gz", 2, first=10)
    plain, tries = LocalStorage.open, []

    def fails(storage: LocalStorage, path: str) -> object:
        if path == bad:
            tries.append(path)
            raise PermissionError(13, "Permission denied")
        return plain(storage, path)

    # In this process, whatever was imported before: the failures are counted here.
    monkeypatch.setattr("cedar.pipelines.local.supervisor.can_fork", lambda *_: False)
    with monkeypatch.context() as patch:
        patch.setattr(LocalStorage, "open", fails)
        once()
        once()
        assert "bad.warc.gz: PermissionError" in capsys.readouterr().err
        assert urls(corpus) == numbered(range(10, 12))
        once()
        seen = len(tries)
        once()
        assert len(tries) > seen
    for _ in range(3):
        once()
    assert urls(corpus) == numbered(range(2), range(10, 12))


@pytest.mark.slow
def test_forty_files_arrive_while_the_job_is_killed_and_every_page_is_there_once(tmp_path: Path) -> None:
    inbox, corpus = tmp_path / "in", tmp_path / "corpus"
    inbox.mkdir()
    command = [sys.executable, "-m", "tests.helpers.arriving", str(inbox), "40", "6", "7", "2"]
    writer = subprocess.Popen(command, cwd=ROOT)
    more = ("--watch", "0.25", "--workers", "1")
    first = start(inbox, corpus, *more)
    wait_until(lambda: len(list(corpus.glob("shards/*.json"))) >= 5, first)
    kill(first, launcher_only=True)
    first.communicate()
    second = start(inbox, corpus, *more)
    assert writer.wait(timeout=60) == 0
    wait_until(lambda: pages_of_shards(corpus) == 240, second)
    second.send_signal(signal.SIGTERM)
    _, errors = second.communicate(timeout=60)
    assert second.returncode == 0
    assert errors.endswith("stopping after the current shards; shards that are done stay done\n")
    assert urls(corpus) == numbered(*(range(1000 * n, 1000 * n + 6) for n in range(40)))
    assert (books(corpus)["pages"], books(corpus)["balanced"], books(corpus)["shards"]) == (240, True, 40)
    assert not (corpus / "_tmp").exists()


@pytest.mark.parametrize(("number", "done"), [(signal.SIGTERM, 1), (signal.SIGINT, 0)])
def test_sigterm_finishes_the_current_shard_and_ctrl_c_does_not(
    number: signal.Signals, done: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from cedar.transforms import read

    inbox, corpus = tmp_path / "in", tmp_path / "corpus"
    stop = StopRequest(drain_on_sigterm=True)
    once = watch_over(inbox, corpus, stop=stop)
    for n in range(3):
        write_warc(inbox / f"{n}.warc.gz", 2, first=10 * n)
    once()
    plain = read.is_as_listed

    def hears(shard: Shard, web: Web | None = None) -> bool:
        if not stop.asked:
            stop._hear(number, None)
        return plain(shard, web)

    monkeypatch.setattr("cedar.pipelines.local.supervisor.can_fork", lambda *_: False)
    monkeypatch.setattr(read, "is_as_listed", hears)
    once()
    assert len(urls(corpus)) == 2 * done
    assert stop.interrupted == (number == signal.SIGINT)


@pytest.mark.slow
def test_ctrl_c_ends_a_watch_with_130(tmp_path: Path) -> None:
    inbox, corpus = tmp_path / "in", tmp_path / "corpus"
    write_warc(inbox / "a.warc.gz", 2)
    process = start(inbox, corpus, "--watch", "1")
    wait_until((corpus / "corpus.json").exists, process)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (130, "stopping now; shards that are done stay done\n")


def test_ctrl_c_while_a_watch_begins_is_its_word_to_stop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    presses = [signal.SIGINT]

    def settled(corpus: Corpus) -> Settled:
        while presses:
            os.kill(os.getpid(), presses.pop())
        return settle(corpus)

    monkeypatch.setattr("cedar.pipelines.extract.watch.settle", settled)
    write_warc(tmp_path / "in" / "a.warc.gz", 2)
    command = ["extract", str(tmp_path / "in"), "--output", str(tmp_path / "corpus"), "--watch", "1"]
    assert main(command) == 130
    assert capsys.readouterr().err == "stopping now; shards that are done stay done\n"
    assert not list((tmp_path / "corpus").glob("shards/*"))


@pytest.mark.parametrize("more", [("--overwrite",), ("--limit", "3")])
def test_what_makes_no_sense_with_a_watch_is_refused(more: tuple[str, ...]) -> None:
    with pytest.raises(UsageError, match=f"leave out {more[0]}"):
        options_for("in", "--output", "out", "--watch", "1", *more)


def test_a_list_that_is_not_there_ends_the_watch_before_it_begins(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [f"@{tmp_path}/list", "--output", str(tmp_path / "corpus"), "--watch", "1"]
    assert main(["extract", *arguments]) == 2
    assert "cannot read the list" in capsys.readouterr().err
    assert not (tmp_path / "corpus").exists()
