"""A second look: what the first scores of a page's other blocks say about a block.

Blocks vote: those near it, those in the elements around it, its kin (blocks in elements of the same name and
class), and the set that would be chosen now. This is what smoothing does in CETR, and what a threshold on a
container does in CETD, with learned weights. Likelihoods are whole thousandths, so that sums are exact.
"""

from libc.stdint cimport int64_t, uint64_t

from cedar.transforms.extractors.html._bytes cimport GOLDEN_RATIO
from cedar.transforms.extractors.html._growing cimport IntArena
from cedar.transforms.extractors.segments._arithmetic cimport (
    Run, distance, extend, find_firsts, least, most, no_run, part, side,
)
from cedar.transforms.extractors.cedar._choice cimport likelihood, rank
from cedar.transforms.extractors.segments._elements cimport ANCESTORS, Elements
from cedar.transforms.extractors.segments._page cimport SegmentedPage

from cedar.transforms.extractors.cedar.columns import VOTES

cdef enum:
    MIN_SURE = 800  # thousandths from which a block is sure
    SIBLINGS = 5

cdef Py_ssize_t ROWS = len(VOTES)


cdef class Votes:
    """Likelihoods of the n blocks of a page.

    Attributes:
        likely: int64 (n,), thousandths.
        words: int64 (n,), tenths of words, one or more.
        mass: int64 (n + 1,), running sums of likely * words.
        total: int64 (n + 1,), running sums of words.
        room: for further arrays.
    """

    cdef Py_ssize_t count
    cdef IntArena room
    cdef int64_t[::1] likely, words, mass, total

    @staticmethod
    cdef Votes of(const int64_t[::1] scores, const int64_t[::1] word_tenths, IntArena room):
        cdef Py_ssize_t block
        cdef Votes self = Votes()
        self.count, self.room = scores.shape[0], room
        self.likely, self.words = room.take(self.count), room.take(self.count)
        self.mass, self.total = room.take(self.count + 1), room.take(self.count + 1)
        self.mass[0] = self.total[0] = 0
        for block in range(self.count):
            self.likely[block] = likelihood(scores[block])
            self.words[block] = max(word_tenths[block], <int64_t>1)
            self.mass[block + 1] = self.mass[block] + self.likely[block] * self.words[block]
            self.total[block + 1] = self.total[block] + self.words[block]
        return self


def vote(SegmentedPage page not None, const int64_t[::1] scores not None, float[:, ::1] room not None):
    """Measure the n blocks of a page by the first scores of all, int64 (n,).

    `room`, float32 (len(VOTES), n), is filled with the columns `VOTES`.
    """
    if scores.shape[0] != page.blocks.count or room.shape[0] != ROWS or room.shape[1] != page.blocks.count:
        raise ValueError("scores, or room, for the blocks of another page")
    cdef Votes votes = Votes.of(scores, page.blocks.word_tenths, page.markup.room)
    cdef Py_ssize_t at = 0
    at += _fill_choice(votes, scores, room)
    at += _fill_neighbours(votes, room[at:])
    at += _fill_elements(votes, page.elements, room[at:])
    at += _fill_siblings(votes, page.elements, room[at:])
    at += _fill_kin(votes, page.elements, room[at:])
    at += _fill_runs(votes, page.elements.headings, room[at:])
    at += _fill_lead(votes, page.title_match.block, room[at:])
    if at != ROWS:
        raise AssertionError(f"{at} votes were filled, and {ROWS} have a name")


