"""Which vendors' setters are asked about a problem, as it is written down with its setting."""

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import func, select

from app.db.kernel.session import Session
from app.db.problems.problems import names_of
from app.db.runs.setting.order import UNDER_WAY, is_open
from app.db.tables import Run, Sample, Setter, Setting
from app.domain.setting.draw import SILENCE, drawn
from app.domain.states import SampleState


def draw(session: Session, now: datetime) -> None:
    """Draw for every setting that asks; again where a vendor has no setter any more, or is silent.

    Silent is who gave up on everything, or has answered nothing `SILENCE` after the draw.
    """
    vendors = set(session.scalars(select(Setter.vendor).where(Setter.removed_at.is_(None))))
    asking = session.scalars(select(Setting).where(is_open()).order_by(Setting.id).with_for_update()).all()
    names = names_of(session, {setting.problem_id for setting in asking})
    for setting in asking:
        silent = set(setting.silent)
        if setting.drawn_at is not None:
            silent |= _silent(session, setting, late=setting.drawn_at <= now - SILENCE)
        found = list(drawn("/".join(names[setting.problem_id]), vendors, setting.drawn, silent))
        if found != setting.drawn:
            # Who stays because nobody is left to ask is not passed over.
            setting.silent = sorted(silent - set(found))
            setting.drawn, setting.drawn_at = found, now
    session.flush()


def _silent(session: Session, setting: Setting, *, late: bool) -> set[str]:
    """Vendors of the draw that answered nothing, and either gave up or are late."""
    counts: dict[str, Mapping[SampleState, int]] = {vendor: {} for vendor in setting.drawn}
    rows = session.execute(
        select(Setter.vendor, Sample.state, func.count())
        .join(Run, Run.id == Setter.run_id)
        .join(Sample, Sample.run_id == Run.id)
        .where(Sample.problem_version_id == setting.problem_version_id, Setter.removed_at.is_(None))
        .where(Setter.vendor.in_(setting.drawn))
        .group_by(Setter.vendor, Sample.state)
    )
    for vendor, state, count in rows:
        counts[vendor] = {**counts[vendor], SampleState(state): count}
    return {
        vendor
        for vendor, states in counts.items()
        if not states.get(SampleState.ANSWERED) and (late or (states and not any(map(states.get, UNDER_WAY))))
    }
