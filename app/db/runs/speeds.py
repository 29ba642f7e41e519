"""Usage and timing of answers, and the speed of accepted programs relative to the fastest reference."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Integer, case, cast, func, select

from app.db.kernel.session import Session
from app.db.tables import Problem, ProblemVersion, ProofState, Sample, TestSet, VerdictRow
from app.domain.asking.completions import Usage
from app.domain.asking.protocols import CHOSEN_LANGUAGE_KEY
from app.domain.judging.verdicts import Verdict
from app.domain.states import ProblemState

TIMES: Final = "times"  # in a proof's detail, by language: `app.domain.judging.speed.ReferenceTime`


class AnswerFacts(NamedTuple):
    """Totals over all answers of a run; None if no answer has a value."""

    answers: int
    tokens: Usage
    cost_usd: Decimal | None
    unpriced: int
    first_token_ms: float | None  # the median of streamed answers


@dataclass(frozen=True, slots=True)
class ServedName:
    """An endpoint's names for model and system in some answers."""

    model: str | None
    fingerprint: str | None
    answers: int


class UsageFact(NamedTuple):
    """Totals over a run's answers; None unless every answer has a value."""

    run: int
    problems: int
    answers: int
    tokens: Usage
    latency_ms: float | None
    cost_usd: Decimal | None
    formatted: int | None


def answer_facts(session: Session, run_id: int) -> AnswerFacts:
    """Return the totals over a run's answers, whatever became of their texts and problems."""
    query = select(
        func.count(), func.sum(Sample.tokens_input), func.sum(Sample.tokens_cached), func.sum(Sample.tokens_reasoning),
        func.sum(Sample.tokens_answer), func.sum(Sample.cost_usd), func.count() - func.count(Sample.cost_usd),
        func.percentile_cont(0.5).within_group(Sample.first_token_ms),
    )  # fmt: skip
    answers, *tokens, cost_usd, unpriced, first_token_ms = session.execute(query.where(*_is_answered(run_id))).one()
    return AnswerFacts(answers, Usage(*tokens), cost_usd, unpriced, first_token_ms)


def finish_reasons(session: Session, run_id: int) -> dict[str, int]:
    """Return the number of answers by finish reason, the most common first."""
    number = func.count()
    query = select(Sample.finish_reason, number).where(*_is_answered(run_id), Sample.finish_reason.is_not(None))
    rows = session.execute(query.group_by(Sample.finish_reason).order_by(number.desc(), Sample.finish_reason))
    return {str(reason): count for reason, count in rows}


def served_names(session: Session, run_id: int, most: int) -> list[ServedName]:
    """Return at most `most` names that came with answers, the most common first."""
    number, names = func.count(), (Sample.served_model, Sample.fingerprint)
    query = (
        select(*names, number).where(*_is_answered(run_id)).group_by(*names).order_by(number.desc(), *names).limit(most)
    )
    return [ServedName(*row) for row in session.execute(query)]


def lags(session: Session, run_ids: Sequence[int]) -> dict[int, float]:
    """Return by run the median number of days from a problem's release to the answer."""
    days = func.extract("epoch", Sample.answered_at - Problem.released_on) / 86_400
    rows = session.execute(
        select(Sample.run_id, func.percentile_cont(0.5).within_group(days))
        .join(Problem, Problem.id == Sample.problem_id)
        .where(Sample.run_id.in_(run_ids), Sample.answered_at.is_not(None), Problem.released_on.is_not(None))
        .group_by(Sample.run_id)
    )
    return {row[0]: float(row[1]) for row in rows}


def in_process_shares(session: Session, run_ids: Sequence[int]) -> dict[int, float]:
    """Return the share in 0..1 of each run's counting verdicts for which some tests ran beside the program."""
    rows = session.execute(
        select(Sample.run_id, func.avg(cast(VerdictRow.in_process, Integer)))
        .join(VerdictRow, VerdictRow.sample_id == Sample.id)
        .where(Sample.run_id.in_(run_ids), VerdictRow.counts)
        .group_by(Sample.run_id)
    )
    return {row[0]: float(row[1]) for row in rows}


def usage(session: Session, run_ids: Sequence[int]) -> list[UsageFact]:
    """Return the totals over the answers of each of these runs."""
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
    return [
        UsageFact(run, problems, answers, Usage(*tokens), latency_ms, cost_usd, formatted)
        for run, problems, answers, *tokens, latency_ms, cost_usd, formatted in rows
    ]


def _sum_if_known(column: Any) -> Any:
    # A sum over some of the answers would understate what the run took.
    return case((func.count(column) == func.count(Sample.id), func.sum(column)))


def _is_answered(run_id: int) -> tuple[ColumnElement[bool], ...]:
    return Sample.run_id == run_id, Sample.answered_at.is_not(None)


def languages_chosen(session: Session, run_ids: Sequence[int]) -> dict[int, dict[str, int]]:
    """Return the number of answers by chosen language and run, without runs of a fixed language."""
    chosen = Sample.provenance[CHOSEN_LANGUAGE_KEY].astext
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
    """CPU milliseconds by problem with both values: the reference's, and the median accepted answer's."""

    run: int
    reference: Sequence[float]
    own: Sequence[float]


def speeds(session: Session, run_ids: Sequence[int], language: str) -> list[SpeedFact]:
    """Return each run's solved problems with the same tests, judge and limits as the reference's proof.

    The same rules hold as for cells: the text in use, the current tests, and no verdict that a program could forge.
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
            TestSet.proof == ProofState.PROVEN,
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
