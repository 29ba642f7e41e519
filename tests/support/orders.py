"""Where vendors order: for each test a database of its own, always under one name, so that all of them share an engine.

An engine that is made anew compiles every statement anew, which was a fifth of what such a test took.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from ipaddress import ip_network

from fastapi import FastAPI

from app.config import Settings
from app.db.kernel.session import Engine, make_engine, make_sessionmaker, sessions_on
from app.main import create_app
from app.services.runs import imports, plan
from support.batches import batch, problem
from support.servers import Servers
from workers.broker import Waker, make_app
from workers.context import Context, use


@dataclass
class PassingClock:
    """The true time, moved on by what passes in a moment."""

    passed: timedelta = timedelta()

    def __call__(self) -> datetime:
        return self.now

    @property
    def now(self) -> datetime:
        return datetime.now(UTC) + self.passed

    def pass_time(self, **span: float) -> None:
        self.passed += timedelta(**span)


_AT_ONCE = 20  # as many connections as a site of one process keeps open


@cache
def _engine(url: str) -> Engine:
    return make_engine(url, pool_size=_AT_ONCE)


@contextmanager
def context_over(settings: Settings) -> Iterator[Context]:
    """What the tasks of this process run over; endpoints on the loopback are allowed."""
    given = settings.model_copy(update={"endpoint_allow": (ip_network("127.0.0.0/8"),)})
    made = use(Context(given, make_sessionmaker(_engine(given.database_url)), Waker(make_app(given.redis_url))))
    yield made
    made.close()


def site_of(ctx: Context) -> FastAPI:
    """The application over the same database, by the same engine."""
    app = create_app(ctx.settings)
    app.state.response_cache.patience_s = 60.0  # of a machine that others use, too
    app.state.web = replace(app.state.web, sessions=ctx.sessions)
    return app


@contextmanager
def published_problems(servers: Servers, count: int) -> Iterator[str]:
    """A database to copy, where so many problems are published, one a week from START on, and nobody orders yet."""
    given = batch(*(problem(number, source="atcoder") for number in range(count)), source="atcoder")
    now = datetime.now(UTC)
    with servers.database() as url:
        with sessions_on(url) as sessions:
            with sessions.begin() as session:
                imports.store_batch(session, given, now)
            with sessions.begin() as session:
                plan.plan_samples(session, now)
        yield url
