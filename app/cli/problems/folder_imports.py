"""The kinds of `tidemark import` that read a folder: tests that a site published, and accepted programs."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import typer

from app.cli.problems.board_wait import wait_for_board
from app.cli.problems.import_report import print_summary
from app.domain.errors import InvalidImport, InvalidInput, NotFound
from app.domain.imports import ImportSummary
from app.domain.sources.records import ScrapedProblem
from app.services.problems import published_tests
from app.services.problems.accepted_programs import ProgramFile, store_programs
from app.services.problems.published_tests import TaskRow
from app.services.rejudging.views import proposals
from app.supervise import open_state
from scrapers.packages.accepted_programs import read_accepted_programs
from scrapers.packages.published_tests import PublishedContest, find_contests
from scrapers.replay import parse_page
from workers.context import Context, make_context, now, use
from workers.grading.toolchains import language_of
from workers.sites import Sites

_SITE: Final = "atcoder"
_TASK_PAGE_KINDS: Final = ("tasks", "tasks_print", "task")  # pages with a contest's names of its tasks, best first
_BAD_EXIT: Final = 1


def import_tests(files: Sequence[Path], state: Path | None, *, wait: bool, as_json: bool) -> None:
    """Import the tests in a folder of AtCoder's layout for its problems, each contest as a whole or not at all."""
    if len(files) != 1:
        raise InvalidInput("atcoder-tests reads one folder: ./tidemark import atcoder-tests FOLDER")
    try:
        published_contests = find_contests(files[0])
    except InvalidImport as empty:
        raise InvalidInput(str(empty)) from empty
    with open_state(state) as settings:
        ctx = use(make_context(settings))
        total = ImportSummary(None, 0, 0, 0)
        for contest in published_contests:
            total = _add_contest(ctx, contest, total)
        _finish(ctx, total, running=settings.is_served, wait=wait, as_json=as_json)


def _add_contest(ctx: Context, contest: PublishedContest, total: ImportSummary) -> ImportSummary:
    """Return the sum with the outcome of one more contest."""
    try:
        name = ctx.commit(published_tests.contest_of, _SITE, contest.name)
        table = list(_task_rows(ctx, name))
        if not table:
            raise NotFound(f"{contest.name}: its table of tasks is not stored; visit the contest first")
        stored = ctx.commit(published_tests.store_contest, _SITE, name, table, contest.tasks(), now())
    except NotFound as unknown:
        return replace(total, unmatched=(*total.unmatched, str(unknown)))
    except InvalidImport as bad:
        return replace(total, bad_rows=(*total.bad_rows, *bad.bad_rows))
    return replace(
        total,
        problems=total.problems + len(stored.test_sets),
        rows=total.rows + stored.tests,
        notes=(*total.notes, *stored.held),
        test_sets=(*total.test_sets, *stored.test_sets),
    )


def _task_rows(ctx: Context, contest: str) -> Iterator[TaskRow]:
    """Yield the contest's tasks as its own pages name them: from one list of tasks, else from the tasks' pages."""
    site = ctx.part(Sites).find(_SITE)
    for kind in _TASK_PAGE_KINDS:
        rows = []
        for name, url, body in ctx.commit(published_tests.task_pages, _SITE, contest, [kind]):
            rows += [
                TaskRow(record.index, record.external_id, record.title or "")
                for record in parse_page(site, name, body, url).records
                if isinstance(record, ScrapedProblem)
                and record.contest == contest
                and record.index
                and record.external_id
            ]
            if rows and kind != "task":
                break
        if rows:
            yield from rows
            return


def import_programs(files: Sequence[Path], state: Path | None, *, wait: bool, as_json: bool) -> None:
    """Store the accepted programs in a folder as hidden references; one bad file refuses them all."""
    if len(files) != 2:
        raise InvalidInput("programs takes a source and a folder: ./tidemark import programs SOURCE FOLDER")
    source, folder = str(files[0]), files[1]
    try:
        program_files = read_accepted_programs(folder)
    except InvalidImport as bad:
        if not bad.bad_rows:
            raise InvalidInput(str(bad)) from bad
        print_summary(ImportSummary(None, 0, 0, 0, bad_rows=tuple(bad.bad_rows)), (), as_json=as_json)
        raise typer.Exit(_BAD_EXIT) from bad
    if not program_files:
        raise InvalidInput(f"{folder}: the folder has no files")
    languages = {file.path: language_of(file.path) for file in program_files}
    programs = [
        ProgramFile(file.path, file.problems, language.name, file.code)
        for file in program_files
        if (language := languages[file.path]) is not None
    ]
    notes = tuple(
        f"{path}: unknown file extension, skipped" for path, language in languages.items() if language is None
    )
    with open_state(state) as settings:
        ctx = use(make_context(settings))
        stored = ctx.commit(store_programs, source, programs, now())
        total = ImportSummary(None, 0, stored.problems, stored.programs, (), stored.unmatched, notes, stored.test_sets)
        _finish(ctx, total, running=settings.is_served, wait=wait, as_json=as_json)


def _finish(ctx: Context, total: ImportSummary, *, running: bool, wait: bool, as_json: bool) -> None:
    """Wait until the tests are proven, print the summary, and exit with 1 if something was refused."""
    if wait:
        wait_for_board(ctx, running=running, test_sets=total.test_sets)
    print_summary(total, ctx.commit(proposals, total.test_sets), as_json=as_json)
    if total.bad_rows:
        raise typer.Exit(_BAD_EXIT)


FOLDERS: Final[Mapping[str, Callable[..., None]]] = {
    "atcoder-tests": import_tests,
    "programs": import_programs,
}
