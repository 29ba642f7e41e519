"""The public ledger, newest first: additions, withdrawals, rescorings, edits and snapshots."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from app.db.kernel.session import Session
from app.db.operations import ledger as store
from app.domain.errors import InvalidInput
from app.services.boards.score_changes import SCORE_CHANGED
from app.services.runs.announcements import SCORE_ADDED

__all__ = [
    "MODEL_ADDED",
    "PROBLEM_ADDED",
    "SCORE_ADDED",
    "SCORE_CHANGED",
    "PublicChange",
    "changes",
    "kinds",
    "newest_id",
]

PROBLEM_ADDED, MODEL_ADDED = "problem.added", store.MODEL_ADDED
_MODEL_KINDS = ("model", "score")
_MAX_NAME_CHARS = 300


@dataclass(frozen=True, slots=True)
class PublicChange:
    """One line; `name` is its subject's title or name, if known."""

    id: int
    at: datetime
    kind: str
    subject: str
    name: str | None
    reason: str
    before: Any
    after: Any

    @property
    def about(self) -> str:
        """Kind of the subject: problem, model, snapshot, or one that a later version may add."""
        return _about(self.kind)


def changes(
    session: Session, before: int | None, limit: int, *, kinds: Collection[str] = (), subject: str | None = None
) -> list[PublicChange]:
    """Return a page of the ledger. Raises InvalidInput for an impossible kind or subject."""
    for name, values in (("kind", kinds), ("subject", () if subject is None else (subject,))):
        if any(not value or len(value) > _MAX_NAME_CHARS or not value.isprintable() for value in values):
            raise InvalidInput(f"{name} is too long or has characters that are not allowed", pointer=f"/{name}")
    rows = store.page(session, before, limit, kinds=kinds, subject=subject)
    subjects = {about: {row.subject for row in rows if _about(row.kind) == about} for about in ("problem", "model")}
    names = {
        "problem": store.problem_titles(session, subjects["problem"]),
        "model": store.model_names(session, subjects["model"]),
    }
    return [
        PublicChange(
            row.id, row.at, row.kind, row.subject, names.get(_about(row.kind), {}).get(row.subject), row.reason,
            row.before, row.after,
        )
        for row in rows
    ]  # fmt: skip


def _about(kind: str) -> str:
    subject = kind.partition(".")[0]
    return "model" if subject in _MODEL_KINDS else subject


def kinds(session: Session) -> Mapping[str, int]:
    """Return the kinds that the ledger has lines of, with their counts."""
    return store.counts(session)


def newest_id(session: Session, kinds: Collection[str] = ()) -> int:
    """Return the number of the last line; it grows with every line of these kinds."""
    return store.newest(session, kinds)
