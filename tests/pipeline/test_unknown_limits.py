"""A limit that nobody stated is unknown: it holds a problem back, until a page states it or a person decides."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from factories import World
from sqlalchemy import select
from support.packages import as_folder, dmoj, read

from app.db.kernel.session import Session
from app.db.problems import problems as store
from app.db.problems import texts
from app.db.tables import AuditEntry, Problem, ProblemVersion, Source
from app.domain.problems import UNSTATED_LIMITS, Form, Limits, ProblemSpec, Test
from app.domain.sources.crawl_events import PageCaptured
from app.domain.sources.records import Classification, ScrapedContest, ScrapedExample, ScrapedProblem
from app.domain.states import ProblemState
from app.services.problems import publishing, quarantine
from app.services.runs import imports
from app.services.sources import ingest
from app.services.sources.visits import SitePolicy, store_saved_page

NOW = datetime(2026, 11, 1, tzinfo=UTC)
LATER = datetime(2026, 11, 2, tzinfo=UTC)
UNKNOWN = "its time and memory limits are not known"


def page(**facts: Any) -> ScrapedProblem:
    samples = (ScrapedExample("1 2\n", "3\n"),)
    return ScrapedProblem("1/A", "1", title="Sum", form="stdin", statements={"en": "Add."}, samples=samples, **facts)


def store_page(session: Session, source: Source, seen: datetime = NOW, **facts: Any) -> Problem:
    """Store the problem's page and the list with its contest; give it proven tests."""
    start = datetime(2026, 10, 1, tzinfo=UTC)
    contest = ScrapedContest("1", "Round 1", starts_at=start, ends_at=start + timedelta(hours=2))
    ingest.store_records(session, source.id, [contest, page(**facts)], None, NOW, seen_at=seen)
    problem = session.scalars(select(Problem)).one()
    if problem.current_test_set_id is None:
        spec = ProblemSpec("1/A", Form.STDIN, (Test("1 2\n", "3\n"),))
        made, _ = store.add_test_set(session, problem.id, spec, {"origin": "package", "proof": "proven"})
        publishing.use_test_set(session, problem, made, "proven", NOW)
        publishing.update_state(session, problem, NOW)
    session.flush()
    session.refresh(problem)
    return problem


def stated(session: Session) -> list[tuple[int | None, int | None]]:
    rows = session.execute(select(ProblemVersion.time_ms, ProblemVersion.memory_mb))
    return [(row[0], row[1]) for row in rows]


def limits(session: Session, problem: Problem) -> Limits:
    """What its programs are judged by."""
    assert problem.current_test_set_id is not None
    assert problem.current_version_id is not None
    found = store.problem_spec(session, problem.current_test_set_id, problem.current_version_id).limits
    assert texts.statement(session, problem.current_version_id).limits == found, "what is judged is what is asked"
    return found


@pytest.fixture
def source(session: Session) -> Source:
    return World(session).source("codeforces", demo=False)


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        ({}, UNKNOWN),
        ({"memory_limit_mb": 256}, "its time limit is not known"),
        ({"time_limit_ms": 2000}, "its memory limit is not known"),
        ({"time_limit_ms": None, "memory_limit_mb": None}, UNKNOWN),
    ],
)
def test_a_limit_that_no_page_states_is_none_and_holds(
    session: Session, source: Source, facts: dict[str, Any], reason: str
) -> None:
    problem = store_page(session, source, **facts)
    assert stated(session) == [(facts.get("time_limit_ms"), facts.get("memory_limit_mb"))]
    assert (problem.state, problem.hold_reason) == (ProblemState.HELD, reason)


def test_a_page_that_states_it_frees_the_problem_and_none_takes_it_back(session: Session, source: Source) -> None:
    store_page(session, source)
    problem = store_page(session, source, LATER, time_limit_ms=1500, memory_limit_mb=64)
    assert problem.state == ProblemState.PUBLISHED
    assert limits(session, problem) == Limits(1500, 64)
    problem = store_page(session, source, LATER)
    assert (problem.state, stated(session)) == (ProblemState.PUBLISHED, [(1500, 64)])


def test_a_person_may_let_it_be_judged_by_ours(session: Session, source: Source) -> None:
    problem = store_page(session, source)
    assert quarantine.release(session, problem, "m@example.test", "the contest is from 2003", NOW) == "published"
    assert (problem.waived, stated(session)) == (["limits"], [(None, None)])
    assert limits(session, problem) == Limits(UNSTATED_LIMITS.time_ms, UNSTATED_LIMITS.memory_mb)
    assert UNSTATED_LIMITS.time_ms > 2000, "nobody fails for a limit that was never set"
    assert session.scalars(select(AuditEntry.reason)).all() == ["the contest is from 2003"]


def test_where_a_site_never_states_them_nothing_is_held_for_that(session: Session) -> None:
    policy = SitePolicy(
        "LeetCode", "https://leetcode.com", enabled=True, fetch_statements=False, show_statements=False,
        states_limits=False,
    )  # fmt: skip
    saved = PageCaptured("https://leetcode.com/x", "question", None, Classification.OK, b"{}", {}, NOW)
    store_saved_page(session, "leetcode", policy, saved, NOW)
    problem = store_page(session, session.scalars(select(Source)).one())
    assert (problem.state, stated(session)) == (ProblemState.PUBLISHED, [(None, None)])
    assert limits(session, problem) == Limits(UNSTATED_LIMITS.time_ms, UNSTATED_LIMITS.memory_mb)


def test_whoever_imports_a_package_without_limits_is_told_and_has_decided(session: Session, tmp_path: Path) -> None:
    bare = dmoj(**{f"tests/{name}/test.yml": None for name in ("right", "lines")})
    batch = read(as_folder(tmp_path, "squares", bare), released="2026-05-01")
    imports.store_batch(session, batch, NOW)
    problem = session.scalars(select(Problem)).one()
    assert (problem.waived, stated(session)) == (["limits"], [(None, None)])
    assert limits(session, problem).time_ms == UNSTATED_LIMITS.time_ms
    assert any("names no time limit" in note for note in batch.notes)
