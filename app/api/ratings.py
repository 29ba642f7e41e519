"""Ratings and tables beside a board's score, as JSON."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.encoders import jsonable_encoder

from app.api.boards import BOARD_PARAMETERS
from app.api.deps import HeavyRequest, ReadSession, State
from app.api.description import error_responses, json_response
from app.api.schemas.holistic import HolisticAnswer
from app.api.schemas.human_ratings import HumanRatingReport
from app.api.schemas.ratings import (
    BoardComparison,
    BoardComposites,
    BoardElo,
    BoardHead,
    BoardSampling,
    BoardSizes,
    BoardSolveRates,
    BoardTopics,
    CompositeScores,
)
from app.db.kernel.session import Session
from app.domain.boards.board import Board
from app.domain.boards.named_boards import boards
from app.domain.errors import InvalidInput
from app.domain.ratings.holistic import FAMILIES
from app.domain.ratings.human_rating import Compat
from app.services.boards import board_views
from app.services.boards.cubes import LoadedProtocol
from app.services.boards.query import Params, parse_query, parse_reference, take_parameter, to_params
from app.services.evidence import composites as composite_service
from app.services.evidence import decoding_sweep as sampling_service
from app.services.evidence import holistic as holistic_service
from app.services.evidence import human_ratings, ratings
from app.services.evidence import row_comparison as compare_service
from app.services.evidence import sizes as size_service
from app.services.operations.web_state import WebState

router = APIRouter(
    prefix="/api/v1", tags=["ratings"], dependencies=[HeavyRequest], responses=error_responses(404, 422, 503)
)

_TIES = {
    "name": "ties",
    "in": "query",
    "required": False,
    "description": "battles that both win or lose are dropped, as BigCodeBench does, or count half a win for each",
    "schema": {"type": "string", "enum": list(ratings.TIES)},
}
_ALSO = {
    "name": "also",
    "in": "query",
    "required": False,
    "description": "a second protocol whose battles count as well, as BigCodeBench does with its two splits",
    "schema": {"type": "string"},
}


@router.get(
    "/boards/{name}/elo",
    operation_id="get_board_elo",
    openapi_extra={"parameters": [*BOARD_PARAMETERS["parameters"], _TIES, _ALSO]},
    response_model=dict[str, Any],
    responses=json_response(BoardElo),
)
def elo(name: str, request: Request, state: State, session: ReadSession) -> BoardElo:
    """Return task Elo (Bradley-Terry, mean 1000, 400 points for odds of 10 to 1) of the ranked rows of a board."""
    battles, params = ratings.parse_elo_options(request.query_params.multi_items())
    board, loaded = _read_board(name, params, state, session)
    table = ratings.elo(session, board, loaded, battles, state.cubes)
    return {
        **_board_head(board),
        "unranked": [
            {"model": row.model, "configuration": row.configuration, "reason": row.unranked}
            for row in board.rows
            if row.rank is None
        ],
        "ties": battles.ties,
        "also": battles.also,
        "refitted": table.refitted,
        "rows": [
            {
                "model": row.row.model,
                "configuration": row.row.configuration,
                "score": row.row.score,
                "rating": row.rating,
                "lo": row.lo,
                "hi": row.hi,
            }
            for row in table.rows
        ],
    }


@router.get(
    "/boards/{name}/topics",
    operation_id="get_board_topics",
    openapi_extra=BOARD_PARAMETERS,
    response_model=dict[str, Any],
    responses=json_response(BoardTopics),
)
def topics(name: str, request: Request, state: State, session: ReadSession) -> BoardTopics:
    """Return the scores of a board's rows on the problems of each topic. A problem may have several topics.

    Topics that are `rare` have fewer problems than the board's least number for a score.
    """
    board, loaded = _read_board(name, request.query_params.multi_items(), state, session)
    table = ratings.topics(session, board, loaded)
    return {
        **_board_head(board),
        "least": (least := boards()[name].least_by_topic),
        "topics": [
            {
                "topic": topic,
                "problems": problems,
                "rare": problems < least,
                "rows": [
                    {"model": row.model, "configuration": row.configuration, "score": score.score, "n": score.n}
                    for row, score in zip(board.rows, scores, strict=True)
                ],
            }
            for topic, problems, scores in table.topics
        ],
    }


@router.get(
    "/boards/{name}/solve-rates",
    operation_id="get_board_solve_rates",
    openapi_extra=BOARD_PARAMETERS,
    response_model=dict[str, Any],
    responses=json_response(BoardSolveRates),
)
def solve_rates(name: str, request: Request, state: State, session: ReadSession) -> BoardSolveRates:
    """Return how often the rows of a board solve its problems. A problem's rate is the mean of the rows' pass rates.

    `tenths` counts the problems by rate, from 0 to 0.1 up to 0.9 to 1; the rates of 0 and of 1 are `nobody` and
    `everybody`, which are among them.
    """
    board, loaded = _read_board(name, request.query_params.multi_items(), state, session)
    table = ratings.solve_rates(board, loaded)
    return {
        **_board_head(board),
        "judged": table.problems,
        "nobody": table.nobody,
        "everybody": table.everybody,
        "tenths": list(table.tenths),
    }


@router.get(
    "/boards/{name}/composites",
    operation_id="get_board_composites",
    openapi_extra=BOARD_PARAMETERS,
    responses=json_response(BoardComposites),
)
def composites(name: str, request: Request, state: State, session: ReadSession) -> Any:
    """Return the composite scores of a board's rows.

    DAPR weights a problem by the inverse of its frozen ease; beside it are its contest-clustered interval and the plain
    mean over the same problems. The level score weights levels 1 : 2 : 3; it is null if a level has no problem.

    Rows without a rank are last, with what the board says of them.
    """
    board, loaded = _read_board(name, request.query_params.multi_items(), state, session)
    table = composite_service.composites(session, board, loaded)
    return jsonable_encoder(
        {
            **_board_head(board),
            "scale": table.scale,
            "problems_with_ease": table.with_ease,
            "rows": [_composite_json(row) for row in table.rows],
        }
    )


def _composite_json(line: composite_service.CompositeRow) -> CompositeScores:
    row = line.row
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
        "dapr": line.dapr,
        "ci_lo": line.lo,
        "ci_hi": line.hi,
        "n_problems": line.n,
        "clusters": line.clusters,
        "plain": line.plain,
        "weighted": line.weighted,
        "levels": {str(level): part for level, part in line.levels.items()},
        "lacking": list(line.lacking),
        "incomplete": list(line.incomplete),
    }


_DECLARED_HOLISTIC = {
    "parameters": [
        {
            "name": "family",
            "in": "query",
            "required": False,
            "description": "whose problems the scenarios ask about",
            "schema": {"type": "string", "enum": list(FAMILIES)},
        },
        *(
            parameter
            for parameter in BOARD_PARAMETERS["parameters"]
            if parameter["name"] in holistic_service.BOARD_FILTERS
        ),
    ]
}


@router.get(
    "/holistic",
    operation_id="get_holistic",
    openapi_extra=_DECLARED_HOLISTIC,
    responses=json_response(HolisticAnswer),
)
def holistic(request: Request, state: State, session: ReadSession) -> dict[str, Any]:
    """Return every model's scores in all scenarios of a family.

    With correlations of the scenarios over models and their 95 % intervals, code generation against imported tables of
    others, and the same problems in two languages.
    """
    family, query = holistic_service.parse(request.query_params.multi_items())
    return holistic_service.as_json(holistic_service.holistic(session, family, query, state.cubes))


@router.get("/human-ratings", operation_id="get_human_ratings", responses=json_response(HumanRatingReport))
def human(
    session: ReadSession,
    protocol: Annotated[str, Query(max_length=200)],
    compat: Annotated[Compat | None, Query(description="by the rules of CodeElo's published tool")] = None,
) -> dict[str, Any]:
    """Return the rating of each model as if it had taken part in contests of rated people."""
    return human_ratings.report(session, protocol, compat)


@router.get(
    "/boards/{name}/sizes",
    operation_id="get_board_sizes",
    openapi_extra=BOARD_PARAMETERS,
    responses=json_response(BoardSizes),
)
def sizes(name: str, request: Request, state: State, session: ReadSession) -> Any:
    """Return the sizes of a board's problems: the number of tests (of unittests, test functions) of each.

    For derived items, they are the characters of the code and the bytecode steps of its run. `unittests` lists each
    problem that is judged by unittests with its tests, and how many of its reference's branches they took when it was
    admitted.
    """
    board, loaded = _read_board(name, request.query_params.multi_items(), state, session)
    return jsonable_encoder(
        {
            **_board_head(board),
            "sizes": size_service.sizes(session, board, loaded),
            "unittests": size_service.unittest_tasks(session, board, loaded),
        }
    )


_ROWS = [
    {"name": name, "in": "query", "required": True,
     "description": f"the {ordinal} row: a model, or model:configuration", "schema": {"type": "string"}}
    for name, ordinal in (("ref", "first"), ("with", "second"))
]  # fmt: skip
_COMPARED = {
    "parameters": [*(parameter for parameter in BOARD_PARAMETERS["parameters"] if parameter["name"] != "ref"), *_ROWS]
}


@router.get(
    "/boards/{name}/compare",
    operation_id="compare_rows",
    openapi_extra=_COMPARED,
    response_model=dict[str, Any],
    responses=json_response(BoardComparison),
)
def compare(name: str, request: Request, state: State, session: ReadSession) -> dict[str, Any]:
    """Compare two rows of a board: the paired difference, second minus first, and all problems on which they differ.

    The problems are listed newest first. `counts` cover the problems that both have: those on which one row is better,
    both always pass, neither ever passes, or both are alike otherwise.
    """
    second, params = take_parameter(request.query_params.multi_items(), "with")
    first = parse_reference(params)
    for field, value in (("ref", first), ("with", second)):
        if value is None:
            raise InvalidInput(f"{field} must name a row", pointer=f"/{field}")
    named = [str(first), str(second)]
    comparison = compare_service.compare_rows(session, parse_query(params, name), state.cubes, named, ("ref", "with"))
    return {**_board_head(comparison.board), **compare_service.as_json(comparison)}


@router.get(
    "/boards/{name}/sampling",
    operation_id="get_board_sampling",
    openapi_extra=BOARD_PARAMETERS,
    response_model=dict[str, Any],
    responses=json_response(BoardSampling),
)
def sampling(name: str, request: Request, state: State, session: ReadSession) -> dict[str, Any]:
    """Return a board's models under every protocol that differs from this one only in sampling parameters.

    These are temperature, top-p, top-k and the limit of tokens; `./tidemark protocol sweep` makes such protocols.
    `axes` are the parameters that differ.
    """
    query = parse_query(request.query_params.multi_items(), name)
    return sampling_service.as_json(sampling_service.decoding_sweep(session, query, state.cubes))


def _read_board(name: str, params: Params, state: WebState, session: Session) -> tuple[Board, LoadedProtocol]:
    params = list(params)
    return board_views.board_with_cube(session, parse_query(params, name), state.cubes, parse_reference(params))


def _board_head(view: Board) -> BoardHead:
    """Return the facts of the board behind a table, with all that it leaves out."""
    return {
        "board": view.query.board,
        "protocol": view.query.protocol,
        "filters": to_params(view.query),
        "revision": view.revision,
        "problems": view.problems,
        "problems_left_out": view.left_out,
        "hidden": [
            {"model": row.model, "configuration": row.configuration, "reason": row.reason} for row in view.hidden
        ],
    }
