"""Models, problems and answers as JSON."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.encoders import jsonable_encoder
from pydantic import Field

from app.api import health
from app.api.deps import Place, ReadSession
from app.api.problem_json import documented
from app.api.vendor_bodies import Paging
from app.services.evidence import directory
from app.services.evidence.directory import ListedModel, ListedProblem
from app.services.runs import catalogue, receipts
from app.services.runs.catalogue import CellFilter

router = APIRouter(tags=["public"])


class Search(Paging):
    """The text that a list is searched for, and the page of the list."""

    q: str | None = Field(None, min_length=1, max_length=200, description="a text in what it is called, in any case")


class ProblemSearch(Search):
    """The problems to list."""

    platform: str | None = Field(None, min_length=1, max_length=200, description="only those from there")


@router.get("/api/v1/models", responses=documented(422))
def models(session: ReadSession, query: Annotated[Search, Query()]) -> Any:
    """Models with public results, those that came last first."""
    return _page_json(directory.models(session, query.cursor, query.limit, text=query.q), query.limit)


@router.get("/api/v1/problems", responses=documented(422))
def problems(session: ReadSession, query: Annotated[ProblemSearch, Query()]) -> Any:
    """Public problems, the newest first."""
    rows = directory.problems(session, query.cursor, query.limit, platform=query.platform, text=query.q)
    return _page_json(rows, query.limit)


def _page_json(rows: Sequence[ListedProblem | ListedModel], limit: int) -> Any:
    return jsonable_encoder(
        {"data": [asdict(row) for row in rows], "next_cursor": rows[-1].id if len(rows) == limit else None}
    )


@router.get("/api/v1/models/{slug}", dependencies=[Place], responses=documented(404, 422, 503))
def model(slug: str, session: ReadSession) -> Any:
    """A model with its runs and their newest cells."""
    return jsonable_encoder(asdict(catalogue.model(session, slug, CellFilter())))


@router.get("/api/v1/problems/{source}/{external_id:path}", dependencies=[Place], responses=documented(404, 422, 503))
def problem(source: str, external_id: str, session: ReadSession) -> Any:
    """A problem with every public run's answers."""
    return jsonable_encoder(asdict(catalogue.problem(session, source, external_id)))


@router.get("/api/v1/samples/{sample_id}", responses=documented(404, 422))
def sample(sample_id: int, session: ReadSession) -> Any:
    """One answer with its verdicts."""
    return jsonable_encoder(asdict(receipts.sample(session, sample_id)))


# Last, so that the OpenAPI document lists these paths after the others.
router.routes.extend(health.router.routes)
