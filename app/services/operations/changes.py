"""The public ledger, newest first: additions, withdrawals, rescorings, edits and snapshots."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from app.db.kernel.session import Session
from app.db.operations import ledger as store
from app.db.tables import LedgerEntry
from app.domain.errors import InvalidInput
from app.services.boards.score_changes import SCORE_CHANGED
from app.services.runs.announcements import SCORE_ADDED

__all__ = [
    "MODEL_ADDED",
    "PROBLEM_ADDED",
    "RANK_MOVED",
    "SCORE_ADDED",
    "SCORE_CHANGED",
    "ChangeWeek",
    "PublicChange",
    "change_weeks",
    "changes",
    "kinds",
    "newest_id",
]

PROBLEM_ADDED, MODEL_ADDED, RANK_MOVED = "problem.added", store.MODEL_ADDED, store.RANK_MOVED
# What readers look for first comes first; kinds that are not here follow by name.
_WEEK_ORDER = (
    RANK_MOVED, "methods.changed", "model.cutoff", "model.contamination", SCORE_CHANGED, "score.withdrawn",
    "score.voided", "rescored", "problem.withdrawn", MODEL_ADDED, PROBLEM_ADDED, SCORE_ADDED,
)  # fmt: skip
_MODEL_KINDS = ("model", "score")
_MAX_NAME_CHARS = 300


@dataclass(frozen=True, slots=True)
class PublicChange:
    """One line; `name` is its subject's title or name, if known, and `cause_names` those of its causes' subjects."""

    id: int
    at: datetime
    kind: str
    subject: str
    name: str | None
    reason: str
    before: Any
    after: Any
    cause_names: Mapping[str, str] = field(default_factory=dict)

    @property
    def about(self) -> str:
        """Kind of the subject: problem, model, snapshot, or one that a later version may add."""
        return _about(self.kind)


@dataclass(frozen=True, slots=True)
class ChangeWeek:
    """The changes of the week from a Monday (UTC) on: their numbers by kind, and the newest ones of each kind."""

    monday: date
    counts: Mapping[str, int]
    newest: Mapping[str, tuple[PublicChange, ...]]


def changes(
    session: Session,
    before: int | None,
    limit: int,
    *,
    kinds: Collection[str] = (),
    subject: str | None = None,
    week: date | None = None,
) -> list[PublicChange]:
    """Return a page of the ledger. Raises InvalidInput for an impossible kind or subject."""
    for name, values in (("kind", kinds), ("subject", () if subject is None else (subject,))):
        if any(not value or len(value) > _MAX_NAME_CHARS or not value.isprintable() for value in values):
            raise InvalidInput(f"{name} is too long or has characters that are not allowed", pointer=f"/{name}")
    return _public_changes(session, store.page(session, before, limit, kinds=kinds, subject=subject, week=week))


def change_weeks(
    session: Session, until: date | None, limit: int, per_kind: int
) -> tuple[tuple[ChangeWeek, ...], date | None]:
    """Return the weeks with changes, newest first, up to that of the Monday `until`, and the Monday that follows them.

    Each holds at most `per_kind` lines of a kind.
    """
    counts: dict[date, dict[str, int]] = {}
    for count in store.week_counts(session):
        if until is None or count.week <= until:
            counts.setdefault(count.week, {})[count.kind] = count.lines
    mondays = list(counts)
    shown, following = mondays[:limit], mondays[limit : limit + 1]
    rows = store.newest_of_weeks(session, shown[-1], shown[0], per_kind) if shown else []
    public = _public_changes(session, [row for _, _, row in rows])
    lines: dict[tuple[date, str], list[PublicChange]] = {}
    for (monday, kind, _), change in zip(rows, public, strict=True):
        lines.setdefault((monday, kind), []).append(change)
    weeks = (
        ChangeWeek(
            monday,
            counts={kind: counts[monday][kind] for kind in _in_week_order(counts[monday])},
            newest={kind: tuple(lines[monday, kind]) for kind in _in_week_order(counts[monday])},
        )
        for monday in shown
    )
    return tuple(weeks), next(iter(following), None)


def _in_week_order(kinds: Iterable[str]) -> list[str]:
    return sorted(
        kinds, key=lambda kind: (kind not in _WEEK_ORDER, kind in _WEEK_ORDER and _WEEK_ORDER.index(kind), kind)
    )


def _public_changes(session: Session, rows: Collection[LedgerEntry]) -> list[PublicChange]:
    """Return lines with the names of their subjects, and of the subjects of what caused them."""
    causes = {row.id: [(_about(cause["kind"]), cause["subject"]) for cause in _causes(row)] for row in rows}
    subjects = {(_about(row.kind), row.subject) for row in rows}.union(*causes.values())
    names = {
        "problem": store.problem_titles(session, {name for about, name in subjects if about == "problem"}),
        "model": store.model_names(session, {name for about, name in subjects if about == "model"}),
    }

    def name_of(about: str, subject: str) -> str | None:
        return names.get(about, {}).get(subject)

    return [
        PublicChange(
            row.id, row.at, row.kind, row.subject, name_of(_about(row.kind), row.subject), row.reason,
            row.before, row.after,
            {subject: name for about, subject in causes[row.id] if (name := name_of(about, subject)) is not None},
        )
        for row in rows
    ]  # fmt: skip


def _causes(row: LedgerEntry) -> Iterable[Mapping[str, str]]:
    after: Any = row.after
    return after["because"] if row.kind == SCORE_CHANGED else ()


def _about(kind: str) -> str:
    subject = kind.partition(".")[0]
    return "model" if subject in _MODEL_KINDS else subject


def kinds(session: Session) -> Mapping[str, int]:
    """Return the kinds that the ledger has lines of, with their counts."""
    return store.counts(session)


def newest_id(session: Session, kinds: Collection[str] = ()) -> int:
    """Return the number of the last line; it grows with every line of these kinds."""
    return store.newest(session, kinds)
