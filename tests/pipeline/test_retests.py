"""Other tests for a problem that boards count: judged by beforehand, predicted, approved of, and only then in use."""

from dataclasses import replace
from pathlib import Path

import pytest
from pipeline.flow import LANGUAGES, LEASE, NOW, answer_all, judge_one, standing
from pipeline.rejudging import FIRST, Desk, count, graded, judge, side
from pipeline.test_aggregation import cells, naive
from sqlalchemy import select, update
from support.batches import batch, problem, sum_tests

from app.db.kernel.session import Session
from app.db.operations import access as people
from app.db.tables import AuditEntry, LedgerEntry, Problem, Rejudging, Run, Sample, TestSet, UserRole, VerdictRow
from app.domain.errors import Conflict
from app.domain.judging.verdicts import Verdict
from app.domain.publishing.holds import ProofOutcome
from app.domain.states import MAX_GRADING_ATTEMPTS, ProblemState, RejudgingState, SampleState
from app.services.problems import publishing
from app.services.rejudging import grading_queue, rejudge
from app.services.runs import cell_updates, grade, imports, sample_views

HELD = {"state": ProblemState.HELD, "hold_reason": "its tests are wrong"}
BEFORE = {"orion": (1, 75.0), "tern": (2, 50.0), "pipit": (3, 25.0)}


def only_pipit(model: str, _name: str) -> Verdict:
    return Verdict.ACCEPTED if model == "pipit" else Verdict.WRONG_ANSWER


def in_use(desk: Desk) -> int | None:
    desk.session.flush()
    desk.session.expire_all()
    return desk.session.scalar(select(Problem.current_test_set_id).where(Problem.external_id == "sum-0"))


def ledger(desk: Desk, *kinds: str) -> list[LedgerEntry]:
    return list(desk.session.scalars(select(LedgerEntry).where(LedgerEntry.kind.in_(kinds)).order_by(LedgerEntry.id)))


def rebuilt_alike(desk: Desk) -> None:
    count(desk.session)
    incremental = cells(desk.session)
    assert incremental == naive(desk.session)
    cell_updates.rebuild_cells(desk.session)
    assert cells(desk.session) == incremental


def more_answers(desk: Desk, *verdicts: Verdict) -> None:
    """Answers of a new model to every problem, of which those to the first are judged by the tests in use."""
    standing(desk.session, *FIRST, "late")
    answer_all(desk.session)
    for verdict in verdicts:
        assert judge_one(desk.session, verdict)


def test_a_corrected_test_proposes_and_moves_nothing(desk: Desk) -> None:
    first = in_use(desk)
    made = desk.retest()
    row = desk.row(made)
    assert in_use(desk) == first
    new = desk.session.scalars(select(TestSet.id).where(TestSet.id > first).order_by(TestSet.id.desc())).first()
    assert row.scope == {"kind": "problem", "name": "house/sum-0", "test_set": new}
    assert (row.state, row.actor) == (RejudgingState.PROPOSED, "system")
    assert row.reason == "other tests (package): imported from package"
    assert ledger(desk, "problem.retested") == []
    assert not judge(desk.session, only_pipit), "nothing is judged before somebody begins it"
    rebuilt_alike(desk)
    assert desk.standing() == BEFORE
    assert desk.retest() == made, "the same file again proposes no second one"
    assert desk.session.scalars(select(Rejudging.id)).all() == [made]


