"""Checkers and interactors that two vendors wrote alike, and that do not look at all that is answered."""

from dataclasses import replace

import pytest
from grading.test_consensus_several import CHECKER, CLOSEST
from support.talking_setters import GUESS, HALVING, INTERACTOR

from app.domain.consensus.answers import AnswerId, SetterRole
from app.domain.problems import ProblemSpec
from app.domain.testgen.candidates import Candidate
from app.domain.testgen.sampling.sample import InputKind
from workers.grading.answering_judge import AnsweringJudge
from workers.grading.consensus import checkers, interactors
from workers.grading.consensus.checkers import InputAnswers
from workers.grading.consensus.program_runner import ProgramRunner, SetterProgram
from workers.grading.consensus.selection import CheckerSelection

pytestmark = pytest.mark.sandbox


def sources(role: SetterRole, *codes: str) -> list[SetterProgram]:
    """Of vendors a, b, c and so on."""
    return [
        SetterProgram(AnswerId(vendor, vendor, role), code, "python")
        for vendor, code in zip("abc", codes, strict=False)
    ]


def bench_of(answering_judge: AnsweringJudge, problem: ProblemSpec) -> ProgramRunner:
    return ProgramRunner(answering_judge, replace(problem, tests=()), 300.0)


@pytest.fixture(scope="module")
def runner(answering_judge: AnsweringJudge) -> ProgramRunner:
    """One for all checkers: what one of them has said of the same answers it is not asked again."""
    return bench_of(answering_judge, CLOSEST)


TWO = InputAnswers(
    "5\n", {"2 3\n": frozenset("a"), "0 5\n": frozenset("b")}, {"2 3\n": frozenset("a"), "0 5\n": frozenset("b")}
)
SAMPLE = InputAnswers("1\n", {"0 1\n": frozenset("ab")}, {"0 1\n": frozenset("ab")}, "0 1\n")
SAMPLE_OF_ONE = InputAnswers("1\n", {"1.0\n": frozenset("ab")}, {"1.0\n": frozenset("ab")}, "1.0\n")
LAX = CHECKER.replace("and a >= 0 and b >= 0", "")
ONLY_MINE = CHECKER.replace("a >= 0", "a == n // 2")


@pytest.mark.parametrize("other", [LAX, ONLY_MINE])
def test_checkers_agree_on_every_answer_that_can_be_enumerated(runner: ProgramRunner, other: str) -> None:
    """One takes -1 and 2 for 1, which no program answers; or refuses what another vendor's brute force answers."""
    both = sources(SetterRole.CHECKER, CHECKER, other)
    choice = checkers.choose(runner, both, [TWO, SAMPLE], known=False)
    assert choice.deciding == ()
    shown = choice.shows[both[1].answer_id]
    assert shown[:2] in {("1\n", "-1 2\n"), ("1\n", "1 0\n"), ("5\n", "0 5\n"), ("5\n", "1 4\n")}, shown


def test_a_checker_takes_what_brute_forces_of_two_vendors_answer(runner: ProgramRunner) -> None:
    """Its own among them: else its vendor says two things. What others' brute forces answer does not bind it."""
    alike = InputAnswers("5\n", {"2 3\n": frozenset("ac")}, {"2 3\n": frozenset("ac")})
    fussy = CHECKER.replace("a >= 0", "a != 2")
    found = checkers.choose(runner, sources(SetterRole.CHECKER, fussy, fussy, CHECKER), [alike, SAMPLE], known=False)
    assert "its own among them" in found.refused[AnswerId("a", "a", SetterRole.CHECKER)]
    assert not any("its own" in words for answer_id, words in found.refused.items() if answer_id.vendor != "a")


def test_a_checker_that_takes_whatever_is_written_like_an_answer_is_out_and_holds_nobody(runner: ProgramRunner) -> None:
    lax = CHECKER.replace("a + b == n and a >= 0 and b >= 0", "True")
    three = sources(SetterRole.CHECKER, CHECKER, CHECKER, lax)
    choice = checkers.choose(runner, three, [TWO, SAMPLE], known=False)
    assert choice.deciding == tuple(three[:2])
    assert "every answer that is written like" in choice.refused[three[2].answer_id]


