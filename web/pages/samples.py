"""The page of one answer: its program, verdicts and raw response."""

from starlette.responses import PlainTextResponse, Response

from app.domain.errors import NotFound
from app.services.runs import sample_views
from web.context import PageRequest
from web.highlighting import highlight
from web.render import render

_RAW_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Content-Disposition": "inline",
    "X-Robots-Tag": "noindex",
    "Cache-Control": "no-cache",
}


def sample_page(page: PageRequest) -> Response:
    """Render one answer."""
    view = _read_sample(page)
    program = highlight(view.answer, view.language) if view.answer is not None else None
    return render(page, "results/sample.html", view=view, program=program)


def sample_text(page: PageRequest) -> Response:
    """Return an answer's raw response or program, as text that a browser does not interpret."""
    view = _read_sample(page)
    text = {"response": view.response, "answer": view.answer}.get(page.request.path_params["part"])
    if text is None:
        raise NotFound("This answer has no such part.")
    return PlainTextResponse(text, headers=_RAW_HEADERS)


def _read_sample(page: PageRequest) -> sample_views.SampleView:
    with page.state.sessions() as session:
        return sample_views.sample(session, page.request.path_params["id"])
