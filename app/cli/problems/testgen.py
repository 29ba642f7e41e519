"""`tidemark testgen`: makes a test suite and measures its worth. Needs no server."""

import json
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from app.cli.files import read_text_file
from app.cli.problems.board_wait import describe_proposal, wait_for_board
from app.config import Settings
from app.domain.errors import InvalidInput, InvalidProblem, JudgeError, SandboxUnavailable
from app.domain.imports import ImportedProgram
from app.domain.judging.problem_file import parse_problem
from app.domain.problems import ProblemSpec
from app.domain.testgen.candidates import Candidate, candidates
from app.domain.testgen.grammars.files import read_grammar
from app.domain.testgen.grammars.grammar import Grammar
from app.domain.testgen.grammars.layout import rejection_reason
from app.domain.testgen.report import refusal
from app.domain.testgen.statements.statement import derive_grammar
from app.services.problems import testgen as service
from app.services.rejudging.views import Proposal, proposals
from app.supervise import open_state
from workers.context import make_context, now, use
from workers.grading.answering_judge import AnsweringJudge
from workers.grading.testing.inputs import NamedProgram, generate_inputs
from workers.grading.testing.suite_maker import GeneratedSuite, SuiteDemands, SuiteMaker
from workers.grading.toolchains import language_of

_NOT_ADMITTED_EXIT, _USAGE_EXIT, _JUDGE_ERROR_EXIT = 1, 2, 4

