"""A package's tests from its own programs: generators print inputs, validators read them, a solution answers.

All of these are untrusted and run in the sandbox, each in a fresh place for every test.
"""

import contextlib
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from app.domain.errors import BadRow, BuildFailed, InvalidProblem, JudgeError
from app.domain.imports import ImportedProblem, ImportedProgram, Recipe, Step
from app.domain.judging.verdicts import Verdict
from app.domain.problems import Form, Test
from workers.grading.outcome import Busy, CompileError, busy, how_it_ended, last_words, robbed
from workers.grading.producer import Producer, Use
from workers.grading.sandbox.protocol import Run

MOST_S = 900.0  # for all tests of a package
MOST_BYTES = 256 << 20  # of all inputs and answers together
_LEISURE = 3.0  # times its limit that a solution may take to answer: whether it keeps it is found out by the proof
_WORDS = 300


@dataclass(slots=True)
class _Allowance:
    """What the whole build may still take, of time and of room."""

    until: float
    size: int = 0

    def check(self, path: str, added: int = 0) -> None:
        """Raise _Failed when it is used up."""
        self.size += added
        if self.size > MOST_BYTES:
            raise _Failed(path, f"the tests have more than {MOST_BYTES >> 20} MiB together")
        if time.monotonic() > self.until:
            raise _Failed(path, f"making the tests takes longer than {MOST_S:.0f} s")


class _Failed(Exception):
    """Where in the package the build failed, and why."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(reason)
        self.path, self.reason = path, reason


def built(producer: Producer, problem: ImportedProblem, name: str, most_s: float = MOST_S) -> ImportedProblem:
    """The problem with the tests that its recipe makes; `name` is the package's.

    Raises BuildFailed naming the test and the program that failed; JudgeError or SandboxUnavailable when we fail.
    """
    recipe = problem.recipe
    if recipe is None:
        return problem
    left = _Allowance(time.monotonic() + most_s)
    try:
        inputs = _inputs(producer, recipe, left)
        for validator in recipe.validators:
            _validate(producer, recipe, validator, inputs, left)
        answers = _answers(producer, problem, recipe, inputs, left)
    except _Failed as failed:
        row = BadRow(f"{name}/{failed.path}", 1, " ".join(failed.reason.split()))  # a compiler's words have many lines
        raise BuildFailed(f"its tests could not be made; nothing was imported\n  {row}", (row,)) from failed
    # What an interactor reads is no example for those who talk to it.
    shown = problem.form is not Form.INTERACTIVE
    tests = tuple(Test(inputs[step.path], answers[step.path], visible=step.visible and shown) for step in recipe.steps)
    return replace(problem, tests=tests, recipe=None)


def _inputs(producer: Producer, recipe: Recipe, left: _Allowance) -> dict[str, str]:
    """The input of each test by its path."""
    inputs = {step.path: step.text for step in recipe.steps if step.text is not None}
    for name, generator in recipe.generators.items():
        role = f"the generator {generator.name}"
        made: dict[tuple[str, ...], str] = {}
        with _program(producer, role, generator, recipe) as run:
            for step in recipe.steps:
                if step.text is not None or step.generator != name:
                    continue
                if step.arguments not in made:
                    left.check(step.path)
                    made[step.arguments] = _printed(run, role, step)
                inputs[step.path] = made[step.arguments]
    for path, text in inputs.items():
        left.check(path, len(text))
    return inputs


@contextlib.contextmanager
def _program(producer: Producer, role: str, program: ImportedProgram, recipe: Recipe) -> Iterator[Use]:
    try:
        with producer.using(role, program.code, program.language, recipe.testlib) as run:
            yield run
    except InvalidProblem as broken:
        raise _Failed(program.name, f"{role}: {broken}") from broken


def _printed(run: Use, role: str, step: Step) -> str:
    """What the generator prints for a test."""
    words = " ".join(step.arguments)[:_WORDS]
    where = f"{role} failed on this test ({words})" if words else f"{role} failed on this test"
    ended, output = run(step.arguments, b"")
    if (fault := _fault(ended)) is not None:
        raise _Failed(step.path, f"{where}: {fault}")
    try:
        text = output.decode()
    except UnicodeDecodeError as broken:
        raise _Failed(step.path, f"{where}: it printed no UTF-8 text") from broken
    if not text or "\0" in text:
        fault = "a NUL byte" if text else "nothing; generators that write files are not run here"
        raise _Failed(step.path, f"{where}: it printed {fault}")
    return text


def _validate(
    producer: Producer, recipe: Recipe, validator: ImportedProgram, inputs: Mapping[str, str], left: _Allowance
) -> None:
    role = f"the validator {validator.name}"
    with _program(producer, role, validator, recipe) as run:
        for step in recipe.steps:
            left.check(step.path)
            group = ("--group", step.group) if step.group else ()
            ended, _ = run(("--testset", recipe.testset, *group), inputs[step.path].encode())
            if ended.exit_code is not None and ended.exit_code != 0 and not _was_cut(ended):
                raise _Failed(step.path, f"{role} refuses this test: {last_words(ended)[:_WORDS] or 'without a word'}")
            if (fault := _fault(ended)) is not None:
                raise _Failed(step.path, f"{role} failed on this test: {fault}")


def _answers(
    producer: Producer, problem: ImportedProblem, recipe: Recipe, inputs: Mapping[str, str], left: _Allowance
) -> dict[str, str]:
    """The answer to each test by its path; that of the package where it has one."""
    answers = {step.path: step.expected or "" for step in recipe.steps}
    asked = [step for step in recipe.steps if step.expected is None]
    solution = recipe.solution
    if solution is None or not asked:
        return answers
    role = f"the solution {solution.name}"
    spec = replace(problem.spec, tests=())
    given = (inputs[step.path] for step in asked)
    try:
        attempts = producer.attempts(spec, solution.code, solution.language, given, time_factor=_LEISURE)
        for step, attempt in zip(asked, attempts, strict=True):
            if attempt.verdict is Verdict.JUDGE_ERROR:
                raise JudgeError(f"{step.path}: {attempt.note}")
            if not attempt.answered:
                words = f"{attempt.verdict.value.replace('_', ' ')}: {attempt.note[:_WORDS]}"
                raise _Failed(step.path, f"{role} gives no answer to this test: {words}")
            left.check(step.path, len(attempt.value))
            answers[step.path] = attempt.value
    except CompileError as broken:
        raise _Failed(solution.name, f"{role} does not compile: {broken}") from broken
    except InvalidProblem as broken:
        raise _Failed(solution.name, f"{role}: {broken}") from broken
    if not any(answers[step.path].strip() for step in asked):  # it proves itself right, and whoever is silent too
        raise _Failed(
            solution.name, f"{role} prints nothing to any test; programs that write files are not judged here"
        )
    return answers


def _was_cut(run: Run) -> bool:
    return run.cpu_cut or run.wall_cut or run.memory_cut or run.output_cut


def _fault(run: Run) -> str | None:
    """Why a run is none, in words. Raises Busy where the machine is to blame."""
    if robbed(run):
        raise Busy(busy(run))
    if run.cpu_cut or run.wall_cut:
        return f"it took too long: {run.cpu_ms:.0f} ms of CPU in {run.wall_ms:.0f} ms"
    if run.memory_cut:
        return "it needed too much memory"
    if run.output_cut:
        return "it printed too much"
    if run.status != 0:
        return f"{how_it_ended(run)} {last_words(run)[:_WORDS]}".strip()
    return None
