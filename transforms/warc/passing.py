"""Records that nobody wants, passed over without being inflated.

In a gzip file of one record per member, the header of a record says how many bytes its member holds, and so
does the member's trailer (ISIZE, RFC 1952, section 2.3.1). So only the first bytes of a member are inflated:
it ends where the bytes that begin a member come next, if ISIZE stands before them and a record begins there.
All else is left to the reader: members of several records, archives within records, lengths that lie.

Damage in the body of a record that is passed over, or between that and the next record, is not seen. A body
that is stored as it is could show such a border; so nothing is passed over whose bytes may be stored there.
"""

from collections import Counter
from collections.abc import Callable

from cedar.transforms.warc.members import CompressedContainer
from cedar.transforms.warc.records import Header, header_end, is_warc, parse_warc

_CLOSING_SIZE = 4  # bytes of the two line ends that close a record


class PassedRecords:
    """Passes over the members of a file that hold one record of an unwanted URL each.

    Args:
        members: the file.
        is_wanted: tells whether the records of a URL are wanted.

    Attributes:
        kinds: how many records of each kind were passed over.
    """

    def __init__(self, members: CompressedContainer, is_wanted: Callable[[str], bool]) -> None:
        self.kinds: Counter[str] = Counter()
        self._members = members
        self._is_wanted = is_wanted

    def pass_over(self, offset: int, stop: int) -> int:
        """Pass over the unwanted records from `offset` on that begin before `stop`; return where they end."""
        head = self._members.head(offset)
        while offset < stop:
            found = _header(head)
            if found is None:
                break
            header, block_start = found
            if header.length is None or header.url is None or self._is_wanted(header.url):
                break
            end = self._members.end_by_size(offset, block_start + header.length + _CLOSING_SIZE)
            following = b"" if end is None else self._members.head(end)
            if end is None or not is_warc(following, 0):
                break
            self.kinds[header.kind] += 1
            offset, head = end, following
        return offset


def _header(head: bytes) -> tuple[Header, int] | None:
    """Return the WARC header that begins a member, and its size; None if it is not whole."""
    if not is_warc(head, 0):
        return None
    found = header_end(head, 0, len(head), anywhere=False)
    if found is None or not found[1]:
        return None
    return parse_warc(head[: found[0]]), found[0]
