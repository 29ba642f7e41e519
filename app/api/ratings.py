"""Ratings and tables beside a board's score, as JSON."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request

from app.api.boards import DECLARED
from app.api.deps import ReadSession, State
from app.domain.errors import NotFound
from app.services import boards, human_ratings, ratings
from app.services import composites as composite
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
    found = ratings.elo(*boards.with_cube(session, query, state.cubes), ties)
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
    found = ratings.topics(session, *boards.with_cube(session, query, state.cubes))
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


@router.get("/boards/{name}/composites", openapi_extra=DECLARED)
def composites(name: str, request: Request, state: State, session: ReadSession) -> dict[str, Any]:
    """Scores made of scores: DAPR, which weighs a problem by the inverse of its frozen ease, with its contest-clustered
    interval and the plain mean over the same problems; and levels weighted 1 : 2 : 3, null where one has no problem.

    Rows without a rank are last, with what the board says of them.
    """
    query = parse_query(request.query_params.multi_items(), _known(name))
    found = composite.composites(session, *boards.with_cube(session, query, state.cubes))
    return {
        **_head(name, query.protocol, to_params(query), found.board.revision, found.board.problems),
        "scale": found.scale,
        "problems_with_ease": found.with_ease,
        "rows": [_composite(each) for each in found.rows],
        "hidden": [
            {"model": each.model, "configuration": each.configuration, "reason": each.reason}
            for each in found.board.hidden
        ],
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


def _known(name: str) -> str:
    if name not in BOARDS:
        raise NotFound("no such board")
    return name


def _head(name: str, protocol: str, filters: list[tuple[str, str]], revision: int, problems: int) -> dict[str, Any]:
    return {"board": name, "protocol": protocol, "filters": filters, "revision": revision, "problems": problems}
