"""Previews: the row of a private or embargoed order as its board would have it, for its owner alone."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from app.db.boards import cells, hidden_runs
from app.db.kernel.session import Session
from app.db.tables import ProtocolRow, Run
from app.db.tables import Submission as SubmissionRow
from app.domain.boards.board import Board, BoardQuery, BoardRow
from app.domain.boards.lineup import Lineup
from app.domain.boards.named_boards import board_of
from app.domain.boards.ranking import rank_board
from app.domain.errors import Conflict
from app.domain.states import SubmissionState
from app.domain.windows import Window
from app.services.boards.cubes import CubeStore
from app.services.vendors import submissions


@dataclass(frozen=True, slots=True)
class PreviewRow:
    """A row as it would stand now: score and interval in percent, and the range of its rank."""

    score: float | None
    ci_lo: float | None
    ci_hi: float | None
    rank: int | None
    rank_lo: int | None
    rank_hi: int | None
    unranked: Annotated[str | None, Field(description="why it would have no rank: exposed, provisional, ...")]
    problems: int
    wanted: int
    coverage: Annotated[float, Field(description="judged over wanted answers, 0 to 1")]
    exposed: Annotated[int, Field(description="wanted problems that the model may have seen")]


@dataclass(frozen=True, slots=True)
class OrderPreview:
    """The row of an order that is not on a board, among the rows that are."""

    object: Literal["preview"]
    submission: str
    model: str
    configuration: str
    board: str
    protocol: str
    window: Annotated[str, Field(description="release days of the order, first to last; the row is measured in them")]
    public_from: Annotated[datetime | None, Field(description="the end of the embargo; null for a private order")]
    rows: Annotated[int, Field(description="ranked rows of the board in this window, this one included")]
    row: Annotated[PreviewRow | None, Field(description="null while nothing of it is counted")]


def preview_order(session: Session, organisation_id: int, public_id: str, cubes: CubeStore) -> OrderPreview:
    """Return the row of a private or embargoed order.

    Raises NotFound, and Conflict for an order whose row is public, whose scenario has no board, or that is not judged.
    """
    order = submissions.find_own(session, organisation_id, public_id)
    run = _previewed_run(session, order)
    row = session.get_one(ProtocolRow, run.protocol_id)
    protocol = cells.protocol(session, row.slug)
    name = None if protocol is None else board_of(protocol.protocol)
    if protocol is None or name is None:
        raise Conflict(f"nothing is ranked under {row.slug}, so there is no row to preview")
    fact = hidden_runs.hidden_run(session, protocol, run.id)
    loaded = cubes.load(session, protocol)
    same = (fact.model, fact.configuration, fact.language)
    others = [each for each in loaded.runs if (each.model, each.configuration, each.language) != same]
    cube = loaded.cube.with_axes(loaded.problems, [*loaded.runs, fact])
    cube = cube.with_cells(iter(hidden_runs.cells_of_run(session, run.id)), loaded.revision)
    window = Window(
        order.window_start.date() if order.window_start else None,
        order.window_end.date() if order.window_end else None,
    )
    query = BoardQuery(board=name, protocol=protocol.slug, window=window)
    with cubes.ranking_slot():
        board = rank_board(cube, Lineup.of([*others, fact]), query, wanted=loaded.wanted, samples=loaded.samples)
    return OrderPreview(
        object="preview",
        submission=order.public_id,
        model=fact.model,
        configuration=fact.configuration,
        board=name,
        protocol=protocol.slug,
        window=f"{window.start or ''}/{window.end or ''}",
        public_from=order.embargo_until if order.visibility == "public" else None,
        rows=sum(each.rank is not None for each in board.rows),
        row=_find_row(board, run.id),
    )


def _previewed_run(session: Session, order: SubmissionRow) -> Run:
    hidden = order.state == SubmissionState.EMBARGOED or (
        order.visibility == "private" and order.state == SubmissionState.PUBLISHED
    )
    run = None if order.run_id is None else session.get_one(Run, order.run_id)
    if not hidden or run is None:
        where = "its row is on the board" if order.state == SubmissionState.PUBLISHED else "it is not judged yet"
        raise Conflict(f"the submission is {order.state}: {where}; only a judged one that is hidden has a preview")
    return run


def _find_row(board: Board, run_id: int) -> PreviewRow | None:
    found: BoardRow | None = next((row for row in board.rows if row.run == run_id), None)
    if found is None:
        return None
    return PreviewRow(
        found.score, found.ci_lo, found.ci_hi, found.rank, found.rank_lo, found.rank_hi, found.unranked,
        found.n_problems, found.wanted, found.coverage, found.exposed,
    )  # fmt: skip
