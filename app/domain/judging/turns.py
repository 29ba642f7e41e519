"""Which of the answers that wait is judged next."""

from enum import Enum
from typing import Final


class Turn(Enum):
    """A way to choose: of equal ones the answer that was planned first."""

    PLANNED = "planned"  # so that rows are complete one after the other
    NEWEST = "newest"  # to the newest problem: all of what is asked about it follows from its verdicts
    PROTOCOL = "protocol"  # of a protocol drawn by lot, so that no board waits for all others


ROUND: Final = (Turn.NEWEST, Turn.PLANNED, Turn.PLANNED, Turn.PROTOCOL, Turn.PLANNED, Turn.PLANNED)
