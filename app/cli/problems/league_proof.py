"""Making and proving the tests of league problems; every program runs in the sandbox."""

import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from app.domain.errors import InvalidProblem, JudgeError
from app.domain.imports import ImportBatch, ImportedProblem, ImportedProgram, TestsSource
from app.domain.judging.verdicts import GradeResult, Verdict
from app.domain.problems import Entry, Form, Limits, Param, ProblemSpec, Test
from app.domain.testgen.trivial_programs import trivial_programs
from scrapers.suites.code3 import Code3Problem
from scrapers.suites.house import HouseItem, LeagueProblem
from workers.grading.answering_judge import AnsweringJudge
from workers.grading.proofs import REFERENCE_RUNS
from workers.grading.proofs import prove as prove_tests
from workers.grading.testing.import_completion import complete_batch

# Generators and validators process every input in one run.
_LIMITS = Limits(time_ms=20_000, memory_mb=512, output_kb=65_536)
_VALIDATE = Entry(name="validate", params=(Param("given"),))


def _format_ms(measured: float) -> str:
    return f"{measured:.1f}" if measured else "-"


def make_tests(judge: AnsweringJudge, problem: LeagueProblem, old: Sequence[Test]) -> list[dict[str, Any]]:
    """Return the rows of tests.jsonl.gz: valid generated inputs with the first reference's answers.

    An impossible problem gets random seals instead of answers; the seals of `old` tests stay. Raises InvalidProblem if
    the generator, the validator or the reference fails.
    """
    inputs = generate_inputs(judge, problem)
    reason = find_input_fault(judge, problem, inputs)
    if reason is not None:
        raise InvalidProblem(f"{problem.slug}: {reason}")
    if problem.canary:
        seals = {test.input: test.expected for test in old}
        expected = [seals.get(input_) or f"{secrets.token_hex(16)}\n" for input_ in inputs]
    elif problem.spec.form is Form.INTERACTIVE:
        expected = [None] * len(inputs)  # the interactor decides
    else:
        first = problem.programs_of(reference=True)[0]
        try:
            expected = judge.answers(problem.spec, first.code, first.language, inputs)
        except InvalidProblem as error:
            raise InvalidProblem(f"{problem.slug}: reference {first.name}: {error}") from error
    return [
        {"input": input_, "expected": answer, "visible": number < problem.examples}
        for number, (input_, answer) in enumerate(zip(inputs, expected, strict=True))
    ]


def generate_inputs(judge: AnsweringJudge, problem: LeagueProblem) -> list[Any]:
    """Return the generator's inputs. Raises InvalidProblem if it fails or repeats one."""
    spec = ProblemSpec(f"{problem.slug}/generate.py", Form.STDIN, (), limits=_LIMITS)
    try:
        (text,) = judge.answers(spec, problem.generator, "python", [""])
        inputs = [json.loads(line) for line in text.splitlines()]
    except ValueError as error:
        raise InvalidProblem(f"{spec.id}: a line is not JSON: {error}") from error
    if len({json.dumps(input_) for input_ in inputs}) < len(inputs):
        raise InvalidProblem(f"{spec.id}: it prints the same input twice")
    return inputs


def find_input_fault(judge: AnsweringJudge, problem: LeagueProblem, inputs: Sequence[Any]) -> str | None:
    """Return the fault of the inputs or the validator: `validate` must accept every input and no broken one."""
    spec = ProblemSpec(f"{problem.slug}/generate.py", Form.FUNCTION, (), limits=_LIMITS, entry=_VALIDATE)

    def passes(values: Sequence[Any], *, all_tests: bool) -> GradeResult:
        tests = tuple(Test([value], None) for value in values)
        return _check_judge(judge.grade(replace(spec, tests=tests), problem.generator, "python", all_tests=all_tests))

    result = passes(inputs, all_tests=False)
    if result.verdict is not Verdict.ACCEPTED:
        return f"validate refuses input {result.passed + 1}: {result.message}"
    broken = _break_input(inputs[0])
    for value, test in zip(broken, passes(broken, all_tests=True).tests, strict=True):
        if test.verdict is Verdict.ACCEPTED:
            return f"validate accepts {json.dumps(value)[:60]}"
    return None


def _break_input(value: Any) -> list[Any]:
    """Return inputs that differ slightly from a legal one."""
    if isinstance(value, str):
        return ["", "\n", f"{value}1\n", f"x{value}", f"{value.rstrip()},\n"]
    return [[], [*value, 0], [None, *value[1:]]]


@dataclass
class LeagueProof:
    """The outcome for one problem; without misses it is proven. Times are CPU milliseconds of the Python references."""

    spec: ProblemSpec
    level: str
    sha256: str
    name: str
    is_portable: bool = True
    references: int = 0
    wrong: int = 0
    trivial_rejected: int = 0
    worst_ms: float = 0.0
    sum_ms: float = 0.0
    revisions: set[str] = field(default_factory=set)
    misses: list[str] = field(default_factory=list)

    def line(self) -> str:
        """Return the row of the table."""
        counts = " ".join(f"{count:5}" for count in (len(self.spec.tests), self.references, self.wrong))
        return (
            f"{self.spec.id:18} {self.level:7} {counts} {self.trivial_rejected:7} "
            f"{_format_ms(self.worst_ms):>9} {_format_ms(self.sum_ms):>7}  {'MISSED' if self.misses else 'ok'}"
        )

    @property
    def is_kept(self) -> bool:
        """True if the proof is recorded: references proved something that holds on other machines too."""
        return self.is_portable and self.references > 0 and not self.misses

    def record(self) -> Mapping[str, object]:
        """Return the entry of proofs.json."""
        return {
            "sha256": self.sha256,
            "references": self.references,
            "runs": REFERENCE_RUNS,
            "wrong": self.wrong,
            "shams": self.trivial_rejected,
            "judge": sorted(self.revisions),
        }


