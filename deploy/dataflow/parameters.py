"""Print metadata.json, the parameters of the flex template, from the options of `cedar extract`."""

import json
from collections.abc import Iterator

from cedar.pipelines.extract.options import ExtractOptions
from cedar.transforms.model.options import OptionField, options_of

LEFT_OUT = {
    *("workers", "runner", "watch", "queue", "kafka_property"),  # a batch on Dataflow
    *(
        "plan",
        "show",
        "config",
        "quiet",
        "json",
        "log_level",
        "log_format",
        "metrics_file",
    ),  # for people at a terminal
    *("language_model", "classifier", "block_ut1"),  # files on the workers' disks
}
PATTERNS = {
    "inputs": r"^@?((gs|s3|https?)://|cc:)[^,]+(,@?((gs|s3|https?)://|cc:)[^,]+)*$",
    "output": r"^(gs|s3)://[^/]+/.+$",
    "format": r"^(parquet|avro|jsonl)$",
    "status": r"^[0-9]{3}(-[0-9]{3})?(,[0-9]{3}(-[0-9]{3})?)*$",
    "slice": r"^[0-9]*:[0-9]*$",
    "split_size": r"^(0|[0-9.]+ ?[KMG]?i?B?)$",
}
SEPARATOR = ";"
"""Between several values of an option that may be repeated; inputs have commas."""


def offered() -> Iterator[OptionField]:
    """The options that are parameters."""
    return (one for one in options_of(ExtractOptions) if one.key not in LEFT_OUT)


def parameter(one: OptionField) -> dict[str, object]:
    """An option as the service describes it."""
    name = one.name.lstrip("-").replace("-", "_")
    pattern = "^(true|false)$" if one.about.unit == "flag" else PATTERNS.get(name)
    if pattern is None and one.about.choices:
        pattern = f"^({'|'.join(one.about.choices)})$"
    several = ", separated by commas" if name == "inputs" else f", separated by {SEPARATOR}"
    return {
        "name": name,
        "label": name.replace("_", " ").capitalize(),
        "helpText": one.help + (several if one.about.repeats else ""),
        **({} if name in ("inputs", "output") else {"isOptional": True}),
        **({"regexes": [pattern]} if pattern else {}),
    }


def metadata() -> str:
    """The text of metadata.json."""
    description = (
        "Reads WARC and ARC files, extracts the main content of every page, and writes a corpus of it."
    )
    content = {
        "name": "Cedar: WARC to clean text",
        "description": description,
        "parameters": [parameter(one) for one in offered()],
    }
    return json.dumps(content, indent=2) + "\n"


if __name__ == "__main__":
    print(metadata(), end="")
