"""Wrong programs that are to be broken: which are chosen, and how the sandbox judges inputs for them."""

from pathlib import Path

import pytest
from support.files import READ_AT
from support.small_league import small_league

from app.domain.deriving.items import DerivedItemSpec
from app.domain.judging.hacks import SourceCode
from app.domain.judging.non_program_answers import judge_answer
from app.domain.judging.verdicts import GradeResult, Verdict
from app.domain.problems import Form, Limits, ProblemSpec, Statement, Test
from app.domain.scenarios import Material
from app.domain.scenarios.hack import SCENARIO
from scrapers.suites.house import as_batch, load_league
from workers.grading.answering_judge import AnsweringJudge
from workers.grading.deriving.hack_items import MAX_HACK_ITEMS, derive_hack_items

pytestmark = pytest.mark.sandbox

STATEMENT = Statement("sum", "en", Form.STDIN, "Sum", "Print a + b.", {}, (), Limits())
LONG = 10**999
TESTS = (Test("1 2\n", "3\n", visible=True), Test("5 -5\n", "0\n"), Test(f"{LONG} 1\n", f"{LONG + 1}\n"))
SPEC = ProblemSpec("sum", Form.STDIN, TESTS)
VALIDATOR = SourceCode("python", "a, b = map(int, input().split())\nassert -9 <= a <= 9 >= b >= -9\n")
RIGHT = SourceCode("python", "print(sum(map(int, input().split())))\n")
WRONG = "# forgets the sign\na, b = map(abs, map(int, input().split()))\nprint(a + b)\n"
OTHERS = [
    "print(8)\n",  # wrong on the example
    "print(sum(map(int, input().split())))\n",  # right
    "a, b = map(int, input().split())\nif b < 0: raise SystemExit(1)\nprint(a + b)\n",  # ends with an error
    "a, b = map(int, input().split())\nprint(a + b if a < 10**9 else 0)\n",  # wrong on a long input alone
    "print(",
]


def verdict(judge: AnsweringJudge, made: DerivedItemSpec, answer: str) -> Verdict:
    (item,) = SCENARIO.items(Material(STATEMENT, derived=(made,)))
    truth = SCENARIO.truth(item)
    assert truth is not None
    found = judge_answer(answer, truth)
    return found.verdict if isinstance(found, GradeResult) else found.grade_with(judge, 1.0).verdict


def test_a_program_is_chosen_that_passes_the_examples_and_is_wrong_on_a_short_input(judge: AnsweringJudge) -> None:
    (made,) = derive_hack_items(judge, SPEC, [*OTHERS, WRONG], [RIGHT, RIGHT], VALIDATOR)
    assert made.facts == {"code": "a, b = map(abs, map(int, input().split()))\nprint(a + b)\n"}
    assert derive_hack_items(judge, SPEC, [WRONG], [RIGHT], None) == []
    assert derive_hack_items(judge, SPEC, [WRONG], [], VALIDATOR) == []
    for answer, expected in (
        ("5 -5", Verdict.ACCEPTED),
        ("1 2", Verdict.WRONG_ANSWER),  # the program is right
        ("50 -5", Verdict.WRONG_ANSWER),  # not legal
        ("a b", Verdict.WRONG_ANSWER),
        ("", Verdict.NO_ANSWER),
    ):
        assert verdict(judge, made, answer) is expected, answer


def test_a_class_of_the_league_is_broken_by_calls(judge: AnsweringJudge, tmp_path: Path) -> None:
    league = small_league(tmp_path / "league", {"house-5": ("key-ring",)})
    (ring,) = [each for each in as_batch(load_league(league, READ_AT)).problems if each.external_id == "key-ring"]
    assert ring.validator is not None
    wrong = [each.code for each in ring.programs if not each.reference]
    references = [SourceCode("python", each.code) for each in ring.programs if each.reference]
    made = derive_hack_items(judge, ring.spec, wrong, references, SourceCode("python", ring.validator.code))
    assert len(made) == MAX_HACK_ITEMS
    # Shows each of its wrong programs, whichever are chosen.
    calls = ["h5", "l", "h3", "t0", "h5", "t1", "h5"]
    names = {"h": "hang", "t": "take", "l": "longest"}
    said = ", ".join(f'"{names[each[0]]}"' for each in calls)
    answer = f'["KeyRing", {said}]\n[[4], {", ".join(f"[{each[1:]}]" for each in calls)}]'
    assert [verdict(judge, each, answer) for each in made] == [Verdict.ACCEPTED] * MAX_HACK_ITEMS
    assert verdict(judge, made[0], answer.replace("[[4]", "[[51]")) is Verdict.WRONG_ANSWER
