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

extensions = cythonize(
    [
        Extension(
            f"transforms.compiled.{source.stem}",
            [source.as_posix()],
            include_dirs=lxml.get_include() if source.stem == "dom_parser" else [],
            # Each product and sum is rounded for itself, as numpy does: results are equal to the bit.
            extra_compile_args=["-O3", "-g0", "-ffp-contract=off"] if os.name == "posix" else ["/O2"],
        )
        for source in sorted(Path("transforms/compiled").glob("*.pyx"))
    ],
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
    extension.optional = True  # `cythonize` does not hand this on

setup(ext_modules=extensions)
