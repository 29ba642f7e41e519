"""A vendor's models: registering one, and declaring its dates."""

from fastapi.responses import JSONResponse

from app.api.deps import Now, State
from app.api.description import error_responses, json_response
from app.api.vendors.bodies import DeclarationBody, ModelBody
from app.api.vendors.context import IdempotencyKey, MayWriteModels, answer_once, vendor_router
from app.services.vendors import registrations
from app.services.vendors.declarations import DeclaredDates
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


def _read_declaration(body: DeclarationBody, page: str | None) -> DeclaredDates:
    evidence = str(body.cutoff.evidence_url) if body.cutoff and body.cutoff.evidence_url else page
    return DeclaredDates(body.cutoff.date if body.cutoff else None, body.released_on, evidence)
