"""Recorded answers from a file on this machine, in place of a model: for judging again elsewhere, and for tests.

A row of JSON is `{"problem", "scenario", "item", "ordinal", "text"}`. `problem` is the source's own name of it, or
`SOURCE/NAME` if sources share names; items and ordinals count from 0. Other fields are ignored. An endpoint's address
is the file's, with the digest of its contents at registration: a changed file answers nothing.
"""

from functools import partial
from typing import Any, Final

from app.domain.asking.completions import EndpointSpec, InferenceRequest, SampleKey
from app.domain.errors import NotFound
from workers.inference.backends import Backend, RecordedBody
from workers.inference.backends._recordings import find, invalid_row, locate, parse
from workers.inference.backends._responses import decode_json, get_field, read_refusal

_TEXTS: Final = ("problem", "scenario", "text")
_NUMBERS: Final = ("item", "ordinal")

_Key = tuple[str, str, int, int]


def _key(line: bytes, where: str) -> _Key:
    row: Any = decode_json(line)
    for name in _TEXTS:
        if not isinstance(get_field(row, name), str):
            raise invalid_row(where, f"{name} must be text")
    for name in _NUMBERS:
        number = get_field(row, name)
        if type(number) is not int or number < 0:
            raise invalid_row(where, f"{name} must be a number from 0")
    return row["problem"], row["scenario"], row["item"], row["ordinal"]


def _build(endpoint: EndpointSpec, request: InferenceRequest) -> RecordedBody:
    subject = request.subject
    if subject is None:
        raise NotFound("the recorded answers are of problems, and this request is of none")
    row = find(endpoint, _keys(subject), _key)
    if row is None:
        raise NotFound(
            f"the recorded answers have no row for problem {subject.source}/{subject.problem}, scenario "
            f"{subject.scenario}, item {subject.item}, ordinal {subject.ordinal}"
        )
    return row


def _keys(subject: SampleKey) -> tuple[_Key, _Key]:
    rest = subject.scenario, subject.item, subject.ordinal
    return (f"{subject.source}/{subject.problem}", *rest), (subject.problem, *rest)


BACKEND = Backend("replay", _build, parse, read_refusal, locate=partial(locate, key_of=_key))
