"""What can be wrong with a corpus."""


class CorpusError(Exception):
    """What the user named is not a corpus that can be read or written; the message says what is wrong."""


class DamagedCorpusError(Exception):
    """A corpus is not as its commits say; the message names the file."""


class ReplacedCorpusError(DamagedCorpusError):
    """The corpus is not the one that this run began with: another run overwrote it, or it was deleted."""


class OtherCorpusError(DamagedCorpusError):
    """A commit is of a corpus that was at this place before, or somewhere else."""


class BrokenCommitError(DamagedCorpusError):
    """A file in `shards/` is not the summary of its shard: it was cut, overwritten or edited."""


class LostFilesError(DamagedCorpusError):
    """A file that a commit names is gone, cut, swapped or broken."""
