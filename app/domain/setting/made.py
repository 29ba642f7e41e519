"""What playing setters' answers came to, as it is kept."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from app.domain.problems import ProblemSpec
from app.domain.setting.rounds import Finding


class Proving(NamedTuple):
    """A setter's program that is to prove the suite; not `right`, it is known to be wrong."""

    name: str
    language: str
    code: str
    right: bool


@dataclass(frozen=True, slots=True)
class Made:
    """A suite with the programs that are to prove it, or the reason why there is none.

    `facts` may be told of a suite: counts, and who set it. `evidence` is for maintainers alone: what became of each
    answer, and the inputs that show it. `findings` are what may go back to setters; where the shortfall is `ours`,
    nothing was found out about them, and where it is `passing`, too, another play may end otherwise.
    """

    reason: str | None
    problem: ProblemSpec
    programs: tuple[Proving, ...]
    facts: Mapping[str, Any]
    evidence: Mapping[str, Any]
    findings: tuple[Finding, ...] = ()
    ours: bool = False
    passing: bool = False
    judge_s: float = 0.0
