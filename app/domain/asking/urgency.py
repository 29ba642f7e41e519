"""Urgency of samples: vendors' submissions before fresh problems, these before the rest; waiting raises urgency."""

from datetime import timedelta
from enum import IntEnum

# The time after its release for which a problem is fresh.
FRESH_FOR = timedelta(days=14)
# A waiting endpoint becomes one step more urgent after each such interval.
STEP = timedelta(minutes=5)


class Urgency(IntEnum):
    """The urgency of a sample: of an unfinished vendor's submission, of a fresh problem, or neither."""

    ORDERED = 0
    FRESH = 1
    BACKFILL = 2


# After this wait an endpoint has the highest urgency, and is served in turn.
FULL_URGENCY_AFTER = STEP * max(Urgency)


def raise_urgency(urgency: Urgency, waited: timedelta) -> int:
    """Return the urgency of an endpoint after a wait; 0 is the highest."""
    return max(0, urgency - max(0, waited // STEP))
