"""Order of asking about a problem: a vendor's ranked models before its setters."""

from datetime import datetime, timedelta
from functools import cache
from typing import Any

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Select,
    SQLColumnExpression,
    and_,
    any_,
    bindparam,
    or_,
    select,
    tuple_,
)
from sqlalchemy.orm import aliased

from app.db.kernel.instant import NOW
from app.db.kernel.session import Session
from app.db.tables import ConsensusRow, Model, Organisation, Problem, ProblemVersion, ProtocolRow, Run, Sample, Setter
from app.domain.consensus.vendors import normalize_vendor
from app.domain.scenarios import scenarios
from app.domain.states import ConsensusState, ProblemState, SampleState

HEAD_START = timedelta(minutes=30)  # wait of a vendor's setters for its ranked models
UNDER_WAY = (SampleState.PENDING, SampleState.INFERRING)


# Aliases of whole tables take milliseconds, too long for every claim and sweep, so the conditions are built once.
# Only the instant and the models of the setters' vendors are parameters.
VENDOR_MODELS: BindParameter[Any] = bindparam("models", expanding=True)


def statement_values(session: Session, now: datetime) -> dict[str, Any]:
    """Return the parameters of a statement with the condition on setters' samples."""
    return {NOW.key: now, VENDOR_MODELS.key: _vendor_models(session)}


@cache
def may_ask_setter() -> ColumnElement[bool]:
    """Return the condition that a setter's sample may be asked; it holds for all other samples.

    The consensus must be open, and the vendor's ranked models must have answered, given up or had their head start.
    """
    waiting, model = _ranked_under_way()
    waits = waiting.where(tuple_(Setter.vendor, model).in_(VENDOR_MODELS)).exists()
    open_consensus = _open().where(is_awake(NOW)).where(or_(ConsensusRow.since <= NOW - HEAD_START, ~waits))
    return or_(Run.protocol_id.not_in(setter_protocols()), open_consensus.correlate(Run, Sample).exists())


@cache
def is_open() -> ColumnElement[bool]:
    """Return the condition that a consensus is asking, and its problem lacks only tests and still has this text."""
    problem = aliased(Problem)
    lacks_tests = select(problem.id).where(
        problem.id == ConsensusRow.problem_id, problem.state == ProblemState.CHECKED,
        problem.current_test_set_id.is_(None), problem.current_version_id == ConsensusRow.problem_version_id,
    )  # fmt: skip
    return and_(ConsensusRow.state == ConsensusState.ASKING, lacks_tests.correlate(ConsensusRow).exists())


def is_awake(now: datetime | BindParameter[datetime]) -> ColumnElement[bool]:
    """Return the condition that a consensus may go on today."""
    return or_(ConsensusRow.not_before.is_(None), ConsensusRow.not_before <= now)


def is_drawn(run_id: SQLColumnExpression[int]) -> ColumnElement[bool]:
    """Return the condition that the setter of this run is drawn for a text."""
    return (
        select(ConsensusRow.id)
        .join(Setter, Setter.run_id == run_id)
        .where(ConsensusRow.problem_version_id == ProblemVersion.id, Setter.vendor == any_(ConsensusRow.drawn))
        .correlate(ProblemVersion, Run)
        .exists()
    )


@cache
def setter_protocols() -> Select[int]:
    """Select the protocols under which setters are asked."""
    untested = [name for name, scenario in scenarios().items() if scenario.untested]
    return select(ProtocolRow.id).where(ProtocolRow.body["scenario"].astext.in_(untested))


@cache
def _open() -> Select[int]:
    """Select the open consensus of a setter's sample, if the setter was drawn and not removed."""
    return (
        select(ConsensusRow.id)
        .join(Setter, Setter.run_id == Run.id)
        .where(ConsensusRow.problem_version_id == Sample.problem_version_id, is_open(), Setter.removed_at.is_(None))
        .where(Setter.vendor == any_(ConsensusRow.drawn))
    )


def _vendor_models(session: Session) -> list[tuple[str, int]]:
    """Return (vendor, model) for the models of each setter's vendor, by all of their names.

    Names are normalised here, because a database knows only English letters.
    """
    vendors = set(session.scalars(_vendor_query()))
    if not vendors:
        return []
    rows = session.execute(
        select(Model.id, Model.organisation_name, Organisation.name, Organisation.slug)
        .outerjoin(Organisation, Organisation.id == Model.organisation_id)
        .order_by(Model.id)
    )
    return [
        (vendor, model)
        for model, *names in rows
        for vendor in sorted(vendors & {normalize_vendor(name) for name in names if name})
    ]


@cache
def _vendor_query() -> Select[str]:
    return select(Setter.vendor).where(Setter.removed_at.is_(None)).distinct()


@cache
def _ranked_under_way() -> tuple[Select[int], SQLColumnExpression[int]]:
    """Return the query for unanswered samples of ranked runs on the problem, and its model column."""
    sample, run, protocol = aliased(Sample), aliased(Run), aliased(ProtocolRow)
    ranked = [name for name, scenario in scenarios().items() if scenario.ranked]
    under_way = (
        select(sample.id)
        .join(run, run.id == sample.run_id)
        .join(protocol, protocol.id == run.protocol_id)
        .where(sample.problem_id == ConsensusRow.problem_id, sample.state.in_(UNDER_WAY))
        .where(protocol.body["scenario"].astext.in_(ranked))
        .correlate(ConsensusRow, Setter)
    )
    return under_way, run.model_id
