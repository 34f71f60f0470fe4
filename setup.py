"""Builds the compiled modules of `transforms`; all else about the package is in pyproject.toml.

CEDAR_BUILD=checked in the environment has each index into an array checked, for tests; CEDAR_BUILD=asan has
each access to memory checked by AddressSanitizer: `python setup.py build --build-lib build/checked`.

What was compiled is kept in build/compiled, by a digest of the source and of all that shapes the result: a
second installation from the same checkout compiles nothing.
"""

import hashlib
import os
import shutil
import sysconfig
from pathlib import Path

import Cython
import lxml
from Cython.Build import cythonize
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


ROOT = Path() if Path("cedar/transforms").exists() else Path("src")
"""Where the package is: in a checkout cedar/ itself, in a source distribution src/cedar/."""

SOURCES = [Path(ALONE)] if ALONE else sorted((ROOT / "cedar/transforms").glob("**/*.pyx"))

USES_LIBXML2 = ("_parser",)
"""Modules that are compiled against lxml's headers, which bring those of libxml2."""


def _extension(name: str, source: Path) -> Extension:
    headers = lxml.get_include() if source.stem in USES_LIBXML2 else []
    return Extension(
        name,
        [source.as_posix()],
        include_dirs=headers,
        extra_compile_args=FLAGS + SANITIZE,
        extra_link_args=SANITIZE,
    )


C_FILES = Path("build/cython-checked" if CHECKED else "build/cython")
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": CHECKED,
    "wraparound": False,
    "initializedcheck": CHECKED,
    "cdivision": True,
}


def _translated() -> list[Extension]:
    """The extensions as C. What was translated before from the same sources is taken as it is.

    Cython goes by times, and an installation brings a new Cython each time: it would translate all again.
    """
    shared = hashlib.sha256(f"{Cython.__version__} {lxml.__version__} {DIRECTIVES}".encode())
    for header in sorted((ROOT / "cedar/transforms").glob("**/*.pxd")):
        shared.update(header.read_bytes())
    named = {".".join(source.relative_to(ROOT).with_suffix("").parts): source for source in SOURCES}
    keys, found, missing = {}, [], []
    for name, source in named.items():
        c_file, key_file = (C_FILES / source.with_suffix(suffix) for suffix in (".c", ".key"))
        keys[key_file] = hashlib.sha256(shared.digest() + source.read_bytes()).hexdigest()
        is_known = c_file.exists() and key_file.exists() and key_file.read_text() == keys[key_file]
        (found if is_known else missing).append(_extension(name, c_file if is_known else source))
    source = ROOT / "cedar/transforms/_memoryviews.c"
    memoryviews = C_FILES / source
    if missing or not memoryviews.exists():
        found += cythonize(
            [*([] if ALONE else [_extension(SHARED, source)]), *missing],
            shared_utility_qualified_name=SHARED,
            nthreads=JOBS,
            build_dir=str(C_FILES),
            compiler_directives=DIRECTIVES,
        )
        for key_file, key in keys.items():
            key_file.write_text(key)
    elif not ALONE:
        found.append(_extension(SHARED, memoryviews))
    return found


KEPT = Path("build/compiled")


class BuildExtensions(build_ext):
    """Compiles on all cores what was not compiled before; says in one sentence if a compiler is missing."""

    def finalize_options(self) -> None:
        """Sets the number of compilers; as an option of setup() an editable installation would lose it."""
        super().finalize_options()
        self.parallel = JOBS

    def build_extensions(self) -> None:
        """Compiles the extensions."""
        compiler = (getattr(self.compiler, "compiler_so", None) or ["cc"])[0]
        headers = Path(sysconfig.get_path("include"), "Python.h")
        if shutil.which(compiler) is None or not headers.exists():
            missing = f"the compiler {compiler}" if headers.exists() else str(headers)
            raise SystemExit(
                f"Cedar is compiled when it is installed from source, but {missing} is not here: "
                "install a C compiler and Python's headers (Debian: apt-get install gcc python3-dev)"
            )
        super().build_extensions()

    def build_extension(self, ext: Extension) -> None:
        """Compiles one extension, or takes it from an earlier build of the same source."""
        target = Path(self.get_ext_fullpath(ext.name))
        kept = KEPT / f"{self._digest(ext)}.so"
        if not self.force and kept.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(kept, target)
            return
        super().build_extension(ext)
        KEPT.mkdir(parents=True, exist_ok=True)
        part = kept.with_suffix(f".{os.getpid()}")
        shutil.copy(target, part)
        part.replace(kept)

    def _digest(self, ext: Extension) -> str:
        """Says by what an extension is shaped: source, flags, compiler, Python, and lxml's headers."""
        compiler = getattr(self.compiler, "compiler_so", None), getattr(self.compiler, "linker_so", None)
        suffix = sysconfig.get_config_var("EXT_SUFFIX")
        shaping = (ext.extra_compile_args, ext.extra_link_args, compiler, suffix, lxml.__version__)
        found = hashlib.sha256(repr(shaping).encode())
        for source in ext.sources:
            found.update(Path(source).read_bytes())
        return f"{ext.name}-{found.hexdigest()[:32]}"


setup(ext_modules=_translated(), cmdclass={"build_ext": BuildExtensions})
