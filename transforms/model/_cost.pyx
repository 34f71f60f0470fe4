"""Time spent, and the clocks that stages are timed with; no result depends on them but the time columns."""

from posix.time cimport CLOCK_MONOTONIC, CLOCK_THREAD_CPUTIME_ID, clock_gettime, timespec


cdef class Cost:
    """Time spent: CPU and wall seconds."""

    cdef readonly double cpu, wall

    def __init__(self, double cpu=0.0, double wall=0.0):
        self.cpu, self.wall = cpu, wall

    def __add__(Cost self, Cost other):
        return _cost(self.cpu + other.cpu, self.wall + other.wall)

    def __sub__(Cost self, Cost other):
        return _cost(self.cpu - other.cpu, self.wall - other.wall)

    def __truediv__(Cost self, int parts):
        return _cost(self.cpu / parts, self.wall / parts)

    def __eq__(self, other):
        return isinstance(other, Cost) and self.cpu == other.cpu and self.wall == other.wall

    def __hash__(self):
        return hash((self.cpu, self.wall))

    def __repr__(self):
        return f"Cost(cpu={self.cpu}, wall={self.wall})"

    def rounded(self):
        """Return the same to the microsecond, as files have it."""
        return _cost(round(self.cpu, 6), round(self.wall, 6))


cdef Cost _cost(double cpu, double wall):
    cdef Cost cost = Cost.__new__(Cost)
    cost.cpu, cost.wall = cpu, wall
    return cost


def clock():
    """CPU time of this thread and wall time so far; the difference of two is what lay between."""
    cdef timespec cpu, wall
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &cpu)
    clock_gettime(CLOCK_MONOTONIC, &wall)
    return _cost(cpu.tv_sec + 1e-9 * cpu.tv_nsec, wall.tv_sec + 1e-9 * wall.tv_nsec)
