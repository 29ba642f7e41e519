"""When a source is asked: first after the end, then ever more rarely, at last no more."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.schedule import BLOCKED_WAIT, LastVisit, Owed, is_due

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


def test_pauses_double_up_to_the_longest() -> None:
    minutes = [Owed().pause(attempts) / MINUTE for attempts in range(9)]
    assert minutes == [10, 10, 20, 40, 80, 160, 320, 360, 360]


@given(st.integers(-5, 10**9))
def test_a_pause_has_bounds_whatever_was_counted(attempts: int) -> None:
    owed = Owed()
    assert owed.wait <= owed.pause(attempts) <= owed.longest
    assert owed.pause(attempts) <= owed.pause(attempts + 1)


def test_what_never_comes_is_given_up() -> None:
    owed = Owed(patience=timedelta(days=14))
    late = NOW + owed.grace
    assert not owed.given_up(late, NOW + timedelta(days=14))
    assert owed.given_up(late, NOW + timedelta(days=14, seconds=1))


@pytest.mark.parametrize(
    ("ago", "blocked", "due"),
    [(0, False, False), (59, False, False), (60, False, True), (60, True, False), (60 * 24, True, True)],
)
def test_a_round_repeats_and_waits_longer_where_it_was_refused(ago: int, due: bool, blocked: bool) -> None:
    last = LastVisit(NOW - ago * MINUTE, blocked)
    assert is_due(timedelta(hours=1), last, NOW) is due
    assert timedelta(days=1) == BLOCKED_WAIT


def test_a_source_that_was_never_visited_is_due() -> None:
    assert is_due(timedelta(days=365), None, NOW)