def test_a_commit_moves_what_was_predicted_and_puts_the_tests_in_use(desk: Desk) -> None:
    first, old = in_use(desk), desk.verdicts()
    row = desk.retested(only_pipit)
    said = row.predicted
    assert said is not None
    [board] = said["boards"]
    assert {each["model"]: (side(each, "before"), side(each, "after")) for each in board["rows"]} == {
        "orion": ((1, 75.0), (1, 50.0)), "tern": ((2, 50.0), (2, 25.0)), "pipit": ((3, 25.0), (2, 25.0)),
    }  # fmt: skip
    assert (said["answers"], said["left_over"], said["outdated"]) == (3, 0, 0)
    rebuilt_alike(desk)
    assert (desk.standing(), in_use(desk), desk.verdicts()[: len(old)]) == (BEFORE, first, old)

    actual = desk.commit(row.id)
    assert actual["boards"] == said["boards"]
    assert in_use(desk) == desk.row(row.id).scope["test_set"]
    rebuilt_alike(desk)
    assert desk.standing() == {"orion": (1, 50.0), "tern": (2, 25.0), "pipit": (2, 25.0)}
    assert desk.verdicts()[: len(old)] == old, "what the old tests said stays what they say"
    assert answer_all(desk.session) == 0
    assert not judge(desk.session, only_pipit, again=False), "every answer has its verdict"
    told = ledger(desk, "problem.retested", "rescored")
    assert [(each.kind, each.reason) for each in told] == [
        (kind, "other tests (package): imported from package") for kind in ("problem.retested", "rescored")
    ]
    assert (told[0].subject, told[0].before, told[0].after) == ("house/sum-0", first, in_use(desk))
    assert told[1].after is not None
    assert (told[1].after["rows_moved"], told[1].after["house tern"]) == (3, {"rank": 2, "score": 25.0})
    audited = desk.session.scalars(select(AuditEntry.action).where(AuditEntry.action.like("rejudging.%")))
    assert sorted(audited) == ["rejudging.begin", "rejudging.commit", "rejudging.propose"]
    sample_id = desk.session.scalars(select(VerdictRow.sample_id).where(VerdictRow.rejudging_id == row.id)).first()
    assert sample_id is not None
    shown = sample_views.sample(desk.session, sample_id).verdicts
    assert [each.current for each in shown] == [True, False]


def test_tests_may_come_back_and_their_verdicts_are_made_anew(desk: Desk) -> None:
    first = in_use(desk)
    desk.commit(desk.retested(only_pipit).id)
    row = desk.retested(lambda _model, _name: Verdict.ACCEPTED, tests=3)
    assert row.scope["test_set"] == first
    assert row.predicted is not None
    assert desk.commit(row.id)["boards"] == row.predicted["boards"]
    assert in_use(desk) == first
    rebuilt_alike(desk)
    assert desk.standing() == BEFORE


def test_a_drop_keeps_the_tests_and_a_new_import_asks_again(desk: Desk) -> None:
    first, counted = in_use(desk), [verdict for verdict in desk.verdicts() if verdict[2]]
    row = desk.retested(only_pipit)
    rejudge.drop(desk.session, row.id, "the old ones are right", "operator", NOW)
    assert (in_use(desk), [verdict for verdict in desk.verdicts() if verdict[2]]) == (first, counted)
    assert desk.session.get_one(TestSet, row.scope["test_set"]).proof == "shipped", "a fact all the same"
    rebuilt_alike(desk)
    assert (desk.standing(), ledger(desk, "rescored", "problem.retested")) == (BEFORE, [])
    assert desk.retest() > row.id


def test_a_published_board_needs_two_people(desk: Desk) -> None:
    row = desk.retested(only_pipit)
    first, second = (people.ensure_user(desk.session, f"{name}@example.test", UserRole.MAINTAINER) for name in "ab")
    rejudge.approve(desk.session, row.id, first.id, first.email, "I looked", NOW)
    with pytest.raises(Conflict, match="2 maintainers must approve"):
        desk.commit(row.id)
    before = in_use(desk)
    rejudge.approve(desk.session, row.id, second.id, second.email, "I looked", NOW)
    rejudge.commit(desk.session, desk.cubes, row.id, "both agree", second.email, NOW)
    assert in_use(desk) != before


