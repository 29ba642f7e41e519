"""Audits of published problems, and word sent out of what is wrong."""

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict
from datetime import UTC, date, datetime, timedelta

import pytest
from factories import NOW, World
from fakes.fake_site import FakeSite, Reply, fake_site
from pydantic import SecretStr
from sqlalchemy import select, text
from support.facts import facts_may_change

from app.config import Settings
from app.db.kernel.session import Session
from app.db.operations import heartbeats
from app.db.problems.problems import add_test_set
from app.db.tables import Alert, CellRow, Contest, ExpectedDataRow, LedgerEntry, Problem, ProblemVersion
from app.domain.errors import Conflict
from app.domain.judging.verdicts import Verdict
from app.domain.problems import Entry, Form, Param, ProblemSpec, Test
from app.domain.states import ContestState
from app.services.operations import alerts
from app.services.problems import quarantine
from workers import upkeep
from workers.context import Context, make_context, task, use


def board(world: World, *, rows: int = 12, problems: int = 25) -> list[Problem]:
    """A board on which better rows do better everywhere but on the last problem."""
    made = [world.problem(f"p{at}", source="atcoder", day=date(2026, 6, 1)) for at in range(problems)]
    for row in range(rows):
        run = world.run(f"model-{row}")
        for at, problem in enumerate(made):
            c = row if at < problems - 1 else rows - row
            world.session.add(
                CellRow(run_id=run.id, problem_id=problem.id, item=0, n=rows, c=min(c, rows), pending=0,
                        judge_errors=0, revision=1)
            )  # fmt: skip
    world.session.flush()
    return made


def test_a_problem_that_better_models_fail_leaves_the_boards_with_its_evidence(session: Session) -> None:
    world = World(session)
    *good, bad = board(world)
    assert quarantine.audit(session, NOW) == 1
    session.refresh(bad)
    assert bad.state == "held"
    assert bad.hold_reason is not None
    assert bad.hold_reason.startswith("better models do worse on it: discrimination -")
    evidence = bad.audit_flags["discrimination"]
    assert evidence["rows"] == 12
    assert evidence["upper"] < 0
    assert {each.state for each in good} == {"published"}
    line = session.scalars(select(LedgerEntry).where(LedgerEntry.kind == "problem.quarantined")).one()
    assert line.subject == "atcoder/p24"
    assert quarantine.audit(session, NOW) == 0, "it is off the boards, so nothing is left to say"


def test_what_a_maintainer_cleared_is_not_taken_again(session: Session) -> None:
    world = World(session)
    bad = board(world)[-1]
    quarantine.audit(session, NOW)
    session.refresh(bad)
    assert quarantine.release(session, bad, "m@example.test", "the tests are right", NOW) == "published"
    assert session.scalars(select(LedgerEntry.kind).order_by(LedgerEntry.id.desc())).first() == "problem.released"
    quarantine.audit(session, NOW)
    session.refresh(bad)
    assert bad.state == "published"
    with pytest.raises(Conflict, match="is not held"):
        quarantine.release(session, bad, "m@example.test", "again", NOW)


@pytest.fixture
def hook() -> Iterator[FakeSite]:
    with fake_site({"/hook": Reply(b"", 204)}) as made:
        yield made


def test_word_is_sent_once_and_again_where_it_was_not_taken(settings: Settings, hook: FakeSite) -> None:
    url = SecretStr(f"{hook.url}/hook")
    ctx = use(make_context(settings.model_copy(update={"alert_webhook": url})))
    with ctx.sessions.begin() as session:
        source = World(session).source("atcoder", demo=False)
        begin, end = datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 1, 2, tzinfo=UTC)
        made = Contest(
            source_id=source.id, external_id="abc1", title="A", state=ContestState.ENDED, starts_at=begin, ends_at=end
        )
        session.add(made)
        session.flush()
        moment = datetime(2026, 1, 3, tzinfo=UTC)
        session.add(ExpectedDataRow(contest_id=made.id, purpose="problems", due_at=moment, late_at=moment))
        World(session).workers(at=datetime.now(UTC))
    hook.pages["/hook"] = Reply(b"", 500)
    upkeep.watch()
    with ctx.sessions() as session:
        assert session.scalars(select(Alert.told_at)).all() == [None], "it was not taken, so it is told again"
    hook.pages["/hook"] = Reply(b"", 204)
    upkeep.watch()
    upkeep.watch()
    assert len(hook.asked) == 2
    told = json.loads(hook.asked[-1].body)
    assert [each["key"] for each in told["alerts"]] == ["late:atcoder/abc1"]
    assert "its problems are not here" in told["text"]
    with ctx.sessions() as session:
        assert session.scalars(select(Alert)).one().told_at is not None


