"""Recorded answers of setters from a file on this machine, in place of a model that makes tests.

A row of JSON is `{"problem", "setter", "vendor", "role", "ordinal", "text"}`; `problem` is its title. An endpoint's
remote name is the setter whose rows are used, since a file may hold those of several. The first lines of a prompt name
the request; there are no later rounds.
"""

from functools import partial
from typing import Any, Final

from app.domain.asking.completions import EndpointSpec, InferenceRequest
from app.domain.errors import NotFound
from workers.inference.backends import Backend, RecordedBody
from workers.inference.backends._recordings import find, invalid_row, locate, parse
from workers.inference.backends._responses import decode_json, get_field, read_refusal

_TEXTS: Final = ("problem", "setter", "vendor", "role", "text")
_HEADER: Final = ("ROLE", "PROBLEM", "ROUND", "ORDINAL")


def _key(line: bytes, where: str) -> tuple[str, str, str, int]:
    row: Any = decode_json(line)
    for name in _TEXTS:
        if not isinstance(get_field(row, name), str):
            raise invalid_row(where, f"{name} must be text")
    ordinal = row.get("ordinal", 0)
    if type(ordinal) is not int or ordinal < 0:
        raise invalid_row(where, "ordinal must be a number from 0")
    return row["setter"].strip(), " ".join(row["problem"].split()), row["role"], ordinal


def _build(endpoint: EndpointSpec, request: InferenceRequest) -> RecordedBody:
    messages = request.prompt.messages
    lines = messages[-1].content.split("\n")[: len(_HEADER)] if messages else []
    header = dict(line.split(": ", 1) for line in lines if ": " in line)
    if tuple(header) != _HEADER:
        raise NotFound("the recorded answers are of setters, and this prompt asks for no role")
    key = endpoint.remote_name, header["PROBLEM"], header["ROLE"], int(header["ORDINAL"])
    row = find(endpoint, (key,), _key) if header["ROUND"] == "0" else None
    if row is None:
        raise NotFound(
            f"the recorded answers of {key[0]} have no {key[2]} {key[3]} in round {header['ROUND']} for {key[1]!r}"
        )
    return row


BACKEND = Backend("setters_replay", _build, parse, read_refusal, locate=partial(locate, key_of=_key))
