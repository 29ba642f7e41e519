"""`tidemark rejudge` with the real judge: mended limits, predicted moves, words to type, and what then counts."""

import json
import threading

import pytest
from pipeline.flow import answer_all, standing
from sqlalchemy import select, update
from support.batches import SUM, batch, problem
from support.facts import facts_may_change
from support.waiting import until
from typer.testing import CliRunner, Result

from app.cli.__main__ import build_parser, main
from app.config import Settings
from app.db.tables import LedgerEntry, Rejudging, TestRow, VerdictRow
from app.services.runs import imports
from workers import tasks
from workers.context import Context, context, now
from workers.readiness import Readiness


def run(settings: Settings, *words: str | int) -> Result:
    names = {
        "TIDEMARK_DATABASE_URL": settings.database_url, "TIDEMARK_REDIS_URL": settings.redis_url,
        "TIDEMARK_STATE": str(settings.state_dir), "TIDEMARK_SECRET_KEY_FILE": str(settings.secret_key_file),
        "TIDEMARK_SANDBOX_ROOT": str(settings.sandbox_root), "TIDEMARK_SCRATCH_DIR": str(settings.scratch_dir),
    }  # fmt: skip
    return CliRunner(env=names).invoke(build_parser(["rejudge"]), ["rejudge", *map(str, words)])


def until_judging(ctx: Context) -> int:
    """The number of the rejudging that the verb began."""

    def judging() -> int | None:
        with ctx.sessions() as session:
            return session.scalar(select(Rejudging.id).where(Rejudging.state == "judging"))

    found = until(judging, "a rejudging")
    assert found is not None
    return found


def judged_here(ctx: Context, *words: str | int) -> tuple[int, str]:
    """A rejudging whose verb waits for answers to be judged, which happens here, and what the verb says."""
    said: list[Result] = []
    verb = threading.Thread(target=lambda: said.append(run(ctx.settings, *words)))
    verb.start()
    made = until_judging(ctx)
    context().parts[Readiness] = ctx.parts[Readiness]  # the verb's context, and a judge that has passed its self-test
    tasks.grade_answers()
    verb.join(60)
    assert [each.exit_code for each in said] == [0], said
    return made, said[0].stdout


@pytest.mark.sandbox
def test_mended_tests_change_a_verdict_as_predicted(ctx: Context) -> None:
    """A wrong expected answer was mended in place: who was right all along is judged so, by the real judge."""
    ctx.commit(imports.store_batch, batch(problem(0)), now())
    with ctx.sessions.begin() as session:
        standing(session, "tern")
        assert answer_all(session, f"```python\n{SUM}```", now()) == 1
        with facts_may_change(session):
            session.execute(update(TestRow).where(TestRow.ordinal == 1).values(expected="0\n"))
    tasks.grade_answers()
    tasks.aggregate()
    with ctx.sessions.begin() as session:
        assert session.scalars(select(VerdictRow.verdict)).all() == ["wrong_answer"]
        with facts_may_change(session):
            session.execute(update(TestRow).where(TestRow.ordinal == 1).values(expected="3\n"))
    made, said = judged_here(ctx, "--problem", "house/sum-0", "--reason", "mended")
    assert f"rejudging {made}: predicted; problem house/sum-0: mended" in said
    done = run(ctx.settings, "--show", made)
    assert done.exit_code == 0, done.output
    assert "1 verdicts differ: 0 from accepted, 1 to accepted" in done.stdout
    assert "tern   1     0.0    ->  1     100.0" in done.stdout
    shown = json.loads(run(ctx.settings, "--show", made, "--json").stdout)
    wrong = run(ctx.settings, "--commit", made, "--confirm", f"{made} nothing", "--reason", "looked at it")
    assert wrong.exit_code != 0
    done = run(ctx.settings, "--commit", made, "--confirm", shown["confirm"], "--reason", "looked at it", "--json")
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert (told["state"], told["actual"]["boards"]) == ("committed", told["predicted"]["boards"])
    assert run(ctx.settings, "--commit", made, "--confirm", shown["confirm"], "--reason", "x").exit_code != 0
    with ctx.sessions() as session:
        verdicts = session.execute(select(VerdictRow.verdict, VerdictRow.counts).order_by(VerdictRow.id)).all()
        assert [tuple(verdict) for verdict in verdicts] == [("wrong_answer", False), ("accepted", True)]
        assert session.scalars(select(LedgerEntry.reason).where(LedgerEntry.kind == "rescored")).all() == ["mended"]


@pytest.mark.parametrize(
    "words",
    [
        (), ("--reason", "x"), ("--problem", "a/b"), ("--problem", "a/b", "--model", "m", "--reason", "x"),
        ("--problem", "ab", "--reason", "x"), ("--commit", "1", "--reason", "x"), ("--show", "1", "--reason", "x"),
        ("--model", "m", "--confirm", "1 tern", "--reason", "x"), ("--drop", "1"), ("--contest", "a", "--reason", "x"),
    ],
)  # fmt: skip
def test_a_call_that_cannot_be_right_is_refused_at_once(words: tuple[str, ...]) -> None:
    assert main(["rejudge", *words]) == 2
