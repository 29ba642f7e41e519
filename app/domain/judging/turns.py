"""Which of the answers that wait is judged next."""

from enum import Enum
from typing import Final


class Turn(Enum):
    """A way to choose: of equal ones the answer that was planned first."""

    PLANNED = "planned"  # so that rows are complete one after the other
    NEWEST = "newest"  # to the newest problem: all of what is asked about it follows from its verdicts
    FEWEST = "fewest"  # of a protocol under which nothing is judged yet, or else the fewest wait: no board waits long


ROUND: Final = (Turn.NEWEST, Turn.PLANNED, Turn.PLANNED, Turn.FEWEST, Turn.PLANNED, Turn.PLANNED)
