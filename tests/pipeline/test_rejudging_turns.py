"""Whose turn a kept answer is, what becomes of one that nobody can judge, and what a commit without a flip takes."""

from dataclasses import replace

from pipeline.flow import LANGUAGES, LEASE, NOW, answer_all, offer, standing
from pipeline.rejudging import FIRST, Desk, count, graded, judge, side
from pipeline.test_retests import BEFORE, only_pipit, rebuilt_alike
from sqlalchemy import select, update

from app.db.operations import access as people
from app.db.tables import LedgerEntry, ProtocolRow, Run, UserRole
from app.domain.asking.protocols import HOUSE
from app.domain.judging.verdicts import Verdict
from app.domain.rejudging.scope import RejudgingScope, ScopeKind
from app.domain.states import MAX_GRADING_ATTEMPTS
from app.services.rejudging import grading_queue, rejudge, views
from app.services.runs import plan
from app.services.runs.grade import JUDGE_ERROR_PAUSE


def broken(_model: str, _name: str) -> Verdict:
    return Verdict.JUDGE_ERROR


def leave_over(desk: Desk) -> None:
    """Our judge fails on what waits as often as it is tried."""
    for attempt in range(MAX_GRADING_ATTEMPTS):
        judge(desk.session, broken, now=NOW + attempt * JUDGE_ERROR_PAUSE)
    assert rejudge.predict_all(desk.session, desk.cubes, NOW) == 1


def test_fresh_answers_come_first_and_each_judge_takes_what_it_can(desk: Desk) -> None:
    desk.begun()
    assert grading_queue.claim(desk.session, NOW, LEASE, ["cpp"]) is None
    standing(desk.session, *FIRST, "late")
    kept = grading_queue.count_waiting(desk.session, NOW)
    assert answer_all(desk.session) == 4
    assert grading_queue.count_waiting(desk.session, NOW) == kept + 4 == 7, (
        "while those are judged, who waits for the kept ones goes on"
    )
    claimed = [grading_queue.claim(desk.session, NOW, LEASE, LANGUAGES) for _ in range(7)]
    assert [job is not None and job.rejudging_id is None for job in claimed] == [True] * 4 + [False] * 3
    assert None not in claimed


def test_an_answer_that_our_judge_fails_on_lets_others_pass(desk: Desk) -> None:
    desk.begun()
    failed = grading_queue.claim(desk.session, NOW, LEASE, LANGUAGES)
    assert failed is not None
    assert grading_queue.record(desk.session, failed, graded(Verdict.JUDGE_ERROR), NOW)
    assert judge(desk.session, only_pipit) == 2, "it rests"
    again = grading_queue.claim(desk.session, NOW + JUDGE_ERROR_PAUSE, LEASE, LANGUAGES)
    assert again is not None
    assert (again.sample_id, again.attempts) == (failed.sample_id, 2)


def test_what_ends_its_judges_is_left_over_once_the_last_is_dead(desk: Desk) -> None:
    made, moment = desk.begun(), NOW
    for _each in range(MAX_GRADING_ATTEMPTS):
        moment += 2 * LEASE
        assert grading_queue.claim(desk.session, moment, LEASE, LANGUAGES) is not None
        judge(desk.session, only_pipit, now=moment)
    assert views.view(desk.session, made).line.waiting == 1, "somebody still judges it"
    assert grading_queue.claim(desk.session, moment + 2 * LEASE, LEASE, LANGUAGES) is None
    shown = views.view(desk.session, made)
    assert (shown.line.judged, shown.line.left_over, len(shown.left)) == (2, 1, 1)
    assert rejudge.predict_all(desk.session, desk.cubes, NOW) == 1


def test_what_one_is_approved_for_is_no_others(desk: Desk) -> None:
    one, other = desk.predicted(), desk.predicted()
    for name in "ab":
        user = people.ensure_user(desk.session, f"{name}@example.test", UserRole.MAINTAINER)
        rejudge.approve(desk.session, one.id, user.id, user.email, "I looked", NOW)
    assert rejudge.demand(desk.session, desk.row(other.id)).approvals == ()
    rejudge.predict_again(desk.session, desk.cubes, other.id, "to be sure", "operator", NOW)
    assert rejudge.demand(desk.session, desk.row(one.id)).is_met
    rejudge.drop(desk.session, other.id, "once is enough", "operator", NOW)
    assert [line.id for line in views.list_rejudgings(desk.session)] == [one.id, other.id], (
        "who waits for somebody comes first"
    )


