"""A package's tests from its own programs: generators print inputs, validators check them, and a solution answers.

All of these are untrusted and run in the sandbox, in fresh namespaces for every test.
"""

import contextlib
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from app.domain.errors import BadRow, BuildFailed, InvalidProblem, JudgeError
from app.domain.imports import ImportedProblem, ImportedProgram, Recipe, RecipeStep
from app.domain.judging.verdicts import Verdict
from app.domain.problems import Form, Test
from workers.grading.answering_judge import AnsweringJudge, RunHelper
from workers.grading.run_verdict import CompileError, describe_exit, stderr_tail
from workers.grading.sandbox.protocol import ProgramRun
from workers.grading.starvation import MachineBusy, busy_reason, starved_by_others

MAX_BUILD_S = 900.0  # for all tests of a package
MAX_BUILD_BYTES = 256 << 20  # of all inputs and answers together
_SOLUTION_TIME_FACTOR = 3.0  # multiple of its time limit that a solution may take: the proof checks the limit itself
_MAX_WORDS_CHARS = 300


@dataclass(slots=True)
class _BuildBudget:
    """The time and the bytes that the whole build may still take."""

    until: float
    size: int = 0

    def check(self, path: str, added: int = 0) -> None:
        """Add bytes, and raise _BuildFailure if the budget is used up."""
        self.size += added
        if self.size > MAX_BUILD_BYTES:
            raise _BuildFailure(path, f"the tests have more than {MAX_BUILD_BYTES >> 20} MiB together")
        if time.monotonic() > self.until:
            raise _BuildFailure(path, f"making the tests takes longer than {MAX_BUILD_S:.0f} s")


