"""Builds the compiled modules of `transforms`; all else about the package is in pyproject.toml.

CEDAR_BUILD=checked in the environment has each index into an array checked, for tests; CEDAR_BUILD=asan has
each access to memory checked by AddressSanitizer: `python setup.py build --build-lib build/checked`.

Compiled modules are kept in ~/.cache/cedar-corpus (or $XDG_CACHE_HOME/cedar-corpus), by a digest of all that
shapes them: another installation on the same machine, from any checkout, compiles only what changed.
"""

import contextlib
import hashlib
import os
import shutil
import subprocess
import sysconfig
from pathlib import Path

import Cython
import lxml
from Cython.Build import cythonize
from Cython.Build.Dependencies import create_dependency_tree
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

BUILD = os.environ.get("CEDAR_BUILD", "release")
if BUILD not in ("release", "checked", "asan"):
    raise SystemExit(f"CEDAR_BUILD is release, checked or asan, not {BUILD!r}")

CHECKED = BUILD == "checked"
"""Whether each index into an array is checked, for tests of the compiled code."""

SANITIZED = BUILD == "asan"
"""Whether AddressSanitizer checks each access to memory, that from malloc included."""

ALONE = os.environ.get("CEDAR_ALONE")
"""A module's source that is compiled and no other, as `python -m lab.mutants` wants it."""

SHARED = "cedar.transforms._memoryviews"
"""What Cython needs for arrays, once and not in each module: that halves the time of a build."""

JOBS = os.cpu_count() or 1

# Each product and sum is rounded for itself, as numpy does: results are equal to the bit.
# Checked code is for tests alone, where it is compiled more often than it runs long.
LEVEL = "-O1" if CHECKED or SANITIZED or ALONE else "-O3"
FLAGS = [LEVEL, "-g0", "-ffp-contract=off"]
if CHECKED:
    FLAGS.append("-DCEDAR_PLAIN")  # what other machines than x86-64 run in place of SSE2
SANITIZE = ["-fsanitize=address", "-fno-omit-frame-pointer", "-g1"] if SANITIZED else []

DIRECTIVES = {
    "language_level": 3,
    "boundscheck": CHECKED,
    "wraparound": False,
    "initializedcheck": CHECKED,
    "cdivision": True,
}

ROOT = Path() if Path("cedar/transforms").exists() else Path("src")
"""Where the package is: in a checkout cedar/ itself, in a source distribution src/cedar/."""

USES_LIBXML2 = ("_parser",)
"""Modules that are compiled against lxml's headers, which bring those of libxml2."""

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "cedar-corpus"
MAX_CACHED = 1000
"""How many compiled modules the cache keeps: some 100 MB, a dozen versions of Cedar."""


def _extension(source: Path) -> Extension:
    return Extension(
        ".".join(source.relative_to(ROOT).with_suffix("").parts),
        [source.as_posix()],
        include_dirs=lxml.get_include() if source.stem in USES_LIBXML2 else [],
        extra_compile_args=FLAGS + SANITIZE,
        extra_link_args=SANITIZE,
    )


def _extensions() -> list[Extension]:
    if ALONE:
        return [_extension(Path(ALONE))]
    sources = sorted((ROOT / "cedar/transforms").glob("**/*.pyx"))
    return [_extension(source) for source in (ROOT / "cedar/transforms/_memoryviews.c", *sources)]


class BuildExtensions(build_ext):
    """Compiles on all cores what the cache does not hold; says in one sentence if a compiler is missing."""

    def finalize_options(self) -> None:
        """Sets the number of compilers; as an option of setup() an editable installation would lose it."""
        super().finalize_options()
        self.parallel = JOBS

    def build_extensions(self) -> None:
        """Takes from the cache what it holds, and compiles the others."""
        compiler = (getattr(self.compiler, "compiler_so", None) or ["cc"])[0]
        headers = Path(sysconfig.get_path("include"), "Python.h")
        if shutil.which(compiler) is None or not headers.exists():
            lacking = f"the compiler {compiler}" if headers.exists() else str(headers)
            raise SystemExit(
                f"Cedar is compiled when it is installed from source, but {lacking} is not here: "
                "install a C compiler and Python's headers (Debian: apt-get install gcc python3-dev)"
            )
        self.cached = self._cached()
        every = self.extensions
        missing = self.extensions = [ext for ext in every if self.force or not self._take(ext)]
        self.compiled = 0
        if missing:
            _show(f"translating {len(missing)} modules into C")
            self._translate()
            super().build_extensions()
        self.extensions = every  # an installation in place copies all

    def build_extension(self, ext: Extension) -> None:
        """Compiles an extension, and puts it into the cache."""
        super().build_extension(ext)
        self.compiled += 1
        if self.compiled % 10 == 0 or self.compiled == len(self.extensions):
            _show(f"compiled {self.compiled} of {len(self.extensions)} modules")
        if ALONE:
            return  # a mutant is compiled once
        cached = self.cached[ext.name]
        with contextlib.suppress(OSError):  # without a cache the next installation compiles again
            cached.parent.mkdir(parents=True, exist_ok=True)
            part = cached.with_suffix(f".{os.getpid()}")
            shutil.copy(self.get_ext_fullpath(ext.name), part)
            part.replace(cached)
            by_age = sorted(cached.parent.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)
            for old in by_age[MAX_CACHED:]:
                old.unlink()

    def _take(self, ext: Extension) -> bool:
        """Copies an extension from the cache; returns whether it was there."""
        target = Path(self.get_ext_fullpath(ext.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            shutil.copyfile(self.cached[ext.name], target)
            self.cached[ext.name].touch()  # the oldest go first
        except OSError:
            return False
        return True

    def _translate(self) -> None:
        """Makes C of the sources of all extensions."""
        made = cythonize(
            self.extensions,
            shared_utility_qualified_name=SHARED,
            nthreads=JOBS,
            build_dir=self.build_temp,
            compiler_directives=DIRECTIVES,
            force=True,
        )
        sources = {ext.name: ext.sources for ext in made}
        for ext in self.extensions:
            ext.sources = sources[ext.name]

    def _cached(self) -> dict[str, Path]:
        """Says where the cache has each extension: by sources, flags, compiler, Python, Cython and lxml."""
        programs = (self.compiler.compiler_so, self.compiler.linker_so)
        said = subprocess.run([*programs[0], "--version"], capture_output=True, check=False).stdout
        versions = (said, sysconfig.get_config_var("EXT_SUFFIX"), Cython.__version__, lxml.__version__)
        shaping = repr((DIRECTIVES, FLAGS, SANITIZE, programs, versions)).encode()
        dependencies = create_dependency_tree(quiet=True)
        cached = {}
        for ext in self.extensions:
            digest = hashlib.sha256(shaping)
            for source in sorted(dependencies.all_dependencies(ext.sources[0])):
                if not Path(source).is_absolute():  # not headers of Cython and lxml, whose versions are in
                    digest.update(Path(source).read_bytes())
            cached[ext.name] = CACHE / f"{ext.name}-{digest.hexdigest()[:32]}.so"
        return cached


def _show(text: str) -> None:
    """Writes a line to the terminal itself, for pip shows nothing of what a build prints."""
    with contextlib.suppress(OSError), Path("/dev/tty").open("w") as terminal:
        terminal.write(f"\n  {text} ")


setup(ext_modules=_extensions(), cmdclass={"build_ext": BuildExtensions})
