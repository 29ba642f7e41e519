"""What playing setters' answers to a problem came to."""

from dataclasses import dataclass, field
from typing import Any

from app.domain.problems import ProblemSpec
from app.domain.setting.answers import Piece
from app.domain.setting.made import Proving
from app.domain.testgen.sampling.sample import Kind
from workers.grading.setting.bench import Source
from workers.grading.setting.entrants import State


@dataclass(slots=True)
class Missed:
    """Inputs whose answer is known and that a reference did not answer well within its limit.

    On `slow` it came near the limit or ran into it, on `failed` it gave no answer. `dropped` are those among them that
    are no tests because no other reference had time to spare either.
    """

    slow: list[Any] = field(default_factory=list)
    failed: list[Any] = field(default_factory=list)
    dropped: int = 0

    def counts(self) -> dict[str, int]:
        """How many of each."""
        return {"slow": len(self.slow), "failed": len(self.failed), "dropped": self.dropped}


@dataclass(slots=True)
class Played:
    """The suite, if it is admitted, and what everybody's part in it was; `dropped` counts inputs.

    `missed` says of each reference by its name which of them it was too slow for.
    """

    problem: ProblemSpec
    states: dict[Piece, State]
    reason: str | None = "nothing is proven"
    kinds: tuple[Kind, ...] = ()
    validator: Piece | None = None
    checker: Piece | None = None
    interactor: Piece | None = None
    references: tuple[Source, ...] = ()
    wrong: tuple[Source, ...] = ()
    earlier: tuple[Proving, ...] = ()  # known-wrong too: what setters have given up since
    dropped: dict[str, int] = field(default_factory=lambda: {"illegal": 0, "dissent": 0, "slow": 0})
    missed: dict[str, Missed] = field(default_factory=dict)
    evidence: dict[str, Any] = field(default_factory=dict)
    judge_s: float = 0.0
    ours: bool = False  # no setter's answer is why there is no suite
    passing: bool = False  # and another play may end otherwise

    @property
    def admitted(self) -> bool:
        """Whether the suite may become the problem's tests."""
        return self.reason is None

    def name_of(self, piece: Piece) -> str:
        """What tells a program from all others: setters of two vendors may have one name."""
        alike = {other.vendor for other in self.states if other.setter == piece.setter}
        return str(piece) if len(alike) < 2 else f"{piece.vendor}/{piece}"
