"""Estimated time until a run is done, from its recent speed."""

from datetime import datetime, timedelta

# The time over which recent speed is measured.
RATE_WINDOW = timedelta(minutes=10)
_FEWEST = 2  # one event has no rate


def events_per_second(count: int, first: datetime | None, now: datetime) -> float | None:
    """Return the rate per second of `count` events since `first`; None if there were too few."""
    if first is None or count < _FEWEST or now <= first:
        return None
    return count / (now - first).total_seconds()


def seconds_left(
    waiting: int, judging: int, answers_per_s: float | None, verdicts_per_s: float | None
) -> float | None:  # fmt: skip
    """Return the seconds until every sample is answered and judged at these rates; None if a needed rate is unknown.

    Answers are judged while others arrive, so the slower stage decides.
    """
    stages = [(waiting, answers_per_s), (judging, verdicts_per_s)]
    left = [count / rate if rate else None for count, rate in stages if count]
    known = [seconds for seconds in left if seconds is not None]
    return max(known, default=0.0) if len(known) == len(left) else None


def format_duration(seconds: float | None) -> str:
    """Return a duration for people, such as 2 h 05 min; an empty text if it is unknown."""
    if seconds is None:
        return ""
    whole = max(0, round(seconds))
    if whole < 60:
        return f"{whole} s"
    minutes = round(whole / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02d} min"
