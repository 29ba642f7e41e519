"""Models, problems and answers as JSON."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.encoders import jsonable_encoder
from pydantic import Field

from app.api import health
from app.api.deps import HeavyRequest, ReadSession
from app.api.description import error_responses, json_response
from app.api.requests import Paging
from app.api.schemas.public import ModelPage, ProblemPage
from app.db.evidence.directory import ListedProblem
from app.db.runs.models import ListedModel
from app.services.evidence import directory, problem_views
from app.services.evidence.problem_views import ProblemView
from app.services.runs import result_views, sample_views
from app.services.runs.result_views import CellFilter, ModelView
from app.services.runs.sample_views import SampleView

router = APIRouter(tags=["public"])


class Search(Paging):
    """The text that a list is searched for, and the page of the list."""

    q: str | None = Field(None, min_length=1, max_length=200, description="a text in what it is called, in any case")


class ProblemSearch(Search):
    """The problems to list."""

    platform: str | None = Field(None, min_length=1, max_length=200, description="only those from there")


@router.get("/api/v1/models", operation_id="list_models", responses=json_response(ModelPage) | error_responses(422))
def models(session: ReadSession, query: Annotated[Search, Query()]) -> Any:
    """List models with public results, the newest first."""
    return _page_json(directory.models(session, query.cursor, query.limit, text=query.q), query.limit)


@router.get(
    "/api/v1/problems", operation_id="list_problems", responses=json_response(ProblemPage) | error_responses(422)
)
def problems(session: ReadSession, query: Annotated[ProblemSearch, Query()]) -> Any:
    """List public problems, the newest first."""
    rows = directory.problems(session, query.cursor, query.limit, platform=query.platform, text=query.q)
    return _page_json(rows, query.limit)


def _page_json(rows: Sequence[ListedProblem | ListedModel], limit: int) -> Any:
    return jsonable_encoder(
        {"data": [asdict(row) for row in rows], "next_cursor": rows[-1].id if len(rows) == limit else None}
    )


@router.get(
    "/api/v1/models/{slug}",
    operation_id="get_model",
    dependencies=[HeavyRequest],
    responses=json_response(ModelView) | error_responses(404, 422, 503),
)
def model(slug: str, session: ReadSession) -> Any:
    """Return a model with its runs and their newest cells."""
    return jsonable_encoder(asdict(result_views.model(session, slug, CellFilter())))


@router.get(
    "/api/v1/problems/{source}/{external_id:path}",
    operation_id="get_problem",
    dependencies=[HeavyRequest],
    responses=json_response(ProblemView) | error_responses(404, 422, 503),
)
def problem(source: str, external_id: str, session: ReadSession) -> Any:
    """Return a problem with every public run's answers."""
    return jsonable_encoder(asdict(problem_views.problem(session, source, external_id)))


@router.get(
    "/api/v1/samples/{sample_id}",
    operation_id="get_sample",
    responses=json_response(SampleView) | error_responses(404, 422),
)
def sample(sample_id: int, session: ReadSession) -> Any:
    """Return one answer with its verdicts."""
    return jsonable_encoder(asdict(sample_views.sample(session, sample_id)))


# Last, so that the OpenAPI document lists these paths after the others.
router.routes.extend(health.router.routes)
