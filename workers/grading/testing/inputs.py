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

_ARGUMENTS = """\
import io as _io, sys as _sys
_sys.argv[1:] = _sys.stdin.buffer.read().decode().split()
_sys.stdin = _io.TextIOWrapper(_io.BytesIO(_sys.argv[1].encode() + b"\\n"))
exec(compile({code!r}, "generator.py", "exec"), globals())
"""
# In which order a generator that heeds kinds is asked for them.
KINDS = (Kind.SMALL, Kind.RANDOM, Kind.SMALL, Kind.EXTREME, Kind.SMALL, Kind.RANDOM, Kind.SLOW)


@dataclass(frozen=True, slots=True)
class Program:
    """A source with its name and language."""

    name: str
    code: str
    language: str


def with_arguments(code: str) -> str:
    """A Python generator as it is run: seed and kind are in sys.argv, and the seed is on its standard input too."""
    return _ARGUMENTS.format(code=code)


def generated(
    producer: Producer, problem: ProblemSpec, generator: Program, seed: int, runs: int = RUNS
) -> list[Candidate]:
    """Different inputs, one a run of the generator, each with a seed of its own.

    A generator is told a kind besides. If that changes what it prints, its inputs are of the kinds it was told; else
    their sizes say of which kind they are. Text, or for the function form a JSON list of arguments; several lines of
    those are several inputs. Raises InvalidProblem naming the seed for which the generator fails.
    """
    first = seed + 1
    tried = [(first, Kind.SMALL), (first, Kind.SMALL), (first, Kind.SLOW)]
    one, again, other = [attempt.value for attempt in _runs(producer, problem, generator, tried)]
    heeds = one == again and one != other
    asked = [(number, KINDS[number % len(KINDS)]) for number in range(first, first + runs)]
    inputs: dict[str, Candidate] = {}
    for (number, kind), attempt in zip(asked, _runs(producer, problem, generator, asked), strict=True):
        if not attempt.answered:
            raise InvalidProblem(f"{generator.name}: seed {number}: {attempt.verdict}: {attempt.note}")
        for value in read_inputs(problem, attempt.value, f"{generator.name}: seed {number}"):
            text = json.dumps(value)
            inputs.setdefault(text, Candidate(kind if heeds else _kind(text), value))
    return [candidate for _, candidate in sorted(inputs.items(), key=lambda item: len(item[0]))]


def _runs(
    producer: Producer, problem: ProblemSpec, generator: Program, asked: Sequence[tuple[int, Kind]]
) -> Iterator[Attempt]:
    """What it prints for each seed and kind: on its standard input, a line each; in sys.argv, if it is Python."""
    spec = ProblemSpec(f"{problem.id}/generator", Form.STDIN, (), LIMITS)
    code = with_arguments(generator.code) if generator.language == "python" else generator.code
    lines = (f"{number}\n{kind}\n" for number, kind in asked)
    return producer.attempts(spec, code, generator.language, lines)


def read_inputs(problem: ProblemSpec, text: str, where: str) -> list[Any]:
    """The inputs that a generator printed. Raises InvalidProblem, which begins with `where`.

    The last line of a text ends like the others, as every judge has it: right programs may read it so.
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
