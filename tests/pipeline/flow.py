"""Moves through the pipeline without endpoint or judge: claims and records as the tasks do."""

from datetime import UTC, date, datetime, timedelta

import pytest
from support.batches import batch, problem

from app.db.kernel.session import Session
from app.db.runs import due_work
from app.db.runs import runs as run_store
from app.domain.asking.completions import AnsweredSample, Completion, FinishReason, Usage
from app.domain.asking.protocols import HOUSE, Protocol
from app.domain.cutoffs import SHIPPED_EVIDENCE
from app.domain.imports import ImportedModel
from app.domain.judging.verdicts import GradeResult, LimitMode, TestOutcome, Verdict
from app.services.runs import cell_updates, grade, imports, inference, plan
from app.services.runs.endpoint_secrets import Vault, new_key

NOW = datetime(2026, 11, 1, 9, tzinfo=UTC)
LEASE = timedelta(minutes=2)
LANGUAGES = ("python",)
VAULT = Vault(new_key())


def offer(slug: str, *configurations: dict[str, str]) -> plan.BundledModel:
    """A demo model, trained before every problem."""
    model = ImportedModel(slug, slug.title(), "Demo", None, date(2025, 6, 30), SHIPPED_EVIDENCE)
    return plan.BundledModel(model, "http://127.0.0.1:9/v1", configurations or ({},))


def standing(session: Session, *slugs: str, protocol: Protocol = HOUSE) -> None:
    """Models with a standing run each, planned over what is published."""
    plan.register_demo(session, tuple(offer(slug) for slug in slugs), protocol, NOW)
    plan.plan_samples(session, NOW)


def prepared(session: Session, problems: int = 1) -> None:
    """So many problems that are wanted of a model."""
    imports.store_batch(session, batch(*(problem(number) for number in range(problems))), NOW)
    standing(session, "tern")


def completion(text: str) -> Completion:
    """A finished answer."""
    return Completion(text, "", FinishReason.STOP, Usage(10, 0, 0, 20), 12.5, "served", text.encode(errors="replace"))


def waiting(session: Session, now: datetime = NOW) -> list[int]:
    """Endpoints that somebody may ask now: a sweep says so too, and takes ten times as long."""
    return [each.id for each in due_work.due_endpoints(session, now) if not each.local]


def answer_all(session: Session, text: str = "```python\nprint(1)\n```", now: datetime = NOW) -> int:
    """Let every due sample be answered with `text`; returns how many were."""
    answered = 0
    for endpoint_id in waiting(session, now):
        work = inference.open_slice(session, endpoint_id, now, LEASE, VAULT)
        if work is not None:
            outcomes = [AnsweredSample(sample_id, completion(text)) for sample_id in work.requests]
            answered += inference.record_all(session, work, outcomes, now)
            inference.close_slice(session, work)
    return answered


def result(verdict: Verdict = Verdict.ACCEPTED, message: str = "") -> GradeResult:
    """A judge's answer over three tests."""
    accepted = verdict is Verdict.ACCEPTED
    outcome = TestOutcome(verdict, 1.5, 2.5, 9000)
    return GradeResult(verdict, 3 if accepted else 0, 3, (outcome,), LimitMode.RLIMIT, "1-test", message)


def judge_one(session: Session, verdict: Verdict = Verdict.ACCEPTED, now: datetime = NOW) -> bool:
    """Judge the next answer; False when there is none."""
    job = grade.claim(session, now, LEASE, LANGUAGES)
    return job is not None and grade.record(session, job, result(verdict), now)


def decided(job: grade.GradingJob) -> GradeResult:
    """The verdict on an answer for which nothing is run."""
    found = job.decide(lambda: pytest.fail("tests are not asked for"))
    assert isinstance(found, GradeResult)
    return found


def protocol_of(session: Session, protocol: Protocol) -> int:
    """The id of a protocol's row."""
    return run_store.ensure_protocol(session, protocol).id


def drain(session: Session) -> None:
    """Count what is judged."""
    while cell_updates.update_changed_cells(session):
        pass
    session.flush()


def a_house(session: Session) -> None:
    """Two models, one in two configurations, answering five problems with mixed luck."""
    imports.store_batch(session, batch(*(problem(number) for number in range(5))), NOW)
    plan.register_demo(session, (offer("alpha", {}, {"effort": "high"}), offer("beta")), HOUSE, NOW)
    plan.plan_samples(session, NOW)
    answer_all(session)
    verdicts = [Verdict.ACCEPTED, Verdict.WRONG_ANSWER, Verdict.ACCEPTED, Verdict.TIME_LIMIT]
    for turn in range(15):
        assert judge_one(session, verdicts[turn % 4])
    drain(session)
