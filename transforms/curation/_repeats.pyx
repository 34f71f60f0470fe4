"""Words and runs of words that are repeated in a text.

A run of n + 1 tokens can come twice only where both runs of n within it do: so each length looks at what is
left of the one before, which in most texts is little from 3 on. A run is known exactly by the two runs of n
that it is made of; single tokens are known by 64 bits.
"""

from libc.math cimport fma, log
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

cdef enum:
    GATHERED = 256  # counts below it are gathered first
    MIN_SLOTS = 16
    ANY_SLOT = 0xFFFFFFFF


cdef class CountTable:
    def __cinit__(self, Py_ssize_t room):
        self.shape(room)
        self.entries = <Entry*>calloc(self.slots, sizeof(Entry))
        if self.entries is NULL:
            raise MemoryError()

    def __dealloc__(self):
        free(self.entries)

    cdef void shape(self, Py_ssize_t room) noexcept nogil:
        self.shift = 64
        self.slots = 1
        while self.slots < MIN_SLOTS or 2 * self.slots < 3 * room:
            self.slots *= 2
            self.shift -= 1


cdef struct Run:
    # A run of tokens that comes again.
    uint32_t start  # its first token
    uint32_t slot  # what it is: its slot in the table


cdef int find_repeats(Tokens tokens, const uint64_t[::1] stop_words, Repeats* found) except -1:
    """Count what comes again; `stop_words` are hashes of words in lower case, or None."""
    cdef Py_ssize_t size = tokens.size, left, n
    cdef CountTable table = CountTable(size)
    cdef Run* runs
    cdef uint32_t* distinct
    memset(found, 0, sizeof(Repeats))
    if not size:
        return 0
    runs = <Run*>malloc(size * sizeof(Run))
    distinct = <uint32_t*>malloc(size * sizeof(uint32_t))
    if runs is NULL or distinct is NULL:
        free(runs)
        free(distinct)
        raise MemoryError()
    try:
        found.distinct = _count_spellings(tokens, table, runs, distinct)
        _count_words(tokens, table, runs, distinct, stop_words, found)
        left = _keep_repeated(table, runs, size)
        for n in range(2, MAX_DUPLICATE + 1):
            left = _lengthen(table, runs, distinct, left)
            if not left:
                break
            if n <= MAX_TOP:
                found.top[n - MIN_TOP] = _top(tokens, table, runs, left, n)
            else:
                found.duplicate[n - MIN_DUPLICATE] = _duplicates(tokens, table, runs, left, n)
    finally:
        free(runs)
        free(distinct)
    return 0


cdef Py_ssize_t _count_spellings(Tokens tokens, CountTable table, Run* runs, uint32_t* distinct) noexcept:
    """Make a run of each token, count each as it is written; the number of spellings, whose first are `distinct`."""
    cdef Py_ssize_t i, slot, spellings = 0
    for i in range(tokens.size):
        slot = table.put(tokens.spellings[i], 1)
        runs[i].start, runs[i].slot = <uint32_t>i, <uint32_t>slot
        distinct[spellings] = <uint32_t>i
        spellings += table.entries[slot].count == 1
    return spellings


cdef int _count_words(
    Tokens tokens, CountTable spellings, const Run* runs, uint32_t* distinct, const uint64_t[::1] stop_words,
    Repeats* found,
) except -1:
    """Count distinct tokens in lower case, their entropy, and the stop words among them; `distinct` is lost."""
    cdef Py_ssize_t i, slot, count = found.distinct
    cdef CountTable words = CountTable(count)
    cdef uint32_t times
    found.distinct = 0
    for i in range(count):
        times = spellings.entries[runs[distinct[i]].slot].count
        slot = words.put(tokens.hashes[distinct[i]], times)
        distinct[found.distinct] = <uint32_t>slot  # no further than those that are read
        found.distinct += words.entries[slot].count == times
    found.entropy = _entropy(words, distinct, found.distinct, <double>tokens.size)
    if stop_words is None:
        return 0
    for i in range(stop_words.shape[0]):
        found.stop_words += words.entries[words.slot(stop_words[i])].count > 0
    return 0