cdef Py_ssize_t _fill_choice(Votes votes, const int64_t[::1] scores, float[:, ::1] room) except -1:
    """The set that would be chosen now, and where the block stands to it."""
    cdef const int64_t[::1] likely = votes.likely, words = votes.words
    cdef Py_ssize_t count = votes.count, i, block
    cdef int64_t whole = max(votes.mass[count], <int64_t>1), hits = 0, so_far = 0, sure = 0, sure_words = 0, lowest
    cdef double expected, best = -1
    cdef int64_t[::1] order = rank(scores, votes.room)
    lowest = 0
    for i in range(count):
        block = order[i]
        hits += likely[block] * words[block]
        so_far += words[block]
        expected = <double>(2 * hits) / <double>(1000 * so_far + whole)
        if expected > best:
            best = expected
            lowest = likely[block]
        room[1, block] = <float>(<double>hits / <double>whole)
        room[2, block] = <float>expected
        if likely[block] > MIN_SURE:
            sure += likely[block] * words[block]
            sure_words += words[block]
    for block in range(count):
        room[0, block] = <float>likely[block]
        room[3, block] = <float>(likely[block] - lowest)
    room[4, :] = <float>best
    room[5, :] = <float>lowest
    room[6, :] = <float>(<double>sure / <double>whole)
    room[7, :] = <float>sure_words
    room[8, :] = <float>(whole // 1000)
    room[9, :] = <float>(<double>whole / <double>votes.total[count])
    return 10


cdef Py_ssize_t _fill_neighbours(Votes votes, float[:, ::1] room) except -1:
    """The blocks before and after, one by one and in windows."""
    cdef const int64_t[::1] likely = votes.likely, words = votes.words, mass = votes.mass, total = votes.total
    cdef Py_ssize_t count = votes.count, block, row, step, first, last
    cdef Py_ssize_t[4] offsets = [-2, -1, 1, 2]
    cdef Py_ssize_t[3] reaches = [2, 5, 12]
    for row in range(4):
        step = offsets[row]
        for block in range(count):
            room[row, block] = <float>likely[block + step] if 0 <= block + step < count else 0
    for row in range(3):
        step = reaches[row]
        for block in range(count):
            first, last = most(block - step, 0), least(block + step + 1, count)
            room[4 + row, block] = part(
                mass[last] - mass[first] - likely[block] * words[block],
                total[last] - total[first] - words[block],
            )
    return 7


cdef Py_ssize_t _fill_elements(Votes votes, Elements elements, float[:, ::1] room) except -1:
    """The elements around the block."""
    cdef const int64_t[::1] mass = votes.mass, total = votes.total
    cdef const int64_t[::1] first = elements.first, last = elements.last
    cdef const int64_t[:, ::1] around = elements.around
    cdef Py_ssize_t count = votes.count, block, level, element
    cdef int64_t inside, whole = max(mass[count], <int64_t>1)
    for level in range(ANCESTORS):
        for block in range(count):
            element = around[level, block]
            inside = mass[last[element]] - mass[first[element]]
            room[2 * level, block] = part(inside, total[last[element]] - total[first[element]])
            room[2 * level + 1, block] = part(inside, whole)
    return 2 * ANCESTORS


cdef Py_ssize_t _fill_siblings(Votes votes, Elements elements, float[:, ::1] room) except -1:
    """The siblings of one kind of the elements around the block."""
    cdef const int64_t[::1] mass = votes.mass, total = votes.total, first_alike = elements.first_alike
    cdef const int64_t[::1] first = elements.first, last = elements.last
    cdef Py_ssize_t block, level, element
    cdef int64_t[::1] hits = votes.room.zeros(elements.count), words = votes.room.zeros(elements.count)
    for element in range(elements.count):
        hits[first_alike[element]] += mass[last[element]] - mass[first[element]]
        words[first_alike[element]] += total[last[element]] - total[first[element]]
    for block in range(votes.count):
        element = elements.nearest[block]
        for level in range(SIBLINGS):
            room[level, block] = part(hits[first_alike[element]], words[first_alike[element]])
            element = elements.parents[element]
    return SIBLINGS


cdef Py_ssize_t _fill_kin(Votes votes, Elements elements, float[:, ::1] room) except -1:
    """The blocks in elements of the same name and class."""
    cdef const int64_t[::1] signatures = elements.signatures
    cdef const int64_t[::1] likely = votes.likely, words = votes.words
    cdef Py_ssize_t count = votes.count, block, element, kin
    cdef int64_t own
    cdef int64_t[::1] keys = votes.room.take(count), found = votes.room.take(count)
    cdef int64_t[::1] all_hits = votes.room.zeros(count), all_words = votes.room.zeros(count)
    for block in range(count):
        element = elements.nearest[block]
        keys[block] = <int64_t>(
            <uint64_t>signatures[element] * GOLDEN_RATIO + <uint64_t>signatures[elements.parents[element]]
        )
    find_firsts(keys, found, votes.room)
    for block in range(count):
        all_hits[found[block]] += likely[block] * words[block]
        all_words[found[block]] += words[block]
    for block in range(count):
        kin = found[block]
        own = likely[block] * words[block]
        room[0, block] = part(all_hits[kin], all_words[kin])
        room[1, block] = part(all_hits[kin] - own, all_words[kin] - words[block])
    return 2


cdef Py_ssize_t _fill_runs(Votes votes, const int64_t[::1] headings, float[:, ::1] room) except -1:
    """Sure blocks before and after, the likeliest run of blocks (BTE), and the rest of the section."""
    cdef const int64_t[::1] likely = votes.likely, words = votes.words, mass = votes.mass, total = votes.total
    cdef Py_ssize_t count = votes.count, block, begin = 0, end, since = count
    cdef int64_t all_sure = 0, sure = 0
    cdef float section
    cdef Run run = no_run()
    for block in range(count):
        extend(&run, (likely[block] - 500) * words[block], block)
        if likely[block] > MIN_SURE:
            all_sure += words[block]
    for block in range(count):
        room[0, block] = part(sure, all_sure)
        since = least(since + 1, count)
        if likely[block] > MIN_SURE:
            sure += words[block]
            since = 0
        room[1, block] = part(all_sure - sure, all_sure)
        room[2, block] = <float>since
        room[4, block] = side(block, run.start, run.stop)
        room[5, block] = distance(block, run.start, run.stop)
    since = count
    for block in range(count - 1, -1, -1):
        since = 0 if likely[block] > MIN_SURE else least(since + 1, count)
        room[3, block] = <float>since
    while begin < count:
        end = begin + 1
        while end < count and headings[end] <= 0:
            end += 1
        section = part(mass[end] - mass[begin], total[end] - total[begin])
        for block in range(begin, end):
            room[6, block] = section
            room[7, block] = part(mass[end] - mass[block + 1], total[end] - total[block + 1])
        begin = end
    return 8


cdef Py_ssize_t _fill_lead(Votes votes, Py_ssize_t head, float[:, ::1] room) except -1:
    """The blocks from the headline to the block, both of them; -1 without headline."""
    cdef const int64_t[::1] mass = votes.mass, total = votes.total
    cdef Py_ssize_t block, first, stop
    for block in range(votes.count):
        first, stop = min(block, head), max(block, head) + 1
        room[0, block] = part(mass[stop] - mass[first], total[stop] - total[first]) if head >= 0 else -1
    return 1
