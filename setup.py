"""Builds the compiled twins of `transforms/compiled`; all else about the package is in pyproject.toml.

Without a C compiler, installing goes on without them: Cedar then works with numpy alone, with the same
results, several times slower.
"""

import os
from pathlib import Path

import lxml
from Cython.Build import cythonize
from setuptools import Extension, setup

CHECKED = os.environ.get("CEDAR_CHECKED") == "1"
"""Whether each index into an array is checked, for tests of the compiled code."""

SHARED = "transforms._memoryviews"
"""What Cython needs for arrays, once and not in each module: that halves the time of a build."""

JOBS = os.cpu_count() or 1

# Each product and sum is rounded for itself, as numpy does: results are equal to the bit.
FLAGS = ["-O3", "-g0", "-ffp-contract=off"] if os.name == "posix" else ["/O2"]


SOURCES = sorted(Path("transforms").glob("**/*.pyx"))

USES_LIBXML2 = ("_parser",)
"""Modules that are compiled against lxml's headers, which bring those of libxml2."""


def _extension(name: str, source: Path) -> Extension:
    headers = lxml.get_include() if source.stem in USES_LIBXML2 else []
    return Extension(name, [source.as_posix()], include_dirs=headers, extra_compile_args=FLAGS)


extensions = cythonize(
    [
        _extension(SHARED, Path("transforms/_memoryviews.c")),
        *(_extension(".".join(source.with_suffix("").parts), source) for source in SOURCES),
    ],
    shared_utility_qualified_name=SHARED,
    nthreads=JOBS,
    # Apart from each other: what is newer than its source is taken as it is, whatever it was made with.
    build_dir="build/cython-checked" if CHECKED else "build/cython",
    compiler_directives={
        "language_level": 3,
        "boundscheck": CHECKED,
        "wraparound": False,
        "initializedcheck": CHECKED,
        "cdivision": True,
    },
    force=CHECKED,
)
for extension in extensions:
    # `cythonize` does not hand this on; modules of other folders have nothing that stands in for them.
    extension.optional = extension.name.startswith("transforms.compiled.")

setup(ext_modules=extensions, options={"build_ext": {"parallel": JOBS}})
