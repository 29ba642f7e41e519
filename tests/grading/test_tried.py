"""What one process has found of a language holds for the others of its host, for a while."""

import json
import os
import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from grading.judging import run
from support.snippets import Snippet, plugged

from app.domain.judging.verdicts import Verdict
from workers.grading.judge import Judge, JudgeSettings
from workers.grading.sandbox.root import publish_tools
from workers.grading.toolchains import AGAIN_S, Found, Tried, known_languages

pytestmark = pytest.mark.sandbox

ADDS, FAILS = "read a b; echo $((a + b))", "read a b; echo $((a - b))"


def counted(folder: Path, name: str, hello: str = ADDS) -> Snippet:
    """A language that writes down how often its version is asked for, as it is before its hello program is tried."""
    text = f"""# workers/grading/languages/{name}.py
from workers.grading.languages._language import Language

LANGUAGE = Language(
    name="{name}", extension="{name}", tools=("sh",), run=("{{sh}}", "/judge/main"), hello={hello!r},
    version_command=("{{sh}}", "-c", "echo asked >>{folder}/asked && sleep 0.2 && echo 7"),
)
"""
    return Snippet("python", f"workers/grading/languages/{name}.py", text)


def asked(folder: Path) -> int:
    return len((folder / "asked").read_text().split())


@pytest.fixture(scope="module")
def processes(settings: JudgeSettings) -> list[Judge]:
    """Judges as of processes that have just started: each has found nothing of a language it was not asked for."""
    judges = [Judge(settings) for _ in range(4)]
    for judge in judges:
        judge.self_test()
    return judges


def found(judge: Judge, name: str) -> str | None:
    """The version that a process finds."""
    judge.find(name)
    if name in judge.languages():
        assert run(judge, "echo 3", "", "3", language=name).verdict is Verdict.ACCEPTED
    return judge.languages().get(name)


def test_what_worked_lately_is_not_tried_again(processes: list[Judge], settings: JudgeSettings, tmp_path: Path) -> None:
    name, (one, other, third, fourth) = "counted", processes
    kept = settings.sandbox_root / "tried-counted.json"
    with plugged(counted(tmp_path, name), tmp_path):
        assert (found(one, name), asked(tmp_path)) == ("7", 1)
        folder = settings.sandbox_root / "programs"
        programs = [path for path in folder.glob("counted-*") if path.suffix != ".sum"]
        for program in programs:
            os.utime(program, (1, 1))
        assert (found(other, name), asked(tmp_path)) == ("7", 1)
        ran = [program for program in programs if program.stat().st_mtime > 1]
        assert len(ran) == 1, "the hello program has not run again"
        key, at, _ = json.loads(kept.read_text())
        tools = publish_tools(settings.sandbox_root, settings.python, shutil.which(settings.compiler), settings.scratch)
        tried = Tried(known_languages()["counted"], settings, (tools, True, one.limit_mode))
        assert tried.version() == "7"
        for what in (
            json.dumps([key, at - 600, "6"]),
            json.dumps([key, at + 36000, "6"]),  # of before the machine started anew
            json.dumps(["0" * 64, at, "6"]),  # another judge, language or file of the toolchain
            "", "[]", "null", json.dumps([key, "now", "6"]),
        ):  # fmt: skip
            kept.write_text(what)
            assert tried.version() is None, what
        before = asked(tmp_path)
        assert (found(third, name), asked(tmp_path)) == ("7", before + 1)
        kept.write_text(json.dumps([key, json.loads(kept.read_text())[1], "6"]))
        assert found(fourth, name) == "6", "another process has found it"
        otherwise = replace(settings, zygote=False)
        tried = Tried(known_languages()["counted"], otherwise, (tools, True, one.limit_mode))
        assert tried.version() is None, "a judge that runs programs otherwise"


def test_of_those_who_start_together_one_tries_it(processes: list[Judge], tmp_path: Path) -> None:
    name = "counted_together"
    with plugged(counted(tmp_path, name), tmp_path), ThreadPoolExecutor(2) as together:
        assert list(together.map(found, processes[:2], [name] * 2)) == ["7"] * 2
    assert asked(tmp_path) == 1


def test_what_does_not_work_is_tried_again(processes: list[Judge], tmp_path: Path) -> None:
    name = "counted_failing"
    with plugged(counted(tmp_path, name, FAILS), tmp_path):
        assert [found(process, name) for process in processes[:2]] == [None, None]
        assert asked(tmp_path) == 2


def test_what_was_refused_is_tried_again_soon_and_then_less_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its hello program may have met a busy machine: ten minutes later is too late for those who wait for it."""
    moment, tries = 0.0, 0
    monkeypatch.setattr(time, "monotonic", lambda: moment)
    found = Found()

    def refuse() -> str:
        nonlocal tries
        tries += 1
        return "the machine was busy"

    tried_at: list[int] = []
    for moment in range(600):
        assert found.find("late", refuse) is None
        tried_at += [moment] if tries > len(tried_at) else []
    assert tried_at == [0, 30, 90, 210, 450]
    assert (found.refused(), found.languages()) == ({"late": "the machine was busy"}, {})


def test_a_judge_offers_what_works_by_now(
    processes: list[Judge], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge, name = processes[0], "counted_late"
    late = counted(tmp_path, name)
    late = replace(late, text=late.text.replace("echo asked", f"test -e {tmp_path}/ready && echo asked"))
    since_then, ticks = 0.0, time.monotonic
    monkeypatch.setattr(time, "monotonic", lambda: ticks() + since_then)
    with plugged(late, tmp_path):
        before = [*judge.refused()]
        assert (judge.find(name), [*judge.refused()], judge.due()) == (None, [*before, name], [])
        (tmp_path / "ready").touch()
        since_then = AGAIN_S
        assert name in judge.due()
        assert judge.find(name) is not None
        assert name not in judge.refused()
        assert name not in judge.due()
