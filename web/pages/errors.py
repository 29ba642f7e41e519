"""Failures as pages, in the reader's language."""

from starlette.responses import Response

from app.domain.errors import InvalidInput, TidemarkError, UnknownName, WindowReversed
from web.context import PageRequest
from web.render import render

_HINTS = {"/from": "day", "/to": "day", "/cutoff_before": "day", "/difficulty": "difficulty", "/exposure": "exposure"}
_STATUSES = frozenset({401, 403, 404, 405, 409, 413, 422, 429, 500, 503})


def error_page(page: PageRequest, status: int, error: TidemarkError | None = None) -> Response:
    """Render the page of a status; a caller's error names its field, an internal error discloses nothing."""
    code = status if status in _STATUSES else 404 if 400 <= status < 500 else 500
    field = error.pointer if isinstance(error, InvalidInput) else None
    unknown_name = error if isinstance(error, UnknownName) else None
    swapped = _swap_days_href(page) if isinstance(error, WindowReversed) else None
    return render(
        page,
        "pages/error.html",
        status=status,
        headers={"Cache-Control": "no-store", **({"Retry-After": "10"} if status == 503 else {})},
        lost=code == 404,
        title=page.t(f"error.{code}.title"),
        explanation=page.t(f"error.{code}"),
        field=field.lstrip("/") if field else None,
        hint="window" if swapped else _HINTS.get(field) if field else None,
        swapped=swapped,
        unknown=page.t("error.unknown", value=unknown_name.value) if unknown_name else None,
        nearest=[(name, _replace_name_href(page, unknown_name, name)) for name in unknown_name.nearest]
        if unknown_name
        else [],
        # Not if the page already says it in the reader's language.
        detail=str(error) if error is not None and status in (409, 422) and not swapped else None,
    )


def _swap_days_href(page: PageRequest) -> str:
    """Return a link to this page with the two days of its window swapped."""
    other = {"from": "to", "to": "from"}
    return page.href(page.path, [(other.get(name, name), value) for name, value in page.params])


def _replace_name_href(page: PageRequest, error: UnknownName, name: str) -> str:
    """Return a link to this page with a known name in place of the unknown one."""
    fault = (error.field, error.value)
    return page.href(page.path, [(error.field, name) if pair == fault else pair for pair in page.params])
