"""What stays of a contest and a problem when a list or page says less than the one before, or something else."""

from datetime import timedelta
from typing import Any

from factories import World
from pipeline.flow import NOW
from sqlalchemy import select

from app.db.kernel import revision
from app.db.kernel.session import Session
from app.db.tables import Contest, Problem
from app.domain.sources.records import Record, ScrapedContest, ScrapedProblem
from app.services.sources import ingest

AN_HOUR = timedelta(hours=1)


def contest(name: str, starts: float | None, ends: float | None, **facts: Any) -> ScrapedContest:
    """One that begins and ends so many hours from now."""
    starts_at, ends_at = (None if hours is None else NOW + hours * AN_HOUR for hours in (starts, ends))
    return ScrapedContest(name, **({"title": name} | facts), starts_at=starts_at, ends_at=ends_at)


def problem(name: str, **facts: Any) -> ScrapedProblem:
    return ScrapedProblem(name, **({"title": name} | facts))


def source(session: Session) -> int:
    return World(session).source("atcoder", demo=False).id


def store(session: Session, source_id: int, *records: Record) -> None:
    ingest.store_records(session, source_id, records, None, NOW)


def test_a_contest_is_to_come_runs_or_is_over(session: Session) -> None:
    listed = [contest("soon", 0.1, 2), contest("begins", 0, 2), contest("ends", -2, 0), contest("endless", -2, None)]
    store(session, source(session), *listed)
    states = {row.external_id: row.state for row in session.scalars(select(Contest))}
    assert states == {"soon": "upcoming", "begins": "running", "ends": "ended", "endless": "ended"}


def test_what_a_later_page_leaves_out_stays_and_what_it_says_counts(session: Session) -> None:
    own = source(session)
    store(session, own, contest("cup", -9, -7, kind="ICPC", division="1"))
    store(session, own, problem("cup/A", contest="cup", tags=("dp",), url="https://a.example/A"))
    store(session, own, contest("cup", -8, None), problem("cup/A", contest="cup"))
    row = session.scalars(select(Contest)).one()
    assert (row.kind, row.division, row.starts_at, row.ends_at) == ("ICPC", "1", NOW - 8 * AN_HOUR, NOW - 7 * AN_HOUR)
    made = session.scalars(select(Problem)).one()
    assert (made.tags, made.url, made.contest_id) == (["dp"], "https://a.example/A", row.id)
    store(session, own, problem("cup/A", title="Anew", tags=("math",), url="https://a.example/B"))
    assert (made.title, made.tags, made.url) == ("Anew", ["math"], "https://a.example/B")


def test_a_problem_is_of_the_contest_that_showed_it_first(session: Session) -> None:
    own = source(session)
    lists = [contest("late", -5, -3), contest("same", -5, -3), contest("first", -9, -7), contest("second", -8, -6)]
    store(session, own, *lists)
    names = {row.id: row.external_id for row in session.scalars(select(Contest))}

    def shown(name: str) -> tuple[str | None, bool]:
        before = revision.current(session)
        store(session, own, problem("shared", contest=name))
        made = session.scalars(select(Problem)).one()
        assert made.contest_id is not None
        return names[made.contest_id], revision.current(session) != before

    assert shown("late")[0] == "late"
    assert shown("same")[0] == "late"
    assert shown("first") == ("first", True), "boards have it under its contest"
    assert shown("second") == ("first", False)
    made = session.scalars(select(Problem)).one()
    made.contest_id = None  # as a file has it
    assert shown("late") == ("late", True), "another date or none, boards have it under a contest now"


def test_boards_follow_a_contest_that_began_earlier_and_none_that_began_later(session: Session) -> None:
    own = source(session)
    for starts, dated, follow in ((-5, -5, False), (-8, -8, True), (-8, -8, False), (-6, -8, False)):
        store(session, own, contest("cup", starts, -3))
        before = revision.current(session).axes
        store(session, own, problem("cup/A", contest="cup"))
        made = session.scalars(select(Problem)).one()
        assert made.released_on == NOW + dated * AN_HOUR
        assert (revision.current(session).axes > before) is follow


def test_a_problem_dates_its_contest_where_no_list_has(session: Session) -> None:
    own = source(session)
    dated = {"starts_at": NOW - 9 * AN_HOUR, "ends_at": NOW - 7 * AN_HOUR}
    store(session, own, contest("cup", None, -6, title="Cup"), problem("cup/A", contest="cup"))
    assert session.scalars(select(Contest.ends_at)).one() == NOW - 6 * AN_HOUR
    store(session, own, problem("cup/A", contest="cup", **dated))
    row = session.scalars(select(Contest)).one()
    assert (row.title, row.starts_at, row.ends_at) == ("Cup", NOW - 9 * AN_HOUR, NOW - 7 * AN_HOUR)
    store(session, own, contest("cup", -8, -6, title="The Cup"))
    store(session, own, problem("cup/B", contest="cup", **dated))
    row = session.scalars(select(Contest)).one()
    assert (row.title, row.starts_at, row.ends_at) == ("The Cup", NOW - 8 * AN_HOUR, NOW - 6 * AN_HOUR)
