"""The API's description and the codes of its failures as pages, without third-party scripts."""

import hashlib

from starlette.responses import Response

from app.services.boards import snapshots
from app.services.evidence import directory
from web.context import PageRequest
from web.render import render
from web.trust.api_reference import api_reference

_BOARD = "codegen"


def api_page(page: PageRequest) -> Response:
    """Render every operation, with calls about the newest things of this site."""
    known = {"name": _BOARD}
    with page.state.sessions() as session:
        for model in directory.models(session, None, 2, text=None):
            known |= {"slug": model.slug, "with": model.slug}
            known.setdefault("ref", model.slug)
        for problem in directory.problems(session, None, 1):
            known |= {"source": problem.source, "external_id": problem.external_id}
        for frozen in snapshots.list_frozen(session, None, 1):
            known["sha256"] = frozen.sha256
    reference = api_reference(page, page.request.app.openapi(), known)
    return render(page, "pages/api.html", api=reference)


def errors_page(page: PageRequest) -> Response:
    """Render one paragraph for each code of failures, which the `type` of a problem leads to."""
    problem = page.request.app.openapi()["components"]["schemas"]["Problem"]
    response = render(page, "pages/errors.html", problems=problem["properties"]["code"]["x-problems"])
    response.headers["ETag"] = f'W/"{hashlib.sha256(bytes(response.body)).hexdigest()[:32]}"'
    return response
