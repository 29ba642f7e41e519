"""When a run will be done, from how fast it was lately."""

from datetime import UTC, datetime, timedelta

import pytest

from app.domain.asking.eta import events_per_second, format_duration, seconds_left

NOW = datetime(2026, 11, 1, 9, tzinfo=UTC)


def test_a_rate_needs_two_events_and_some_time() -> None:
    minute = timedelta(minutes=1)
    assert events_per_second(30, NOW - minute, NOW) == 0.5
    assert events_per_second(1, NOW - minute, NOW) is None
    assert events_per_second(0, None, NOW) is None
    assert events_per_second(5, NOW, NOW) is None


@pytest.mark.parametrize(
    ("waiting", "judging", "answers", "verdicts", "seconds"),
    [
        (100, 0, 2.0, None, 50.0),
        (100, 10, 2.0, 0.1, 100.0),
        (100, 10, 2.0, None, None),
        (100, 0, None, 1.0, None),
        (0, 10, None, 2.0, 5.0),
        (0, 0, None, None, 0.0),
    ],
)
def test_the_slower_stage_decides(
    waiting: int, judging: int, answers: float | None, verdicts: float | None, seconds: float | None
) -> None:
    assert seconds_left(waiting, judging, answers, verdicts) == seconds


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(None, ""), (0.4, "0 s"), (59.4, "59 s"), (90, "2 min"), (3500, "58 min"), (7500, "2 h 05 min")],
)
def test_times_are_told_as_people_say_them(seconds: float | None, text: str) -> None:
    assert format_duration(seconds) == text