def prove_league_problem(judge: AnsweringJudge, problem: LeagueProblem) -> LeagueProof:
    """Return the proof of a problem's tests. Raises JudgeError if the judge itself fails."""
    proof = LeagueProof(problem.spec, problem.level, problem.sha256, problem.slug)
    _check_inputs(judge, problem, proof)
    return _try_programs(judge, proof, problem.programs, trivial_programs(problem.spec))


def prove_asserts(judge: AnsweringJudge, written: Code3Problem) -> LeagueProof:
    """Return the proof of a problem that is checked by asserts.

    Its trivial programs know only the statement's examples.
    """
    problem = written.problem
    examples = written.examples
    calls = tuple(Test(list(call.arguments), call.expected, visible=call in examples) for call in written.calls)
    difficulty = problem.difficulty[1] if problem.difficulty else 0
    proof = LeagueProof(problem.spec, f"level {difficulty:.0f}", written.sha256, problem.spec.id)
    return _try_programs(
        judge, proof, problem.programs, trivial_programs(replace(problem.spec, form=Form.FUNCTION, tests=calls))
    )


def _try_programs(
    judge: AnsweringJudge, proof: LeagueProof, programs: Sequence[ImportedProgram], trivial: Mapping[str, str]
) -> LeagueProof:
    for program in programs:
        if program.reference:
            proof.references += _is_accepted(judge, program, proof)
        else:
            proof.wrong += _is_rejected(judge, f"wrong program {program.name}", program.code, program.language, proof)
    for name, code in trivial.items():
        proof.trivial_rejected += _is_rejected(judge, f"trivial program {name}", code, "python", proof)
    return proof


def _check_inputs(judge: AnsweringJudge, problem: LeagueProblem, proof: LeagueProof) -> None:
    try:
        inputs = generate_inputs(judge, problem)
    except InvalidProblem as error:
        proof.misses.append(str(error))
        return
    if inputs != [test.input for test in problem.spec.tests]:
        proof.misses.append("the generator's inputs differ from those of the tests; run `league build`")
    reason = find_input_fault(judge, problem, inputs)
    if reason is not None:
        proof.misses.append(reason)


def _is_accepted(judge: AnsweringJudge, program: ImportedProgram, proof: LeagueProof) -> bool:
    """Return True if a reference is accepted in every run; references accepted on one set of tests agree on it."""
    for _turn in range(REFERENCE_RUNS):
        result = _check_judge(judge.grade(proof.spec, program.code, program.language))
        proof.revisions.add(result.grader_revision)
        if result.verdict is not Verdict.ACCEPTED:
            proof.misses.append(f"reference {program.name}: {result.verdict.short}, {result.message}")
            return False
    if program.language == "python":
        proof.worst_ms = max(proof.worst_ms, result.cpu_ms)
        proof.sum_ms = max(proof.sum_ms, sum(test.cpu_ms for test in result.tests))
    return True


def _is_rejected(judge: AnsweringJudge, name: str, code: str, language: str, proof: LeagueProof) -> bool:
    """Return True if a program that solves nothing compiles and is rejected."""
    result = _check_judge(judge.grade(proof.spec, code, language))
    if result.verdict in (Verdict.ACCEPTED, Verdict.COMPILE_ERROR):
        proof.misses.append(f"{name}: {result.verdict.short} {result.message}".rstrip())
        return False
    return True


def build_item(judge: AnsweringJudge, item: HouseItem) -> ImportedProblem | None:
    """Return an item with the tests that its programs make; None if its file holds them."""
    if item.problem.tests_from is TestsSource.FILE:
        return None
    return complete_batch(judge, ImportBatch("house", item.sha256, item.name, (), (item.problem,))).problems[0]


def prove_item(judge: AnsweringJudge, item: HouseItem) -> LeagueProof:
    """Return the proof of an item, made as an installation makes it; reviews have no programs to try."""
    proof = LeagueProof(item.problem.spec, "item", item.sha256, item.name, item.keeps_proof)
    if item.problem.programs:
        outcome = prove_tests(judge, item.problem.spec, item.problem.programs)
        if outcome.ours:
            raise JudgeError(outcome.reason or "")
        proof.references, proof.wrong = outcome.references, outcome.wrong
        proof.worst_ms = max((time.cpu_ms for time in outcome.times.values()), default=0.0)
        proof.revisions = {time.grader_revision for time in outcome.times.values()}
        proof.misses += [] if outcome.reason is None else [outcome.reason]
    return proof


def _check_judge(result: GradeResult) -> GradeResult:
    """Return the result. Raises JudgeError if the judge failed on any test, since that proves nothing."""
    if Verdict.JUDGE_ERROR in (result.verdict, *(test.verdict for test in result.tests)):
        raise JudgeError(result.message)
    return result
