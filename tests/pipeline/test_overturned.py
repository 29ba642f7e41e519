"""An answer on which its checker failed counts as wrong at once, and a maintainer may overturn that."""

import json
from dataclasses import replace

import pytest
from pipeline.flow import answer_all, standing
from pipeline.rejudging import side
from pipeline.test_rejudge_command import judged_here, run
from sqlalchemy import select
from support.batches import SUM, batch, problem

from app.db.tables import CellRow, Problem, Rejudging, VerdictRow
from app.domain.imports import ImportedProblem
from app.domain.problems import Checker, CheckerKind
from app.services.operations import alerts
from app.services.runs import imports
from workers import tasks
from workers.context import Context, now, use

_FAILS_ON_POINTS = "import sys\nsys.exit(42 if int(sys.stdin.read()) == int(open(sys.argv[2]).read()) else 43)\n"
_READS_POINTS = _FAILS_ON_POINTS.replace("int(", "float(")


@pytest.mark.sandbox
def test_what_failed_its_checker_counts_as_wrong_until_a_maintainer_overturns_it(ctx: Context) -> None:
    """The checker cannot read `3.0`; mended and judged again, by the verb, the answer counts as right."""

    def packaged(program: str) -> ImportedProblem:
        return replace(problem(0, shipped=False), checker=Checker(CheckerKind.KATTIS, program=program))

    ctx.commit(imports.store_batch, batch(packaged(_FAILS_ON_POINTS)), now())
    tasks.prove_tests()
    with ctx.sessions.begin() as session:
        standing(session, "tern")
        assert answer_all(session, f"```python\n{SUM.replace('(a + b)', '(float(a + b))')}```", now()) == 1
    tasks.grade_answers()
    tasks.aggregate()
    with ctx.sessions() as session:
        verdict = session.scalars(select(VerdictRow)).one()
        assert (verdict.verdict, verdict.checker_failed, verdict.counts) == ("wrong_answer", True, True)
        cell = session.scalars(select(CellRow)).one()
        assert (cell.n, cell.c, cell.judge_errors) == (1, 0, 0)
        assert "checker:house/sum-0" in alerts.find_causes(session, now())
    # Judged again by the same checker, it fails again.
    _, said = judged_here(ctx, "--problem", "house/sum-0", "--reason", "odd")
    assert "1 answers judged again, 0 verdicts differ" in said
    with ctx.sessions() as session:
        again = session.scalars(select(Rejudging.id)).one()
    assert run(ctx.settings, "--drop", again, "--reason", "the checker is at fault").exit_code == 0

    use(ctx)
    ctx.commit(imports.store_batch, batch(packaged(_READS_POINTS)), now())
    tasks.prove_tests()
    with ctx.sessions() as session:
        row = session.scalars(select(Rejudging).where(Rejudging.state == "proposed")).one()
        made, tests = row.id, row.scope["test_set"]
        old = session.scalars(select(Problem.current_test_set_id)).one()
    judged_here(ctx, "--begin", made, "--reason", "3.0 is 3")
    assert f"problem house/sum-0 by test set {tests}: " in run(ctx.settings, "--show", made).stdout
    shown = json.loads(run(ctx.settings, "--show", made, "--json").stdout)
    with ctx.sessions() as session:
        assert session.scalars(select(Problem.current_test_set_id)).one() == old
    [moved] = shown["predicted"]["boards"][0]["rows"]
    assert (side(moved, "before"), side(moved, "after")) == ((1, 0.0), (1, 100.0))
    done = run(ctx.settings, "--commit", made, "--confirm", shown["confirm"], "--reason", "3.0 is 3", "--json")
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert (told["state"], told["actual"]["boards"]) == ("committed", told["predicted"]["boards"])
    use(ctx)
    tasks.aggregate()
    with ctx.sessions() as session:
        cell = session.scalars(select(CellRow)).one()
        assert (cell.n, cell.c, cell.judge_errors) == (1, 1, 0)
        assert session.scalars(select(Problem.current_test_set_id)).one() == tests != old
        verdicts = session.execute(select(VerdictRow.verdict, VerdictRow.test_set_id).order_by(VerdictRow.id)).all()
        assert ("wrong_answer", old) in map(tuple, verdicts)
        assert tuple(verdicts[-1]) == ("accepted", tests)
        used = VerdictRow.test_set_id == select(Problem.current_test_set_id).scalar_subquery()
        verdict = session.scalars(select(VerdictRow).where(VerdictRow.counts, used)).one()
        assert (verdict.verdict, verdict.checker_failed) == ("accepted", False)
        assert "checker:house/sum-0" not in alerts.find_causes(session, now())
