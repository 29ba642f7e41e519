"""Programs of tests/attacks as what a third setter wrote: they change nothing, and each is named."""

import pytest
from grading.test_consensus_play import attack
from support.setters import FEW
from support.talking_setters import GUESS, HALVING, INTERACTOR

from app.domain.consensus.answers import AnswerId, SetterRole
from app.domain.testgen.candidates import Candidate
from app.domain.testgen.sampling.sample import InputKind
from workers.grading.answering_judge import AnsweringJudge
from workers.grading.consensus import interactors
from workers.grading.consensus.program_runner import ProgramRunner, SetterProgram

pytestmark = [pytest.mark.sandbox, pytest.mark.timeout(600)]


def test_attacks_as_interactors_change_nothing(answering_judge: AnsweringJudge) -> None:
    """Two vendors bring the same one, which says "right" of any two numbers: they decide nothing together either."""
    attacks = {"c": "exit_42", "d": "exit_42", "e": "fake_the_report", "f": "attack_the_parent"}

    def source(vendor: str, role: SetterRole, code: str) -> SetterProgram:
        return SetterProgram(AnswerId(vendor, f"{vendor}-model", role), code, "python")

    good = [source(vendor, SetterRole.INTERACTOR, INTERACTOR) for vendor in "ab"]
    hostile = [source(vendor, SetterRole.INTERACTOR, attack(name)) for vendor, name in attacks.items()]
    solutions = [source(vendor, SetterRole.SOLUTION, HALVING) for vendor in "ab"]
    runner = ProgramRunner(answering_judge, GUESS, FEW.max_s, FEW.helper_ms)
    inputs = [Candidate(InputKind.SMALL, text) for text in ("2 1\n", "5 4\n")]
    choice = interactors.choose(runner, [*hostile, *good], solutions, inputs)
    assert choice.deciding == tuple(good)
    assert set(choice.refused) == {one.answer_id for one in hostile}, "each is named"
