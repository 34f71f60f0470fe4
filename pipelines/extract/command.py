"""`cedar extract`: choose what runs.

It is the forecast (`--plan`), the batch job (`graph`), a watch on this machine (`watch`) or a streaming job.

Beam, whose import takes a second, comes in when a run is about to start.
"""

from cedar.pipelines.beam.beam_arguments import store_environment
from cedar.pipelines.common.logs import LogOptions, imports_quietly
from cedar.pipelines.common.outcome import RunStart
from cedar.pipelines.extract import forecast
from cedar.pipelines.extract.job import prepared
from cedar.pipelines.extract.options import ExtractOptions
from cedar.pipelines.local.workspace import workspace


def run(options: ExtractOptions) -> int:
    """Run `cedar extract`; returns the exit code. Raises UsageError and OSError before anything is done."""
    store_environment(options.beam_arguments).enter()
    beginning = RunStart.now()
    log = LogOptions(options.log_level, options.log_format)
    with workspace():
        if options.plan:
            return forecast.run(options)
        if not options.endless:
            with prepared(options) as job:
                with imports_quietly(log):
                    from cedar.pipelines.extract import graph
                return graph.run(options, job, beginning)
        with imports_quietly(log):
            from cedar.pipelines.extract import streaming, watch
        return watch.run(options) if options.is_local else streaming.run(options)
