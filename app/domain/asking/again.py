"""An answer that goes back to whoever gave it: a later round, in which the same is owed anew. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Again:
    """What a later round shows: the answer before it, why that fell short, and texts that show it, by their names.

    `round` counts from 1. Of others' work it holds inputs and outputs alone, never a program or an answer's text.
    """

    round: int
    answer: str
    reason: str
    shows: Mapping[str, str] = field(default_factory=dict)
