"""The league's problems set by models that saw their statements alone: what suites by consensus are worth.

Both setters' answers were written by one model, at two times and in two manners: their independence is not shown.
For `sounding-line` they were also told what the interactor reads.
"""

from dataclasses import replace
from pathlib import Path

import pytest
from support.setters import recorded_in

from app.domain.judging.verdicts import Verdict
from app.domain.problems import Checker
from scrapers.suites.house import League
from workers.grading.answering_judge import AnsweringJudge
from workers.grading.consensus.suite import build_suite

pytestmark = [pytest.mark.sandbox, pytest.mark.slow, pytest.mark.timeout(1200)]
RECORDED = Path(__file__).parent / "setters"
SET = (
    "blink-period", "buoy-chain", "crate-stacks", "drift-median", "echo-pairs", "ferry-split", "flag-hoist",
    "gull-flight", "harbour-locks", "kelp-prefix", "lantern-order", "night-watch", "oil-spill", "pearl-sieve",
    "reef-paths", "rope-store", "salt-ledger", "ship-bells", "supply-depot", "tide-gauge", "tow-order", "wave-crests",
)  # fmt: skip


BY_SETTERS = ("sounding-line", "tow-order")  # whose interactor and checker are setters', too
ACCEPTED = frozenset({("ship-bells", "wrong_float_days")})  # wrong programs that a suite does not know to be wrong


@pytest.mark.parametrize("slug", sorted({*SET, *BY_SETTERS}))
def test_a_suite_by_consensus_judges_as_the_leagues_own(judge: AnsweringJudge, league: League, slug: str) -> None:
    problem = league.problems[slug]
    samples = replace(problem.spec, tests=tuple(test for test in problem.spec.tests if test.visible))
    if slug in BY_SETTERS:
        samples = replace(samples, checker=Checker(), interactor=None)
    answers = recorded_in(RECORDED, problem.statements["en"].title)
    played = build_suite(judge, samples, answers, has_checker=slug not in BY_SETTERS)
    assert played.reason is None, (played.reason, played.evidence, {str(p): str(s) for p, s in played.states.items()})
    for program in problem.programs:
        verdict = judge.grade(played.problem, program.code, program.language).verdict
        known = program.reference or (slug, program.name) in ACCEPTED
        assert (verdict is Verdict.ACCEPTED) is known, program.name
