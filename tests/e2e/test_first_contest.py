"""Everything that docs/first-contest.md tells a newcomer to type, in its order, over a site and endpoints on loopback.

Of the contest's two problems one comes to the board by itself. The setters read the other one differently: it is held,
and comes to the board by the program that the newcomer vouches for. Nothing of the demo is there.
"""

import re
import shlex
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from fakes.dialects import DIALECTS, Told
from fakes.model_server import Asked, ModelServer, Say, as_json, message
from fakes.sites.atcoder import AtCoder
from fakes.sites.live import LiveSite
from fakes.world import FakeContest
from sqlalchemy import select
from support.installation import ROOT, Installation, installation
from support.saturday import Task
from support.setters import FROM_ZERO, KADANE, PROBLEM, TITLE, answers, fenced, few_inputs
from support.waiting import patience

from app.db.tables import AuditEntry, BudgetRow, Endpoint, Source
from app.domain.sources.kinds import DEMO_SITE

pytestmark = [pytest.mark.slow, pytest.mark.sandbox, pytest.mark.timeout(1800)]
MINUTE_S = 60.0
PAGE = ROOT / "docs" / "first-contest.md"
KEYS = {"ORION_KEY": "key-of-orion", "TERN_KEY": "key-of-tern", "GULL_KEY": "key-of-gull"}
DISPUTED = "Disputed Stretch"
SAMPLES = [(str(test.input), str(test.expected)) for test in PROBLEM.tests]
HELD, CLEAR = "atcoder/abc400_a", "atcoder/abc400_b"


