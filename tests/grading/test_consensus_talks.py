"""Suites of interactive problems by consensus: setters' interactors are tried, and decide together."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from grading.judging import Passed
from support.setters import fenced
from support.talking_setters import (
    DEAF,
    GUESS,
    HALVING,
    INTERACTOR,
    NEVER_LAST,
    ONE_BY_ONE,
    YES_MAN,
    guessers,
)

from app.domain.consensus.answers import AnswerId, SetterAnswer, SetterRole
from app.domain.judging.verdicts import Verdict
from app.domain.problems import CheckerKind, Interactor
from app.domain.testgen.sampling.sample import InputKind
from workers.grading.answering_judge import AnsweringJudge
from workers.grading.consensus.inputs import SuiteBudget
from workers.grading.consensus.suite import build_suite
from workers.grading.consensus.suite_draft import SuiteDraft
from workers.grading.graders import HelperFailed
from workers.grading.judge import JudgeSettings
from workers.grading.settings import HelperLimits
from workers.grading.testing.catching_tests import AnsweredInput
from workers.grading.testing.inputs import NamedProgram
from workers.grading.testing.suite_maker import ScreenedInputs, SuiteDemands, SuiteMaker

pytestmark = pytest.mark.sandbox
FEW = SuiteBudget(
    {InputKind.SMALL: 3, InputKind.RANDOM: 1, InputKind.EXTREME: 1, InputKind.SLOW: 1},
    extra_inputs=4, shrunk_inputs=1, mutants=1, tests=6, runs=1, helper_ms=300,
)  # fmt: skip
LITTLE = HelperLimits(replace(HelperLimits().bounds, cpu_ms=300, wall_ms=5000), afterwards_ms=500)


@pytest.fixture(scope="session")
def answering_judge(settings: JudgeSettings, judge: AnsweringJudge) -> AnsweringJudge:
    return Passed(replace(settings, helpers=LITTLE), judge)


def played(answering_judge: AnsweringJudge, *recorded: Sequence[SetterAnswer], effort: SuiteBudget = FEW) -> SuiteDraft:
    return build_suite(answering_judge, GUESS, [answer for row in recorded for answer in row], effort=effort)


def interactor(vendor: str) -> AnswerId:
    return AnswerId(vendor, f"{vendor}-model", SetterRole.INTERACTOR)


def only_interactor(vendor: str, code: str) -> SetterAnswer:
    return SetterAnswer(interactor(vendor), fenced(code))


AGAIN = HALVING.replace("low, high = 1, int(input())", "high, low = int(input()), 1")
LARGE = INTERACTOR.replace("print(n, flush=True)", "n > 10**5 and sys.exit(7)\nprint(n, flush=True)")
NOISE = ("pass", "print('end')", "while True:\n    print('x' * 999)")


def speakers(*codes: str) -> list[SetterAnswer]:
    """Solutions of a vendor that gives nothing else."""
    return [
        SetterAnswer(AnswerId("f", "f-model", SetterRole.SOLUTION, at), fenced(code)) for at, code in enumerate(codes)
    ]


@pytest.fixture(scope="module")
def full(answering_judge: AnsweringJudge) -> SuiteDraft:
    """One play for many tests: good answers of a, b and c, but for an interactor that breaks on large inputs and a
    wrong solution of a's; interactors of d and e that do harm, and solutions of f that talk no sense."""
    good = [
        *guessers("a", interactor=fenced(LARGE), solution_1=fenced(AGAIN), solution_2=fenced(NEVER_LAST)),
        *guessers("b", generator=None, solution_1=None), *guessers("c", generator=None, solution_1=None),
    ]  # fmt: skip
    hostile = [only_interactor("d", YES_MAN), only_interactor("e", "import os\nwhile 1: os.fork()")]
    effort = replace(
        FEW, counts={**FEW.counts, InputKind.SMALL: 8, InputKind.RANDOM: 3}
    )  # tried on the smaller ones only
    return played(answering_judge, good, hostile, speakers(*NOISE), effort=effort)


def test_interactors_of_two_vendors_make_a_suite(answering_judge: AnsweringJudge, full: SuiteDraft) -> None:
    assert full.reason is None, {str(answer_id): str(state) for answer_id, state in full.states.items()}
    assert full.interactor == interactor("b")
    assert full.states[interactor("c")].word == "agrees"
    kind = full.states[interactor("d")]
    assert (kind.word, kind.shows["said"]) == ("refuted", "it accepts what is said")
    assert full.states[interactor("e")].word == "refuted"
    never = full.states[AnswerId("a", "a-model", SetterRole.SOLUTION, 2)]
    assert never.word == "refuted"
    assert len(set(never.witness.split())) == 1, "the last number of all is never found"
    for code in (HALVING, AGAIN):
        assert answering_judge.grade(full.problem, code, "python").verdict is Verdict.ACCEPTED
    for code in (NEVER_LAST, ONE_BY_ONE):
        assert answering_judge.grade(full.problem, code, "python").verdict is Verdict.WRONG_ANSWER


