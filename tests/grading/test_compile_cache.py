"""Compiled programs lie in one folder for all workers."""

import fcntl
import hashlib
import os
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from grading.judging import Passed, run
from support.snippets import Snippet, plugged

from app.domain.judging.verdicts import GradeResult, Verdict
from workers.grading.compile_cache import CompileCache
from workers.grading.host_lock import Host
from workers.grading.judge import Judge, JudgeSettings
from workers.grading.sandbox.session import Session

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


ADD = {
    "c": '#include <stdio.h>\nint main(void) { int a, b; scanf("%d %d", &a, &b); printf("%d", a + b); }',
    "javascript": "const [a, b] = require('fs').readFileSync(0, 'utf8').split(' ').map(Number); console.log(a + b)",
}


@pytest.mark.parametrize("language", sorted(ADD))
@pytest.mark.parametrize("damage", [b"", b"\0" * 4096])
def test_a_damaged_program_is_made_anew(judge: Judge, settings: JudgeSettings, language: str, damage: bytes) -> None:
    """After a loss of power, or by whatever else: no right program fails for what became of its file."""
    code, toolchain = f"{ADD[language]} // {os.urandom(8).hex()}", judge.find(language)
    assert toolchain is not None
    assert run(judge, code, "1 2", "3", language=language).verdict is Verdict.ACCEPTED
    key = hashlib.sha256(f"{toolchain.version}\n{toolchain.compile!r}\n{code}".encode()).hexdigest()
    path = settings.sandbox_root / "programs" / f"{language}-{key}"  # by its name: others write there too
    made = path, path.with_name(f"{path.name}.sum")
    for each in made:
        each.chmod(0o755)
        each.write_bytes(damage)
    assert run(judge, code, "1 2", "3", language=language).verdict is Verdict.ACCEPTED
    assert damage not in {each.read_bytes() for each in made}, "and it is whole again for everybody"


def test_what_is_not_compiled_makes_room_too(judge: Judge, settings: JudgeSettings, tmp_path: Path) -> None:
    """Nobody clears the folder up: what is kept for years is bounded by what it takes of the disk, however small."""
    toolchain, limit, before = judge.find("javascript"), 64 * 4096, tmp_path / "javascript-before"
    assert toolchain is not None
    before.write_bytes(b"0")
    os.utime(before, (0, 0))

    def never() -> Session:
        raise AssertionError("there is nothing to compile")

    for part in range(3):  # each process of a worker begins with a look
        cache = CompileCache(tmp_path, settings.compiling, limit)
        for number in range(50):
            assert cache.get(toolchain, f"// {part} {number}".encode(), never, Host()).path is not None
    assert not before.exists(), "the least used go first"
    assert len(list(tmp_path.iterdir())) <= limit // 4096 + 2, "a program and its sum take a block each"
    made = cache.get(toolchain, b"// 2 49", never, Host()).path
    assert made is not None
    assert made.read_bytes() == b"// 2 49"


DOZING = """# workers/grading/languages/dozing.py
from workers.grading.languages._language import Language

LANGUAGE = Language(
    name="dozing", extension="dz", tools=("sh",), version_command=("{sh}", "-c", "echo 1"), run=("{sh}", "/judge/main"),
    hello="read a b; echo $((a + b))", compile=("! grep -q hang main.dz || sleep 100; cp main.dz main",),
)
"""


def test_a_compilation_that_hung_is_a_compile_error(judge: Judge, settings: JudgeSettings, tmp_path: Path) -> None:
    """Without a CPU that anybody took from it, the program made it hang."""
    brief = replace(settings.compiling, cpu_ms=1000, wall_ms=2000)
    with plugged(Snippet("python", "workers/grading/languages/dozing.py", DOZING), tmp_path):
        judge = Passed(replace(settings, slowness=0.7, compiling=brief), judge)
        assert run(judge, "echo 3", "", "3", language="dozing").verdict is Verdict.ACCEPTED, judge.refused_languages()
        result = run(judge, f"echo 3 # hang {os.urandom(8).hex()}", "", "3", language="dozing")
        assert (result.verdict, result.message) == (Verdict.COMPILE_ERROR, "compilation took longer than 0.7 s"), result
