"""Entry of the flex template: its parameters, which are options, as arguments of `cedar extract`."""

from __future__ import annotations

import sys

from cedar.pipelines.cli import main
from cedar.pipelines.extract.options import ExtractOptions
from cedar.transforms.model.options import options_of


def arguments(parameters: list[str]) -> list[str]:
    """Arguments of `cedar` for what the launcher gives.

    `--inputs=A,B` becomes A B, `--keep=A;B` each of them, a flag that is true the flag; the rest stays.
    """
    options = {one.name.replace("-", "_").lstrip("_"): one for one in options_of(ExtractOptions)}
    inputs: list[str] = []
    rest: list[str] = []
    for given in parameters:
        name, _, value = given.partition("=")
        one = options.get(name.lstrip("-"))
        if name == "--inputs":
            inputs += [part for part in value.split(",") if part]
        elif one is not None and one.about.unit == "flag":
            rest += [one.name] if value == "true" else []
        elif one is not None and one.about.repeats:
            rest += [f"{one.name}={part.strip()}" for part in value.split(";") if part.strip()]
        else:
            rest.append(given)
    runner = [] if any(word.startswith("--runner") for word in rest) else ["--runner=DataflowRunner"]
    return ["extract", *inputs, *rest, *runner]


if __name__ == "__main__":
    sys.exit(main(arguments(sys.argv[1:])))
