"""`cedar extractors`: the methods, each with its paper and its options."""

from __future__ import annotations

from pipelines.common.messages import show
from transforms.extractors import plugins, registry


def run(_: None) -> int:
    """Print the methods that `--extractor` takes; returns the exit code."""
    for name in (*registry.names(), *plugins.names()):
        extractor = registry.get(name)
        default = " (the default)" if name == registry.DEFAULT else ""
        show(f"{name}{default}: {extractor.summary}")
        show(f"    {extractor.fidelity.value}")
        if extractor.paper:
            show(f"    {extractor.paper}")
        for option in extractor.option_specs:
            alias = f" (also {option.about.alias})" if option.about.alias else ""
            show(f"    {option.name}={option.default_text}{alias}: {option.about.doc} [{option.allowed}]")
    return 0
