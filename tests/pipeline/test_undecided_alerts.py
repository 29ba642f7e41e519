"""A contest whose page of one problem has a new form: a person decides, and nobody is told that it is late."""

from datetime import timedelta

import pytest
from factories import World
from pipeline.flow import NOW

from app.db.kernel.session import Session
from app.db.tables import Alert, Contest, ExpectedDataRow, Problem
from app.domain.publishing.holds import NO_STATEMENT
from app.domain.reasons import LISTED, Reason
from app.domain.sources.records import Classification
from app.domain.states import ContestState, ProblemState
from app.services.operations import alerts, source_status
from app.services.operations.news import board_news
from scrapers.page_fetcher import describe_missing
from scrapers.site import ParsedPage

HOUR = timedelta(hours=1)
CHANGED, GONE = (ParsedPage(kind) for kind in (Classification.FORMAT_CHANGED, Classification.NOT_FOUND))
KEY = "undecided:harbour/night-ferry"


def contest(world: World, *failures: ParsedPage, read: int = 2) -> Problem:
    """A contest that ended five hours ago, with so many problems that were read, and one that was not."""
    source = world.source("harbour")
    source.kind = "site"
    made = Contest(source_id=source.id, external_id="night-ferry", title="Night Ferry", state=ContestState.ENDED,
                   starts_at=NOW - 7 * HOUR, ends_at=NOW - 5 * HOUR)  # fmt: skip
    world.session.add(made)
    world.session.flush()
    for number in range(read):
        world.problem(f"read-{number}", source="harbour").contest_id = made.id
    held = Problem(source_id=source.id, external_id="tow-order", title="Tow Order", state=ProblemState.HELD,
                   hold_reason=NO_STATEMENT, contest_id=made.id)  # fmt: skip
    world.session.add(held)
    missing = describe_missing(read + 1, [*failures])
    world.session.add(
        ExpectedDataRow(contest_id=made.id, purpose="problems", state="open", due_at=NOW, late_at=NOW - HOUR,
                        reason=missing)
    )  # fmt: skip
    world.session.flush()
    world.workers()
    return held


def keys(session: Session) -> set[str]:
    return {key for key in alerts.find_causes(session, NOW) if "night-ferry" in key}


def test_a_held_page_alarms_once_as_held_and_never_as_late(session: Session) -> None:
    problem = contest(World(session), CHANGED)
    assert keys(session) == {KEY}
    [view] = source_status.contests(session, NOW)
    assert view.state == "held"
    [site] = [each for each in source_status.sites(session, NOW) if each.slug == "harbour"]
    assert site.late == 0
    assert [each.late_s for each in board_news(session, NOW).sites] == [None]
    [raised] = [each for each in alerts.update_alerts(session, NOW) if each.key == KEY]
    words = "harbour/night-ferry: held until a person decides; problems: 1: could not be read: format_changed 1"
    assert raised.message == words
    alerts.mark_posted(session, [raised.id], NOW)
    for days in range(1, 9):
        again = alerts.update_alerts(session, NOW + timedelta(days=days))
        assert KEY not in {each.key for each in again}, "it is told once"
    problem.state, problem.hold_reason = ProblemState.WITHDRAWN, None
    session.flush()
    alerts.update_alerts(session, NOW)
    assert session.get_one(Alert, raised.id).cleared_at == NOW
    assert keys(session) == set(), "once it is decided, nothing is late either"


@pytest.mark.parametrize(("failures", "read"), [((GONE,), 2), ((CHANGED, GONE), 2), ((CHANGED,), 0)])
def test_what_a_visit_may_still_bring_or_a_site_that_changed_altogether_is_late(
    session: Session, failures: tuple[ParsedPage, ...], read: int
) -> None:
    contest(World(session), *failures, read=read)
    assert "late:harbour/night-ferry" in keys(session)
    assert KEY not in keys(session)


def test_a_fault_that_lasts_is_told_again_each_day(session: Session) -> None:
    contest(World(session), GONE)
    [raised] = [each for each in alerts.update_alerts(session, NOW) if each.key.startswith("late:")]
    alerts.mark_posted(session, [raised.id], NOW)
    assert raised.id in [each.id for each in alerts.update_alerts(session, NOW + timedelta(days=1))]


def test_reasons_of_one_page_are_listed() -> None:
    reason = describe_missing(3, [CHANGED])
    assert isinstance(reason, Reason)
    assert isinstance(reason.cause, Reason)
    assert reason.cause.code == LISTED
