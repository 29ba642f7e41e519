"""Settings: how far the making of a problem's tests by setters has come. One for each text."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import BindParameter, ColumnElement, Select, and_, any_, func, literal, or_, select, update
from sqlalchemy.dialects.postgresql import distinct_on, insert

from app.db.kernel.instant import NOW
from app.db.kernel.leases import Lease
from app.db.kernel.session import Session
from app.db.runs.setting.order import UNDER_WAY, is_awake, is_open
from app.db.tables import Problem, ProblemVersion, Run, Sample, Setter, Setting, Source
from app.domain.problems import Form
from app.domain.setting.consensus import LEAST_VENDORS
from app.domain.states import ProblemState, RunState, SampleState, SettingState

FORMS = (Form.STDIN, Form.FUNCTION, Form.INTERACTIVE)  # those of which a suite can be played
LOCALE = "en"  # in which setters are asked
PATIENCE = timedelta(hours=2)  # after so long what was answered is played, whoever is still silent
MOST_ATTEMPTS = 3
_PLANNED_BY = timedelta(minutes=10)  # after so long a problem has met some plans


class Said(NamedTuple):
    """A setter's newest answer to one item, and the sample whose it is."""

    sample: int
    vendor: str
    setter: str
    item: int
    text: str


def has_voices(session: Session) -> bool:
    """Whether setters of enough vendors are there to make tests at all."""
    vendors = select(func.count(Setter.vendor.distinct())).where(Setter.removed_at.is_(None))
    return (session.scalar(vendors) or 0) >= LEAST_VENDORS


def of_text(session: Session, version_id: int) -> Setting | None:
    """The making of tests for a text; None where that has not begun."""
    return session.scalar(select(Setting).where(Setting.problem_version_id == version_id))


def begin(session: Session, now: datetime, day: datetime, most: int) -> None:
    """Begin to make tests for checked problems that have none and that may be sent to models, the newest first.

    For at most so many since the day began, those that were published since aside.
    """
    begun = (
        select(func.count(Setting.problem_id.distinct()))
        .join(Problem, Problem.id == Setting.problem_id)
        .where(Setting.since >= day, Problem.state != ProblemState.PUBLISHED)
    )
    texts = (
        select(Problem.id, ProblemVersion.id, literal(SettingState.ASKING.value), literal(now))
        .join(ProblemVersion, ProblemVersion.problem_id == Problem.id)
        .join(Source, Source.id == Problem.source_id)
        .where(_may_begin())
        .order_by(Problem.released_on.desc(), Problem.id)
        .limit(max(most - (session.scalar(begun) or 0), 0))
    )
    new = insert(Setting).from_select(["problem_id", "problem_version_id", "state", "since"], texts)
    session.execute(new.on_conflict_do_nothing())


def _may_begin() -> ColumnElement[bool]:
    """Of a problem, its source and its text: setters could be asked, and have not been."""
    known = select(Setting.id).where(Setting.problem_version_id == ProblemVersion.id)
    return and_(
        Problem.state == ProblemState.CHECKED, Problem.current_test_set_id.is_(None), Problem.canary.is_(False),
        Source.send_statements, ProblemVersion.in_use, ProblemVersion.locale == LOCALE,
        ProblemVersion.form.in_(FORMS), ~known.exists(),
    )  # fmt: skip


def rest_today(session: Session, now: datetime) -> int:
    """How many problems wait for the next day, since a bound of this one is reached.

    Those whose setting rests, and those that no setting began for: of them only texts that have been there for a
    while, since what came just now begins with the next plan.
    """
    resting = select(func.count()).select_from(Setting).where(is_open(), ~is_awake(now))
    waiting = (
        select(func.count(Problem.id.distinct()))
        .join(ProblemVersion, ProblemVersion.problem_id == Problem.id)
        .join(Source, Source.id == Problem.source_id)
        .where(_may_begin(), ProblemVersion.created_at <= now - _PLANNED_BY)
    )
    return (session.scalar(resting) or 0) + (session.scalar(waiting) or 0)


def untested(session: Session) -> list[Problem]:
    """Problems that are held and have no tests, locked; those another transaction holds are skipped."""
    held = (Problem.state == ProblemState.HELD, Problem.current_test_set_id.is_(None))
    return list(session.scalars(select(Problem).where(*held).order_by(Problem.id).with_for_update(skip_locked=True)))


