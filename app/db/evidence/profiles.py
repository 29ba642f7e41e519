"""Facts of a model's and a problem's page over all protocols, each in one query."""

from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import and_, func, select

from app.db.boards.cells import ProtocolFact
from app.db.kernel.session import Session
from app.db.runs.runs import is_ranked, read_protocol
from app.db.tables import CellRow, Problem, ProtocolRow, Run, Sample, VerdictRow
from app.domain.states import ProblemState


class PublicRunLine(NamedTuple):
    """A public run of a model: its protocol, configuration, trial and state, and when it was declared void, if ever."""

    id: int
    protocol_id: int
    configuration: dict[str, object]
    trial: int
    state: str
    voided_at: datetime | None


class RateCount(NamedTuple):
    """The number of problems of which a run has `c` of `n` answers accepted."""

    run: int
    n: int
    c: int
    problems: int


class ProtocolResult(NamedTuple):
    """Answers to one problem under one protocol: runs, judged and accepted answers."""

    protocol: ProtocolFact
    runs: int
    n: int
    c: int


class FirstAnswer(NamedTuple):
    """One answer of a run to a problem, and how many there are."""

    sample_id: int
    answers: int


def protocols_of_model(session: Session, model_id: int) -> list[ProtocolFact]:
    """Return the ranked protocols under which a model has a public run, oldest first."""
    own = select(Run.protocol_id).where(Run.model_id == model_id, Run.public)
    rows = session.scalars(select(ProtocolRow).where(ProtocolRow.id.in_(own), is_ranked()).order_by(ProtocolRow.id))
    return [_fact(row) for row in rows]


def _fact(row: ProtocolRow) -> ProtocolFact:
    return ProtocolFact(row.id, row.slug, row.title, read_protocol(row.body))


def public_runs(session: Session, model_id: int) -> list[PublicRunLine]:
    """Return the public runs of a model, by protocol and configuration, the newest trial first."""
    rows = session.execute(
        select(Run.id, Run.protocol_id, Run.configuration, Run.trial, Run.state, Run.voided_at)
        .where(Run.model_id == model_id, Run.public)
        .order_by(Run.protocol_id, Run.configuration_key, Run.trial.desc())
    )
    return [PublicRunLine(*row) for row in rows]


def rate_counts(session: Session, run_ids: Collection[int]) -> list[RateCount]:
    """Return how many dated, published problems each run has answered how well: sums over items, by (n, c)."""
    n, c = func.sum(CellRow.n), func.sum(CellRow.c)
    problems = (
        select(CellRow.run_id, n.label("n"), c.label("c"))
        .join(Problem, Problem.id == CellRow.problem_id)
        .where(
            CellRow.run_id.in_(run_ids),
            Problem.canary.is_(False),
            Problem.released_on.is_not(None),
            Problem.state.in_((ProblemState.PUBLISHED, ProblemState.CATALOGUED)),
        )
        .group_by(CellRow.run_id, CellRow.problem_id)
        .having(n > 0)
        .subquery()
    )
    rows = session.execute(
        select(problems.c.run_id, problems.c.n, problems.c.c, func.count()).group_by(
            problems.c.run_id, problems.c.n, problems.c.c
        )
    )
    return [RateCount(run, int(graded), int(accepted), number) for run, graded, accepted, number in rows]


def topics(session: Session, problem_ids: Collection[int]) -> dict[int, tuple[str, ...]]:
    """Return the topics of some problems by id; those without any are left out."""
    rows = session.execute(
        select(Problem.id, Problem.topics).where(Problem.id.in_(problem_ids), func.cardinality(Problem.topics) > 0)
    )
    return {row.id: tuple(row.topics) for row in rows}


def protocol_results(session: Session, problem_id: int) -> list[ProtocolResult]:
    """Return the protocols under which public runs have cells of a problem, oldest first."""
    rows = session.execute(
        select(ProtocolRow, func.count(Run.id.distinct()), func.sum(CellRow.n), func.sum(CellRow.c))
        .join(Run, Run.protocol_id == ProtocolRow.id)
        .join(CellRow, CellRow.run_id == Run.id)
        .where(CellRow.problem_id == problem_id, Run.public, is_ranked())
        .group_by(ProtocolRow.id)
        .order_by(ProtocolRow.id)
    )
    return [ProtocolResult(_fact(row), runs, int(n), int(c)) for row, runs, n, c in rows]


def first_answers(
    session: Session, run_ids: Collection[int], problem_ids: Collection[int]
) -> dict[tuple[int, int], FirstAnswer]:
    """Return by run and problem the first answer to the text in use, a wrong one if there is one."""
    wrong = func.min(Sample.id).filter(VerdictRow.verdict != "accepted")
    rows = session.execute(
        select(Sample.run_id, Sample.problem_id, func.coalesce(wrong, func.min(Sample.id)), func.count())
        .join(Problem, Problem.id == Sample.problem_id)
        .join(
            VerdictRow,
            and_(
                VerdictRow.sample_id == Sample.id,
                VerdictRow.test_set_id == Problem.current_test_set_id,
                VerdictRow.counts,
            ),
        )
        .where(Sample.run_id.in_(run_ids), Sample.problem_id.in_(problem_ids))
        .group_by(Sample.run_id, Sample.problem_id)
    )
    return {(run, problem): FirstAnswer(sample, answers) for run, problem, sample, answers in rows}
