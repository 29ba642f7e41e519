"""`tidemark import KIND FILE...`: stores files, lists bad rows, and returns when the import shows on the board."""

import contextlib
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated

import typer

from app.cli.parser import State
from app.cli.problems.board_wait import wait_for_board
from app.cli.problems.folder_imports import FOLDERS
from app.cli.problems.import_report import print_summary
from app.config import Settings
from app.domain.errors import BadRow, InvalidImport, InvalidInput, JudgeError, NotFound, SandboxUnavailable
from app.domain.imports import ImportBatch, ImportedProblem, ImportSummary, SubmissionTrial
from app.services.boards import board_views
from app.services.boards.cubes import CubeStore
from app.services.rejudging.views import proposals
from app.services.runs import imports
from app.supervise import open_state
from scrapers.suite import Suite, find_suite, refusal
from workers.context import make_context, now, use
from workers.grading.answering_judge import AnsweringJudge
from workers.grading.testing.import_completion import complete_batch, is_complete
from workers.grading.testing.package_submissions import try_submissions

_PARTIAL_EXIT, _JUDGE_ERROR_EXIT = 3, 4


def import_files(
    kind: Annotated[str, typer.Argument(metavar="KIND", help="What the files are, such as lcb-board or package.")],
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE", help="Plain or gzip files; folders or zip archives for some kinds.")
    ],
    board: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="lcb-board, bigcodebench: which it is; external-scores: its name."),
    ] = None,
    model: Annotated[str | None, typer.Option(help="lcb-submission: the model's name, if not the file's.")] = None,
    source: Annotated[
        str | None, typer.Option(metavar="SITE", help="package: the site of the problem, if it has one.")
    ] = None,
    problem: Annotated[
        str | None, typer.Option(metavar="ID", help="package: the problem's name on the site, such as 1550/B.")
    ] = None,
    released: Annotated[
        str | None, typer.Option(metavar="DATE", help="package: the release date, such as 2026-01-31.")
    ] = None,
    rewrites: Annotated[
        str | None, typer.Option(metavar="SITE/ID", help="package: the problem that it restates in other words.")
    ] = None,
    reason: Annotated[str | None, typer.Option(metavar="TEXT", help="package: the reason for --force.")] = None,
    contest: Annotated[str | None, typer.Option(metavar="ID", help="standings: the contest, such as 1350.")] = None,
    state: State = None,
    *,
    private: Annotated[bool, typer.Option("--private", help="package: it is not published anywhere.")] = False,
    force: Annotated[
        bool, typer.Option("--force", help="package: import it although title or samples differ; needs --reason.")
    ] = False,
    wait: Annotated[bool, typer.Option(help="Wait until the import is judged and shown on boards.")] = True,
    as_json: Annotated[bool, typer.Option("--json", help="Print what was stored as JSON.")] = False,
) -> None:
    """Import problems, answers or results from files.

    Bad rows are listed with file and line and are not stored. The other rows are imported, and the exit code is 3, or
    1 if no row is good. A package, standings and human-ratings are imported whole or not at all: a bad row refuses the
    file. Importing a file twice changes nothing.
    `atcoder-tests FOLDER` reads the tests that AtCoder publishes, a contest at a time; `programs SOURCE FOLDER` reads
    accepted programs, which prove tests and are never shown.

    Examples:
      ./tidemark import lcb-board FILE
      ./tidemark import package FILE --source codeforces --problem 1550/B
      ./tidemark import atcoder-tests FOLDER
    """
    _refuse_odd_names(files)
    if kind in FOLDERS:
        if any((board, model, source, problem, released, rewrites, reason, contest, private, force)):
            raise InvalidInput(f"{kind} takes no options but --state, --no-wait and --json")
        FOLDERS[kind](files, state, wait=wait, as_json=as_json)
        return
    try:
        suite = find_suite(kind)
    except NotFound as unknown:  # an unknown kind is a usage error
        raise InvalidInput(f"{unknown}, {', '.join(FOLDERS)}") from unknown
    values = {
        "board": board, "model": model, "source": source, "problem": problem, "released": released,
        "rewrites": rewrites, "contest": contest, "private": "yes" if private else None,
    }  # fmt: skip
    options = {name: value for name, value in values.items() if value is not None}
    for name, value in options.items():
        choices = suite.options.get(name)
        if choices is None or (choices and value not in choices):
            others = f"; it takes {', '.join(choices)}" if choices else ""
            raise InvalidInput(f"{kind} does not take --{name} {value}{others}")
    _check_single(files, values)
    if force != (reason is not None) or (force and kind != "package"):
        raise InvalidInput("--force and --reason go together, and are for a package that differs from its problem")
    with _refusals(as_json=as_json):
        batches, refused = _read(suite, files, options)
        batches = _complete_tests(batches)
    with open_state(state) as settings:
        ctx = use(make_context(settings))
        with _refusals(as_json=as_json):
            summaries = [ctx.commit(imports.store_batch, batch, now(), force=reason) for batch in batches]
        total = _sum_summaries(summaries, refused)
        if wait:
            of_people = any(batch.standings or batch.humans for batch in batches)
            wait_for_board(
                ctx, running=settings.is_served, runs=total.runs, test_sets=total.test_sets, of_people=of_people
            )
        total = replace(total, submissions=_try_submissions(settings, batches, wait=wait))
        cubes = CubeStore(settings.state_dir / "cubes")
        window = ctx.commit(board_views.suggested_window, total.protocol, cubes) if wait and total.runs else None
        print_summary(total, ctx.commit(proposals, total.test_sets), window, as_json=as_json)
    if total.bad_rows:
        raise typer.Exit(_PARTIAL_EXIT)


