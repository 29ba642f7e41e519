"""A database to measure with: a temporary embedded PostgreSQL."""

import itertools
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from app.config import socket_database_url
from app.db.kernel.migrate import upgrade
from app.db.kernel.session import SessionMaker, make_engine, make_sessionmaker
from app.domain.asking.completions import SampleOutcome
from app.domain.asking.protocols import HOUSE
from app.domain.errors import Unavailable
from app.domain.imports import ImportBatch, ImportedModel, ImportedProblem, ImportedSource, ImportedStatement
from app.domain.problems import Test
from app.services.runs import imports, inference, plan
from app.services.runs.endpoint_secrets import Vault, new_key
from app.supervise.embedded_servers import start_postgres

Record = Callable[[Sequence[SampleOutcome]], None]
_HOUR = timedelta(hours=1)


@contextmanager
def fresh_database() -> Iterator[SessionMaker]:
    """Yield sessions on an empty temporary database."""
    folder = Path(tempfile.mkdtemp(prefix="tm-perf-"))
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        stack.callback(start_postgres(folder / "postgres", folder, folder / "postgres.log").stop)
        url = socket_database_url(folder, "tidemark")
        upgrade(url)
        engine = make_engine(url)
        stack.callback(engine.dispose)
        yield make_sessionmaker(engine)


def make_recorders(sessions: SessionMaker) -> Callable[[int], Record]:
    """Return a function that plans and leases a number of samples.

    It returns the function that writes the outcomes of requests 0, 1, 2, ... to their rows, as the service does.
    """
    numbers = itertools.count()
    return lambda count: _recorder(sessions, _lease(sessions, f"perf-{next(numbers)}", count))


@contextmanager
def sample_store() -> Iterator[Callable[[int], Record]]:
    """Yield the function of `recorders` for an empty database whose transactions are flushed to disk."""
    with fresh_database() as sessions:
        yield make_recorders(sessions)


def _lease(sessions: SessionMaker, slug: str, count: int) -> inference.LeasedSlice:
    """Return a slice of `count` samples of a new model, all of one problem."""
    now = datetime.now(UTC)
    with sessions.begin() as session:
        imports.store_once(session, _problem(now), now)
        offer = plan.BundledModel(ImportedModel(slug, slug), "http://127.0.0.1:9/v1")
        protocol = replace(HOUSE, slug=f"perf-{count}", sampling=replace(HOUSE.sampling, n=count))
        plan.register_demo(session, (offer,), protocol, now)
        plan.plan_samples(session, now)
        newest = max(plan.sweep(session, now).endpoints)
        work = inference.open_slice(session, newest, now, _HOUR, Vault(new_key()), limit=count)
    if work is None or len(work.requests) != count:
        raise Unavailable("the samples to measure with were not planned")
    return work


def _recorder(sessions: SessionMaker, work: inference.LeasedSlice) -> Record:
    rows = sorted(work.requests)

    def record(outcomes: Sequence[SampleOutcome]) -> None:
        with sessions.begin() as session:
            batch = [replace(outcome, sample_id=rows[outcome.sample_id]) for outcome in outcomes]
            if inference.record_all(session, work, batch, datetime.now(UTC)) != len(batch):
                raise Unavailable("an outcome was not written")

    return record


def _problem(now: datetime) -> ImportBatch:
    text = ImportedStatement("Sum", "Read the numbers of the first line and print their sum. " * 30)
    problem = ImportedProblem(
        "house", "perf-sum", "Sum", now - _HOUR, statements={"en": text}, tests=(Test("1 2\n", "3\n"),)
    )
    return ImportBatch("perf", "perf", "perf", (ImportedSource("house", "House", kind="suite"),), (problem,))
