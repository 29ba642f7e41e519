"""Write the typed half of the client from an OpenAPI document: `python generate.py OPENAPI.json [FOLDER]`.

`shapes.py` gets a TypedDict for each schema, `operations.py` a method for each operation that answers JSON or nothing.
"""

import json
import keyword
import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).with_name("tidemark_client")
_WIDTH = 120
_TYPES = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
_KEY = "Idempotency-Key"


def shapes(document: Any) -> str:
    """Return the module of all schemas."""
    schemas = document["components"]["schemas"]
    body = "\n\n\n".join(_shape(name, schema) for name, schema in sorted(schemas.items()))
    return (
        '"""Shapes of requests and answers, made from the API\'s description by `generate.py`."""\n\n'
        "from __future__ import annotations\n\n"
        "from typing import Any, Literal, NotRequired, TypedDict\n\n\n"
        f"{body}\n"
    )


def _shape(name: str, schema: Any) -> str:
    if "properties" not in schema:
        return f"{name} = {_type(schema, quoted=True)}"
    required = set(schema.get("required", ()))
    fields = {
        field: (_type(inner) if field in required else f"NotRequired[{_type(inner)}]")
        for field, inner in schema["properties"].items()
    }
    said = _docstring(schema.get("description", name), 4)
    if all(field.isidentifier() and not keyword.iskeyword(field) for field in fields):
        lines = [f"    {field}: {kind}" for field, kind in fields.items()]
        return (
            "\n".join([f"class {name}(TypedDict):", said, "", *lines]) if lines else f"class {name}(TypedDict):\n{said}"
        )
    entries = "\n".join(f"        {json.dumps(field)}: {json.dumps(kind)}," for field, kind in fields.items())
    return f'{name} = TypedDict(\n    "{name}",\n    {{\n{entries}\n    }},\n)\n{name}.__doc__ = {said.strip()}'


def _type(schema: Any, *, quoted: bool = False) -> str:
    """Return the annotation of a schema; references are quoted where they may stand before their class."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f'"{name}"' if quoted else name
    if "const" in schema:
        return f"Literal[{schema['const']!r}]"
    if "enum" in schema:
        return f"Literal[{', '.join(repr(value) for value in schema['enum'])}]"
    if "anyOf" in schema or "oneOf" in schema:
        kinds = dict.fromkeys(_type(inner, quoted=quoted) for inner in schema.get("anyOf") or schema["oneOf"])
        return " | ".join(kinds)
    kind = schema.get("type")
    if kind == "array":
        if "prefixItems" in schema:
            return f"tuple[{', '.join(_type(inner, quoted=quoted) for inner in schema['prefixItems'])}]"
        return f"list[{_type(schema.get('items', {}), quoted=quoted)}]"
    if kind == "object":
        values = schema.get("additionalProperties")
        return f"dict[str, {_type(values, quoted=quoted) if isinstance(values, dict) else 'Any'}]"
    return _TYPES.get(kind, "Any")


def operations(document: Any) -> str:
    """Return the module of all operations."""
    found = [
        _method(method, path, operation)
        for path, item in document["paths"].items()
        for method, operation in item.items()
        if _answer(operation) is not None
    ]
    return (
        '"""One method for each operation of the API, made from its description by `generate.py`."""\n\n'
        "from typing import Any, Literal, Protocol, cast\n\n"
        "from tidemark_client import shapes\n\n\n"
        "class Sender(Protocol):\n"
        '    """What sends a request and returns its JSON answer."""\n\n'
        "    def send(\n"
        "        self, method: str, path: str, *, query: dict[str, Any], headers: dict[str, str | None], "
        "body: Any = None\n"
        "    ) -> Any:\n"
        '        """Return the decoded answer; raises ApiError."""\n\n\n'
        "class Operations:\n"
        '    """The operations of a Tidemark service."""\n\n'
        "    _sender: Sender\n\n" + "\n\n".join(found) + "\n"
    )


def _answer(operation: Any) -> str | None:
    """Return the annotation of an operation's answer; None if it answers with text or a file."""
    for status, response in operation["responses"].items():
        if status == "204":
            return "None"
        schema = response.get("content", {}).get("application/json", {}).get("schema")
        if status.startswith("2") and schema is not None:
            return _prefixed(_type(schema))
    return None