def test_what_the_old_tests_judge_meanwhile_is_judged_by_the_new_ones_first(desk: Desk) -> None:
    """Before a prediction it is part of it; after one, that is stale, and asked for again it judges the rest."""
    made = desk.retest()
    rejudge.begin(desk.session, made, "let us see", "operator", NOW)
    more_answers(desk, *[Verdict.ACCEPTED] * 4)
    judge(desk.session, only_pipit)
    assert rejudge.predict_all(desk.session, desk.cubes, NOW) == 0, "an answer came"
    assert desk.row(made).state == RejudgingState.JUDGING
    assert judge(desk.session, only_pipit) == 1
    assert rejudge.predict_all(desk.session, desk.cubes, NOW) == 1
    assert (desk.row(made).predicted or {})["answers"] == 4

    standing(desk.session, *FIRST, "late", "later")
    answer_all(desk.session)
    while judge_one(desk.session, Verdict.ACCEPTED):
        pass
    count(desk.session)
    with pytest.raises(Conflict, match="predict it again"):
        desk.commit(made)
    user = people.ensure_user(desk.session, "a@example.test", UserRole.MAINTAINER)
    rejudge.approve(desk.session, made, user.id, user.email, "I looked", NOW)
    rejudge.predict_again(desk.session, desk.cubes, made, "answers came", "operator", NOW)
    assert (desk.row(made).state, desk.row(made).predicted) == (RejudgingState.JUDGING, None)
    with pytest.raises(Conflict, match="is judging"):
        rejudge.begin(desk.session, made, "again", "operator", NOW)
    assert judge(desk.session, only_pipit) == 1
    rejudge.predict_all(desk.session, desk.cubes, NOW)
    with pytest.raises(Conflict, match="is predicted"):
        rejudge.begin(desk.session, made, "again", "operator", NOW)
    said = desk.row(made).predicted
    assert said is not None
    assert rejudge.demand(desk.session, desk.row(made)).approvals == ()
    assert said["answers"] == 5
    assert desk.commit(made)["boards"] == said["boards"]
    rebuilt_alike(desk)


def test_what_our_judge_failed_on_is_missing_coverage_and_predicted_so(desk: Desk) -> None:
    made, moment = desk.retest(), NOW
    rejudge.begin(desk.session, made, "let us see", "operator", NOW)
    for _each in range(MAX_GRADING_ATTEMPTS):
        judge(desk.session, lambda model, name: Verdict.JUDGE_ERROR if model == "orion" else only_pipit(model, name),
              now=moment, limit=3)  # fmt: skip
        moment += LEASE
    rejudge.predict_all(desk.session, desk.cubes, moment)
    said = desk.row(made).predicted
    assert said is not None
    assert (said["answers"], said["left_over"]) == (2, 1)
    assert desk.commit(made)["boards"] == said["boards"]
    rebuilt_alike(desk)
    assert sorted(cell[2] for cell in cells(desk.session).values())[-2:] == [0, 1], "one answer is pending"
    assert judge(desk.session, only_pipit, again=False) == 1
    rebuilt_alike(desk)
    assert {cell[2] for cell in cells(desk.session).values()} == {0}


def test_an_answer_before_the_judge_at_the_commit_is_judged_by_the_new_tests(desk: Desk) -> None:
    row = desk.retested(only_pipit)
    standing(desk.session, *FIRST, "late")
    answer_all(desk.session)
    held = next(
        job for job in iter(lambda: grade.claim(desk.session, NOW, LEASE, LANGUAGES), None)
        if job is not None and job.test_set_id == in_use(desk)
        and desk.session.get_one(Sample, job.sample_id).problem_id
        == desk.session.scalars(select(Problem.id).where(Problem.external_id == "sum-0")).one()
    )  # fmt: skip
    assert row.predicted is not None
    [moved], [said] = desk.commit(row.id)["boards"], row.predicted["boards"]
    assert moved["rows"] == said["rows"], "it waited before, and waits now"
    assert grading_queue.record(desk.session, held, graded(Verdict.ACCEPTED), NOW)
    assert desk.session.get_one(Sample, held.sample_id, populate_existing=True).state == SampleState.ANSWERED
    rebuilt_alike(desk)


