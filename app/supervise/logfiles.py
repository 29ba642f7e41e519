"""The supervisor's log files: bounded, and never the end of a process, whatever the disk does."""

import os
from io import FileIO
from pathlib import Path
from typing import Any, BinaryIO

from supervisor import loggers

# Logs of servers that no supervisor runs are begun anew beyond this size.
MOST_BYTES = 10 << 20


class LogFile(loggers.RotatingFileHandler):  # type: ignore[misc]  # the supervisor has no types
    """A log file that loses what the disk does not take, counts it, and says how much once there is room again.

    Unlike its base, it has no buffer: one that cannot be emptied would fail again at every later line.
    """

    def __init__(self, filename: str, _mode: str, most_bytes: int, backups: int) -> None:
        self.lost = 0
        self.stream: FileIO
        self.baseFilename, self.mode = filename, "ab"
        self.maxBytes, self.backupCount = most_bytes, backups
        loggers.Handler.__init__(self, _opened(filename))

    def emit(self, record: Any) -> None:
        """Write a line, or count it as lost."""
        if self.stream.name == os.devnull:  # it could not be opened before
            self.lost += 1
            self.reopen()
        lost = self.lost
        super().emit(record)
        if lost and self.lost == lost:
            self.lost = 0
            self._write(f"({lost} pieces of this log are lost: they could not be written)\n".encode())

    def handleError(self) -> None:  # noqa: N802  # the supervisor's name
        """What cannot be written is lost; saying so would end at the same disk."""
        self.lost += 1

    def doRollover(self) -> None:  # noqa: N802  # the supervisor's name
        """Begin a new file beyond the size, if that can be done; else go on with what can be opened."""
        try:
            super().doRollover()
            plain, self.stream = self.stream, _opened(self.baseFilename)
            plain.close()
        except OSError:
            self.lost += 1
            self.stream = _opened(self.baseFilename)

    def reopen(self) -> None:
        """Open the file again, as after somebody else has moved it away."""
        self.close()
        self.stream = _opened(self.baseFilename)
        self.closed = False

    def _write(self, line: bytes) -> None:
        try:
            self.stream.write(line)
        except OSError:
            self.lost += 1


def _opened(name: str) -> FileIO:
    try:
        return FileIO(name, "ab")
    except OSError:
        return FileIO(os.devnull, "ab")


def begun(log: Path) -> BinaryIO:
    """A server's own log to be appended to, begun anew where it has grown too long."""
    long = log.exists() and log.stat().st_size > MOST_BYTES
    return log.open("wb" if long else "ab")