WITHIN = """
import sys
with open(sys.argv[2]) as file:
    right = float(file.read())
try:
    (word,) = sys.stdin.read().split()
    said = float(word)
except ValueError:
    sys.exit(43)
"""
LETS_NAN_IN = f"{WITHIN}sys.exit(43 if abs(said - right) > 1e-6 else 42)\n"
LETS_INF_IN = f"{WITHIN}sys.exit(42 if abs(said - right) <= 1e-6 * max(1, abs(said)) else 43)\n"
EXACT_ENOUGH = f"{WITHIN}sys.exit(42 if abs(said - right) <= 1e-6 * max(1, abs(right)) else 43)\n"


@pytest.mark.parametrize(("code", "word"), [(LETS_NAN_IN, "nan"), (LETS_INF_IN, "inf"), (EXACT_ENOUGH, "")])
def test_what_is_no_number_is_within_no_tolerance(runner: ProgramRunner, code: str, word: str) -> None:
    """No comparison with it holds, or every one does: whoever prints it would be right everywhere."""
    half = InputAnswers("5\n", {"0.5\n": frozenset("ab")}, {"0.5\n": frozenset("ab")})
    both = sources(SetterRole.CHECKER, code, code)
    choice = checkers.choose(runner, both, [half, SAMPLE_OF_ONE], known=False)
    assert choice.deciding == (() if word else tuple(both))
    assert set(choice.refused.values()) == ({f"it accepts bytes that are no answer: '{word}\\n'"} if word else set())


UNBOUNDED = INTERACTOR.replace("range(25)", "iter(int, 1)")


def chosen(answering_judge: AnsweringJudge, code: str, *solutions: str) -> CheckerSelection:
    inputs = [Candidate(InputKind.SMALL, "7 4\n")]
    talking = [
        SetterProgram(AnswerId(vendor, vendor, SetterRole.SOLUTION, at), text, "python")
        for vendor in "ab"
        for at, text in enumerate(solutions)
    ]
    return interactors.choose(
        bench_of(answering_judge, GUESS), sources(SetterRole.INTERACTOR, code, code), talking, inputs
    )


def test_an_interactor_that_takes_a_right_talk_with_another_end_decides_nothing(
    answering_judge: AnsweringJudge,
) -> None:
    """Though two vendors wrote it alike, and refuse most of what is changed; one that refuses all of it decides beside
    attacks."""
    off_by_one = chosen(answering_judge, INTERACTOR.replace("!= x", "not in (x, x + 1)"), HALVING)
    assert off_by_one.deciding == ()
    assert set(off_by_one.refused.values()) == {"it accepts a right dialogue with another end"}
    words = str(off_by_one.shows[AnswerId("a", "a", SetterRole.INTERACTOR)][1])
    assert words.endswith("! 5\n")


def test_where_several_ends_are_right_one_may_be_taken_that_nobody_says(answering_judge: AnsweringJudge) -> None:
    """The number, the one after it, and any from 9 up are right; solutions say the first two."""
    says = INTERACTOR.replace("int(words[1]) != x", "int(words[1]) not in (x, x + 1) and int(words[1]) < {}")
    after = HALVING.replace('print("!", low', 'print("!", low + 1')
    assert len(chosen(answering_judge, says.format(9), HALVING, after).deciding) == 2
    assert chosen(answering_judge, says.format(0), HALVING, after).deciding == (), "any number is"


def test_interactors_that_differ_about_how_much_may_be_asked_decide_nothing(answering_judge: AnsweringJudge) -> None:
    """Right programs ask little, so that no talk of theirs shows who forgot the bound; and nobody is outvoted."""
    inputs = [Candidate(InputKind.SMALL, "7 4\n")]
    talking = [SetterProgram(AnswerId(vendor, vendor, SetterRole.SOLUTION), HALVING, "python") for vendor in "ab"]
    runner = bench_of(answering_judge, GUESS)
    for codes in ((UNBOUNDED, INTERACTOR), (UNBOUNDED, UNBOUNDED, INTERACTOR)):
        all_of_them = sources(SetterRole.INTERACTOR, *codes)
        choice = interactors.choose(runner, all_of_them, talking, inputs)
        assert choice.deciding == ()
        assert [choice.shows[one.answer_id][2] for one in all_of_them] == [
            "it accepts what is said" if one.code == UNBOUNDED else "it refuses what is said" for one in all_of_them
        ]
        given, words, _said = choice.shows[all_of_them[0].answer_id]
        assert (given, str(words).count("?") > 25) == ("7 4\n", True)
