"""What is asked first: vendors' orders before fresh problems, those before the rest; and nobody waits for ever."""

from datetime import timedelta
from enum import IntEnum

# A problem is fresh for so long after its release.
FRESH_FOR = timedelta(days=14)
# Whoever waits for a slice becomes a step more urgent each time this is over.
STEP = timedelta(minutes=5)


class Urgency(IntEnum):
    """How urgent a sample is: of a vendor's order that has not ended, of a fresh problem, or neither."""

    ORDERED = 0
    FRESH = 1
    BACKFILL = 2


# After this time anybody who waits is as urgent as can be, and is served by turns.
LONGEST_WAIT = STEP * max(Urgency)


def risen(urgency: Urgency, waited: timedelta) -> int:
    """How urgent somebody is who has waited for so long."""
    return max(0, urgency - max(0, waited // STEP))
