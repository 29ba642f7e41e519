"""What a busy or broken machine refused is tried again long before the next self-test."""

import contextlib
import shutil
import time
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from support.snippets import Snippet, plugged
from support.waiting import until

from app.db.tables import Heartbeat
from app.domain.errors import SandboxUnavailable
from app.domain.problems import Form, ProblemSpec, Test
from workers.context import Context, make_context
from workers.grading.answering_judge import AnsweringJudge
from workers.grading.toolchains import RETRY_AFTER_S
from workers.readiness import Readiness, ready_judge

LATE = """# workers/grading/languages/late.py
from workers.grading.languages._language import Language

LANGUAGE = Language(
    name="late", extension="late", tools=("sh",), run=("{{sh}}", "/judge/main"), hello="read a b; echo $((a + b))",
    version_command=("{{sh}}", "-c", "test -e {folder}/ready && echo 7"),
)
"""


def said(ctx: Context) -> dict[str, Any]:
    with ctx.sessions() as session:
        return session.scalars(select(Heartbeat.detail)).one()


def offered(ctx: Context) -> bool:
    return "late" in said(ctx).get("languages", {})


@pytest.mark.slow  # all languages are looked for before it
@pytest.mark.sandbox
def test_a_refused_language_is_looked_for_again_beside_the_grading(
    ctx: Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    since_then, ticks = 0.0, time.monotonic
    monkeypatch.setattr(time, "monotonic", lambda: ticks() + since_then)
    snippet = Snippet("python", "workers/grading/languages/late.py", LATE.format(folder=tmp_path))
    ctx.parts.clear()  # a judge that has looked for no language yet
    with plugged(snippet, tmp_path):
        judge = ready_judge(ctx)
        assert judge is not None
        assert "late" in judge.refused_languages()
        assert not offered(ctx)
        (tmp_path / "ready").touch()
        since_then = RETRY_AFTER_S
        until(lambda: ready_judge(ctx) is judge and offered(ctx), "the language is offered")


@pytest.mark.sandbox
def test_a_sandbox_that_failed_takes_no_answers_until_it_holds_again(ctx: Context, tmp_path: Path) -> None:
    """Each answer that it took would use up an attempt, though nobody looked at it."""
    found = shutil.which("bwrap")
    assert found is not None
    link = tmp_path / "bwrap"
    link.symlink_to(found)
    with contextlib.closing(make_context(ctx.settings.model_copy(update={"bwrap": str(link)}))) as own:
        judge = AnsweringJudge(own.settings.judge_settings())
        judge.self_test()
        judge.find("python")
        own.parts[Readiness] = Readiness(own, judge)
        assert ready_judge(own) is judge
        link.unlink()
        with pytest.raises(SandboxUnavailable):
            judge.grade(ProblemSpec("one", Form.STDIN, (Test("", "3"),)), "print(3)", "python")
        assert ready_judge(own) is None
        assert "bwrap" in said(ctx)["reason"]
        link.symlink_to(found)
        assert ready_judge(own) is judge
        assert (said(ctx)["grading"], said(ctx)["reason"]) == ("ready", None)
