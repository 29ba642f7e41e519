"""Accepted programs of others that an operator may use: they only prove tests, and are never shown or sent."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from app.db.kernel import logs
from app.db.kernel.session import Session
from app.db.problems import problems as store
from app.db.problems import proofs
from app.domain.errors import NotFound
from app.domain.imports import ImportedProgram
from app.services.problems import publishing

ORIGIN = "accepted elsewhere"


@dataclass(frozen=True, slots=True)
class StoredPrograms:
    """Result of storing a folder: new programs, their problems, test sets to prove, and files without a problem."""

    programs: int
    problems: int
    test_sets: tuple[int, ...]
    unmatched: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ProgramFile:
    """A program, its file, and the names its problem may have, likeliest first."""

    path: str
    problems: Sequence[str]
    language: str
    code: str


def store_programs(session: Session, slug: str, programs: Iterable[ProgramFile], now: datetime) -> StoredPrograms:
    """Store programs as secret references of a source's problems, and prove tests that lack a proof by them.

    Known programs change nothing. Raises NotFound for an unknown source.
    """
    source = store.source_by_slug(session, slug)
    if source is None:
        raise NotFound(f"nothing from {slug} is stored here")
    new, unmatched, test_sets = 0, list[str](), list[int]()
    problems = set[int]()
    for program in programs:
        candidates = (store.find(session, source.id, name) for name in program.problems)
        problem = next((candidate for candidate in candidates if candidate is not None), None)
        if problem is None:
            unmatched.append(program.path)
            continue
        problems.add(problem.id)
        # The name shows when a proof fails, so it is not the file's, which may name its author.
        name = f"accepted {store.sha256_of(program.code)[:8]}"
        reference = ImportedProgram(name, program.language, program.code)
        if not publishing.add_programs(session, problem, [reference], ORIGIN, secret=True):
            continue
        new += 1
        if problem.current_test_set_id is not None and problem.current_test_set_id not in test_sets:
            proofs.prove_again(session, problem.current_test_set_id)
            test_sets.append(problem.current_test_set_id)
    if new:
        logs.write_audit(
            session, now, "operator", "import.programs", slug, f"{new} programs of {len(problems)} problems"
        )
    return StoredPrograms(new, len(problems), tuple(test_sets), tuple(unmatched))
