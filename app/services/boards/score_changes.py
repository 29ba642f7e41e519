"""Entries of the public ledger for scores that move for another reason than new answers, with before and after.

The rows of each protocol's default board are stored as they last stood. The cause of a move is in the ledger already;
this module finds its effects.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from app.db.boards import cells
from app.db.boards import scores as store
from app.db.boards.scores import Key
from app.db.kernel import logs, revision
from app.db.kernel.session import Session
from app.db.tables import LedgerEntry
from app.domain.boards.board import Board, BoardRow
from app.domain.methods import METHODS
from app.domain.reasons import Reason, join_reasons
from app.services.boards.cubes import CubeStore
from app.services.runs.models import SLUG

SCORE_CHANGED: Final = "score.changed"
METHODS_CHANGED: Final = "methods.changed"
RowRecord = Mapping[str, Any]
_MAX_REASON_CHARS = 500
# Lines of imported files: their own results are no change, and they change only the ranks of other rows.
_ADDED_KINDS = frozenset({"model.added", "score.added"})
_KINDS_OF_EXISTING_ROWS = frozenset({"model.cutoff", "score.withdrawn"})


def announce_methods(session: Session, at: datetime) -> None:
    """Add a line to the ledger for each revision of the methods since the one that boards were last shown by."""
    shown = revision.record_methods(session, len(METHODS))
    for name in list(METHODS)[shown:]:
        logs.write_ledger(session, at, METHODS_CHANGED, "boards", Reason(name))


def causes(session: Session) -> list[int]:
    """Return the ledger lines that may have moved scores since the last look; call it before cells are updated."""
    return store.causes(session)


def announce_score_changes(session: Session, cubes: CubeStore, causes: Sequence[int], at: datetime) -> int:
    """Log the rows that these causes moved, now that cells are up to date, and return their number.

    Other changes of rows are stored without a line. Nothing is logged while another process does this, or while boards
    may show a later cause: the next call does it.
    """
    if not store.try_lock_scores(session):
        return 0
    # A protocol whose last row is gone has no board, but that row still needs its line.
    boards: dict[tuple[int, str], Mapping[Key, RowRecord]] = {
        protocol_key: {} for protocol_key in store.protocols(session)
    }
    facts = {(fact.id, fact.slug): fact for fact in cells.protocols(session)}
    # Cubes for boards without rows would cost a new installation seconds.
    judged = store.judged_protocols(
        session, [protocol_id for protocol_id, slug in facts if (protocol_id, slug) not in boards]
    )
    boards |= {
        name: _row_records(cubes.default_board(cubes.load(session, fact)))
        for name, fact in facts.items()
        if name in boards or fact.id in judged
    }
    if not set(store.causes(session)) <= set(causes):
        return 0
    effects = _ScoreCauses(session, store.take_causes(session, causes))
    logged = 0
    for (protocol_id, slug), current in boards.items():
        before = store.stored_places(session, protocol_id)
        changed = {key: current.get(key) for key in {*before, *current} if before.get(key) != current.get(key)}
        for key in sorted(changed):
            logged += _log_change(session, slug, key, before.get(key), changed[key], effects, at)
        store.write(session, protocol_id, changed)
    return logged


def _row_records(board: Board) -> dict[Key, RowRecord]:
    return {(row.model, row.configuration): _row_record(row) for row in board.rows}


def _row_record(row: BoardRow) -> RowRecord:
    return {
        "run": row.run,
        "trial": row.fact.trial,
        "score": None if row.score is None else round(row.score, 4),
        "rank": row.rank,
        "problems": row.n_problems,
        "coverage": round(row.coverage, 4),
    }


class _ScoreCauses:
    """Ledger lines under review, and which rows they may have moved."""

    def __init__(self, session: Session, lines: Sequence[LedgerEntry]) -> None:
        self._session, self.lines = session, lines
        # A wide scope of a rejudging names no problem, so no run has results on it.
        self._runs = {line.subject: store.runs_of(session, line.subject) for line in lines if "/" in line.subject}
        # For other models' rows the first line of a file stands for all of its lines.
        self._of_file = {line.reason: line.id for line in lines if line.kind in _ADDED_KINDS}

    def for_row(
        self, protocol: str, key: Key, before: RowRecord | None, after: RowRecord | None
    ) -> Iterator[LedgerEntry]:
        """Yield the lines that may have moved this row: about its model, a problem it has results on, or everything.

        Ranks also move by problems that the row lacks, by files beside its own, and by other configurations of its
        model. A new row comes from a void, or with its problems.
        """
        stayed = before is not None and after is not None and after["score"] == before["score"]
        runs = {place["run"] for place in (before, after) if place is not None}
        about = {"protocol": protocol, "configuration": key[1]}
        for line in self.lines:
            of_problem = self._runs.get(line.subject)
            if of_problem:
                applies = stayed or not runs.isdisjoint(of_problem)
            elif line.kind == "rescored" and not SLUG.fullmatch(line.subject):
                applies = True  # a wide scope, in words
            elif line.kind == METHODS_CHANGED:
                applies = before is not None and after is not None and _basis(before) == _basis(after)
            elif line.kind in _ADDED_KINDS:
                first = self._of_file[line.reason] == line.id
                applies = first and stayed and bool(store.runs_of_files(self._session, runs))
            else:
                named = line.before if isinstance(line.before, dict) else {}
                lets_in = stayed and line.kind == "score.voided"  # frees a place among the model's eight configurations
                applies = line.subject == key[0] and all(
                    named.get(name, value) == value
                    for name, value in about.items()
                    if not (lets_in and name == "configuration")
                )
            if applies and (before is not None or line.kind not in _KINDS_OF_EXISTING_ROWS):
                yield line

    def trial_reason(self, model: str) -> str:
        """Return why another trial stands."""
        return store.last_trial_reason(self._session, model) or Reason("another_trial")


def _log_change(
    session: Session, protocol: str, key: Key, before: RowRecord | None, after: RowRecord | None, effects: _ScoreCauses,
    at: datetime,
) -> bool:  # fmt: skip
    """Log a line about a row if its score, its trial or its having a rank changed; return False if no line is due."""
    model, configuration = key
    if _reported_facts(before) == _reported_facts(after):
        return False
    lines = list(effects.for_row(protocol, key, before, after))
    if not lines and (before is None or (after is not None and after["run"] == before["run"])):
        return False  # by new answers or new problems
    none = dict.fromkeys(before or after or ())
    reasons = dict.fromkeys(line.reason for line in lines) or {effects.trial_reason(model): None}
    about = {"protocol": protocol, "configuration": configuration}
    because = [{"line": line.id, "kind": line.kind, "subject": line.subject} for line in lines]
    logs.write_ledger(
        session, at, SCORE_CHANGED, model, join_reasons(reasons, _MAX_REASON_CHARS), {**about, **(before or none)},
        {**about, **(after or none), "because": because},
    )  # fmt: skip
    return True


def _basis(place: RowRecord) -> tuple[Any, ...]:
    """Return the remembered facts that a row's score is made of."""
    return place["run"], place["problems"], place["coverage"]


def _reported_facts(place: RowRecord | None) -> tuple[Any, ...] | None:
    """Return the facts whose change makes a line; ranks also shift by others' moves, which have lines of their own."""
    return None if place is None else (place["run"], place["score"], place["rank"] is None)
