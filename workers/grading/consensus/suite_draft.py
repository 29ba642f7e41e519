"""The suite of a problem while it is built from setters' answers."""

from dataclasses import dataclass, field
from typing import Any

from app.domain.consensus.answers import AnswerId
from app.domain.consensus.result import ProvingProgram
from app.domain.problems import ProblemSpec
from app.domain.reasons import Reason
from app.domain.testgen.sampling.sample import InputKind
from workers.grading.consensus.contributions import ContributionState
from workers.grading.consensus.program_runner import SetterProgram


@dataclass(slots=True)
class MissedInputs:
    """Inputs with a known answer that a reference did not answer well within its limit.

    On `slow` it came near the limit or exceeded it, on `failed` it gave no answer. `dropped` counts those that are no
    tests because no other reference had time to spare either.
    """

    slow: list[Any] = field(default_factory=list)
    failed: list[Any] = field(default_factory=list)
    dropped: int = 0

    def counts(self) -> dict[str, int]:
        """Return the number of inputs of each group."""
        return {"slow": len(self.slow), "failed": len(self.failed), "dropped": self.dropped}


@dataclass(slots=True)
class SuiteDraft:
    """The suite, if it is admitted, and the state of each setter's answer.

    `dropped` counts the inputs that are no tests. `missed` holds, by the name of each reference, the inputs that it did
    not answer well within its limit.
    """

    problem: ProblemSpec
    states: dict[AnswerId, ContributionState]
    reason: Reason | None = Reason("nothing_proven")
    kinds: tuple[InputKind, ...] = ()
    validator: AnswerId | None = None
    checker: AnswerId | None = None
    interactor: AnswerId | None = None
    references: tuple[SetterProgram, ...] = ()
    wrong: tuple[SetterProgram, ...] = ()
    earlier: tuple[ProvingProgram, ...] = ()  # known-wrong programs too, which setters have replaced
    dropped: dict[str, int] = field(default_factory=lambda: {"illegal": 0, "dissent": 0, "slow": 0})
    missed: dict[str, MissedInputs] = field(default_factory=dict)
    evidence: dict[str, Any] = field(default_factory=dict)
    judge_s: float = 0.0
    ours: bool = False  # the reason for no suite is not in a setter's answer
    passing: bool = False  # and another build may end otherwise

    @property
    def admitted(self) -> bool:
        """True if the suite may become the problem's tests."""
        return self.reason is None

    def name_of(self, answer_id: AnswerId) -> str:
        """Return a program's unique name: setters of two vendors may have the same one."""
        alike = {other.vendor for other in self.states if other.setter == answer_id.setter}
        return str(answer_id) if len(alike) < 2 else f"{answer_id.vendor}/{answer_id}"
