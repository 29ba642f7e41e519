"""Answers held against the API's own description: each has the shape that is declared for it, and no key more."""

import gzip
import json
from collections.abc import Mapping
from functools import cache
from typing import Any

import jsonschema_rs
from fastapi import FastAPI
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.domain.boards.columns import columns

_JSON = {"application/json", "application/problem+json"}


def strict(schema: Any) -> Any:
    """A schema whose objects have no key but those that it names."""
    if isinstance(schema, list):
        return [strict(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {"additionalProperties": False} if isinstance(schema.get("properties"), dict) else {}
    return closed | {name: strict(part) for name, part in schema.items()}


class Description:
    """What an OpenAPI document declares, by method, path and status."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.operations = {
            (method.upper(), path): operation
            for path, item in document["paths"].items()
            for method, operation in item.items()
        }
        self._components = strict(document["components"])
        self._validator = cache(self._make_validator)

    def fault(self, method: str, path: str, status: int, kind: str, answer: Any) -> str | None:
        """What is wrong with an answer; None if it is as declared."""
        operation = self.operations.get((method, path))
        if operation is None:
            return None
        name = f"{operation['operationId']} ({status})"
        if kind == "application/problem+json":  # some failures may meet any operation, and are not declared for it
            schema: Any = {"$ref": "#/components/schemas/Problem"}
        else:
            try:
                schema = operation["responses"][str(status)]["content"][kind]["schema"]
            except KeyError:
                return f"{name}: {kind} is not declared"
        for error in self._validator(json.dumps(schema)).iter_errors(answer):
            return f"{name}: {error.message[:500]} at {error.instance_path}"
        return None

    def _make_validator(self, schema: str) -> Any:
        return jsonschema_rs.validator_for(
            strict(json.loads(schema)) | {"components": self._components}, validate_formats=True
        )


_OF_PROCESS: dict[tuple[str, ...], Description] = {}  # every application of a process has the same, but for plug-ins


def description(app: FastAPI) -> Description:
    """Return what an application declares, made once for the columns that there are."""
    names = tuple(column.name for column in columns())
    if names not in _OF_PROCESS:
        _OF_PROCESS[names] = Description(app.openapi())
    return _OF_PROCESS[names]


class DeclaredAnswers:
    """ASGI middleware that passes everything on, and keeps what was wrong with the application's JSON answers.

    `asked` holds the operationIds that answered with a success.
    """

    def __init__(self, app: FastAPI) -> None:
        self._app: ASGIApp = app
        self._described = app
        self.faults: list[str] = []
        self.asked: set[str] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] == "HEAD":
            await self._app(scope, receive, send)
            return
        parts: list[bytes] = []
        start: dict[str, Any] = {}

        async def pass_on(message: Message) -> None:
            if message["type"] == "http.response.start":
                start.update(message, headers={name.lower(): value for name, value in message["headers"]})
            elif self._kind(start) in _JSON:
                parts.append(message.get("body", b""))
            await send(message)

        await self._app(scope, receive, pass_on)
        path = getattr(scope.get("route"), "path", None)
        if start and path is not None:
            self._check(scope["method"], path.replace(":path}", "}"), start, b"".join(parts))

    @staticmethod
    def _kind(start: Mapping[str, Any]) -> str:
        kind: bytes = start["headers"].get(b"content-type", b"")
        return kind.decode().partition(";")[0]

    def _check(self, method: str, path: str, start: Mapping[str, Any], body: bytes) -> None:
        declared = description(self._described)
        if start["status"] < 300 and (method, path) in declared.operations:
            self.asked.add(declared.operations[method, path]["operationId"])
        if not body:
            return
        packed = start["headers"].get(b"content-encoding") == b"gzip"
        answer = json.loads(gzip.decompress(body) if packed else body)
        fault = declared.fault(method, path, start["status"], self._kind(start), answer)
        if fault is not None:
            self.faults.append(fault)
