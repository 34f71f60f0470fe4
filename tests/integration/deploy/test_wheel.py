"""The wheel, the source distribution and the editable installation, away from the checkout: `nox -s wheel`.

`make wheel` builds the wheel first. What Cedar needs comes from the environment of the tests, if not said
otherwise.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]

pytestmark = [pytest.mark.needs("pip"), pytest.mark.timeout(1800)]

FOUR = ("numpy", "webencodings", "faust-cchardet", "lxml")
"""The packages that the function needs, as docs/python.md says."""


@pytest.fixture(scope="module")
def wheel() -> Path:
    found = list((ROOT / "dist").glob("*.whl"))
    assert len(found) == 1, "make wheel builds it"
    return found[0]


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment with the wheel in it."""
    return install(environment(tmp_path_factory.mktemp("wheel") / "venv"), str(wheel))


@pytest.fixture(scope="module")
def editable(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment in which a copy of the checkout is installed as README says."""
    place = tmp_path_factory.mktemp("editable")
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in [
        *listed.splitlines(),
        *(str(path.relative_to(ROOT)) for path in (ROOT / "build").rglob("*.*")),
    ]:
        source, target = ROOT / name, place / "checkout" / name
        if source.is_file() or source.is_symlink():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target, follow_symlinks=False)
    return install(environment(place / "venv"), "--editable", str(place / "checkout"))


def environment(directory: Path, *, bare: bool = False) -> Path:
    """An environment that sees the packages of this one, or none, and not the checkout; its Python."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", directory], check=True)
    python = directory / "bin" / "python"
    if not bare:
        site = run(python, directory, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip()
        packages = [path for path in sys.path if Path(path).name == "site-packages"]
        (Path(site) / "zz_packages.pth").write_text("\n".join(packages))
    return python


def install(python: Path, *target: str, **variables: str) -> Path:
    """Install without a compiler's help but for sources; returns the Python."""
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--ignore-installed"]
    how = ["--no-deps", "--no-build-isolation", *target]
    subprocess.run([*pip, *how], check=True, env={**os.environ, **variables})
    return python


def run(python: Path, cwd: Path, *arguments: object) -> str:
    """Run Python where no compiler is on the path."""
    done = subprocess.run(
        [python, *map(str, arguments)], capture_output=True, text=True, cwd=cwd,
        env={"PATH": str(python.parent), "HOME": str(cwd)}, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def checked(python: Path, module: Path) -> subprocess.CompletedProcess[str]:
    """What mypy says of a module in an environment."""
    command = [sys.executable, "-m", "mypy", "--strict", "--python-executable", str(python)]
    cache = ["--cache-dir", str(module.parent / "cache")]
    return subprocess.run(
        [*command, *cache, module.name], capture_output=True, text=True, cwd=module.parent, check=False
    )


def test_the_wheel_runs_the_main_job_where_no_compiler_is(wheel: Path, tmp_path: Path) -> None:
    python = environment(tmp_path / "venv")
    install(python, str(wheel), PATH=f"{Path(sys.executable).parent}", CC="/nonexistent")
    where = run(
        python, tmp_path, "-c", "import cedar, cedar.transforms as t; print(cedar.__file__, t.__file__)"
    )
    assert all(path.startswith(str(tmp_path)) for path in where.split())
    run(python, tmp_path, "-m", "cedar", "sample", "sample.warc.gz")
    for extractor in ("cedar", "cetr", "cetd-ds"):
        command = ["extract", "sample.warc.gz", "--output", extractor, "--extractor", extractor]
        assert "pages " in run(python, tmp_path, "-m", "cedar", *command)
        assert list((tmp_path / extractor / "pages").iterdir())


def test_the_wheel_holds_one_package_with_the_compiled_code_and_all_that_a_run_reads(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    sources = {
        f"cedar/{p.relative_to(ROOT).with_suffix('').as_posix()}" for p in ROOT.glob("transforms/**/*.pyx")
    }
    compiled = {name.split(".")[0] for name in names if name.endswith(".so")}
    assert sources <= compiled
    assert {"cedar/__init__.py", "cedar/py.typed"} <= set(names)
    assert any(name.startswith("cedar/pipelines/drawing/templates/") for name in names)
    assert {name.partition("/")[0] for name in names if ".dist-info" not in name} == {"cedar"}


TYPED = """
import cedar
from cedar import Extraction, MarkdownOptions


def title_and_words(html: bytes) -> tuple[str | None, int]:
    page: Extraction = cedar.extract(html, markdown=MarkdownOptions(links="keep"))
    return page.title, len(page.text.split())


first: str = cedar.names()[0]
reveal_type(cedar.extract)
reveal_type(cedar.metadata)
"""


@pytest.mark.parametrize("how", ["installed", "editable"])
def test_what_is_installed_is_typed(how: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    python = request.getfixturevalue(how)
    module = tmp_path / "user_module.py"
    module.write_text(TYPED)
    done = checked(python, module)
    assert done.returncode == 0, done.stdout
    assert done.stdout.count("Revealed type") == 2
    assert '"Any"' not in done.stdout
    module.write_text(TYPED + "\ncedar.extract(7)\n")
    done = checked(python, module)
    assert done.returncode == 1
    assert 'incompatible type "int"' in done.stdout


PIPELINE = """
import apache_beam as beam

import cedar
import pipelines.steps
import tests.words
import transforms.loud


class Loud(beam.DoFn):
    def process(self, page):
        yield transforms.loud.loud(cedar.extract(page).text)


with beam.Pipeline(runner="FnApiRunner") as pipeline:
    pipeline | beam.Create(pipelines.steps.PAGES) | beam.ParDo(Loud()) | beam.Map(print)
"""


@pytest.mark.parametrize("marked", [True, False], ids=["packages", "folders"])
@pytest.mark.parametrize("how", ["installed", "editable"])
def test_a_project_keeps_its_own_pipelines_transforms_and_tests(
    how: str, marked: bool, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    python = request.getfixturevalue(how)
    files = {
        "pipelines/steps.py": "PAGES = ['<p>words of a page']",
        "transforms/loud.py": "def loud(text): return text.upper()",
        "tests/words.py": "",
    }
    for name, content in files.items():
        path = tmp_path / name
        path.parent.mkdir()
        path.write_text(content + "\n")
        if marked:
            (path.parent / "__init__.py").touch()
    (tmp_path / "main.py").write_text(PIPELINE)
    assert run(python, tmp_path, "main.py").strip() == "WORDS OF A PAGE"
    run(python, tmp_path, "-m", "cedar", "sample", "sample.warc.gz")
    run(
        python,
        tmp_path,
        "-m",
        "cedar",
        "extract",
        "sample.warc.gz",
        "--output",
        "corpus",
        "--extractor",
        "cetd-ds",
    )


LIGHT = """
import resource
import cedar
for name in cedar.names():
    assert cedar.extract("<html><body><h1>Head</h1><p>" + "A few words. " * 40, name).text
assert cedar.extract("<h1>A</h1><p>" + "words " * 40, markdown=cedar.MarkdownOptions()).markdown
assert cedar.metadata("<title>T</title>") is not None
"""
START = """
import resource
import cedar
cedar.extract("<p>A page of a few words.")
print(sum(resource.getrusage(resource.RUSAGE_SELF)[:2]))
"""


def test_the_function_alone_needs_four_packages_and_little_room(wheel: Path, tmp_path: Path) -> None:
    python = install(environment(tmp_path / "venv", bare=True), str(wheel))
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet"]
    subprocess.run([*pip, *FOUR], check=True)
    size = sum(path.lstat().st_size for path in (tmp_path / "venv").rglob("*") if path.is_file())
    assert size < 130_000_000
    run(python, tmp_path, "-c", LIGHT)
    assert min(float(run(python, tmp_path, "-c", START)) for _ in range(5)) < 0.25
    module = tmp_path / "user_module.py"
    module.write_text(TYPED)
    assert checked(python, module).returncode == 0
    for name, package in (
        ("ReadWarc", "apache-beam"),
        ("WriteCorpus", "apache-beam"),
        ("PageFilter", "brotli"),
    ):
        said = run(
            python, tmp_path, "-c", f"import cedar\ntry: cedar.{name}\nexcept ImportError as e: print(e)"
        )
        assert package in said
        assert said.count("\n") == 1
    command = [python, "-m", "cedar", "extract", "a.warc.gz", "--output", "b"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "pip install" in done.stderr


def test_the_source_distribution_installs(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-c", f"import setuptools.build_meta as b; b.build_sdist({str(tmp_path)!r})"],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as packed:
        names = [member.name for member in packed.getmembers() if member.size]  # one module's C is empty
    assert not [name for name in names if name.endswith((".so", ".c"))]
    python = install(environment(tmp_path / "venv"), str(archive))
    text = run(python, tmp_path, "-c", "import cedar; print(cedar.extract('<p>A page of a few words.').text)")
    assert text == "A page of a few words.\n"
