# SPDX-License-Identifier: Apache-2.0
"""What the engine's functions raise: a class for each code of varve::Status, by what can be done about it."""

from __future__ import annotations

import re

# "000012.sst@4096: ...", which messages about bytes in a file begin with, or the name of a file.
_PLACE = re.compile(
    r"(?P<file>[^/\s:@]+)@(?P<offset>\d+)(?=[:,;)\s]|$)"
    r"|(?<![^/\s])(?P<name>\d{6,}\.(?:sst|ldb|log|blob)|(?:MANIFEST|OPTIONS)-\d{6,}|CURRENT)(?=[:,;)\s]|$)"
)


class Error(Exception):
    """The base class of all errors of the engine."""

    @property
    def file(self) -> str | None:
        """The file that the error is about, without its directory, if the message names one."""
        place = _PLACE.search(str(self))
        return (place["file"] or place["name"]) if place else None

    @property
    def offset(self) -> int | None:
        """Where in that file, in bytes from its beginning, if the message says so."""
        place = _PLACE.search(str(self))
        return int(place["offset"]) if place and place["offset"] else None


class Corruption(Error):
    """Stored bytes are wrong. Trying again cannot help."""


class IoError(Error, OSError):
    """The system reported an error. After a failed write, the database takes no more until it is reopened."""


class NoSpace(IoError):
    """There is no space left."""


class NotFound(Error, FileNotFoundError):
    """A file or directory that is needed does not exist. A key that is not there is no such error."""


class InvalidArgument(Error, ValueError):
    """The caller's mistake: an option out of range, a family that does not exist, ..."""


class NotSupported(Error):
    """A valid file or request that this engine does not implement; the message says which."""


class Busy(Error):
    """Locked by another process, or it would have to wait and was asked not to."""


class Shutdown(Error):
    """The database, or the snapshot, is closed."""
