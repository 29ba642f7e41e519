"""What audits of published problems read."""

from collections.abc import Collection, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Float, Integer, cast, func, select, text

from app.db.kernel.session import Session
from app.db.tables import CellRow, Model, Problem, ProblemVersion, ProtocolRow, Run, Sample, VerdictRow
from app.domain.asking.protocols import CHOSEN
from app.domain.judging.verdicts import LimitMode, Verdict
from app.domain.problems import Form
from app.domain.states import ProblemState, RunOrigin

AGREED = "agreed"  # how many accepted programs of a problem were asked whether they agree
_COMPARED = (Form.STDIN, Form.FUNCTION)
_CHUNK = 20_000


class Accepted(NamedTuple):
    """An accepted program: the number of its sample, its language and code."""

    sample_id: int
    language: str
    code: str


class PassRates(NamedTuple):
    """The mean pass rate over its items of each problem (column) of each run (row) of a protocol, nan where it has
    none."""

    protocol: str
    runs: list[int]
    problems: list[int]
    rates: NDArray[np.float64]


def pass_rates(session: Session) -> Iterator[PassRates]:
    """Of our own public runs on published problems, one protocol after the other: of twenty million cells, which may
    take minutes to read, nobody holds more than their rates."""
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
        for run_id, problem_id, rate in session.execute(means.execution_options(yield_per=_CHUNK)):
            if problem_id in column:
                rates[row[run_id], column[problem_id]] = rate
        yield PassRates(slug, runs, problems, rates)


def vendors(session: Session, run_ids: Collection[int]) -> dict[int, int]:
    """The organisation that registered the model of each of these runs, where one did."""
    rows = session.execute(
        select(Run.id, Model.organisation_id)
        .join(Model, Model.id == Run.model_id)
        .where(Run.id.in_(run_ids), Model.organisation_id.is_not(None))
    )
    return {run: vendor for run, vendor in rows if vendor is not None}


def next_ids(session: Session, first: int, most: int) -> range:
    """From the id of the next problem, `first` or a later one, to that of the last of so many; empty where none is."""
    ids = session.scalars(select(Problem.id).where(Problem.id >= first).order_by(Problem.id).limit(most)).all()
    return range(ids[0], ids[-1] + 1) if ids else range(0)


def to_compare(session: Session, ids: range) -> Problem | None:
    """A published problem, with its id among these, that has more different accepted programs than were compared so
    far, locked, or None."""
    accepted = (  # problem by problem, by indexes: nobody reads or sorts the answers to all
        select(func.count(Sample.answer.distinct()))
        .join(VerdictRow, VerdictRow.sample_id == Sample.id)
        .where(VerdictRow.limit_mode != LimitMode.NONE)  # an answer that nobody ran is no program
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
            ProblemVersion.form.in_(_COMPARED),
            Problem.id >= ids.start,
            Problem.id < ids.stop,
            accepted > func.coalesce(Problem.audit_flags[AGREED].astext.cast(Integer), 1),
        )
        .order_by(Problem.id)
        .limit(1)
        .with_for_update(of=Problem, skip_locked=True)
    )


def accepted_programs(session: Session, problem_id: int) -> list[Accepted]:
    """Every different program that was accepted for a problem, the newest first."""
    rows = session.execute(
        select(
            Sample.id, func.coalesce(Sample.provenance[CHOSEN].astext, ProtocolRow.body["language"].astext),
            Sample.answer,
        )
        .join(VerdictRow, VerdictRow.sample_id == Sample.id)
        .join(Run, Run.id == Sample.run_id)
        .join(ProtocolRow, ProtocolRow.id == Run.protocol_id)
        .where(
            Sample.problem_id == problem_id, VerdictRow.counts, VerdictRow.verdict == Verdict.ACCEPTED,
            Sample.answer.is_not(None), VerdictRow.limit_mode != LimitMode.NONE,
        )
        .order_by(Sample.id)
    )  # fmt: skip
    newest = {code: Accepted(sample_id, language, code) for sample_id, language, code in rows if code is not None}
    return sorted(newest.values(), reverse=True)
