"""Evidence on a suite, and its admission."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.domain.reasons import Reason

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
    trivial_programs: Mapping[str, str]
    trivial_passed: Sequence[str]
    unstable: Reason | None = None
    doubts: Sequence[Reason] = ()
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


def refusal(evidence: SuiteEvidence, least_score: float = MIN_MUTATION_SCORE) -> Reason | None:
    """Return why the suite is not admitted, the most serious reason first; None if it is."""
    if evidence.tests == 0:
        return Reason("no_test")
    return _doubt(evidence) or _weakness(evidence, least_score)


def _doubt(evidence: SuiteEvidence) -> Reason | None:
    """Return why its answers may be wrong, or its inputs illegal."""
    if evidence.unstable:
        return evidence.unstable
    if evidence.disagreed:
        return Reason("references_differ", {"n": evidence.disagreed, "total": evidence.tried})
    if evidence.valid < evidence.tried:
        return Reason("invalid_inputs", {"n": evidence.tried - evidence.valid, "total": evidence.tried})
    return evidence.doubts[0] if evidence.doubts else None


def _weakness(evidence: SuiteEvidence, least_score: float) -> Reason | None:
    """Return why programs that are no solutions would pass it."""
    if evidence.large and not evidence.large_tests:
        return Reason("no_large_test", {"n": evidence.large})
    if evidence.missed:
        return Reason("wrong_pass", cause=", ".join(evidence.missed))
    if evidence.trivial_passed:
        return Reason("shams_pass", cause=", ".join(evidence.trivial_passed))
    if evidence.score is None:
        return None if evidence.caught else Reason("nothing_caught")
    if evidence.score < least_score:
        return Reason("low_mutation_score", {"value": f"{evidence.score:.2f}", "least": f"{least_score:.2f}"})
    return None
