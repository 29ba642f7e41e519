"""The run of a program's tests one after another, in which the first that fails decides."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from app.domain.characters import make_printable
from app.domain.judging.verdicts import TestOutcome, Verdict
from app.domain.problems import Test
from app.domain.reasons import Reason, error_reason
from workers.grading.graders import Grader, HelperFailed, JudgedTest
from workers.grading.host_lock import Host
from workers.grading.run_verdict import ProgramLimits, explain
from workers.grading.runner import Runner
from workers.grading.starvation import busy_reason, needs_retry, starved_by_others

_DECIDED_BY_TIME = (Verdict.ACCEPTED, Verdict.TIME_LIMIT)
_NEAR_LIMIT = 1 / 3  # an old measurement of the host's speed may be off by so much


@dataclass(frozen=True, slots=True)
class JudgedProgram:
    """The result of a program's tests: the deciding verdict, every outcome in order, and a message.

    `unpacked`: the places of the tests whose values could not leave the program. `checker_failed`: it is wrong because
    the checker failed on its output alone; `helper_failed`: there is no verdict because it fails on right ones too.
    `spared`: the places of tests, each with the number of an expected value without which a reference passed as well.
    `got` is the beginning of a wrong answer to a public test.
    """

    verdict: Verdict
    outcomes: tuple[TestOutcome, ...]
    message: str
    unpacked: tuple[int, ...] = ()
    checker_failed: bool = False
    spared: tuple[tuple[int, int], ...] = ()
    got: str | None = None
    helper_failed: bool = False

    @property
    def passed(self) -> int:
        """The number of accepted tests."""
        return sum(outcome.verdict is Verdict.ACCEPTED for outcome in self.outcomes)

    def is_near(self, limit_ms: float) -> bool:
        """Return whether a test came so near the CPU limit that another host speed could change the verdict."""
        return any(
            outcome.verdict in _DECIDED_BY_TIME and outcome.cpu_ms > _NEAR_LIMIT * limit_ms for outcome in self.outcomes
        )


def judge_failure(error: Exception) -> JudgedProgram:
    """Return the result of a program that the judge failed on."""
    reason = Reason("judge_failed", {"what": type(error).__name__}, error_reason(error))
    return JudgedProgram(Verdict.JUDGE_ERROR, (), reason, helper_failed=isinstance(error, HelperFailed))


def run_tests(
    runner: Runner, tests: Sequence[Test], referee: Grader, limits: ProgramLimits, host: Host, *, all_tests: bool
) -> JudgedProgram:
    """Run the tests in order, up to the first failure unless `all_tests`.

    Raises JudgeError or SandboxUnavailable if the sandbox fails.
    """
    outcomes: list[TestOutcome] = []
    unpacked: list[int] = []
    spared: list[tuple[int, int]] = []
    failure, got = None, None
    message: str = ""
    for number, test in enumerate(tests, start=1):
        judged = _judge(runner, test, referee, limits, host)
        result, run = judged.verdict, judged.run
        if result is Verdict.COMPILE_ERROR:
            return JudgedProgram(result, (), explain(run, result, limits))
        outcomes.append(TestOutcome(result, run.cpu_ms, run.wall_ms, run.peak_kb, run.starved_ms))
        if judged.unpacked:
            unpacked.append(number - 1)
        spared += [(number - 1, value) for value in judged.spared]
        if result is Verdict.ACCEPTED:
            continue
        if failure is None:
            failure = judged
            message = Reason("on_test", {"n": number}, judged.note or explain(run, result, limits))
            if test.visible and result is Verdict.WRONG_ANSWER and judged.got:
                got = make_printable(judged.got.decode(errors="replace"))
        if not all_tests:
            break
    if failure is None:
        return JudgedProgram(Verdict.ACCEPTED, tuple(outcomes), "", tuple(unpacked), spared=tuple(spared))
    return JudgedProgram(
        failure.verdict, tuple(outcomes), message, tuple(unpacked),
        checker_failed=failure.checker_failed, spared=tuple(spared), got=got,
    )  # fmt: skip


def _judge(runner: Runner, test: Test, referee: Grader, limits: ProgramLimits, host: Host) -> JudgedTest:
    """Judge one test. If the load may have caused the verdict, it runs again alone, and the faster run counts."""

    def in_doubt(judged: JudgedTest) -> bool:
        return needs_retry(judged.run, judged.verdict, limits.cpu_ms)

    judged, *more = host.try_with_retry(partial(referee.judge, runner, test), in_doubt, runner.renew)
    if not more:
        return judged
    again = more[0]
    if again.verdict is not Verdict.TIME_LIMIT:
        return again
    if starved_by_others(again.run):
        return again._replace(verdict=Verdict.JUDGE_ERROR, note=busy_reason(again.run))
    faster = judged.verdict is Verdict.TIME_LIMIT and judged.run.cpu_ms < again.run.cpu_ms
    return judged if faster and not judged.run.wall_cut else again
