"""Compiled programs lie in one folder for all workers."""

import fcntl
import os
import threading
from typing import Any

import pytest
from grading.judging import run

from app.domain.judging.verdicts import GradeResult, Verdict
from workers.grading.judge import Judge, JudgeSettings

pytestmark = pytest.mark.sandbox


def test_workers_that_share_programs_do_not_meet(
    judge: Judge, settings: JudgeSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One is in the midst of writing a program when the other lists them all, and renames it before it is looked at."""
    judge.find("c")
    writer, written, listed = threading.Event(), threading.Event(), threading.Event()
    fchmod, flock, scandir = os.fchmod, fcntl.flock, os.scandir
    programs = settings.sandbox_root / "programs"
    folder = os.open(programs, os.O_RDONLY)
    results: list[GradeResult] = []

    def write() -> None:
        results.append(run(judge, f"int main(void) {{ return 0; }} // {os.urandom(8).hex()}", language="c"))
        written.set()

    def writing(file: int, mode: int) -> None:
        if threading.current_thread() is thread and not writer.is_set():
            writer.set()
            assert listed.wait(60)
        fchmod(file, mode)

    def listing(place: Any = ".") -> Any:
        if place != programs or threading.current_thread() is thread:
            return scandir(place)
        names = list(scandir(place))
        listed.set()
        assert written.wait(60)
        return names

    def waiting(file: int, operation: int) -> None:
        if threading.current_thread() is not thread and os.path.sameopenfile(file, folder):
            listed.set()
        flock(file, operation)

    thread = threading.Thread(target=write)
    monkeypatch.setattr(os, "fchmod", writing)
    monkeypatch.setattr(os, "scandir", listing)
    monkeypatch.setattr(fcntl, "flock", waiting)
    thread.start()
    assert writer.wait(60)
    results.append(run(judge, f"int main(void) {{ return 0; }} // {os.urandom(8).hex()}", language="c"))
    thread.join()
    os.close(folder)
    assert [result.verdict for result in results] == [Verdict.ACCEPTED] * 2, results
