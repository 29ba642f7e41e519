"""A problem's stored tests, hidden ones included: for maintainers only."""

from typing import NamedTuple

from sqlalchemy import func, or_, select

from app.db.kernel.session import Session
from app.db.tables import ConsensusRow, Problem, ProblemAlias, ProgramRow, Source, TestRow, TestSet


class StoredTest(NamedTuple):
    """One test or a part of it, with its full lengths in characters."""

    ordinal: int
    input: str
    expected: str
    visible: bool
    input_length: int
    expected_length: int


def test_set(session: Session, source: str, external_id: str) -> TestSet | None:
    """Return the test set in use of a problem by one of its names, or None."""
    alias = select(ProblemAlias.problem_id).where(
        ProblemAlias.source_id == Source.id, ProblemAlias.alias == external_id
    )
    return session.scalar(
        select(TestSet)
        .join(Problem, Problem.current_test_set_id == TestSet.id)
        .join(Source, Source.id == Problem.source_id)
        .where(Source.slug == source, or_(Problem.external_id == external_id, Problem.id.in_(alias)))
    )


def tests(
    session: Session, test_set_id: int, limit: int, longest: int, *, after: int | None, at: int
) -> list[StoredTest]:
    """Return `longest` characters from `at` on of the first tests of a set, of those after the ordinal `after`."""
    rows = session.execute(
        select(
            TestRow.ordinal,
            *(func.substr(column, at + 1, longest) for column in (TestRow.input, TestRow.expected)),
            TestRow.visible, func.length(TestRow.input), func.length(TestRow.expected),
        )
        .where(TestRow.test_set_id == test_set_id, *(() if after is None else (TestRow.ordinal > after,)))
        .order_by(TestRow.ordinal)
        .limit(limit)
    )  # fmt: skip
    return [StoredTest(*row) for row in rows]


def count(session: Session, test_set_id: int) -> int:
    """Return the number of tests of a set."""
    return session.scalar(select(func.count()).where(TestRow.test_set_id == test_set_id)) or 0


def programs(session: Session, problem_id: int) -> list[ProgramRow]:
    """Return the programs of a problem, by kind and name."""
    return list(
        session.scalars(
            select(ProgramRow).where(ProgramRow.problem_id == problem_id).order_by(ProgramRow.kind, ProgramRow.name)
        )
    )


def consensus_of(session: Session, test_set_id: int) -> ConsensusRow | None:
    """Return the consensus that produced a test set."""
    return session.scalar(
        select(ConsensusRow).where(ConsensusRow.test_set_id == test_set_id).order_by(ConsensusRow.id).limit(1)
    )