def test_an_interactor_that_breaks_after_it_was_chosen_is_named_and_gives_way(full: SuiteDraft) -> None:
    """It behaves on the inputs where it is tried, and on no larger one: that is no solution's fault, nor ours."""
    assert full.reason is None, {str(answer_id): str(state) for answer_id, state in full.states.items()}
    state = full.states[interactor("a")]
    assert state.word == "refuted"
    assert state.reason.startswith("it fails: the interactor failed: exit code 7")
    assert full.states[AnswerId("a", "a-model", SetterRole.SOLUTION, 0)].word == "agrees"


def test_a_program_that_talks_no_sense_contradicts_nobody(full: SuiteDraft) -> None:
    assert full.reason is None, full.states
    assert {full.states[one.answer_id].word for one in speakers(*NOISE)} == {"failed"}


def test_who_speaks_as_others_do_and_is_wrong_may_be_the_one_who_is_right(answering_judge: AnsweringJudge) -> None:
    """That is held, without a voice beside it."""
    [one] = speakers("print('!', 10**7)")
    effort = replace(FEW, counts={InputKind.SMALL: 3, InputKind.SLOW: 1})
    made = played(
        answering_judge,
        guessers("a", solution_1=fenced(AGAIN)),
        guessers("b", generator=None, solution_1=None),
        [one],
        effort=effort,
    )
    assert "contradict each other" in str(made.reason)
    assert made.states[one.answer_id].word == "failed"


# Whatever happens, or as soon as it hears a word of a right program.
FAILS = {"always": "import sys\nsys.exit(7)\n",
         "heard": "import sys\nprint(7, flush=True)\nsys.exit(7 if sys.stdin.readline() else 43)\n"}  # fmt: skip


@pytest.mark.parametrize("code", FAILS.values(), ids=FAILS)
@pytest.mark.parametrize("wrong", [(), (NamedProgram("wrong", "print('!', 1)", "python"),)])
def test_an_interactor_that_fails_in_the_proof_is_known_for_it(
    answering_judge: AnsweringJudge, code: str, wrong: tuple[NamedProgram, ...]
) -> None:
    """By chance, or because it looks where it is: the play can say whose fault that is."""
    problem = replace(GUESS, interactor=Interactor(code, CheckerKind.KATTIS, "python"))
    screening = ScreenedInputs(
        answered=[AnsweredInput(InputKind.SMALL, f"9 {x}", "", 10.0) for x in range(1, 8)], tried=7, valid=7
    )
    maker = SuiteMaker(
        answering_judge,
        problem,
        [NamedProgram("ref", HALVING, "python")],
        wrong,
        demands=SuiteDemands(mutants=0, runs=1),
    )
    if code == FAILS["always"]:
        with pytest.raises(HelperFailed, match="the interactor failed: exit code 7"):
            maker.choose(screening)
    else:
        suite = maker.choose(screening)
        assert "the interactor fails with this program" in suite.failed
        assert suite.evidence.unstable == "reference ref gets WA"


BY_CHANCE = "import os, sys\nint.from_bytes(os.urandom(2)) % 80 or sys.exit(7)\n"


@pytest.mark.slow
@pytest.mark.parametrize("turn", range(3))
def test_an_interactor_that_fails_by_chance_never_ends_a_play(answering_judge: AnsweringJudge, turn: int) -> None:
    """Wherever it happens to fail, two others go on; where it never does, nobody can tell."""
    made = played(
        answering_judge, guessers("a", interactor=fenced(BY_CHANCE + INTERACTOR)), guessers("b"), guessers("c")
    )
    assert made.reason is None, (turn, {str(answer_id): str(state) for answer_id, state in made.states.items()})
    assert made.states[interactor("a")].word in ("refuted", "chosen", "agrees")


@pytest.mark.slow
@pytest.mark.parametrize("other", [YES_MAN, DEAF, INTERACTOR.replace("!= x", "< x - 1")])
def test_without_two_that_say_the_same_there_is_none(answering_judge: AnsweringJudge, other: str) -> None:
    """Who accepts silence, who refuses everybody, and who takes answers that are off by one."""
    made = played(answering_judge, guessers("a"), guessers("b", interactor=fenced(other)))
    assert "interactors of two vendors" in str(made.reason)


@pytest.mark.slow
def test_two_that_misread_alike_are_held_by_a_third(answering_judge: AnsweringJudge) -> None:
    """They take four questions to be enough."""
    fewer = fenced(INTERACTOR.replace("range(25)", "range(4)"))
    made = played(answering_judge, guessers("a", interactor=fewer), guessers("b", interactor=fewer), guessers("c"))
    assert made.reason is not None
