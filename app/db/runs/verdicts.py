"""Verdicts: added, never overwritten; at most one counts per answer and test set."""

from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import func, select, update
from sqlalchemy.dialects.postgresql import insert

from app.db.kernel.session import Session
from app.db.tables import Problem, Source, VerdictRow
from app.domain.judging.verdicts import GradeResult, LimitMode, TestOutcome, Verdict


def add(session: Session, sample_id: int, test_set_id: int, result: GradeResult, now: datetime) -> None:
    """Add a counting verdict; an older one of the same answer and tests stops counting."""
    session.execute(
        update(VerdictRow)
        .where(VerdictRow.sample_id == sample_id, VerdictRow.test_set_id == test_set_id, VerdictRow.counts)
        .values(counts=False)
    )
    session.execute(
        insert(VerdictRow)
        .values(
            **_verdict_values(sample_id, test_set_id, result, now),
            counts=True,
        )
        .on_conflict_do_update(
            index_elements=["sample_id", "test_set_id", "grader_revision", "rejudging_id"], set_={"counts": True}
        )
    )


def add_rejudged(
    session: Session, sample_id: int, test_set_id: int, result: GradeResult, now: datetime, rejudging_id: int
) -> int:
    """Add the verdict of a rejudging, which does not count before the commit, and return its id."""
    facts = _verdict_values(sample_id, test_set_id, result, now)
    statement = insert(VerdictRow).values(**facts, rejudging_id=rejudging_id, counts=False).returning(VerdictRow.id)
    return int(session.execute(statement).scalar_one())


def counting_result(session: Session, sample_id: int, test_set_id: int) -> GradeResult | None:
    """Return the counting verdict on a sample under these tests."""
    row = session.scalar(
        select(VerdictRow).where(
            VerdictRow.sample_id == sample_id, VerdictRow.test_set_id == test_set_id, VerdictRow.counts
        )
    )
    if row is None:
        return None
    by_short = {verdict.short: verdict for verdict in Verdict}
    outcomes = tuple(TestOutcome(by_short[short], *usage) for short, *usage in row.outcomes)
    return GradeResult(
        Verdict(row.verdict), row.passed, row.total, outcomes, LimitMode(row.limit_mode), row.grader_revision,
        row.message, row.in_process, row.checker_failed, row.slowness, got=row.got,
    )  # fmt: skip


def _verdict_values(sample_id: int, test_set_id: int, result: GradeResult, now: datetime) -> dict[str, Any]:
    return {
        "sample_id": sample_id,
        "test_set_id": test_set_id,
        "grader_revision": result.grader_revision,
        "verdict": result.verdict,
        "passed": result.passed,
        "total": result.total,
        "cpu_ms": result.cpu_ms,
        "wall_ms": result.wall_ms,
        "memory_kb": result.memory_kb,
        "limit_mode": result.limit_mode,
        "slowness": result.slowness,
        "in_process": result.in_process,
        "checker_failed": result.checker_failed,
        "outcomes": [
            [
                test.verdict.short,
                round(test.cpu_ms, 1),
                round(test.wall_ms, 1),
                test.memory_kb,
                round(test.waited_ms, 1),
            ]
            for test in result.tests
        ],
        "message": result.message.replace("\0", "\N{REPLACEMENT CHARACTER}"),
        "got": None if result.got is None else result.got.replace("\0", "\N{REPLACEMENT CHARACTER}"),
        "judged_at": now,
    }


class CheckerFailures(NamedTuple):
    """A problem, and the number of its counting answers on which its checker failed."""

    source: str
    external_id: str
    answers: int


def checker_failures(session: Session) -> list[CheckerFailures]:
    """Return the problems whose checkers failed on answers that count under the tests in use."""
    rows = session.execute(
        select(Source.slug, Problem.external_id, func.count())
        .join(Problem, Problem.source_id == Source.id)
        .join(VerdictRow, VerdictRow.test_set_id == Problem.current_test_set_id)
        .where(VerdictRow.checker_failed, VerdictRow.counts)
        .group_by(Source.slug, Problem.external_id)
        .order_by(Source.slug, Problem.external_id)
    )
    return [CheckerFailures(*row) for row in rows]
