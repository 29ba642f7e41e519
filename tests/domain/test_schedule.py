"""When a source is asked: first after the end, then ever more rarely, at last no more."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.sources.schedule import BLOCKED_WAIT, ExpectedData, SourceAccess, choose_visits, is_due

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


def test_pauses_double_up_to_the_longest() -> None:
    minutes = [ExpectedData().pause(attempts) / MINUTE for attempts in range(9)]
    assert minutes == [10, 10, 20, 40, 80, 160, 320, 360, 360]


@given(st.integers(-5, 10**9))
def test_a_pause_has_bounds_whatever_was_counted(attempts: int) -> None:
    owed = ExpectedData()
    assert owed.wait <= owed.pause(attempts) <= owed.longest
    assert owed.pause(attempts) <= owed.pause(attempts + 1)


def test_what_never_comes_is_given_up() -> None:
    owed = ExpectedData(patience=timedelta(days=14))
    late = NOW + owed.grace
    assert not owed.is_given_up(late, NOW + timedelta(days=14))
    assert owed.is_given_up(late, NOW + timedelta(days=14, seconds=1))


@pytest.mark.parametrize(("ago", "due"), [(0, False), (59, False), (60, True)])
def test_a_round_repeats(ago: int, due: bool) -> None:
    assert is_due(timedelta(hours=1), NOW - ago * MINUTE, NOW) is due


DUE = {"standings": NOW - 30 * MINUTE, "problems": NOW - 20 * MINUTE, "ratings": NOW - 90 * MINUTE}


def test_problems_come_first() -> None:
    assert choose_visits(DUE, SourceAccess(), NOW) == ["problems", "ratings", "standings"]


@pytest.mark.parametrize(("minutes", "turns"), [(0, []), (24 * 60 - 1, []), (24 * 60, ["ratings"])])
def test_a_source_that_blocks_us_rests_a_day_then_is_tried_for_what_waited_longest(
    minutes: int, turns: list[str]
) -> None:
    received = SourceAccess(blocked_at=NOW - minutes * MINUTE)
    assert choose_visits(DUE, received, NOW) == turns
    assert choose_visits(DUE, replace(received, under_way=True), NOW) == [], "one try at a time"
    assert timedelta(days=1) == BLOCKED_WAIT


def test_what_was_never_visited_has_waited_longest_and_problems_before_others() -> None:
    long_ago = SourceAccess(blocked_at=NOW - 2 * BLOCKED_WAIT)
    assert choose_visits(DUE | {"standings": None}, long_ago, NOW) == ["standings"]
    assert choose_visits(dict.fromkeys(DUE), long_ago, NOW) == ["problems"]


def test_a_visit_from_a_time_that_was_set_ahead_keeps_nobody_from_the_next() -> None:
    hour = timedelta(hours=1)
    found = [is_due(hour, NOW + ahead, NOW) for ahead in (MINUTE, hour - MINUTE, hour, timedelta(days=10))]
    assert found == [False, False, True, True], "another machine may be a little ahead"


def test_a_source_that_was_never_visited_is_due() -> None:
    assert is_due(timedelta(days=365), None, NOW)
