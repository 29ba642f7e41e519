"""Programs of tests/attacks as what a third setter wrote: they change nothing, and each is named."""

import pytest
from grading.test_setting_play import attack
from support.setters import FEW
from support.talking_setters import GUESS, HALVING, INTERACTOR

from app.domain.setting.answers import Piece, Role
from app.domain.testgen.candidates import Candidate
from app.domain.testgen.sampling.sample import Kind
from workers.grading.producer import Producer
from workers.grading.setting import interactors
from workers.grading.setting.bench import Bench, Source

pytestmark = [pytest.mark.sandbox, pytest.mark.timeout(600)]


def test_attacks_as_interactors_change_nothing(producer: Producer) -> None:
    """Two vendors bring the same one, which says "right" of any two numbers: they decide nothing together either."""
    attacks = {"c": "exit_42", "d": "exit_42", "e": "fake_the_report", "f": "attack_the_parent"}

    def source(vendor: str, role: Role, code: str) -> Source:
        return Source(Piece(vendor, f"{vendor}-model", role), code, "python")

    good = [source(vendor, Role.INTERACTOR, INTERACTOR) for vendor in "ab"]
    hostile = [source(vendor, Role.INTERACTOR, attack(name)) for vendor, name in attacks.items()]
    solutions = [source(vendor, Role.SOLUTION, HALVING) for vendor in "ab"]
    bench = Bench(producer, GUESS, FEW.most_s, FEW.helper_ms)
    inputs = [Candidate(Kind.SMALL, text) for text in ("2 1\n", "5 4\n")]
    choice = interactors.choose(bench, [*hostile, *good], solutions, inputs)
    assert choice.deciding == tuple(good)
    assert set(choice.refused) == {one.piece for one in hostile}, "each is named"
