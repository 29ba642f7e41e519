"""Flags follow the latest pages, whoever is held by them follows, and a maintainer may know better."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from factories import World
from sqlalchemy import select

from app.db.kernel.session import Session
from app.db.problems import problems
from app.db.sources import captures
from app.db.tables import LedgerEntry, Problem, ProblemVersion, TestSet
from app.domain.errors import Conflict
from app.domain.problems import Form
from app.domain.sources.crawl_events import PageCaptured
from app.domain.sources.records import Classification, ScrapedProblem
from app.domain.states import ProblemState
from app.services.problems import quarantine
from app.services.sources import ingest

NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)
WHO = "m@example.test"


@pytest.fixture
def problem(session: Session) -> Problem:
    """A published problem of the bundled factory, with tests that stand."""
    return World(session).problem("a", source="codeforces")


def read(session: Session, problem: Problem, hours: int, *flags: str, kind: str = "problem", **facts: Any) -> None:
    """A page of the problem, fetched at an hour: with its text unless `statements` says otherwise."""
    seen = NOON + timedelta(hours=hours)
    form = "interactive" if "interactive" in flags else "stdin"
    text = {"en": "The text."}
    known: dict[str, Any] = {"form": form, "statements": text, "time_limit_ms": 2000, "memory_limit_mb": 256}
    record = ScrapedProblem(problem.external_id, title="A", flags=flags, **(known | facts))
    page = PageCaptured(f"https://a.example/{kind}/{hours}", kind, 200, Classification.OK, kind.encode(), {}, seen)
    capture = captures.store_capture(session, problem.source_id, None, page)
    ingest.store_records(session, problem.source_id, [record], capture, seen, seen_at=seen, kind=kind)
    session.flush()
    session.refresh(problem)


def form_of(session: Session, problem: Problem) -> Form:
    """As the judge takes it."""
    session.expire_all()
    assert problem.current_test_set_id is not None
    assert problem.current_version_id is not None
    return problems.problem_spec(session, problem.current_test_set_id, problem.current_version_id).form


def ledger(session: Session) -> list[str]:
    kinds = session.scalars(select(LedgerEntry.kind).order_by(LedgerEntry.id)).all()
    return [kind for kind in kinds if kind != "problem.corrected"]


def test_a_mended_parser_takes_back_what_it_said(session: Session, problem: Problem) -> None:
    read(session, problem, 1, "interactive", "image")
    assert (problem.state, problem.hold_reason) == ("held", "interactive, and no interactor")
    read(session, problem, 1)  # the same capture, read again
    assert (problem.flags, problem.state, problem.audit_flags) == ([], "published", {})
    version = session.get_one(ProblemVersion, problem.current_version_id, populate_existing=True)
    assert version.form == Form.STDIN
    assert ledger(session) == ["problem.quarantined", "problem.released"]


def test_an_older_capture_read_again_says_nothing_and_a_list_clears_nothing(session: Session, problem: Problem) -> None:
    read(session, problem, 2, "multiple_answers")
    assert (problem.flags, problem.state) == (["multiple_answers"], "held")
    read(session, problem, 1)
    read(session, problem, 3, kind="list", statements={}, form=None)
    assert (problem.flags, problem.state) == (["multiple_answers"], "held")
    read(session, problem, 4, "question", kind="list", statements={}, form=None)
    read(session, problem, 2)
    assert (problem.flags, problem.state) == (["question"], "published"), "each kind of page speaks for itself"


def test_a_problem_that_waits_is_decided_on_anew(session: Session, problem: Problem) -> None:
    tests = session.get_one(TestSet, problem.current_test_set_id)
    read(session, problem, 1, "interactive")
    tests.proof = "waiting"
    read(session, problem, 2)
    assert problem.state == "checked", "its tests are to be proven still"


def test_a_maintainer_may_know_that_it_is_not_interactive(session: Session, problem: Problem) -> None:
    read(session, problem, 1, "interactive")
    assert quarantine.release(session, problem, WHO, "it prints, once", NOON) == "published"
    assert problem.waived == ["interactive"]
    assert form_of(session, problem) is Form.STDIN
    read(session, problem, 2, "interactive")
    assert (problem.state, problem.flags) == ("published", ["interactive"]), "the page says so as before"
    assert form_of(session, problem) is Form.STDIN, "the judge does as the maintainer said"


def test_what_is_waived_stays_so_where_tests_are_still_to_come(session: Session, problem: Problem) -> None:
    read(session, problem, 1, "interactive")
    problem.current_test_set_id = None
    state = quarantine.release(session, problem, WHO, "it prints, once", NOON)
    assert (state, problem.waived) == ("held", ["interactive"])
    assert (problem.hold_reason or "").startswith("no full tests")
    with pytest.raises(Conflict, match="this hold cannot be waived"):
        quarantine.release(session, problem, WHO, "again", NOON)


def test_what_a_package_says_is_interactive_cannot_be_waived(session: Session, problem: Problem) -> None:
    version = session.get_one(ProblemVersion, problem.current_version_id)
    version.form = Form.INTERACTIVE
    problems.move(session, problem, ProblemState.HELD, hold_reason="interactive, and no interactor")
    with pytest.raises(Conflict, match="this hold cannot be waived"):
        quarantine.release(session, problem, WHO, "it prints, once", NOON)
