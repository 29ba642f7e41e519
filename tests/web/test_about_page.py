"""What the site is: its numbers, and the operator as the settings name them."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import httpx
import pytest
from factories import World, web_app
from served import NO_AUTHORITIES, served

from app.db.kernel.session import SessionMaker
from app.domain.states import ProblemState


@pytest.fixture
def ask(world: World, sessions: SessionMaker, tmp_path: Path) -> Iterator[httpx.Client]:
    """A caller of a site whose operator can be changed, over one model and two problems."""
    run = world.run("orion")
    for name, day in (("a", date(2026, 5, 1)), ("b", date(2026, 6, 1))):
        world.answer(run, world.problem(name, day=day))
    world.problem("held", day=date(2026, 7, 1), state=ProblemState.HELD, hold_reason="unproven")
    world.session.commit()
    app = web_app(sessions, tmp_path)
    with served(app) as url, httpx.Client(base_url=url, timeout=60, verify=NO_AUTHORITIES) as client:
        client.app = app  # type: ignore[attr-defined]
        yield client


def about(ask: httpx.Client, operator: str | None, contact: str | None, locale: str = "en") -> str:
    """The page under an operator's settings."""
    app = ask.app  # type: ignore[attr-defined]
    app.state.settings = app.state.settings.model_copy(update={"operator": operator, "contact": contact})
    return ask.get(f"/{locale}/about").text


def test_the_page_counts_what_is_public(ask: httpx.Client) -> None:
    page = about(ask, None, None)
    for value, label in (("2", "Problems"), ("1", "Models"), ("2", "Judged answers"), ("2026-06-01", "Newest problem")):
        assert f'<dt>{label}</dt><dd class="value">{value}</dd>' in page
    assert "has not stated a name" in page


def test_the_operator_is_named_as_the_settings_say(ask: httpx.Client) -> None:
    page = about(ask, "Tide & Co", "https://tide.example/contact")
    assert "run by Tide &amp; Co." in page
    assert '<a href="https://tide.example/contact">' in page
    assert '<a href="mailto:ada@tide.example">' in about(ask, "Tide", "ada@tide.example")
    odd = about(ask, "Tide", "javascript:alert(1)")
    assert "javascript:alert(1)" in odd
    assert 'href="javascript' not in odd
    assert "Tide 运营" in about(ask, "Tide", None, "zh")
