"""Sites that misbehave, through the scrape task into the database: the right end, nothing untrue kept, and healed."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fakes.faults import FAULTS, PATIENT, REASONS, Fault, cases, matching, spoiled
from pipeline.visiting import NOW, SITES, Visits, fake, small_world, visits
from sqlalchemy import text
from support.servers import Servers

from app.config import Settings
from app.db.kernel.session import make_engine
from app.domain.states import ScrapeState

# How a visit ends whose first problem of the second contest cannot be had; partial where not told.
STATES = {
    "slow": ScrapeState.SUCCEEDED, "challenge": ScrapeState.BLOCKED, "disallowed": ScrapeState.BLOCKED,
    "no_robots": ScrapeState.FAILED,
}  # fmt: skip
# What is settled for good, so that only a backfill asks again.
_SETTLED = {"sent_to_login"}


def spoiled_problem(made: Visits) -> str:
    """What picks the page of the second contest's first problem."""
    contest = made.world[1]
    problem = contest.problems[0]
    return {
        "atcoder": f"/tasks/{problem.external_id}\\b",
        "codeforces": f"/contest/{contest.external_id}/problem/{problem.index}\\b",
        "leetcode": f'"{problem.external_id}"',
    }[made.name]


@pytest.fixture(scope="module")
def one_database(servers: Servers) -> Iterator[str]:
    """A database for many visits, one after another: each begins with no source."""
    with servers.database() as url:
        yield url


@pytest.fixture
def emptied(one_database: str, valkey_url: str, tmp_path: Path) -> Settings:
    """Settings over the shared database, emptied."""
    engine = make_engine(one_database)
    with engine.begin() as connection:
        connection.execute(text("TRUNCATE sources CASCADE"))
    engine.dispose()
    return Settings(_env_file=None, state_dir=tmp_path, database_url=one_database, redis_url=valkey_url)


@pytest.mark.parametrize(("name", "fault"), cases(SITES, but={"wrong_charset"}, walked=True))
def test_a_fault_leaves_nothing_untrue_and_the_next_visit_heals_it(emptied: Settings, name: str, fault: Fault) -> None:
    with visits(emptied, name, small_world(name, problems=1)) as made:
        clean = fake(name, made.world)
        made.serve(spoiled(clean, fault, matching(spoiled_problem(made))))
        made.sites.limits = fault.limits
        run = made.visit()
        made.sites.limits = PATIENT
        expected = STATES.get(fault.name, ScrapeState.PARTIAL)
        assert run.state == expected, run.reason
        assert set(made.stored()) <= set(made.authored())
        if expected == ScrapeState.SUCCEEDED:
            assert run.reason is None
        else:
            said = f"{run.reason} {[finding['code'] for finding in run.findings]}"
            assert REASONS.get(fault.name, "") in said
            missing = made.world[1].problems[0].external_id
            assert missing not in {key for key, *_ in made.stored()}
        first = {problem.external_id for problem in made.world[0].problems}
        if not fault.robots:
            assert first <= {key for key, *_ in made.stored()}, "what was read before stays"
        made.serve(clean)
        again = made.visit()
        assert again.state == ScrapeState.SUCCEEDED, again.reason
        if made.stored() != made.authored():
            assert fault.name in _SETTLED
            assert made.visit("2026-05-20", NOW.date().isoformat()).state == ScrapeState.SUCCEEDED
        assert made.stored() == made.authored(), "all of it, each once"
        assert made.dated() == made.released()


@pytest.mark.parametrize("name", SITES)
def test_a_text_in_another_charset_is_read_right_or_said(emptied: Settings, name: str) -> None:
    """Never a text that is another one without a word about it."""
    with visits(emptied, name, small_world(name)) as made:
        made.serve(spoiled(fake(name, made.world), FAULTS["wrong_charset"], matching(spoiled_problem(made))))
        run = made.visit()
        untrue = {key for key, *_ in set(made.stored()) - set(made.authored())}
        assert untrue <= {made.world[1].problems[0].external_id}
        assert not untrue or "encoding" in {finding["code"] for finding in run.findings}
        assert run.state == (ScrapeState.PARTIAL if untrue else ScrapeState.SUCCEEDED)


@pytest.mark.parametrize("name", [SITES[0], *(pytest.param(site, marks=pytest.mark.slow) for site in SITES[1:])])
def test_a_day_of_one_trouble_after_another_ends_with_everything(emptied: Settings, name: str) -> None:
    """Each visit meets another fault at every second request, and none of them costs what others brought."""
    troubles = ("dropped", "cut", "unavailable", "changed_layout", "empty", "truncated", "html_for_json")
    with visits(emptied, name, small_world(name, contests=3, problems=1)) as made:
        clean = fake(name, made.world)
        kept: set[object] = set()
        for trouble in troubles:
            turn = iter(range(1000))
            made.serve(spoiled(clean, FAULTS[trouble], lambda asked, turn=turn: next(turn) % 3 == 2))  # type: ignore[misc]
            made.visit()
            now_kept = set(made.stored())
            assert kept <= now_kept <= set(made.authored()), trouble
            kept |= now_kept
        made.serve(clean)
        assert made.visit().state == ScrapeState.SUCCEEDED
        assert made.stored() == made.authored()


@pytest.mark.parametrize("name", SITES)
def test_the_pace_of_the_fleet_is_kept_and_a_clean_visit_is_not_repeated(emptied: Settings, name: str) -> None:
    with visits(emptied, name, small_world(name), pace_s=0.05) as made:
        assert made.visit().state == ScrapeState.SUCCEEDED
        times = [asked.at for _, asked in made.site.log]
        # The server's own thread may be late for the first request and in time for the last.
        assert times[-1] - times[0] >= 0.05 * (len(times) - 2)
        before = len(made.site.log)
        assert made.visit().state == ScrapeState.SUCCEEDED
        lists = {"atcoder": 3, "codeforces": 1, "leetcode": 2}[name]
        assert len(made.asked_for(before)) == lists, "only the lists: all contests are done"
        assert made.stored() == made.authored()
