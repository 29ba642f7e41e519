"""Reports are made one after the other, and one that cannot be made keeps no other from being made."""

from datetime import date

from factories import World
from sqlalchemy import select
from support.facts import facts_may_change

from app.config import Settings
from app.db.kernel import blobs
from app.db.tables import Blob, ContestStanding, ReportRow
from app.services.evidence import ease, human_ratings
from app.services.evidence.reports import REPORT_MAKERS
from workers import upkeep
from workers.context import make_context, use


def test_what_cannot_be_read_for_one_report_stops_none(settings: Settings) -> None:
    """A stored list of people is damaged: of them alone nothing can be said."""
    ctx = use(make_context(settings))
    with ctx.sessions.begin() as session:
        world = World(session)
        problem = world.problem("1/A", contest="1", day=date(2026, 6, 1))
        for at in range(3):
            world.answer(world.run(f"model-{at}"), problem)
        digest = blobs.store_blob(session, b"[]")
        for kind in ("standing", "rating_change"):
            session.add(
                ContestStanding(
                    contest_id=problem.contest_id, kind=kind, captured_at=world.now, rows=0, blob_sha256=digest
                )
            )
        session.flush()
        with facts_may_change(session):
            session.get_one(Blob, digest).body = b"no longer what it was"
            session.flush()
        world.count()
    upkeep.make_reports()
    with ctx.sessions() as session:
        bodies = {report.kind: report.body for report in session.scalars(select(ReportRow))}
    assert set(bodies) == set(REPORT_MAKERS)
    assert bodies[human_ratings.KIND] == human_ratings.EMPTY
    assert bodies[ease.KIND] != ease.EMPTY
