# SPDX-License-Identifier: Apache-2.0
"""Varve: an embedded key-value engine that reads and writes RocksDB's on-disk format.

    import varve

    with varve.open("/tmp/db", create_if_missing=True) as db:
        db[b"key"] = b"value"
        for key, value in db.items(prefix=b"k"):
            ...
"""

from ._errors import (
    Busy,
    Corruption,
    Error,
    InvalidArgument,
    IoError,
    NoSpace,
    NotFound,
    NotSupported,
    Shutdown,
)
from ._varve import (
    DB,
    CompactionJob,
    Family,
    Scan,
    Snapshot,
    TableWriter,
    View,
    WriteBatch,
    keys_of,
    open,
    run_compaction_job,
    run_first_compaction_job,
    run_sent_compaction_job,
    snapshot,
    version,
)

__version__ = version

__all__ = [
    "DB",
    "Busy",
    "CompactionJob",
    "Corruption",
    "Error",
    "Family",
    "InvalidArgument",
    "IoError",
    "NoSpace",
    "NotFound",
    "NotSupported",
    "Scan",
    "Shutdown",
    "Snapshot",
    "TableWriter",
    "View",
    "WriteBatch",
    "keys_of",
    "open",
    "run_compaction_job",
    "run_first_compaction_job",
    "run_sent_compaction_job",
    "snapshot",
]
