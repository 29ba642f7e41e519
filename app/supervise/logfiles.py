"""The supervisor's log files: bounded, and never the cause of a process's end, whatever the disk does."""

import os
from io import FileIO
from pathlib import Path
from typing import Any, BinaryIO

from supervisor import loggers

# Logs of servers without a supervisor are begun anew beyond this size.
MAX_LOG_BYTES = 10 << 20


class LogFile(loggers.RotatingFileHandler):  # type: ignore[misc]  # the supervisor has no types
    """A log file that drops what the disk does not take, and reports how much once there is room again.

    Unlike its base it has no buffer: one that cannot be flushed would fail again at every later line.
    """

    def __init__(self, filename: str, _mode: str, most_bytes: int, backups: int) -> None:
        self.lost = 0
        self.stream: FileIO
        self.baseFilename, self.mode = filename, "ab"
        self.maxBytes, self.backupCount = most_bytes, backups
        loggers.Handler.__init__(self, _open_or_null(filename))

    def emit(self, record: Any) -> None:
        """Write a line, or count it as lost."""
        if self.stream.name == os.devnull:  # the last opening failed
            self.lost += 1
            self.reopen()
        lost = self.lost
        super().emit(record)
        if lost and self.lost == lost:
            self.lost = 0
            self._write(f"({lost} pieces of this log are lost: they could not be written)\n".encode())

    def handleError(self) -> None:  # noqa: N802  # the supervisor's name
        """Count a lost line; a report would fail at the same disk."""
        self.lost += 1

    def doRollover(self) -> None:  # noqa: N802  # the supervisor's name
        """Begin a new file beyond the size, if possible; else continue with the file that can be opened."""
        try:
            super().doRollover()
            plain, self.stream = self.stream, _open_or_null(self.baseFilename)
            plain.close()
        except OSError:
            self.lost += 1
            self.stream = _open_or_null(self.baseFilename)

    def reopen(self) -> None:
        """Open the file again, for example after another program has moved it."""
        self.close()
        self.stream = _open_or_null(self.baseFilename)
        self.closed = False

    def _write(self, line: bytes) -> None:
        try:
            self.stream.write(line)
        except OSError:
            self.lost += 1


def _open_or_null(name: str) -> FileIO:
    try:
        return FileIO(name, "ab")
    except OSError:
        return FileIO(os.devnull, "ab")


def open_log(log: Path) -> BinaryIO:
    """Open a server's log for appending; begin it anew if it has grown too long."""
    long = log.exists() and log.stat().st_size > MAX_LOG_BYTES
    return log.open("wb" if long else "ab")
