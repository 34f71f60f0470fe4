"""`cedar extract`: the launcher that the options ask for, in the frame that all launchers share."""

from pipelines.beam.beam_arguments import store_environment
from pipelines.extract import graph, preview, watch
from pipelines.extract.options import ExtractOptions
from pipelines.local.workspace import workspace


def run(options: ExtractOptions) -> int:
    """Run `cedar extract`; returns the exit code. Raises UsageError and OSError before anything is done."""
    store_environment(options.beam_arguments).enter()
    if options.plan:
        launch = preview.run
    elif not options.endless:
        launch = graph.run
    elif options.is_local:
        launch = watch.run
    else:
        launch = watch.run_elsewhere
    with workspace():
        return launch(options)
