"""The tests of one submission, run and judged one after another; the first that fails decides."""

from dataclasses import dataclass, replace

from app.domain.checkers import compare_text, compare_value, read_value, text_bytes, value_room
from app.domain.problems import Checker, Entry, ProblemSpec, Test
from app.domain.verdicts import TestOutcome, Verdict
from workers.grading.outcome import Allowance, decide, doubtful, explain
from workers.grading.runner import Runner, call_bytes
from workers.grading.sandbox.protocol import Run


@dataclass(frozen=True, slots=True)
class Trial:
    """How the tests went: the deciding verdict, every outcome in order, how many passed, and why."""

    verdict: Verdict
    outcomes: tuple[TestOutcome, ...]
    message: str

    @property
    def passed(self) -> int:
        """Tests that were accepted."""
        return sum(outcome.verdict is Verdict.ACCEPTED for outcome in self.outcomes)


def run_trial(runner: Runner, problem: ProblemSpec, allowed: Allowance, *, all_tests: bool) -> Trial:
    """Run the tests in order, up to the first failure unless `all_tests`.

    Raises JudgeError or SandboxUnavailable when the sandbox fails.
    """
    outcomes: list[TestOutcome] = []
    verdict, message = Verdict.ACCEPTED, ""
    for number, test in enumerate(problem.tests, start=1):
        found, run, note = _judge(runner, problem, test, allowed)
        if found is Verdict.COMPILE_ERROR:
            return Trial(found, (), explain(run, found, allowed))
        outcomes.append(TestOutcome(found, run.cpu_ms, run.wall_ms, run.peak_kb))
        if found is Verdict.ACCEPTED:
            continue
        if verdict is Verdict.ACCEPTED:
            verdict, message = found, f"test {number}: {note or explain(run, found, allowed)}"
        if not all_tests:
            break
    return Trial(verdict, tuple(outcomes), message)


def _judge(runner: Runner, problem: ProblemSpec, test: Test, allowed: Allowance) -> tuple[Verdict, Run, str]:
    found, run, note = _once(runner, problem, test, allowed)
    if doubtful(run, found, allowed):
        runner.renew()
        found, run, note = _once(runner, problem, test, allowed)
    return found, run, note


def _once(runner: Runner, problem: ProblemSpec, test: Test, allowed: Allowance) -> tuple[Verdict, Run, str]:
    if problem.entry is None:
        comparison = compare_text(problem.checker, test.expected)
        run = runner.run(allowed.bounds, comparison.feed, stdin=text_bytes(test.input))
        return decide(run, comparison.finish(), allowed), run, ""
    answer = _Answer(problem.checker, problem.entry, test)
    run = runner.run(allowed.bounds, answer.feed, call=call_bytes(problem.entry, test.input))
    right, note = answer.judge()
    if answer.empty and run.status == 0:
        run = replace(run, status=1 << 8)  # it left with 0 before it had an answer: no more than a failed exit
        note = "the program ended before it returned a value"
    verdict = decide(run, right, allowed)
    return verdict, run, note if verdict in (Verdict.WRONG_ANSWER, Verdict.RUNTIME_ERROR) else ""


class _Answer:
    """A returned value on its way in: one line, V and JSON, or T and the name of a type that is no answer.

    Whatever else comes is a wrong answer. Bytes past any right answer's size are counted and dropped.
    """

    def __init__(self, checker: Checker, entry: Entry, test: Test) -> None:
        self._checker, self._entry, self._expected = checker, entry, test.expected
        self._room = value_room(test.expected)
        self._pieces: list[bytes] = []

    @property
    def empty(self) -> bool:
        """Whether nothing was returned at all."""
        return not self._pieces

    def feed(self, piece: bytes) -> None:
        if self._room >= 0:
            self._pieces.append(piece)
            self._room -= len(piece)

    def judge(self) -> tuple[bool, str]:
        """Whether the value is right, and why not."""
        if self._room < 0:
            return False, "the returned value is too long to be right"
        line = b"".join(self._pieces)
        kind, body = line[:1], line[1:-1]
        if kind not in (b"V", b"T") or line[-1:] != b"\n":
            return False, "" if self.empty else "the returned value is cut off"
        if kind == b"T":
            return False, f"returned a value that is no answer: {body.decode(errors='replace')[:80]}"
        try:
            value = read_value(body)
        except ValueError as error:
            return False, f"the returned value cannot be read: {error}"
        return compare_value(self._checker, self._entry.returns, value, self._expected), ""
