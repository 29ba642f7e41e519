"""What answers took and how they came, and how fast accepted programs are beside the fastest reference program."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Integer, case, cast, func, select

from app.db.kernel.session import Session
from app.db.tables import Problem, ProblemVersion, Proof, Sample, TestSet, VerdictRow
from app.domain.asking.protocols import CHOSEN
from app.domain.judging.verdicts import Verdict
from app.domain.states import ProblemState

TIMES: Final = "times"  # in a proof's detail, by language: `app.domain.judging.speed.Timed`


class AnswerFacts(NamedTuple):
    """All answers of a run in sums; a sum over answers of which none says something is None."""

    answers: int
    input: int | None
    cached: int | None
    reasoning: int | None
    answer: int | None
    cost_usd: Decimal | None
    unpriced: int
    first_token_ms: float | None  # the median, of those that were streamed


@dataclass(frozen=True, slots=True)
class ServedAs:
    """What an endpoint called the model and its system in some answers."""

    model: str | None
    fingerprint: str | None
    answers: int


class UsageFact(NamedTuple):
    """Sums over a run's answers; None where an endpoint did not say for every one of them."""

    run: int
    problems: int
    answers: int
    input: int | None
    cached: int | None
    reasoning: int | None
    answer: int | None
    latency_ms: float | None
    cost_usd: Decimal | None
    formatted: int | None


def answer_facts(session: Session, run_id: int) -> AnswerFacts:
    """What the answers that were asked for took, whatever became of their texts and problems."""
    query = select(
        func.count(), func.sum(Sample.tokens_input), func.sum(Sample.tokens_cached), func.sum(Sample.tokens_reasoning),
        func.sum(Sample.tokens_answer), func.sum(Sample.cost_usd), func.count() - func.count(Sample.cost_usd),
        func.percentile_cont(0.5).within_group(Sample.first_token_ms),
    )  # fmt: skip
    return AnswerFacts(*session.execute(query.where(*_asked(run_id))).one())


def finish_reasons(session: Session, run_id: int) -> dict[str, int]:
    """How many answers ended for each reason, the commonest first."""
    number = func.count()
    query = select(Sample.finish_reason, number).where(*_asked(run_id), Sample.finish_reason.is_not(None))
    rows = session.execute(query.group_by(Sample.finish_reason).order_by(number.desc(), Sample.finish_reason))
    return {str(reason): count for reason, count in rows}


def served_as(session: Session, run_id: int, most: int) -> list[ServedAs]:
    """The names that came with answers, at most so many, the commonest first."""
    number, names = func.count(), (Sample.served_model, Sample.fingerprint)
    query = select(*names, number).where(*_asked(run_id)).group_by(*names).order_by(number.desc(), *names).limit(most)
    return [ServedAs(*row) for row in session.execute(query)]


def lags(session: Session, run_ids: Sequence[int]) -> dict[int, float]:
    """The median of the days from a problem's release to the answer, over all answers of each run."""
    days = func.extract("epoch", Sample.answered_at - Problem.released_on) / 86_400
    rows = session.execute(
        select(Sample.run_id, func.percentile_cont(0.5).within_group(days))
        .join(Problem, Problem.id == Sample.problem_id)
        .where(Sample.run_id.in_(run_ids), Sample.answered_at.is_not(None), Problem.released_on.is_not(None))
        .group_by(Sample.run_id)
    )
    return {row[0]: float(row[1]) for row in rows}


def beside(session: Session, run_ids: Sequence[int]) -> dict[int, float]:
    """The share of each run's verdicts that count for which some tests ran beside the program, in 0..1."""
    rows = session.execute(
        select(Sample.run_id, func.avg(cast(VerdictRow.in_process, Integer)))
        .join(VerdictRow, VerdictRow.sample_id == Sample.id)
        .where(Sample.run_id.in_(run_ids), VerdictRow.counts)
        .group_by(Sample.run_id)
    )
    return {row[0]: float(row[1]) for row in rows}


