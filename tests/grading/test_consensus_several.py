"""Where several answers are right: setters' checkers are tried, decide together, and give way when they break."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from grading.test_consensus_play import HARMLESS, attack, words
from support.setters import FEW, PROBLEM, answers, fenced

from app.domain.consensus.answers import AnswerId, SetterAnswer, SetterRole
from app.domain.judging.verdicts import Verdict
from app.domain.problems import Limits, Test
from app.domain.testgen.sampling.sample import InputKind
from workers.grading.answering_judge import AnsweringJudge
from workers.grading.consensus.suite import build_suite
from workers.grading.consensus.suite_draft import SuiteDraft

pytestmark = pytest.mark.sandbox

CLOSEST = replace(
    PROBLEM, id="split", limits=Limits(time_ms=150),
    tests=(Test("5\n", "2 3\n", visible=True), Test("1\n", "0 1\n", visible=True)),
)  # fmt: skip
CHECKER = """
import sys
with open(sys.argv[1]) as file:
    n = int(file.read())
try:
    a, b = map(int, sys.stdin.read().split())
except ValueError:
    sys.exit(43)
sys.exit(42 if a + b == n and a >= 0 and b >= 0 else 43)
"""


# Of which a play asks less: answers are short, and those next to them few. Three vendors bring enough small inputs.
FEWER = replace(FEW, counts={**FEW.counts, InputKind.SMALL: 3})
ON_FEW = "print(n % 2 + 2 * (n < 6))"  # the other right answer, where n is small
LESS = "n = int(input())\nprint(n % 2, end='' if n < 6 else '\\n')"  # written otherwise than a brute force does
EITHER = replace(
    PROBLEM, id="either", tests=(Test("5\n", "1\n", visible=True), Test("2\n", "0\n", visible=True)),
)  # fmt: skip
IS_EITHER = """
import sys
with open(sys.argv[1]) as file:
    n = int(file.read())
try:
    a = int(sys.stdin.read())
except ValueError:
    sys.exit(43)
sys.exit(42 if 0 <= a < 4 and a % 2 == n % 2 else 43)
"""


def pickers(vendor: str, checker: str, answer: str) -> list[SetterAnswer]:
    """Setters of a problem that has two right answers: a number below 4 that is odd where n is."""
    return answers(
        vendor, probes=None, validator=fenced("n = int(input())\nassert 0 <= n <= 10**9"),
        generator=fenced(
            "import random, sys\nr = random.Random(str(sys.argv[1:]) + 'SALT')\n"
            "print(r.randint(*{'small': (0, 50), 'random': (51, 98)}.get(sys.argv[2], (10**8, 10**9))))"
        ).replace("SALT", vendor),
        brute=fenced(f"n = int(input())\nassert n < 99\n{answer}"), solution_0=fenced(f"n = int(input())\n{answer}"),
        checker=fenced(checker), solution_1=fenced(LESS) if vendor == "a" else None,
    )  # fmt: skip


def checker_of(vendor: str) -> AnswerId:
    return AnswerId(vendor, f"{vendor}-model", SetterRole.CHECKER)


LATE = {"leaves": "sys.exit(7)", "hoards": "x = [0] * 10**10", "rejects": "sys.exit(43)"}


def several(answering_judge: AnsweringJudge, late: Sequence[str]) -> SuiteDraft:
    """A play where several answers are right, with checkers that take everything, and with those that break late.

    One of these after another decides beside the right ones, since it says the same where it is tried, until none is
    left.
    """
    recorded = [
        *pickers("a", IS_EITHER, "print(n % 2)"), *pickers("b", IS_EITHER, ON_FEW),
        *pickers("c", "import sys\nsys.exit(42)\n", ON_FEW), SetterAnswer(checker_of("d"), fenced(attack("exit_42"))),
    ]  # fmt: skip
    recorded += [
        SetterAnswer(
            checker_of(f"b {name}"), fenced(IS_EITHER.replace("try:", f"if n > 10**6:\n    {LATE[name]}\ntry:"))
        )
        for name in late
    ]
    return build_suite(answering_judge, EITHER, recorded, has_checker=False, effort=FEWER)


@pytest.fixture(scope="module")
def decided(answering_judge: AnsweringJudge) -> SuiteDraft:
    """Such a play, for the tests that look at it."""
    return several(answering_judge, ("leaves", "rejects"))


def test_where_several_answers_are_right_two_vendors_checkers_decide(
    answering_judge: AnsweringJudge, decided: SuiteDraft
) -> None:
    """One that takes everything does not, nor does an attack."""
    played = decided
    assert played.reason is None, (played.reason, played.states)
    assert played.checker == checker_of("a")
    assert words(played)["b checker 0"] == "agrees"
    assert words(played)["c checker 0"] == "refuted"
    assert words(played)["d checker 0"] in HARMLESS
    for code, verdict in (
        ("print(int(input()) % 2 - 2)", Verdict.WRONG_ANSWER),
        ("print(int(input()) % 2 + 2)", Verdict.ACCEPTED),
    ):
        assert answering_judge.grade(played.problem, code, "python").verdict is verdict
    odd = played.states[checker_of("c")]
    assert odd.shows["said"] == "it accepts the output"
    assert odd.witness is not None
    assert odd.shows["answer"] is not None


def broke(played: SuiteDraft, *late: str) -> None:
    """Each was named for it, the others made a suite all the same."""
    assert played.reason is None, {str(answer_id): str(state) for answer_id, state in played.states.items()}
    assert played.checker == checker_of("a")
    states = {name: played.states[checker_of(f"b {name}")] for name in late}
    assert {state.word for state in states.values()} == {"refuted"}
    begins = {
        "leaves": "it fails: the checker failed: exit code 7", "hoards": "it fails: the checker",
        "rejects": "it fails: the checker rejects an answer that all agree on",
    }  # fmt: skip
    reasons = {name: state.reason for name, state in states.items()}
    assert [reasons[name].startswith(begins[name]) for name in late] == [True] * len(late), reasons


def test_checkers_that_break_after_they_were_chosen_are_named_and_give_way(decided: SuiteDraft) -> None:
    """Well-behaved where they are tried, and no more on large inputs: that is no fault of ours, and nobody else's."""
    broke(decided, "leaves", "rejects")


@pytest.mark.slow
def test_however_many_break_after_they_were_chosen_the_others_decide(answering_judge: AnsweringJudge) -> None:
    broke(several(answering_judge, tuple(LATE)), *LATE)
