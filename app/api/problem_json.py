"""Errors as application/problem+json (RFC 9457): one shape for every failure of the API.

Each has a stable `code`, and its `type` leads to the paragraph of that code on the page /errors.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Literal

from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse

from app.domain.errors import (
    Conflict,
    Forbidden,
    InProgress,
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
_CODES: Mapping[int, str] = {
    400: "bad_request", 404: "not_found", 405: "method_not_allowed", 413: "too_large", 415: "unsupported_media_type",
}  # fmt: skip

INTERNAL = "internal"

# A caller decides how many fields a request has, and how long their names are.
_MAX_FAULTS, _MAX_PART_CHARS = 20, 100

# Words for pydantic's faults whose own words speak of its types.
_FAULT_TEXTS: Mapping[str, str] = {
    "missing": "this field is required",
    "extra_forbidden": "there is no such field",
    "string_type": "give a text",
    "int_type": "give a whole number",
    "int_parsing": "give a whole number",
    "int_from_float": "give a whole number",
    "float_type": "give a number",
    "float_parsing": "give a number",
    "decimal_type": "give a number, or a number as text",
    "decimal_parsing": "give a number, or a number as text",
    "bool_type": "give true or false",
    "bool_parsing": "give true or false",
    "dict_type": "give a JSON object",
    "model_type": "give a JSON object",
    "model_attributes_type": "give a JSON object",
    "list_type": "give a list",
}

# Statuses of failures that may pass by themselves: the same request may be sent again.
_PASSING = frozenset({429, 500, 503})


@dataclass(frozen=True, slots=True)
class RequestFacts:
    """Facts about the request being answered that each of its problems names: its id, and the page of all codes."""

    request_id: str = ""
    errors_url: str = "/errors"


# Set by the middleware of all requests.
CURRENT_REQUEST: ContextVar[RequestFacts] = ContextVar("current_request")
_NO_REQUEST = RequestFacts()

Owner = Literal["us", "you", "vendor"]


@dataclass(frozen=True, slots=True)
class ProblemKind:
    """A code of failures: its status, who can mend it, and whether the same request may succeed later.

    `owner` is us (the site), you (the caller) or vendor (the endpoint that a model is asked at).
    """

    code: str
    status: int
    owner: Owner
    retryable: bool


def status_of(error: TidemarkError) -> int:
    """Return the HTTP status of an error, 500 if it has no other."""
    return next((status for kind, status in _STATUS if isinstance(error, kind)), 500)


def status_by_code() -> dict[str, int]:
    """Return every code that a failure may have, with its status, ordered by status and code."""
    return {kind.code: kind.status for kind in problem_kinds()}


def problem_kinds() -> list[ProblemKind]:
    """Return every code that a failure may have, ordered by status and code."""
    kinds: list[type[TidemarkError]] = [TidemarkError]
    for kind in kinds:
        kinds += [inner for inner in kind.__subclasses__() if inner.__module__ == TidemarkError.__module__]
    codes = {kind.code: next((status for base, status in _STATUS if issubclass(kind, base)), 500) for kind in kinds}
    codes = {code: status for code, status in codes.items() if status != 500} | {
        code: status for status, code in _CODES.items()
    }
    codes[INTERNAL] = 500
    return [_problem_kind(code, status) for code, status in sorted(codes.items(), key=lambda pair: (pair[1], pair[0]))]


def _problem_kind(code: str, status: int) -> ProblemKind:
    owner: Owner = "us" if status >= 500 else "you"
    return ProblemKind(code, status, owner, status in _PASSING or code == InProgress.code)


def problem_response(
    status: int,
    detail: str,
    *,
    code: str | None = None,
    errors: Sequence[Mapping[str, Any]] = (),
    headers: Mapping[str, str] | None = None,
) -> JSONResponse:
    """Return a problem+json response. `errors` holds {pointer, code, detail} for each invalid field."""
    kind = _problem_kind(code or _CODES.get(status, "bad_request" if status < 500 else INTERNAL), status)
    request = CURRENT_REQUEST.get(_NO_REQUEST)
    body: dict[str, Any] = {
        "type": f"{request.errors_url}#{kind.code}",
        "title": TITLES.get(status, "Error"),
        "status": status,
        "code": kind.code,
        "detail": detail,
        "owner": kind.owner,
        "retryable": kind.retryable,
        "request_id": request.request_id,
    }
    if errors:
        body["errors"] = list(errors)
    return JSONResponse(body, status_code=status, media_type=MEDIA_TYPE, headers=dict(headers or {}))


def with_request_id(body: bytes) -> bytes:
    """Return the body of a problem that was made for an equal request, with this request's id."""
    return json.dumps(
        json.loads(body) | {"request_id": CURRENT_REQUEST.get(_NO_REQUEST).request_id},
        ensure_ascii=False,
        separators=(",", ":"),
    ).encode()


