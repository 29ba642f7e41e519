"""Verdicts of the judge, and which one stands if several apply."""

from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """Verdict on one program; `JUDGE_ERROR` says nothing about the program."""

    ACCEPTED = "accepted"
    WRONG_ANSWER = "wrong_answer"
    TIME_LIMIT = "time_limit"
    MEMORY_LIMIT = "memory_limit"
    OUTPUT_LIMIT = "output_limit"
    RUNTIME_ERROR = "runtime_error"
    COMPILE_ERROR = "compile_error"
    NO_ANSWER = "no_answer"
    JUDGE_ERROR = "judge_error"

    @property
    def short(self) -> str:
        """Usual abbreviation, such as AC or TLE."""
        return _SHORT[self]


_SHORT = {
    Verdict.ACCEPTED: "AC",
    Verdict.WRONG_ANSWER: "WA",
    Verdict.TIME_LIMIT: "TLE",
    Verdict.MEMORY_LIMIT: "MLE",
    Verdict.OUTPUT_LIMIT: "OLE",
    Verdict.RUNTIME_ERROR: "RTE",
    Verdict.COMPILE_ERROR: "CE",
    Verdict.NO_ANSWER: "NA",
    Verdict.JUDGE_ERROR: "IE",
}

# The earliest wins if several apply to one test run.
PRECEDENCE = (
    Verdict.JUDGE_ERROR,
    Verdict.NO_ANSWER,
    Verdict.COMPILE_ERROR,
    Verdict.OUTPUT_LIMIT,
    Verdict.MEMORY_LIMIT,
    Verdict.TIME_LIMIT,
    Verdict.RUNTIME_ERROR,
    Verdict.WRONG_ANSWER,
    Verdict.ACCEPTED,
)


class LimitMode(StrEnum):
    """Mechanism that enforced memory and process limits; `NONE` if nothing ran."""

    CGROUP = "cgroup"
    RLIMIT = "rlimit"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class TestOutcome:
    """Outcome of one test: verdict, CPU and wall milliseconds, peak memory in KiB.

    `waited_ms` of the wall time the clock stood still, because other processes had the CPUs.
    """

    __test__ = False  # not a pytest class

    verdict: Verdict
    cpu_ms: float
    wall_ms: float
    memory_kb: int
    waited_ms: float = 0.0


@dataclass(frozen=True, slots=True)
class GradeResult:
    """Result of judging one program.

    `tests` holds the outcomes in order up to and including the deciding one (all of them in all-tests mode); `total`
    counts the tests of the problem; `message` is trimmed text for people.

    `slowness`: factor by which the host was slower than limits assume; the time limit was multiplied by it. None if
    nothing ran or it was not measured.

    `checker_failed`: the answer is wrong because the problem's checker or interactor failed on it, and not on right
    ones. The verdict counts at once, maintainers are alerted, and a rejudging may overturn it.

    `helper_failed`: the judge error is that the problem's checker or interactor failed, on right answers too.

    `in_process`: some of the problem's tests run beside the program in one interpreter, where it could tamper with
    them. This is a fact of the tests, the same for every program: the verdict counts like any other, and is always
    shown with this label.

    `got` is the beginning of the program's answer to the deciding test, if that test is public and the answer is wrong.

    `unpacked`: in a proof, the tests whose values could not leave the program: place of the source, name of the test.
    """

    verdict: Verdict
    passed: int
    total: int
    tests: tuple[TestOutcome, ...]
    limit_mode: LimitMode
    grader_revision: str
    message: str = ""
    in_process: bool = False
    checker_failed: bool = False
    slowness: float | None = None
    unpacked: tuple[tuple[int, str], ...] = ()
    got: str | None = None
    helper_failed: bool = False

    @property
    def cpu_ms(self) -> float:
        """Largest CPU time of a test, in milliseconds."""
        return max((test.cpu_ms for test in self.tests), default=0.0)

    @property
    def wall_ms(self) -> float:
        """Largest wall time of a test, in milliseconds."""
        return max((test.wall_ms for test in self.tests), default=0.0)

    @property
    def memory_kb(self) -> int:
        """Largest peak memory of a test, in KiB."""
        return max((test.memory_kb for test in self.tests), default=0)


def worst_verdict(verdicts: tuple[Verdict, ...]) -> Verdict:
    """Return the one verdict that stands if several apply; accepted if none does."""
    return min(verdicts, key=PRECEDENCE.index, default=Verdict.ACCEPTED)
