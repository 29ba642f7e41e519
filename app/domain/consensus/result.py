"""Result of building a suite from setters' answers, as it is stored."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from app.domain.consensus.rounds import AnswerOutcome
from app.domain.problems import ProblemSpec
from app.domain.reasons import Reason


class ProvingProgram(NamedTuple):
    """Setter's program that helps to prove the suite; if not `right`, it is known to be wrong."""

    name: str
    language: str
    code: str
    right: bool


@dataclass(frozen=True, slots=True)
class ConsensusResult:
    """Suite with the programs that are to prove it, or the reason why there is none.

    `facts` may be published: counts, and the setters. `evidence` is for maintainers alone: the outcome of each answer,
    and the inputs that show it. `findings` may go back to setters. If the shortfall is `ours`, it says nothing about
    the answers; if it is also `passing`, another build may end otherwise.
    """

    reason: Reason | None
    problem: ProblemSpec
    programs: tuple[ProvingProgram, ...]
    facts: Mapping[str, Any]
    evidence: Mapping[str, Any]
    findings: tuple[AnswerOutcome, ...] = ()
    ours: bool = False
    passing: bool = False
    judge_s: float = 0.0
