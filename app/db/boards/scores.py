"""Places of public rows at the last check, and the ledger lines that may have moved them since."""

from collections.abc import Collection, Mapping
from typing import Any

from sqlalchemy import delete, select, text, tuple_, union
from sqlalchemy.dialects.postgresql import insert

from app.db.boards.run_registrations import is_of_file
from app.db.kernel.session import Session
from app.db.tables import (
    CellRow,
    ImportedResult,
    LedgerEntry,
    Problem,
    ProtocolRow,
    PublicScore,
    Run,
    Sample,
    ScoreCause,
    Source,
)

# By model and configuration.
Key = tuple[str, str]
_TRIALS = ("model.added", "score.added", "score.voided", "score.withdrawn")


def try_lock_scores(session: Session) -> bool:
    """Try to lock the check of scores until the transaction ends; return False if another process has the lock."""
    return bool(session.scalar(text("SELECT pg_try_advisory_xact_lock(hashtext('public_scores'))")))


def causes(session: Session) -> list[int]:
    """Return the ledger lines whose effect has not been checked."""
    return list(session.scalars(select(ScoreCause.line_id).order_by(ScoreCause.line_id)))


def take_causes(session: Session, line_ids: Collection[int]) -> list[LedgerEntry]:
    """Take those of these lines that no other process has taken, and return their ledger entries."""
    taken_ids = session.scalars(
        delete(ScoreCause).where(ScoreCause.line_id.in_(line_ids)).returning(ScoreCause.line_id)
    )
    return list(
        session.scalars(select(LedgerEntry).where(LedgerEntry.id.in_(taken_ids.all())).order_by(LedgerEntry.id))
    )


def runs_of(session: Session, problem: str) -> frozenset[int]:
    """Return the runs with any result on a problem, named as `source/external id`, whether it counts or not."""
    source, _, name = problem.partition("/")
    own = select(Problem.id).join(Source, Source.id == Problem.source_id)
    ids = own.where(Source.slug == source, Problem.external_id == name).scalar_subquery()
    runs = (select(table.run_id).where(table.problem_id == ids) for table in (Sample, ImportedResult))
    return frozenset(session.scalars(union(*runs)))


def runs_of_files(session: Session, run_ids: Collection[int]) -> frozenset[int]:
    """Return those of these runs that came from files, as results or as recorded answers."""
    return frozenset(session.scalars(select(Run.id).where(Run.id.in_(run_ids), is_of_file())))


def last_trial_reason(session: Session, model: str) -> str | None:
    """Return the reason of the ledger's last line about the trials of a model."""
    query = select(LedgerEntry.reason).where(LedgerEntry.subject == model, LedgerEntry.kind.in_(_TRIALS))
    return session.scalar(query.order_by(LedgerEntry.id.desc()).limit(1))


def protocols(session: Session) -> list[tuple[int, str]]:
    """Return the protocols, by id and slug, that had rows at the last check."""
    query = select(ProtocolRow.id, ProtocolRow.slug).where(ProtocolRow.id.in_(select(PublicScore.protocol_id)))
    return [(row.id, row.slug) for row in session.execute(query.order_by(ProtocolRow.id))]


def judged_protocols(session: Session, protocol_ids: Collection[int]) -> frozenset[int]:
    """Return those of these protocols under which a public run has any result."""
    result = select(CellRow.run_id).where(CellRow.run_id == Run.id, CellRow.n > 0).limit(1).scalar_subquery()
    query = select(Run.protocol_id).where(Run.protocol_id.in_(protocol_ids), Run.public, result.is_not(None))
    return frozenset(session.scalars(query.distinct()))


def stored_places(session: Session, protocol_id: int) -> dict[Key, Mapping[str, Any]]:
    """Return the stored places of a protocol's rows."""
    rows = session.execute(
        select(PublicScore.model, PublicScore.configuration, PublicScore.place).where(
            PublicScore.protocol_id == protocol_id
        )
    )
    return {(row.model, row.configuration): row.place for row in rows}


def write(session: Session, protocol_id: int, places: Mapping[Key, Mapping[str, Any] | None]) -> None:
    """Store the present places of these rows; None removes a row."""
    removed = [key for key, place in places.items() if place is None]
    columns = tuple_(PublicScore.model, PublicScore.configuration)
    session.execute(delete(PublicScore).where(PublicScore.protocol_id == protocol_id, columns.in_(removed)))
    rows = [
        {"protocol_id": protocol_id, "model": model, "configuration": configuration, "place": dict(place)}
        for (model, configuration), place in places.items()
        if place is not None
    ]
    if rows:
        new = insert(PublicScore)
        session.execute(
            new.on_conflict_do_update(
                index_elements=["protocol_id", "model", "configuration"], set_={"place": new.excluded.place}
            ),
            rows,
        )
