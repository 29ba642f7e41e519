"""The API's OpenAPI document as a page: what many operations share once, and a call of each that runs as it stands.

Types, paths, bodies, answers and codes come from the document; sentences come from the catalogues, by operationId and
by the names of parameters and fields.
"""

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote

from web.context import PageRequest

Schema = Mapping[str, Any]

_METHODS: Final = ("get", "post", "put", "patch", "delete")
# A parameter of so many operations stands once, above them all.
_MIN_SHARING: Final = 5
_IDEMPOTENCY: Final = "Idempotency-Key"
# In this order; other groups follow by name.
_TAGS: Final = ("boards", "ratings", "public", "evidence", "ledger", "snapshots", "vendors")
# Bodies of a vendor's first requests, by the last part of the path; the endpoint's id comes from the response before.
_FIRST_REQUESTS: Final = {"models": "ModelBody", "endpoints": "EndpointBody", "submissions": "SubmissionBody"}
_READ: Final = """\
import json
from urllib.request import urlopen

address = "{site}/api/v1/boards/codegen?from=2026-01-01"
with urlopen(address) as response:
    board = json.load(response)
for row in board["rows"]:
    print(row["rank"], row["model"], row["score"])"""
_WRITE: Final = """\
import json, os, uuid
from urllib.request import Request, urlopen

def post(path, body):
    request = Request("{vendor}" + path, json.dumps(body).encode())
    request.add_header("Authorization", "Bearer " + os.environ["KEY"])
    request.add_header("Content-Type", "application/json")
    request.add_header("Idempotency-Key", str(uuid.uuid4()))
    with urlopen(request) as response:
        return json.load(response)

{calls}"""


@dataclass(frozen=True, slots=True)
class ApiField:
    """A parameter or a field of a body; `where` is path, query, header or body, and `kind` its type."""

    name: str
    where: str
    kind: str
    required: bool
    meaning: str


@dataclass(frozen=True, slots=True)
class ApiOperation:
    """An operation: its own fields, the names of the shared ones, the scopes it needs, a call, and an answer."""

    id: str
    method: str
    path: str
    summary: str
    scopes: tuple[str, ...]
    fields: tuple[ApiField, ...]
    shared: tuple[str, ...]
    curl: str
    answer: str | None


@dataclass(frozen=True, slots=True)
class ApiGroup:
    """The operations under one tag of the document."""

    tag: str
    operations: tuple[ApiOperation, ...]


@dataclass(frozen=True, slots=True)
class ApiReference:
    """The whole document as shown; `errors` maps the codes of failures to their statuses."""

    version: str
    shared: tuple[ApiField, ...]
    groups: tuple[ApiGroup, ...]
    errors: Mapping[str, int]
    read_curl: str
    read_python: str
    vendor_curl: tuple[str, ...]
    vendor_python: str


def api_reference(page: PageRequest, document: Schema, known: Mapping[str, str]) -> ApiReference:
    """Return the document in the page's language; `known` are values of path parameters that this site has."""
    site = page.state.public_url
    reader = _Reader(page, document, known)
    operations = [(item[method]["tags"][0], method, path) for path, item in sorted(document["paths"].items())
                  for method in _METHODS if method in item]  # fmt: skip
    tags = {tag for tag, _, _ in operations}
    return ApiReference(
        version=document["openapi"],
        shared=tuple(reader.shared_fields()),
        groups=tuple(
            ApiGroup(tag, tuple(reader.operation(method, path) for at, method, path in operations if at == tag))
            for tag in (*(tag for tag in _TAGS if tag in tags), *sorted(tags - set(_TAGS)))
        ),
        errors=document["components"]["schemas"]["Problem"]["properties"]["code"]["x-status-by-code"],
        read_curl=f'curl "{site}/api/v1/boards/codegen?from=2026-01-01"',
        read_python=_READ.format(site=site),
        vendor_curl=tuple(_vendor_calls(document, site)),
        vendor_python=_WRITE.format(vendor=f"{site}/api/v1/vendor", calls="\n".join(_python_calls(document))),
    )


def _vendor_calls(document: Schema, site: str) -> Iterator[str]:
    """Yield the calls of a vendor's first submission, ready to be pasted into a shell once KEY is set."""
    vendor, key = f"{site}/api/v1/vendor", '-H "Authorization: Bearer $KEY"'
    for path, name in _FIRST_REQUESTS.items():
        sent = f"-H \"{_IDEMPOTENCY}: my-first-{path}\" --json '{json.dumps(_example_body(document, name))}'"
        yield f"curl {vendor}/{path} {key} {sent}"
    yield f"curl {vendor}/submissions/ID {key}"


def _python_calls(document: Schema) -> Iterator[str]:
    for path, name in _FIRST_REQUESTS.items():
        body = _example_body(document, name)
        written = {**body, "endpoint": "ENDPOINT"} if "endpoint" in body else body
        fields = ",\n".join(f"    {name!r}: {value!r}" for name, value in written.items()).replace("'", '"')
        call = f'{path.removesuffix("s")} = post("/{path}", {{\n{fields},\n}})'
        yield call.replace('"ENDPOINT"', 'endpoint["id"]')


def _example_body(document: Schema, name: str) -> Mapping[str, Any]:
    example: Mapping[str, Any] = document["components"]["schemas"][name]["examples"][0]
    return example


