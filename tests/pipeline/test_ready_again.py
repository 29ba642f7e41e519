"""A language that a busy machine refused is offered again long before the next self-test."""

import time
from pathlib import Path

import pytest
from sqlalchemy import select
from support.snippets import Snippet, plugged
from support.waiting import until

from app.db.tables import Heartbeat
from workers.context import Context
from workers.grading.toolchains import AGAIN_S
from workers.judging import ready_judge

LATE = """# workers/grading/languages/late.py
from workers.grading.languages._language import Language

LANGUAGE = Language(
    name="late", extension="late", tools=("sh",), run=("{{sh}}", "/judge/main"), hello="read a b; echo $((a + b))",
    version_command=("{{sh}}", "-c", "test -e {folder}/ready && echo 7"),
)
"""


def offered(ctx: Context) -> bool:
    with ctx.sessions() as session:
        return "late" in session.scalars(select(Heartbeat.detail)).one().get("languages", {})


@pytest.mark.slow  # all languages are looked for before it
@pytest.mark.sandbox
def test_a_refused_language_is_looked_for_again_beside_the_grading(
    ctx: Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    since_then, ticks = 0.0, time.monotonic
    monkeypatch.setattr(time, "monotonic", lambda: ticks() + since_then)
    snippet = Snippet("python", "workers/grading/languages/late.py", LATE.format(folder=tmp_path))
    with plugged(snippet, tmp_path):
        judge = ready_judge(ctx)
        assert judge is not None
        assert "late" in judge.refused()
        assert not offered(ctx)
        (tmp_path / "ready").touch()
        since_then = AGAIN_S
        until(lambda: ready_judge(ctx) is judge and offered(ctx), "the language is offered")
