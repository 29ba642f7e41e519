"""Draws of the vendors whose setters are asked about a problem."""

from collections.abc import Iterable, Mapping
from datetime import datetime

from sqlalchemy import any_, func, select

from app.db.kernel.session import Session
from app.db.problems.problems import names_of
from app.db.runs.consensus.asking_order import UNDER_WAY, is_open
from app.db.runs.consensus.setters import present_vendors
from app.db.tables import ConsensusRow, Problem, Sample, Setter, Source
from app.domain.consensus.draw import MAX_SILENCE, pick_vendors
from app.domain.states import SampleState


def draw_vendors(session: Session, now: datetime) -> None:
    """Draw vendors for every consensus that asks, and again if a vendor has no setter any more or is silent.

    A vendor is silent if it gave up on everything, or has answered nothing `MAX_SILENCE` after the draw.
    """
    vendors = {demo: present_vendors(session, demo=demo) for demo in (False, True)}
    asking = session.scalars(select(ConsensusRow).where(is_open()).order_by(ConsensusRow.id).with_for_update()).all()
    names = names_of(session, {consensus.problem_id for consensus in asking})
    of_demo = _of_demo_sources(session, asking)
    by_text = _answer_states(session)
    for consensus in asking:
        silent = set(consensus.silent)
        if consensus.drawn_at is not None:
            late = consensus.drawn_at <= now - MAX_SILENCE
            answers = {vendor: by_text.get((consensus.problem_version_id, vendor), {}) for vendor in consensus.drawn}
            silent |= {vendor for vendor, states in answers.items() if _is_silent(states, late=late)}
        present = vendors[consensus.problem_id in of_demo]
        vendors_drawn = list(pick_vendors("/".join(names[consensus.problem_id]), present, consensus.drawn, silent))
        if vendors_drawn != consensus.drawn:
            # A silent vendor that stays drawn, for want of others, is not recorded as silent.
            consensus.silent = sorted(silent - set(vendors_drawn))
            consensus.drawn, consensus.drawn_at = vendors_drawn, now
    session.flush()


def _of_demo_sources(session: Session, consensuses: Iterable[ConsensusRow]) -> set[int]:
    """Return the problems of these that are of a demo source."""
    problem_ids = {consensus.problem_id for consensus in consensuses}
    of_demo = select(Problem.id).join(Source, Source.id == Problem.source_id)
    return set(session.scalars(of_demo.where(Problem.id.in_(problem_ids), Source.demo)))


def _answer_states(session: Session) -> dict[tuple[int, str], dict[SampleState, int]]:
    """Return the number of setter samples in each state, by (text, vendor), for every consensus that asks."""
    rows = session.execute(
        select(ConsensusRow.problem_version_id, Setter.vendor, Sample.state, func.count())
        .join(Sample, Sample.problem_version_id == ConsensusRow.problem_version_id)
        .join(Setter, Setter.run_id == Sample.run_id)
        .where(is_open(), Setter.removed_at.is_(None), Setter.vendor == any_(ConsensusRow.drawn))
        .group_by(ConsensusRow.problem_version_id, Setter.vendor, Sample.state)
    )
    by_text: dict[tuple[int, str], dict[SampleState, int]] = {}
    for version_id, vendor, state, count in rows:
        by_text.setdefault((version_id, vendor), {})[SampleState(state)] = count
    return by_text


def _is_silent(states: Mapping[SampleState, int], *, late: bool) -> bool:
    """Return whether a vendor answered nothing, and either gave up or is late."""
    gave_up = bool(states) and not any(map(states.get, UNDER_WAY))
    return not states.get(SampleState.ANSWERED) and (late or gave_up)