class _Reader:
    """The document with the parameters that many operations share, in one language."""

    def __init__(self, page: PageRequest, document: Schema, known: Mapping[str, str]) -> None:
        self._page, self._document, self._known = page, document, known
        counts = Counter(
            (parameter["in"], parameter["name"])
            for item in document["paths"].values()
            for operation in item.values()
            for parameter in operation.get("parameters", ())
            if parameter["in"] != "path"
        )
        self._shared = {place for place, count in counts.items() if count >= _MIN_SHARING}

    def shared_fields(self) -> Iterator[ApiField]:
        """Yield each shared parameter once, as its first operation has it."""
        left = set(self._shared)
        for item in self._document["paths"].values():
            for operation in item.values():
                for parameter in operation.get("parameters", ()):
                    place = (parameter["in"], parameter["name"])
                    if place in left:
                        left.remove(place)
                        yield self._parameter("", parameter)

    def operation(self, method: str, path: str) -> ApiOperation:
        """Return one operation."""
        operation = self._document["paths"][path][method]
        name, parameters = operation["operationId"], operation.get("parameters", ())
        schemes = operation.get("security", ())
        scopes = tuple(scope for scheme in schemes for value in scheme.values() for scope in value)
        shared = [parameter for parameter in parameters if (parameter["in"], parameter["name"]) in self._shared]
        own = [parameter for parameter in parameters if parameter not in shared]
        return ApiOperation(
            id=name,
            method=method.upper(),
            path=path,
            summary=self._page.t(f"api.op.{name}"),
            scopes=scopes,
            fields=(*(self._parameter(name, parameter) for parameter in own), *self._body(name, operation)),
            shared=tuple(parameter["name"] for parameter in shared),
            curl=self._curl(method, path, operation, scopes),
            answer=_answer(operation),
        )

    def _parameter(self, operation: str, parameter: Schema) -> ApiField:
        name = parameter["name"]
        kind = self._type(parameter.get("schema", {}))
        meaning = self._words(operation, f"param.{name}")
        return ApiField(name, parameter["in"], kind, parameter.get("required", False), meaning)

    def _words(self, operation: str, key: str) -> str:
        own = f"api.{operation}.{key}"
        return self._page.t(own) if self._page.knows(own) else self._page.t(f"api.{key}")

    def _body(self, operation: str, declared: Schema) -> Iterator[ApiField]:
        for content in declared.get("requestBody", {}).get("content", {}).values():
            yield from self._properties(operation, content["schema"], "")

    def _properties(self, operation: str, schema: Schema, within: str) -> Iterator[ApiField]:
        """Yield the fields of an object, those of an inner object as `outer.inner`."""
        resolved = self._resolve(schema)
        for name, member in resolved.get("properties", {}).items():
            kind, required = self._type(member), name in resolved.get("required", ())
            yield ApiField(within + name, "body", kind, required, self._words(operation, f"field.{within}{name}"))
            for choice in member.get("anyOf", (member,)):
                yield from self._properties(operation, choice, f"{within}{name}.")

    def _type(self, schema: Schema) -> str:
        if "anyOf" in schema:
            kinds = (self._type(option) for option in schema["anyOf"])
            return " | ".join(dict.fromkeys(kind for kind in kinds if kind != "null"))
        resolved = self._resolve(schema)
        if "const" in resolved or "enum" in resolved:
            return " | ".join(str(value) for value in resolved.get("enum", (resolved.get("const"),)))
        if resolved.get("type") == "array":
            inner = self._type(resolved.get("items", {}))
            return f"({inner})[]" if "|" in inner else f"{inner}[]"
        return str(resolved.get("format") or resolved.get("type", ""))

    def _resolve(self, schema: Schema) -> Schema:
        if "$ref" not in schema:
            return schema
        target: Schema = self._document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
        return target

    def _curl(self, method: str, path: str, operation: Schema, scopes: Collection[str]) -> str:
        place = path
        for parameter in operation.get("parameters", ()):
            if parameter["in"] == "path":
                name = parameter["name"]
                value = self._known.get(name)
                place = place.replace(f"{{{name}}}", name.upper() if value is None else quote(value))
        needed = [
            one["name"] for one in operation.get("parameters", ()) if one["in"] == "query" and one.get("required")
        ]
        query = "&".join(f"{name}={quote(self._known.get(name, name.upper()))}" for name in needed)
        words = [f'curl "{self._page.state.public_url}{place}{"?" + query if query else ""}"']
        if method == "get" and path.endswith((".parquet", ".zip", "matrix")):
            words.append(f"-o {path.rpartition('/')[2].replace('{name}', 'codegen')}")
        if scopes:
            words.append('-H "Authorization: Bearer $KEY"')
        if method != "get":
            words.append(f'-H "{_IDEMPOTENCY}: $(uuidgen)"')
        if "requestBody" in operation:
            reference = operation["requestBody"]["content"]["application/json"]["schema"]["$ref"]
            body = _example_body(self._document, reference.rpartition("/")[2])
            words.append(f"--json '{json.dumps(body)}'")
        elif method != "get":
            words.append("-X POST")
        return " ".join(words)


def _answer(operation: Schema) -> str | None:
    """Return the example of an operation's answer as indented JSON."""
    for status, response in operation["responses"].items():
        content = response.get("content", {}).get("application/json", {})
        if status.startswith("2") and "example" in content:
            return json.dumps(content["example"], indent=1, ensure_ascii=False)
    return None