def _ready(now: datetime | BindParameter[datetime]) -> Select[int]:
    """Those that can be played, the newest problems first: fresh ones do not wait for a backlog.

    Everybody who is asked has answered or given up, or had time enough.
    """
    of_setters = (
        select(Sample.id)
        .join(Run, Run.id == Sample.run_id)
        .join(Setter, Setter.run_id == Run.id)
        .where(Sample.problem_version_id == Setting.problem_version_id, Setter.removed_at.is_(None))
        .where(Setter.vendor == any_(Setting.drawn))
    )
    waits = of_setters.where(Sample.state.in_(UNDER_WAY), Run.state == RunState.ACTIVE)
    voices = of_setters.with_only_columns(func.count(Setter.vendor.distinct())).scalar_subquery()
    released = select(Problem.released_on).where(Problem.id == Setting.problem_id).scalar_subquery()
    # Of a vendor that was drawn a moment ago nothing is planned yet.
    all_said = (voices >= LEAST_VENDORS) & ~waits.exists()
    return (
        select(Setting.id)
        .where(is_open(), is_awake(now), or_(all_said, _asked_since() <= now - PATIENCE))
        .where(or_(Setting.lease_until.is_(None), Setting.lease_until <= now))
        .order_by(released.desc(), Setting.id)
    )


def _asked_since() -> ColumnElement[datetime]:
    """When setters could first be asked in the last round; while a setting rests nobody can be."""
    return func.greatest(Setting.since, Setting.asked_again_at, Setting.not_before)  # of what is known of them


def ready(session: Session, now: datetime) -> int:
    """How many settings wait to be played."""
    return session.scalar(_ready_count(), {NOW.key: now}) or 0


@cache
def _ready_count() -> Select[int]:
    return select(func.count()).select_from(_ready(NOW).subquery())


def claim(session: Session, lease: Lease, now: datetime) -> Setting | None:
    """Lease the next setting that can be played, whatever the number of its attempts; that counts this one."""
    picked = _ready(now).limit(1).with_for_update(skip_locked=True).cte("picked")
    return session.scalar(
        update(Setting)
        .where(Setting.id.in_(select(picked.c.id)))
        .values(lease_token=lease.token, lease_until=lease.until, attempts=Setting.attempts + 1)
        .returning(Setting)
    )


def said(session: Session, version_id: int) -> list[Said]:
    """What setters that were drawn and not removed answered about a text, to each item in its last round, in a fixed
    order."""
    return _read(session, _said(version_id).ext(distinct_on(Setter.name, Sample.item)))


def gone_back(session: Session, setting: Setting) -> list[Said]:
    """Their answers that went back in its rounds, the newest of each item first."""
    sample_ids = [back["sample"] for entry in setting.rounds for back in entry["back"]]
    return _read(session, _said(setting.problem_version_id).where(Sample.id.in_(sample_ids)))


def _said(version_id: int) -> Select[int, str, str, int, str | None]:
    return (
        select(Sample.id, Setter.vendor, Setter.name, Sample.item, Sample.response)
        .join(Run, Run.id == Setter.run_id)
        .join(Sample, Sample.run_id == Run.id)
        .join(Setting, Setting.problem_version_id == Sample.problem_version_id)
        .where(Sample.problem_version_id == version_id, Setter.removed_at.is_(None))
        .where(Setter.vendor == any_(Setting.drawn))
        .where(Sample.state == SampleState.ANSWERED, Sample.response.is_not(None))
        .order_by(Setter.name, Sample.item, Sample.ordinal.desc())
    )


def _read(session: Session, rows: Select[int, str, str, int, str | None]) -> list[Said]:
    found = session.execute(rows)
    return [Said(sample, vendor, setter, item, text or "") for sample, vendor, setter, item, text in found]


def free(session: Session, setting: Setting, evidence: Mapping[str, Any]) -> None:
    """Let a setting go on with what was found out, for whoever plays it next."""
    setting.evidence = dict(evidence)
    setting.lease_token = setting.lease_until = None
    session.flush()


def end(session: Session, setting: Setting, state: SettingState, now: datetime, **facts: Any) -> None:
    """Write how a setting ended, and free it."""
    setting.state, setting.ended_at = state, now
    setting.lease_token = setting.lease_until = None
    for name, value in facts.items():
        setattr(setting, name, value)
    session.flush()


def again(session: Session, setting: Setting) -> None:
    """Let a setting that was held be played again; whoever was asked is not asked anew."""
    setting.state, setting.reason, setting.ended_at, setting.attempts = SettingState.ASKING, None, None, 0
    session.flush()


def held_now(session: Session, limit: int = 100) -> list[Setting]:
    """Settings of texts in use that were held, whose problems still are, the newest first."""
    rows = (
        select(Setting)
        .join(Problem, Problem.current_version_id == Setting.problem_version_id)
        .where(Setting.state == SettingState.HELD, Problem.state == ProblemState.HELD)
        .where(Problem.current_test_set_id.is_(None))
        .order_by(Setting.ended_at.desc(), Setting.id.desc())
    )
    return list(session.scalars(rows.limit(limit)))


def is_settable(problem: Problem, version: ProblemVersion) -> bool:
    """Whether tests of a problem could be made by setters, as far as its text goes."""
    return version.locale == LOCALE and version.form in FORMS and not problem.canary


def held(session: Session, setting_id: int, token: str) -> Setting | None:
    """The setting, locked, if the lease token still holds."""
    return session.scalar(
        select(Setting).where(Setting.id == setting_id, Setting.lease_token == token).with_for_update(),
        execution_options={"populate_existing": True},
    )
