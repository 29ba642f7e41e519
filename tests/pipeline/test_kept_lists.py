"""What files say beside problems and results: said last it holds, and it is listed in one order."""

from datetime import UTC, datetime, timedelta

from factories import World

from app.db.kernel.session import Session
from app.db.sources import external_scores, people
from app.domain.asking.protocols import PRIVATE_SOURCE
from app.domain.imports import ExternalScore, ExternalTable

NOW = datetime(2026, 11, 1, tzinfo=UTC)


def test_of_two_files_with_one_table_the_one_that_was_imported_last_counts(session: Session) -> None:
    older, newer = (ExternalTable("table", (ExternalScore("orion", score, 9),)) for score in (1.0, 2.0))
    other = ExternalTable("another", ())
    external_scores.keep(session, "a", older, NOW)
    external_scores.keep(session, "b", newer, NOW + timedelta(days=1))
    external_scores.keep(session, "a", other, NOW + timedelta(days=2))
    assert external_scores.tables(session) == [other, newer]
    external_scores.keep(session, "a", older, NOW + timedelta(days=3))
    assert external_scores.tables(session) == [other, older], "it was imported again"


def test_what_a_problem_rewrites_is_what_was_said_last(session: Session) -> None:
    world = World(session)
    first, second, third = (world.problem(name) for name in "abc")
    people.set_rewrite(session, third.id, first.id)
    people.set_rewrite(session, second.id, first.id)
    people.set_rewrite(session, third.id, second.id)
    assert people.rewrites(session) == [(first.id, second.id), (second.id, third.id)]


def test_only_problems_of_the_private_source_are_private(session: Session) -> None:
    world = World(session)
    private, public = world.problem("a", source=PRIVATE_SOURCE), world.problem("b", source="atcoder")
    for slug in (PRIVATE_SOURCE, "atcoder"):
        world.source(slug).show_statements = False
    session.flush()
    assert people.private_problems(session) == {private.id}
    assert public.id not in people.private_problems(session)
    world.source(PRIVATE_SOURCE).show_statements = True
    session.flush()
    assert people.private_problems(session) == frozenset()
