"""The public ledger has before and after of every score that moves otherwise than by answers that come.

Rows of the whole board of each protocol are remembered as they stood last. What moves them is in the ledger already,
written by whoever did it; here somebody looks what became of it.
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
from app.services.boards.cubes import CubeStore
from app.services.runs.models import SLUG

SCORE_CHANGED: Final = "score.changed"
METHODS_CHANGED: Final = "methods.changed"
Place = Mapping[str, Any]
_LONGEST_REASON = 500
# Lines of files; what they bring is no change, and what they change for others' rows is a rank.
_ADDED = frozenset({"model.added", "score.added"})
_OF_ROWS_THERE = frozenset({"model.cutoff", "score.withdrawn"})


def announce_methods(session: Session, at: datetime) -> None:
    """Add a line to the ledger for each revision of the methods since the one that boards were last shown by."""
    shown = revision.record_methods(session, len(METHODS))
    for sentence in list(METHODS.values())[shown:]:
        logs.ledger(session, at, METHODS_CHANGED, "boards", sentence)


def causes(session: Session) -> list[int]:
    """What may have moved scores since somebody looked; to be asked before cells are brought up to date."""
    return store.causes(session)


def look(session: Session, cubes: CubeStore, causes: Sequence[int], at: datetime) -> int:
    """Tell what these causes moved, now that cells are up to date; returns how many rows. What rows gained otherwise
    is remembered without a word.

    Nothing is told where others look, or another cause may be in what boards show: whoever looks next does.
    """
    if not store.take_turn(session):
        return 0
    # A protocol whose last row is gone has no board any more, and a line for that row.
    boards: dict[tuple[int, str], Mapping[Key, Place]] = {known: {} for known in store.protocols(session)}
    facts = {(fact.id, fact.slug): fact for fact in cells.protocols(session)}
    # To make cubes for boards without rows would take seconds of a new installation, which has better uses for them.
    judged = store.judged(session, [protocol_id for protocol_id, slug in facts if (protocol_id, slug) not in boards])
    boards |= {
        name: _places(cubes.whole_board(cubes.load(session, fact)))
        for name, fact in facts.items()
        if name in boards or fact.id in judged
    }
    if not set(store.causes(session)) <= set(causes):
        return 0
    effects = _Effects(session, store.take(session, causes))
    told = 0
    for (protocol_id, slug), now in boards.items():
        before = store.known(session, protocol_id)
        changed = {key: now.get(key) for key in {*before, *now} if before.get(key) != now.get(key)}
        for key in sorted(changed):
            told += _tell(session, slug, key, before.get(key), changed[key], effects, at)
        store.write(session, protocol_id, changed)
    return told


def _places(board: Board) -> dict[Key, Place]:
    return {(row.model, row.configuration): _place(row) for row in board.rows}


def _place(row: BoardRow) -> Place:
    return {
        "run": row.run,
        "trial": row.fact.trial,
        "score": None if row.score is None else round(row.score, 4),
        "rank": row.rank,
        "problems": row.n_problems,
        "coverage": round(row.coverage, 4),
    }


class _Effects:
    """What may have moved a row, of the lines that are looked at."""

    def __init__(self, session: Session, lines: Sequence[LedgerEntry]) -> None:
        self._session, self.lines = session, lines
        # A wide scope of a rejudging is no problem's name, and nothing has results on it.
        self._runs = {line.subject: store.runs_of(session, line.subject) for line in lines if "/" in line.subject}
        # Of a file with many models one line says all that others hear of it.
        self._of_file = {line.reason: line.id for line in lines if line.kind in _ADDED}

    def on(self, protocol: str, key: Key, before: Place | None, after: Place | None) -> Iterator[LedgerEntry]:
        """Those that may have moved this row: about its model, a problem that it has results on, or about everything.
        Ranks are taken and lost by problems that it lacks too, by files beside its own, and by what becomes of other
        configurations of its model; a row that was not there comes by a void, or with its problems."""
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
            elif line.kind in _ADDED:
                first = self._of_file[line.reason] == line.id
                applies = first and stayed and bool(store.of_files(self._session, runs))
            else:
                named = line.before if isinstance(line.before, dict) else {}
                lets_in = stayed and line.kind == "score.voided"  # another configuration among the eight
                applies = line.subject == key[0] and all(
                    named.get(name, value) == value
                    for name, value in about.items()
                    if not (lets_in and name == "configuration")
                )
            if applies and (before is not None or line.kind not in _OF_ROWS_THERE):
                yield line

    def of_trials(self, model: str) -> str:
        """Why another trial stands, or none."""
        return store.why_another_trial(self._session, model) or "another trial stands"


def _tell(
    session: Session, protocol: str, key: Key, before: Place | None, after: Place | None, effects: _Effects,
    at: datetime,
) -> bool:  # fmt: skip
    """A line about a row whose score, rank for good, or trial is another one; False where nothing is to be told."""
    model, configuration = key
    if _essence(before) == _essence(after):
        return False
    lines = list(effects.on(protocol, key, before, after))
    if not lines and (before is None or (after is not None and after["run"] == before["run"])):
        return False  # by answers, or by problems that came
    none = dict.fromkeys(before or after or ())
    reasons = dict.fromkeys(line.reason for line in lines) or {effects.of_trials(model): None}
    about = {"protocol": protocol, "configuration": configuration}
    because = [{"line": line.id, "kind": line.kind, "subject": line.subject} for line in lines]
    logs.ledger(
        session, at, SCORE_CHANGED, model, "; ".join(reasons)[:_LONGEST_REASON], {**about, **(before or none)},
        {**about, **(after or none), "because": because},
    )  # fmt: skip
    return True


def _basis(place: Place) -> tuple[Any, ...]:
    """What a row's score is made of, as far as it is remembered."""
    return place["run"], place["problems"], place["coverage"]


def _essence(place: Place | None) -> tuple[Any, ...] | None:
    """What makes a line: others' moves shift ranks by a few, and are told of those others."""
    return None if place is None else (place["run"], place["score"], place["rank"] is None)
