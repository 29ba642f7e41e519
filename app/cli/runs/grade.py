"""`tidemark grade`: judges one program, many programs, or a suite of attacks. Needs no server."""

import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from app.cli.files import read_text_file, unreadable_error
from app.config import Settings
from app.domain.errors import InvalidInput, InvalidProblem, SandboxUnavailable
from app.domain.judging.problem_file import parse_problem
from app.domain.judging.verdicts import GradeResult, Verdict
from app.domain.problems import ProblemSpec
from workers.grading.answering_judge import AnsweringJudge
from workers.grading.toolchains import known_languages, language_named, language_of

_NOT_ACCEPTED_EXIT, _USAGE_EXIT, _JUDGE_ERROR_EXIT = 1, 2, 4
_FILE_NAME = re.compile(r"\w[\w.-]*(?:/\w[\w.-]*)*\.\w+")

ProblemFile = Annotated[Path | None, typer.Argument(metavar="PROBLEM.json", help="The problem with its tests.")]
ProgramFile = Annotated[Path | None, typer.Argument(metavar="PROGRAM", help="The program's source file.")]
LanguageName = Annotated[str | None, typer.Option(help="The program's language; by default the one of its file name.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
ProblemsFile = Annotated[Path | None, typer.Option(metavar="FILE", help="Many problems, as JSON lines.")]
ProgramsFile = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help='Many programs, as JSON lines: {"problem", "language", "code", "id"}.'),
]
State = Annotated[Path | None, typer.Option(metavar="DIR", help="The state folder, for temporary files.")]
SuiteFile = Annotated[Path | None, typer.Option(metavar="MANIFEST.json", help="Run a suite of hostile programs.")]


def grade(
    problem: ProblemFile = None,
    program: ProgramFile = None,
    *,
    language: LanguageName = None,
    as_json: AsJson = False,
    problems: ProblemsFile = None,
    programs: ProgramsFile = None,
    suite: SuiteFile = None,
    state: State = None,
) -> None:
    """Judge a program in the sandbox.

    The exit code is 0 for accepted, 1 for any other verdict (or a miss in a suite), 2 for a usage error or an
    unreadable file, and 4 when the judge itself fails. --problems and --programs print one result a line; the exit
    code is then 4 if the judge failed on any of them, else 0.

    Examples:
      ./tidemark grade PROBLEM.json solution.py
      ./tidemark grade --problems problems.jsonl --programs programs.jsonl
    """
    single, bulk = (problem, program), (problems, programs)
    try:
        if suite is not None and not any((*single, *bulk)):
            _grade_suite(suite, state, as_json=as_json)
        elif suite is None and all(bulk) and not any(single) and language is None:
            assert problems is not None
            assert programs is not None
            _grade_many(problems, programs, state)
        elif suite is None and all(single) and not any(bulk):
            assert problem is not None
            assert program is not None
            _grade_one(problem, program, language, state, as_json=as_json)
        else:
            _fail(_USAGE_EXIT, "give PROBLEM.json and PROGRAM, or --problems and --programs, or --suite")
    except InvalidInput as error:
        _fail(_USAGE_EXIT, str(error))
    except SandboxUnavailable as failure:
        _fail(_JUDGE_ERROR_EXIT, f"cannot judge here: {failure}")


def ready_judge(state: Path | None = None) -> AnsweringJudge:
    """Return a judge that has passed its self-test, with a warning on stderr if its limits cannot follow this machine.

    Raises SandboxUnavailable.
    """
    settings = Settings() if state is None else Settings(state_dir=state.absolute())
    judge = AnsweringJudge(settings.judge_settings())
    judge.self_test()
    if judge.speed.last.warning:
        print(f"tidemark: warning: {judge.speed.last.warning}", file=sys.stderr)
    return judge


def result_json(result: GradeResult) -> dict[str, Any]:
    """Return a result as it is printed."""
    return {
        "verdict": result.verdict.value,
        "passed": result.passed,
        "total": result.total,
        "tests": [
            {
                "verdict": test.verdict.value,
                "cpu_ms": round(test.cpu_ms, 3),
                "wall_ms": round(test.wall_ms, 3),
                "waited_ms": round(test.waited_ms, 3),
                "memory_kb": test.memory_kb,
            }
            for test in result.tests
        ],
        "limit_mode": result.limit_mode.value,
        "slowness": result.slowness,
        "grader_revision": result.grader_revision,
        "message": result.message,
        **({"in_process": True} if result.in_process else {}),
        **({"checker_failed": True} if result.checker_failed else {}),
    }


def _grade_one(
    problem_file: Path, program_file: Path, language: str | None, state: Path | None, *, as_json: bool
) -> None:
    problem = _read_problem(_parse_object(read_text_file(problem_file), str(problem_file)), problem_file.parent)
    code = _read_source(program_file)
    language_name = _language_of(program_file, language)
    result = ready_judge(state).grade(problem, code, language_name)
    if as_json:
        print(json.dumps(result_json(result)))
    else:
        print(f"{result.verdict.short} {result.verdict.value}: {result.passed} of {result.total} tests passed", end="")
        print(f", {result.cpu_ms:.0f} ms CPU, {result.memory_kb // 1024} MiB", end="")
        print("" if result.slowness is None else f"; limits were multiplied by {result.slowness:.2f} on this machine")
        if result.message:
            print(result.message)
    exit_with_verdict(result.verdict)


