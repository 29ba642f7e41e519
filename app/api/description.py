"""The API's description: how routes declare their answers, and the OpenAPI document made of all of them."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final, get_args

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from app.api.problem_json import MEDIA_TYPE, TITLES, Owner, problem_kinds, status_by_code
from app.api.schemas.boards import FrozenRow, RankedRow
from app.domain.boards.columns import columns
from app.domain.exports import ColumnKind

Responses = dict[int | str, dict[str, Any]]

# Answers of a small test league, by operationId, their lists cut to the first entry; a test records them.
EXAMPLES: Final = Path(__file__).with_name("schemas") / "examples.json"

_PROBLEM: Final = "Problem"
_TEXT = {"type": "string"}
_VALUES: Mapping[ColumnKind, Mapping[str, Any]] = {
    ColumnKind.TEXT: _TEXT,
    ColumnKind.INTEGER: {"type": "integer"},
    ColumnKind.NUMBER: {"type": "number"},
    ColumnKind.FLAG: {"type": "boolean"},
    ColumnKind.TEXTS: {"type": "array", "items": _TEXT},
}
_NEAREST = {"type": "array", "description": "names like the unknown one, the likeliest first", "items": _TEXT}
_FIELD = {"pointer": _TEXT, "code": _TEXT, "detail": _TEXT, "nearest": _NEAREST}
_PROBLEM_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "title": _PROBLEM,
    "description": "A failure, as RFC 9457 has it.",
    "required": ["type", "title", "status", "code", "detail", "owner", "retryable", "request_id"],
    "properties": {
        "type": {"type": "string", "format": "uri-reference", "description": "the page that explains the code"},
        "title": _TEXT,
        "status": {"type": "integer"},
        "code": {
            "type": "string",
            "description": "stable; what programs may read",
            "x-status-by-code": status_by_code(),
            "x-problems": [asdict(kind) for kind in problem_kinds()],
        },
        "detail": {"type": "string", "description": "for a person"},
        "owner": {
            "enum": list(get_args(Owner)),
            "description": "who can mend it: us, you who asked, or the vendor of the endpoint",
        },
        "retryable": {"type": "boolean", "description": "whether the same request may succeed later"},
        "request_id": {"type": "string", "description": "as in the header X-Request-ID; name it when you write to us"},
        "errors": {
            "type": "array",
            "description": "the fields at fault",
            "items": {"type": "object", "required": ["pointer", "code", "detail"], "properties": _FIELD},
        },
    },
    "examples": [
        {
            "type": "/errors#not_found",
            "title": "Not found",
            "status": 404,
            "code": "not_found",
            "detail": "no model orion-9",
            "owner": "you",
            "retryable": False,
            "request_id": "5e6c0c7f4a1e4f8f9d0c7f4a1e4f8f9d",
        }
    ],
}


def json_response(shape: Any, status: int = 200, description: str = "Successful Response") -> Responses:
    """Return the OpenAPI response of a route that answers JSON of a shape; the shape is only declared, never applied.

    A handler sends its value as it is: no answer is read, checked or written a second time. One that is annotated with
    a shape says `response_model=dict[str, Any]`, since FastAPI would else apply it.
    """
    return {status: {"model": shape, "description": description}}


def file_response(media_type: str) -> Responses:
    """Return the OpenAPI response of a route that answers with text or bytes of a media type."""
    schema = {"type": "string"} if media_type.startswith("text/") else {"type": "string", "format": "binary"}
    return {200: {"content": {media_type: {"schema": schema}}}}


def error_responses(*statuses: int) -> Responses:
    """Return the OpenAPI responses of a route for these error statuses."""
    schema = {"$ref": f"#/components/schemas/{_PROBLEM}"}
    return {status: {"description": TITLES[status], "content": {MEDIA_TYPE: {"schema": schema}}} for status in statuses}


class DescribedApp(FastAPI):
    """An application whose OpenAPI document has one schema for all errors, and an example of every answer."""

    def openapi(self) -> dict[str, Any]:
        """Return the document, which is made once."""
        if self.openapi_schema is None:
            document = get_openapi(
                title=self.title,
                version=self.version,
                description=self.description,
                servers=self.servers,
                routes=self.routes,
            )
            schemas = document["components"]["schemas"]
            schemas[_PROBLEM] = _PROBLEM_SCHEMA
            for shape in (RankedRow, FrozenRow):
                _add_later_columns(schemas[shape.__name__]["properties"])
            _complete_answers(document, json.loads(EXAMPLES.read_text(encoding="utf-8")))
            self.openapi_schema = document
        return self.openapi_schema


def _add_later_columns(properties: dict[str, Any]) -> None:
    """Add the columns that have a file of their own: a column is declared once, and a row's shape follows it."""
    for column in columns():
        if column.in_json and column.name not in properties:
            values = {} if column.kind is None else {"anyOf": [_VALUES[column.kind], {"type": "null"}]}
            properties[column.name] = values


def _complete_answers(document: Mapping[str, Any], examples: Mapping[str, Any]) -> None:
    for operation in _operations(document):
        for status, response in operation["responses"].items():
            content = response.get("content", {}).get("application/json")
            if content is None:
                continue
            if "$ref" in content["schema"]:  # the declared shape, which FastAPI has merged with the handler's `dict`
                content["schema"] = {"$ref": content["schema"]["$ref"]}
            name = operation["operationId"]
            if status.startswith("2") and name in examples:
                content["example"] = examples.get(f"{name} {status}", examples[name])


def _operations(document: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for path in document["paths"].values():
        yield from path.values()