def usage(session: Session, run_ids: Sequence[int]) -> list[UsageFact]:
    """What the answers of these runs took, summed over all of them."""
    rows = session.execute(
        select(
            Sample.run_id,
            func.count(Sample.problem_id.distinct()),
            func.count(Sample.id),
            _sum_if_known(Sample.tokens_input),
            _sum_if_known(Sample.tokens_cached),
            _sum_if_known(Sample.tokens_reasoning),
            _sum_if_known(Sample.tokens_answer),
            _sum_if_known(Sample.latency_ms),
            _sum_if_known(Sample.cost_usd),
            _sum_if_known(cast(Sample.followed_format, Integer)),
        )
        .where(Sample.run_id.in_(run_ids), Sample.answered_at.is_not(None))
        .group_by(Sample.run_id)
    ).all()
    return [UsageFact(*row) for row in rows]


def _sum_if_known(column: Any) -> Any:
    # A sum over some of the answers would understate what the run took.
    return case((func.count(column) == func.count(Sample.id), func.sum(column)))


def _asked(run_id: int) -> tuple[ColumnElement[bool], ...]:
    return Sample.run_id == run_id, Sample.answered_at.is_not(None)


def languages_chosen(session: Session, run_ids: Sequence[int]) -> dict[int, dict[str, int]]:
    """How many answers of each run chose each language; runs whose protocol names one are not there."""
    chosen = Sample.provenance[CHOSEN].astext
    rows = session.execute(
        select(Sample.run_id, chosen, func.count(Sample.id))
        .where(Sample.run_id.in_(run_ids), Sample.answered_at.is_not(None), chosen.is_not(None))
        .group_by(Sample.run_id, chosen)
        .order_by(Sample.run_id, chosen)
    )
    counts: dict[int, dict[str, int]] = {}
    for run_id, language, answers in rows:
        counts.setdefault(run_id, {})[language] = answers
    return counts


class SpeedFact(NamedTuple):
    """CPU milliseconds on each problem that both sides are known for: the reference's, the median accepted answer's."""

    run: int
    reference: Sequence[float]
    own: Sequence[float]


def speeds(session: Session, run_ids: Sequence[int], language: str) -> list[SpeedFact]:
    """Of each run, the published problems it solved with the tests, the judge and the limits of the reference's proof.

    Only what counts into cells counts here: the text in use, the current tests, no verdict a program could forge.
    """
    timed = TestSet.proof_detail[(TIMES, language)]
    reference = timed["cpu_ms"].as_float()
    solved = (
        select(
            Sample.run_id,
            reference.label("reference"),
            func.percentile_cont(0.5).within_group(VerdictRow.cpu_ms).label("own"),
        )
        .join(Problem, Problem.id == Sample.problem_id)
        .join(TestSet, TestSet.id == Problem.current_test_set_id)
        .join(VerdictRow, (VerdictRow.sample_id == Sample.id) & (VerdictRow.test_set_id == TestSet.id))
        .join(ProblemVersion, ProblemVersion.id == Sample.problem_version_id)
        .where(
            Sample.run_id.in_(run_ids),
            Problem.state == ProblemState.PUBLISHED,
            Problem.canary.is_(False),
            TestSet.proof == Proof.PROVEN,
            reference > 0,
            timed["grader_revision"].as_string() == VerdictRow.grader_revision,
            timed["limit_mode"].as_string() == VerdictRow.limit_mode,
            VerdictRow.counts,
            VerdictRow.verdict == Verdict.ACCEPTED,
            VerdictRow.in_process.is_(False),
            ProblemVersion.in_use,
        )
        .group_by(Sample.run_id, Sample.problem_id, TestSet.id)
        .subquery()
    )
    rows = session.execute(
        select(solved.c.run_id, func.array_agg(solved.c.reference), func.array_agg(solved.c.own)).group_by(
            solved.c.run_id
        )
    )
    return [SpeedFact(*row) for row in rows]
