"""What visitors come for is at most two clicks from the first page."""

import re
from collections.abc import Iterator

import httpx
import pytest
from bs4 import BeautifulSoup
from factories import World, web_app
from served import NO_AUTHORITIES, served
from support.servers import Servers
from support.shown_league import fill

from app.db.kernel.session import make_engine, make_sessionmaker


@pytest.fixture(scope="module")
def visitor(servers: Servers, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A caller of a served site with a small league."""
    with servers.database() as url:
        engine = make_engine(url)
        sessions = make_sessionmaker(engine)
        with sessions.begin() as session:
            fill(World(session))
        with (
            served(web_app(sessions, tmp_path_factory.mktemp("site"))) as base,
            httpx.Client(base_url=base, timeout=60, verify=NO_AUTHORITIES, follow_redirects=True) as client,
        ):
            yield client
        engine.dispose()


# What is asked, the texts of the links that lead to it from the first page, and what the last page shows.
WAYS = {
    "who leads the last three months, and is it certain": ((re.compile("^3 months"),), 'class="finding"'),
    "what changed this week": (("Trust", "Changes"), "<title>Changes"),
    "is a model contaminated": (("Trust", "Contamination"), 'class="finding"'),
    "how fresh is each source": (("Trust", "Status"), "Last success"),
    "what the top tier costs": (("Cost",), 'class="dot'),
    "the trend of a model": (("Trend",), "Model-0"),
    "which problems a model solves": (("Problem grid",), 'href="/en/samples/'),
    "the prompt, the answer and the verdict of a cell": (("Problem grid", re.compile("accepted")), "<h1>"),
    "how the score is made": (("Trust",), 'id="score"'),
    "a citation that pins the data": (("Cite",), "/cite"),
    "the problems of a topic": (("Problems", "Problem p1"), "topic=dynamic-programming"),
    "rows side by side": (("Compare",), 'name="m"'),
    "the data as a file": (("CSV",), "model,"),
    "a badge": (("Model-0",), "/badge/model-0.svg"),
}


@pytest.mark.parametrize("asked", WAYS)
def test_a_visitor_finds_it_in_two_clicks(visitor: httpx.Client, asked: str) -> None:
    links, shown = WAYS[asked]
    assert len(links) <= 2
    page = visitor.get("/en/").text
    for text in links:
        page = visitor.get(_link(page, text)).raise_for_status().text
    assert shown in page


def _link(page: str, text: str | re.Pattern[str]) -> str:
    """The address of the link with this text or name."""
    for link in BeautifulSoup(page, "lxml").find_all("a", href=True):
        names = (link.get_text(" ", strip=True), str(link.get("aria-label", "")))
        if any(name == text if isinstance(text, str) else text.search(name) for name in names):
            return str(link["href"])
    raise AssertionError(f"no link {text!r}")
