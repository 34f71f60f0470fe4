"""Random kills in the middle of runs: `python -m tests.fuzz.kills --command filter --kills 50 --seed 1`.

A crawl is extracted again and again (or a corpus filtered, or searched for duplicates by one, two or five
workers), and from time to time a process of the run gets a signal: the launcher, a worker, the page guard's
server or its child. The signal is SIGKILL, SIGINT, SIGTERM, or SIGSTOP and some time later SIGCONT. A run
that is ended continues when it is started again. What must hold: in the end the rows and the books of each
output are those of an undisturbed run, no process is left, no temporary file of a worker's, and nothing
prints a traceback.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zipfile
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import pyarrow.parquet as pq

from cedar.transforms.extractors import registry
from cedar.transforms.model.columns import TIME_COLUMNS
from tests.curation import fasttext_files
from tests.dedup.corpora import Made, write_corpus
from tests.dedup.families import made_sentences
from tests.dedup.families import pages as family_pages
from tests.helpers.crawl import article, write_warc
from tests.readers.tables import Row, json_lines, write_parquet

FILES, PAGES, PARAGRAPHS = 12, 200, 400
SIGNALS = (signal.SIGKILL, signal.SIGINT, signal.SIGTERM, signal.SIGSTOP)
PROCESSES = ("launcher", "worker", "server", "child")
MAX_PAUSE, MAX_STOP = 0.6, 0.8  # seconds
MAX_SECONDS = 300.0
"""Time that one run may take."""

COMMANDS = {
    "extract": ("extract", "SOURCE", "--output", "OUTPUT", "--workers", "2", "--quiet"),
    "filter": (
        *("filter", "SOURCE", "--keep", "offset < 200000"),
        *("--output", "OUTPUT", "--workers", "2", "--quiet"),
    ),
    "dedup": ("dedup", "SOURCE", "--output", "OUTPUT", "--memory", "1MiB", "--quiet"),
    "dedup-lines": (
        *("dedup", "SOURCE", "--write", "--lines"),
        *("--output", "OUTPUT", "--memory", "1MiB", "--workers", "2", "--quiet"),
    ),
    "dedup-write": ("dedup", "SOURCE", "--write", "--output", "OUTPUT", "--workers", "2", "--quiet"),
}
"""What is disturbed, by name; `SOURCE` is a crawl for `extract`, a corpus with many copies for `dedup` and
`dedup-lines`, and for the others a corpus of the crawl."""

FILLED = {"dedup": {"duplicates"}, "dedup-lines": {"duplicates", "lines", "pages"}}
"""Kinds of files that an output has for certain, where they are not those of a crawl."""

DUPLICATED_PAGES = 12_000
WORKERS = ("1", "2", "5")


INPUTS = ("warc", "wacz", "parquet", "jsonl", "html")


def write_duplicates(corpus: Path) -> None:
    """Write a corpus of families of pages that are alike, with lines that many pages have."""
    notice = "This is line {} of those that many pages of a site have."
    families = enumerate(family_pages(DUPLICATED_PAGES, 3, made_sentences()))
    pages = [Made(f"{page.text}\n{notice.format(number % 40)}") for number, page in families]
    write_corpus(corpus, [pages[i : i + 500] for i in range(0, len(pages), 500)])


def write_input(kind: str, folder: Path, number: int) -> None:
    """Write one file of the crawl, or of HTML a directory, with the same pages whatever the kind."""
    first, name = 1000 * number, folder / f"{number:05d}"
    folder.mkdir(exist_ok=True)
    articles = {n: article(n, PARAGRAPHS) for n in range(first, first + PAGES)}
    table = [
        Row(f"https://crawl.example/{n}", html, 1_700_000_000_000_000 + n, "text/html")
        for n, html in articles.items()
    ]
    match kind:
        case "parquet":
            write_parquet(name.with_suffix(".parquet"), table, group=40)
        case "jsonl":
            name.with_suffix(".jsonl").write_bytes(json_lines(table))
        case "html":
            name.mkdir()
            for n, html in articles.items():
                (name / f"{n}.html").write_bytes(html)
        case "wacz":
            archive = write_warc(name.with_suffix(".warc.gz"), PAGES, first=first, paragraphs=PARAGRAPHS)
            with zipfile.ZipFile(name.with_suffix(".wacz"), "w") as packed:
                packed.write(archive, f"archive/{archive.name}")
            archive.unlink()
        case _:
            write_warc(name.with_suffix(".warc.gz"), PAGES, first=first, paragraphs=PARAGRAPHS)


@dataclass(frozen=True, slots=True)
class Output:
    """What a corpus or a result says, but for times: the rows of each kind of file by its folder."""

    rows: dict[str, list[dict[str, Any]]]
    books: list[dict[str, Any]]

    @staticmethod
    def at(directory: Path) -> Output:
        rows: dict[str, list[dict[str, Any]]] = {}
        for kind in ("pages", "dropped", "rejects", "signatures", "duplicates", "index", "lines"):
            found = rows[kind] = []
            for path in sorted(directory.glob(f"**/{kind}/**/*.parquet")):
                table = pq.read_table(path)
                found += table.drop_columns([c for c in TIME_COLUMNS if c in table.column_names]).to_pylist()
        paths = sorted(directory.glob("**/run.json"))
        books = [json.loads(path.read_text(encoding="utf-8")) for path in paths]
        times = ("bytes", "seconds", "fetch")
        return Output(rows, [{key: of[key] for key in of if key not in times} for of in books])


class Run:
    """A run of a command with two workers.

    Args:
        command: its arguments.
        temporary: where its temporary files go.
    """

    def __init__(self, command: list[str], temporary: Path) -> None:
        self._errors = tempfile.TemporaryFile("w+")  # noqa: SIM115 - open as long as the run
        self.process = subprocess.Popen(
            [sys.executable, "-m", "cedar", *command],
            stdout=subprocess.DEVNULL,
            stderr=self._errors,
            env={**os.environ, "TMPDIR": str(temporary)},
        )
        self.seen: set[psutil.Process] = set()

    def processes(self) -> dict[str, list[psutil.Process]]:
        """Its processes of each kind."""
        found: dict[str, list[psutil.Process]] = {kind: [] for kind in PROCESSES}
        with suppress(psutil.NoSuchProcess):
            launcher = psutil.Process(self.process.pid)
            found["launcher"].append(launcher)
            for worker in launcher.children():
                found["worker"].append(worker)
                for server in worker.children():
                    found["server"].append(server)
                    found["child"] += server.children()
        for processes in found.values():
            self.seen.update(processes)
        return found

    def errors(self) -> str:
        """What it has said."""
        self._errors.seek(0)
        return self._errors.read()

    def wait(self) -> int:
        """Wait for its end, and for that of all its processes."""
        code = self.process.wait(MAX_SECONDS)
        _, alive = psutil.wait_procs(self.seen, 30)
        assert not alive, f"left behind: {alive}"
        assert "Traceback" not in self.errors(), self.errors()
        return code


def has_begun(pid: int) -> bool:
    """Whether a launcher is past the start of Python, in which Ctrl-C is not Cedar's to hear."""
    with suppress(OSError):
        return "numpy" in Path(f"/proc/{pid}/maps").read_text()
    return False


