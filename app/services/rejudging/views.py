"""Views of rejudgings for maintainers, on their page and on the command line."""

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from app.db.kernel.session import Session
from app.db.rejudging import proposals as store
from app.db.rejudging.proposals import LeftOverAnswer
from app.db.tables import Rejudging
from app.domain.errors import NotFound
from app.domain.rejudging.scope import APPROVALS
from app.domain.states import RejudgedState, RejudgingState
from app.services.rejudging import rejudge
from app.services.rejudging.rejudge import CommitRequirement

_MAX_LEFT_OVER = 20


@dataclass(frozen=True, slots=True)
class RejudgingLine:
    """A rejudging in a list."""

    id: int
    scope: str
    reason: str
    actor: str
    state: str
    since: datetime
    waiting: int
    judged: int
    left_over: int


@dataclass(frozen=True, slots=True)
class RejudgingView:
    """One rejudging in full. `answers` is the number it takes, or would take now if it is only proposed.

    `test_set` would come into use with it. A predicted one that is not `worthwhile` would change nothing and can only
    be dropped.
    """

    line: RejudgingLine
    answers: int
    left: tuple[LeftOverAnswer, ...]
    predicted: Mapping[str, Any] | None
    actual: Mapping[str, Any] | None
    demand: CommitRequirement | None
    test_set: int | None = None
    worthwhile: bool = True
    needed: int = APPROVALS


def list_rejudgings(session: Session, limit: int = 100) -> tuple[RejudgingLine, ...]:
    """Return the last rejudgings, those that wait for a decision first."""
    return tuple(_line(session, row) for row in store.newest(session, limit))


def view(session: Session, rejudging_id: int) -> RejudgingView:
    """Return one rejudging. Raises NotFound."""
    row = session.get(Rejudging, rejudging_id) if 0 < rejudging_id <= rejudge.LARGEST_ID else None
    if row is None:
        raise NotFound(f"there is no rejudging {rejudging_id}")
    line, proposed = _line(session, row), row.state == RejudgingState.PROPOSED
    answers, predicted = line.waiting + line.judged + line.left_over, row.state == RejudgingState.PREDICTED
    return RejudgingView(
        line=line,
        answers=rejudge.count_in_scope(session, rejudge.scope_of(row)) if proposed else answers,
        left=tuple(store.left_over(session, row.id, _MAX_LEFT_OVER)),
        predicted=row.predicted,
        actual=row.actual,
        demand=rejudge.demand(session, row) if predicted else None,
        test_set=rejudge.scope_of(row).test_set,
        worthwhile=not predicted or rejudge.changes_something(session, row),
    )


def view_json(view: RejudgingView) -> dict[str, Any]:
    """Return the view as JSON; the words to type belong to this very prediction."""
    line = asdict(view.line)
    line["since"] = view.line.since.isoformat()
    demand = view.demand if view.worthwhile else None
    return {
        **line,
        "answers": view.answers,
        "test_set": view.test_set,
        "worthwhile": view.worthwhile,
        "predicted": view.predicted,
        "actual": view.actual,
        "confirm": None if demand is None else demand.words,
        "needs": None if demand is None else demand.rule,
        "approved_by": [] if demand is None else [approval.email for approval in demand.approvals],
    }


@dataclass(frozen=True, slots=True)
class Proposal:
    """Tests that wait in a rejudging instead of being in use, and the page where a maintainer decides on it."""

    id: int
    state: str
    problem: str
    test_set: int
    where: str


def proposals(session: Session, test_sets: Collection[int]) -> tuple[Proposal, ...]:
    """Return the open rejudgings that would put one of these test sets in use."""
    ids, lines = frozenset(test_sets), []
    for row in store.open_with_tests(session):
        scope = rejudge.scope_of(row)
        if scope.test_set is not None and scope.test_set in ids:
            lines.append(Proposal(row.id, row.state, scope.name, scope.test_set, f"/ops/rejudging/{row.id}"))
    return tuple(lines)


def _line(session: Session, row: Rejudging) -> RejudgingLine:
    states = store.progress(session, row.id)
    return RejudgingLine(
        id=row.id,
        scope=str(rejudge.scope_of(row)),
        reason=row.reason,
        actor=row.actor,
        state=row.state,
        since=row.state_since,
        waiting=states[RejudgedState.WAITING],
        judged=states[RejudgedState.JUDGED],
        left_over=states[RejudgedState.LEFT_OVER],
    )
