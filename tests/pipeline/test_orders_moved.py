"""What moves an order and what does not: its endpoint, its answers, its clock, and the budget of its run."""

from dataclasses import dataclass, replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

from pipeline.flow import NOW, answer_all, judge_one
from sqlalchemy import select
from support.batches import START, batch, problem
from support.vendors import pass_probe

from app.db.kernel import revision
from app.db.kernel.session import Session
from app.db.runs import runs as run_store
from app.db.tables import Endpoint, LedgerEntry, Problem, Run, Sample, ScrapeRun, Source, Submission
from app.domain.asking.completions import FailureOwner
from app.domain.asking.retry_policy import MAX_SUBMISSION_WAIT
from app.domain.imports import ImportedModel, ImportedStatement
from app.domain.judging.verdicts import Verdict
from app.domain.reasons import text_reason
from app.domain.sources.kinds import SourceKind
from app.domain.states import ProblemState, RunState, SampleState, ScrapeState, SubmissionState
from app.services.runs import budgets, imports, plan
from app.services.runs.control import run_control
from app.services.runs.endpoint_secrets import Vault
from app.services.vendors import submissions
from app.services.vendors.submission_steps import advance_submissions
from app.services.vendors.submissions import DEADLINES, NewSubmission

WINDOW = {"window_start": START, "window_end": START + timedelta(days=30)}
WEEK = timedelta(days=7)


@dataclass
class Desk:
    """An order of a vendor's, moved as the sweep does."""

    session: Session
    organisation: int
    endpoint: Endpoint
    row: Submission

    @property
    def run(self) -> Run:
        return self.session.get_one(Run, self.row.run_id)

    def moved(self, after: timedelta = timedelta(), times: int = 1) -> tuple[str, str]:
        """Its state and who has the next step, as they are then."""
        for _each in range(times):
            advance_submissions(self.session, NOW + after)
        self.session.flush()
        self.session.expire_all()
        return self.row.state, self.row.owner

    def step(self) -> str:
        """What the API says comes next."""
        return submissions.get(self.session, self.organisation, self.row.public_id).next_step

    def asked(self) -> int:
        """Plan and answer what is wanted; how many answers that were."""
        plan.plan_samples(self.session, NOW)
        return answer_all(self.session)

    def judged(self, verdict: Verdict = Verdict.ACCEPTED) -> None:
        while judge_one(self.session, verdict):
            pass

    def stop(self) -> None:
        self.endpoint.stopped_at, self.endpoint.stopped_reason = NOW, text_reason("the key was refused")
        self.session.flush()

    def another_text(self) -> None:
        """The first problem is to be asked anew."""
        text = {"en": ImportedStatement("Sum 0", "Another text.")}
        imports.store_batch(self.session, batch(replace(problem(0), statements=text)), NOW)
        plan.plan_samples(self.session, NOW)

    def told(self) -> list[str]:
        """What the public ledger says of its model since it was registered."""
        rows = self.session.scalars(select(LedgerEntry).where(LedgerEntry.subject == "orion").order_by(LedgerEntry.id))
        return [row.kind for row in rows if row.kind != "order.registered"]


def ordered(session: Session, count: int = 1, **fields: Any) -> Desk:
    """An order over so many problems, whose run is under way."""
    imports.store_batch(session, batch(*(problem(number) for number in range(count))), NOW)
    acme = run_store.ensure_organisation(session, "acme", "Acme").id
    model = run_store.add_model(session, ImportedModel("orion", "Orion", "Acme"), NOW, acme)
    assert model is not None
    where = {"backend": "openai_chat", "remote_name": "orion", "base_url": "https://93.184.216.34/v1",
             "max_concurrency": 4, "trusted": True}  # fmt: skip
    endpoint = run_store.ensure_endpoint(session, model.id, where)
    new = NewSubmission(endpoint.id, "house", {}, **{**WINDOW, **fields})
    made = submissions.submit(session, acme, new, NOW, lambda *_: None)
    pass_probe(session, made.id, Vault(None), NOW)
    desk = Desk(
        session, acme, endpoint, session.scalars(select(Submission).where(Submission.public_id == made.id)).one()
    )
    assert desk.moved() == ("generating", "us")
    return desk


