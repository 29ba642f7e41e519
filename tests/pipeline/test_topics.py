"""Topics are named when a problem is published, and again when its tags change; tags stay the source's own."""

from datetime import UTC, date, datetime

import pytest
from factories import World

from app.db.kernel.session import Session
from app.db.tables import Problem
from app.domain.sources.records import ScrapedProblem
from app.domain.states import ProblemState
from app.services.problems import publishing
from app.services.sources import ingest

NOW = datetime(2026, 11, 1, tzinfo=UTC)


@pytest.fixture
def world(session: Session) -> World:
    """Rows that are rolled back."""
    return World(session)


def listed(name: str, *tags: str) -> ScrapedProblem:
    """What a list of problems says of one, without its text."""
    return ScrapedProblem(name, title=name, tags=tags)


def of(problem: Problem) -> tuple[list[str], list[str]]:
    return list(problem.topics), list(problem.tags)


def test_publication_names_topics(world: World) -> None:
    held = world.problem("a", tags=["dp", "*special"], state=ProblemState.HELD, hold_reason="no full tests")
    assert publishing.update_state(world.session, held, NOW) is ProblemState.PUBLISHED
    world.session.flush()
    world.session.refresh(held)
    assert of(held) == (["dynamic-programming"], ["dp", "*special"])


def test_tags_that_change_later_change_the_topics(world: World) -> None:
    problem = world.problem("a", day=date(2026, 6, 1), tags=["dp"], topics=["dynamic-programming"])
    waiting = world.problem("b", state=ProblemState.FOUND)
    for tags in (("graphs", "dfs and similar", "new words"), ()):  # a list without tags says nothing of them
        records = [listed("a", *tags), listed("b", *tags)]
        ingest.store_records(world.session, problem.source_id, records, None, NOW)
        assert of(problem) == (["dfs-bfs", "graphs"], ["graphs", "dfs and similar", "new words"])
        assert of(waiting)[0] == []
        assert waiting.state == ProblemState.FOUND


@pytest.mark.parametrize("state", [ProblemState.WITHDRAWN, ProblemState.CATALOGUED])
def test_what_is_not_published_has_no_topics(world: World, state: ProblemState) -> None:
    problem = world.problem("a", tags=["dp"], state=state)
    assert publishing.update_state(world.session, problem, NOW) is state
    assert of(problem) == ([], ["dp"])