def test_a_board_that_nobody_sees_needs_nobody_beside_one_that_is_seen(desk: Desk) -> None:
    quiet = replace(HOUSE, slug="quiet", title="Quiet", sampling=replace(HOUSE.sampling, n=2))
    standing(desk.session, "tern", protocol=quiet)
    answer_all(desk.session)
    judge(desk.session, only_pipit, again=False)
    protocol = select(ProtocolRow.id).where(ProtocolRow.slug == "quiet").scalar_subquery()
    desk.session.execute(update(Run).where(Run.protocol_id == protocol).values(public=False))
    count(desk.session)
    made = desk.begun("protocol", "quiet")
    judge(desk.session, lambda _model, _name: Verdict.ACCEPTED)
    rejudge.predict_all(desk.session, desk.cubes, NOW)
    assert rejudge.demand(desk.session, desk.row(made)).rule is rejudge.CommitRule.FREE


def test_to_take_every_verdict_of_a_problem_needs_as_much_as_to_change_it(desk: Desk) -> None:
    """New tests under which our judge fails: no verdict is replaced, and every row of the board lacks one."""
    made = desk.retest()
    rejudge.begin(desk.session, made, "let us see", "operator", NOW)
    leave_over(desk)
    said = desk.row(made).predicted
    assert said is not None
    [board] = said["boards"]
    assert (said["answers"], said["left_over"], len(board["rows"])) == (0, 3, 3)
    assert rejudge.demand(desk.session, desk.row(made)).rule is rejudge.CommitRule.WORDS
    assert desk.commit(made)["boards"] == said["boards"]
    assert desk.session.scalars(select(LedgerEntry.subject).where(LedgerEntry.kind == "rescored")).all() == [
        "house/sum-0"
    ]
    rebuilt_alike(desk)


def test_tests_that_come_back_keep_what_they_said_where_our_judge_fails_now(desk: Desk) -> None:
    desk.commit(desk.retested(only_pipit).id)
    made = desk.retest(tests=3)
    rejudge.begin(desk.session, made, "the old ones were right", "operator", NOW)
    leave_over(desk)
    said = desk.row(made).predicted
    assert said is not None
    [board] = said["boards"]
    assert {each["model"]: side(each, "after") for each in board["rows"]} == BEFORE
    assert desk.commit(made)["boards"] == said["boards"]
    rebuilt_alike(desk)
    assert desk.standing() == BEFORE


def test_what_a_dropped_one_said_counts_in_no_later_one(desk: Desk) -> None:
    rejudge.drop(desk.session, desk.retested(only_pipit).id, "not yet", "operator", NOW)
    made = desk.retest()
    rejudge.begin(desk.session, made, "once more", "operator", NOW)
    leave_over(desk)
    said = desk.row(made).predicted
    assert said is not None
    assert (said["answers"], said["left_over"]) == (0, 3)


def test_the_public_line_names_each_configuration(desk: Desk) -> None:
    plan.register_demo(desk.session, (offer("orion", {}, {"effort": "high"}),), HOUSE, NOW)
    plan.plan_samples(desk.session, NOW)
    assert answer_all(desk.session) == 4
    judge(desk.session, lambda _model, _name: Verdict.ACCEPTED, again=False)
    count(desk.session)
    desk.commit(desk.predicted().id)
    line = desk.session.scalars(select(LedgerEntry).where(LedgerEntry.kind == "rescored")).one()
    assert line.before is not None
    assert [line.before[name]["score"] for name in ("house orion", "house orion:high")] == [75.0, 100.0]


def test_a_prediction_begins_from_what_counts_and_not_from_what_was_last_counted(desk: Desk) -> None:
    desk.commit(desk.predicted(only_pipit).id)
    assert rejudge.count_in_scope(desk.session, RejudgingScope(ScopeKind.PROBLEM, "house/sum-0")) == 3, (
        "one verdict counts of each"
    )
    row = desk.predicted(lambda model, _name: Verdict.WRONG_ANSWER if model == "pipit" else Verdict.ACCEPTED)
    assert row.predicted is not None
    [board] = row.predicted["boards"]
    assert {each["model"]: (side(each, "before")[1], side(each, "after")[1]) for each in board["rows"]} == {
        "orion": (50.0, 75.0), "tern": (25.0, 50.0), "pipit": (25.0, 0.0),
    }  # fmt: skip
