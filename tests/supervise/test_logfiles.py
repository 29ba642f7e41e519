"""Logs on a disk that takes nothing: they lose lines, say how many, and end nobody."""

import errno
import io
import json
import logging
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from structlog import get_logger
from supervisor import loggers
from support.rules import ROOT
from support.waiting import until

from app.config import Settings
from app.log import configure_logging
from app.supervise.logfiles import MAX_LOG_BYTES, LogFile, open_log

FULL = Path("/dev/full")  # each write to it fails as on a full disk
# So little that complaints fill it too: one at each of the 300 times or more that a pipe's 64 KiB are read.
SMALL = 16384


def record(text: bytes) -> loggers.LogRecord:
    return loggers.LogRecord(loggers.LevelsByName.INFO, text)


def test_a_supervisors_log_goes_on_when_there_is_room_again_and_counts_what_it_lost(tmp_path: Path) -> None:
    place = tmp_path / "web.log"
    place.symlink_to(FULL)
    log = LogFile(str(place), "a", 1000, 1)
    for _ in range(50):
        log.emit(record(b"lost\n"))
    place.unlink()
    log.reopen()
    for number in range(20):
        log.emit(record(b"%d\n" % number))
    text = place.read_text()
    assert "lost\n" not in text.replace("are lost", "")
    assert "(50 pieces of this log are lost" in text
    assert text.endswith("19\n")
    log.close()


def test_a_supervisors_log_is_bounded_and_rotates_even_where_nothing_can_be_made(tmp_path: Path) -> None:
    place = tmp_path / "logs" / "web.log"
    place.parent.mkdir()
    log = LogFile(str(place), "a", 1000, 1)
    for _ in range(300):
        log.emit(record(b"x" * 99 + b"\n"))
    assert sorted(path.name for path in place.parent.iterdir()) == ["web.log", "web.log.1"]
    assert max(path.stat().st_size for path in place.parent.iterdir()) <= 1100
    for path in place.parent.iterdir():
        path.unlink()
    place.parent.rmdir()
    for _ in range(30):
        log.emit(record(b"x" * 99 + b"\n"))
    place.parent.mkdir()
    log.emit(record(b"again\n"))
    assert "again" in place.read_text()
    log.close()


def test_a_servers_own_log_begins_anew_when_it_is_long(tmp_path: Path) -> None:
    log = tmp_path / "postgres.log"
    for size, left in ((0, 0), (100, 100), (MAX_LOG_BYTES + 1, 0)):
        log.write_bytes(b"x" * size)
        open_log(log).close()
        assert log.stat().st_size == left


class Disk(io.StringIO):
    """A stream that takes nothing while it is full."""

    full = False

    def write(self, text: str) -> int:
        if self.full:
            raise OSError(errno.ENOSPC, "No space left on device")
        return super().write(text)


def test_a_programs_log_loses_lines_and_says_how_many(capfd: pytest.CaptureFixture[str]) -> None:
    before, disk = logging.getLogger().handlers[:], Disk()
    try:
        configure_logging(Settings(_env_file=None, log_format="json"), disk)
        for disk.full, event in ((True, "lost"), (True, "lost"), (True, "lost"), (False, "kept"), (False, "more")):
            get_logger("a").warning(event)
    finally:
        logging.getLogger().handlers[:] = before
    events = [json.loads(line) for line in disk.getvalue().splitlines()]
    assert [event["event"] for event in events] == ["kept", "log.lines_lost", "more"]
    assert events[1]["count"] == 3
    assert capfd.readouterr().err == ""


def test_a_line_to_nobody_ends_nobody() -> None:
    program = (
        "from app.supervise.status_lines import print_status\nfor _ in range(3): print_status('hello')\nprint('alive')"
    )
    with FULL.open("w") as full:
        done = subprocess.run(
            [sys.executable, "-c", program], cwd=ROOT, stdout=subprocess.PIPE, stderr=full, text=True, check=False
        )
    assert done.stdout == "alive\n"


def test_a_file_that_may_not_grow_is_a_full_disk_for_the_supervisor_too(tmp_path: Path) -> None:
    """The supervisor's own process under a limit on the size of files, with a program that talks a lot."""
    conf = tmp_path / "supervisord.conf"
    conf.write_text(
        "[supervisord]\nnodaemon=true\nsilent=true\nlogfile=own.log\npidfile=own.pid\nchildlogdir=.\n"
        f"{'user=root' if os.geteuid() == 0 else ''}\n"
        "[program:talker]\n"
        f"command={sys.executable} -c \"import time; [print('x' * 999, flush=True) for _ in range(20000)]; "
        "open('said','w').close(); time.sleep(600)\"\n"
        "redirect_stderr=true\nstdout_logfile=talker.log\nstdout_logfile_maxbytes=10MB\n"
    )

    def small_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (SMALL, SMALL))

    with (tmp_path / "out").open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "app.supervise.supervisord", "-n", "-c", str(conf)],
            cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, stdout=out, stderr=out, preexec_fn=small_files,
        )  # fmt: skip
    try:
        said = tmp_path / "said"
        until(lambda: said.exists() or process.poll() is not None, "the talker to have said everything")
        assert process.poll() is None
        assert (tmp_path / "talker.log").stat().st_size == SMALL
    finally:
        process.terminate()
        process.wait(60)
