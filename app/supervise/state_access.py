"""Access to a state for a command: a running `up`, or embedded servers for as long as the command runs."""

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from app.config import Settings, settings_for_state
from app.db.kernel.migrate import refuse_newer, upgrade
from app.domain.errors import Conflict, NoObjects
from app.supervise.embedded_servers import start_postgres, start_valkey
from app.supervise.first_steps import ensure_key, update_derived
from app.supervise.state_folders import RunningInstance, StateFolders, prepare
from app.supervise.status_lines import print_status

# An `up` that has just started migrates before others may work; a command waits for another to end.
WAIT_S = 120.0


@contextmanager
def open_state(state_dir: Path | None = None, *, begun: bool = False) -> Iterator[Settings]:
    """Yield settings of a database that exists and is up to date: a running `up`'s, a fleet's, or embedded servers'.

    `is_served` tells whether workers run there, or the command has to do the work itself. Two commands on one state
    take turns. Raises Unavailable if a server does not start, Conflict if the wait is too long or the database is newer
    than this program; with `begun`, for commands that need stored data, NoObjects if there is none.
    """
    settings = settings_for_state(state_dir)
    if not settings.embeds_database():
        refuse_newer(settings.database_url)
        yield settings.model_copy(update={"is_served": True})
        return
    place = StateFolders.of(settings)
    if begun and not place.postgres.exists():
        raise NoObjects(f"nothing is stored in {place.state}; start with `./tidemark up` or `import`")
    place.make()
    with ExitStack() as stack:
        running = _wait_for_state(stack, place)
        if running is not None:
            served = Settings(**{**running.settings, "is_served": True})
            refuse_newer(served.database_url)
            yield served
            return
        place.end_leftovers()
        yield stack.enter_context(embedded_services(settings))


@contextmanager
def embedded_services(settings: Settings) -> Iterator[Settings]:
    """Run our own PostgreSQL and Valkey, migrated, until the block ends. The caller holds the state's lock."""
    place = StateFolders.of(settings)
    prepare(settings)
    with ExitStack() as stack:
        if settings.embeds_database():
            stack.callback(start_postgres(place.postgres, place.runtime, place.logs / "postgres.log").stop)
        if settings.embeds_redis():
            stack.callback(start_valkey(place.valkey, place.runtime, place.logs / "valkey.log").stop)
        upgrade(settings.database_url)
        ensure_key(settings)
        update_derived(settings)
        yield settings


def link_to(settings: Settings, path: str) -> str:
    """Return a link to a page of the site; if nothing runs, tell the person at the terminal."""
    if not settings.is_served:
        print_status(
            "nothing is running there now; start it with `./tidemark up` (on another port, change the port in the link)"
        )
    return f"{settings.public_url.rstrip('/')}{path}"


def _wait_for_state(stack: ExitStack, place: StateFolders) -> RunningInstance | None:
    """Wait until an `up` is ready and return it, or until the state is free and lock it (None)."""
    deadline, announced = time.monotonic() + WAIT_S, False
    while True:
        running = place.find_running()
        if running is not None and running.ready:
            return running
        try:
            stack.enter_context(place.lock("verb"))
        except Conflict as taken:
            if time.monotonic() > deadline:
                raise
            if not announced:
                print_status(f"waiting: {taken}")
            announced = True
            time.sleep(0.2)
        else:
            return None