def _prefixed(annotation: str) -> str:
    known = {"str", "int", "float", "bool", "list", "dict", "tuple", "None", "Any", "Literal"}
    pattern = r"'[^']*'|\b[A-Za-z_]\w*\b"
    return re.sub(
        pattern,
        lambda found: found[0] if found[0] in known or found[0].startswith("'") else f"shapes.{found[0]}",
        annotation,
    )


def _method(method: str, path: str, operation: Any) -> str:
    name, answer = operation["operationId"], _answer(operation)
    given = operation.get("parameters", [])
    in_path = [each for each in given if each["in"] == "path"]
    others = sorted((each for each in given if each["in"] != "path"), key=lambda each: not _is_required(each))
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    arguments = [f"{_argument(each)}: {_prefixed(_type(each['schema']))}" for each in in_path]
    arguments += [f"body: {_prefixed(_type(body))}"] if body else []
    named = [
        f"{_argument(each)}: {_prefixed(_type(each['schema']))}" if _is_required(each)
        else f"{_argument(each)}: {_optional(_prefixed(_type(each['schema'])))} = None"
        for each in others
    ]  # fmt: skip
    arguments += ["*", *named] if named else []
    address = re.sub(r"\{(\w+)\}", lambda found: "{_quoted(" + found[1] + ")}", path)
    query = ", ".join(f"{json.dumps(each['name'])}: {_argument(each)}" for each in others if each["in"] == "query")
    headers = ", ".join(f"{json.dumps(each['name'])}: {_argument(each)}" for each in others if each["in"] == "header")
    sent = ", body=body" if body else ""
    call = (
        f"self._sender.send(\n            {method.upper()!r}, {'f' if in_path else ''}{json.dumps(address)}, "
        f"query={{{query}}}, headers={{{headers}}}{sent}\n        )"
    )
    head = ", ".join(["self", *arguments])
    result = call if answer == "None" else f"return cast({json.dumps(answer)}, {call})"
    return f"    def {name}({head}) -> {answer}:\n{_docstring(operation['description'], 8)}\n        {result}"


def _is_required(parameter: Any) -> bool:
    # The face makes a key for whoever gives none.
    return bool(parameter.get("required")) and parameter["name"] != _KEY


def _optional(annotation: str) -> str:
    return annotation if annotation.endswith("None") else f"{annotation} | None"


def _argument(parameter: Any) -> str:
    name = re.sub(r"\W", "_", parameter["name"]).lower()
    return f"{name}_" if keyword.iskeyword(name) else name


def _docstring(text: str, indent: int) -> str:
    pad, lines = " " * indent, list(_wrapped(text.strip().replace("\\", "\\\\").replace('"""', "'''"), _WIDTH - indent))
    whole = f'{pad}"""{lines[0]}'
    if len(lines) == 1 and len(whole) + 3 <= _WIDTH:
        return f'{whole}"""'
    return "\n".join([whole, *(f"{pad}{line}".rstrip() for line in lines[1:]), f'{pad}"""'])


def _wrapped(text: str, width: int) -> Iterator[str]:
    for number, paragraph in enumerate(re.split(r"\n\s*\n", text)):
        if number:
            yield ""
        yield from textwrap.wrap(" ".join(paragraph.split()), width - 6)


def main() -> None:
    """Write both modules."""
    document = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    folder = Path(sys.argv[2]) if len(sys.argv) > 2 else PACKAGE
    quoted = 'def _quoted(part: str | int) -> str:\n    return quote(str(part), safe="")\n'
    text = operations(document)
    text = text.replace(
        "from typing import Any, Literal, Protocol, cast\n",
        "from typing import Any, Literal, Protocol, cast\nfrom urllib.parse import quote\n",
    )
    (folder / "shapes.py").write_text(shapes(document), encoding="utf-8")
    (folder / "operations.py").write_text(f"{text}\n\n{quoted}", encoding="utf-8")
    subprocess.run([sys.executable, "-m", "ruff", "format", "--quiet", str(folder)], check=True)


if __name__ == "__main__":
    main()
