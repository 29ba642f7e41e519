"""Recorded answers from a file on this machine, in place of a model: for judging again elsewhere, and for tests.

A row of JSON is `{"problem", "scenario", "item", "ordinal", "text"}`. `problem` is the source's own name of it, or
`SOURCE/NAME` if sources share names; items and ordinals count from 0. Other fields are ignored. An endpoint's address
is the file's, with the digest of its contents at registration: a changed file answers nothing.
"""

from functools import partial
from typing import Any, Final

from app.domain.asking.completions import EndpointSpec, InferenceRequest, Subject
from app.domain.errors import NotFound
from workers.inference.backends import Backend, Recorded
from workers.inference.backends._reading import decoded, refusal, within
from workers.inference.backends._recorded import find, locate, parse, unfit

_TEXTS: Final = ("problem", "scenario", "text")
_NUMBERS: Final = ("item", "ordinal")

_Key = tuple[str, str, int, int]


def _key(line: bytes, where: str) -> _Key:
    row: Any = decoded(line)
    for name in _TEXTS:
        if not isinstance(within(row, name), str):
            raise unfit(where, f"{name} must be text")
    for name in _NUMBERS:
        number = within(row, name)
        if type(number) is not int or number < 0:
            raise unfit(where, f"{name} must be a number from 0")
    return row["problem"], row["scenario"], row["item"], row["ordinal"]


def _build(endpoint: EndpointSpec, request: InferenceRequest) -> Recorded:
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


def _keys(subject: Subject) -> tuple[_Key, _Key]:
    rest = subject.scenario, subject.item, subject.ordinal
    return (f"{subject.source}/{subject.problem}", *rest), (subject.problem, *rest)


BACKEND = Backend("replay", _build, parse, refusal, locate=partial(locate, key_of=_key))
