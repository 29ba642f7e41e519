"""A vendor's models: registered, read, changed, withdrawn, and their dates declared."""

from typing import Annotated, Any

from fastapi import Query, Request
from fastapi.encoders import jsonable_encoder
from fastapi.responses import JSONResponse

from app.api.deps import Now, State
from app.api.description import error_responses, json_response
from app.api.vendors.bodies import DeclarationBody, ModelBody, ModelChangeBody, WithdrawalBody
from app.api.vendors.context import IdempotencyKey, MayRead, MayWriteModels, answer_once, vendor_router
from app.api.vendors.pages import IfMatch, ModelPaging, page_response, tagged_response
from app.services.vendors import own_models, registrations
from app.services.vendors.declarations import DeclaredDates
from app.services.vendors.own_models import DeletedModel, ModelChange, OwnModelPage
from app.services.vendors.registrations import ModelAnswer

router = vendor_router()


@router.post(
    "/models",
    operation_id="create_model",
    status_code=201,
    responses=json_response(ModelAnswer, 201) | error_responses(409),
)
def create_model(body: ModelBody, key: IdempotencyKey, holder: MayWriteModels, state: State, now: Now) -> JSONResponse:
    """Register a model. The key needs the scope `models:write`.

    `cutoff` in the response is the one in force. Until a maintainer accepts the cutoff that you declare (`waiting`), it
    is the day of registration.
    """
    link = str(body.link) if body.link else None
    new = registrations.NewModel(body.slug, body.name, _read_declaration(body, link), link)
    return answer_once(
        state, holder, key, body, now,
        lambda session: registrations.create_model(session, holder.organisation_id, new, now),
    )  # fmt: skip


@router.post(
    "/models/{slug}/cutoff",
    operation_id="declare_cutoff",
    responses=json_response(ModelAnswer) | error_responses(404),
)
def declare_cutoff(
    slug: str, body: DeclarationBody, key: IdempotencyKey, holder: MayWriteModels, state: State, now: Now
) -> JSONResponse:
    """Declare the release day and the cutoff of a model of yours, with evidence. This replaces a waiting declaration.

    It has no effect until a maintainer outside your organisation accepts it; then the change is public. The key needs
    the scope `models:write`.
    """
    return answer_once(
        state, holder, key, {"declare": slug, "body": body.model_dump_json()}, now,
        lambda session: registrations.declare(
            session, holder.organisation_id, slug, _read_declaration(body, None), now
        ),
        status=200,
    )  # fmt: skip


@router.get("/models", operation_id="list_own_models", responses=json_response(OwnModelPage))
def list_own_models(
    request: Request, holder: MayRead, state: State, paging: Annotated[ModelPaging, Query()]
) -> JSONResponse:
    """List your organisation's models, newest first. The key needs the scope `submissions:read`."""
    with state.sessions() as session:
        page = own_models.list_models(
            session, holder.organisation_id, paging.cursor, paging.limit, withdrawn=paging.withdrawn
        )
    return page_response(request, page)


@router.get("/models/{slug}", operation_id="get_own_model", responses=json_response(ModelAnswer) | error_responses(404))
def get_own_model(slug: str, holder: MayRead, state: State) -> JSONResponse:
    """Return a model of yours, with the ETag that a change must name. The key needs the scope `submissions:read`."""
    with state.sessions() as session:
        return tagged_response(own_models.get_model(session, holder.organisation_id, slug))


@router.patch(
    "/models/{slug}",
    operation_id="update_model",
    responses=json_response(ModelAnswer) | error_responses(404, 409, 412, 428),
)
def update_model(
    slug: str, body: ModelChangeBody, holder: MayWriteModels, state: State, now: Now, if_match: IfMatch = None
) -> JSONResponse:
    """Change a model of yours. Its slug and name can change until its first prompt.

    Send `If-Match` with the ETag of the model as you read it: 428 without it, 412 if it was changed since. Dates are
    declared with `/cutoff`. The key needs the scope `models:write`.
    """
    change = ModelChange(body.slug, body.name, str(body.link) if body.link else None)
    with state.sessions.begin() as session:
        answer = own_models.update_model(session, holder.organisation_id, slug, change, if_match, now)
    return tagged_response(answer)


@router.delete(
    "/models/{slug}", operation_id="delete_model", responses=json_response(DeletedModel) | error_responses(404, 409)
)
def delete_model(slug: str, holder: MayWriteModels, state: State, now: Now) -> Any:
    """Delete a model of which nothing was ordered, with its endpoints. The key needs the scope `models:write`.

    Orders are counted in public, so a model with orders is renamed before its first prompt, or withdrawn.
    """
    with state.sessions.begin() as session:
        return jsonable_encoder(own_models.delete_model(session, holder.organisation_id, slug, now))


@router.post(
    "/models/{slug}/withdraw",
    operation_id="withdraw_model",
    responses=json_response(ModelAnswer) | error_responses(404, 409),
)
def withdraw_model(
    slug: str, body: WithdrawalBody, key: IdempotencyKey, holder: MayWriteModels, state: State, now: Now
) -> JSONResponse:
    """Take a model off the boards for good. The ledger says when, by whom and why; that cannot be undone.

    Its open orders are cancelled. Its public results stay readable at their permanent links, and boards list its rows
    as retired. They still stand as first trials. The key needs the scope `models:write`.
    """
    return answer_once(
        state, holder, key, {"withdraw": slug, "reason": body.reason}, now,
        lambda session: own_models.withdraw_model(session, holder.organisation_id, slug, body.reason, now),
        status=200,
    )  # fmt: skip


def _read_declaration(body: DeclarationBody, page: str | None) -> DeclaredDates:
    evidence = str(body.cutoff.evidence_url) if body.cutoff and body.cutoff.evidence_url else page
    return DeclaredDates(body.cutoff.date if body.cutoff else None, body.released_on, evidence)
