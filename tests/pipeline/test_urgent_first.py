"""Vendors' orders are asked before fresh problems, those before the rest, and nobody waits for ever because of it."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta

from pipeline.flow import LEASE, NOW, VAULT, completion, offer
from sqlalchemy import select, update
from support.batches import batch, problem

from app.db.kernel.session import Session
from app.db.tables import Endpoint, Model, Organisation, Problem, Run, Sample, Submission
from app.domain.asking.completions import AnsweredSample
from app.domain.asking.protocols import HOUSE
from app.domain.asking.urgency import FRESH_FOR, FULL_URGENCY_AFTER, Urgency
from app.domain.states import SampleState, SubmissionState
from app.services.runs import imports, inference, plan

SLOTS = 8
OLD = NOW - FRESH_FOR - timedelta(days=1)
MINUTE = timedelta(minutes=1)


def standing(session: Session, *slugs: str, problems: int = 1, samples: int = 1) -> None:
    """A model of an organisation of its own for each slug, on problems that came out long ago."""
    imports.store_batch(session, batch(*(problem(number) for number in range(problems))), NOW)
    session.execute(update(Problem).values(released_on=OLD))
    offers = [replace(offer(slug), model=replace(offer(slug).model, organisation=slug[0].upper())) for slug in slugs]
    protocol = replace(HOUSE, slug="many", sampling=replace(HOUSE.sampling, n=samples))
    plan.register_demo(session, tuple(offers), protocol, NOW)
    plan.plan_samples(session, NOW)


def ordered(session: Session, slug: str, state: SubmissionState = SubmissionState.GENERATING) -> None:
    """The run of a model is an order's."""
    run = session.scalars(select(Run).join(Model, Model.id == Run.model_id).where(Model.slug == slug)).one()
    vendor = Organisation(slug=f"vendor-{slug}-{state}", name="Vendor")
    session.add(vendor)
    session.flush()
    session.add(
        Submission(
            public_id=f"{slug}-{state}", organisation_id=vendor.id, run_id=run.id, endpoint_id=run.endpoint_id,
            protocol_id=run.protocol_id, continuous=False, visibility="private", state=state, state_since=NOW,
            owner="us", created_at=NOW,
        )
    )  # fmt: skip
    session.flush()


def fresh(session: Session, slugs: Iterable[str]) -> None:
    """A new problem, planned for these models alone."""
    imports.store_batch(session, batch(problem(9)), NOW)
    new = Problem.external_id == "sum-9"
    session.execute(update(Problem).where(new).values(released_on=NOW - timedelta(days=1)))
    plan.plan_samples(session, NOW)
    others = select(Run.id).join(Model, Model.id == Run.model_id).where(Model.slug.not_in(list(slugs)))
    newest = select(Problem.id).where(new).scalar_subquery()
    elsewhere = update(Sample).where(Sample.run_id.in_(others), Sample.problem_id == newest)
    session.execute(elsewhere.values(state=SampleState.GAVE_UP))


def turns(session: Session, now: datetime = NOW, slots: int = SLOTS) -> list[str]:
    """Whose turns come, one after the other, while all hold what they got."""
    slugs = dict(session.execute(select(Endpoint.id, Model.slug).join(Model, Model.id == Endpoint.model_id)).all())
    taken = iter(lambda: inference.open_next_slice(session, now, LEASE, VAULT, slots), None)
    return [slugs[work.endpoint.id] for work in taken]


def test_orders_come_before_fresh_problems_and_those_before_the_rest(session: Session) -> None:
    standing(session, "a", "b", "c", "d")
    fresh(session, ["c"])
    ordered(session, "d")
    assert turns(session) == ["d", "c", "a", "b"]


