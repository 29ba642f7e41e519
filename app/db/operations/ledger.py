"""Reading the public ledger: pages of it, its kinds, and what its subjects are called."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import groupby

from sqlalchemy import func, select

from app.db.kernel.session import Session
from app.db.runs.runs import is_ranked
from app.db.tables import LedgerEntry, Model, Problem, ProtocolRow, Run, Source

MODEL_ADDED = "model.added"


def page(
    session: Session, before: int | None, limit: int, *, kinds: Collection[str] = (), subject: str | None = None
) -> list[LedgerEntry]:
    """Lines newest first, older than the one with the number `before`."""
    query = select(LedgerEntry)
    if before is not None:
        query = query.where(LedgerEntry.id < before)
    if kinds:
        query = query.where(LedgerEntry.kind.in_(kinds))
    if subject is not None:
        query = query.where(LedgerEntry.subject == subject)
    return list(session.scalars(query.order_by(LedgerEntry.id.desc()).limit(limit)))


def counts(session: Session) -> dict[str, int]:
    """How many lines there are of each kind."""
    lines = func.count().label("lines")
    rows = session.execute(select(LedgerEntry.kind, lines).group_by(LedgerEntry.kind).order_by(LedgerEntry.kind))
    return {row.kind: row.lines for row in rows}


def newest(session: Session, kinds: Collection[str]) -> int:
    """The number of the last line of these kinds, of all of them when none is given; 0 where there is none."""
    query = select(func.max(LedgerEntry.id))
    return session.scalar(query.where(LedgerEntry.kind.in_(kinds)) if kinds else query) or 0


def problem_titles(session: Session, subjects: Iterable[str]) -> dict[str, str]:
    """The titles of problems named as `source/external id`."""
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
    """The names of models."""
    if not slugs:
        return {}
    rows = session.execute(select(Model.slug, Model.name).where(Model.slug.in_(slugs)))
    return {row.slug: row.name for row in rows}


def last_run(session: Session) -> int:
    """The number of the newest run; runs made later have higher ones."""
    return session.scalar(select(func.max(Run.id))) or 0


@dataclass(frozen=True, slots=True)
class ShownModel:
    """A model of public runs: whether a line says already that it was added, and the runs' protocols."""

    said: bool
    protocols: tuple[str, ...]


def shown_models(session: Session, run_ids: Collection[int]) -> dict[str, ShownModel]:
    """The models of these runs that are public."""
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
    of_model = {slug: tuple(found) for slug, found in groupby(rows, key=lambda row: row.slug)}
    return {slug: ShownModel(found[0].said, tuple(row.protocol for row in found)) for slug, found in of_model.items()}


def ordered(session: Session, model_id: int, protocol_id: int) -> tuple[str, str]:
    """What a model and a protocol are called in addresses."""
    return session.get_one(Model, model_id).slug, session.get_one(ProtocolRow, protocol_id).slug


def is_shown(session: Session, model_id: int) -> bool:
    """Whether a model is anybody's business: it has a public run."""
    return session.scalar(select(Run.id).where(Run.model_id == model_id, Run.public).limit(1)) is not None
