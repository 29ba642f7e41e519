"""Judging kept answers again: what is predicted happens, nothing else does, and nobody does it alone or twice."""

from datetime import timedelta

import pytest
from pipeline.flow import LANGUAGES, LEASE, NOW, answer_all, standing
from pipeline.rejudging import FIRST, Desk, count, graded, judge, named, side, sum_zero_was_wrong
from pipeline.test_aggregation import cells, naive
from sqlalchemy import select
from support.batches import batch, problem

from app.cli.rejudging.rejudge import format_rejudging
from app.db.operations import access as people
from app.db.tables import AuditEntry, LedgerEntry, Problem, ProblemAlias, RejudgedSample, Run, UserRole
from app.domain.errors import Conflict, InvalidInput, NotFound
from app.domain.judging.verdicts import Verdict
from app.domain.rejudging.scope import RejudgingScope, ScopeKind
from app.domain.states import MAX_GRADING_ATTEMPTS, RejudgedState, RejudgingState
from app.services.boards import score_changes
from app.services.rejudging import grading_queue, rejudge, views
from app.services.runs import cell_updates, imports, plan, sample_views


def test_what_is_predicted_is_what_happens(desk: Desk) -> None:
    before = desk.standing()
    assert before == {"orion": (1, 75.0), "tern": (2, 50.0), "pipit": (3, 25.0)}
    old = desk.verdicts()
    row = desk.predicted()
    said = row.predicted
    assert said is not None
    assert {name: said[name] for name in ("answers", "changed", "accepted_to_other", "other_to_accepted")} == {
        "answers": 3, "changed": 2, "accepted_to_other": 2, "other_to_accepted": 0,
    }  # fmt: skip
    [board] = said["boards"]
    assert (board["protocol"], board["board"], board["published"], board["problems"]) == ("house", "codegen", True, 4)
    assert {each["model"]: (side(each, "before"), side(each, "after")) for each in board["rows"]} == {
        "orion": ((1, 75.0), (1, 50.0)),
        "tern": ((2, 50.0), (2, 25.0)),
        "pipit": ((3, 25.0), (2, 25.0)),
    }
    assert board["rows"][0]["model"] == "pipit", "the biggest move comes first"
    count(desk.session)
    assert desk.standing() == before, "nothing counts before it is committed"
    assert desk.verdicts()[: len(old)] == old

    actual = desk.commit(row.id)
    assert actual["boards"] == said["boards"]
    count(desk.session)
    assert desk.standing() == {"orion": (1, 50.0), "tern": (2, 25.0), "pipit": (2, 25.0)}
    incremental = cells(desk.session)
    assert incremental == naive(desk.session)
    cell_updates.rebuild_cells(desk.session)
    assert cells(desk.session) == incremental
    now = desk.verdicts()
    assert [each[:2] for each in now[: len(old)]] == [each[:2] for each in old], "no verdict was overwritten"
    assert sum(each[2] for each in now) == len(old), "one counts of each answer"
    assert [each for each in now if each[3] == row.id and not each[2]] == []


def test_it_is_told_in_public_and_audited_with_reasons(desk: Desk) -> None:
    row = desk.predicted()
    desk.commit(row.id)
    line = desk.session.scalars(select(LedgerEntry).where(LedgerEntry.kind == "rescored")).one()
    assert (line.subject, line.reason) == ("house/sum-0", "its tests were mended")
    assert line.before is not None
    assert line.after is not None
    assert line.before["house tern"] == {"rank": 2, "score": 50.0}
    assert line.after["house tern"] == {"rank": 2, "score": 25.0}
    assert (line.after["answers"], line.after["changed"], line.after["rows_moved"]) == (3, 2, 3)
    audited = select(AuditEntry.action, AuditEntry.reason).where(AuditEntry.action.like("rejudging.%"))
    assert [tuple(row) for row in desk.session.execute(audited.order_by(AuditEntry.id))] == [
        ("rejudging.propose", "its tests were mended"), ("rejudging.begin", "now"), ("rejudging.commit", "agreed"),
    ]  # fmt: skip


