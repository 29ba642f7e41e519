"""Alerts over what is not published: contests that end for nothing, a quarantine that grows, lists that differ."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import pytest
from factories import NOW, World
from httpx import Client
from support.signing_in import sign_in

from app.db.kernel import logs
from app.db.tables import Contest, Problem, ScrapeRun, Source
from app.domain.publishing.holds import NO_STATEMENT
from app.domain.reasons import Reason
from app.domain.states import ContestState, ProblemState
from app.services.operations import alerts
from web.i18n import ENGLISH, Locale, translator
from web.reason_text import in_words

SAMPLES = "no full tests: 3 public samples only"
DAY = timedelta(days=1)


@pytest.fixture
def site(world: World) -> Source:
    world.workers()
    made = world.source("atcoder", demo=False)
    made.name, made.kind, made.fetch_statements = "AtCoder", "site", True
    return made


def contest(world: World, site: Source, name: str, ago: timedelta, *states: str, reason: str = SAMPLES) -> None:
    """A contest that ended so long ago, with a problem in each of these states."""
    end = NOW - ago
    made = Contest(source_id=site.id, external_id=name, title=name, state=ContestState.ENDED, starts_at=end - DAY / 24,
                   ends_at=end)  # fmt: skip
    world.session.add(made)
    world.session.flush()
    for place, state in enumerate(states):
        if state == ProblemState.PUBLISHED:
            world.problem(f"{name}_{place}", source=site.slug).contest_id = made.id
        else:
            held(world, site, f"{name}_{place}", end, state, reason).contest_id = made.id
    world.session.flush()


def held(world: World, site: Source, name: str, found: datetime, state: str = "held", reason: str = SAMPLES) -> Problem:
    made = Problem(source_id=site.id, external_id=name, title=name, state=state, found_at=found,
                   hold_reason=reason if state == ProblemState.HELD else None)  # fmt: skip
    world.session.add(made)
    world.session.flush()
    return made


def found(world: World) -> Mapping[str, str]:
    return alerts.find_causes(world.session, NOW)


def test_a_contest_that_ended_hours_ago_without_a_problem_published_alarms(world: World, site: Source) -> None:
    contest(world, site, "abc1", 3 * DAY, "held", "held", "checked", "withdrawn")
    first = {
        "unpublished:atcoder/abc1": (
            f"atcoder/abc1 ended and nothing of it was published; problems waiting: 3, most often: {SAMPLES}"
        )
    }
    assert found(world) == first
    contest(world, site, "abc0", 9 * DAY, "published", "held")
    assert found(world) == first, "although an earlier one was"
    contest(world, site, "abc3", DAY / 4 + timedelta(minutes=1), "published", "held")
    assert found(world) == first, "whatever later ones did"
    contest(world, site, "abc2", DAY / 4 + timedelta(minutes=2), "held", "held")
    assert found(world).keys() == {"unpublished:atcoder/abc1", "unpublished:atcoder/abc2"}
    assert "waiting: 2, most" in found(world)["unpublished:atcoder/abc2"]


def test_a_maintainer_reads_of_it_and_why_on_the_page(world: World, site: Source, client: Client) -> None:
    """Setters make tests of one problem still, and have failed to of the other."""
    reason = "no full tests: programs contradict each other on 86 small inputs, and nothing says who is right"
    contest(world, site, "abc1", timedelta(hours=7), "checked", "held", reason=reason)
    raised = alerts.update_alerts(world.session, NOW)
    assert [alert.key for alert in raised] == ["unpublished:atcoder/abc1"]
    sign_in(world, client)
    page = client.get("/en/ops").text
    assert "atcoder/abc1 ended and nothing of it was published; problems waiting: 2" in page
    assert "programs contradict each other on 86 small inputs" in page
    assert "atcoder/abc1" in client.get("/en/status").text
    assert client.get("/api/v1/status/contests").json()[0]["held"] == [{"problem": "atcoder/abc1_1", "reason": reason}]


@pytest.mark.parametrize(
    ("ago", "states", "policy"),
    [
        (DAY / 4 - timedelta(minutes=1), ("held",), {}),
        (15 * DAY, ("held",), {}),
        (3 * DAY, ("published", "held", "held"), {}),
        (3 * DAY, ("withdrawn", "catalogued"), {}),
        (3 * DAY, (), {}),
        (3 * DAY, ("held",), {"fetch_statements": False}),
        (3 * DAY, ("held",), {"enabled": False}),
        (3 * DAY, ("held",), {"kind": "suite"}),
    ],
)
def test_what_is_too_young_too_old_or_as_it_was_wished_does_not(
    world: World, site: Source, ago: timedelta, states: tuple[str, ...], policy: dict[str, Any]
) -> None:
    for name, value in policy.items():
        setattr(site, name, value)
    contest(world, site, "abc1", ago, *states)
    assert found(world) == {}


def test_where_nothing_is_held_there_is_no_reason_to_name(world: World, site: Source) -> None:
    contest(world, site, "abc1", 3 * DAY, "checked")
    assert found(world)["unpublished:atcoder/abc1"].endswith("problems waiting: 1")


def test_many_problems_held_lately_alarm(world: World, site: Source) -> None:
    for number in range(9):
        held(world, site, f"p{number}", NOW - 13 * DAY)
    held(world, site, "old", NOW - 15 * DAY)
    assert found(world) == {}, "one contest's problems may wait, and what has waited long is known"
    quarantined = held(world, site, "quarantined", NOW - 90 * DAY, reason="better models do worse on it: x")
    logs.write_ledger(world.session, NOW - DAY, "problem.quarantined", f"atcoder/{quarantined.external_id}", "x")
    world.session.flush()
    words = f"AtCoder: quarantine grows; problems held in two weeks: 10, most often: {SAMPLES}"
    assert found(world) == {"quarantine:atcoder": words}
    site.enabled = False
    assert found(world) == {}


def test_statements_that_nobody_wanted_are_no_backlog(world: World, site: Source) -> None:
    for number in range(27):
        held(world, site, f"p{number}", NOW, reason=NO_STATEMENT)
    site.fetch_statements = False
    assert found(world) == {}
    site.fetch_statements = True
    assert "two weeks: 27, most often: no statement" in found(world)["quarantine:atcoder"]


def test_lists_that_differ_alarm_until_they_agree(world: World, site: Source) -> None:
    def visit(*findings: dict[str, str]) -> None:
        values = {"state": "partial", "reason": "x", "counts": {}, "started_at": NOW, "finished_at": NOW}
        world.session.add(ScrapeRun(source_id=site.id, purpose="contests", findings=list(findings), **values))
        world.session.flush()

    visit({"code": "contests_missing", "message": "the site's lists lack 1 contests: awc0101"}, {"code": "tex"})
    words = "AtCoder: two lists of contests differ: the site's lists lack 1 contests: awc0101"
    assert found(world) == {"contests_missing:atcoder": words}
    visit()
    assert found(world) == {}


@pytest.mark.parametrize(
    "said",
    [
        Reason("unpublished_why", {"what": "atcoder/abc1", "n": 6}, Reason("hold.no_tests", {"n": 4})),
        Reason("unpublished", {"what": "atcoder/abc1", "n": 3}),
        Reason("quarantine", {"what": "AtCoder", "n": 27}, Reason("hold.no_tests", {"n": 4})),
        Reason("lists", {"what": "AtCoder"}, Reason("lists_lack", {"n": 2}, "awc0101, awc0102")),
        Reason("lists", {"what": "AtCoder"}, Reason("other_lacks", {"n": 2}, "abc1, abc2")),
    ],
)
def test_they_are_said_in_both_languages(said: Reason) -> None:
    own = said.removesuffix("no full tests: 4 public samples only")
    assert in_words(translator(ENGLISH), said).startswith(own), "pages say what the API says"
    chinese = in_words(translator(Locale("zh")), said)
    assert not set("abcdefghijklmnopqrstuvwxyz") & set(
        chinese.replace("AtCoder", "").replace("atcoder/abc1", "").split(" ")[0]
    )
    assert "most often" not in chinese
    assert "lack" not in chinese
    assert "published" not in chinese
