"""Packages that an extra or a broken installation lacks, and the command that installs them."""

import re
import shlex
from importlib.metadata import requires


def install_command(extra: str, package: str) -> str:
    """Return the command that installs the packages of an extra, and does not install Cedar again.

    The installed metadata names them; where it lacks the extra, the package stands for it.
    """
    is_wanted = re.compile(f"extra == ['\"]{extra}['\"]")
    lines = (line.partition(";") for line in requires("cedar-corpus") or ())
    packages = [name.strip() for name, _, marker in lines if is_wanted.search(marker)]
    return shlex.join(["pip", "install", *(packages or [package])])


_PACKAGES = {"cchardet": "faust-cchardet", "yaml": "pyyaml"}
"""Packages that are called otherwise than their modules."""


def missing_package(fault: ModuleNotFoundError) -> str | None:
    """Say which package of Cedar's is missing and how to install it; None if it is a module of another."""
    module = (fault.name or "").partition(".")[0]
    package = _PACKAGES.get(module, module.replace("_", "-"))
    lines = (line.partition(";") for line in requires("cedar-corpus") or ())
    wanted = [name.strip() for name, _, marker in lines if "extra ==" not in marker]
    found = [line for line in wanted if re.match(rf"{re.escape(package)}\b(?!-)", line, re.IGNORECASE)]
    if not package or not found:
        return None
    return f"{package}, which is not installed: {shlex.join(['pip', 'install', *found])}"
