"""Input of audits of published problems."""

from collections.abc import Collection, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Float, Integer, cast, func, select, text

from app.db.kernel.session import Session
from app.db.tables import CellRow, Model, Problem, ProblemVersion, ProtocolRow, Run, Sample, VerdictRow
from app.domain.asking.protocols import CHOSEN_LANGUAGE_KEY
from app.domain.judging.verdicts import LimitMode, Verdict
from app.domain.problems import Form
from app.domain.states import ProblemState, RunOrigin

AGREED = "agreed"  # key in audit_flags: how many accepted programs were compared
_COMPARED_FORMS = (Form.STDIN, Form.FUNCTION)
_CHUNK_ROWS = 20_000


class AcceptedProgram(NamedTuple):
    """An accepted program: its sample's id, its language and its code."""

    sample_id: int
    language: str
    code: str


class PassRates(NamedTuple):
    """Mean pass rate over the items of each problem (column) and run (row) of a protocol, nan without a result."""

    protocol: str
    runs: list[int]
    problems: list[int]
    rates: NDArray[np.float64]


def pass_rates(session: Session) -> Iterator[PassRates]:
    """Yield the pass rates of our own public runs on published problems, one protocol at a time.

    Reading twenty million cells may take minutes, and only the rates are held in memory.
    """
    session.execute(text("SET LOCAL statement_timeout = '15min'"))
    own = (Run.public, Run.origin == RunOrigin.OWN)
    published = (Problem.state == ProblemState.PUBLISHED, Problem.canary.is_(False))
    problems = list(session.scalars(select(Problem.id).where(*published).order_by(Problem.id)))
    column = {problem_id: at for at, problem_id in enumerate(problems)}
    protocols = select(ProtocolRow.id, ProtocolRow.slug).where(ProtocolRow.id.in_(select(Run.protocol_id).where(*own)))
    for protocol_id, slug in session.execute(protocols.order_by(ProtocolRow.slug)).all():
        runs = list(session.scalars(select(Run.id).where(Run.protocol_id == protocol_id, *own).order_by(Run.id)))
        row = {run_id: at for at, run_id in enumerate(runs)}
        rates = np.full((len(runs), len(problems)), np.nan)
        means = (
            select(CellRow.run_id, CellRow.problem_id, func.avg(cast(CellRow.c, Float) / CellRow.n))
            .where(CellRow.n > 0, CellRow.run_id.in_(runs))
            .group_by(CellRow.run_id, CellRow.problem_id)
        )
        for run_id, problem_id, rate in session.execute(means.execution_options(yield_per=_CHUNK_ROWS)):
            if problem_id in column:
                rates[row[run_id], column[problem_id]] = rate
        yield PassRates(slug, runs, problems, rates)


def organisations_of_runs(session: Session, run_ids: Collection[int]) -> dict[int, int]:
    """Return the organisation of each run's model, for models that an organisation registered."""
    rows = session.execute(
        select(Run.id, Model.organisation_id)
        .join(Model, Model.id == Run.model_id)
        .where(Run.id.in_(run_ids), Model.organisation_id.is_not(None))
    )
    return {run: vendor for run, vendor in rows if vendor is not None}


def next_ids(session: Session, first: int, most: int) -> range:
    """Return the range of the next `most` problem ids from `first` on; empty if there are none."""
    ids = session.scalars(select(Problem.id).where(Problem.id >= first).order_by(Problem.id).limit(most)).all()
    return range(ids[0], ids[-1] + 1) if ids else range(0)


def lock_next_to_compare(session: Session, ids: range) -> Problem | None:
    """Return a published problem with an id in `ids` and uncompared accepted programs, locked, or None."""
    accepted = (  # problem by problem, by indexes, without reading or sorting all answers
        select(func.count(Sample.answer.distinct()))
        .join(VerdictRow, VerdictRow.sample_id == Sample.id)
        .where(VerdictRow.limit_mode != LimitMode.NONE)  # an answer that was not run is no program
        .where(VerdictRow.counts, VerdictRow.verdict == Verdict.ACCEPTED, Sample.answer.is_not(None))
        .where(Sample.problem_id == Problem.id)
        .scalar_subquery()
    )
    return session.scalar(
        select(Problem)
        .join(ProblemVersion, ProblemVersion.id == Problem.current_version_id)
        .where(
            Problem.state == ProblemState.PUBLISHED,
            Problem.canary.is_(False),
            ProblemVersion.form.in_(_COMPARED_FORMS),
            Problem.id >= ids.start,
            Problem.id < ids.stop,
            accepted > func.coalesce(Problem.audit_flags[AGREED].astext.cast(Integer), 1),
        )
        .order_by(Problem.id)
        .limit(1)
        .with_for_update(of=Problem, skip_locked=True)
    )


def accepted_programs(session: Session, problem_id: int) -> list[AcceptedProgram]:
    """Return every different accepted program of a problem, newest first."""
    rows = session.execute(
        select(
            Sample.id,
            func.coalesce(Sample.provenance[CHOSEN_LANGUAGE_KEY].astext, ProtocolRow.body["language"].astext),
            Sample.answer,
        )
        .join(VerdictRow, VerdictRow.sample_id == Sample.id)
        .join(Run, Run.id == Sample.run_id)
        .join(ProtocolRow, ProtocolRow.id == Run.protocol_id)
        .where(
            Sample.problem_id == problem_id,
            VerdictRow.counts,
            VerdictRow.verdict == Verdict.ACCEPTED,
            Sample.answer.is_not(None),
            VerdictRow.limit_mode != LimitMode.NONE,
        )
        .order_by(Sample.id)
    )
    newest = {
        code: AcceptedProgram(sample_id, language, code) for sample_id, language, code in rows if code is not None
    }
    return sorted(newest.values(), reverse=True)
