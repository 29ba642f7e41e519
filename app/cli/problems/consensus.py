"""`tidemark consensus`: makes a suite from recorded answers of setters. Needs no server."""

import json
import sys
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from app.cli.files import read_text_file
from app.cli.problems.testgen import ProblemFile, check_writable, read_object
from app.config import Settings
from app.domain.consensus.answers import AnswerId, SetterAnswer, read_answers
from app.domain.errors import InvalidInput, InvalidProblem, JudgeError, SandboxUnavailable
from app.domain.judging.multiple_answers import values_may_differ
from app.domain.judging.problem_file import parse_problem
from app.domain.problems import ProblemSpec
from app.domain.testgen.statements.statement import grammar_of
from workers.grading.answering_judge import AnsweringJudge
from workers.grading.consensus.inputs import SuiteBudget
from workers.grading.consensus.suite import SUITE_FORMS, build_suite
from workers.grading.consensus.suite_draft import SuiteDraft

_NOT_ADMITTED_EXIT, _USAGE_EXIT, _JUDGE_ERROR_EXIT = 1, 2, 4
_MAX_SHOWN_BAD_ROWS = 5

Answers = Annotated[
    Path, typer.Option("--answers", metavar="FILE.jsonl", help="Recorded answers, one row per role and ordinal.")
]
Out = Annotated[Path | None, typer.Option(metavar="FILE", help="Write the problem with its new tests to this file.")]
MostSeconds = Annotated[
    float, typer.Option("--max-seconds", min=1, help="The longest that judging may take, in seconds.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]


def consensus(
    problem: ProblemFile,
    answers: Answers,
    *,
    out: Out = None,
    max_seconds: MostSeconds = 900.0,
    as_json: AsJson = False,
) -> None:
    """Make a suite from recorded answers of setters.

    The exit code is 0 when the suite is admitted, 1 when it is not, 2 for a usage error or an unreadable file, and 4
    when the judge fails or --max-seconds is used up; neither is a verdict on the suite.

    Examples:
      ./tidemark consensus PROBLEM.json --answers ANSWERS.jsonl
    """
    try:
        check_writable(out)
        data = read_object(problem)
        title = data.get("title")
        if not isinstance(title, str) or not title.strip():
            raise InvalidProblem(f"{problem}: a problem for setters must have a title")
        spec = parse_problem({"tests": [], **data})
        spec = replace(spec, tests=tuple(test for test in spec.tests if test.visible))
        rows = _read_answers(answers, title)
        judge = AnsweringJudge(Settings().judge_settings())
        judge.self_test()
        is_known = is_comparison_known(spec, data)
        rules = grammar_of(str(data.get("statement", "")), spec.entry, [test.input for test in spec.tests])
        effort = SuiteBudget(max_s=max_seconds)
        draft = build_suite(judge, spec, rows, has_checker=is_known, effort=effort, constraints=rules)
    except InvalidInput as error:
        _fail(_USAGE_EXIT, str(error))
    except (SandboxUnavailable, JudgeError) as failure:
        _fail(_JUDGE_ERROR_EXIT, f"cannot judge here: {failure}")
    report = _report_json(data, draft, len(rows))
    if out is not None and draft.admitted:
        out.write_text(json.dumps(report["problem_file"]) + "\n", encoding="utf-8")
    print(json.dumps(report) if as_json else "\n".join(map(_mask_unprintable, _report_lines(report, draft))))
    if not draft.admitted:
        raise typer.Exit(_JUDGE_ERROR_EXIT if draft.ours and spec.form in SUITE_FORMS else _NOT_ADMITTED_EXIT)


def is_comparison_known(spec: ProblemSpec, data: Mapping[str, Any]) -> bool:
    """Return True if it is known how outputs are compared: by the file's checker, or by a function's return type.

    False if the statement says that several answers are right.
    """
    if data.get("checker") is not None or spec.entry is None:
        return data.get("checker") is not None
    return not values_may_differ((), str(data.get("statement", "")), spec.entry.returns)


def _read_answers(path: Path, title: str) -> list[SetterAnswer]:
    rows, bad_rows = read_answers(read_text_file(path), title)
    for row in bad_rows[:_MAX_SHOWN_BAD_ROWS]:
        print(f"tidemark consensus: {path}:{row.line}: {row.reason}; left out", file=sys.stderr)
    if len(bad_rows) > _MAX_SHOWN_BAD_ROWS:
        print(f"tidemark consensus: {path}: {len(bad_rows)} rows left out", file=sys.stderr)
    if not rows:
        raise InvalidInput(f"{path} has no answers to {title!r}")
    return rows


def _report_json(data: dict[str, Any], draft: SuiteDraft, calls: int) -> dict[str, Any]:
    return {
        "admitted": draft.admitted,
        "reason": draft.reason,
        "problem_file": _problem_file(data, draft) if draft.admitted else None,
        "validator": _name_of(draft, draft.validator),
        "checker": _name_of(draft, draft.checker),
        "interactor": _name_of(draft, draft.interactor),
        "setters": [
            {"setter": answer_id.setter, "vendor": answer_id.vendor, "role": answer_id.role.value,
             "ordinal": answer_id.ordinal, "state": str(state), "witness": state.witness}
            for answer_id, state in sorted(draft.states.items())
        ],
        "dropped": draft.dropped,
        "calls": calls,
        "judge_s": draft.judge_s,
        "evidence": draft.evidence,
    }  # fmt: skip


def _problem_file(data: dict[str, Any], draft: SuiteDraft) -> dict[str, Any]:
    tests = [
        {"input": test.input, "expected": test.expected, "visible": test.visible, "kind": kind.value}
        for test, kind in zip(draft.problem.tests, draft.kinds, strict=True)
    ]
    chosen = {"checker": draft.checker, "interactor": draft.interactor}
    programs = {name: getattr(draft.problem, name) for name, answer_id in chosen.items() if answer_id is not None}
    bodies = {
        name: {key: value for key, value in asdict(program).items() if value is not None}
        for name, program in programs.items()
    }
    return {**data, "tests": tests, **bodies}


def _name_of(draft: SuiteDraft, answer_id: AnswerId | None) -> str | None:
    return None if answer_id is None else draft.name_of(answer_id)


def _report_lines(report: dict[str, Any], draft: SuiteDraft) -> list[str]:
    evidence = draft.evidence
    lines = [f"{report['calls']} answers, {report['judge_s']:.0f} s of judging"]
    if evidence:
        lines.append(
            f"{evidence['legal']} legal inputs, {evidence['answered']} of them answered, "
            f"{evidence['truths']} by brute-force solutions of two vendors"
        )
    if "tests" in evidence:
        score = evidence["mutation_score"]
        lines.append(f"{evidence['tests']} tests, mutation score {'none' if score is None else f'{score:.2f}'}")
    for name, n in evidence.get("missed", {}).items():
        lines.append(
            f"{name}: too slow on {n['slow']} inputs, no answer to {n['failed']}; "
            f"{n['dropped']} of them dropped, because no program answers them correctly in time"
        )
    lines += [f"  {draft.name_of(answer_id)}: {state}" for answer_id, state in sorted(draft.states.items())]
    return [*lines, "admitted" if draft.admitted else f"not admitted: {draft.reason}"]


def _mask_unprintable(line: str) -> str:
    """Return a line without characters that could control a terminal: setters and their programs wrote parts of it."""
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in line)


def _fail(code: int, reason: str) -> NoReturn:
    print(f"tidemark consensus: {reason}", file=sys.stderr)
    raise typer.Exit(code)
