"""Self-contained HTML pages from templates: they fetch nothing and run only Cedar's own script.

The content security policy allows style and script by their hashes. Text from pages is escaped, and control
characters in it are written out.
"""

import base64
import hashlib
import json
import re
import webbrowser
from collections.abc import Callable, Iterable, Mapping
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from cedar.pipelines.common.errors import UsageError
from cedar.pipelines.common.terminal import escape_controls, print_out
from cedar.pipelines.drawing.charts import number, short, typeset
from cedar.transforms.corpus.outputs import refuse_foreign_file
from cedar.transforms.files.local import whole_file
from cedar.transforms.files.storage import writing

DRAWN = b'<meta name="generator" content="Cedar">'
"""The mark in the head of each page that Cedar draws."""

HEAD_BYTES = 4096
"""Bytes in which the head of a page ends."""


_OPTION = re.compile(r"(?<!\S)--[a-z][a-z0-9-]{0,30}")


def environment() -> Environment:
    """Return the environment of the templates; it escapes text, and has filters for text and numbers."""
    made = Environment(
        loader=PackageLoader("cedar.pipelines.drawing"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    made.filters.update(
        visible=escape_controls, number=number, short=short, typeset=typeset, unbroken=unbroken
    )
    return made


def unbroken(text: str) -> Markup:
    """Return text as HTML in which a line does not end within the name of an option: `--record-types`."""
    return Markup(_OPTION.sub(r'<span class="unbroken">\g<0></span>', str(escape(text))))  # noqa: S704 - escaped


def render(name: str, context: Mapping[str, object], data: object = None) -> str:
    """Return a page made of its template; `data` is read by its script, None for a page without one."""
    style, script = asset("style.css"), "" if data is None else asset(f"{name}.js")
    allowed = f"'{_digest(script)}'" if script else "'none'"
    policy = (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src {allowed}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    own = {"style": Markup(style), "script": Markup(script), "data": _json(data)}  # noqa: S704 - our files
    return _rendered(name, {**context, **own}, policy)


def render_front(context: Mapping[str, object]) -> str:
    """Return the front page of the site of `browse`, whose style and script are files next to it."""
    policy = (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; base-uri 'none'; "
        "form-action 'none'"
    )
    return _rendered("browse", context, policy)


def _rendered(name: str, context: Mapping[str, object], policy: str) -> str:
    template = environment().get_template(f"{name}.html")
    return template.render(context, policy=policy, cedar_version=version("cedar-corpus"))


def asset(name: str) -> str:
    """Return the text of a file of the templates: the style, or a script."""
    return files("cedar.pipelines.drawing").joinpath("templates", name).read_text(encoding="utf-8")


def _digest(content: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()


def _json(data: object) -> Markup:
    """Return JSON without `<`, so that nothing in it ends the script element around it."""
    text = json.dumps(data, separators=(",", ":"), allow_nan=False, ensure_ascii=True)
    return Markup(text.replace("<", "\\u003c"))  # noqa: S704 - nothing in it can be markup


def publish(
    target: Path,
    content: str,
    said: Iterable[str],
    *,
    is_opened: bool,
    say: Callable[[str], None] = print_out,
) -> None:
    """Write a page, say some lines and its path, and open it if `is_opened`.

    Raises UsageError if the page cannot be written.
    """
    with writing(str(target), UsageError):
        written = write_html(target, content)
    for line in said:
        say(line)
    say(f"{target.absolute()}: {written / 1e3:,.0f} kB")
    if is_opened:
        webbrowser.open(target.resolve().as_uri())


def write_html(target: Path, content: str) -> int:
    """Write a page in one step, so that nobody sees a part of it. Returns its size in bytes.

    Raises CorpusError if a file is there that Cedar did not draw; OSError.
    """
    refuse_foreign_file(str(target), DRAWN)
    octets = content.encode("utf-8", "backslashreplace")
    target.parent.stat()  # a missing folder is more likely a typo than a wish
    with whole_file(target) as staged:
        staged.write_bytes(octets)
    return len(octets)
