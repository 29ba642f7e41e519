"""A fresh installation with the demo on: its site served in a thread, and a worker, both by a clock of the test's."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import uvicorn
from sqlalchemy import select

from app.config import Settings
from app.db.tables import Run, Sample, Setter
from app.domain.sources.kinds import DEMO_SITE
from app.domain.states import SampleState
from app.services.sources import schedule
from app.source_settings import SourceSettings
from scrapers.suites.house import date_contests, load_demo_models, load_league
from support.live_league import live_league
from support.waiting import until
from workers import tasks
from workers.context import Context, leave, make_context, use
from workers.demo.server import DemoServer
from workers.sites import Sites

STARTED = datetime(2026, 12, 1, 9, tzinfo=UTC)
FIRST_S, MARGIN_S = 180.0, 5.0


@dataclass
class Demo:
    """A worker beside the demo process, both by a clock that the test sets."""

    ctx: Context
    instant: list[datetime]

    def move(self, seconds: float) -> None:
        """It is so many seconds after the first start."""
        self.instant[0] = STARTED + timedelta(seconds=seconds)

    def due(self) -> list[tuple[str, str]]:
        """The visits that are due."""
        sites = self.ctx.part(Sites)
        return self.ctx.commit(schedule.due_visits, sites.polling_intervals(), self.instant[0])

    def work(self) -> None:
        """Do all that the workers are woken for, until nothing is left."""
        tasks.plan_runs()
        for _turn in range(40):
            tasks.infer_slice()
            tasks.build_suites()
            tasks.prove_tests()
            tasks.grade_answers()
            tasks.plan_runs()
            if not self.open_samples():
                break
        tasks.aggregate()

    def open_samples(self) -> int:
        """How many answers are still to come or to be judged, of who is asked at all."""
        ended = (SampleState.GRADED, SampleState.GAVE_UP, SampleState.STUCK)
        ranked = select(Run.id).where(Run.id.not_in(select(Setter.run_id)))
        still_open = select(Sample.id).where(Sample.state.not_in(ended), Sample.run_id.in_(ranked))
        with self.ctx.sessions() as session:
            return len(session.scalars(still_open).all())


@contextmanager
def served(app: DemoServer) -> Iterator[str]:
    """The address of the demo process, in a thread."""
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, lifespan="off", log_level="warning"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    until(lambda: server.started, "the demo process")
    port = server.servers[0].sockets[0].getsockname()[1]
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join(20)


@contextmanager
def live_demo(
    settings: Settings, folder: Path, *, changed: bool = False, contact: str | None = None,
    sources: Mapping[str, SourceSettings] | None = None,
) -> Iterator[Demo]:  # fmt: skip
    """The installation; with `changed` the page of the live problem has a form that the reader does not know.

    `contact` and `sources` are what an operator has set beside the demo.
    """
    league_dir, instant = live_league(folder / "league", changed=changed), [STARTED]
    league = load_league(league_dir, STARTED)
    contests = date_contests(league.live, STARTED + timedelta(seconds=FIRST_S), timedelta(hours=1))
    with served(DemoServer(league, load_demo_models(league_dir), contests, lambda: instant[0])) as url:
        given = settings.model_copy(
            update={
                "league_dir": league_dir, "demo_url": url, "demo_started_at": STARTED, "contact": contact,
                "sources": {DEMO_SITE: SourceSettings(pace_s=0.0), **(sources or {})},
            }
        )  # fmt: skip
        made = use(replace(make_context(given), clock=lambda: instant[0]))
        yield Demo(made, instant)
        leave()
        made.close()
