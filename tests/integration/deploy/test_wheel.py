"""The wheel and the source distribution, each in an environment of its own, away from the checkout.

`nox -s wheel` builds the wheel first. What Cedar needs comes from the environment of the tests.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]

pytestmark = [pytest.mark.needs("pip"), pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def wheel() -> Path:
    found = list((ROOT / "dist").glob("*.whl"))
    assert len(found) == 1, "make wheel builds it"
    return found[0]


def environment(directory: Path) -> Path:
    """An environment that sees the packages of this one, but not the checkout; its Python."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", directory], check=True)
    python = directory / "bin" / "python"
    site = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        capture_output=True, text=True, check=True,
    ).stdout.strip()  # fmt: skip
    packages = [path for path in sys.path if Path(path).name == "site-packages"]
    (Path(site) / "packages.pth").write_text("\n".join(packages))
    return python


def install(python: Path, target: Path, **variables: str) -> None:
    subprocess.run(
        [
            *(sys.executable, "-m", "pip", "--python", python, "install", "--quiet"),
            *("--no-deps", "--no-build-isolation", "--ignore-installed", target),
        ],
        check=True,
        env={**os.environ, **variables},
    )


def run(python: Path, cwd: Path, *arguments: object) -> str:
    """Run Python where no compiler is on the path."""
    done = subprocess.run(
        [python, *map(str, arguments)], capture_output=True, text=True, cwd=cwd,
        env={"PATH": str(python.parent), "HOME": str(cwd)}, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_wheel_runs_the_main_job_where_no_compiler_is(wheel: Path, tmp_path: Path) -> None:
    python = environment(tmp_path / "venv")
    install(python, wheel, PATH=f"{Path(sys.executable).parent}", CC="/nonexistent")
    where = run(
        python, tmp_path, "-c", "import cedar, transforms; print(cedar.__file__, cedar.transforms.__file__)"
    )
    assert all(path.startswith(str(tmp_path)) for path in where.split())
    run(python, tmp_path, "-m", "cedar", "sample", "sample.warc.gz")
    for extractor in ("cedar", "cetr", "cetd-ds"):
        command = ["extract", "sample.warc.gz", "--output", extractor, "--extractor", extractor]
        assert "pages " in run(python, tmp_path, "-m", "cedar", *command)
        assert list((tmp_path / extractor / "pages").iterdir())


def test_the_wheel_holds_the_compiled_code_and_all_that_a_run_reads(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    sources = {path.relative_to(ROOT).with_suffix("").as_posix() for path in ROOT.glob("transforms/**/*.pyx")}
    compiled = {name.split(".")[0] for name in names if name.endswith(".so")}
    assert sources <= compiled
    assert {"cedar/__init__.py", "cedar/py.typed"} <= set(names)
    assert not [name for name in names if name.startswith("lab/train")]
    assert any(name.startswith("pipelines/drawing/templates/") for name in names)
    assert not [name for name in names if name.startswith(("tests", "docs", "deploy"))]


USER_MODULE = """
import cedar
from cedar import Extraction, MarkdownOptions


def title_and_words(html: bytes) -> tuple[str | None, int]:
    page: Extraction = cedar.extract(html, markdown=MarkdownOptions(links="keep"))
    return page.title, len(page.text.split())


first: str = cedar.names()[0]
reveal_type(cedar.extract)
reveal_type(cedar.ReadWarc)
"""


def test_what_is_installed_is_typed(wheel: Path, tmp_path: Path) -> None:
    python = environment(tmp_path / "venv")
    install(python, wheel)
    module = tmp_path / "user_module.py"
    module.write_text(USER_MODULE)
    checked = [sys.executable, "-m", "mypy", "--strict", "--python-executable", str(python)]
    done = subprocess.run(
        [*checked, "--cache-dir", str(tmp_path / "cache"), str(module)],
        capture_output=True, text=True, cwd=tmp_path, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    assert done.stdout.count("Revealed type") == 2
    assert '"Any"' not in done.stdout
    module.write_text(USER_MODULE + "\ncedar.extract(7)\n")
    done = subprocess.run(
        [*checked, "--cache-dir", str(tmp_path / "cache"), str(module)],
        capture_output=True, text=True, cwd=tmp_path, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert 'incompatible type "int"' in done.stdout


def test_the_source_distribution_installs(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-c", f"import setuptools.build_meta as b; b.build_sdist({str(tmp_path)!r})"],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as packed:
        assert not [name for name in packed.getnames() if name.endswith((".so", ".c"))]
    python = environment(tmp_path / "venv")
    install(python, archive)
    text = run(python, tmp_path, "-c", "import cedar; print(cedar.extract('<p>A page of a few words.').text)")
    assert text == "A page of a few words.\n"
