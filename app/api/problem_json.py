"""Errors as application/problem+json (RFC 9457): one shape for every failure of the API."""

from collections.abc import Mapping, Sequence
from typing import Any

from fastapi.exceptions import RequestValidationError
from starlette.responses import JSONResponse

from app.domain.errors import (
    Conflict,
    Forbidden,
    InvalidImport,
    InvalidInput,
    NotAuthenticated,
    NotFound,
    PreconditionFailed,
    PreconditionMissing,
    RateLimited,
    TidemarkError,
    Unavailable,
    UnknownName,
)

MEDIA_TYPE = "application/problem+json"

_STATUS: Sequence[tuple[type[TidemarkError], int]] = (
    (InvalidInput, 422),
    (NotFound, 404),
    (Conflict, 409),
    (PreconditionFailed, 412),
    (PreconditionMissing, 428),
    (NotAuthenticated, 401),
    (Forbidden, 403),
    (RateLimited, 429),
    (Unavailable, 503),
)

TITLES: Mapping[int, str] = {
    400: "Bad request",
    401: "Not signed in",
    403: "Not allowed",
    404: "Not found",
    405: "Method not allowed",
    409: "Conflict",
    412: "Changed meanwhile",
    413: "Request too large",
    415: "Unsupported media type",
    422: "The request cannot be read",
    428: "If-Match is missing",
    429: "Too many requests",
    500: "Internal error",
    503: "Not available",
}


# Codes of errors that only have a status.
_CODES: Mapping[int, str] = {404: "not_found", 405: "method_not_allowed", 413: "too_large"}

INTERNAL = "internal"

# A caller decides how many fields a request has, and how long their names are.
_MAX_FAULTS, _MAX_PART_CHARS = 20, 100


def status_of(error: TidemarkError) -> int:
    """Return the HTTP status of an error, 500 if it has no other."""
    return next((status for kind, status in _STATUS if isinstance(error, kind)), 500)


def status_by_code() -> dict[str, int]:
    """Return every code that a failure may have, with its status, ordered by status and code."""
    kinds: list[type[TidemarkError]] = [TidemarkError]
    for kind in kinds:
        kinds += [inner for inner in kind.__subclasses__() if inner.__module__ == TidemarkError.__module__]
    codes = {kind.code: next((status for base, status in _STATUS if issubclass(kind, base)), 500) for kind in kinds}
    codes = {code: status for code, status in codes.items() if status != 500} | {
        code: status for status, code in _CODES.items()
    }
    return dict(sorted({**codes, INTERNAL: 500}.items(), key=lambda entry: (entry[1], entry[0])))


def problem_response(
    status: int,
    detail: str,
    *,
    code: str | None = None,
    errors: Sequence[Mapping[str, Any]] = (),
    headers: Mapping[str, str] | None = None,
) -> JSONResponse:
    """Return a problem+json response. `errors` holds {pointer, code, detail} for each invalid field."""
    body: dict[str, Any] = {
        "type": "about:blank",
        "title": TITLES.get(status, "Error"),
        "status": status,
        "code": code or _CODES.get(status, "error"),
        "detail": detail,
    }
    if errors:
        body["errors"] = list(errors)
    return JSONResponse(body, status_code=status, media_type=MEDIA_TYPE, headers=dict(headers or {}))


def error_response(error: TidemarkError) -> JSONResponse:
    """Return the response for an error; an internal error's message is not disclosed."""
    status = status_of(error)
    if status == 500:
        return internal_error()
    headers = {"WWW-Authenticate": "Bearer"} if status == 401 else {"Retry-After": "10"} if status == 503 else {}
    return problem_response(status, str(error), code=error.code, errors=_error_fields(error), headers=headers)


def _error_fields(error: TidemarkError) -> list[dict[str, Any]]:
    if isinstance(error, InvalidImport) and error.bad_rows:
        return [
            {"pointer": f"{row.file}:{row.line}", "code": "bad_row", "detail": row.reason} for row in error.bad_rows
        ]
    if isinstance(error, InvalidInput) and error.pointer:
        nearest = {"nearest": list(error.nearest)} if isinstance(error, UnknownName) else {}
        return [{"pointer": error.pointer, "code": error.code, "detail": str(error), **nearest}]
    return []


def validation_response(error: RequestValidationError) -> JSONResponse:
    """Return the response for an invalid body or parameter, with its first faults."""
    faults = error.errors()
    fields = [_fault_field(fault) for fault in faults[:_MAX_FAULTS]]
    texts = [f"{field['pointer']}: {field['detail']}" for field in fields]
    detail = "; ".join([*texts, *["..."] * (len(faults) > _MAX_FAULTS)]) or "the request cannot be read"
    return problem_response(422, detail, code="invalid_input", errors=fields)


def _fault_field(fault: Mapping[str, Any]) -> dict[str, str]:
    """Return one fault as {pointer, code, detail}, in our own words if pydantic's do not say what to send."""
    where: tuple[str | int, ...] = fault["loc"]
    detail = str(fault["msg"]).removeprefix("Value error, ")
    if fault["type"] == "json_invalid":  # its location is a character's position, not a field
        detail = f"the body is not JSON, from character {where[-1]} on: {fault['ctx']['error']}"
        where = ()
    elif where == ("body",) and isinstance(fault.get("input"), bytes):
        detail = "send the body as JSON, with the header Content-Type: application/json"
    elif where == ("body",) and fault["type"] == "model_attributes_type":
        detail = "the body must be one JSON object"
    pointer = "/" + "/".join(str(part)[:_MAX_PART_CHARS] for part in where if part not in {"body", "query", "path"})
    return {"pointer": pointer, "code": str(fault["type"]), "detail": detail}


def internal_error() -> JSONResponse:
    """Return the response for an internal error; the cause is only logged."""
    return problem_response(500, "an internal error occurred and was logged", code=INTERNAL)
