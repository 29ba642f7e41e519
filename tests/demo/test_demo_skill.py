"""How the demo models' skill follows from their table, without the endpoint."""

from itertools import product

from support.files import READ_AT
from support.rules import ROOT

from scrapers.suites.house import load_demo_models, load_league
from workers.demo.questions import Question
from workers.demo.replies import reply


def test_one_mends_better_than_it_solves_and_the_others_worse() -> None:
    """Where they are told why their program failed."""
    problems, better = load_league(ROOT / "league", READ_AT).problems.values(), set()
    for model in load_demo_models(ROOT / "league"):
        right = {None: 0, "an earlier program": 0}
        for problem, seed, again in product(problems, range(4), right):
            said = reply(model, None, Question(problem, "en", "python", again=again), seed, None).text
            programs = (each.code.strip("\n") for each in problem.programs_of(reference=True))
            right[again] += any(program in said for program in programs)
        at_first, later = right.values()
        if later > at_first * 1.1:
            better.add(model.slug)
        else:
            assert later < at_first * 0.8, model.slug
    assert better == {"plover-busy"}