def error_response(error: TidemarkError) -> JSONResponse:
    """Return the response for an error; an internal error's message is not disclosed."""
    status = status_of(error)
    if status == 500:
        return internal_error()
    headers = {"WWW-Authenticate": "Bearer"} if status == 401 else {}
    if isinstance(error, InProgress):
        headers["Retry-After"] = "1"
    elif isinstance(error, RateLimited):
        headers["Retry-After"] = str(error.retry_after_s)
    elif status == 503:
        headers["Retry-After"] = "10"
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


def http_error_response(error: HTTPException) -> JSONResponse:
    """Return the response for an error of the framework: 422 for a body that no JSON reader can read."""
    if not isinstance(error.__cause__, UnicodeDecodeError | RecursionError):
        return problem_response(error.status_code, str(error.detail), headers=dict(error.headers or {}))
    detail = "the body is not JSON in UTF-8, or is nested too deeply; it must not be compressed"
    return problem_response(
        422, detail, code="invalid_input", errors=[{"pointer": "/", "code": "json_invalid", "detail": detail}]
    )


def validation_response(error: RequestValidationError) -> JSONResponse:
    """Return the response for an invalid body or parameter, with its first faults."""
    fields = list({(field["pointer"], field["detail"]): field for field in _fault_fields(error)}.values())
    shown = fields[:_MAX_FAULTS]
    texts = [f"{field['pointer']}: {field['detail']}" for field in shown]
    detail = "; ".join([*texts, *["..."] * (len(fields) > _MAX_FAULTS)]) or "the request cannot be read"
    return problem_response(422, detail, code="invalid_input", errors=shown)


def _fault_fields(error: RequestValidationError) -> Iterator[dict[str, str]]:
    for fault in error.errors():
        yield _fault_field(fault, error.body)


def _fault_field(fault: Mapping[str, Any], body: object) -> dict[str, str]:
    """Return one fault as {pointer, code, detail}, in our own words if pydantic's do not say what to send."""
    where: tuple[str | int, ...] = fault["loc"]
    detail = _FAULT_TEXTS.get(str(fault["type"]), str(fault["msg"])).removeprefix("Value error, ")
    if fault["type"] == "json_invalid":  # its location is a character's position, not a field
        detail = f"the body is not JSON, from character {where[-1]} on: {fault['ctx']['error']}"
        where = ()
    elif where == ("body",) and isinstance(fault.get("input"), bytes):
        detail = "send the body as JSON, with the header Content-Type: application/json"
    elif where == ("body",) and fault["type"] == "model_attributes_type":
        detail = "the body must be one JSON object"
    parts = _parts_in_body(where[1:], body) if where[:1] == ("body",) else where[1:]
    pointer = "/" + "/".join(_escape_part(part) for part in parts)
    return {"pointer": pointer, "code": str(fault["type"]), "detail": detail}


def _parts_in_body(where: Sequence[str | int], body: object) -> Iterator[str | int]:
    """Yield the parts of a place that are in the body, or lacking there: pydantic adds names of its own to others."""
    value = body
    for part in where:
        if isinstance(value, Mapping):
            yield part
            value = value.get(part)
        elif isinstance(value, list) and isinstance(part, int) and part < len(value):
            yield part
            value = value[part]


def _escape_part(part: str | int) -> str:
    # As RFC 6901 has it.
    return str(part)[:_MAX_PART_CHARS].replace("~", "~0").replace("/", "~1")


def internal_error() -> JSONResponse:
    """Return the response for an internal error; the cause is only logged."""
    return problem_response(500, "an internal error occurred and was logged", code=INTERNAL)
