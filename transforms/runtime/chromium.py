"""A browser that lays pages out: Chromium without a window, spoken to over a pipe (Chrome DevTools Protocol).

    worker  --file descriptor 3-->  Chromium   JSON with a NUL after each message
            <--file descriptor 4--

No port is open, no script runs, and no request leaves: the one document is answered from here, all others
fail, and names resolve to nothing. Its sandbox is on, which Chromium refuses to root. It is started again
after a crash, after a page that takes too long, and now and then.

The browser is the worker's: its processes would not start within a child's limits. So a page goes to the page
guard's child to be numbered, to the browser, and to the child again with its boxes; without any they are
estimated.
"""

import base64
import contextlib
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from cedar.transforms.extractors.extraction import Extraction
from cedar.transforms.extractors.vips._styles import parsed_colour
from cedar.transforms.extractors.vips.rendering import ASK, ESTIMATE, FACTORY, NUMBER, TELL, Rendered
from cedar.transforms.model.books import RejectedError, RejectReason
from cedar.transforms.runtime.guard import Guard
from cedar.transforms.runtime.guard_limits import GuardLimits

PAGES = 500
"""Pages after which a browser is replaced."""

PAGE_SECONDS = 15.0
"""Wall time that a page may take."""

_START_SECONDS = 30.0
_WIDTH, _HEIGHT = 1024, 768
_URL = "http://page.invalid/"
_MOST_MESSAGE = 256 << 20  # bytes
_AT_ONCE = 1 << 20
_STYLES = ("display", "visibility", "font-size", "font-weight", "background-color")
_DISPLAYS = {"none": 0, "inline": 1}
_FLAGS = (
    *("--headless", "--remote-debugging-pipe", "--disable-gpu", "--no-first-run", "--disable-extensions"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync", "--mute-audio"),
    *("--disable-default-apps", "--hide-scrollbars", "--disable-dev-shm-usage", "--renderer-process-limit=1"),
    *("--host-resolver-rules=MAP * ~NOTFOUND", "--blink-settings=imagesEnabled=false"),
    *(f"--window-size={_WIDTH},{_HEIGHT}", "--js-flags=--max-old-space-size=256"),
)
# Chromium wants its pipe at 3 and 4; what holds the numbers until then may be one of them.
_WIRE = (
    "import fcntl, os, sys; r, w = (fcntl.fcntl(int(n), fcntl.F_DUPFD, 16) for n in sys.argv[1:3]); "
    "os.dup2(r, 3); os.dup2(w, 4); os.execvp(sys.argv[3], sys.argv[3:])"
)


class BrowserLostError(Exception):
    """Raised where the browser has no boxes for a page: it crashed, or took too long."""


class Browser:
    """One browser, started when it is first asked for a page.

    Args:
        command: the program, and arguments that go before those that are always given.
        seconds: wall time that a page may take.
        pages: pages after which it is replaced; `starts` counts how often it was started.
    """

    def __init__(self, command: Sequence[str], *, seconds: float = PAGE_SECONDS, pages: int = PAGES) -> None:
        self._command, self._seconds, self._pages = tuple(command), seconds, pages
        self._process: subprocess.Popen[bytes] | None = None
        self._profile = ""
        self._read = self._write = -1
        self._buffer = bytearray()
        self._number = self._served = 0
        self._session: str | None = None
        self._frame = ""
        self._page, self._is_loaded = b"", False
        self.starts = 0

    def lay_out(self, page: str) -> Rendered:
        """Lay a page out, XHTML with its elements numbered; after a BrowserLostError the browser is new."""
        try:
            if self._process is None or self._served >= self._pages:
                self.close()
                self._start()
            self._served += 1
            return _rendered(self._snapshot(page))
        except (OSError, ValueError, KeyError, IndexError, TypeError) as error:
            self.close()
            raise BrowserLostError(f"{type(error).__name__}: {error}") from error
        except BrowserLostError:
            self.close()
            raise

    def close(self) -> None:
        """End the browser, and all that it started."""
        if self._process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._process = None
        for descriptor in (self._read, self._write):
            os.close(descriptor)
        shutil.rmtree(self._profile, ignore_errors=True)

    def _start(self) -> None:
        self._profile = tempfile.mkdtemp(prefix="cedar-browser-")
        theirs, self._write = os.pipe()
        self._read, ours = os.pipe()
        wire = [sys.executable, "-I", "-S", "-c", _WIRE, str(theirs), str(ours)]
        try:
            self._process = subprocess.Popen(
                [*wire, *self._command, *_FLAGS, f"--user-data-dir={self._profile}", "about:blank"],
                pass_fds=(theirs, ours),
                start_new_session=True,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        finally:
            os.close(theirs)
            os.close(ours)
        os.set_blocking(self._write, False)
        self._buffer, self._session, self._served = bytearray(), None, 0
        self.starts += 1
        until = time.monotonic() + _START_SECONDS
        target = self._call("Target.createTarget", {"url": "about:blank"}, until)["targetId"]
        attached = self._call("Target.attachToTarget", {"targetId": target, "flatten": True}, until)
        self._session = attached["sessionId"]
        self._call("Page.enable", {}, until)
        self._call("Emulation.setScriptExecutionDisabled", {"value": True}, until)
        metrics = {"width": _WIDTH, "height": _HEIGHT, "deviceScaleFactor": 1, "mobile": False}
        self._call("Emulation.setDeviceMetricsOverride", metrics, until)
        self._call("Fetch.enable", {"patterns": [{"urlPattern": "*"}]}, until)
        self._frame = self._call("Page.getFrameTree", {}, until)["frameTree"]["frame"]["id"]

    def _snapshot(self, page: str) -> dict[str, Any]:
        until = time.monotonic() + self._seconds
        self._page, self._is_loaded = page.encode("utf-8", "replace"), False
        self._send("Page.navigate", {"url": _URL}, until)
        while not self._is_loaded:
            self._handle(self._receive(until), until)
        return self._call("DOMSnapshot.captureSnapshot", {"computedStyles": list(_STYLES)}, until)

    def _call(self, method: str, parameters: Mapping[str, Any], until: float) -> dict[str, Any]:
        number = self._send(method, parameters, until)
        while True:
            message = self._receive(until)
            if message.get("id") != number:
                self._handle(message, until)
                continue
            if "error" in message:
                raise BrowserLostError(f"{method}: {message['error'].get('message')}")
            result: dict[str, Any] = message["result"]
            return result

    def _handle(self, message: dict[str, Any], until: float) -> None:
        method, given = message.get("method"), message.get("params", {})
        if method == "Fetch.requestPaused":
            request = {"requestId": given["requestId"]}
            is_page = (
                given["request"]["url"] == _URL
                and given.get("resourceType") == "Document"
                and given.get("frameId") == self._frame
            )
            if is_page:
                kind = {"name": "Content-Type", "value": "application/xhtml+xml; charset=utf-8"}
                body = base64.b64encode(self._page).decode()
                answer = {**request, "responseCode": 200, "responseHeaders": [kind], "body": body}
                self._send("Fetch.fulfillRequest", answer, until)
            else:
                self._send("Fetch.failRequest", {**request, "errorReason": "BlockedByClient"}, until)
        elif method == "Page.javascriptDialogOpening":
            self._send("Page.handleJavaScriptDialog", {"accept": False}, until)
        elif method == "Page.loadEventFired":
            self._is_loaded = True
        elif method in ("Inspector.targetCrashed", "Target.targetCrashed"):
            raise BrowserLostError("the page crashed it")

    def _send(self, method: str, parameters: Mapping[str, Any], until: float) -> int:
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        data = memoryview(json.dumps(message).encode() + b"\0")
        while data:
            if not select.select([], [self._write], [], self._left(until))[1]:
                continue
            with contextlib.suppress(BlockingIOError):
                data = data[os.write(self._write, data[:_AT_ONCE]) :]
        return self._number

    def _receive(self, until: float) -> dict[str, Any]:
        start = 0
        while (end := self._buffer.find(b"\0", start)) < 0:
            if not select.select([self._read], [], [], self._left(until))[0]:
                continue
            start = len(self._buffer)
            chunk = os.read(self._read, _AT_ONCE)
            if not chunk or start > _MOST_MESSAGE:
                raise BrowserLostError("it has ended" if not chunk else "it says too much")
            self._buffer += chunk
        message: dict[str, Any] = json.loads(bytes(self._buffer[:end]))
        del self._buffer[: end + 1]
        return message

    @staticmethod
    def _left(until: float) -> float:
        """Return the seconds that are left; raise BrowserLostError where none are."""
        left = until - time.monotonic()
        if left <= 0:
            raise BrowserLostError("no answer in time")
        return left


def _rendered(snapshot: Mapping[str, Any]) -> Rendered:
    """Read the boxes of a snapshot (DOMSnapshot.captureSnapshot)."""
    strings, document = snapshot["strings"], snapshot["documents"][0]
    nodes, layout = document["nodes"], document["layout"]
    number = strings.index(NUMBER) if NUMBER in strings else -2
    elements: dict[int, int] = {}  # node -> number
    texts: list[tuple[int, int, int]] = []  # element, place, node
    places: dict[int, int] = {}
    for node, (kind, parent) in enumerate(zip(nodes["nodeType"], nodes["parentIndex"], strict=True)):
        if kind == 1:
            attributes = nodes["attributes"][node]
            for name, value in zip(attributes[::2], attributes[1::2], strict=True):
                if name == number:
                    elements[node] = int(strings[value])
        elif kind == 3 and parent in elements:
            texts.append((elements[parent], places.get(parent, 0), node))
            places[parent] = places.get(parent, 0) + 1
    at: dict[int, int] = {}
    for laid_out, node in enumerate(layout["nodeIndex"]):
        at.setdefault(node, laid_out)
    made = Rendered.empty(
        max(elements.values(), default=-1) + 1,
        len(texts),
        float(document.get("contentWidth", _WIDTH)),
        float(document.get("contentHeight", _HEIGHT)),
    )
    for node, own in elements.items():
        if node in at and layout["styles"][at[node]]:
            styles = [strings[place] for place in layout["styles"][at[node]]]
            made.elements[own] = (tuple(layout["bounds"][at[node]]), *_style(styles))
    for each, (own, nth, node) in enumerate(texts):
        made.texts[each] = (own, nth, tuple(layout["bounds"][at[node]]) if node in at else (0, 0, 0, 0))
    return made


def _style(computed: Sequence[str]) -> tuple[float, int, int, int, bool]:
    """Font size, background, font weight, display and visibility, of the values of `_STYLES`."""
    display, visibility, size, weight, colour = computed
    kind = 2 if display.startswith("inline-") else _DISPLAYS.get(display, 3)
    pixels = float(size.removesuffix("px") or 16)
    return pixels, parsed_colour(colour.encode()), int(float(weight or 400)), kind, visibility == "visible"


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