def test_a_job_that_keeps_failing_is_told(ctx: Context) -> None:
    """Whichever job of the clock it is: it is over when one run has done its work."""
    at = [datetime.now(UTC)]
    ctx.clock = lambda: at[0]

    @task("house_test")
    def job(what: str) -> bool:
        if what == "fails":
            raise ValueError("too many\nrows: 1, 2")
        return what == "works"

    def causes() -> dict[str, str]:
        at[0] += timedelta(minutes=21)
        return {key: said for key, said in ctx.commit(alerts.find_causes, at[0]).items() if key.startswith("job:")}

    def wake(what: str) -> None:
        ctx.commit(heartbeats.take_tick, "house_test", at[0], at[0] + timedelta(days=1))
        with suppress(ValueError):
            job(what)

    wake("works")
    assert causes() == {}
    wake("fails")
    told = {"job:house_test": "the job house_test failed and has not succeeded since: ValueError: too many"}
    assert causes() == told
    wake("does nothing")
    assert causes() == told
    job("works")
    assert causes() == {}
    ctx.commit(heartbeats.take_tick, "house_test", at[0], at[0] + timedelta(days=1))
    assert causes() == {}, "nobody was there to begin it"
    ctx.commit(heartbeats.begin, "house_test", at[0])
    assert causes()["job:house_test"].endswith("its worker was ended meanwhile")


SUM = "def total(n):\n    return n * (n + 1) // 2\n"
LOOP = "def total(n):\n    return sum(range(n + 1))\n"
SMALL = "def total(n):\n    return n * (n + 1) // 2 if n < 50 else 0\n"
STATEMENT = "Add up the numbers to n.\n\n**Constraints:**\n\n- `1 <= n <= 100`"


def called(world: World, *codes: str) -> Problem:
    """A problem of the function form with one test, and programs that pass it."""
    made = world.problem("total", source="leetcode", day=date(2026, 6, 1))
    version = world.session.get_one(ProblemVersion, made.current_version_id)
    entry = Entry("total", params=(Param("n", "integer"),), returns="integer")
    with facts_may_change(world.session):
        version.form, version.statement, version.entry = Form.FUNCTION, STATEMENT, asdict(entry)
    spec = ProblemSpec("total", Form.FUNCTION, (Test([3], 6),), entry=entry)
    made.current_test_set_id, _ = add_test_set(world.session, made.id, spec, {"origin": "package", "proof": "proven"})
    world.session.flush()
    for number, code in enumerate(codes):
        world.answer(world.run(f"model-{number}"), made, Verdict.ACCEPTED, program=code)
    return made


@pytest.mark.sandbox
@pytest.mark.parametrize(("codes", "state"), [((SUM, LOOP), "published"), ((SUM, LOOP, SMALL), "held")])
def test_accepted_programs_are_asked_whether_they_agree(ctx: Context, codes: tuple[str, ...], state: str) -> None:
    with ctx.sessions.begin() as session:
        called(World(session), *codes)
    upkeep.compare_accepted()
    with ctx.sessions() as session:
        problem = session.scalars(select(Problem)).one()
        assert problem.state == state, problem.hold_reason
        assert problem.audit_flags["agreed"] == len(codes)
        if state == "held":
            assert problem.hold_reason is not None
            assert problem.hold_reason.startswith("accepted programs disagree: sample ")
            evidence = problem.audit_flags["disagreement"]
            [given] = json.loads(evidence["input"])
            assert given >= 50
            assert sorted(evidence["answers"]) == sorted(["0", str(given * (given + 1) // 2)])
        assert quarantine.next_comparison(session, quarantine.next_problem_ids(session, 1)) is None, (
            "they are not compared again"
        )


def test_where_nothing_says_what_is_legal_nothing_is_compared(session: Session) -> None:
    made = called(World(session), SUM, SMALL)
    version = session.get_one(ProblemVersion, made.current_version_id)
    with facts_may_change(session):
        version.statement = "Add up. Constraints: whatever you like."
    assert not quarantine.next_problem_ids(session, made.id + 1), "it is the last one"
    assert quarantine.next_comparison(session, range(1, made.id)) is None, "it is in no earlier piece"
    job = quarantine.next_comparison(session, quarantine.next_problem_ids(session, 1))
    assert job is not None
    assert job.inputs == []


def test_one_program_twice_is_one_program(session: Session) -> None:
    made = called(World(session), SUM, SUM)
    assert quarantine.next_comparison(session, range(made.id, made.id + 1)) is None


def test_a_piece_is_so_many_problems_however_far_apart_their_numbers_are(session: Session) -> None:
    """An import that is read again takes numbers for problems that are here."""
    world = World(session)
    first = world.problem("a", day=date(2026, 6, 1)).id
    session.execute(text("SELECT nextval(pg_get_serial_sequence('problems', 'id')) FROM generate_series(1, 100)"))
    last = world.problem("b", day=date(2026, 6, 1)).id
    assert (quarantine.next_problem_ids(session, 1), quarantine.next_problem_ids(session, first + 1)) == (
        range(first, last + 1), range(last, last + 1)
    )  # fmt: skip