class _BuildFailure(Exception):
    """The reason why the build failed, and the path in the package."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(reason)
        self.path, self.reason = path, reason


def build_tests(
    judge: AnsweringJudge, problem: ImportedProblem, name: str, most_s: float = MAX_BUILD_S
) -> ImportedProblem:
    """Return the problem with the tests that its recipe makes; `name` is the package's.

    Raises BuildFailed that names the test and the program that failed; JudgeError or SandboxUnavailable if the judge
    fails.
    """
    recipe = problem.recipe
    if recipe is None:
        return problem
    budget = _BuildBudget(time.monotonic() + most_s)
    try:
        inputs = _inputs(judge, recipe, budget)
        for validator in recipe.validators:
            _validate(judge, recipe, validator, inputs, budget)
        answers = _answers(judge, problem, recipe, inputs, budget)
    except _BuildFailure as failed:
        row = BadRow(f"{name}/{failed.path}", 1, " ".join(failed.reason.split()))  # a compiler's words have many lines
        raise BuildFailed(f"its tests could not be made; nothing was imported\n  {row}", (row,)) from failed
    # An interactor's input is no example for the programs that talk to it.
    shown = problem.form is not Form.INTERACTIVE
    tests = tuple(Test(inputs[step.path], answers[step.path], visible=step.visible and shown) for step in recipe.steps)
    return replace(problem, tests=tests, recipe=None)


def _inputs(judge: AnsweringJudge, recipe: Recipe, budget: _BuildBudget) -> dict[str, str]:
    """Return the input of each test by its path."""
    inputs = {step.path: step.text for step in recipe.steps if step.text is not None}
    for name, generator in recipe.generators.items():
        role = f"the generator {generator.name}"
        printed: dict[tuple[str, ...], str] = {}  # by arguments
        with _program(judge, role, generator, recipe) as run:
            for step in recipe.steps:
                if step.text is not None or step.generator != name:
                    continue
                if step.arguments not in printed:
                    budget.check(step.path)
                    printed[step.arguments] = _generate(run, role, step)
                inputs[step.path] = printed[step.arguments]
    for path, text in inputs.items():
        budget.check(path, len(text))
    return inputs


@contextlib.contextmanager
def _program(judge: AnsweringJudge, role: str, program: ImportedProgram, recipe: Recipe) -> Iterator[RunHelper]:
    try:
        with judge.open_helper(role, program.code, program.language, recipe.testlib) as run:
            yield run
    except InvalidProblem as broken:
        raise _BuildFailure(program.name, f"{role}: {broken}") from broken


def _generate(run: RunHelper, role: str, step: RecipeStep) -> str:
    """Run the generator for a test and return what it prints."""
    words = " ".join(step.arguments)[:_MAX_WORDS_CHARS]
    where = f"{role} failed on this test ({words})" if words else f"{role} failed on this test"
    ended, output = run(step.arguments, b"")
    if (fault := _run_fault(ended)) is not None:
        raise _BuildFailure(step.path, f"{where}: {fault}")
    try:
        text = output.decode()
    except UnicodeDecodeError as broken:
        raise _BuildFailure(step.path, f"{where}: it printed no UTF-8 text") from broken
    if not text or "\0" in text:
        fault = "a NUL byte" if text else "nothing; generators that write files are not run here"
        raise _BuildFailure(step.path, f"{where}: it printed {fault}")
    return text


def _validate(
    judge: AnsweringJudge, recipe: Recipe, validator: ImportedProgram, inputs: Mapping[str, str], budget: _BuildBudget
) -> None:
    role = f"the validator {validator.name}"
    with _program(judge, role, validator, recipe) as run:
        for step in recipe.steps:
            budget.check(step.path)
            group = ("--group", step.group) if step.group else ()
            ended, _ = run(("--testset", recipe.testset, *group), inputs[step.path].encode())
            if ended.exit_code is not None and ended.exit_code != 0 and not _was_cut(ended):
                words = stderr_tail(ended)[:_MAX_WORDS_CHARS] or "without a word"
                raise _BuildFailure(step.path, f"{role} refuses this test: {words}")
            if (fault := _run_fault(ended)) is not None:
                raise _BuildFailure(step.path, f"{role} failed on this test: {fault}")


def _answers(
    judge: AnsweringJudge, problem: ImportedProblem, recipe: Recipe, inputs: Mapping[str, str], budget: _BuildBudget
) -> dict[str, str]:
    """Return the answer to each test by its path: the package's if it has one, else the solution's."""
    answers = {step.path: step.expected or "" for step in recipe.steps}
    unanswered = [step for step in recipe.steps if step.expected is None]
    solution = recipe.solution
    if solution is None or not unanswered:
        return answers
    role = f"the solution {solution.name}"
    spec = replace(problem.spec, tests=())
    texts = (inputs[step.path] for step in unanswered)
    try:
        attempts = judge.attempts(spec, solution.code, solution.language, texts, time_factor=_SOLUTION_TIME_FACTOR)
        for step, attempt in zip(unanswered, attempts, strict=True):
            if attempt.verdict is Verdict.JUDGE_ERROR:
                raise JudgeError(f"{step.path}: {attempt.note}")
            if not attempt.answered:
                words = f"{attempt.verdict.value.replace('_', ' ')}: {attempt.note[:_MAX_WORDS_CHARS]}"
                raise _BuildFailure(step.path, f"{role} gives no answer to this test: {words}")
            budget.check(step.path, len(attempt.value))
            answers[step.path] = attempt.value
    except CompileError as broken:
        raise _BuildFailure(solution.name, f"{role} does not compile: {broken}") from broken
    except InvalidProblem as broken:
        raise _BuildFailure(solution.name, f"{role}: {broken}") from broken
    if not any(answers[step.path].strip() for step in unanswered):  # every program that prints nothing would be right
        raise _BuildFailure(
            solution.name, f"{role} prints nothing to any test; programs that write files are not judged here"
        )
    return answers


def _was_cut(run: ProgramRun) -> bool:
    return run.cpu_cut or run.wall_cut or run.memory_cut or run.output_cut


def _run_fault(run: ProgramRun) -> str | None:
    """Return why a run failed; None if it did not. Raises Busy if the machine's load is the reason."""
    if starved_by_others(run):
        raise MachineBusy(busy_reason(run))
    if run.cpu_cut or run.wall_cut:
        return f"it took too long: {run.cpu_ms:.0f} ms of CPU in {run.wall_ms:.0f} ms"
    if run.memory_cut:
        return "it needed too much memory"
    if run.output_cut:
        return "it printed too much"
    if run.status != 0:
        return f"{describe_exit(run)} {stderr_tail(run)[:_MAX_WORDS_CHARS]}".strip()
    return None
