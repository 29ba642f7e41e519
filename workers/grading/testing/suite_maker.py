"""A test suite from inputs and programs: references agree on the answers, wrong programs and mutants are caught."""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from app.domain.errors import InvalidInput, InvalidProblem, JudgeError
from app.domain.judging.verdicts import GradeResult, Verdict
from app.domain.problems import Form, ProblemSpec, Test
from app.domain.reasons import Reason, cut_reason
from app.domain.testgen.candidates import Candidate
from app.domain.testgen.input_selection import SuiteCandidate, choose_tests
from app.domain.testgen.mutants.mutants import Mutant, mutants
from app.domain.testgen.mutants.python import SLOWER
from app.domain.testgen.report import MIN_TESTS, SuiteEvidence
from app.domain.testgen.sampling.sample import InputKind
from app.domain.testgen.trivial_programs import trivial_programs
from workers.grading.answering_judge import AnswerCheck, AnsweringJudge, Attempt
from workers.grading.graders import HelperFailed
from workers.grading.proofs import REFERENCE_RUNS
from workers.grading.testing.catching_tests import AnsweredInput, find_catching_tests, find_rejecting_tests
from workers.grading.testing.inputs import NamedProgram, validator_refusals

Validate = Callable[[Any], str | None]
_COMPILED_SHARE = 0.4  # of the mutants, for C++, since each takes a second to compile
_LIMITS = (Verdict.TIME_LIMIT, Verdict.MEMORY_LIMIT, Verdict.OUTPUT_LIMIT)
# A right program must have time to spare on every test, or slower machines would fail it. The time that a slow host
# adds to the limit is not spare: it may slow another program less than the workload that measures it.
NEAR_LIMIT_SHARE = 0.6


@dataclass(frozen=True, slots=True)
class SuiteDemands:
    """The demands on a suite: the most tests and bytes, the seed, and the numbers of mutants and of reference runs."""

    tests: int = 100
    bytes: int = 24_000_000
    seed: int = 0
    mutants: int = 60
    runs: int = REFERENCE_RUNS


@dataclass(frozen=True, slots=True)
class GeneratedSuite:
    """A suite with its evidence; `kinds` are those of the tests, `notes` are for people.

    `slow` names the references that gave answers and are too slow for the suite themselves. `failed` is the message of
    a checker or interactor that failed with a reference.
    """

    tests: tuple[Test, ...]
    kinds: tuple[InputKind, ...]
    evidence: SuiteEvidence
    notes: tuple[str, ...] = ()
    slow: tuple[str, ...] = ()
    failed: str = ""


