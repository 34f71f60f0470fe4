"""The compression formats in which records are read: to add one, write its class and name it here."""

from cedar.transforms.warc.gzip_members import GzipMembers
from cedar.transforms.warc.members import CompressedContainer, FileWindow
from cedar.transforms.warc.zstd_frames import ZstdFrames

COMPRESSED: tuple[type[CompressedContainer], ...] = (GzipMembers, ZstdFrames)
"""The containers of compressed members."""

COMPRESSION_SUFFIXES = tuple(container.suffix for container in COMPRESSED)
"""The endings of the names of compressed files, such as `.gz`."""


def container_of_head(head: bytes) -> type[CompressedContainer] | None:
    """Return the container whose first member begins `head`; None if `head` is not compressed."""
    for container in COMPRESSED:
        if container.matches(head):
            return container
    return None


def preamble_end(window: FileWindow) -> int:
    """Return the byte after what precedes the members of a file: a dictionary; 0 if there is none."""
    return max(container.preamble_end(window) for container in COMPRESSED)