ProblemFile = Annotated[Path, typer.Argument(metavar="PROBLEM.json", help="The problem; its tests serve as examples.")]
References = Annotated[list[Path], typer.Option("--reference", metavar="P", help="A correct program; repeatable.")]
Wrong = Annotated[list[Path] | None, typer.Option("--wrong", metavar="P", help="A wrong program; repeatable.")]
Generator = Annotated[Path | None, typer.Option(metavar="G", help="A program that prints an input for a seed.")]
GrammarFile = Annotated[
    Path | None, typer.Option("--grammar", metavar="F", help="A grammar of the inputs, as TOML or JSON.")
]
Validator = Annotated[Path | None, typer.Option(metavar="V", help="A program that exits with 0 for a valid input.")]
Most = Annotated[int, typer.Option("--max", min=1, max=1000, help="The maximum number of tests.")]
Seed = Annotated[int, typer.Option(min=0, help="The same seed makes the same suite.")]
Into = Annotated[
    str | None,
    typer.Option("--into", metavar="SOURCE/ID", help="Store the suite, if it is admitted, as this problem's tests."),
]
State = Annotated[Path | None, typer.Option(metavar="DIR", help="The state folder, for --into.")]
Out = Annotated[Path | None, typer.Option(metavar="FILE", help="Write the problem with its new tests to this file.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]


def make_suite(
    problem: ProblemFile,
    reference: References,
    *,
    generator: Generator = None,
    grammar: GrammarFile = None,
    validator: Validator = None,
    wrong: Wrong = None,
    most: Most = 100,
    seed: Seed = 0,
    out: Out = None,
    into: Into = None,
    state: State = None,
    as_json: AsJson = False,
) -> None:
    """Make a test suite and prove that it rejects wrong programs.

    Inputs come from a generator, a grammar, or the constraints in the problem's "statement". The exit code is 0 when
    the suite is admitted, 1 when it is not, 2 for a usage error or an unreadable file, and 4 when the judge fails.

    Examples:
      ./tidemark testgen PROBLEM.json --reference right.py --generator gen.py
    """
    try:
        if generator is not None and grammar is not None:
            raise InvalidInput("give --generator or --grammar, not both")
        if into is not None:
            _outcome(into, state)  # report a wrong name before the work
        check_writable(out)
        data = read_object(problem)
        spec = parse_problem({"tests": [], **data})
        rules = _choose_grammar(spec, data, grammar, from_statement=generator is None)
        programs = [_read_program(path) for path in (*reference, *(wrong or ()))]
        judge = _open_judge()
        inputs = list(candidates(rules, seed)) if rules else _generate_inputs(judge, spec, generator, seed)
        maker = SuiteMaker(
            judge,
            spec,
            programs[: len(reference)],
            programs[len(reference) :],
            validate=None if rules is None else lambda value: rejection_reason(rules, value),
            validator=_read_program(validator) if validator else None,
            demands=SuiteDemands(tests=most, seed=seed),
        )
        suite = maker.make(inputs)
    except InvalidInput as error:
        _fail(_USAGE_EXIT, str(error))
    except (SandboxUnavailable, JudgeError) as failure:
        _fail(_JUDGE_ERROR_EXIT, f"cannot judge here: {failure}")
    if out is not None:
        out.write_text(json.dumps({**data, "tests": _tests(suite)}) + "\n", encoding="utf-8")
    report = report_json(suite)
    if not as_json:
        print(_summary(report, suite))
    waiting: tuple[Proposal, ...] = ()
    try:
        if report["admitted"] and into is not None:
            # The grammar allows accepted programs to be compared later on inputs beyond the tests.
            evidence = report if grammar is None else {**report, "grammar": read_text_file(grammar)}
            waiting = _store(
                into,
                replace(spec, tests=suite.tests),
                _proof_programs(programs, len(reference), suite.slow),
                evidence,
                state,
            )
    finally:  # print the suite even if storing it failed
        _print_waiting(report, waiting, as_json=as_json)
    if not report["admitted"]:
        raise typer.Exit(_NOT_ADMITTED_EXIT)


def _print_waiting(report: dict[str, Any], waiting: Sequence[Proposal], *, as_json: bool) -> None:
    """Print the proposals that wait for a maintainer; as JSON, the whole report with them."""
    if as_json:
        print(json.dumps({**report, "rejudgings": [asdict(proposal) for proposal in waiting]}))
        return
    for proposal in waiting:
        print(describe_proposal(proposal))


def _outcome(name: str, state: Path | None) -> str:
    """Return the problem's present state in words. Raises NotFound."""
    with open_state(state, begun=True) as settings:
        return use(make_context(settings)).commit(service.outcome, name)


def _proof_programs(programs: Sequence[NamedProgram], references: int, slow: Sequence[str]) -> list[ImportedProgram]:
    """Return the programs that workers prove the suite with, without references that are too slow for it."""
    return [
        ImportedProgram(program.name, program.language, program.code, reference=place < references)
        for place, program in enumerate(programs)
        if place >= references or program.name not in slow
    ]


def _store(
    name: str, spec: ProblemSpec, programs: list[ImportedProgram], report: dict[str, Any], state: Path | None
) -> tuple[Proposal, ...]:
    """Store an admitted suite, wait until workers have proven it, and return the proposals that wait for a decision."""
    evidence = {key: value for key, value in report.items() if key not in ("tests", "admitted", "reason", "notes")}
    with open_state(state, begun=True) as settings:
        ctx = use(make_context(settings))
        test_set_id, new = ctx.commit(service.store_suite, name, spec, programs, evidence, now())
        wait_for_board(ctx, running=settings.is_served, test_sets=[test_set_id])
        waiting = ctx.commit(proposals, [test_set_id])
    outcome = _outcome(name, state)
    print(
        f"{name}: {'stored' if new else 'these tests were already stored'}; the problem is {outcome}", file=sys.stderr
    )
    return waiting


def report_json(suite: GeneratedSuite) -> dict[str, Any]:
    """Return a suite and its evidence as they are printed."""
    evidence = suite.evidence
    reason = refusal(evidence)
    return {
        "tests": _tests(suite),
        "validity": evidence.validity,
        "killed": [*evidence.caught, *evidence.mutants_caught],
        "survived": [*evidence.missed, *evidence.mutants_missed],
        "mutation_score": evidence.score,
        "sham": dict(evidence.trivial_programs),
        "admitted": reason is None,
        "reason": reason,
        "notes": list(suite.notes[:20]),
    }


def _tests(suite: GeneratedSuite) -> list[dict[str, Any]]:
    return [
        {"input": test.input, "expected": test.expected, "visible": test.visible, "kind": kind.value}
        for test, kind in zip(suite.tests, suite.kinds, strict=True)
    ]


def _summary(report: dict[str, Any], suite: GeneratedSuite) -> str:
    evidence = suite.evidence
    caught, missed = len(evidence.caught), len(evidence.missed)
    score = "no mutants" if evidence.score is None else f"{evidence.score:.2f}"
    mutants = len(evidence.mutants_caught)
    lines = [
        f"{evidence.tests} tests of {evidence.tried} inputs, validity {evidence.validity:.4f}",
        f"known-wrong programs rejected: {caught} of {caught + missed}",
        f"mutants caught: {mutants} of {mutants + len(evidence.mutants_missed)}, score {score}",
        f"trivial programs: {', '.join(f'{name} {verdict}' for name, verdict in evidence.trivial_programs.items())}",
        "admitted" if report["admitted"] else f"not admitted: {report['reason']}",
    ]
    return "\n".join([*lines, *(f"  {note}" for note in suite.notes[:20])])


def _choose_grammar(
    spec: ProblemSpec, data: dict[str, Any], path: Path | None, *, from_statement: bool
) -> Grammar | None:
    """Return the given grammar, or the statement's if inputs are to come from it."""
    if path is not None:
        grammar = read_grammar(read_text_file(path))
        if bool(grammar.layout) == (spec.entry is not None):
            raise InvalidInput("a grammar needs a layout for form stdin, and must have none for functions")
        if spec.entry is not None and len(spec.entry.params) not in (0, len(grammar.variables)):
            raise InvalidInput("the grammar's variables do not match the function's parameters")
        return grammar
    if not from_statement:
        return None
    statement = data.get("statement")
    if spec.entry is None or not isinstance(statement, str):
        raise InvalidInput('give --generator or --grammar, or a function problem with a "statement"')
    derived = derive_grammar(statement, spec.entry, [test.input for test in spec.tests])
    if derived.grammar is None or derived.unread:
        unread = "; ".join(derived.unread)
        raise InvalidInput(f"cannot read the constraints: {unread}; give --generator or --grammar")
    return derived.grammar


def _generate_inputs(judge: AnsweringJudge, spec: ProblemSpec, generator: Path | None, seed: int) -> list[Candidate]:
    assert generator is not None
    return generate_inputs(judge, spec, _read_program(generator), seed)


def _open_judge() -> AnsweringJudge:
    """Return a judge that has passed its self-test. Raises SandboxUnavailable."""
    judge = AnsweringJudge(Settings().judge_settings())
    judge.self_test()
    return judge


def _read_program(path: Path) -> NamedProgram:
    language = language_of(path.name)
    if language is None:
        raise InvalidInput(f"cannot tell the language of {path} from its name")
    return NamedProgram(path.name, read_text_file(path), language.name)


def check_writable(path: Path | None) -> None:
    """Raise InvalidInput if no file can be written there; checked before the work, not after it."""
    if path is not None and (path.is_dir() or not os.access(path.absolute().parent, os.W_OK)):
        raise InvalidInput(
            f"cannot write {path}: {'it is a folder' if path.is_dir() else 'no such folder, or no permission'}"
        )


def read_object(path: Path) -> dict[str, Any]:
    """Return the JSON object in a file. Raises InvalidProblem, or InvalidInput if the file cannot be read."""
    try:
        value = json.loads(read_text_file(path))
    except (ValueError, RecursionError) as error:
        raise InvalidProblem(f"{path}: not JSON: {error}") from error
    if not isinstance(value, dict):
        raise InvalidProblem(f"{path}: a JSON object is needed")
    return value


def _fail(code: int, reason: str) -> NoReturn:
    print(f"tidemark testgen: {reason}", file=sys.stderr)
    raise typer.Exit(code)