def test_an_order_that_has_ended_and_a_problem_of_two_weeks_ago_are_not_urgent(session: Session) -> None:
    standing(session, "a", "c", "d")
    fresh(session, ["c"])
    for state, days, first in (
        (SubmissionState.JUDGING, 1, "d"),
        (SubmissionState.PUBLISHED, 1, "c"),
        (SubmissionState.CANCELLED, 1, "c"),
        (SubmissionState.PUBLISHED, 13.9, "c"),
        (SubmissionState.PUBLISHED, 14.1, "a"),
    ):
        with session.begin_nested() as case:
            came = update(Problem).where(Problem.external_id == "sum-9")
            session.execute(came.values(released_on=NOW - timedelta(days=days)))
            ordered(session, "d", state)
            assert turns(session)[0] == first, (state, days)
            case.rollback()


def test_who_waits_becomes_as_urgent_as_any_within_ten_minutes(session: Session) -> None:
    """An order that comes again and again is served before the one who waits; after the bound that is over."""
    standing(session, "a", "z", samples=16)
    ordered(session, "z")
    session.execute(update(Endpoint).values(trusted=False, served_at=NOW - MINUTE))
    served, minutes = [], 0
    while "a" not in served:
        now = NOW + minutes * MINUTE
        plan.sweep(session, now)
        work = inference.open_next_slice(session, now, LEASE, VAULT, 1)
        assert work is not None
        slug = session.scalar(select(Model.slug).join(Endpoint).where(Endpoint.id == work.endpoint.id))
        served.append(slug)
        first = next(iter(work.requests))
        inference.record_all(session, work, [AnsweredSample(first, completion("x"))], now)
        session.execute(update(Sample).where(Sample.state == "inferring").values(state="pending", lease_token=None))
        session.execute(update(Sample).values(inference_attempts=0))
        inference.close_slice(session, work, now)
        minutes += 1
    assert served == ["z"] * 10 + ["a"]
    assert minutes - 1 == FULL_URGENCY_AFTER / MINUTE
    plan.sweep(session, NOW + minutes * MINUTE)
    again = session.scalar(select(Endpoint.due_since).join(Model).where(Model.slug == "a"))
    assert again == NOW + minutes * MINUTE, "its wait begins anew"


def test_who_has_nothing_to_do_does_not_wait(session: Session) -> None:
    standing(session, "a")
    plan.sweep(session, NOW)
    assert session.scalar(select(Endpoint.due_since)) == NOW
    plan.sweep(session, NOW + MINUTE)
    assert session.scalar(select(Endpoint.due_since)) == NOW
    session.execute(update(Run).values(state="paused"))
    plan.sweep(session, NOW + 2 * MINUTE)
    assert session.scalar(select(Endpoint.due_since)) is None


def test_an_organisation_is_first_by_its_orders_on_a_quarter_of_the_threads(session: Session) -> None:
    standing(session, "a1", "a2", "a3", "a4", "b1")
    for slug in ("a1", "a2", "a3", "a4"):
        ordered(session, slug)
    assert turns(session) == ["a1", "a2", "b1", "a3", "a4"]


def test_a_slice_takes_the_urgent_first_and_keeps_a_quarter_for_what_was_planned_first(session: Session) -> None:
    standing(session, "a", samples=60)
    fresh(session, ["a"])
    session.execute(update(Endpoint).values(trusted=False))
    work = inference.open_next_slice(session, NOW, LEASE, VAULT, SLOTS)
    assert work is not None
    released = dict(session.execute(select(Sample.id, Problem.released_on).join(Problem)).all())
    asked = [released[sample] != OLD for sample in work.requests]
    most = inference.FIRST_SLICE_SAMPLES * 3 // 4
    assert asked == [True] * most + [False] * (inference.FIRST_SLICE_SAMPLES - most)
    oldest = sorted(sample for sample, day in released.items() if day == OLD)
    assert list(work.requests)[most:] == oldest[: inference.FIRST_SLICE_SAMPLES - most]


def test_the_most_urgent_is_the_least_number() -> None:
    assert sorted(Urgency) == [Urgency.ORDERED, Urgency.FRESH, Urgency.BACKFILL]
