"""A test suite from inputs and programs: answers agreed on, wrong programs and mutants caught, the whole proven."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from app.domain.errors import InvalidInput, JudgeError
from app.domain.judging.verdicts import GradeResult, Verdict
from app.domain.problems import ProblemSpec, Test
from app.domain.testgen.candidates import Candidate
from app.domain.testgen.choice import Offer, choose
from app.domain.testgen.mutants.mutants import Mutant, mutants
from app.domain.testgen.report import FEWEST_TESTS, Evidence
from app.domain.testgen.sampling.sample import Kind
from app.domain.testgen.shams import shams
from workers.grading.producer import Attempt, Decides, Producer
from workers.grading.proofs import REFERENCE_RUNS
from workers.grading.testing.inputs import Program, refusals
from workers.grading.testing.kills import Answered, catching, rejecting

Validate = Callable[[Any], str | None]
_COMPILED_SHARE = 0.4  # a C++ mutant takes a second to compile, so there are fewer of them
_LIMITS = (Verdict.TIME_LIMIT, Verdict.MEMORY_LIMIT, Verdict.OUTPUT_LIMIT)
_NEAR = 0.6  # a right program must have time to spare on every test, or slower machines would fail it


@dataclass(frozen=True, slots=True)
class Demands:
    """How large the suite may be, how many mutants are tried on it, and the seed of all chance in it."""

    tests: int = 100
    bytes: int = 24_000_000
    seed: int = 0
    mutants: int = 60


@dataclass(frozen=True, slots=True)
class Suite:
    """A suite with what was found out about it; `kinds` belong to the tests, `notes` are for people."""

    tests: tuple[Test, ...]
    kinds: tuple[Kind, ...]
    evidence: Evidence
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class _Screening:
    answered: list[Answered] = field(default_factory=list)
    tried: int = 0
    valid: int = 0
    disagreed: int = 0
    slow: int = 0
    wrong_examples: int = 0
    notes: list[str] = field(default_factory=list)


class Maker:
    """Makes the suite of one problem. Everything it is given is run in the sandbox only."""

    def __init__(
        self,
        producer: Producer,
        problem: ProblemSpec,
        references: Sequence[Program],
        wrong: Sequence[Program] = (),
        *,
        validate: Validate | None = None,
        validator: Program | None = None,
        demands: Demands | None = None,
    ) -> None:
        """The problem's own tests are the public examples. Raises InvalidInput without a reference."""
        if not references:
            raise InvalidInput("a reference is needed to answer the inputs")
        self._producer, self._problem = producer, problem
        self._references, self._wrong = references, wrong
        self._validate, self._validator = validate, validator
        self._demands = demands or Demands()

    def make(self, inputs: Sequence[Candidate]) -> Suite:
        """Choose among the inputs and prove the choice. Raises JudgeError or SandboxUnavailable when we fail."""
        examples = [Candidate(Kind.EXAMPLE, test.input) for test in self._problem.tests]
        texts = {json.dumps(example.given) for example in examples}
        with self._producer.deciding(self._problem) as decides:
            new = (candidate for candidate in inputs if json.dumps(candidate.given) not in texts)
            screening = self._screen([*examples, *new], decides)
            kills, mutations = self._kills(screening.answered, decides)
        offers = [
            Offer(test.kind, _size(test.given) + _size(test.expected), frozenset(kills[place]), _short(test.expected))
            for place, test in enumerate(screening.answered)
        ]
        places = choose(offers, self._demands.tests, self._demands.bytes, self._demands.seed)
        tests = tuple(
            Test(test.given, test.expected, visible=test.kind is Kind.EXAMPLE)
            for test in (screening.answered[place] for place in places)
        )
        covered = {number for place in places for number in offers[place].kills}
        evidence = self._proven(tests, screening, mutations, covered)
        return Suite(tests, tuple(offers[place].kind for place in places), evidence, tuple(screening.notes))

    # --- valid inputs with agreed answers ---

    def _screen(self, inputs: Sequence[Candidate], decides: Decides) -> _Screening:
        screening = _Screening(tried=len(inputs))
        legal = self._legal(inputs, screening)
        columns = [self._answers(program, [candidate.given for candidate in legal]) for program in self._references]
        stated = {json.dumps(test.input): test.expected for test in self._problem.tests}
        for candidate, attempts in zip(legal, zip(*columns, strict=True), strict=True):
            self._weigh(candidate, attempts, stated.get(json.dumps(candidate.given)), screening, decides)
        if screening.slow:
            screening.notes.append(f"{screening.slow} inputs left out: a reference comes near a limit on them")
        return screening

    def _legal(self, inputs: Sequence[Candidate], screening: _Screening) -> list[Candidate]:
        reasons: list[str | None] = [
            self._validate(candidate.given) if self._validate else None for candidate in inputs
        ]
        if self._validator is not None:
            words = refusals(self._producer, self._problem, self._validator, [candidate.given for candidate in inputs])
            reasons = [one or other for one, other in zip(reasons, words, strict=True)]
        refused = [reason for reason in reasons if reason is not None]
        if refused:
            screening.notes.append(f"{len(refused)} inputs refused, the first: {refused[0]}")
        return [candidate for candidate, reason in zip(inputs, reasons, strict=True) if reason is None]

    def _answers(self, program: Program, inputs: Sequence[Any]) -> list[Attempt]:
        return list(self._producer.attempts(self._problem, program.code, program.language, inputs))

    def _weigh(
        self, candidate: Candidate, attempts: Sequence[Attempt], stated: Any, screening: _Screening, decides: Decides
    ) -> None:
        limit = self._problem.limits.time_ms
        late = any(attempt.verdict in _LIMITS or attempt.cpu_ms > _NEAR * limit for attempt in attempts)
        if late:
            screening.slow += 1
            screening.valid += 1
            return
        failed = next((at for at, attempt in enumerate(attempts) if not attempt.answered), None)
        if failed is not None:
            name, attempt = self._references[failed].name, attempts[failed]
            screening.notes.append(f"{name}: {attempt.verdict} on {_excerpt(candidate.given)}: {attempt.note[:200]}")
            return
        first = attempts[0].value
        test = Test(candidate.given, first)
        if not all(decides(test, attempt.value) for attempt in attempts):
            screening.disagreed += 1
            screening.notes.append(f"the references disagree on {_excerpt(candidate.given)}")
            return
        screening.valid += 1
        if candidate.kind is Kind.EXAMPLE and stated is not None:
            screening.wrong_examples += not decides(replace(test, expected=stated), first)
        screening.answered.append(
            Answered(candidate.kind, candidate.given, first, max(attempt.cpu_ms for attempt in attempts))
        )

    # --- what the inputs catch ---

    def _kills(self, tests: Sequence[Answered], decides: Decides) -> tuple[list[set[int]], list[Mutant]]:
        """For each test the numbers of what it catches: the mutants that compile first, then the wrong programs."""
        kills: list[set[int]] = [set() for _ in tests]
        mutations: list[Mutant] = []
        for number, mutant in enumerate(self._mutants()):
            places = self._catching(mutant, tests, number, decides)
            if places is not None:
                for place in places:
                    kills[place].add(len(mutations))
                mutations.append(mutant)
        for number, program in enumerate(self._wrong):
            if tests and self._compiles(program.code, program.language, tests):
                code, language = program.code, program.language
                for place in rejecting(self._producer, self._problem, decides, code, language, tests):
                    kills[place].add(len(mutations) + number)
        return kills, mutations

    def _mutants(self) -> list[Mutant]:
        most = {"python": self._demands.mutants, "cpp": round(_COMPILED_SHARE * self._demands.mutants)}
        share = {
            language: count // max(1, sum(reference.language == language for reference in self._references))
            for language, count in most.items()
        }
        called = self._problem.entry
        entry = (called.cls or called.name) if called is not None else None
        return [
            mutant
            for reference in self._references
            for mutant in mutants(
                reference.code, reference.language, share.get(reference.language, 0), self._demands.seed, entry
            )
        ]

    def _catching(self, mutant: Mutant, tests: Sequence[Answered], number: int, decides: Decides) -> list[int] | None:
        if not tests or not self._compiles(mutant.code, mutant.language, tests):
            return None
        seed = self._demands.seed + number
        return catching(self._producer, self._problem, decides, mutant.code, mutant.language, tests, seed)

    def _compiles(self, code: str, language: str, tests: Sequence[Answered]) -> bool:
        """Python is read when it is run; what is compiled is tried on the first test."""
        if language == "python":
            return True
        one = replace(self._problem, tests=(Test(tests[0].given, tests[0].expected),))
        return self._graded(one, code, language).verdict is not Verdict.COMPILE_ERROR

    # --- the proof ---

    def _proven(
        self, tests: tuple[Test, ...], screening: _Screening, mutations: Sequence[Mutant], covered: set[int]
    ) -> Evidence:
        suite = replace(self._problem, tests=tests)
        doubts: list[str] = []
        if screening.wrong_examples:
            doubts.append(f"the references answer {screening.wrong_examples} of the examples otherwise than stated")
        if len(tests) < FEWEST_TESTS:
            doubts.append(f"{len(tests)} tests are too few")
        caught: list[str] = []
        missed: list[str] = []
        passed: list[str] = []
        verdicts: dict[str, str] = {}
        unstable = self._unstable(suite) if tests else None
        if tests:
            for program in self._wrong:
                result = self._graded(suite, program.code, program.language)
                rejected = result.verdict not in (Verdict.ACCEPTED, Verdict.COMPILE_ERROR)
                (caught if rejected else missed).append(program.name)
            for name, code in shams(suite).items():
                verdicts[name] = self._graded(suite, code, "python").verdict.value
                if verdicts[name] in (Verdict.ACCEPTED, Verdict.COMPILE_ERROR):
                    passed.append(name)
        return Evidence(
            tests=len(tests),
            tried=screening.tried,
            valid=screening.valid,
            disagreed=screening.disagreed,
            caught=caught,
            missed=missed,
            mutants_caught=[mutant.name for number, mutant in enumerate(mutations) if number in covered],
            mutants_missed=[mutant.name for number, mutant in enumerate(mutations) if number not in covered],
            shams=verdicts,
            shams_passed=passed,
            unstable=unstable,
            doubts=doubts,
        )

    def _unstable(self, suite: ProblemSpec) -> str | None:
        for program in self._references:
            for _turn in range(REFERENCE_RUNS):
                result = self._graded(suite, program.code, program.language)
                if result.verdict is not Verdict.ACCEPTED:
                    return f"reference {program.name} gets {result.verdict.short}: {result.message[:200]}"
        return None

    def _graded(self, problem: ProblemSpec, code: str, language: str) -> GradeResult:
        result = self._producer.grade(problem, code, language)
        if result.verdict is Verdict.JUDGE_ERROR:
            raise JudgeError(result.message)
        return result


def _size(value: Any) -> int:
    return len(value if isinstance(value, str) else json.dumps(value))


def _short(value: Any) -> str:
    return json.dumps(value)[:200]


def _excerpt(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= 80 else f"{text[:80]}..."
