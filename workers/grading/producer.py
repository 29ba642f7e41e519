"""What programs answer, instead of whether it is right: how tests get their expected outputs."""

from collections.abc import Sequence
from typing import Any

from app.domain.checkers import read_value, text_bytes
from app.domain.errors import InvalidProblem
from app.domain.problems import ProblemSpec
from app.domain.verdicts import Verdict
from workers.grading.judge import Judge
from workers.grading.outcome import Allowance, allowance, decide, explain
from workers.grading.runner import Runner, call_bytes


class Producer(Judge):
    """A judge that also hands out what a program answers. The programs stay as untrusted, and as confined, as ever."""

    def answers(self, problem: ProblemSpec, code: str, language: str, inputs: Sequence[Any]) -> list[Any]:
        """The program's answer to each input: text, or for the function form the returned value.

        The problem's own tests play no part. Raises InvalidProblem naming the first input on which the program
        breaks a limit, fails or gives no answer; JudgeError or SandboxUnavailable when the sandbox fails.
        """
        toolchain = self.find(language)
        if toolchain is None:
            raise InvalidProblem(f"{language} is not judged here: {self.refused()[language]}")
        allowed = allowance(problem.limits, toolchain.language, 1.0)
        source = text_bytes(code)
        with self._sandbox() as sandbox, self._runner(sandbox, toolchain, source, problem.form) as runner:
            return [_answer(runner, problem, given, allowed, number) for number, given in enumerate(inputs, start=1)]


def _answer(runner: Runner, problem: ProblemSpec, given: Any, allowed: Allowance, number: int) -> Any:
    pieces: list[bytes] = []
    if problem.entry is None:
        run = runner.run(allowed.bounds, pieces.append, stdin=text_bytes(given))
    else:
        run = runner.run(allowed.bounds, pieces.append, call=call_bytes(problem.entry, given))
    verdict = decide(run, True, allowed)  # noqa: FBT003  # nothing to compare with
    if verdict is not Verdict.ACCEPTED:
        raise InvalidProblem(f"input {number}: {verdict}: {explain(run, verdict, allowed)}")
    body = b"".join(pieces)
    try:
        if problem.entry is None:
            return body.decode()
        if body[:1] != b"V":
            raise ValueError("it returned nothing that is an answer")
        return read_value(body[1:-1])
    except ValueError as wrong:
        raise InvalidProblem(f"input {number}: {wrong}") from wrong
