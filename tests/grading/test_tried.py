"""What one process has found of a language holds for the others of its host, for a while."""

import json
import os
import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from grading.judging import Passed, run
from support.snippets import Snippet, plugged

from app.domain.judging.verdicts import Verdict
from workers.grading.judge import Judge, JudgeSettings
from workers.grading.sandbox.root import publish_tools
from workers.grading.toolchains import RETRY_AFTER_S, ToolchainRecord, ToolchainRegistry, known_languages

pytestmark = pytest.mark.sandbox

ADDS, FAILS = "read a b; echo $((a + b))", "read a b; echo $((a - b))"


def counted(folder: Path, hello: str = ADDS) -> Snippet:
    """A language that writes down how often its version is asked for, as it is before its hello program is tried."""
    text = f"""# workers/grading/languages/counted.py
from workers.grading.languages._language import Language

LANGUAGE = Language(
    name="counted", extension="counted", tools=("sh",), run=("{{sh}}", "/judge/main"), hello={hello!r},
    version_command=("{{sh}}", "-c", "echo asked >>{folder}/asked && sleep 0.2 && echo 7"),
)
"""
    return Snippet("python", "workers/grading/languages/counted.py", text)


def asked(folder: Path) -> int:
    return len((folder / "asked").read_text().split())


def compiled(settings: JudgeSettings) -> set[str]:
    """The programs of that language that a judge of this host has run, each with one version of it."""
    return {path.name for path in (settings.sandbox_root / "programs").glob("counted-*") if path.suffix != ".sum"}


def found(settings: JudgeSettings, room: Judge) -> str | None:
    """The version that a process which starts just now finds."""
    judge = Passed(settings, room)
    judge.find("counted")
    if "counted" in judge.languages():
        assert run(judge, "echo 3", "", "3", language="counted").verdict is Verdict.ACCEPTED
    return judge.languages().get("counted")


def test_what_worked_lately_is_not_tried_again(judge: Judge, settings: JudgeSettings, tmp_path: Path) -> None:
    kept, other = settings.sandbox_root / "tried-counted.json", f"6-{os.urandom(4).hex()}"
    with plugged(counted(tmp_path), tmp_path):
        assert (found(settings, judge), asked(tmp_path)) == ("7", 1)
        programs = compiled(settings)
        key, at, _ = json.loads(kept.read_text())
        kept.write_text(json.dumps([key, at, other]))
        assert (found(settings, judge), asked(tmp_path)) == (other, 1), "another process has found it"
        assert len(compiled(settings) - programs) == 1, "with another version, and its hello program has not run"
        tools = publish_tools(settings.sandbox_root, settings.python, shutil.which(settings.compiler), settings.scratch)
        tried = ToolchainRecord(known_languages()["counted"], settings, (tools, True, judge.limit_mode))
        assert tried.version() == other
        for what in (
            json.dumps([key, at - 600, "6"]),
            json.dumps([key, at + 36000, "6"]),  # of before the machine started anew
            json.dumps(["0" * 64, at, "6"]),  # another judge, language or file of the toolchain
            "", "[]", "null", json.dumps([key, "now", "6"]),
        ):  # fmt: skip
            kept.write_text(what)
            assert tried.version() is None, what
        kept.write_text(json.dumps([key, at, other]))
        executing = replace(settings, zygote=False)
        assert (found(executing, judge), asked(tmp_path)) == ("7", 2), "a judge that runs programs otherwise"


def test_of_those_who_start_together_one_tries_it(judge: Judge, settings: JudgeSettings, tmp_path: Path) -> None:
    (settings.sandbox_root / "tried-counted.json").unlink(missing_ok=True)
    with plugged(counted(tmp_path), tmp_path), ThreadPoolExecutor(2) as together:
        assert list(together.map(found, [settings] * 2, [judge] * 2)) == ["7"] * 2
    assert asked(tmp_path) == 1


def test_what_does_not_work_is_tried_again(judge: Judge, settings: JudgeSettings, tmp_path: Path) -> None:
    with plugged(counted(tmp_path, FAILS), tmp_path):
        assert [found(settings, judge) for _worker in range(2)] == [None, None]
        assert asked(tmp_path) == 2


def test_what_was_refused_is_tried_again_soon_and_then_less_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its hello program may have met a busy machine: ten minutes later is too late for those who wait for it."""
    moment, tries = 0.0, 0
    monkeypatch.setattr(time, "monotonic", lambda: moment)
    found = ToolchainRegistry()

    def refuse() -> str:
        nonlocal tries
        tries += 1
        return "the machine was busy"

    tried_at: list[int] = []
    for moment in range(600):
        assert found.find("late", refuse) is None
        tried_at += [moment] if tries > len(tried_at) else []
    assert tried_at == [0, 30, 90, 210, 450]
    assert (found.refused_languages(), found.languages()) == ({"late": "the machine was busy"}, {})


def test_a_judge_offers_what_works_by_now(
    judge: Judge, settings: JudgeSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    late = counted(tmp_path)
    late = replace(late, text=late.text.replace("echo asked", f"test -e {tmp_path}/ready && echo asked"))
    since_then, ticks = 0.0, time.monotonic
    monkeypatch.setattr(time, "monotonic", lambda: ticks() + since_then)
    with plugged(late, tmp_path):
        judge = Passed(settings, judge)
        assert (judge.find("counted"), list(judge.refused_languages()), judge.languages_to_retry()) == (
            None,
            ["counted"],
            [],
        )
        (tmp_path / "ready").touch()
        since_then = RETRY_AFTER_S
        assert judge.languages_to_retry() == ["counted"]
        assert judge.find("counted") is not None
        assert (judge.refused_languages(), judge.languages_to_retry()) == ({}, [])
