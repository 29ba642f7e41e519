"""Where contests are on their way, on `/status` and in the API."""

from datetime import date, datetime, timedelta

import pytest
from factories import NOW, World
from httpx import Client
from sqlalchemy import select, update
from support.facts import facts_may_change

from app.db.kernel import logs
from app.db.tables import ConsensusRow, Contest, ExpectedDataRow, Problem, ProblemVersion, Sample, TestSet, VerdictRow
from app.domain.judging.verdicts import Verdict
from app.domain.publishing.holds import NO_STATEMENT
from app.domain.reasons import Reason
from app.domain.sources.schedule import PROBLEMS
from app.domain.states import ExpectedDataState, ProblemState

URL = "/api/v1/status/contests"
TODAY = NOW.date()
END = datetime(TODAY.year, TODAY.month, TODAY.day, 14, tzinfo=NOW.tzinfo)


def after(minutes: int) -> datetime:
    return END + timedelta(minutes=minutes)


@pytest.fixture
def contest(world: World) -> Contest:
    """A contest of today with a problem on the board and one that is held; a second one that is bare."""
    owner = world.source("atcoder")
    one = world.problem("abc1_a", source="atcoder", contest="abc1", day=TODAY)
    other = world.problem(
        "abc1_b", source="atcoder", contest="abc1", day=TODAY, state=ProblemState.HELD, hold_reason=NO_STATEMENT
    )
    made = world.contest(owner, "abc1", TODAY)
    world.contest(owner, "abc2", date(TODAY.year + 1, 1, 1))
    world.session.add(
        ExpectedDataRow(contest_id=made.id, purpose=PROBLEMS, state=ExpectedDataState.MET, due_at=END, late_at=END,
                   settled_at=after(11))
    )  # fmt: skip
    sample = world.answer(world.run("orion"), one, Verdict.ACCEPTED)
    world.count()
    session = world.session
    session.flush()
    with facts_may_change(session):
        session.execute(update(ProblemVersion).values(created_at=after(12), seen_at=after(12)))
        detail = {"at": after(40).isoformat()}
        session.execute(update(TestSet).where(TestSet.problem_id == one.id).values(proof_detail=detail))
        session.execute(update(Sample).where(Sample.id == sample.id).values(answered_at=after(20)))
        session.execute(update(VerdictRow).values(judged_at=after(45)))
    logs.write_ledger(session, after(41), "problem.added", "atcoder/abc1_a", "published")
    logs.write_ledger(session, after(41), "problem.added", "house/elsewhere", "published")
    session.execute(update(Problem).where(Problem.id == other.id).values(current_test_set_id=None))
    session.commit()
    return made


def test_the_api_says_how_far_each_contest_is(world: World, client: Client, contest: Contest) -> None:
    [said] = client.get(URL).json()
    assert set(said) == {"contest", "steps", "held"}
    assert said["contest"] == "atcoder/abc1"
    assert [(each["step"], datetime.fromisoformat(each["since"])) for each in said["steps"]] == [
        ("ended", END), ("visited", after(11)), ("statement", after(12)), ("answers", after(20)),
        ("proof", after(40)), ("publication", after(41)), ("judged", after(45)), ("board", after(45)),
    ]  # fmt: skip
    assert said["held"] == [{"problem": "atcoder/abc1_b", "reason": "no statement"}]


def test_the_page_shows_it_with_the_times_of_steps(world: World, client: Client, contest: Contest) -> None:
    page = client.get("/en/status").text
    for words in ("atcoder/abc1", "tests verified", "on the board", "abc1_b", "no statement", "45 min"):
        assert words in page, words
    assert "已上排行榜" in client.get("/zh/status").text
    body = client.get("/api/v1/status").json()
    assert body["pace"]["steps"][-1] == {
        "step": "board", "contests": 1, "took_median_s": 0.0, "took_worst_s": 0.0, "median_s": 2700.0,
        "worst_s": 2700.0,
    }  # fmt: skip
    own = {each["step"]: each["took_median_s"] for each in body["pace"]["steps"]}
    assert (own["visited"], own["proof"], own["judged"]) == (660.0, 1200.0, 240.0), "from the step before"
    assert "20 min" in page, "of the proof alone"
    assert (len(body["pace"]["weeks"]), body["pace"]["weeks"][0]["problems"]) == (8, 1), "the house league is no news"


