"""A pool that starts Python workers for the executors of one machine: `pool.py PORT`.

Beam's own pool knows a worker by its id alone. Each executor counts its workers from one, so with several
executors on a machine the word to stop a worker of one would end another's. Here that word is not heeded: a
worker ends by itself when its executor closes the connection.
"""

import sys

from apache_beam.portability.api import beam_fn_api_pb2
from apache_beam.runners.worker.worker_pool_main import BeamFnExternalWorkerPoolServicer


class Pool(BeamFnExternalWorkerPoolServicer):
    """Starts workers, and leaves their end to them."""

    def StopWorker(self, *_: object) -> beam_fn_api_pb2.StopWorkerResponse:  # noqa: N802 - its name there
        """Do nothing."""
        return beam_fn_api_pb2.StopWorkerResponse()


if __name__ == "__main__":
    _, server = Pool.start(use_process=True, port=int(sys.argv[1]))
    server.wait_for_termination()
