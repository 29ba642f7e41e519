"""A window holds its first day and not its last; a problem of the cutoff day was seen."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from app.domain.errors import InvalidInput
from app.domain.windows import FIRST_DAY, LAST_DAY, Window, is_exposed, midnight, parse_window, read_day

FROM, TO = date(2026, 3, 1), date(2026, 3, 8)
MOMENT = timedelta(microseconds=1)


def test_a_window_holds_its_first_midnight_and_not_its_last() -> None:
    week = Window(FROM, TO)
    assert not week.contains(midnight(FROM) - MOMENT)
    assert week.contains(midnight(FROM))
    assert week.contains(midnight(TO) - MOMENT)
    assert not week.contains(midnight(TO))
    assert Window(None, TO).contains(midnight(date(1999, 1, 1)))
    assert not Window(None, TO).contains(midnight(TO))
    assert Window(FROM, None).contains(midnight(date(2999, 1, 1)))
    assert not Window(FROM, None).contains(midnight(FROM) - MOMENT)
    assert Window().contains(midnight(FROM))


def test_an_instant_is_judged_in_utc_wherever_it_was_written() -> None:
    tokyo = timezone(timedelta(hours=9))
    assert Window(FROM, TO).contains(datetime(2026, 3, 8, 8, 59, tzinfo=tokyo))
    assert not Window(FROM, TO).contains(datetime(2026, 3, 8, 9, tzinfo=tokyo))


def test_windows_side_by_side_share_no_instant_and_lose_none() -> None:
    one, next_one = Window(FROM, TO), Window(TO, date(2026, 3, 15))
    for at in (midnight(TO) - MOMENT, midnight(TO), midnight(TO) + MOMENT):
        assert one.contains(at) is not next_one.contains(at)


def test_an_empty_window_may_be_asked_and_a_turned_one_may_not() -> None:
    assert not Window(FROM, FROM).contains(midnight(FROM))
    with pytest.raises(InvalidInput):
        Window(TO, FROM)


def test_a_model_may_have_seen_what_came_out_on_its_cutoff_day() -> None:
    cutoff = date(2026, 3, 1)
    assert is_exposed(midnight(cutoff) - MOMENT, cutoff)
    assert is_exposed(datetime(2026, 3, 1, 23, 59, 59, tzinfo=UTC), cutoff)
    assert not is_exposed(midnight(date(2026, 3, 2)), cutoff)
    assert not is_exposed(midnight(cutoff), None)
    # 8:59 in Tokyo is still the day before in UTC.
    assert is_exposed(datetime(2026, 3, 2, 8, 59, tzinfo=timezone(timedelta(hours=9))), cutoff)


def test_days_are_read_as_they_are_written() -> None:
    assert parse_window("2026-03-01", "2026-03-08") == Window(FROM, TO)
    assert parse_window("2026-03-01", None) is None
    assert parse_window(None, "2026-03-08") is None
    with pytest.raises(InvalidInput, match="not a range"):
        parse_window("soon", "2026-03-08")
    assert (read_day(str(FIRST_DAY)), read_day(str(LAST_DAY))) == (FIRST_DAY, LAST_DAY)
    for wrong in ("1970-01-01", "9999-01-01", "20260301", "2026-W09-7", "2026-02-30", " 2026-03-01"):
        with pytest.raises(ValueError, match="day"):
            read_day(wrong)