cdef Py_ssize_t _keep_repeated(CountTable table, Run* runs, Py_ssize_t size) noexcept:
    """Keep the runs that come more than once, and empty the slots of the others; their number."""
    cdef Py_ssize_t i, kept = 0
    cdef Entry* entry
    for i in range(size):
        entry = &table.entries[runs[i].slot]
        runs[kept] = runs[i]
        kept += entry.count > 1
        entry.count -= entry.count == 1
    return kept


cdef Py_ssize_t _lengthen(CountTable table, Run* runs, uint32_t* joined, Py_ssize_t size) noexcept:
    """Join each run to the one that begins a token later, and keep what comes more than once; its number."""
    cdef Py_ssize_t i, k, count = 0
    for i in range(size):  # fewer, mostly, than the table has slots
        table.entries[runs[i].slot].count = 0
    table.shape(size)
    for i in range(size - 1):
        joined[count] = <uint32_t>i
        count += runs[i + 1].start == runs[i].start + 1
    for k in range(count):
        i = joined[k]
        runs[k].slot = <uint32_t>table.put(<uint64_t>runs[i].slot << 32 | runs[i + 1].slot, 1)
        runs[k].start = runs[i].start
    return _keep_repeated(table, runs, count)


cdef inline Py_ssize_t _chars(Tokens tokens, Py_ssize_t start, Py_ssize_t size) noexcept nogil:
    """Characters of the tokens of a run."""
    cdef Py_ssize_t i, chars = 0
    for i in range(start, start + size):
        chars += tokens.lengths[i]
    return chars


cdef double _top(Tokens tokens, CountTable table, const Run* runs, Py_ssize_t size, Py_ssize_t n) noexcept:
    """Characters, with a blank between tokens, of the run that comes most often, of several the longest."""
    cdef Py_ssize_t i, chars, most = 0, longest = 0
    cdef uint32_t count, slot = ANY_SLOT
    for i in range(size):
        if runs[i].slot == slot:
            continue
        count = table.entries[runs[i].slot].count
        if count < most:
            continue
        chars = _chars(tokens, runs[i].start, n) + n - 1
        if count > most or chars > longest:
            most, longest, slot = count, chars, runs[i].slot
    return <double>most * <double>longest


cdef double _duplicates(Tokens tokens, CountTable table, const Run* runs, Py_ssize_t size, Py_ssize_t n) noexcept:
    """Characters of runs that came before; after one, the walk continues with the token after it."""
    cdef Py_ssize_t i, next_start = 0, chars = 0
    for i in range(size):
        if runs[i].start < next_start:
            continue
        if table.entries[runs[i].slot].count:
            table.entries[runs[i].slot].count = 0  # it came once: from now on it is a repeat
        else:
            chars += _chars(tokens, runs[i].start, n)
            next_start = runs[i].start + n
    return <double>chars


cdef double _entropy(CountTable words, const uint32_t* slots, Py_ssize_t distinct, double total) noexcept:
    """Entropy in nats of the counts of a table in some slots.

    Equal terms are multiplied, not added, and all are summed to twice the precision of a double: so the sum is
    the exact one of the terms, rounded once.
    """
    cdef Py_ssize_t i
    cdef uint32_t count
    cdef uint32_t[GATHERED] few
    cdef double high = 0, low = 0
    memset(few, 0, sizeof(few))
    for i in range(distinct):
        count = words.entries[slots[i]].count
        if count < GATHERED:
            few[count] += 1
        else:
            _add_terms(count, 1, total, &high, &low)
    for i in range(1, GATHERED):
        if few[i]:
            _add_terms(<double>i, few[i], total, &high, &low)
    return -(high + low)


cdef inline void _add_terms(
    double count, double times, double total, double* high, double* low
) noexcept nogil:
    """Add p log p, so many times, to a sum in two parts (Dekker 1971)."""
    cdef double share = count / total
    cdef double term = share * log(share)
    cdef double product = term * times
    cdef double rest = fma(term, times, -product)
    cdef double sum = high[0] + product
    cdef double added = sum - high[0]
    low[0] += (high[0] - (sum - added)) + (product - added) + rest
    high[0] = sum
