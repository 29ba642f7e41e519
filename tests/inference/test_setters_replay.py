"""Recorded answers of setters, found by what the first lines of a prompt ask for."""

import json
from pathlib import Path

import pytest
from support.setters import TITLE, answers, row

from app.domain.asking.completions import Completion, EndpointSpec, InferenceRequest
from app.domain.asking.follow_up import FollowUp
from app.domain.asking.protocols import Sampling
from app.domain.consensus.answers import SetterRole
from app.domain.consensus.prompts import prompt
from app.domain.errors import InvalidInput, NotFound
from app.domain.problems import Form, Limits, Statement
from workers.inference.backends import RecordedBody, named_backend

BACKEND = named_backend("setters_replay")
STATEMENT = Statement("1", "en", Form.STDIN, TITLE, "Print it.", {}, (), Limits())


def ask(address: str, role: SetterRole, ordinal: int, turn: int = 0, setter: str = "a-model") -> str:
    endpoint = EndpointSpec(1, BACKEND.name, address, setter)
    again = FollowUp(turn, "print(1)", "it is late") if turn else None
    call = BACKEND.call(endpoint, InferenceRequest(1, prompt(STATEMENT, role, ordinal, again), Sampling(), 0))
    assert isinstance(call, RecordedBody)
    made = BACKEND.parse(call.body, 1.0)
    assert isinstance(made, Completion)
    return made.text


def test_every_answer_is_found_by_setter_role_and_ordinal(tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_text("".join(json.dumps(row(answer)) + "\n" for vendor in "ab" for answer in answers(vendor)))
    assert BACKEND.locate is not None
    address = BACKEND.locate(str(file))
    for vendor in "ab":
        for answer in answers(vendor):
            piece = answer.answer_id
            assert ask(address, piece.role, piece.ordinal, setter=piece.setter) == answer.text
    for role, ordinal, turn, setter in (
        (SetterRole.CHECKER, 0, 0, "a-model"), (SetterRole.BRUTE, 0, 1, "a-model"),
        (SetterRole.SOLUTION, 2, 0, "a-model"),
        (SetterRole.BRUTE, 0, 0, "c-model"),
    ):  # fmt: skip
        with pytest.raises(NotFound, match="have no"):
            ask(address, role, ordinal, turn, setter)
    file.write_text("")
    with pytest.raises(InvalidInput, match="changed"):
        ask(address, SetterRole.BRUTE, 0)


@pytest.mark.parametrize("change", [{"role": None}, {"ordinal": -1}, {"ordinal": True}, {"text": 1}])
def test_what_is_no_row_is_refused_where_it_is_registered(tmp_path: Path, change: dict[str, object]) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_text(json.dumps({**row(answers("a")[0]), **change}))
    assert BACKEND.locate is not None
    with pytest.raises(InvalidInput):
        BACKEND.locate(str(file))