def test_of_two_proposals_the_one_committed_later_is_predicted_again(desk: Desk) -> None:
    one, other = desk.retested(only_pipit), desk.retested(lambda model, _name: Verdict.ACCEPTED, tests=6)
    desk.commit(one.id)
    with pytest.raises(Conflict, match="predict it again"):
        desk.commit(other.id)
    rejudge.predict_again(desk.session, desk.cubes, other.id, "others are in use", "operator", NOW)
    said = desk.row(other.id).predicted
    assert said is not None
    assert (said["answers"], said["other_to_accepted"]) == (3, 2)
    assert desk.commit(other.id)["boards"] == said["boards"]
    rebuilt_alike(desk)
    assert desk.standing() == BEFORE


def test_tests_that_are_proven_here_are_proposed_too(desk: Desk) -> None:
    """As soon as their proof succeeds, and not when it fails."""
    first = in_use(desk)
    for count_, good in ((5, False), (6, True)):
        offered = replace(problem(0, shipped=False), tests=sum_tests(count_))
        imports.store_batch(desk.session, batch(offered), NOW)
        assert desk.session.scalars(select(Rejudging.id)).all() == []
        job = publishing.claim_proof(desk.session, NOW, LEASE)
        assert job is not None
        assert publishing.record_proof(desk.session, job, ProofOutcome(good, None if good else "no", 1, 1), NOW)
    row = desk.session.scalars(select(Rejudging)).one()
    assert (row.reason, in_use(desk)) == ("other tests (package): its proof succeeded", first)


@pytest.mark.parametrize("state", ["unjudged", "private", "held"])
def test_tests_that_no_board_counts_are_replaced_at_once(session: Session, tmp_path: Path, state: str) -> None:
    imports.store_batch(session, batch(problem(0)), NOW)
    standing(session, "tern")
    answer_all(session)
    if state != "unjudged":
        assert judge_one(session, Verdict.ACCEPTED)
    if state == "private":
        session.execute(update(Run).values(public=False))
    if state == "held":
        session.execute(update(Problem).values(HELD))
    desk = Desk(session, tmp_path)
    first = in_use(desk)
    imports.store_batch(session, batch(replace(problem(0), tests=sum_tests(5))), NOW)
    assert in_use(desk) != first
    assert session.scalars(select(Rejudging)).all() == []
    assert len(ledger(desk, "problem.retested")) == 1
    assert judge_one(session, Verdict.ACCEPTED)
    rebuilt_alike(desk)


def test_tests_that_came_into_use_otherwise_leave_nothing_to_do(desk: Desk) -> None:
    """The problem was quarantined, and mended there: what was proposed before can only be dropped."""
    made = desk.retest()
    desk.session.execute(update(Problem).where(Problem.external_id == "sum-0").values(HELD))
    desk.session.expire_all()
    imports.store_batch(desk.session, batch(replace(problem(0), tests=sum_tests(5))), NOW)
    with pytest.raises(Conflict, match="is already in use; drop this rejudging"):
        rejudge.begin(desk.session, made, "late", "operator", NOW)
    rejudge.drop(desk.session, made, "it is done", "operator", NOW)


def test_a_new_text_leaves_nothing_to_judge_and_the_tests_may_still_be_used(desk: Desk) -> None:
    made = desk.retest()
    text = {
        locale: replace(statement, text=f"{statement.text} Again.")
        for locale, statement in problem(0).statements.items()
    }
    imports.store_batch(desk.session, batch(replace(problem(0), statements=text, tests=())), NOW)
    assert rejudge.begin(desk.session, made, "now", "operator", NOW) == 0
    assert rejudge.predict_all(desk.session, desk.cubes, NOW) == 1
    before = in_use(desk)
    assert desk.commit(made)["boards"] == []
    assert in_use(desk) != before
    rebuilt_alike(desk)
