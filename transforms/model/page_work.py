"""A page in the stages of one step: its cost, and why it is rejected."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from cedar.transforms.model.books import RejectedError, RejectReason
from cedar.transforms.model.costs import NO_COST, Cost, clock


@dataclass(slots=True, kw_only=True)
class PageWork:
    """What a step knows of one page besides its content.

    Attributes:
        cost: time that the step has spent on the page.
        error: why the page is rejected; None as long as it is not.
        cpu_before: CPU seconds that earlier steps have spent on it.
    """

    cost: Cost = NO_COST
    error: RejectedError | None = None
    cpu_before: float = 0.0

    def charge(self, spent: Cost, cpu_limit: float) -> None:
        """Add time to the page's cost; reject it if its CPU time is over `cpu_limit` seconds in all."""
        self.cost += spent
        if self.error is None and self.cpu_before + self.cost.cpu > cpu_limit:
            self.error = RejectedError(RejectReason.TIME_LIMIT, f"{cpu_limit:g} s of CPU time")


WorkT = TypeVar("WorkT", bound=PageWork)


class StageRunner:
    """Runs stages over pages, and charges each page for its own time.

    The time of a page is looked at between stages: each stage takes time proportional to the page.

    Args:
        cpu_limit: CPU seconds that a page may take, those before this step included.
        machine_errors: errors that a stage passes on, because no page is to blame.
        reject: returns why a page is rejected on which a stage failed with another error.
        time: returns the time so far.
    """

    def __init__(
        self,
        cpu_limit: float,
        *,
        machine_errors: tuple[type[Exception], ...],
        reject: Callable[[Exception], RejectedError],
        time: Callable[[], Cost] = clock,
    ) -> None:
        self._cpu_limit = cpu_limit
        self._machine_errors = machine_errors
        self._reject = reject
        self._time = time

    def run(self, stage: Callable[[WorkT], None], pages: Iterable[WorkT]) -> None:
        """Run a stage over the pages that no stage before has rejected."""
        for page in pages:
            if page.error is not None:
                continue
            start = self._time()
            try:
                stage(page)
            except self._machine_errors:
                raise
            except Exception as error:  # noqa: BLE001 - whatever a page does to a stage is its own reject
                page.error = self._reject(error)
            page.charge(self._time() - start, self._cpu_limit)

    def run_together(self, stage: Callable[[list[WorkT]], None], pages: Iterable[WorkT]) -> None:
        """Run a stage once over all pages that no stage before has rejected; each pays the same share."""
        left = [page for page in pages if page.error is None]
        if not left:
            return
        start = self._time()
        stage(left)
        share = (self._time() - start) / len(left)
        for page in left:
            page.charge(share, self._cpu_limit)