def test_each_step_has_its_time_and_the_last_one_says_that_the_board_has_other_rows(session: Session) -> None:
    desk = ordered(session, 4, window_start=START + WEEK, window_end=START + 3 * WEEK)
    assert desk.row.state_deadline == NOW + timedelta(days=7)
    desk.row.state_reason = "a fault of ours was logged: KeyError"
    assert desk.moved() == ("generating", "us"), "nothing is asked yet"
    assert desk.row.state_reason == "no problem of its window is here yet", "that fault is over"
    assert desk.asked() == 2, "its window is its run's"
    assert desk.moved() == ("judging", "us")
    assert desk.row.state_deadline == NOW + timedelta(days=2)
    desk.judged()
    axes = revision.current(session)[1]
    assert desk.moved() == ("published", "us")
    assert [desk.row.state_deadline, desk.run.public, desk.told()] == [None, True, ["model.added"]]
    assert revision.current(session)[1] > axes


def test_an_endpoint_that_stops_when_all_is_answered_holds_nothing_up(session: Session) -> None:
    desk = ordered(session)
    desk.asked()
    desk.moved()
    desk.judged()
    desk.stop()
    assert desk.moved() == ("published", "us")


def test_an_embargo_ends_by_itself_whatever_the_endpoint_says(session: Session) -> None:
    desk = ordered(session, 2, embargo_until=NOW + WEEK)
    desk.asked()
    desk.moved()
    desk.judged()
    assert desk.moved() == ("embargoed", "us")
    desk.another_text()
    desk.stop()
    assert desk.moved() == ("embargoed", "us")
    assert desk.row.state_deadline is None
    assert desk.moved(WEEK) == ("published", "us")


def test_an_order_with_an_answer_waits_for_its_vendor_without_end(session: Session) -> None:
    desk = ordered(session, 2)
    desk.asked()
    desk.another_text()
    desk.stop()
    assert desk.moved() == ("stalled", "vendor")
    assert desk.row.state_deadline is None
    assert desk.moved(2 * MAX_SUBMISSION_WAIT) == ("stalled", "vendor")
    assert desk.row.state_reason == text_reason("the key was refused"), "its vendor still reads why"


def test_what_waits_for_us_fails_by_no_patience_and_goes_on_when_all_has_come(session: Session) -> None:
    desk = ordered(session)
    plan.plan_samples(session, NOW)
    late = DEADLINES[SubmissionState.GENERATING]
    assert desk.moved(late - timedelta(seconds=1)) == ("generating", "us")
    assert desk.moved(late) == ("stalled", "us")
    assert desk.moved(late + 2 * MAX_SUBMISSION_WAIT) == ("stalled", "us")
    desk.asked()
    assert desk.moved(late) == ("stalled", "us"), "nothing is judged yet"
    desk.judged()
    assert desk.moved(late, 4) == ("published", "us")


def test_a_window_in_which_nothing_came_out_is_done_when_nothing_can_come(session: Session) -> None:
    """While a problem waits to be published, or its site was not visited since, it is not done."""
    desk = ordered(session, window_start=START - 2 * WEEK, window_end=START - WEEK)
    first = session.scalars(select(Problem).order_by(Problem.id)).first()
    assert first is not None
    first.state, first.hold_reason, first.released_on = ProblemState.HELD, "no tests", START - 2 * WEEK
    source = session.get_one(Source, first.source_id)
    source.kind = SourceKind.SITE
    visit = ScrapeRun(source_id=source.id, state=ScrapeState.SUCCEEDED, started_at=NOW)
    assert desk.asked() == 0
    assert desk.moved() == ("generating", "us")
    session.add(visit)
    assert desk.moved() == ("generating", "us")
    late = session.begin_nested()
    assert desk.moved(timedelta(days=8)) == ("stalled", "us")
    assert desk.moved(timedelta(days=9)) == ("stalled", "us")
    first.state, first.hold_reason = ProblemState.WITHDRAWN, None
    assert desk.moved(timedelta(days=9)) == ("failed", "vendor")
    late.rollback()
    first.state, first.hold_reason = ProblemState.WITHDRAWN, None
    with session.begin_nested() as unvisited:
        visit.started_at = START - WEEK - timedelta(seconds=1)
        assert desk.moved() == ("generating", "us")
        unvisited.rollback()
    assert desk.moved() == ("failed", "vendor")
    assert desk.row.state_reason == "no problem that its protocol covers came out in its window"


