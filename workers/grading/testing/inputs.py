"""Inputs from programs: a generator prints them, and a validator decides whether they are legal. Both are untrusted."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from app.domain.errors import InvalidInput, InvalidProblem
from app.domain.problems import Form, Limits, ProblemSpec, are_calls
from app.domain.testgen.candidates import Candidate
from app.domain.testgen.sampling.sample import InputKind
from workers.grading.answering_judge import AnsweringJudge, Attempt

GENERATOR_LIMITS = Limits(time_ms=10_000, memory_mb=1024, output_kb=32_768)
GENERATOR_RUNS = 160
_KATTIS_VALID = 42
_SMALL_CHARS, _LARGE_CHARS = 200, 20_000

_ARGUMENTS = """\
import io as _io, sys as _sys
_sys.argv[1:] = _sys.stdin.buffer.read().decode().split()
_sys.stdin = _io.TextIOWrapper(_io.BytesIO(_sys.argv[1].encode() + b"\\n"))
exec(compile({code!r}, "generator.py", "exec"), globals())
"""
# The order of kinds in which inputs are requested from a generator that knows kinds.
REQUESTED_KINDS = (
    InputKind.SMALL,
    InputKind.RANDOM,
    InputKind.SMALL,
    InputKind.EXTREME,
    InputKind.SMALL,
    InputKind.RANDOM,
    InputKind.SLOW,
)


@dataclass(frozen=True, slots=True)
class NamedProgram:
    """A source with its name and language."""

    name: str
    code: str
    language: str


def with_arguments(code: str) -> str:
    """Return a Python generator that gets seed and kind in sys.argv, and the seed on its standard input too."""
    return _ARGUMENTS.format(code=code)


def generate_inputs(
    judge: AnsweringJudge, problem: ProblemSpec, generator: NamedProgram, seed: int, runs: int = GENERATOR_RUNS
) -> list[Candidate]:
    """Return the different inputs from so many runs of the generator, each with a seed of its own.

    A generator also gets a kind. If its output depends on the kind, its inputs are of the kinds that it got; else their
    sizes decide. An input is text, or for the function form a JSON list of arguments, of which several lines are
    several inputs. Raises InvalidProblem that names the seed for which the generator fails.
    """
    first = seed + 1
    trials = [(first, InputKind.SMALL), (first, InputKind.SMALL), (first, InputKind.SLOW)]
    small, again, large = [attempt.value for attempt in _runs(judge, problem, generator, trials)]
    knows_kinds = small == again and small != large
    requests = [(number, REQUESTED_KINDS[number % len(REQUESTED_KINDS)]) for number in range(first, first + runs)]
    inputs: dict[str, Candidate] = {}
    for (number, kind), attempt in zip(requests, _runs(judge, problem, generator, requests), strict=True):
        if not attempt.answered:
            raise InvalidProblem(f"{generator.name}: seed {number}: {attempt.verdict}: {attempt.note}")
        for value in read_inputs(problem, attempt.value, f"{generator.name}: seed {number}"):
            text = json.dumps(value)
            inputs.setdefault(text, Candidate(kind if knows_kinds else _kind_by_size(text), value))
    return [candidate for _, candidate in sorted(inputs.items(), key=lambda item: len(item[0]))]


def _runs(
    judge: AnsweringJudge, problem: ProblemSpec, generator: NamedProgram, requests: Sequence[tuple[int, InputKind]]
) -> Iterator[Attempt]:
    """Run a generator for each seed and kind, given as two lines on its standard input; in Python also in sys.argv."""
    spec = ProblemSpec(f"{problem.id}/generator", Form.STDIN, (), GENERATOR_LIMITS)
    code = with_arguments(generator.code) if generator.language == "python" else generator.code
    lines = (f"{number}\n{kind}\n" for number, kind in requests)
    return judge.attempts(spec, code, generator.language, lines)


def read_inputs(problem: ProblemSpec, text: str, where: str) -> list[Any]:
    """Return the inputs that a generator printed. Raises InvalidProblem that begins with `where`.

    The last line of a text gets a line end if it has none, as in every judge's inputs: right programs may rely on it.
    """
    if problem.entry is None:
        return [f"{text}\n" if text and not text.endswith("\n") else text]
    try:
        rows = [json.loads(line) for line in text.splitlines() if line.strip()]
    except (ValueError, RecursionError) as wrong:
        raise InvalidProblem(f"{where}: the arguments are not JSON: {wrong}") from wrong
    fits = are_calls if problem.form is Form.CLASS else _are_arguments
    if not rows or not all(map(fits, rows)):
        form = "[[names], [[arguments], ...]]" if problem.form is Form.CLASS else "list of arguments"
        raise InvalidProblem(f"{where}: a line is not a {form}")
    return rows


def _are_arguments(value: Any) -> bool:
    return isinstance(value, list)


def _kind_by_size(text: str) -> InputKind:
    return (
        InputKind.SMALL
        if len(text) <= _SMALL_CHARS
        else InputKind.SLOW
        if len(text) > _LARGE_CHARS
        else InputKind.RANDOM
    )


def validator_refusals(
    judge: AnsweringJudge, problem: ProblemSpec, validator: NamedProgram, inputs: Sequence[Any]
) -> list[str | None]:
    """Return for each input why the validator refuses it; None if it does not.

    The validator reads the input, as JSON in the function form; it exits with 0 (or 42, as in the ICPC format) if the
    input is legal. Raises InvalidInput if it does not compile.
    """
    spec = replace(problem, id=f"{problem.id}/validator", form=Form.STDIN, entry=None, limits=GENERATOR_LIMITS)
    texts = [value if isinstance(value, str) else f"{json.dumps(value)}\n" for value in inputs]
    reasons: list[str | None] = []
    for attempt in judge.attempts(spec, validator.code, validator.language, texts):
        if attempt.verdict.short == "CE":
            raise InvalidInput(f"{validator.name} does not compile: {attempt.note}")
        legal = attempt.answered or attempt.exit_code == _KATTIS_VALID
        reasons.append(None if legal else attempt.note or attempt.verdict.value)
    return reasons
