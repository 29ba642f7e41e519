"""When a run will be done, from how fast it was lately."""

from datetime import datetime, timedelta

# How far back "lately" reaches.
LATELY = timedelta(minutes=10)
_FEWEST = 2  # of one event nobody knows how often it comes


def per_second(count: int, first: datetime | None, now: datetime) -> float | None:
    """How many come a second, of `count` that came since `first`; None where too few came to tell."""
    if first is None or count < _FEWEST or now <= first:
        return None
    return count / (now - first).total_seconds()


def seconds_left(
    waiting: int, judging: int, answers_per_s: float | None, verdicts_per_s: float | None
) -> float | None:  # fmt: skip
    """Seconds until nothing waits to be answered or judged, if it goes on like that; None where a rate is not known.

    Answers are judged while others come, so the slower of the two decides.
    """
    stages = [(waiting, answers_per_s), (judging, verdicts_per_s)]
    left = [count / rate if rate else None for count, rate in stages if count]
    known = [seconds for seconds in left if seconds is not None]
    return max(known, default=0.0) if len(known) == len(left) else None


def told(seconds: float | None) -> str:
    """A time as people say it, such as 2 h 05 min; an empty text where it is not known."""
    if seconds is None:
        return ""
    whole = max(0, round(seconds))
    if whole < 60:
        return f"{whole} s"
    minutes = round(whole / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02d} min"
