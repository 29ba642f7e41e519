"""The kinds of `tidemark import` that read a folder: tests that a site published, and accepted programs."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import typer

from app.cli.problems.report import tell
from app.cli.problems.settle import settle
from app.domain.errors import InvalidImport, InvalidInput, NotFound
from app.domain.imports import ImportSummary
from app.services.problems import published
from app.services.problems.accepted import Named, keep
from app.services.problems.published import TaskRow
from app.services.rejudging.views import proposals
from app.supervise import attached
from scrapers.packages.accepted import accepted
from scrapers.packages.published import PublishedContest, contests
from scrapers.records import Problem
from scrapers.replay import parse
from workers.context import Context, make_context, now, use
from workers.grading.toolchains import language_of
from workers.sites import Sites

_SITE: Final = "atcoder"
_TABLES: Final = ("tasks", "tasks_print", "task")  # pages that name tasks as their contest does, the best ones first
_BAD: Final = 1


def import_tests(files: Sequence[Path], state: Path | None, *, wait: bool, as_json: bool) -> None:
    """Make the tests in a folder of AtCoder's layout those of its problems, each contest whole or not at all."""
    if len(files) != 1:
        raise InvalidInput("atcoder-tests reads one folder: ./tidemark import atcoder-tests FOLDER")
    try:
        found = contests(files[0])
    except InvalidImport as none:
        raise InvalidInput(str(none)) from none
    with attached(state) as settings:
        ctx = use(make_context(settings))
        total = ImportSummary(None, 0, 0, 0)
        for contest in found:
            total = _with(ctx, contest, total)
        _end(ctx, total, running=settings.is_served, wait=wait, as_json=as_json)


def _with(ctx: Context, contest: PublishedContest, total: ImportSummary) -> ImportSummary:
    """The sum so far with what comes of one more contest."""
    try:
        name = ctx.commit(published.contest_of, _SITE, contest.name)
        table = list(_table(ctx, name))
        if not table:
            raise NotFound(f"{contest.name}: its table of tasks is not here; visit the contest first")
        stored = ctx.commit(published.store_contest, _SITE, name, table, contest.tasks(), now())
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


def _table(ctx: Context, contest: str) -> Iterator[TaskRow]:
    """The contest's tasks as its own pages call them: of one list of tasks, else of the pages of single tasks."""
    site = ctx.part(Sites).find(_SITE)
    for kind in _TABLES:
        rows = []
        for name, url, body in ctx.commit(published.task_pages, _SITE, contest, [kind]):
            rows += [
                TaskRow(record.index, record.external_id, record.title or "")
                for record in parse(site, name, body, url).records
                if isinstance(record, Problem) and record.contest == contest and record.index and record.external_id
            ]
            if rows and kind != "task":
                break
        if rows:
            yield from rows
            return


def import_programs(files: Sequence[Path], state: Path | None, *, wait: bool, as_json: bool) -> None:
    """Keep the accepted programs in a folder as references that nobody sees; a bad file refuses them all."""
    if len(files) != 2:
        raise InvalidInput("programs takes a source and a folder: ./tidemark import programs SOURCE FOLDER")
    source, folder = str(files[0]), files[1]
    try:
        found = accepted(folder)
    except InvalidImport as bad:
        if not bad.bad_rows:
            raise InvalidInput(str(bad)) from bad
        tell(ImportSummary(None, 0, 0, 0, bad_rows=tuple(bad.bad_rows)), (), as_json=as_json)
        raise typer.Exit(_BAD) from bad
    if not found:
        raise InvalidInput(f"{folder}: the folder holds no file")
    languages = {file.path: language_of(file.path) for file in found}
    named = [
        Named(file.path, file.problems, language.name, file.code)
        for file in found
        if (language := languages[file.path]) is not None
    ]
    beside = tuple(f"{path}: its ending is of no language here" for path, known in languages.items() if known is None)
    with attached(state) as settings:
        ctx = use(make_context(settings))
        kept = ctx.commit(keep, source, named, now())
        total = ImportSummary(None, 0, kept.problems, kept.programs, (), kept.unmatched, beside, kept.test_sets)
        _end(ctx, total, running=settings.is_served, wait=wait, as_json=as_json)


def _end(ctx: Context, total: ImportSummary, *, running: bool, wait: bool, as_json: bool) -> None:
    """Wait until the tests are proven, tell what came of it, and exit with 1 where something was refused."""
    if wait:
        settle(ctx, running=running, test_sets=total.test_sets)
    tell(total, ctx.commit(proposals, total.test_sets), as_json=as_json)
    if total.bad_rows:
        raise typer.Exit(_BAD)


FOLDERS: Final[Mapping[str, Callable[..., None]]] = {
    "atcoder-tests": import_tests,
    "programs": import_programs,
}
