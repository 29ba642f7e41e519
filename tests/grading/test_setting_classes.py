"""Which answers are as good as each other: each is held against all others, both ways."""

from dataclasses import replace

import pytest
from support.setters import FEW, PROBLEM, answers, fenced

from app.domain.setting.answers import Piece, Role
from app.domain.setting.comparing import View, seen
from app.domain.setting.consensus import Missing
from app.domain.testgen.candidates import Candidate
from app.domain.testgen.sampling.sample import Kind
from workers.grading.producer import Producer
from workers.grading.setting.bench import Bench
from workers.grading.setting.entrants import Entrants
from workers.grading.setting.table import Table


def programs(*said: int | Missing) -> dict[Piece, int | Missing]:
    return {Piece("ab"[at % 2], "m", Role.SOLUTION, at): answer for at, answer in enumerate(said)}


def classes(*alike: tuple[int, int], of: int = 3) -> tuple[list[int | Missing], bool]:
    found = seen([View(programs(*range(of)), None, frozenset(alike))])
    return list(found.answers.values()), found.unclear


def test_what_is_as_good_as_two_that_differ_makes_no_class() -> None:
    assert classes() == ([0, 1, 2], False)
    assert classes((0, 2)) == ([0, 1, 0], False)
    assert classes((0, 1), (0, 2), (1, 2)) == ([0, 0, 0], False)
    assert [classes(*pairs)[1] for pairs in [((0, 1), (1, 2)), ((0, 1), (0, 2)), ((0, 2), (1, 2))]] == [True] * 3
    assert classes((0, 1), (2, 3), of=4) == ([0, 0, 2, 2], False)


def test_without_a_vendor_its_answers_make_nothing_unclear() -> None:
    between = View(programs(0, 1, 2), 0, frozenset({(0, 1), (1, 2)}))
    assert seen([between]).unclear
    assert seen([between], without="b")[1:] == (0, False)


def test_where_those_that_decide_differ_it_is_unclear_and_who_is_late_for_one_is_late() -> None:
    one, other = View(programs(0, 1)), View(programs(0, 1), None, frozenset({(0, 1)}))
    assert seen([one, other]).unclear
    assert seen([one, one]) == seen([one])
    late = seen([View(programs(0, 0)), View(programs(Missing.LATE, 0))])
    assert (list(late.answers.values()), late.unclear) == ([Missing.LATE, 0], False)
    assert seen([View(programs(0, 0)), View(programs(Missing.FAILED, 0))]).unclear


@pytest.mark.sandbox
def test_a_checker_that_takes_what_is_worse_for_what_is_better_makes_no_agreement(producer: Producer) -> None:
    """It takes each answer below the judge's: held against the first alone, all would be as good as that."""
    texts: dict[str, str | None] = dict.fromkeys(("validator", "generator", "brute", "probes", "solution_1"))
    first = answers("a", **texts, solution_0=fenced("print(9)"), solution_2=fenced("print(7)"))
    table = Table(
        Bench(producer, replace(PROBLEM, tests=()), 60.0),
        Entrants([*first, *answers("b", **texts, solution_0=fenced("print(6)"))]),
        FEW.brute_ms,
    )
    table.ask([Candidate(Kind.SMALL, "1\n6\n")])
    [found] = table.found({None: lambda test, answer: int(answer) <= int(test.expected)}, {}, {})
    assert table.values(0) == ["9\n", "7\n", "6\n"]
    assert found.views[None].alike == frozenset()
