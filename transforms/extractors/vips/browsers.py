"""Which methods want a browser to lay pages out, and what starts it; imports nothing that only they need."""

import json
import os
import shutil

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
"""What the browser is called on PATH."""

NO_SANDBOX = "--no-sandbox"

ONLY_WORKERS = (
    "layout=chromium needs a worker with a browser: take `cedar extract` or `cedar evaluate`, "
    "or layout=estimate"
)
"""What is said where a browser is asked for, and none is available."""


def wants_browser(name: str, options_text: str) -> bool:
    """Whether a method, with options as canonical JSON, has a browser lay pages out."""
    return name == "vips" and json.loads(options_text).get("layout") == "chromium"


def refuse_browser(name: str, options_text: str) -> None:
    """Raise ValueError for a method that wants a browser, where no worker has one."""
    if wants_browser(name, options_text):
        raise ValueError(ONLY_WORKERS)


def browser_command(*, sandbox: bool) -> tuple[str, ...]:
    """Find the browser, and what starts it; raise ValueError, with what to do, where it would not start."""
    binary = next((found for name in NAMES if (found := shutil.which(name))), None)
    if binary is None:
        raise ValueError(
            "layout=chromium needs a browser, and there is no chromium on PATH: install it "
            "(Debian: apt-get install chromium), or take layout=estimate"
        )
    if sandbox and os.geteuid() == 0:
        raise ValueError(
            "Chromium's sandbox does not work for root: run as another user, or without the sandbox "
            "(--browser-no-sandbox)"
        )
    return (binary, *(() if sandbox else (NO_SANDBOX,)))