def test_an_order_of_which_our_judge_judged_nothing_fails_by_our_fault(session: Session) -> None:
    desk = ordered(session)
    desk.asked()
    sample = session.scalars(select(Sample)).one()
    sample.state = "stuck"
    assert desk.moved(times=2) == ("failed", "us")
    assert desk.row.state_reason == "no answer was judged"
    progress = submissions.get(session, desk.organisation, desk.row.public_id).progress
    assert progress is not None
    assert (progress.failed_ours, progress.failed_vendor) == (1, 0)


def test_a_budget_of_ours_pauses_an_order_in_our_name(session: Session) -> None:
    desk = ordered(session)
    plan.plan_samples(session, NOW)
    desk.run.state, desk.run.needs_usd = RunState.PAUSED, Decimal("0.5")
    session.flush()
    assert desk.moved(times=2) == ("paused", "us")
    assert desk.moved(2 * MAX_SUBMISSION_WAIT) == ("paused", "us"), "no vendor was waited for"
    submissions.set_budget(session, desk.organisation, desk.row.public_id, None, NOW)
    assert budgets.budgets_of_run(session, desk.run.id, NOW) == [], "there was none to lift"


def test_an_embargoed_order_that_fails_is_told_to_nobody(session: Session) -> None:
    desk = ordered(session, embargo_until=NOW + 2 * MAX_SUBMISSION_WAIT)
    desk.stop()
    assert desk.moved() == ("stalled", "vendor")
    assert desk.moved(MAX_SUBMISSION_WAIT) == ("failed", "vendor")
    assert desk.told() == []


def test_what_a_cancelled_order_answered_is_shown_once_if_its_vendor_would_have_shown_it(session: Session) -> None:
    for how, fields in (
        ("", {}), ("cancelled", {}), ("voided", {}), ("unanswered", {}), ("unsent", {}),
        ("private", {"public": False}), ("embargo", {"embargo_until": NOW + WEEK}),
    ):  # fmt: skip
        with session.begin_nested() as case:
            is_cancelled(ordered(session, **fields), how)
            case.rollback()


def is_cancelled(desk: Desk, how: str) -> None:
    """An order that is not shown for the reason `how`, if there is one."""
    session = desk.session
    if how != "unanswered":
        assert desk.asked() == 1
    submissions.cancel(session, desk.organisation, desk.row.public_id, NOW)
    if how == "cancelled":
        run_control.cancel(session, desk.run.id, "it attacks the judge", NOW)
    if how == "voided":
        desk.run.voided_at = NOW
    if how == "unsent":  # by what was before sendings were written down: it has no place
        desk.run.bound_at = None
    session.flush()
    assert desk.moved(times=2) == ("cancelled", "us"), how
    assert (desk.run.public, desk.told()) == ((False, []) if how else (True, ["model.added"])), how
    known = revision.current(session)
    desk.moved()
    assert revision.current(session) == known, f"{how}: no board is made anew for it every minute"
    if how == "embargo":
        desk.moved(WEEK)
        assert (desk.run.public, desk.told()) == (True, ["model.added"])


def test_a_continuous_order_on_the_board_may_be_given_another_budget(session: Session) -> None:
    desk = ordered(session, window_start=None, window_end=None, continuous=True)
    desk.run.window_start = START
    desk.asked()
    desk.moved()
    desk.judged()
    assert desk.moved() == ("published", "us")
    assert desk.run.state == "active", "it is asked what comes"
    submissions.set_budget(session, desk.organisation, desk.row.public_id, Decimal(5), NOW)
    assert [line.usd for line in budgets.budgets_of_run(session, desk.run.id, NOW)] == [Decimal(5)]