def _read(suite: Suite, files: list[Path], options: Mapping[str, str]) -> tuple[list[ImportBatch], list[BadRow]]:
    """Return the batches in the files, and the bad rows of files without a good one.

    Raises InvalidImport if every file is bad, or if one is no file at all.
    """
    batches: list[ImportBatch] = []
    refused: list[BadRow] = []
    for path in files:
        try:
            batches.append(suite.read(suite.load(path), options, now()))
        except InvalidImport as error:
            if not error.bad_rows or len(files) == 1:
                raise
            refused.extend(error.bad_rows)
    if not batches:
        raise refusal(*refused)
    return batches, refused


def _check_single(files: list[Path], values: Mapping[str, str | None]) -> None:
    """Raise InvalidInput for an option about one file that is given with several."""
    for name, what in (
        ("problem", "the problem of one package"),
        ("rewrites", "what one package rewrites"),
        ("contest", "the contest of one file"),
    ):
        if values[name] is not None and len(files) > 1:
            raise InvalidInput(f"--{name} names {what}; give only one file")


def _refuse_odd_names(files: list[Path]) -> None:
    """Raise InvalidInput for a name with unprintable characters: names are stored and shown in terminals."""
    if odd := [str(path) for path in files if not str(path).isprintable()]:
        raise InvalidInput(f"{odd[0]!r} holds characters that cannot be shown; rename it")


def _complete_tests(batches: list[ImportBatch]) -> list[ImportBatch]:
    """Return the batches with the tests that their programs make; nothing is stored yet."""
    if all(map(is_complete, batches)):
        return batches
    judge = AnsweringJudge(Settings().judge_settings())
    judge.self_test()
    return [complete_batch(judge, batch) for batch in batches]


def _try_submissions(settings: Settings, batches: list[ImportBatch], *, wait: bool) -> tuple[SubmissionTrial, ...]:
    """Return the verdicts of the packages' example submissions, or the reasons why they were not tried."""
    problems = [problem for batch in batches for problem in batch.problems if problem.submissions]
    if not problems:
        return ()
    if not wait:
        return _untried_submissions(problems, "--no-wait was given")
    judge = AnsweringJudge(settings.judge_settings())
    trials: list[SubmissionTrial] = []
    try:
        judge.self_test()
        for problem in problems:
            trials += try_submissions(judge, problem)
    except (SandboxUnavailable, JudgeError) as error:
        return (*trials, *_untried_submissions(problems, str(error))[len(trials) :])
    return tuple(trials)


def _untried_submissions(problems: Sequence[ImportedProblem], reason: str) -> tuple[SubmissionTrial, ...]:
    return tuple(
        SubmissionTrial(problem.external_id, submission.name, None, as_said=False, reason=submission.left_out or reason)
        for problem in problems
        for submission in problem.submissions
    )


def _sum_summaries(summaries: list[ImportSummary], refused: Sequence[BadRow]) -> ImportSummary:
    total = replace(summaries[0], bad_rows=(*refused, *summaries[0].bad_rows))
    for summary in summaries[1:]:
        total = replace(
            total,
            models=total.models + summary.models,
            problems=total.problems + summary.problems,
            rows=total.rows + summary.rows,
            bad_rows=total.bad_rows + summary.bad_rows,
            unmatched=total.unmatched + summary.unmatched,
            notes=total.notes + summary.notes,
            test_sets=total.test_sets + summary.test_sets,
            runs=total.runs + summary.runs,
            unknown_models=total.unknown_models + summary.unknown_models,
            unmatched_models=total.unmatched_models + summary.unmatched_models,
            nearest={**total.nearest, **summary.nearest},
        )
    return total


@contextlib.contextmanager
def _refusals(*, as_json: bool) -> Iterator[None]:
    """Print why a file is refused, or why its tests cannot be made here, and exit with 1 or 4."""
    try:
        yield
    except InvalidImport as error:
        if as_json:
            bad = [asdict(row) for row in error.bad_rows]
            body = {"protocol": None, "models": 0, "problems": 0, "rows": 0, "error": error.code, "bad_rows": bad}
            print(json.dumps(body, indent=2))
        print(f"tidemark: {error}", file=sys.stderr)
        raise typer.Exit(1) from error
    except (SandboxUnavailable, JudgeError) as failure:
        print(f"tidemark: the tests of a package cannot be made here: {failure}", file=sys.stderr)
        raise typer.Exit(_JUDGE_ERROR_EXIT) from failure
