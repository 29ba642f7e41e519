"""Ratings and tables beside a board's score, as JSON."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request

from app.api.boards import DECLARED
from app.api.deps import ReadSession, State
from app.domain.errors import NotFound
from app.services import human_ratings, ratings
from app.services.board_query import BOARDS, parse_query, to_params

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
    query = parse_query(params, _known(name))
    found = ratings.elo(session, query, state.cubes, ties)
    return {
        **_head(name, query.protocol, to_params(query), found.board.revision, found.board.problems),
        "ties": ties,
        "refitted": found.refitted,
        "rows": [
            {
                "model": each.row.model,
                "configuration": each.row.configuration,
                "score": each.row.score,
                "rating": each.rating,
                "lo": each.lo,
                "hi": each.hi,
            }
            for each in found.rows
        ],
    }


@router.get("/boards/{name}/topics", openapi_extra=DECLARED)
def topics(name: str, request: Request, state: State, session: ReadSession) -> dict[str, Any]:
    """The scores of a board's rows on the problems of each topic; a problem may have several topics."""
    query = parse_query(request.query_params.multi_items(), _known(name))
    found = ratings.topics(session, query, state.cubes)
    rows = found.board.rows
    return {
        **_head(name, query.protocol, to_params(query), found.board.revision, found.board.problems),
        "topics": [
            {
                "topic": topic,
                "problems": problems,
                "rows": [
                    {"model": row.model, "configuration": row.configuration, "score": each.score, "n": each.n}
                    for row, each in zip(rows, scores, strict=True)
                ],
            }
            for topic, problems, scores in found.topics
        ],
    }


@router.get("/human-ratings")
def human(session: ReadSession, protocol: Annotated[str, Query(max_length=200)]) -> dict[str, Any]:
    """What a model would be rated as one more participant of contests that rated people took part in."""
    return human_ratings.report(session, protocol)


def _known(name: str) -> str:
    if name not in BOARDS:
        raise NotFound("no such board")
    return name


def _head(name: str, protocol: str, filters: list[tuple[str, str]], revision: int, problems: int) -> dict[str, Any]:
    return {"board": name, "protocol": protocol, "filters": filters, "revision": revision, "problems": problems}