def commands() -> list[list[str]]:
    """The calls of the page's shell blocks, each as its words."""
    blocks = re.findall(r"^ *```sh\n(.*?)^ *```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    lines = "".join(blocks).replace("\\\n", " ").splitlines()
    return [shlex.split(line)[1:] for line in lines if line.lstrip().startswith("./tidemark")]


def settings_named() -> dict[str, str]:
    """What the page tells people to write into `.env`."""
    return dict(re.findall(r"^ *(TIDEMARK_\w+)=(.*)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE))


def task(title: str) -> Task:
    """One of the contest's problems; both ask for the greatest sum of neighbours."""
    return Task(title, "Print the greatest sum of neighbours.", SAMPLES, KADANE, FROM_ZERO, time_ms=400)


def say(asked: Asked) -> Say:
    """What the endpoints answer: setters by role, of two vendors; the ranked model is right."""
    body: dict[str, Any] = asked.json
    named = re.match(r"ROLE: (\w+)\nPROBLEM: (.+)\nROUND: \d+\nORDINAL: (\d+)", asked.last_message)
    vendor = {"orion-5": "acme", "tern-3": "birds"}.get(body["model"])
    text: str | None = fenced(KADANE)
    if vendor is not None and named is not None:
        role, title, ordinal = named.groups()
        given = answers(vendor, generator=fenced(few_inputs(vendor)), solution_1=fenced(KADANE))
        by_task = {(str(each.answer_id.role), str(each.answer_id.ordinal)): each.text for each in given}
        text = by_task.get((role, ordinal))
        if title == DISPUTED and vendor == "birds" and role in ("brute", "solution"):
            text = fenced("input()\nprint(max(map(int, input().split())))\n")
    if asked.path.endswith("/messages"):
        return as_json(DIALECTS["anthropic"].plain(Told(text or "I have none.")))
    return message(text or "I have none.")


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Installation]:
    """An installation with the settings of the page, and what a loopback needs: addresses, and no pause."""
    now = datetime.now(UTC).replace(microsecond=0)
    long, past = timedelta(minutes=100), now - timedelta(days=700)
    problems = tuple(
        replace(task(title).published(place), external_id=name.rpartition("/")[2])
        for place, (title, name) in enumerate(((DISPUTED, HELD), (TITLE, CLEAR)))
    )
    contests = [
        FakeContest("abc399", "AtCoder Beginner Contest 399", past, long, (), "algorithm"),
        FakeContest("abc400", "AtCoder Beginner Contest 400", now - timedelta(hours=2), long, problems, "algorithm"),
    ]
    named = {name.removeprefix("TIDEMARK_").lower(): value for name, value in settings_named().items()}
    assert named.keys() == {
        "contact", "sources__codeforces__enabled", "sources__leetcode__enabled", "public_url", "alert_webhook",
        "heartbeat_url",
    }  # fmt: skip
    for name in ("public_url", "alert_webhook", "heartbeat_url"):
        del named[name]  # of other machines, of which a test asks none
    site = AtCoder(contests, lambda: datetime.now(UTC))
    with LiveSite(site, lambda: datetime.now(UTC)) as shown, installation(
        tmp_path / "state", demo="false", endpoint_allow="127.0.0.0/8", schedule_s="3",
        sources__atcoder__base_url=shown.url, sources__atcoder__pace_s="0", **named,
    ) as made:  # fmt: skip
        yield made


def typed(house: Installation, words: list[str], endpoint: str, folder: Path) -> tuple[int, str]:
    """What a command of the page prints, with these addresses and files in the place of the page's."""
    here = {"https://api.example.com/v1": endpoint, "right.py": str(folder / "right.py")}
    words = [here.get(word, str(folder / word) if word.endswith(".dump") else word) for word in words]
    return house.said(*words)


def test_every_command_of_the_page_does_what_it_says(house: Installation, tmp_path: Path, monkeypatch: Any) -> None:
    for name, value in KEYS.items():
        monkeypatch.setenv(name, value)
    (tmp_path / "right.py").write_text(KADANE, encoding="utf-8")
    todo = commands()
    assert [words[0] for words in todo] == [
        "up", "doctor", "scrape", "setter", "setter", "setter", "run", "run", "setter", "budget", "setter", "backup",
    ]  # fmt: skip
    with ModelServer(say) as server:
        missing: list[set[str]] = []
        for words in todo:
            if words[0] == "up":
                assert words == ["up", "--no-demo"]
            elif words[0] == "doctor":
                code, told = house.said("doctor", "--json", "--offline")
                assert code == 3
                missing.append(set(re.findall(r'"name": "([^"]+)",\s+"state": "missing"', told)))
            elif words[:2] == ["setter", "give"]:
                house.wait("the held problem", patience(10 * MINUTE_S), lambda: held(house), 2)
                house.wait("the other problem", patience(10 * MINUTE_S), lambda: on_board(house) == 1, 2)
                assert words[2] == HELD
                code, told = typed(house, words, server.url, tmp_path)
                assert code == 0, told
            else:
                code, told = typed(house, words, server.url, tmp_path)
                assert code == 0, (words, told)
        assert [names - {"site"} for names in missing] == [{"setters", "model", "budget", "backup", "alerts"}]
        house.wait("the problem that was decided", patience(10 * MINUTE_S), lambda: on_board(house) == 2, 2)
        assert {asked.headers.get("authorization") or asked.headers["x-api-key"] for asked in server.asked} == {
            "Bearer key-of-orion", "key-of-tern", "Bearer key-of-gull",
        }  # fmt: skip
    [row] = house.get("/api/v1/boards/codegen?protocol=fresh").json()["rows"]
    assert (row["model"], row["rank"], row["score"]) == ("gull", 1, 100.0)
    _, told = house.said("doctor", "--json", "--offline")
    assert re.findall(r'"name": "([^"]+)",\s+"state": "missing"', told) == ["alerts"]
    with house.sessions() as session:
        assert [float(usd) for usd in session.scalars(select(BudgetRow.usd))] == [10.0]
        assert session.scalars(select(AuditEntry).where(AuditEntry.action == "backup")).one()
        assert DEMO_SITE not in session.scalars(select(Source.slug)).all()
        assert len(session.scalars(select(Endpoint.id)).all()) == 3, "no bundled model or setter"
    assert "demo" not in house.pids()
    for page in ("/en/", "/en/models", "/en/problems", "/en/status"):
        assert "Harbour" not in house.get(page).text


def held(house: Installation) -> bool:
    """The disputed problem waits for a person, with the reason."""
    ways = house.get("/api/v1/status/contests").json()
    found = {each["problem"]: each["reason"] for way in ways for each in way["held"]}
    return "contradict" in found.get(HELD, "")


def on_board(house: Installation) -> int:
    """How many problems the board has with all answers judged; 0 while it has none."""
    body = house.get("/api/v1/boards/codegen?protocol=fresh").json()
    rows = [row for row in body["rows"] if row["coverage"] == 1.0]
    return max((row["n_problems"] for row in rows), default=0)