def exit_with_verdict(verdict: Verdict) -> None:
    """Exit with the code of a verdict; return if it is accepted."""
    if verdict is Verdict.JUDGE_ERROR:
        raise typer.Exit(_JUDGE_ERROR_EXIT)
    if verdict is not Verdict.ACCEPTED:
        raise typer.Exit(_NOT_ACCEPTED_EXIT)


def _grade_many(problems_file: Path, programs_file: Path, state: Path | None) -> None:
    problems: dict[str, ProblemSpec] = {}
    for where, row in _read_lines(problems_file):
        try:
            problem = _read_problem(row, problems_file.parent)
        except InvalidInput as error:
            raise InvalidInput(f"{where}: {error}") from error
        if problem.id in problems:
            raise InvalidInput(f"{where}: the problem {problem.id!r} appears twice")
        problems[problem.id] = problem
    rows = [_parse_program(row, problems, where) for where, row in _read_lines(programs_file)]
    judge = ready_judge(state)
    failed = False
    for identifier, problem, code, language in rows:
        result = judge.grade(problem, code, language)
        failed = failed or result.verdict is Verdict.JUDGE_ERROR
        print(json.dumps({"id": identifier, "problem": problem.id, **result_json(result)}), flush=True)
    if failed:
        raise typer.Exit(_JUDGE_ERROR_EXIT)


def _parse_program(
    row: dict[str, Any], problems: dict[str, ProblemSpec], where: str
) -> tuple[Any, ProblemSpec, str | None, str]:
    problem = problems.get(str(row.get("problem")))
    if problem is None:
        raise InvalidInput(f"{where}: unknown problem {row.get('problem')!r}")
    code, language = row.get("code"), row.get("language")
    if code is not None and not isinstance(code, str):
        raise InvalidInput(f"{where}: code must be text")
    entry = language_named(language) if isinstance(language, str) else None
    if entry is None:
        raise InvalidInput(f"{where}: unknown language {language!r}")
    return row.get("id"), problem, code, entry.name


def _grade_suite(manifest_file: Path, state: Path | None, *, as_json: bool) -> None:
    from workers.grading.attack_suite.manifest import run_manifest  # only needed here

    manifest = _parse_object(read_text_file(manifest_file), str(manifest_file))
    if not manifest.get("entries"):  # an empty suite must not pass
        raise InvalidProblem(f"{manifest_file}: it has no entries: this is not the manifest of a suite")
    report = run_manifest(manifest, manifest_file.parent, ready_judge(state), os.environ)
    if as_json:
        print(json.dumps(report))
    else:
        for row in report["rows"]:
            print(f"{'ok  ' if row['ok'] else 'MISS'} {row['id']}  {row['verdict']}  {' '.join(row['missed'])}")
        print(f"{report['passed']} of {report['total']}")
    if report["passed"] != report["total"]:
        raise typer.Exit(_NOT_ACCEPTED_EXIT)


def _read_problem(body: dict[str, Any], folder: Path) -> ProblemSpec:
    """Return a problem; its checker and interactor may name files in `folder` instead of containing programs."""
    for role in ("checker", "interactor"):
        helper = body.get(role)
        named = helper.get("program") if isinstance(helper, dict) else None
        if isinstance(named, str) and _FILE_NAME.fullmatch(named):
            language = language_of(named)
            default = {} if language is None else {"language": language.name}
            body = {**body, role: {**default, **body[role], "program": _read_source(folder / named)}}
    return parse_problem(body)


def _language_of(program: Path, name: str | None) -> str:
    language = language_of(program.name) if name is None else language_named(name)
    if language is not None:
        return language.name
    if name is not None:
        raise InvalidInput(f"unknown language {name!r}; known: {', '.join(sorted(known_languages()))}")
    raise InvalidInput(f"cannot tell the language of {program} from its name; give --language")


def _read_source(path: Path) -> str:
    """Return a program's source; bytes that are not UTF-8 reach the compiler unchanged."""
    try:
        return path.read_bytes().decode("utf-8", "surrogateescape")
    except (OSError, ValueError) as error:
        raise unreadable_error(path, error) from error


def _parse_object(text: str, where: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidProblem(f"{where}: not JSON: {error}") from error
    if not isinstance(value, dict):
        raise InvalidProblem(f"{where}: a JSON object is needed")
    return value


def _read_lines(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield (place, object) for each line that is not empty."""
    for number, line in enumerate(read_text_file(path).split("\n"), start=1):
        if line.strip():
            yield f"{path}:{number}", _parse_object(line, f"{path}:{number}")


def _fail(code: int, reason: str) -> NoReturn:
    print(f"tidemark grade: {reason}", file=sys.stderr)
    raise typer.Exit(code)
