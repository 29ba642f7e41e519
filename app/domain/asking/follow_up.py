"""A follow-up question: an answer is sent back to the model that gave it, and the same is asked once more. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class FollowUp:
    """Contents of a later round: the previous answer, why it fell short, and texts that show it, by name.

    `round` counts from 1. From the work of others, `shows` holds inputs and outputs only, never a program or the text
    of an answer.
    """

    round: int
    answer: str
    reason: str
    shows: Mapping[str, str] = field(default_factory=dict)
