"""Tests that a problem's own site published: matched by the contest's table of tasks, stored as official ones."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from app.db.kernel import logs
from app.db.kernel.session import Session
from app.db.problems import problems as store
from app.db.sources import captures, contests
from app.db.tables import Problem, ProblemVersion, ProgramKind, ProofState, Source, TestSet
from app.domain.errors import BadRow, InvalidImport, NotFound
from app.domain.imports import PublishedTests
from app.domain.problems import Checker, Form, ProblemSpec, Test, TestsOrigin
from app.domain.publishing.stated_checkers import stated_checker
from app.services.problems import publishing

_SEPARATORS = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class TaskRow:
    """A row of a contest's table of tasks: its label there, the task's own name, and its title."""

    label: str
    problem: str
    title: str


@dataclass(frozen=True, slots=True)
class StoredContestTests:
    """Result of storing a contest's tests: test sets, their number of tests, and why tasks were held back."""

    test_sets: tuple[int, ...]
    tests: int
    held: tuple[str, ...]


def contest_of(session: Session, source: str, name: str) -> str:
    """Return the id of the contest that a folder is named after, in any spelling of id or title. Raises NotFound."""
    owner = _source(session, source)
    titles, wanted = contests.titles(session, owner.id), _plain(name)
    for names in ({key: key for key in titles}, titles):
        matches = [key for key, words in names.items() if wanted and _plain(words) == wanted]
        if len(matches) == 1:
            return matches[0]
    raise NotFound(f"{name}: {source} has no contest of that name here; visit it first")


def task_pages(session: Session, source: str, contest: str, kinds: Sequence[str]) -> list[tuple[str, str, bytes]]:
    """Return (kind, address, body) of the stored pages with a contest's table of tasks, newest first."""
    pages = captures.task_pages(session, _source(session, source).id, contest, kinds)
    return [(page.kind, page.url, captures.body(session, page.body_sha256)) for page in pages]


def store_contest(
    session: Session,
    source: str,
    contest: str,
    table: Sequence[TaskRow],
    tasks: Iterable[PublishedTests],
    now: datetime,
) -> StoredContestTests:
    """Store a site's published tests as the tests of a contest's problems; storing them twice changes nothing.

    The contest's own table decides which task has a label: a task of two contests may have another letter in each, and
    its id's letter counts in neither. Raises InvalidImport if two folders have tests of one task.
    """
    owner, rows = _source(session, source), _by_label(table)
    test_set_ids: list[int] = []
    folders: dict[str, str] = {}
    held, tests = [], 0
    for task in tasks:
        name = f"{contest}/{task.label}"
        row = rows.get(_plain(task.label))
        problem = None if row is None else store.find(session, owner.id, row.problem)
        if row is None or problem is None:
            held.append(f"{name}: the contest's table of tasks has no such task" if row is None else
                        f"{name}: {source}/{row.problem} is not known here")  # fmt: skip
            continue
        reason = task.lacking or _unfit_reason(session, problem)
        if reason is not None:
            held.append(f"{name} ({source}/{row.problem}): {reason}")
            continue
        if (other_label := folders.setdefault(row.problem, task.label)) != task.label:
            same = f"it is the same task as {contest}/{other_label}: keep one of them"
            raise InvalidImport(f"{name}: {same}", [BadRow(name, 1, same)])
        test_set_ids.append(_store_tests(session, problem, task.tests, contest, now))
        tests += len(task.tests)
    if test_set_ids:
        summary = f"{len(test_set_ids)} test sets, {tests} tests"
        logs.write_audit(session, now, "operator", "import.published-tests", f"{source}/{contest}", summary)
    return StoredContestTests(tuple(test_set_ids), tests, tuple(held))


def _unfit_reason(session: Session, problem: Problem) -> str | None:
    """Return why published answers cannot judge a problem, or None."""
    if problem.current_version_id is None:
        return "it has no statement yet; import again once it has one"
    version, present = session.get_one(ProblemVersion, problem.current_version_id), _present(session, problem)
    if version.form == Form.INTERACTIVE or (present is not None and present.interactor is not None):
        return "it is interactive: an interactor decides"
    return None


def _store_tests(session: Session, problem: Problem, tests: Sequence[Test], contest: str, now: datetime) -> int:
    assert problem.current_version_id is not None
    version = session.get_one(ProblemVersion, problem.current_version_id)
    public = {_normalised(str(example["input"])) for example in version.examples}
    spec = ProblemSpec(
        problem.external_id,
        Form.STDIN,
        tuple(Test(test.input, test.expected, visible=_normalised(test.input) in public) for test in tests),
        checker=_checker(session, problem, version),
    )
    references = any(
        program.kind == ProgramKind.REFERENCE and program.origin != TestsOrigin.CONSENSUS
        for program in store.programs(session, problem.id)
    )
    provable = references or spec.decided_by_program
    values = {
        "origin": TestsOrigin.OFFICIAL,
        "brought_by": f"published tests of {contest}",
        "proof": ProofState.WAITING if provable else ProofState.UNPROVEN,
    }
    test_set_id, _ = store.add_test_set(session, problem.id, spec, values)
    publishing.offer_test_set(session, problem, test_set_id, "its site published its tests", now)
    publishing.update_state(session, problem, now)
    return test_set_id


def _checker(session: Session, problem: Problem, version: ProblemVersion) -> Checker:
    """Return the checker of its present tests if one was chosen for it, else the one its statement asks for."""
    present = _present(session, problem)
    chosen = Checker() if present is None else store.checker_of(present)
    return stated_checker(version.statement, problem.flags) if chosen == Checker() else chosen


def _present(session: Session, problem: Problem) -> TestSet | None:
    return session.get(TestSet, problem.current_test_set_id) if problem.current_test_set_id else None


def _normalised(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


def _by_label(table: Sequence[TaskRow]) -> Mapping[str, TaskRow]:
    """Return rows by label, and by title if no label is spelled like it."""
    return {_plain(row.title): row for row in table} | {_plain(row.label): row for row in table}


def _plain(name: str) -> str:
    return _SEPARATORS.sub("", name).casefold()


def _source(session: Session, slug: str) -> Source:
    source = store.source_by_slug(session, slug)
    if source is None:
        raise NotFound(f"nothing from {slug} is stored here; visit it first")
    return source
