"""The page of all options, from the records of the commands: `python docs/options_page.py` prints it."""

from collections.abc import Iterator
from itertools import groupby

from cedar.pipelines.commands import COMMANDS, command_of
from cedar.transforms.model.options import METAVARS, OptionField, options_of

HEAD = """# Options

Every option of every command, as `cedar COMMAND --help` says it. Sizes are written as `64KiB`, `8MiB` or
`1.5GB`, times in seconds. Commands that take Beam's options take underscores in names, too.
"""


def text() -> str:
    """The page."""
    return "\n".join([HEAD, *(line for name in COMMANDS for line in _command(name))])


def _command(name: str) -> Iterator[str]:
    command = command_of(name)
    yield f"## cedar {name}\n\n    cedar {name} {command.usage}\n\n{command.description}\n"
    yield from tables(name)


def tables(name: str) -> Iterator[str]:
    """The lines of the tables of a command's options."""
    for group, options in groupby(options_of(command_of(name).record), lambda one: one.about.group):
        if group is not None:
            yield f"**{group.title[0].upper()}{group.title[1:]}**" + (
                f" ({group.description})\n" if group.description else "\n"
            )
        yield "| option | meaning |\n|---|---|"
        yield from (f"| `{_written(one)}` | {one.help} |" for one in options)
        yield ""


def _written(one: OptionField) -> str:
    metavar = one.about.metavar or METAVARS.get(one.about.unit, "")
    if not one.name.startswith("-"):
        return metavar + ("..." if one.about.repeats else "")
    return f"{one.name} {metavar}".strip()


if __name__ == "__main__":
    print(text())
