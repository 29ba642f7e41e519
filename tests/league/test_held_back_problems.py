"""Contests of the bundled site: what they hold back of the league, when they end, and who sets their problems."""

import json
from collections import Counter, defaultdict
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from support.files import READ_AT

from app.domain.consensus.draw import pick_vendors
from app.domain.consensus.vendors import normalize_vendor
from app.domain.errors import InvalidProblem
from app.domain.sources.kinds import DEMO_SITE
from scrapers.suites.house import League, as_batch, date_contests, load_demo_setters, load_league

LEAGUE = Path(__file__).resolve().parents[2] / "league"
MakeLeague = Callable[..., Path]
LIVE = (
    '[[contest]]\nslug = "ebb"\ntitle_en = "Ebb"\ntitle_zh = "退潮"\nduration_min = 60\n'
    'problems = ["flag-hoist"]\nchanged = ["flag-hoist"]\n'
)


def test_twelve_problems_are_held_back_in_contests_of_two_or_three(league: League) -> None:
    assert len(league.held_back) >= 12
    assert all(2 <= len(contest.problems) <= 3 for contest in league.live)
    assert [contest.slug for contest in league.live if contest.changed] == [league.live[1].slug]
    imported = {problem.external_id for problem in as_batch(league).problems}
    assert not imported & league.held_back
    assert not {slug for contest in league.contests for slug in contest.problems} & league.held_back


def test_contests_end_one_pace_after_another(league: League) -> None:
    first, pace = datetime(2026, 12, 1, 9, tzinfo=UTC), timedelta(hours=1)
    dated = date_contests(league.live, first, pace)
    assert [each.ends_at for each in dated] == [first + number * pace for number in range(len(league.live))]
    assert all(each.ends_at - each.starts_at == each.contest.duration for each in dated)


def test_every_problem_that_can_be_read_has_answers_of_the_two_vendors_drawn_for_it(league: League) -> None:
    setters = load_demo_setters(LEAGUE)
    vendors = {normalize_vendor(setter.vendor) for setter in setters}
    assert len(vendors) == len(setters) == 3
    roles: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for setter in setters:
        for line in setter.file.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            assert (row["setter"], row["vendor"]) == (setter.name, setter.vendor)
            roles[row["problem"], normalize_vendor(row["vendor"])][row["role"]] += 1
    readable = league.held_back - {slug for contest in league.live for slug in contest.changed}
    drawn = {slug: pick_vendors(f"{DEMO_SITE}/{slug}", vendors) for slug in readable}
    assert {vendor for pair in drawn.values() for vendor in pair} == vendors
    for slug, pair in drawn.items():
        for vendor in pair:
            given = roles[league.problems[slug].statements["en"].title, vendor]
            assert given == {"validator": 1, "generator": 1, "brute": 1, "solution": 3, "probes": 1}, (slug, vendor)


def test_a_league_without_live_contests_holds_nothing_back(small_league: MakeLeague) -> None:
    folder = small_league("flag-hoist", "tide-gauge")
    league = load_league(folder, READ_AT)
    assert (league.live, league.held_back, load_demo_setters(folder)) == ((), frozenset(), ())
    before = league.sha256
    (folder / "live.toml").write_text(LIVE, encoding="utf-8")
    league = load_league(folder, READ_AT)
    assert [contest.problems for contest in league.contests] == [("tide-gauge",)]
    assert league.held_back == {"flag-hoist"}
    assert league.sha256 != before
    assert [problem.external_id for problem in as_batch(league).problems] == ["tide-gauge"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("[[contest]]", "[[contes]]"),
        ('problems = ["flag-hoist"]', 'problems = ["atlantis"]\nchanged = []\nextra = ["'),
        ('changed = ["flag-hoist"]', 'changed = ["tide-gauge"]'),
        ("duration_min = 60", 'duration_min = "60"'),
        ("title_zh", "title_xx"),
    ],
)
def test_broken_live_contests_are_refused(small_league: MakeLeague, old: str, new: str) -> None:
    folder = small_league("flag-hoist", "tide-gauge")
    assert old in LIVE
    (folder / "live.toml").write_text(LIVE.replace(old, new), encoding="utf-8")
    with pytest.raises(InvalidProblem, match=r"live\.toml"):
        load_league(folder, READ_AT)


def test_broken_answers_of_setters_are_refused(small_league: MakeLeague) -> None:
    folder = small_league("flag-hoist")
    (folder / "setters").mkdir()
    (folder / "setters" / "alder.jsonl").write_text("", encoding="utf-8")
    with pytest.raises(InvalidProblem, match=r"alder\.jsonl"):
        load_demo_setters(folder)
