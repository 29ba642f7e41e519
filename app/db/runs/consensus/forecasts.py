"""Effort of making tests so far, and number of contests that sites have had: for forecasts."""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import distinct, func, select
from sqlalchemy.orm import aliased

from app.db.kernel.session import Session
from app.db.tables import ConsensusRow, Contest, Problem, Run, Sample, Setter, Source


class SetterSums(NamedTuple):
    """Sums over a setter's answers about problems whose tests were made or that are held."""

    problems: int
    calls: int
    tokens_input: int
    tokens_cached: int
    tokens_output: int


class ContestSums(NamedTuple):
    """Ended contests of a site with problems, the number of these problems, and when the first of them ended."""

    contests: int
    problems: int
    first_end: datetime


def setter_sums(session: Session) -> dict[str, SetterSums]:
    """Return the use of each setter by name, over every run of its model; setters without an answer are left out."""
    asked = aliased(Run)
    written = Sample.tokens_answer + func.coalesce(Sample.tokens_reasoning, 0)
    sums = (func.sum(Sample.requests), func.sum(Sample.tokens_input), func.sum(Sample.tokens_cached), func.sum(written))
    rows = session.execute(
        select(Setter.name, func.count(distinct(Sample.problem_version_id)), *(func.coalesce(each, 0) for each in sums))
        .join(asked, asked.id == Setter.run_id)
        .join(Run, Run.model_id == asked.model_id)
        .join(Sample, Sample.run_id == Run.id)
        .join(ConsensusRow, ConsensusRow.problem_version_id == Sample.problem_version_id)
        .where(ConsensusRow.ended_at.is_not(None), Sample.tokens_input.is_not(None), Sample.tokens_answer.is_not(None))
        .group_by(Setter.name)
    )
    return {row[0]: SetterSums(*(int(number) for number in row[1:])) for row in rows}


def judging_seconds(session: Session) -> tuple[int, float]:
    """Return on how many problems suites were computed to an end, and the seconds of judging that took in all."""
    row = session.execute(
        select(func.count(), func.coalesce(func.sum(ConsensusRow.judge_s), 0.0)).where(
            ConsensusRow.ended_at.is_not(None), ConsensusRow.judge_s > 0
        )
    ).one()
    return int(row[0]), float(row[1])


def contest_sums(session: Session, since: datetime, until: datetime) -> dict[str, ContestSums]:
    """Return the contests of each source that ended in a period and have problems here."""
    rows = session.execute(
        select(Source.slug, func.count(distinct(Contest.id)), func.count(Problem.id), func.min(Contest.ends_at))
        .join(Contest, Contest.source_id == Source.id)
        .join(Problem, Problem.contest_id == Contest.id)
        .where(Contest.ends_at > since, Contest.ends_at <= until)
        .group_by(Source.slug)
    )
    return {row[0]: ContestSums(row[1], row[2], row[3] or until) for row in rows}
