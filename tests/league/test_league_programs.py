"""How many programs try the tests of each problem of the league, and in which languages."""

import tomllib
from pathlib import Path

import pytest

from scrapers.suites.house import League

LEAGUE = Path(__file__).resolve().parents[2] / "league"
PLAYED = sorted(path.parent.name for path in LEAGUE.glob("*/problem.toml") if path.parent.name != "sealed-box")


@pytest.mark.parametrize("slug", PLAYED)
def test_a_problem_is_tried_by_enough_programs(league: League, slug: str) -> None:
    """Two slow ones, or a reason why hardly any program can be too slow, which is none where two are."""
    problem = league.problems[slug]
    reason = tomllib.loads((LEAGUE / slug / "problem.toml").read_text(encoding="utf-8")).get("no_slow", "")
    wrong = problem.programs_of(reference=False)
    slow = sum(each.name.startswith("wrong_slow") for each in wrong)
    assert len(wrong) - slow >= 4
    assert (slow < 2) is bool(reason)
    languages = {each.language for each in problem.programs_of(reference=True)}
    assert languages == {"python", "cpp"}