def test_each_score_that_it_moved_has_a_line_of_its_own(desk: Desk) -> None:
    score_changes.announce_score_changes(desk.session, desk.cubes, [], NOW)
    row = desk.predicted()
    desk.commit(row.id)
    causes = score_changes.causes(desk.session)
    count(desk.session)
    assert score_changes.announce_score_changes(desk.session, desk.cubes, causes, NOW) == 2
    found = desk.session.scalars(select(LedgerEntry).where(LedgerEntry.kind == score_changes.SCORE_CHANGED)).all()
    told = {
        line.subject: (line.before["score"], line.after["score"], line.reason)
        for line in found
        if line.before and line.after
    }
    why = "its tests were mended"
    assert told == {"orion": (75.0, 50.0, why), "tern": (50.0, 25.0, why)}
    assert score_changes.announce_score_changes(desk.session, desk.cubes, score_changes.causes(desk.session), NOW) == 0


def test_a_receipt_shows_both_verdicts_once_it_is_committed(desk: Desk) -> None:
    row = desk.predicted()
    sample_id = next(number for number, verdict, _, again in desk.verdicts() if again and verdict == "wrong_answer")
    assert [verdict.verdict for verdict in sample_views.sample(desk.session, sample_id).verdicts] == ["accepted"]
    desk.commit(row.id)
    desk.session.flush()
    shown = sample_views.sample(desk.session, sample_id).verdicts
    assert [(each.verdict, each.current, each.rejudged_for) for each in shown] == [
        ("wrong_answer", True, "its tests were mended"), ("accepted", False, None),
    ]  # fmt: skip


def test_a_commit_happens_once_and_only_after_a_prediction(desk: Desk) -> None:
    made = desk.begun()
    with pytest.raises(Conflict, match="is judging"):
        desk.commit(made)
    judge(desk.session, sum_zero_was_wrong)
    rejudge.predict_all(desk.session, desk.cubes, NOW)
    desk.commit(made)
    flipped = desk.verdicts()
    for act in (desk.commit, lambda number: rejudge.drop(desk.session, number, "late", "operator", NOW)):
        with pytest.raises(Conflict, match="is committed"):
            act(made)
    assert desk.verdicts() == flipped
    with pytest.raises(NotFound):
        rejudge.commit(desk.session, desk.cubes, 10**30, "why", "operator", NOW)


def test_a_dropped_one_leaves_everything(desk: Desk) -> None:
    before, counted = desk.standing(), [verdict for verdict in desk.verdicts() if verdict[2]]
    row = desk.predicted()
    rejudge.drop(desk.session, row.id, "the tests were right", "operator", NOW)
    assert [verdict for verdict in desk.verdicts() if verdict[2]] == counted
    count(desk.session)
    assert desk.standing() == before
    assert desk.session.scalars(select(LedgerEntry).where(LedgerEntry.kind == "rescored")).all() == []
    with pytest.raises(Conflict, match="is dropped"):
        desk.commit(row.id)
    other = desk.begun()
    late = grading_queue.claim(desk.session, NOW, LEASE, LANGUAGES)
    assert late is not None
    rejudge.drop(desk.session, other, "again", "operator", NOW)
    assert not grading_queue.record(desk.session, late, graded(Verdict.WRONG_ANSWER), NOW), "it is over"
    assert grading_queue.claim(desk.session, NOW, LEASE, LANGUAGES) is None


def test_what_died_is_taken_up_again(desk: Desk) -> None:
    """A worker dies with a lease, another one after the last verdict: the sweep says what is due, and it goes on."""
    made = desk.begun()
    dead = grading_queue.claim(desk.session, NOW, LEASE, LANGUAGES)
    assert dead is not None
    assert judge(desk.session, sum_zero_was_wrong) == 2
    assert plan.sweep(desk.session, NOW).grading == 0, "what is leased is nobody else's"
    later = NOW + 2 * LEASE
    assert plan.sweep(desk.session, later).grading == 1
    assert rejudge.predict_all(desk.session, desk.cubes, later) == 0
    assert judge(desk.session, sum_zero_was_wrong, now=later) == 1
    assert not grading_queue.record(desk.session, dead, graded(Verdict.TIME_LIMIT), later), "its lease is another's"
    assert desk.row(made).state == RejudgingState.JUDGING
    assert plan.sweep(desk.session, later).grading == 1, "judged and not predicted: due"
    assert rejudge.predict_all(desk.session, desk.cubes, later) == 1
    assert plan.sweep(desk.session, later).grading == 0
    assert desk.commit(made)["answers"] == 3


