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
class Played:
    """The suite, if it is admitted, and what everybody's part in it was; `dropped` counts inputs."""

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
    evidence: dict[str, Any] = field(default_factory=dict)
    judge_s: float = 0.0
    ours: bool = False  # no setter's answer is why there is no suite

    @property
    def admitted(self) -> bool:
        """Whether the suite may become the problem's tests."""
        return self.reason is None