@dataclass(slots=True)
class ScreenedInputs:
    """The inputs that may become tests, and the counts of all that were tried.

    `late` holds, by the name of a reference, the inputs as JSON on which it came near a limit. `failed` is the message
    of a checker or interactor that failed with a reference.
    """

    answered: list[AnsweredInput] = field(default_factory=list)
    tried: int = 0
    valid: int = 0
    disagreed: int = 0
    left_out: int = 0
    large: int = 0
    wrong_examples: int = 0
    failed: str = ""
    late: dict[str, set[str]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


class SuiteMaker:
    """The maker of one problem's suite, which runs all programs in the sandbox."""

    def __init__(
        self,
        judge: AnsweringJudge,
        problem: ProblemSpec,
        references: Sequence[NamedProgram],
        wrong: Sequence[NamedProgram] = (),
        *,
        validate: Validate | None = None,
        validator: NamedProgram | None = None,
        demands: SuiteDemands | None = None,
        before_each: Callable[[], None] = lambda: None,
    ) -> None:
        """Take the problem, whose own tests are the public examples. Raises InvalidInput without a reference.

        `before_each` is called before each program that runs to choose tests or to prove them, and may raise to stop.
        """
        if not references:
            raise InvalidInput("a reference is needed to answer the inputs")
        self._judge, self._problem = judge, problem
        self._references, self._wrong = references, wrong
        self._validate, self._validator = validate, validator
        self._demands = demands or SuiteDemands()
        self._before_each = before_each

    def make(self, inputs: Sequence[Candidate]) -> GeneratedSuite:
        """Choose among the inputs and prove the choice.

        Raises InvalidProblem for an interactive problem, JudgeError or SandboxUnavailable if the judge fails.
        """
        if self._problem.form is Form.INTERACTIVE:
            raise InvalidProblem("programs of interactive problems give no answers that could be compared")
        examples = [Candidate(InputKind.EXAMPLE, test.input) for test in self._problem.tests]
        texts = {json.dumps(example.given) for example in examples}
        with self._judge.open_checker(self._problem) as decides:
            new = (candidate for candidate in inputs if json.dumps(candidate.given) not in texts)
            screening = self._screen([*examples, *new], decides)
        return self.choose(screening)

    def choose(self, screening: ScreenedInputs) -> GeneratedSuite:
        """Choose the suite among inputs with known answers, and prove it. Raises as `make` does."""
        with self._judge.open_checker(self._problem) as decides:
            kills, mutations = self._kills(screening.answered, decides)
        offers = [
            SuiteCandidate(
                test.kind, _size(test.given) + _size(test.expected), frozenset(kills[place]), _short(test.expected),
                test.cpu_ms,
            )
            for place, test in enumerate(screening.answered)
        ]  # fmt: skip
        places = choose_tests(offers, self._demands.tests, self._demands.bytes, self._demands.seed)
        tests = tuple(
            Test(test.given, test.expected, visible=test.kind is InputKind.EXAMPLE)
            for test in (screening.answered[place] for place in places)
        )
        covered = {number for place in places for number in offers[place].kills}
        chosen = {json.dumps(test.input) for test in tests}
        slow = tuple(name for name, inputs in screening.late.items() if inputs & chosen)
        kinds = tuple(offers[place].kind for place in places)
        evidence = self._proven(tests, screening, mutations, covered, slow)
        evidence = replace(evidence, large=screening.large, large_tests=kinds.count(InputKind.SLOW))
        return GeneratedSuite(tests, kinds, evidence, tuple(screening.notes), slow, screening.failed)

    # --- valid inputs with agreed answers ---

    def _screen(self, inputs: Sequence[Candidate], decides: AnswerCheck) -> ScreenedInputs:
        screening = ScreenedInputs(tried=len(inputs))
        legal = self._legal(inputs, screening)
        columns = [self._answers(program, [candidate.given for candidate in legal]) for program in self._references]
        stated = {json.dumps(test.input): test.expected for test in self._problem.tests}
        for candidate, attempts in zip(legal, zip(*columns, strict=True), strict=True):
            self._weigh(candidate, attempts, stated.get(json.dumps(candidate.given)), screening, decides)
        for name, late in screening.late.items():
            screening.notes.append(f"{name} comes near a limit on {len(late)} inputs")
        if screening.left_out:
            screening.notes.append(f"{screening.left_out} inputs left out: every reference comes near a limit on them")
        return screening

    def _legal(self, inputs: Sequence[Candidate], screening: ScreenedInputs) -> list[Candidate]:
        reasons: list[str | None] = [
            self._validate(candidate.given) if self._validate else None for candidate in inputs
        ]
        if self._validator is not None:
            words = validator_refusals(
                self._judge, self._problem, self._validator, [candidate.given for candidate in inputs]
            )
            reasons = [one or other for one, other in zip(reasons, words, strict=True)]
        refused = [reason for reason in reasons if reason is not None]
        if refused:
            screening.notes.append(f"{len(refused)} inputs refused, the first: {refused[0]}")
        return [candidate for candidate, reason in zip(inputs, reasons, strict=True) if reason is None]

    def _answers(self, program: NamedProgram, inputs: Sequence[Any]) -> list[Attempt]:
        return list(self._judge.attempts(self._problem, program.code, program.language, inputs))

    def _weigh(
        self,
        candidate: Candidate,
        attempts: Sequence[Attempt],
        stated: Any,
        screening: ScreenedInputs,
        decides: AnswerCheck,
    ) -> None:
        screening.large += candidate.kind is InputKind.SLOW
        limit = self._problem.limits.time_ms
        in_time: list[Attempt] = []
        for program, attempt in zip(self._references, attempts, strict=True):
            if attempt.verdict in _LIMITS or attempt.cpu_ms > NEAR_LIMIT_SHARE * limit:
                screening.late.setdefault(program.name, set()).add(json.dumps(candidate.given))
            elif attempt.answered:
                in_time.append(attempt)
            else:
                words = f"{attempt.verdict} on {_excerpt(candidate.given)}: {attempt.note[:200]}"
                screening.notes.append(f"{program.name}: {words}")
                return
        if not in_time:
            screening.left_out += 1
            screening.valid += 1
            return
        # The fastest reference decides whether there is time to spare; the answers of slower ones are compared too.
        answers = [attempt.value for attempt in attempts if attempt.answered]
        test = Test(candidate.given, in_time[0].value)
        if not all(decides(test, answer) for answer in answers):
            screening.disagreed += 1
            screening.notes.append(f"the references disagree on {_excerpt(candidate.given)}")
            return
        screening.valid += 1
        if candidate.kind is InputKind.EXAMPLE and stated is not None:
            screening.wrong_examples += not decides(replace(test, expected=stated), test.expected)
        fastest = min(attempt.cpu_ms for attempt in in_time)
        screening.answered.append(AnsweredInput(candidate.kind, candidate.given, test.expected, fastest))

    # --- wrong programs that the inputs catch ---

    def _kills(self, tests: Sequence[AnsweredInput], decides: AnswerCheck) -> tuple[list[set[int]], list[Mutant]]:
        """Return for each test the numbers of what it catches, mutants before wrong programs, and the mutants.

        Mutants that do not compile are left out.
        """
        kills: list[set[int]] = [set() for _ in tests]
        mutations: list[Mutant] = []
        for number, mutant in enumerate(self._mutants()):
            self._before_each()
            places = self._catching(mutant, tests, number, decides)
            if places is not None:
                for place in places:
                    kills[place].add(len(mutations))
                mutations.append(mutant)
        for number, program in enumerate(self._wrong):
            self._before_each()
            if tests and self._compiles(program.code, program.language, tests):
                code, language = program.code, program.language
                for place in find_rejecting_tests(self._judge, self._problem, decides, code, language, tests):
                    kills[place].add(len(mutations) + number)
        return kills, mutations

    def _mutants(self) -> list[Mutant]:
        """Return as many mutants of each reference; with more references than mutants, one of each of the first."""
        remaining = {"python": self._demands.mutants, "cpp": round(_COMPILED_SHARE * self._demands.mutants)}
        counts = Counter(reference.language for reference in self._references)
        share = {language: max(1, total // max(1, counts[language])) for language, total in remaining.items()}
        called = self._problem.entry
        entry = (called.cls or called.name) if called is not None else None
        all_mutants: list[Mutant] = []
        for reference in self._references:
            language = reference.language
            count = min(share.get(language, 0), remaining.get(language, 0))
            remaining[language] = remaining.get(language, 0) - count
            all_mutants += mutants(reference.code, language, count, self._demands.seed, entry)
        return all_mutants

    def _catching(
        self, mutant: Mutant, tests: Sequence[AnsweredInput], number: int, decides: AnswerCheck
    ) -> list[int] | None:
        if not tests or not self._compiles(mutant.code, mutant.language, tests):
            return None
        seed = self._demands.seed + number
        return find_catching_tests(self._judge, self._problem, decides, mutant.code, mutant.language, tests, seed)

    def _compiles(self, code: str, language: str, tests: Sequence[AnsweredInput]) -> bool:
        """Return whether a program compiles, found by its first test; Python is compiled when it runs."""
        if language == "python":
            return True
        one = replace(self._problem, tests=(Test(tests[0].given, tests[0].expected),))
        return self._graded(one, code, language).verdict is not Verdict.COMPILE_ERROR

    # --- the proof ---

    def _proven(
        self,
        tests: tuple[Test, ...],
        screening: ScreenedInputs,
        mutations: Sequence[Mutant],
        covered: set[int],
        slow: Sequence[str],
    ) -> SuiteEvidence:
        suite = replace(self._problem, tests=tests)
        doubts: list[Reason] = []
        if screening.wrong_examples:
            doubts.append(Reason("examples_differ", {"n": screening.wrong_examples}))
        if len(tests) < MIN_TESTS:
            doubts.append(Reason("few_tests", {"n": len(tests)}))
        caught: list[str] = []
        missed: list[str] = []
        passed: list[str] = []
        verdicts: dict[str, str] = {}
        unstable = self._unstable(suite, slow, screening) if tests else None
        if tests:
            for program in self._wrong:
                result = self._graded(suite, program.code, program.language)
                rejected = result.verdict not in (Verdict.ACCEPTED, Verdict.COMPILE_ERROR)
                (caught if rejected else missed).append(program.name)
            for name, code in trivial_programs(suite).items():
                verdicts[name] = self._graded(suite, code, "python").verdict.value
                if verdicts[name] in (Verdict.ACCEPTED, Verdict.COMPILE_ERROR):
                    passed.append(name)
        return SuiteEvidence(
            tests=len(tests),
            tried=screening.tried,
            valid=screening.valid,
            disagreed=screening.disagreed,
            caught=caught,
            missed=missed,
            mutants_caught=[mutant.name for number, mutant in enumerate(mutations) if number in covered],
            # A slower program that is right on small inputs says nothing against a suite.
            mutants_missed=[
                mutant.name
                for number, mutant in enumerate(mutations)
                if number not in covered and mutant.operator != SLOWER
            ],
            trivial_programs=verdicts,
            trivial_passed=passed,
            unstable=unstable,
            doubts=doubts,
        )

    def _unstable(self, suite: ProblemSpec, slow: Sequence[str], screening: ScreenedInputs) -> Reason | None:
        quick = [program for program in self._references if program.name not in slow]
        if not quick:
            return Reason("slow_references")
        for program in quick:
            for _turn in range(self._demands.runs):
                result = self._graded(suite, program.code, program.language)
                if result.verdict is not Verdict.ACCEPTED:
                    # The reason of a hold is public, and a program's message may contain its code or a test.
                    screening.notes.append(f"{program.name}: {result.message[:200]}")
                    screening.failed = cut_reason(result.message, 200) if result.checker_failed else ""
                    return Reason("reference_gets", {"what": program.name, "verdict": result.verdict.short})
        return None

    def _graded(self, problem: ProblemSpec, code: str, language: str) -> GradeResult:
        self._before_each()
        result = self._judge.grade(problem, code, language)
        if result.verdict is Verdict.JUDGE_ERROR:
            raise HelperFailed(result.message) if result.helper_failed else JudgeError(result.message)
        return result


def _size(value: Any) -> int:
    return len(value if isinstance(value, str) else json.dumps(value))


def _short(value: Any) -> str:
    return json.dumps(value)[:200]


def _excerpt(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= 80 else f"{text[:80]}..."