def disturb(run: Run, kind: str, number: signal.Signals, rng: random.Random) -> bool:
    """Send a signal to a process of a run some time after there is one; whether the run lived to see it."""
    while not (has_begun(run.process.pid) and run.processes()[kind]):
        if run.process.poll() is not None:
            return False
        time.sleep(0.01)
    with suppress(subprocess.TimeoutExpired):
        run.process.wait(rng.uniform(0.0, MAX_PAUSE))
        return False
    victims = run.processes()[kind]
    with suppress(psutil.NoSuchProcess, IndexError):
        victim = rng.choice(victims)
        victim.send_signal(number)
        if number == signal.SIGSTOP:
            time.sleep(rng.uniform(0.0, MAX_STOP))
            victim.send_signal(signal.SIGCONT)
        return True
    return False


def kinds_of_kills(*, guarded: bool, number: int, rng: random.Random) -> list[tuple[str, signal.Signals]]:
    """Kinds of processes and signals, each as often as every other, in random order."""
    kinds = [(kind, each) for kind in (PROCESSES if guarded else PROCESSES[:2]) for each in SIGNALS]
    deck: list[tuple[str, signal.Signals]] = []
    while len(deck) < number:
        deck += rng.sample(kinds, len(kinds))
    return deck[:number]


def command_of(name: str, source: Path, output: Path, more: list[str]) -> list[str]:
    """A command with its places filled in."""
    places = {"SOURCE": str(source), "OUTPUT": str(output)}
    return [*(places.get(word, word) for word in COMMANDS[name]), *more]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--command", choices=COMMANDS, default="extract")
    parser.add_argument("--input", choices=INPUTS, default="warc", help="what the crawl is in")
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--extractor", default="cedar")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--curated", action="store_true", help="with languages, signals, rules and signatures"
    )
    options = parser.parse_args()
    rng = random.Random(options.seed)
    with tempfile.TemporaryDirectory(prefix="kills-") as directory:
        base = Path(directory)
        temporary = base / "tmp"
        temporary.mkdir()
        more = ["--extractor", options.extractor]
        if options.curated:
            model = fasttext_files.write(base / "model.bin")
            more += ["--language-model", str(model), "--keep", "offset < 200000"]
            more += ["--preset", "fineweb-quality", "--signatures"]
        source = base / "crawl"
        if options.command in ("dedup", "dedup-lines"):
            source, more = base / "source", []
            write_duplicates(source)
        else:
            for number in range(FILES):
                write_input(options.input, source, number)
        if options.command in ("filter", "dedup-write"):
            made = command_of("extract", source, base / "source", more)
            assert (run := Run(made, temporary)).wait() == 0, run.errors()
            source, more = base / "source", []
        undisturbed = Run(command_of(options.command, source, base / "undisturbed", more), temporary)
        assert undisturbed.wait() == 0, undisturbed.errors()
        expected = Output.at(base / "undisturbed")
        filled = {kind for kind, rows in expected.rows.items() if rows}
        wanted = {"pages", "dropped", "signatures"} if options.curated else {"pages"}
        assert filled >= FILLED.get(options.command, wanted), filled
        done: Counter[str] = Counter()
        starts, outputs = 0, 0
        guarded = options.command == "extract" and registry.get(options.extractor).builds_tree
        kills = kinds_of_kills(guarded=guarded, number=options.kills, rng=rng)
        while kills:
            outputs += 1
            output, code = base / f"output{outputs}", -1
            while code != 0:
                workers = ["--workers", rng.choice(WORKERS)] if options.command == "dedup" else []
                run = Run(command_of(options.command, source, output, [*more, *workers]), temporary)
                starts += 1
                while kills and run.process.poll() is None:
                    kind, number = kills[-1]
                    if disturb(run, kind, number, rng):
                        done[f"{kind} {number.name}"] += 1
                        kills.pop()
                code = run.wait()
            assert Output.at(output) == expected, f"{output}: other rows or books than undisturbed"
            shutil.rmtree(output)
        left = [path.name for path in temporary.iterdir() if not path.name.startswith("cedar-")]
        assert not left, f"temporary files left behind: {left}"
    print(f"{done.total()} kills in {starts} runs of {outputs} outputs: rows and books as undisturbed")
    print(", ".join(f"{what} {count}" for what, count in sorted(done.items())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
