"""Reading the public ledger: its pages, its kinds, and the names of its subjects."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date, datetime
from itertools import groupby
from typing import Final, NamedTuple

from sqlalchemy import ColumnElement, Date, case, cast, func, literal, select

from app.db.kernel.session import Session
from app.db.runs.runs import is_ranked
from app.db.tables import LedgerEntry, Model, Problem, ProtocolRow, Run, Source

MODEL_ADDED, SCORE_CHANGED = "model.added", "score.changed"
RANK_MOVED = "rank.moved"  # not stored: a change of a score that moved the row's rank
# No more lines of one kind are read for a count, so that a count of a long ledger stays cheap.
MAX_COUNTED_LINES: Final = 2000


def page(
    session: Session,
    before: int | None,
    limit: int,
    *,
    kinds: Collection[str] = (),
    subject: str | None = None,
    week: date | None = None,
) -> list[LedgerEntry]:
    """Return lines with ids below `before`, newest first; with `week`, those of the seven days from that Monday on."""
    query = select(LedgerEntry)
    if before is not None:
        query = query.where(LedgerEntry.id < before)
    if kinds:
        query = query.where(LedgerEntry.kind.in_(kinds))
    if subject is not None:
        query = query.where(LedgerEntry.subject == subject)
    if week is not None:
        query = query.where(_week() == week)
    return list(session.scalars(query.order_by(LedgerEntry.id.desc()).limit(limit)))


def counts(session: Session) -> dict[str, int]:
    """Return the number of lines of each kind."""
    lines = func.count().label("lines")
    rows = session.execute(select(LedgerEntry.kind, lines).group_by(LedgerEntry.kind).order_by(LedgerEntry.kind))
    return {row.kind: row.lines for row in rows}


class WeekCount(NamedTuple):
    """The number of lines of one kind in the week from a Monday (UTC) on."""

    week: date
    kind: str
    lines: int


def week_counts(session: Session) -> list[WeekCount]:
    """Return the number of lines by week and kind, newest week first; scores that moved a rank are `RANK_MOVED`."""
    week, kind = _week().label("week"), _kind().label("kind")
    query = select(week, kind, func.count()).group_by(week, kind).order_by(week.desc(), kind)
    return [WeekCount(*row) for row in session.execute(query)]


def newest_of_weeks(session: Session, first: date, last: date, per_kind: int) -> list[tuple[date, str, LedgerEntry]]:
    """Return the newest lines of each kind in each of the weeks from `first` to `last`, newest first."""
    week, kind = _week().label("week"), _kind().label("kind")
    place = func.row_number().over(partition_by=(week, kind), order_by=LedgerEntry.id.desc()).label("place")
    ranked = select(LedgerEntry.id, week, kind, place).where(_week().between(first, last)).subquery()
    query = (
        select(ranked.c.week, ranked.c.kind, LedgerEntry)
        .join(LedgerEntry, LedgerEntry.id == ranked.c.id)
        .where(ranked.c.place <= per_kind)
        .order_by(LedgerEntry.id.desc())
    )
    return [(row[0], row[1], row[2]) for row in session.execute(query)]


def _week() -> ColumnElement[date]:
    return cast(func.date_trunc("week", func.timezone("UTC", LedgerEntry.at)), Date)


def _kind() -> ColumnElement[str]:
    ranks = LedgerEntry.before["rank"].astext, LedgerEntry.after["rank"].astext
    moved = (LedgerEntry.kind == SCORE_CHANGED) & ranks[0].is_distinct_from(ranks[1])
    return case((moved, literal(RANK_MOVED)), else_=LedgerEntry.kind)


def newest(session: Session, kinds: Collection[str]) -> int:
    """Return the id of the last line of these kinds, or of any kind if none is given; 0 without lines."""
    query = select(func.max(LedgerEntry.id))
    return session.scalar(query.where(LedgerEntry.kind.in_(kinds)) if kinds else query) or 0


def count_since(session: Session, kind: str, since: datetime, *, moved: bool = False) -> int:
    """Return the number of lines of a kind since an instant, at most MAX_COUNTED_LINES; `moved` counts moved ranks."""
    lines = (
        select(LedgerEntry.at, LedgerEntry.before["rank"].label("before"), LedgerEntry.after["rank"].label("after"))
        .where(LedgerEntry.kind == kind)
        .order_by(LedgerEntry.id.desc())
        .limit(MAX_COUNTED_LINES)
        .subquery()
    )
    query = select(func.count()).select_from(lines).where(lines.c.at >= since)
    if moved:
        query = query.where(lines.c.before.is_distinct_from(lines.c.after))
    return session.scalar(query) or 0


def problem_titles(session: Session, subjects: Iterable[str]) -> dict[str, str]:
    """Return the titles of problems named as `source/external id`."""
    pairs = [subject.partition("/") for subject in subjects]
    if not pairs:
        return {}
    slugs, names = {slug for slug, _, _ in pairs}, {name for _, _, name in pairs}
    rows = session.execute(
        select(Source.slug, Problem.external_id, Problem.title)
        .join(Problem, Problem.source_id == Source.id)
        .where(Source.slug.in_(slugs), Problem.external_id.in_(names))
    )
    return {f"{slug}/{name}": title for slug, name, title in rows}


def model_names(session: Session, slugs: Collection[str]) -> dict[str, str]:
    """Return the names of models by slug."""
    if not slugs:
        return {}
    rows = session.execute(select(Model.slug, Model.name).where(Model.slug.in_(slugs)))
    return {row.slug: row.name for row in rows}


def last_run(session: Session) -> int:
    """Return the id of the newest run; later runs have higher ids."""
    return session.scalar(select(func.max(Run.id))) or 0


@dataclass(frozen=True, slots=True)
class ShownModel:
    """A model with public runs: whether the ledger has its addition, and the runs' protocols."""

    announced: bool
    protocols: tuple[str, ...]


def shown_models(session: Session, run_ids: Collection[int]) -> dict[str, ShownModel]:
    """Return the models of those of these runs that are public and ranked, by slug."""
    if not run_ids:
        return {}
    line = select(LedgerEntry.id).where(LedgerEntry.kind == MODEL_ADDED, LedgerEntry.subject == Model.slug).exists()
    query = (
        select(Model.slug, line.label("said"), ProtocolRow.slug.label("protocol"))
        .join(Run, Run.model_id == Model.id)
        .join(ProtocolRow, ProtocolRow.id == Run.protocol_id)
        .where(Run.id.in_(run_ids), Run.public, is_ranked())
    )
    rows = session.execute(query.distinct().order_by(Model.slug, ProtocolRow.slug)).all()
    of_model = {slug: tuple(group) for slug, group in groupby(rows, key=lambda row: row.slug)}
    return {slug: ShownModel(group[0].said, tuple(row.protocol for row in group)) for slug, group in of_model.items()}


def model_and_protocol_slugs(session: Session, model_id: int, protocol_id: int) -> tuple[str, str]:
    """Return the slugs of a model and a protocol."""
    return session.get_one(Model, model_id).slug, session.get_one(ProtocolRow, protocol_id).slug


def has_public_run(session: Session, model_id: int) -> bool:
    """Return whether a model has a public run."""
    return session.scalar(select(Run.id).where(Run.model_id == model_id, Run.public).limit(1)) is not None
