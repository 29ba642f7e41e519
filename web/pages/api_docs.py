"""The API's description as a page: what the OpenAPI document says, without a script from elsewhere."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from starlette.responses import Response

from web.context import Page
from web.render import render

_METHODS = ("get", "post", "put", "patch", "delete")
_HEADER = "Authorization"

Schema = Mapping[str, Any]

# What a vendor sends first, by the last part of its path; the endpoint's id is that of the answer before.
_ORDER: Mapping[str, Schema] = {
    "models": {
        "slug": "orion-1",
        "name": "Orion 1",
        "cutoff": {"date": "2026-03-31", "evidence_url": "https://orion.example/model-card"},
    },
    "endpoints": {
        "model": "orion-1", "remote_name": "orion-1", "base_url": "https://api.orion.example/v1", "secret": "SECRET",
    },
    "submissions": {"endpoint": 1, "protocol": "fresh", "continuous": True},
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Field:
    """One thing a caller may send; `where` is path, query, header or body, `kind` its type in words."""

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
    fields: tuple[Field, ...]


def api_page(page: Page) -> Response:
    """Every operation, in the order of its path."""
    document: Schema = page.request.app.openapi()
    return render(
        page,
        "pages/api.html",
        operations=tuple(_operations(document)),
        version=document["openapi"],
        calls=tuple(_calls(page.state.public_url)),
    )


def _calls(site: str) -> Iterator[str]:
    """A vendor's first order, ready to be pasted into a shell once KEY is set."""
    vendor, key = f"{site}/api/v1/vendor", '-H "Authorization: Bearer $KEY"'
    for path, body in _ORDER.items():
        sent = f"-H \"Idempotency-Key: my-first-{path}\" --json '{json.dumps(body)}'"
        yield f"curl {vendor}/{path} {key} {sent}"
    yield f"curl {vendor}/submissions/ID {key}"


def _operations(document: Schema) -> Iterator[Operation]:
    for path, item in sorted(document["paths"].items()):
        for method in (method for method in _METHODS if method in item):
            described = item[method]
            yield Operation(
                method=method.upper(),
                path=path,
                summary=described.get("description") or described.get("summary", ""),
                fields=(*_credentials(described), *_parameters(document, described), *_body(document, described)),
            )


def _credentials(described: Schema) -> Iterator[Field]:
    for scheme in described.get("security", ()):
        scopes = ", ".join(scope for value in scheme.values() for scope in value)
        yield Field(_HEADER, "header", "Bearer KEY", required=True, meaning=f"an API key with the scope {scopes}")


def _parameters(document: Schema, described: Schema) -> Iterator[Field]:
    for parameter in described.get("parameters", ()):
        kind = _kind(document, parameter.get("schema", {}))
        yield Field(
            parameter["name"], parameter["in"], kind, parameter.get("required", False), parameter.get("description", "")
        )


def _body(document: Schema, described: Schema) -> Iterator[Field]:
    for content in described.get("requestBody", {}).get("content", {}).values():
        yield from _properties(document, content["schema"], "")


def _properties(document: Schema, schema: Schema, within: str) -> Iterator[Field]:
    """The fields of an object, those of an object inside it as `outer.inner`."""
    whole = _resolved(document, schema)
    for name, member in whole.get("properties", {}).items():
        kind, required = _kind(document, member), name in whole.get("required", ())
        yield Field(within + name, "body", kind, required, member.get("description", ""))
        for choice in member.get("anyOf", (member,)):
            yield from _properties(document, choice, f"{within}{name}.")


def _kind(document: Schema, schema: Schema) -> str:
    if "anyOf" in schema:
        kinds = (_kind(document, option) for option in schema["anyOf"])
        return " or ".join(dict.fromkeys(kind for kind in kinds if kind != "null"))
    whole = _resolved(document, schema)
    if "const" in whole or "enum" in whole:
        return ", ".join(str(value) for value in whole.get("enum", (whole.get("const"),)))
    if whole.get("type") == "array":
        return f"list of {_kind(document, whole.get('items', {}))}"
    return str(whole.get("format") or whole.get("type", ""))


def _resolved(document: Schema, schema: Schema) -> Schema:
    if "$ref" not in schema:
        return schema
    target: Schema = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return target
