"""`cedar extractors`: the methods, a line each; or what there is to know of one."""

import json
import shutil
import textwrap
from importlib.metadata import version

from cedar.pipelines.common.errors import UsageError, usage_errors
from cedar.pipelines.common.terminal import print_out
from cedar.pipelines.extractors.options import ExtractorsOptions
from cedar.transforms.extractors import plugins, registry
from cedar.transforms.extractors.method import Extractor
from cedar.transforms.extractors.papers import PAPERS

_INDENT = "    "


def run(options: ExtractorsOptions) -> int:
    """Print the methods, or some of them whole; returns the exit code. Raises UsageError for unknown ones."""
    if options.bibtex and options.json:
        raise UsageError("--bibtex and --json are two forms: give one of them")
    if not options.names and not options.json and not options.bibtex:
        names = (*registry.names(), *plugins.names())
        widest = max(map(len, names))
        for name in names:
            _show_wrapped(f"{name:<{widest}}  {_summary(registry.get(name))}", " " * (widest + 2))
        print_out("cedar extractors NAME: its paper and its options")
        return 0
    with usage_errors(ValueError):
        names = options.names or (*registry.names(), *plugins.names())
        chosen = [registry.get(name) for name in names]
    if options.bibtex:
        print_out(*dict.fromkeys(_bibtex(extractor) for extractor in chosen))
        return 0
    for extractor in chosen:
        if options.json:
            print_out(json.dumps(_facts(extractor)))
        else:
            _show_whole(extractor)
    return 0


def _facts(extractor: Extractor) -> dict[str, object]:
    return {
        "name": extractor.name,
        "summary": extractor.summary,
        "fidelity": extractor.fidelity.value,
        "paper": extractor.paper or None,
        "options": [
            {"name": one.name, "default": one.default_text, "allowed": one.allowed, "meaning": one.about.doc}
            for one in extractor.option_specs
        ],
    }


def _bibtex(extractor: Extractor) -> str:
    """Return the entry of the method's paper; for a method without a paper, Cedar's entry."""
    for paper in PAPERS.values():
        if paper.citation == extractor.paper:
            return paper.bibtex
    if extractor.paper:
        return f"@misc{{{extractor.name},\n  note = {{{extractor.paper}}},\n}}"
    return f"@software{{cedar,\n  title = {{Cedar}},\n  version = {{{version('cedar-corpus')}}},\n}}"


def _summary(extractor: Extractor) -> str:
    return extractor.summary + (" (the default)" if extractor.name == registry.DEFAULT else "")


def _show_whole(extractor: Extractor) -> None:
    _show_wrapped(f"{extractor.name}: {_summary(extractor)}", _INDENT)
    _show_wrapped(f"{_INDENT}{extractor.fidelity.value}", _INDENT)
    if extractor.paper:
        _show_wrapped(f"{_INDENT}{extractor.paper}", _INDENT)
    for option in extractor.option_specs:
        alias = f" (also {option.about.alias})" if option.about.alias else ""
        line = f"{option.name}={option.default_text}{alias}: {option.about.doc} [{option.allowed}]"
        _show_wrapped(_INDENT + line, 2 * _INDENT)


def _show_wrapped(text: str, indent: str) -> None:
    """Print a text on lines of the terminal's width."""
    width = shutil.get_terminal_size().columns
    print_out(*textwrap.wrap(text, width, subsequent_indent=indent, break_on_hyphens=False))
