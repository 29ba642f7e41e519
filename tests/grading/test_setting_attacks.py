"""Programs of tests/attacks as what a third setter wrote: they change nothing, and each is named."""

import pytest
from grading.test_own_attacks import ATTACKS
from grading.test_setting_play import CHECKER, CLOSEST, play, producer, splitters
from support.setters import FEW, PROBLEM, answers, fenced
from support.talking_setters import GUESS, HALVING, INTERACTOR

from app.domain.setting.answers import Piece, Role
from app.domain.testgen.candidates import Candidate
from app.domain.testgen.sampling.sample import Kind
from workers.grading.producer import Producer
from workers.grading.setting import interactors
from workers.grading.setting.bench import Bench, Source

pytestmark = [pytest.mark.sandbox, pytest.mark.timeout(600)]
__all__ = ["producer"]

BY_ROLE = {
    "validator": "every_answer", "generator": "right_then_hang", "brute": "state_between_tests",
    "solution_0": "attack_the_parent", "solution_2": "exit_42",
}  # fmt: skip
HARMLESS = {"refuted", "failed", "unused", "unreadable"}


def code(name: str) -> str:
    return fenced((ATTACKS / f"{name}.py").read_text(encoding="utf-8"))


def test_attacks_as_all_that_makes_and_answers_inputs_change_nothing(producer: Producer) -> None:
    attacks = {role: code(name) for role, name in BY_ROLE.items()}
    texts: dict[str, str | None] = {"probes": None, "solution_1": None, **attacks}
    played = play(producer, PROBLEM, [*answers("a"), *answers("b"), *answers("c", **texts)])
    assert played.reason is None, played.states
    named = {str(piece): state.word for piece, state in played.states.items() if piece.vendor == "c"}
    assert len(named) == len(BY_ROLE)
    assert set(named.values()) <= HARMLESS, named
    assert {source.piece.vendor for source in played.references} == {"a", "b"}


def test_an_attack_as_a_checker_changes_nothing(producer: Producer) -> None:
    [attack] = (one for one in splitters("c", code("exit_42"), "print(n, 0)") if one.piece.role == "checker")
    good = [one for vendor in "ab" for one in splitters(vendor, CHECKER, "print(n // 2, n - n // 2)")]
    played = play(producer, CLOSEST, [*good, attack], has_checker=False)
    assert played.reason is None, played.states
    assert played.checker is not None
    assert played.checker.vendor in "ab"
    assert played.states[attack.piece].word in HARMLESS


def test_attacks_as_interactors_change_nothing(producer: Producer) -> None:
    """Two vendors bring the same one, which says "right" of any two numbers: they decide nothing together either."""
    attacks = {"c": "exit_42", "d": "exit_42", "e": "fake_the_report", "f": "attack_the_parent"}
    codes = {name: (ATTACKS / f"{name}.py").read_text(encoding="utf-8") for name in attacks.values()}

    def source(vendor: str, role: Role, code: str) -> Source:
        return Source(Piece(vendor, f"{vendor}-model", role), code, "python")

    good = [source(vendor, Role.INTERACTOR, INTERACTOR) for vendor in "ab"]
    hostile = [source(vendor, Role.INTERACTOR, codes[name]) for vendor, name in attacks.items()]
    solutions = [source(vendor, Role.SOLUTION, HALVING) for vendor in "ab"]
    bench = Bench(producer, GUESS, FEW.most_s, FEW.helper_ms)
    inputs = [Candidate(Kind.SMALL, text) for text in ("2 1\n", "5 4\n")]
    choice = interactors.choose(bench, [*hostile, *good], solutions, inputs)
    assert choice.deciding == tuple(good)
    assert set(choice.refused) == {one.piece for one in hostile}, "each is named"
