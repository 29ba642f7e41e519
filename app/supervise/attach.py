"""What a verb needs to work on a state: a running `up`, or the servers alone for as long as the verb runs."""

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from app.config import Settings, settings_for_state
from app.db.kernel.migrate import refuse_newer, upgrade
from app.domain.errors import Conflict, NothingThere
from app.supervise.embedded import start_postgres, start_valkey
from app.supervise.first_steps import derive, keep_key
from app.supervise.places import Place, Running, prepare
from app.supervise.say import say

# An `up` that has just been called migrates before others may work; a verb waits for another verb to end.
WAIT_S = 120.0


@contextmanager
def attached(state_dir: Path | None = None, *, begun: bool = False) -> Iterator[Settings]:
    """Settings of a database that exists and is up to date: a running `up`'s, a fleet's, or embedded servers.

    `is_served` tells whether workers run there, or the verb has to do the work itself. Two verbs on one
    state take turns. Raises Unavailable when a server does not start, Conflict when the turn never comes or the
    database is newer than this program; with `begun`, for verbs that need stored data, NothingThere where none is.
    """
    settings = settings_for_state(state_dir)
    if not settings.embeds_database():
        refuse_newer(settings.database_url)
        yield settings.model_copy(update={"is_served": True})
        return
    place = Place.of(settings)
    if begun and not place.postgres.exists():
        raise NothingThere(f"nothing is stored in {place.state}; begin with `./tidemark up` or `import`")
    place.make()
    with ExitStack() as stack:
        running = _turn(stack, place)
        if running is not None:
            served = Settings(**{**running.settings, "is_served": True})
            refuse_newer(served.database_url)
            yield served
            return
        place.end_leftovers()
        yield stack.enter_context(embedded_services(settings))


@contextmanager
def embedded_services(settings: Settings) -> Iterator[Settings]:
    """PostgreSQL and Valkey, where they are ours, migrated; they end with the block. The caller holds the place."""
    place = Place.of(settings)
    prepare(settings)
    with ExitStack() as stack:
        if settings.embeds_database():
            stack.callback(start_postgres(place.postgres, place.runtime, place.logs / "postgres.log").stop)
        if settings.embeds_redis():
            stack.callback(start_valkey(place.valkey, place.runtime, place.logs / "valkey.log").stop)
        upgrade(settings.database_url)
        keep_key(settings)
        derive(settings)
        yield settings


def link_to(settings: Settings, path: str) -> str:
    """A link to a page of the site; where nothing runs, whoever is at the terminal is told."""
    if not settings.is_served:
        say("nothing runs there now; start it with `./tidemark up` (at another port the link has that port)")
    return f"{settings.public_url.rstrip('/')}{path}"


def _turn(stack: ExitStack, place: Place) -> Running | None:
    """Wait for an `up` to be ready and return it, or for the state to be free and hold it (None)."""
    deadline, announced = time.monotonic() + WAIT_S, False
    while True:
        running = place.running()
        if running is not None and running.ready:
            return running
        try:
            stack.enter_context(place.held("verb"))
        except Conflict as taken:
            if time.monotonic() > deadline:
                raise
            if not announced:
                say(f"waiting: {taken}")
            announced = True
            time.sleep(0.2)
        else:
            return None
