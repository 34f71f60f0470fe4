"""Entry of the flex template: its parameters, which are all options, as arguments of `cedar extract`."""

from __future__ import annotations

import sys

from pipelines.cli import main


def arguments(parameters: list[str]) -> list[str]:
    """Arguments of `cedar` for what the launcher gives: `--inputs=A,B` becomes A B, the rest stays."""
    inputs: list[str] = []
    rest: list[str] = []
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name == "--inputs":
            inputs += [part for part in value.split(",") if part]
        else:
            rest.append(parameter)
    runner = [] if any(word.startswith("--runner") for word in rest) else ["--runner=DataflowRunner"]
    return ["extract", *inputs, *rest, *runner]


if __name__ == "__main__":
    sys.exit(main(arguments(sys.argv[1:])))