def test_an_order_is_in_the_public_ledger_before_its_first_prompt(session: Session) -> None:
    """Whatever comes of it; of one that nobody may know of, only that it is there."""
    lines = select(LedgerEntry).where(LedgerEntry.kind == "order.registered").order_by(LedgerEntry.id)
    each: tuple[dict[str, Any], ...] = ({}, {"public": False}, {"embargo_until": NOW + WEEK})
    for number, fields in enumerate(each):
        with session.begin_nested() as case:
            desk = ordered(session, **fields)
            line = session.scalars(lines).one()
            assert desk.run.sent_at is None
            if number:
                assert (line.subject, line.reason, line.before, line.after) == ("unnamed", "", None, None)
            else:
                assert (line.subject, line.reason) == ("orion", f"submission {desk.row.public_id}")
                assert line.after is not None
                assert line.after["protocol"] == "house"
                assert line.after["to"] == WINDOW["window_end"].isoformat()
            case.rollback()


def test_a_window_that_ends_later_publishes_what_is_judged_and_goes_on(session: Session) -> None:
    """Its run asks until the window is past, then it is done."""
    desk = ordered(session, window_end=NOW + 2 * WEEK)
    desk.asked()
    assert desk.moved() == ("judging", "us")
    desk.judged()
    assert desk.moved() == ("published", "us")
    assert (desk.run.public, desk.run.state) == (True, RunState.ACTIVE)
    imports.store_batch(session, batch(problem(1)), NOW)
    assert desk.asked() == 1, "the next problem of its window"
    desk.judged()
    desk.moved(WEEK)
    assert desk.run.state == RunState.ACTIVE
    desk.moved(2 * WEEK)
    assert (desk.run.state, desk.run.state_reason) == (RunState.PAUSED, "its window was ordered and is done")
    assert desk.row.state == "published"


def test_an_order_says_within_a_minute_what_its_endpoint_does(session: Session) -> None:
    """Hanging, failing, and at work again: whose turn it is, why, and what comes next."""
    desk, minute = ordered(session, 2), timedelta(minutes=1)
    plan.plan_samples(session, NOW)
    first, second = session.scalars(select(Sample).order_by(Sample.id))
    for sample in (first, second):
        sample.state, sample.first_tried_at = SampleState.INFERRING, NOW
    session.flush()
    assert desk.moved(minute / 2) == ("generating", "us")
    assert desk.moved(minute) == ("generating", "vendor")
    assert str(desk.row.state_reason).startswith("the endpoint has not answered yet; requests under way: 2, the first")
    assert desk.step() == "see that your endpoint answers: what it failed is tried again by itself"
    first, second = session.scalars(select(Sample).order_by(Sample.id))
    for sample in (first, second):
        sample.state, sample.own_failures = SampleState.PENDING, 1
        sample.error, sample.error_owner = text_reason("answered 500"), FailureOwner.VENDOR
    session.flush()
    assert desk.moved(2 * minute) == ("generating", "vendor")
    assert desk.row.state_reason == "the endpoint fails requests, which are tried again; so far 2: answered 500"
    late = DEADLINES[SubmissionState.GENERATING]
    with session.begin_nested() as overdue:
        assert desk.moved(late, times=2) == ("stalled", "vendor"), "it is not our fault"
        assert desk.row.state_deadline == NOW + late + MAX_SUBMISSION_WAIT
        assert desk.step() == "mend your endpoint, then register it again: the submission goes on by itself"
        overdue.rollback()
    assert desk.asked() == 2
    assert desk.moved(2 * minute) == ("judging", "us")
    assert desk.step() == "nothing for you to do: it goes on by itself"


def test_an_order_says_that_nothing_is_judged(session: Session) -> None:
    desk = ordered(session)
    desk.asked()
    assert desk.moved(times=2) == ("judging", "us")
    assert desk.row.state_reason == "nothing is judged: no judge has reported yet"
    desk.judged()
    assert desk.moved() == ("published", "us")
    assert [desk.row.state_reason, desk.step()] == [None, "nothing: it has ended"]
