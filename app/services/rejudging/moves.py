"""Moves of boards when verdicts are replaced: the boards' own functions over the cube with other cells."""

from collections.abc import Sequence
from typing import Any

from app.db.boards import cells
from app.db.kernel.session import Session
from app.db.rejudging import flips as rejudged
from app.db.rejudging import proposals
from app.domain.boards.ranking import rank_board
from app.domain.cube.facts import Cell
from app.domain.rejudging.scope import (
    Cells,
    Flip,
    SampleVerdicts,
    board_moves,
    cells_of,
    changes_of,
    digest_of,
    flips_of,
    lost_of,
    moves_json,
)
from app.domain.scenarios import unranked_scenarios
from app.domain.states import RejudgedState
from app.services.boards.cubes import CubeStore, LoadedProtocol


def predict_moves(
    session: Session, cubes: CubeStore, rejudging_id: int, test_set_id: int | None = None
) -> dict[str, Any]:
    """Return what a commit would change now: verdicts, and every row that would move on its board's default view.

    With a test set: if that were in use then.
    """
    facts = list(rejudged.facts(session, rejudging_id, test_set_id))
    flips, lost = flips_of(facts), {fact.protocol for fact in facts if fact.is_lost}
    effect = _board_moves(session, cubes, cells_of(facts, then=False), cells_of(facts, then=True), flips, lost)
    return {**effect, **_kept_counts(session, rejudging_id, flips), "digest": digest_of(flips, lost_of(facts))}


def measure_moves(
    session: Session,
    cubes: CubeStore,
    rejudging_id: int,
    before: Sequence[SampleVerdicts],
    after: Sequence[SampleVerdicts],
) -> dict[str, Any]:
    """Return what a commit changed: the counting verdicts as they were read before it, and after."""
    old = {fact.sample: fact.counting for fact in before}
    flips = [
        Flip(fact.protocol, fact.sample, was, fact.counting)
        for fact in after
        if (was := old.get(fact.sample)) is not None and fact.counting is not None and was.id != fact.counting.id
    ]
    lost = {fact.protocol for fact in after if fact.counting is None and old.get(fact.sample) is not None}
    effect = _board_moves(session, cubes, cells_of(before, then=False), cells_of(after, then=False), flips, lost)
    return {**effect, **_kept_counts(session, rejudging_id, flips)}


def _kept_counts(session: Session, rejudging_id: int, flips: Sequence[Flip]) -> dict[str, int]:
    """Count answers that keep their verdict: our judge failed on them, or they were judged otherwise meanwhile."""
    states = proposals.progress(session, rejudging_id)
    return {
        "left_over": states[RejudgedState.LEFT_OVER],
        "outdated": states[RejudgedState.JUDGED] - len(flips),
    }


def _board_moves(
    session: Session, cubes: CubeStore, before: Cells, after: Cells, flips: Sequence[Flip], lost: set[int]
) -> dict[str, Any]:
    """Return the moves under the ranked protocols of these flips, and of answers without a verdict from then on."""
    touched = sorted({flip.protocol for flip in flips} | lost)
    slugs = rejudged.protocol_slugs(session, touched)
    boards = []
    for protocol_id in touched:
        protocol = cells.protocol(session, slugs[protocol_id])
        assert protocol is not None  # its runs refer to it
        if protocol.protocol.scenario in unranked_scenarios():
            continue
        board = _rows_moved(cubes.load(session, protocol), before[protocol_id], after[protocol_id])
        protocol_flips = [flip for flip in flips if flip.protocol == protocol_id]
        boards.append(
            {
                "protocol": protocol.slug,
                "title": protocol.title,
                "published": rejudged.is_published(session, [protocol_id]),
                **changes_of(protocol_flips),
                **board,
            }
        )
    return {**changes_of(flips), "boards": boards}


def _rows_moved(loaded: LoadedProtocol, before: Sequence[Cell], after: Sequence[Cell]) -> dict[str, Any]:
    """Return the moves of one protocol's rows.

    The cube may lag behind the facts, so the touched cells are set on both sides.
    """
    query = loaded.default_query
    old = loaded.cube.with_cells(before, loaded.revision)
    boards = [
        rank_board(cube, loaded.lineup, query, wanted=loaded.wanted, samples=loaded.samples)
        for cube in (old, old.with_cells(after, loaded.revision))
    ]
    axes = loaded.cube.axes
    return {
        "board": query.board,
        "problems": boards[0].problems,
        "ranked": sum(row.rank is not None for row in boards[0].rows),
        "shown_cells": sum(cell.run in axes.column and cell.problem in axes.row for cell in before),
        "rows": moves_json(board_moves(*boards)),
    }
