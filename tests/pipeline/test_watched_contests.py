"""Which contests the watch shows, in which order, and whose answers it counts."""

from datetime import timedelta

from factories import World
from pipeline.flow import NOW

from app.db.kernel.session import Session
from app.db.sources import monitoring
from app.db.tables import ExpectedDataRow, Problem, Run
from app.domain.judging.verdicts import Verdict
from app.domain.states import RunOrigin, SampleState

DAY = timedelta(days=1)


def problem_of_contest(world: World, name: str, days_ago: int, late_in: int, *, settled: bool = False) -> Problem:
    """A problem of a contest that ended so many days ago, whose problems are late in so many."""
    made = world.problem(name, day=(NOW - days_ago * DAY).date(), source="atcoder", contest=name)
    state, settled_at = ("met", NOW) if settled else ("open", None)
    assert made.contest_id is not None
    world.session.add(
        ExpectedDataRow(
            contest_id=made.contest_id, purpose="problems", state=state, settled_at=settled_at,
            due_at=NOW - days_ago * DAY, late_at=NOW + late_in * DAY,
        )
    )  # fmt: skip
    world.session.flush()
    return made


def test_what_owes_us_something_is_shown_however_long_ago_it_ended(session: Session) -> None:
    world = World(session)
    problem_of_contest(world, "old-owing", 40, -30)
    problem_of_contest(world, "old-met", 41, -30, settled=True)
    problem_of_contest(world, "new-met", 2, 1, settled=True)
    problem_of_contest(world, "new-owing", 3, 5)
    problem_of_contest(world, "later-owing", 30, -20)
    shown = [line.external_id for line in monitoring.contests(session, NOW - 7 * DAY)]
    assert shown == ["new-met", "new-owing", "later-owing", "old-owing"], "the newest end first"
    assert [line.external_id for line in monitoring.open_contests(session)] == ["old-owing", "later-owing", "new-owing"]
    assert [line.external_id for line in monitoring.late_contests(session, NOW)] == ["old-owing", "later-owing"]
    assert [line.external_id for line in monitoring.late_contests(session, NOW, limit=1)] == ["old-owing"]


def test_answers_of_public_runs_of_our_own_are_counted(session: Session) -> None:
    world = World(session)
    problem = problem_of_contest(world, "one", 1, 1)
    elsewhere = world.problem("practice", source="atcoder", contest="another")
    shown, kept, brought = (
        world.run("orion"), world.run("lyra", public=False), world.run("vega", origin=RunOrigin.IMPORTED),
    )  # fmt: skip
    runs: tuple[Run, ...] = (shown, kept, brought)
    for run in runs:
        world.answer(run, problem, Verdict.WRONG_ANSWER)
        world.answer(run, elsewhere)
    world.answer(shown, problem, None, ordinal=1, state=SampleState.ANSWERED)
    [line] = monitoring.contests(session, NOW - 7 * DAY)
    assert (line.listed, line.read, line.published, line.wanted, line.judged) == (1, 1, 1, 2, 1)


def test_sites_come_by_name_and_nothing_else_does(session: Session) -> None:
    world = World(session)
    for slug in ("leetcode", "atcoder", "house", "codeforces"):
        world.problem("one", source=slug)
    assert [line.slug for line in monitoring.sites(session)] == ["atcoder", "codeforces", "leetcode"]
