"""Order in which waiting answers are judged."""

from enum import Enum
from typing import Final


class GradingOrder(Enum):
    """Rule that chooses the next answer; among equals the one that was planned first."""

    PLANNED = "planned"  # completes rows one after the other
    NEWEST = "newest"  # answers to the newest problem first: all further prompts about it depend on its verdicts
    FEWEST = "fewest"  # a protocol without verdicts first, then the one with fewest waiting answers: no board starves


GRADING_ROUND: Final = (
    GradingOrder.NEWEST,
    GradingOrder.PLANNED,
    GradingOrder.PLANNED,
    GradingOrder.FEWEST,
    GradingOrder.PLANNED,
    GradingOrder.PLANNED,
)
