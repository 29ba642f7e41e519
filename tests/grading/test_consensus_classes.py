"""Which answers are as good as each other: each is held against all others, both ways."""

from dataclasses import replace

import pytest
from support.setters import FEW, PROBLEM, answers, fenced

from app.domain.consensus.agreement import MissingAnswer
from app.domain.consensus.answers import AnswerId, SetterRole
from app.domain.consensus.checkers import CheckerView, merge_views
from app.domain.testgen.candidates import Candidate
from app.domain.testgen.sampling.sample import InputKind
from workers.grading.answering_judge import AnsweringJudge
from workers.grading.consensus.answer_table import AnswerTable
from workers.grading.consensus.contributions import SetterContributions
from workers.grading.consensus.program_runner import ProgramRunner


def programs(*said: int | MissingAnswer) -> dict[AnswerId, int | MissingAnswer]:
    return {AnswerId("ab"[at % 2], "m", SetterRole.SOLUTION, at): answer for at, answer in enumerate(said)}


def classes(*alike: tuple[int, int], of: int = 3) -> tuple[list[int | MissingAnswer], bool]:
    found = merge_views([CheckerView(programs(*range(of)), None, frozenset(alike))])
    return list(found.answers.values()), found.unclear


def test_what_is_as_good_as_two_that_differ_makes_no_class() -> None:
    assert classes() == ([0, 1, 2], False)
    assert classes((0, 2)) == ([0, 1, 0], False)
    assert classes((0, 1), (0, 2), (1, 2)) == ([0, 0, 0], False)
    assert [classes(*pairs)[1] for pairs in [((0, 1), (1, 2)), ((0, 1), (0, 2)), ((0, 2), (1, 2))]] == [True] * 3
    assert classes((0, 1), (2, 3), of=4) == ([0, 0, 2, 2], False)


def test_without_a_vendor_its_answers_make_nothing_unclear() -> None:
    between = CheckerView(programs(0, 1, 2), 0, frozenset({(0, 1), (1, 2)}))
    assert merge_views([between]).unclear
    assert merge_views([between], without="b")[1:] == (0, False)


def test_where_those_that_decide_differ_it_is_unclear_and_who_is_late_for_one_is_late() -> None:
    one, other = CheckerView(programs(0, 1)), CheckerView(programs(0, 1), None, frozenset({(0, 1)}))
    assert merge_views([one, other]).unclear
    assert merge_views([one, one]) == merge_views([one])
    late = merge_views([CheckerView(programs(0, 0)), CheckerView(programs(MissingAnswer.LATE, 0))])
    assert (list(late.answers.values()), late.unclear) == ([MissingAnswer.LATE, 0], False)
    assert merge_views([CheckerView(programs(0, 0)), CheckerView(programs(MissingAnswer.FAILED, 0))]).unclear


@pytest.mark.sandbox
def test_a_checker_that_takes_what_is_worse_for_what_is_better_makes_no_agreement(
    answering_judge: AnsweringJudge,
) -> None:
    """It takes each answer below the judge's: held against the first alone, all would be as good as that."""
    texts: dict[str, str | None] = dict.fromkeys(("validator", "generator", "brute", "probes", "solution_1"))
    first = answers("a", **texts, solution_0=fenced("print(9)"), solution_2=fenced("print(7)"))
    table = AnswerTable(
        ProgramRunner(answering_judge, replace(PROBLEM, tests=()), 60.0),
        SetterContributions([*first, *answers("b", **texts, solution_0=fenced("print(6)"))]),
        FEW.brute_ms,
    )
    table.ask([Candidate(InputKind.SMALL, "1\n6\n")])
    [found] = table.evaluated_inputs({None: lambda test, answer: int(answer) <= int(test.expected)}, {}, {})
    assert table.values(0) == ["9\n", "7\n", "6\n"]
    assert found.views[None].alike == frozenset()