def test_the_making_of_tests_is_a_step_where_setters_make_them(world: World, client: Client, contest: Contest) -> None:
    problem = world.session.scalars(select(Problem).where(Problem.external_id == "abc1_a")).one()
    text = problem.current_version_id
    assert text is not None
    consensus = ConsensusRow(problem_id=problem.id, problem_version_id=text, state="asking", since=after(13))
    world.session.add(consensus)
    world.session.commit()
    assert "setting" not in [each["step"] for each in client.get(URL).json()[0]["steps"]], "they are at it"
    consensus.state, consensus.ended_at = "stored", after(30)
    world.session.commit()
    [said] = client.get(URL).json()
    steps = {each["step"]: datetime.fromisoformat(each["since"]) for each in said["steps"]}
    assert list(steps) == [
        "ended", "visited", "statement", "answers", "setting", "proof", "publication", "judged", "board",
    ]  # fmt: skip
    assert steps["setting"] == after(30)
    page = client.get("/en/status").text
    assert "tests made by models" in page
    assert {
        "step": "setting", "contests": 1, "took_median_s": 600.0, "took_worst_s": 600.0, "median_s": 1800.0,
        "worst_s": 1800.0,
    } in client.get("/api/v1/status").json()["pace"]["steps"]  # fmt: skip


def test_a_contest_whose_tests_wait_is_not_further(world: World, client: Client, contest: Contest) -> None:
    world.session.execute(update(TestSet).values(proof="waiting"))
    world.session.execute(update(Problem).where(Problem.external_id == "abc1_a").values(state=ProblemState.CHECKED))
    world.session.commit()
    [said] = client.get(URL).json()
    assert [each["step"] for each in said["steps"]] == ["ended", "visited", "statement", "answers", "judged"]


def test_better_tests_that_come_later_move_no_step(world: World, client: Client, contest: Contest) -> None:
    """Official tests come weeks after a contest: its way was as long as it was, proven at its publication at last."""
    before = client.get(URL).json()
    [proof] = [each for each in before[0]["steps"] if each["step"] == "proof"]
    proof["since"] = after(41).isoformat()
    problem = world.session.scalars(select(Problem).where(Problem.external_id == "abc1_a")).one()
    made = world.tests(problem, 3)
    weeks_later = after(30_000)
    with facts_may_change(world.session):
        made.created_at, made.proof, made.proof_detail = weeks_later, "unproven", {}
        world.session.execute(update(VerdictRow).values(counts=False))
        problem.current_test_set_id = made.id
        sample = world.session.scalars(select(Sample)).one()
        world.verdict(sample, problem, Verdict.ACCEPTED, judged_at=weeks_later)
    world.session.commit()
    assert client.get(URL).json() == before
    world.session.execute(update(TestSet).where(TestSet.id == made.id).values(proof="waiting"))
    world.session.commit()
    assert client.get(URL).json() == before, "other programs are tried on them"


def test_tests_from_elsewhere_are_not_waited_for_by_their_setters(
    world: World, client: Client, contest: Contest
) -> None:
    """A problem that setters could not agree on is published by its site's own tests; another one they made."""
    problems = world.session.scalars(select(Problem).order_by(Problem.external_id)).all()
    made, elsewhere = (problem for problem in problems if problem.external_id.startswith("abc1_"))
    elsewhere.current_test_set_id = world.tests(elsewhere, 2).id
    world.session.flush()
    elsewhere.state, elsewhere.hold_reason = ProblemState.PUBLISHED, None
    for problem, state in ((made, "stored"), (elsewhere, "held")):
        world.session.add(
            ConsensusRow(
                problem_id=problem.id,
                problem_version_id=problem.current_version_id,
                state=state,
                since=after(13),
                ended_at=after(30),
                reason=None if problem is made else Reason("disputed_inputs", {"n": 1}),
            )
        )
    world.session.commit()
    steps = {each["step"]: datetime.fromisoformat(each["since"]) for each in client.get(URL).json()[0]["steps"]}
    assert steps["setting"] == after(30)


def test_the_page_says_what_waits_for_the_next_day(world: World, client: Client, contest: Contest) -> None:
    assert "waiting for the next day" not in client.get("/en/status").text
    problem = world.session.scalars(select(Problem).where(Problem.external_id == "abc1_a")).one()
    text = problem.current_version_id
    assert text is not None
    problem.state, problem.current_test_set_id = ProblemState.CHECKED, None
    world.session.add(
        ConsensusRow(problem_id=problem.id, problem_version_id=text, state="asking", since=after(13),
                not_before=NOW + timedelta(days=1))
    )  # fmt: skip
    world.session.commit()
    assert "Problems waiting for the next day (UTC): 1" in client.get("/en/status").text
    assert "等待次日（UTC）继续的题目：1" in client.get("/zh/status").text
    assert client.get("/api/v1/status").json()["wait_for_tomorrow"] == 1


def test_without_a_contest_nothing_is_said(client: Client) -> None:
    assert client.get(URL).json() == []
    assert "From a contest" not in client.get("/en/status").text
