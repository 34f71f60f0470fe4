"""The clusters of all pages: in one array, or, of more pages than it can hold, in rounds before that.

In rounds edges are rewritten pass by pass, a file of each part. Pass 0 parts the edges by page, in both
directions. After it large stars and small stars take turns (`Stars` in `transforms.curation._duplicates`); a
round is one of each, and one that changes nothing is the last.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from pipelines.dedup.edges import append_block, edges_of, files_of_edges, read_share, write_rows
from pipelines.dedup.inputs import Pack
from pipelines.dedup.plan import Plan
from transforms.curation._duplicates import Stars
from transforms.curation.duplicates import MOST_PAGES, PAGE_BYTES, Words, in_order, spread, unite
from transforms.files.stores import StoredPath


@dataclass(frozen=True, slots=True)
class _Done:
    """The last pass that is whole, and how many edges it and the one before it have changed."""

    number: int = -1
    changes: int = 1
    before: int = 1

    @property
    def is_last(self) -> bool:
        return self.number >= 2 and self.number % 2 == 0 and self.changes + self.before == 0


def are_needed(plan: Plan) -> bool:
    """Whether there are more pages than an array in memory can hold."""
    return plan.inputs.pages > MOST_PAGES or PAGE_BYTES * plan.inputs.pages > plan.memory


def passes(plan: Plan) -> Iterator[list[int]]:
    """Give the tasks of each pass that is left; who asks for the next pass has done those before."""
    done = _done(plan)
    while not done.is_last:
        number = done.number + 1
        parts = _parts(plan, number)
        yield [number * _stride(plan) + part for part in range(parts)]
        changes = sum(int(_changes(plan, number, part).read()) for part in range(parts))
        done = _Done(number, changes, done.changes)
        plan.work("rounds", "done").write(json.dumps(asdict(done)).encode())
        plan.clear_work(f"rounds/{number - 1}")


def write_pass(plan: Plan, task: int) -> None:
    """Write a part of a pass, by its number as `passes` has given it."""
    number, part = divmod(task, _stride(plan))
    kind: Literal["large", "small"] = "large" if number % 2 else "small"
    stars = Stars(kind)
    with plan.scratch() as folder, _file(plan, number, part).writing() as file:
        if number == 0:
            blocks = edges_of(plan, part)
        else:
            blocks = (stars.edges(some) for some in _in_order(plan, number - 1, part, folder))
        # Bits of the number of a page; at least as many as tell the parts apart.
        width = max(plan.bits, plan.inputs.pages.bit_length())
        for edges in blocks:
            # A large star looks at pages from both ends of their edges; a small one from the greater.
            both = edges if kind == "large" else np.concatenate([edges, edges[:, ::-1]])
            append_block(file, spread(both, plan.bits, width))
        _changes(plan, number, part).write(str(stars.changes).encode())


def has_pass(plan: Plan, task: int) -> bool:
    """Whether a part of a pass is there."""
    return _file(plan, *divmod(task, _stride(plan))).exists()


def write_clusters(plan: Plan) -> None:
    """Write the pages that are in a cluster with others, in order, and the least page of each one's."""
    if are_needed(plan):
        found = _of_last_pass(plan)
    else:
        edges = (some for number in range(files_of_edges(plan)) for some in edges_of(plan, number))
        found = unite(edges, plan.inputs.pages)
    left = np.empty((0, 2), np.uint64)
    for pack in plan.packs:
        with plan.work("clusters", pack.number).writing() as file:
            while True:
                count = int(np.searchsorted(left[:, 0], np.uint64(pack.stop)))
                write_rows(file, left[:count])
                left = left[count:]
                if len(left) or (more := next(found, None)) is None:
                    break
                left = more
    plan.work("clusters", "done").write(b"")


def clusters_of(plan: Plan, pack: Pack) -> Words:
    """The pages of a pack that are in a cluster with others, in order, and the least page of each one's."""
    return np.frombuffer(plan.work("clusters", pack.number).read(), np.uint64).reshape(-1, 2)


def _of_last_pass(plan: Plan) -> Iterator[Words]:
    """Find the cluster of each page that is in one with others, as `unite` does, after the last pass."""
    least, number = Stars("least"), _done(plan).number
    with plan.scratch() as folder:
        for part in range(1 << plan.bits):
            yield from map(least.edges, _in_order(plan, number, part, folder))


def _in_order(plan: Plan, number: int, part: int, folder: Path) -> Iterator[Words]:
    """The edges of a part that a pass has left, sorted."""
    # Half for them; the other half for what is made of them.
    memory = plan.memory // 2
    most = max(1, memory // 64)
    files = (_file(plan, number, made) for made in range(_parts(plan, number)))
    shares = (piece for file in files for piece in read_share(file, part, 1 << plan.bits, 2, most))
    return in_order(shares, 2, memory, folder)


def _done(plan: Plan) -> _Done:
    try:
        return _Done(**json.loads(plan.work("rounds", "done").read()))
    except FileNotFoundError:
        return _Done()


def _parts(plan: Plan, number: int) -> int:
    """How many files a pass writes."""
    return files_of_edges(plan) if number == 0 else 1 << plan.bits


def _stride(plan: Plan) -> int:
    """More than the parts of any pass."""
    return 4 << plan.bits


def _file(plan: Plan, number: int, part: int) -> StoredPath:
    return plan.work("rounds", f"{number}/{part}")


def _changes(plan: Plan, number: int, part: int) -> StoredPath:
    return plan.work("rounds", f"{number}/{part}.changes")
