"""Which text of a problem is asked and counted follows its pages, also where they return to an earlier one."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from factories import World
from pipeline.test_aggregation import cells, drain
from sqlalchemy import select

from app.db.kernel.session import Session
from app.db.runs import planning
from app.db.sources import captures
from app.db.tables import LedgerEntry, Problem, ProblemVersion, Run, Sample
from app.domain.asking.protocols import HOUSE
from app.domain.judging.verdicts import Verdict
from app.domain.scenarios.codegen import SCENARIO as CODEGEN
from app.domain.sources.crawl_events import PageCaptured
from app.domain.sources.records import Classification, ScrapedProblem
from app.domain.states import SampleState
from app.services.runs import cell_updates
from app.services.sources import ingest

NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)


@pytest.fixture
def world(session: Session) -> World:
    return World(session)


@pytest.fixture
def problem(world: World) -> Problem:
    """A published problem whose page says "First."."""
    made = world.problem("a")
    read(world.session, made, 0, "First.")
    return made


def read(session: Session, problem: Problem, hours: int, text: str, locale: str = "en", **facts: Any) -> None:
    """A page of the problem, fetched at an hour."""
    seen = NOON + timedelta(hours=hours)
    record = ScrapedProblem(problem.external_id, title="A", form="stdin", statements={locale: text}, **facts)
    page = PageCaptured(f"https://a.example/{hours}", "problem", 200, Classification.OK, text.encode(), {}, seen)
    capture = captures.store_capture(session, problem.source_id, None, page)
    ingest.store_records(session, problem.source_id, [record], capture, seen, seen_at=seen, kind="problem")
    session.flush()
    session.expire_all()


def in_use(session: Session, problem: Problem) -> Mapping[str, str]:
    found = select(ProblemVersion.locale, ProblemVersion.statement).where(
        ProblemVersion.problem_id == problem.id, ProblemVersion.in_use
    )
    return {row.locale: row.statement for row in session.execute(found)}


def shown(session: Session, problem: Problem) -> str:
    assert problem.current_version_id is not None
    return session.get_one(ProblemVersion, problem.current_version_id).statement


def asked(session: Session, run: Run) -> list[str]:
    """The texts that this run still is to be asked."""
    wanted = planning.missing_items(session, [run], HOUSE, CODEGEN, {}, NOON)[run.id]
    return [session.get_one(ProblemVersion, each.version).statement for each in wanted]


def corrections(session: Session) -> int:
    return len(session.scalars(select(LedgerEntry).where(LedgerEntry.kind == "problem.corrected")).all())


def test_a_page_that_returns_to_its_earlier_text_gets_its_answers_back(world: World, problem: Problem) -> None:
    session, run = world.session, world.run("tern")
    for ordinal in range(HOUSE.sampling.n):
        world.answer(run, problem, ordinal=ordinal)
    world.count()
    before, said = cells(session), corrections(session)
    assert list(before.values()) == [(HOUSE.sampling.n, HOUSE.sampling.n, 0, 0)]

    read(session, problem, 1, "Second.")
    drain(session)
    assert cells(session) == {}
    assert asked(session, run) == ["Second."] == [shown(session, problem)]
    read(session, problem, 2, "First.")
    drain(session)
    assert cells(session) == before
    assert asked(session, run) == []
    assert shown(session, problem) == "First."
    assert corrections(session) == said + 2
    cell_updates.rebuild_cells(session)
    assert cells(session) == before


def test_what_an_older_page_says_changes_nothing(world: World, problem: Problem) -> None:
    """Also a page of a time between: it was replaced before the text of now returned."""
    session = world.session
    read(session, problem, 2, "Second.", time_limit_ms=3000)
    read(session, problem, 4, "First.")
    said = corrections(session)
    for hours, text in ((1, "Unknown."), (2, "Second."), (3, "First.")):
        read(session, problem, hours, text, time_limit_ms=9000)
    assert in_use(session, problem) == {"en": "First."}
    assert corrections(session) == said
    limits = select(ProblemVersion.time_ms).where(ProblemVersion.problem_id == problem.id)
    assert 9000 not in session.scalars(limits).all()


def test_each_language_has_its_own_text(world: World, problem: Problem) -> None:
    session = world.session
    said = corrections(session)
    read(session, problem, 1, "第一。", "zh")
    assert in_use(session, problem) == {"en": "First.", "zh": "第一。"}
    assert (shown(session, problem), corrections(session)) == ("First.", said)
    read(session, problem, 2, "第二。", "zh")
    assert in_use(session, problem) == {"en": "First.", "zh": "第二。"}
    assert (shown(session, problem), corrections(session)) == ("First.", said + 1)


def test_answers_that_return_are_judged_by_the_tests_of_now(world: World, problem: Problem) -> None:
    session = world.session
    answer = world.answer(world.run("tern", public=False), problem, Verdict.WRONG_ANSWER)
    read(session, problem, 1, "Second.")
    problem.current_test_set_id = world.tests(problem, 5).id
    session.flush()
    read(session, problem, 2, "First.")
    assert session.get_one(Sample, answer.id).state == SampleState.ANSWERED
