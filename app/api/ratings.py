"""Ratings and tables beside a board's score, as JSON."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request

from app.api.boards import DECLARED
from app.api.deps import ReadSession, State
from app.db.kernel.session import Session
from app.domain.boards.board import Board
from app.domain.errors import NotFound
from app.services.boards import reading
from app.services.boards.cubes import Loaded
from app.services.boards.query import BOARDS, Params, parse_query, parse_reference, to_params
from app.services.evidence import composites as composite
from app.services.evidence import human_ratings, ratings
from app.services.operations.webstate import WebState

router = APIRouter(prefix="/api/v1", tags=["ratings"])

_TIES = {
    "name": "ties",
    "in": "query",
    "required": False,
    "description": "battles that both win or lose are dropped, as BigCodeBench does, or count half a win for each",
    "schema": {"type": "string", "enum": list(ratings.TIES)},
}


@router.get("/boards/{name}/elo", openapi_extra={"parameters": [*DECLARED["parameters"], _TIES]})
def elo(name: str, request: Request, state: State, session: ReadSession) -> dict[str, Any]:
    """Task Elo (Bradley-Terry, mean 1000, 400 points for odds of 10 to 1) of the ranked rows of a board."""
    ties, params = ratings.parse_ties(request.query_params.multi_items())
    board, loaded = _board(name, params, state, session)
    found = ratings.elo(board, loaded, ties)
    return {
        **_head(board),
        "unranked": [
            {"model": row.model, "configuration": row.configuration, "reason": row.unranked}
            for row in board.rows
            if row.rank is None
        ],
        "ties": ties,
        "refitted": found.refitted,
        "rows": [
            {
                "model": row.row.model,
                "configuration": row.row.configuration,
                "score": row.row.score,
                "rating": row.rating,
                "lo": row.lo,
                "hi": row.hi,
            }
            for row in found.rows
        ],
    }


@router.get("/boards/{name}/topics", openapi_extra=DECLARED)
def topics(name: str, request: Request, state: State, session: ReadSession) -> dict[str, Any]:
    """The scores of a board's rows on the problems of each topic; a problem may have several topics."""
    board, loaded = _board(name, request.query_params.multi_items(), state, session)
    found = ratings.topics(session, board, loaded)
    return {
        **_head(board),
        "topics": [
            {
                "topic": topic,
                "problems": problems,
                "rows": [
                    {"model": row.model, "configuration": row.configuration, "score": score.score, "n": score.n}
                    for row, score in zip(board.rows, scores, strict=True)
                ],
            }
            for topic, problems, scores in found.topics
        ],
    }


@router.get("/boards/{name}/composites", openapi_extra=DECLARED)
def composites(name: str, request: Request, state: State, session: ReadSession) -> dict[str, Any]:
    """Scores made of scores: DAPR, which weighs a problem by the inverse of its frozen ease, with its contest-clustered
    interval and the plain mean over the same problems; and levels weighted 1 : 2 : 3, null where one has no problem.

    Rows without a rank are last, with what the board says of them.
    """
    board, loaded = _board(name, request.query_params.multi_items(), state, session)
    found = composite.composites(session, board, loaded)
    return {
        **_head(board),
        "scale": found.scale,
        "problems_with_ease": found.with_ease,
        "rows": [_composite(row) for row in found.rows],
    }


def _composite(given: composite.CompositeRow) -> dict[str, Any]:
    row = given.row
    return {
        "model": row.model,
        "configuration": row.configuration,
        "rank": row.rank,
        "provisional": row.provisional,
        "exposed": row.exposed,
        "coverage": row.coverage,
        "demo": row.fact.demo,
        "imported": row.fact.imported,
        "score": row.score,
        "dapr": given.dapr,
        "ci_lo": given.lo,
        "ci_hi": given.hi,
        "n_problems": given.n,
        "clusters": given.clusters,
        "plain": given.plain,
        "weighted": given.weighted,
        "levels": {
            str(level): {"passed": each.passed, "n": each.n, "wanted": each.wanted}
            for level, each in given.levels.items()
        },
        "lacking": list(given.lacking),
        "incomplete": list(given.incomplete),
    }


@router.get("/human-ratings")
def human(session: ReadSession, protocol: Annotated[str, Query(max_length=200)]) -> dict[str, Any]:
    """What a model would be rated as one more participant of contests that rated people took part in."""
    return human_ratings.report(session, protocol)


def _board(name: str, params: Params, state: WebState, session: Session) -> tuple[Board, Loaded]:
    if name not in BOARDS:
        raise NotFound("no such board")
    params = list(params)
    return reading.with_cube(session, parse_query(params, name), state.cubes, parse_reference(params))


def _head(found: Board) -> dict[str, Any]:
    """What every table says of the board behind it, with all that it leaves out."""
    return {
        "board": found.query.board,
        "protocol": found.query.protocol,
        "filters": to_params(found.query),
        "revision": found.revision,
        "problems": found.problems,
        "problems_left_out": found.left_out,
        "hidden": [
            {"model": each.model, "configuration": each.configuration, "reason": each.reason} for each in found.hidden
        ],
    }
