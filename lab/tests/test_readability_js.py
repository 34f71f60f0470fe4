"""Readability in node: a program that answers pages in lines, and may fail, hang or be missing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from cedar.transforms.model.books import RejectedError
from cedar.transforms.runtime.guard_limits import GuardLimits
from lab.judge import method_of
from lab.readability_js import Node

STAND_IN = f"""#!{sys.executable} -S
import json, sys, time
for line in sys.stdin:
    page = json.loads(line)
    if page == "hang":
        time.sleep(60)
    if page == "die":
        sys.exit(1)
    said = {{"html": f"<p>{{page}}</p><p>{{sys.argv[3]}}</p>", "cpu": 0.25, "failure": None}}
    print(json.dumps(said | ({{"failure": "no"}} if page == "fail" else {{}})), flush=True)
"""

MODULES = {
    "jsdom": """
        exports.VirtualConsole = class {};
        exports.JSDOM = class { constructor(html) { this.window = {document: html, close() {}}; } };
    """,
    "@mozilla/readability": """
        exports.Readability = class {
            constructor(page) { this.page = page; }
            parse() {
                if (this.page === "hang") for (;;);
                if (this.page === "fail") throw new Error("no");
                return this.page ? {content: `<p>${this.page}</p>`} : null;
            }
        };
    """,
}
"""What the program asks for, in the smallest form."""


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    for name, source in MODULES.items():
        folder = tmp_path / "node_modules" / name
        folder.mkdir(parents=True)
        (folder / "index.js").write_text(source)
    return tmp_path


@pytest.fixture
def stand_in(directory: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Node]:
    """Node with a program of ours in the place of `node`."""
    program = directory / "bin" / "node"
    program.parent.mkdir()
    program.write_text(STAND_IN)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent), prepend=os.pathsep)
    node = Node(str(directory), GuardLimits(cpu_seconds=0.2))
    yield node
    node.close()


def test_what_is_kept_is_a_line_for_each_piece_and_its_time_is_what_node_says(stand_in: Node) -> None:
    for page in ("é", "b"):
        assert stand_in.text(page.encode()).splitlines()[0] == page
    assert stand_in.cpu_seconds == 0.5


@pytest.mark.parametrize("page", [b"hang", b"die"])
def test_a_program_that_hangs_or_ends_costs_its_page_alone(stand_in: Node, page: bytes) -> None:
    start = time.monotonic()
    with pytest.raises(RejectedError, match="node ended, or took too long"):
        stand_in.text(page)
    assert time.monotonic() - start < 30
    assert stand_in.text(b"next").startswith("next")


def test_a_failure_is_said_and_the_program_stays(stand_in: Node) -> None:
    stand_in.text(b"first")
    process = stand_in._process
    with pytest.raises(RejectedError, match="no"):
        stand_in.text(b"fail")
    stand_in.text(b"next")
    assert stand_in._process is process


def test_what_is_missing_is_said(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = f"readability-js:directory={directory}"
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(ValueError, match="needs node"):
        method_of(asked)
    monkeypatch.setattr(shutil, "which", lambda _: "/bin/node")
    shutil.rmtree(directory / "node_modules")
    with pytest.raises(ValueError, match=str(directory)):
        method_of(asked)


needs_node = pytest.mark.skipif(not shutil.which("node"), reason="there is no node here")


@needs_node
def test_the_program_itself(directory: Path) -> None:
    node = Node(str(directory), GuardLimits())
    try:
        assert [node.text(page) for page in ("é\n".encode(), b"")] == ["é\n", ""]
        with pytest.raises(RejectedError, match="Error: no"):
            node.text(b"fail")
        assert node.text(b"next") == "next"
        assert node.cpu_seconds > 0
    finally:
        node.close()


@needs_node
def test_the_program_ends_with_the_process_that_it_works_for(directory: Path) -> None:
    script = (
        "import sys; from lab.readability_js import Node; "
        "from cedar.transforms.runtime.guard_limits import GuardLimits; "
        f"node = Node({str(directory)!r}, GuardLimits()); node.text(b'a'); "
        "print(node._process.pid, flush=True); node._process.stdin.write(b'\"hang\"\\n'); "
        "node._process.stdin.flush(); "
        "import os; os._exit(0)"
    )
    pid = int(subprocess.run([sys.executable, "-c", script], check=True, capture_output=True).stdout)
    end = time.monotonic() + 20
    while Path(f"/proc/{pid}").exists() and time.monotonic() < end:
        time.sleep(0.05)
    assert not Path(f"/proc/{pid}").exists()
