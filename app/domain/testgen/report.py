"""Evidence on a suite, and its admission."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

MIN_MUTATION_SCORE = 0.75  # some mutants are right programs, so 1.0 cannot be required
MIN_TESTS = 5


@dataclass(frozen=True, slots=True)
class SuiteEvidence:
    """Results of trying a suite: `valid` of `tried` inputs were valid, and the references agreed on them in time.

    `large` is the number of slow inputs tried, `large_tests` the number of them in the suite.
    """

    tests: int
    tried: int
    valid: int
    disagreed: int
    caught: Sequence[str]
    missed: Sequence[str]
    mutants_caught: Sequence[str]
    mutants_missed: Sequence[str]
    shams: Mapping[str, str]
    shams_passed: Sequence[str]
    unstable: str | None = None
    doubts: Sequence[str] = ()
    large: int = 0
    large_tests: int = 0

    @property
    def validity(self) -> float:
        """The share of the inputs that were valid and undisputed; 0 if there were none."""
        return self.valid / self.tried if self.tried else 0.0

    @property
    def score(self) -> float | None:
        """The share of the mutants that are caught; None without mutants."""
        total = len(self.mutants_caught) + len(self.mutants_missed)
        return len(self.mutants_caught) / total if total else None


def refusal(evidence: SuiteEvidence, least_score: float = MIN_MUTATION_SCORE) -> str | None:
    """Return why the suite is not admitted, the most serious reason first; None if it is."""
    if evidence.tests == 0:
        return "there is no test"
    return _doubt(evidence) or _weakness(evidence, least_score)


def _doubt(evidence: SuiteEvidence) -> str | None:
    """Return why its answers may be wrong, or its inputs illegal."""
    if evidence.unstable:
        return evidence.unstable
    if evidence.disagreed:
        return f"the references disagree on {evidence.disagreed} of {evidence.tried} inputs"
    if evidence.valid < evidence.tried:
        return f"{evidence.tried - evidence.valid} of {evidence.tried} inputs are invalid or have no answer"
    return evidence.doubts[0] if evidence.doubts else None


def _weakness(evidence: SuiteEvidence, least_score: float) -> str | None:
    """Return why programs that are no solutions would pass it."""
    if evidence.large and not evidence.large_tests:
        return f"none of the {evidence.large} large inputs is in the suite: too slow programs would pass"
    if evidence.missed:
        return f"known-wrong programs are accepted: {', '.join(evidence.missed)}"
    if evidence.shams_passed:
        return f"sham programs are accepted: {', '.join(evidence.shams_passed)}"
    if evidence.score is None:
        return None if evidence.caught else "nothing shows that the suite catches anything: no mutant, no wrong program"
    if evidence.score < least_score:
        return f"the mutation score {evidence.score:.2f} is below {least_score:.2f}"
    return None