def test_our_own_failures_keep_the_verdict_that_counts(desk: Desk) -> None:
    made = desk.begun()
    moment = NOW
    for _each in range(MAX_GRADING_ATTEMPTS):
        judge(
            desk.session,
            lambda model, name: Verdict.JUDGE_ERROR if model == "orion" else sum_zero_was_wrong(model, name),
            now=moment, limit=3,
        )  # fmt: skip
        moment += timedelta(minutes=1)
    rejudge.predict_all(desk.session, desk.cubes, moment)
    said = desk.row(made).predicted
    assert said is not None
    assert (said["answers"], said["left_over"]) == (2, 1)
    desk.commit(made)
    count(desk.session)
    assert desk.standing()["orion"] == (1, 75.0)
    left = desk.session.scalars(select(RejudgedSample).where(RejudgedSample.state == RejudgedState.LEFT_OVER)).one()
    assert named(desk.session, left.sample_id)[0] == "orion"


def test_a_prediction_without_a_new_verdict_is_told_as_one_to_drop(desk: Desk) -> None:
    made = desk.begun()
    for attempt in range(MAX_GRADING_ATTEMPTS):
        judge(desk.session, lambda _model, _name: Verdict.JUDGE_ERROR, now=NOW + timedelta(hours=attempt))
    rejudge.predict_all(desk.session, desk.cubes, NOW)
    shown = views.view(desk.session, made)
    said = views.view_json(shown)
    assert (said["worthwhile"], said["confirm"], said["test_set"]) == (False, None, None)
    assert format_rejudging(shown).endswith(f"nothing would change:\n  ./tidemark rejudge --drop {made} --reason TEXT")
    with pytest.raises(Conflict, match="no verdict would change"):
        desk.commit(made)
    tested = desk.retested(lambda _model, _name: Verdict.ACCEPTED).id
    said = views.view_json(views.view(desk.session, tested))
    assert (said["worthwhile"], said["test_set"]) == (True, desk.row(tested).scope["test_set"])
    assert said["confirm"] == desk.words(tested)


def test_new_tests_in_between_void_the_prediction(desk: Desk) -> None:
    """Answers that were given other tests are out of it, and nobody has approved of the rest alone."""
    row = desk.predicted()
    desk.commit(desk.retested(lambda _model, _name: Verdict.ACCEPTED).id)
    with pytest.raises(Conflict, match="no verdict would change"):
        desk.commit(row.id)
    count(desk.session)
    assert cells(desk.session) == naive(desk.session)
    whole = desk.begun("protocol", "house")
    judge(desk.session, lambda model, _name: Verdict.ACCEPTED if model == "pipit" else Verdict.WRONG_ANSWER)
    rejudge.predict_all(desk.session, desk.cubes, NOW)
    desk.commit(desk.retested(lambda _model, _name: Verdict.ACCEPTED, 1).id)
    with pytest.raises(Conflict, match="predict it again"):
        desk.commit(whole)
    rejudge.predict_again(desk.session, desk.cubes, whole, "new tests came", "operator", NOW)
    audited = select(AuditEntry.actor, AuditEntry.reason).where(AuditEntry.action == "rejudging.predict")
    assert [tuple(row) for row in desk.session.execute(audited)] == [("operator", "new tests came")]
    said = desk.row(whole).predicted
    assert said is not None
    assert (said["answers"], said["outdated"]) == (9, 3)
    assert desk.commit(whole)["boards"] == said["boards"]
    count(desk.session)
    assert cells(desk.session) == naive(desk.session)


