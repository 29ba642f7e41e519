"""The API's description as a page: the OpenAPI document without third-party scripts."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from starlette.responses import Response

from web.context import PageRequest
from web.render import render

_METHODS = ("get", "post", "put", "patch", "delete")
_HEADER = "Authorization"

Schema = Mapping[str, Any]

# Bodies of a vendor's first requests, by the last part of the path; the endpoint's id comes from the response before.
_FIRST_REQUESTS = {"models": "ModelBody", "endpoints": "EndpointBody", "submissions": "SubmissionBody"}


@dataclass(frozen=True, slots=True)
class ApiField:
    """One field of a request; `where` is path, query, header or body, `kind` its type in words."""

    name: str
    where: str
    kind: str
    required: bool
    meaning: str


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation of the API."""

    method: str
    path: str
    summary: str
    fields: tuple[ApiField, ...]


def api_page(page: PageRequest) -> Response:
    """Render every operation, in the order of its path."""
    document: Schema = page.request.app.openapi()
    return render(
        page,
        "pages/api.html",
        operations=tuple(_operations(document)),
        version=document["openapi"],
        calls=tuple(_curl_calls(document, page.state.public_url)),
    )


def _curl_calls(document: Schema, site: str) -> Iterator[str]:
    """Yield the calls of a vendor's first submission, ready to be pasted into a shell once KEY is set."""
    vendor, key = f"{site}/api/v1/vendor", '-H "Authorization: Bearer $KEY"'
    for path, name in _FIRST_REQUESTS.items():
        [body] = document["components"]["schemas"][name]["examples"]
        sent = f"-H \"Idempotency-Key: my-first-{path}\" --json '{json.dumps(body)}'"
        yield f"curl {vendor}/{path} {key} {sent}"
    yield f"curl {vendor}/submissions/ID {key}"


def _operations(document: Schema) -> Iterator[Operation]:
    for path, item in sorted(document["paths"].items()):
        for method in (method for method in _METHODS if method in item):
            operation = item[method]
            yield Operation(
                method=method.upper(),
                path=path,
                summary=operation.get("description") or operation.get("summary", ""),
                fields=(*_credentials(operation), *_parameters(document, operation), *_body(document, operation)),
            )


def _credentials(operation: Schema) -> Iterator[ApiField]:
    for scheme in operation.get("security", ()):
        scopes = ", ".join(scope for value in scheme.values() for scope in value)
        yield ApiField(_HEADER, "header", "Bearer KEY", required=True, meaning=f"an API key with the scope {scopes}")


def _parameters(document: Schema, operation: Schema) -> Iterator[ApiField]:
    for parameter in operation.get("parameters", ()):
        kind = _type_words(document, parameter.get("schema", {}))
        yield ApiField(
            parameter["name"], parameter["in"], kind, parameter.get("required", False), parameter.get("description", "")
        )


def _body(document: Schema, operation: Schema) -> Iterator[ApiField]:
    for content in operation.get("requestBody", {}).get("content", {}).values():
        yield from _properties(document, content["schema"], "")


def _properties(document: Schema, schema: Schema, within: str) -> Iterator[ApiField]:
    """Yield the fields of an object, those of an inner object as `outer.inner`."""
    resolved = _resolve(document, schema)
    for name, member in resolved.get("properties", {}).items():
        kind, required = _type_words(document, member), name in resolved.get("required", ())
        yield ApiField(within + name, "body", kind, required, member.get("description", ""))
        for choice in member.get("anyOf", (member,)):
            yield from _properties(document, choice, f"{within}{name}.")


def _type_words(document: Schema, schema: Schema) -> str:
    if "anyOf" in schema:
        kinds = (_type_words(document, option) for option in schema["anyOf"])
        return " or ".join(dict.fromkeys(kind for kind in kinds if kind != "null"))
    resolved = _resolve(document, schema)
    if "const" in resolved or "enum" in resolved:
        return ", ".join(str(value) for value in resolved.get("enum", (resolved.get("const"),)))
    if resolved.get("type") == "array":
        return f"list of {_type_words(document, resolved.get('items', {}))}"
    return str(resolved.get("format") or resolved.get("type", ""))


def _resolve(document: Schema, schema: Schema) -> Schema:
    if "$ref" not in schema:
        return schema
    target: Schema = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return target
