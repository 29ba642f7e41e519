"""The API's description as a page: what the OpenAPI document says, without a script from elsewhere."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from starlette.responses import Response

from web.context import Page
from web.render import render

_METHODS = ("get", "post", "put", "patch", "delete")


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation of the API; a parameter is (name, where it stands, whether it must be given, meaning)."""

    method: str
    path: str
    summary: str
    parameters: tuple[tuple[str, str, bool, str], ...]


def api_page(page: Page) -> Response:
    """Every operation, in the order of its path."""
    document: Mapping[str, Any] = page.request.app.openapi()
    return render(page, "pages/api.html", operations=tuple(_operations(document)), version=document["openapi"])


def _operations(document: Mapping[str, Any]) -> Iterator[Operation]:
    for path, item in sorted(document["paths"].items()):
        for method in (each for each in _METHODS if each in item):
            described = item[method]
            yield Operation(
                method=method.upper(),
                path=path,
                summary=described.get("description") or described.get("summary", ""),
                parameters=tuple(
                    (each["name"], each["in"], each.get("required", False), each.get("description", ""))
                    for each in described.get("parameters", ())
                ),
            )