def test_a_published_board_needs_two_people_or_one_who_types(desk: Desk) -> None:
    row = desk.predicted()
    for typed in ("", str(row.id), f"{row.id} wrong", "yes"):
        with pytest.raises(InvalidInput, match="type the rejudging's number"):
            desk.commit(row.id, confirm=typed)
    first, second = (people.ensure_user(desk.session, f"{name}@example.test", UserRole.MAINTAINER) for name in "ab")
    people.ensure_user(desk.session, "v@example.test", UserRole.VENDOR)
    with pytest.raises(Conflict, match="2 maintainers must approve"):
        desk.commit(row.id)
    rejudge.approve(desk.session, row.id, first.id, first.email, "I looked", NOW)
    with pytest.raises(Conflict, match="already approved rejudging"):
        rejudge.approve(desk.session, row.id, first.id, first.email, "and again", NOW)
    with pytest.raises(Conflict, match="1 did"):
        desk.commit(row.id)
    rejudge.predict_again(desk.session, desk.cubes, row.id, "to be sure", first.email, NOW)
    assert rejudge.demand(desk.session, desk.row(row.id)).approvals == (), "what was approved of was the old prediction"
    for each in (first, second):
        rejudge.approve(desk.session, row.id, each.id, each.email, "I looked", NOW)
    third = people.ensure_user(desk.session, "c@example.test", UserRole.MAINTAINER)
    first.role = UserRole.VENDOR
    with pytest.raises(Conflict, match="1 did"):
        desk.commit(row.id)  # who is no maintainer any more has no say
    rejudge.approve(desk.session, row.id, third.id, third.email, "I looked", NOW)
    rejudge.commit(desk.session, desk.cubes, row.id, "both agree", second.email, NOW)
    assert desk.row(row.id).state == RejudgingState.COMMITTED


def test_what_nobody_sees_needs_nobody_and_is_told_to_nobody(desk: Desk) -> None:
    for run in desk.session.scalars(select(Run)):
        run.public = False
    for name in "ab":
        people.ensure_user(desk.session, f"{name}@example.test", UserRole.MAINTAINER)
    row = desk.predicted()
    rejudge.commit(desk.session, desk.cubes, row.id, "ours alone", "operator", NOW)
    assert desk.session.scalars(select(LedgerEntry).where(LedgerEntry.kind == "rescored")).all() == []


def test_each_kind_of_scope_takes_its_stored_answers(desk: Desk) -> None:
    taken = {
        ("problem", "house/sum-1"): 3, ("contest", "house:week-2"): 3, ("model", "tern"): 4, ("protocol", "house"): 12,
        ("source", "house"): 12, ("problem", "house/sum-one"): 3,
    }  # fmt: skip
    known = desk.session.scalars(select(Problem).where(Problem.external_id == "sum-1")).one()
    desk.session.add(ProblemAlias(source_id=known.source_id, problem_id=known.id, alias="sum-one"))
    for (kind, name), answers in taken.items():
        made = rejudge.propose(desk.session, RejudgingScope(ScopeKind(kind), name), "why", "operator", NOW)
        assert rejudge.begin(desk.session, made, "why", "operator", NOW) == answers
        with pytest.raises(NotFound, match="there is no"):
            rejudge.propose(desk.session, RejudgingScope(ScopeKind(kind), f"{name}x"), "why", "operator", NOW)
        with pytest.raises(InvalidInput, match="give a reason"):
            rejudge.propose(desk.session, RejudgingScope(ScopeKind(kind), name), " ", "operator", NOW)
    for scope in (
        RejudgingScope(ScopeKind.PROBLEM, "elsewhere/sum-1"),
        RejudgingScope(ScopeKind.CONTEST, "elsewhere:week-2"),
    ):
        with pytest.raises(NotFound, match="there is no"):
            rejudge.propose(desk.session, scope, "why", "operator", NOW)
    standing(desk.session, *FIRST, "late")
    with pytest.raises(Conflict, match="no stored answer"):
        rejudge.propose(desk.session, RejudgingScope(ScopeKind.MODEL, "late"), "why", "operator", NOW)


def test_a_new_toolchain_proposes_once_and_judges_nothing(desk: Desk) -> None:
    newer = "2.python-3.12.1.0123abcd"
    imports.store_batch(desk.session, batch(problem(7), problem(8)), NOW)
    standing(desk.session, *FIRST)
    assert answer_all(desk.session) == 6
    for _each in range(3):
        job = grading_queue.claim(desk.session, NOW, LEASE, LANGUAGES)
        assert job is not None
        assert grading_queue.record(desk.session, job, graded(Verdict.ACCEPTED, "2.cpp-12.2.0.none"), NOW)
    assert views.list_rejudgings(desk.session) == (), "the first judge of another language replaces nobody"
    while (job := grading_queue.claim(desk.session, NOW, LEASE, LANGUAGES)) is not None:
        assert grading_queue.record(desk.session, job, graded(Verdict.ACCEPTED, newer), NOW)
    [row] = views.list_rejudgings(desk.session, 10)
    assert (row.state, row.scope, row.actor) == ("proposed", f"grader {newer}", "system")
    assert rejudge.begin(desk.session, row.id, "let us see", "operator", NOW) == 12
