"""Ctrl-C at any moment: exit code 130, in order and without a traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from cedar.pipelines import cli
from cedar.pipelines.local.stopping import StartupInterrupt, StopRequest
from tests.helpers.crawl import write_warc

ROOT = Path(__file__).parents[2]


def test_ctrl_c_waits_for_a_module_that_is_being_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "greedy.py").write_text(
        textwrap.dedent("""
        import os, signal, time
        try:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.01)
        except BaseException:
            raise SystemExit("a module that is half made")
        """)
    )
    monkeypatch.syspath_prepend(tmp_path)

    def dispatch(_: list[str], interruption: StartupInterrupt) -> int:
        __import__("greedy")
        interruption.check()
        return 0

    monkeypatch.setattr("cedar.pipelines.commands.dispatch", dispatch)
    before = signal.getsignal(signal.SIGINT)
    assert cli.main(["extract"]) == 130
    assert signal.getsignal(signal.SIGINT) is before


def test_ctrl_c_before_the_command_is_read_is_130(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli, "prepare_streams", lambda: os.kill(os.getpid(), signal.SIGINT))
    assert cli.main(["--version"]) == 130


def test_ctrl_c_that_was_swallowed_stops_a_run_at_its_beginning() -> None:
    with StartupInterrupt() as interruption:
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            StopRequest().__enter__()
        assert signal.getsignal(signal.SIGINT) is interruption


def test_the_entry_imports_next_to_nothing() -> None:
    code = "import sys; import cedar.pipelines.cli; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"argparse", "dataclasses", "numpy", "rich"} & set(done.stdout.split())


@pytest.mark.slow
def test_ctrl_c_while_a_run_starts_ends_it_with_130(tmp_path: Path) -> None:
    """While its first module is imported, that of Arrow, and the last."""
    crawl = write_warc(tmp_path / "a.warc.gz", 5)
    for module in ("cedar.pipelines.extract.command", "pyarrow", "cedar.transforms.read"):
        command = [sys.executable, "-c", STARTS, module, "extract", str(crawl), "--output", f"{tmp_path}/out"]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
        assert (module, done.returncode) == (module, 130)
        assert "Traceback" not in done.stderr
        assert done.stdout == "pressed\n"


STARTS = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a parent may have it ignored
from cedar.pipelines import cli

class Presses:
    def find_spec(name, path, target=None):
        if name == sys.argv[1]:
            sys.meta_path.remove(Presses)
            print("pressed", flush=True)
            signal.raise_signal(signal.SIGINT)

sys.meta_path.insert(0, Presses)
sys.exit(cli.main(sys.argv[2:]))
"""
