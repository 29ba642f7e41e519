"""The console over a test's own rows, all rolled back, and people with browsers."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from factories import web_app
from fastapi import FastAPI
from httpx import Client
from served import NO_AUTHORITIES, served
from support.console import Clock, Join, Person, make_person

from app.api import runs
from app.api.events import EventHub
from app.db.kernel.session import SessionMaker
from app.services.operations.web_state import WebState
from app.services.runs.endpoint_secrets import Vault


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def app(sessions: SessionMaker, clock: Clock, tmp_path: Path) -> FastAPI:
    """The site, whose workers are woken in vain."""
    made = web_app(sessions, tmp_path)
    made.state.web = replace(made.state.web, now=clock, wake=lambda *_task, **_how: True)
    made.state.runs = EventHub(runs.make_update_reader(made.state.web))
    return made


@pytest.fixture
def vault(app: FastAPI) -> Vault:
    """The site's key."""
    state: WebState = app.state.web
    return state.vault


@pytest.fixture
def address(app: FastAPI) -> Iterator[str]:
    """The address of the site."""
    with served(app) as url:
        yield url


@pytest.fixture
def browser(address: str) -> Iterator[Callable[[], Client]]:
    """Opens browsers without cookies."""
    with ExitStack() as stack:
        yield lambda: stack.enter_context(Client(base_url=address, timeout=60, verify=NO_AUTHORITIES))


@pytest.fixture
def join(browser: Callable[[], Client], clock: Clock, sessions: SessionMaker) -> Join:
    """Makes members who are signed in."""

    def make(organisation: str = "acme", email: str = "ada@example.org", role: str = "owner") -> Person:
        return make_person(browser(), clock, sessions, organisation, email, role)

    return make
