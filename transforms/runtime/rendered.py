"""The page guard for a method whose pages a browser lays out first.

The browser is the worker's: its processes would not start within a child's limits. So a page goes to the
child to be numbered, to the browser, and to the child again with its boxes; without any they are estimated.
"""

from __future__ import annotations

from dataclasses import replace

from transforms.extractors.extraction import Extraction
from transforms.extractors.vips.rendering import ASK, ESTIMATE, FACTORY, TELL
from transforms.model.books import RejectedError, RejectReason
from transforms.runtime.chromium import Browser, BrowserLostError
from transforms.runtime.guard import Guard
from transforms.runtime.guard_limits import GuardLimits


class RenderingGuard:
    """Runs one method, with one set of options, on one page at a time; as `Guard`, and with a browser."""

    def __init__(
        self, arguments: tuple[str, ...], limits: GuardLimits, browser: Browser, *, with_html: bool = True
    ) -> None:
        self._guard = Guard(arguments, limits, FACTORY, with_html=with_html)
        self._browser = browser

    @property
    def cpu_seconds(self) -> float:
        """CPU time that the children spent on pages so far; the browser's is not in it."""
        return self._guard.cpu_seconds

    def extract(self, html: bytes) -> Extraction:
        """Extract from a page of valid UTF-8, as `Guard.extract`."""
        page = self._guard.extract(ASK + html).text
        if not page:  # its tree cannot be held: the stand-in says so
            return self._guard.extract(ESTIMATE + html)
        try:
            boxes = self._browser.lay_out(page).packed()
            return self._guard.extract(TELL + boxes + html)
        except BrowserLostError as error:
            why = str(error)
        except RejectedError as error:
            if error.reason is not RejectReason.EXTRACTOR_ERROR:
                raise
            why = error.detail
        found = self._guard.extract(ESTIMATE + html)
        return replace(found, fallback=found.fallback or f"layout=estimate: {why}")

    def close(self) -> None:
        """End the children, and the browser."""
        self._guard.close()
        self._browser.close()
