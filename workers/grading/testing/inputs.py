"""Inputs from programs: a generator prints them, a validator says whether they are legal. Both are untrusted."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from app.domain.errors import InvalidInput, InvalidProblem
from app.domain.problems import Form, Limits, ProblemSpec, are_calls
from app.domain.testgen.candidates import Candidate
from app.domain.testgen.sampling.sample import Kind
from workers.grading.producer import Attempt, Producer

LIMITS = Limits(time_ms=10_000, memory_mb=1024, output_kb=32_768)
RUNS = 160
_KATTIS_VALID = 42
_SMALL, _LARGE = 200, 20_000  # bytes

# What a Python program reads from its standard input it also finds in sys.argv: generators expect the seed in either.
_ARGUMENTS = (
    "import io as _io, sys as _sys; _given = _sys.stdin.buffer.read(); "
    "_sys.stdin = _io.TextIOWrapper(_io.BytesIO(_given)); _sys.argv[1:] = _given.decode().split()\n"
)


@dataclass(frozen=True, slots=True)
class Program:
    """A source with its name and language."""

    name: str
    code: str
    language: str


def generated(
    producer: Producer, problem: ProblemSpec, generator: Program, seed: int, runs: int = RUNS
) -> list[Candidate]:
    """Different inputs, one a run of the generator, each with a seed of its own.

    Text, or for the function form a JSON list of arguments; several lines of those are several inputs. Raises
    InvalidProblem naming the seed for which the generator fails.
    """
    spec = ProblemSpec(f"{problem.id}/generator", Form.STDIN, (), LIMITS)
    seeds = range(seed + 1, seed + 1 + runs)
    code = generator.code
    if generator.language == "python" and "__future__" not in code:
        code = _ARGUMENTS + code
    inputs: dict[str, Any] = {}
    for number, attempt in zip(seeds, producer.attempts(spec, code, generator.language, _lines(seeds)), strict=True):
        if not attempt.answered:
            raise InvalidProblem(f"{generator.name}: seed {number}: {attempt.verdict}: {attempt.note}")
        for value in _read(problem, attempt, f"{generator.name}: seed {number}"):
            inputs.setdefault(json.dumps(value), value)
    return [Candidate(_kind(text), value) for text, value in sorted(inputs.items(), key=lambda item: len(item[0]))]


def _lines(seeds: Sequence[int]) -> Iterator[str]:
    return (f"{seed}\n" for seed in seeds)


def _read(problem: ProblemSpec, attempt: Attempt, where: str) -> list[Any]:
    if problem.entry is None:
        return [attempt.value]
    try:
        rows = [json.loads(line) for line in attempt.value.splitlines() if line.strip()]
    except (ValueError, RecursionError) as wrong:
        raise InvalidProblem(f"{where}: the arguments are not JSON: {wrong}") from wrong
    fits = are_calls if problem.form is Form.CLASS else _are_arguments
    if not rows or not all(map(fits, rows)):
        form = "[[names], [[arguments], ...]]" if problem.form is Form.CLASS else "list of arguments"
        raise InvalidProblem(f"{where}: a line is not a {form}")
    return rows


def _are_arguments(value: Any) -> bool:
    return isinstance(value, list)


def _kind(text: str) -> Kind:
    """Nobody says why a generated input was made, so its size does."""
    return Kind.SMALL if len(text) <= _SMALL else Kind.SLOW if len(text) > _LARGE else Kind.RANDOM


def refusals(producer: Producer, problem: ProblemSpec, validator: Program, inputs: Sequence[Any]) -> list[str | None]:
    """For each input why the validator refuses it, None where it does not.

    The validator reads the input, as JSON in the function form; it exits with 0 (or 42, as ICPC's do) when the input
    is legal. Raises InvalidInput when it cannot be run at all.
    """
    spec = replace(problem, id=f"{problem.id}/validator", form=Form.STDIN, entry=None, limits=LIMITS)
    texts = [value if isinstance(value, str) else f"{json.dumps(value)}\n" for value in inputs]
    reasons: list[str | None] = []
    for attempt in producer.attempts(spec, validator.code, validator.language, texts):
        if attempt.verdict.short == "CE":
            raise InvalidInput(f"{validator.name} does not compile: {attempt.note}")
        legal = attempt.answered or attempt.exit_code == _KATTIS_VALID
        reasons.append(None if legal else attempt.note or attempt.verdict.value)
    return reasons
