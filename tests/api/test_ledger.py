"""The public ledger: as JSON, as pages, as feeds; and cutoffs edited in the open."""

import json
import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any
from xml.etree import ElementTree

import pytest
from bs4 import BeautifulSoup
from factories import NOW, World
from httpx import Client
from served import NO_AUTHORITIES
from sqlalchemy import select
from typer.testing import CliRunner

from app.cli.__main__ import build_parser
from app.config import Settings
from app.db.kernel import logs
from app.db.tables import AuditEntry, CutoffEdit, LedgerEntry, Model
from app.domain.asking.protocols import HOUSE
from app.domain.errors import Conflict, InvalidInput, NotFound, TidemarkError
from app.domain.imports import ImportedModel
from app.domain.methods import METHODS
from app.domain.reasons import Reason
from app.domain.scenarios import shipped_protocols
from app.services.runs import plan
from workers.context import Context, now

ATOM = "{http://www.w3.org/2005/Atom}"
HOSTILE = "<script>alert('1')</script> & \"]]>\x0b\ufffe"
SITE = "http://127.0.0.1:8321"


def say(world: World, kind: str, subject: str, *, reason: str = "because", minutes: int = 0, **change: Any) -> None:
    logs.write_ledger(world.session, NOW + timedelta(minutes=minutes), kind, subject, reason, **change)
    world.session.flush()


def fill(world: World, lines: int = 0) -> None:
    world.problem("a", day=date(2026, 5, 1), title=HOSTILE)
    world.model("orion", name="Orion & <i>Sons</i>")
    say(world, "problem.added", "house/a", reason=HOSTILE)
    say(world, "model.added", "orion", minutes=1)
    say(world, "model.cutoff", "orion", minutes=2, before={"date": "2026-01-01", "basis": "declared"},
        after={"date": "2026-02-01", "basis": "declared"})  # fmt: skip
    for n in range(lines):
        say(world, "problem.added", f"house/n{n}", minutes=3 + n)
    world.session.commit()


def test_the_ledger_is_paged_and_filtered(world: World, client: Client) -> None:
    fill(world, 10)
    seen: list[int] = []
    cursor: int | None = None
    while True:
        params = {"limit": 4, **({"cursor": cursor} if cursor else {})}
        page = client.get("/api/v1/ledger", params=params).json()
        seen += [each["id"] for each in page["data"]]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert len(seen) == 13
    assert seen == sorted(set(seen), reverse=True)

    def kinds(**params: str | list[str]) -> list[str]:
        return [each["kind"] for each in client.get("/api/v1/ledger", params=params).json()["data"]]

    assert kinds(subject="orion") == ["model.cutoff", "model.added"]
    assert kinds(kind=["model.added", "model.cutoff"]) == ["model.cutoff", "model.added"]
    assert kinds(kind="model.added", subject="house/a") == []
    [cutoff] = client.get("/api/v1/ledger", params={"kind": "model.cutoff"}).json()["data"]
    assert (cutoff["name"], cutoff["before"]["date"]) == ("Orion & <i>Sons</i>", "2026-01-01")
    for odd in ({"limit": 0}, {"limit": 201}, {"cursor": "x"}, {"kind": ""}, {"kind": "\x00"}, {"sort": "id"}):
        assert client.get("/api/v1/ledger", params=odd).status_code == 422, odd


def test_the_page_says_what_changed_in_both_languages(world: World, client: Client) -> None:
    fill(world, 60)
    page = client.get("/en/changes?kind=all").text
    assert page.count('<th scope="row">') == 50
    older = page.split('rel="next"')[0].rsplit('href="', 1)[1].split('"')[0].replace("&amp;", "&")
    rest = client.get(older).text
    assert rest.count('<th scope="row">') == 13
    assert "Newest" in rest
    assert "&lt;script&gt;" in rest
    assert "<script>alert" not in rest
    assert "date: 2026-01-01 → 2026-02-01" in rest
    assert "basis:" not in rest, "of two records only what differs"
    only = client.get("/en/changes?kind=model.cutoff").text
    assert only.count('<th scope="row">') == 1
    assert 'aria-current="true">cutoff edited (1)' in only
    assert "修改训练截止日期" in client.get("/zh/changes?subject=orion").text
    for before in ("x", "-1", "%C2%B2", "9" * 19):
        assert client.get(f"/en/changes?before={before}").status_code == 422
    assert client.get("/en/changes?before=" + "9" * 18).status_code == 200
    assert client.get("/en/changes?kind=%00").status_code == 422
    for monday in ("x", "2026-11-17", "20261116", "2026-W47-1"):
        assert client.get(f"/en/changes?until={monday}").status_code == 422
        assert client.get(f"/en/changes?week={monday}").status_code == 422
    assert (
        "没有" in client.get("/zh/changes?kind=nothing").text
        or "尚无变更" in client.get("/zh/changes?kind=nothing").text
    )


def test_changes_stand_by_week_with_rank_moves_first(world: World, client: Client) -> None:
    fill(world, 60)
    place = {"protocol": "house", "configuration": "", "score": 50.0, "rank": 2, "trial": 1}
    cause = {"kind": "problem.withdrawn", "subject": "house/a"}
    for rank in (1, 2):
        after = place | {"score": 60.0, "rank": rank, "because": [cause]}
        say(world, "score.changed", "orion", before=place, after=after)
    for back in range(1, 10):
        say(world, "model.added", "orion", minutes=-back * 7 * 24 * 60)
    world.session.commit()
    page = BeautifulSoup(client.get("/en/changes").text, "lxml")
    weeks = page.select("details.week")
    assert [week.h2.get_text() for week in weeks[:2]] == ["This week", "Week of 2026-11-09"]  # type: ignore[union-attr]
    assert (len(weeks), [week.has_attr("open") for week in weeks]) == (8, [True] + [False] * 7)
    counts = [part.get_text() for part in weeks[0].select(".counts > span")]
    assert counts == ["rank moves 1", "cutoff edited 1", "score changed 1", "model added 1", "problem published 61"]
    parts = {part.dt.get_text(): part.dd for part in weeks[0].select("dl > div")}  # type: ignore[union-attr]
    moved = parts["rank moves"]
    assert moved is not None
    assert "House league: Python, one answer: score 50.00 → 60.00, rank 2 → 1" in moved.get_text()
    [caused] = moved.select("small a")
    assert (caused.get_text(), caused["href"]) == (HOSTILE, "/en/changes?subject=house%2Fa")
    added = parts["problem published"]
    assert added is not None
    assert len(added.select("li")) == 7, "the newest six, and a link to all"
    rest = client.get(str(added.select("a")[-1]["href"])).text
    assert rest.count('<th scope="row">') == 50
    assert "Week of 2026-11-16" in rest
    older = BeautifulSoup(client.get(str(page.select_one("a[rel=next]")["href"])).text, "lxml")  # type: ignore[index]
    assert [week.h2.get_text() for week in older.select("details.week")] == [  # type: ignore[union-attr]
        "Week of 2026-09-21", "Week of 2026-09-14",
    ]  # fmt: skip


def test_methods_are_told_in_the_language_of_page_and_feed(world: World, client: Client) -> None:
    sentence = METHODS["paired_gaps"]
    say(world, "methods.changed", "boards", reason=Reason("paired_gaps"))
    world.session.commit()
    for path, words in (
        ("/en/changes", ("Boards", "methods changed", sentence)),
        ("/en/feeds/changes.json", ("methods changed: Boards", sentence)),
        ("/zh/changes", (">榜单<", "计算方法变更", "榜单上的差距是配对均值")),
        ("/zh/feeds/changes.atom", ("计算方法变更: 榜单", "榜单上的差距是配对均值")),
    ):
        text = client.get(path).text
        assert [each for each in words if each not in text] == [], path
    [line] = client.get("/api/v1/ledger", params={"subject": "boards"}).json()["data"]
    assert (line["kind"], line["subject"], line["reason"]) == ("methods.changed", "boards", sentence)


@pytest.mark.parametrize("path", ["/feeds/changes.atom", "/zh/feeds/changes.atom", "/en/feeds/problems.atom"])
def test_a_feed_is_atom_whatever_titles_hold(world: World, client: Client, path: str) -> None:
    fill(world)
    answer = client.get(path, headers={"Host": "evil.example", "Accept-Language": "zh"})
    assert answer.headers["content-type"] == "application/atom+xml; charset=utf-8"
    assert b"evil.example" not in answer.content
    assert b"<script" not in answer.content
    feed = ElementTree.fromstring(answer.content)
    assert feed.tag == f"{ATOM}feed"
    for parent in (feed, *feed.findall(f"{ATOM}entry")):
        for name in ("id", "title", "updated"):
            assert len(parent.findall(f"{ATOM}{name}")) == 1, name
    assert feed.findtext(f"{ATOM}author/{ATOM}name") == "Tidemark"
    links = {each.get("rel"): each.get("href") for each in feed.findall(f"{ATOM}link")}
    assert links["self"] == f"{SITE}{path}"
    entries = feed.findall(f"{ATOM}entry")
    assert len({entry.findtext(f"{ATOM}id") for entry in entries}) == len(entries)
    assert feed.findtext(f"{ATOM}updated") == entries[0].findtext(f"{ATOM}updated")
    titles = [entry.findtext(f"{ATOM}title") or "" for entry in entries]
    assert titles[-1].endswith("<script>alert('1')</script> & \"]]>"), "shown as it is, without what no XML may hold"
    assert titles[-1].startswith("发布题目" if path.startswith("/zh") else "problem published")
    assert [entry.find(f"{ATOM}link").get("href", "").startswith(SITE) for entry in entries]  # type: ignore[union-attr]


def test_the_json_feeds_are_of_one_kind_each_and_asked_for_twice_cost_nothing(world: World, client: Client) -> None:
    fill(world)
    for name, count in (("changes", 3), ("problems", 1), ("models", 1)):
        answer = client.get(f"/feeds/{name}.json")
        assert answer.headers["content-type"] == "application/feed+json; charset=utf-8"
        body = answer.json()
        assert body["version"] == "https://jsonfeed.org/version/1.1"
        assert body["feed_url"] == f"{SITE}/feeds/{name}.json"
        assert len(body["items"]) == count
        assert all(each["id"].startswith("urn:uuid:") and each["url"].startswith(SITE) for each in body["items"])
        tag = {"If-None-Match": answer.headers["etag"]}
        assert client.get(f"/feeds/{name}.json", headers=tag).status_code == 304
        assert client.get(f"/feeds/{name}.atom", headers=tag).status_code == 200
    before = {each["id"] for each in client.get("/feeds/changes.json").json()["items"]}
    say(world, "problem.withdrawn", "house/a")
    world.session.commit()
    fresh = client.get("/feeds/changes.json", headers=tag)
    assert fresh.status_code == 200
    assert before < {each["id"] for each in fresh.json()["items"]}, "an entry keeps its name"
    for odd in ("/feeds/none.atom", "/feeds/changes.rss", "/feeds/changes"):
        assert client.get(odd).status_code == 404


def test_an_empty_feed_is_a_feed(client: Client) -> None:
    feed = ElementTree.fromstring(client.get("/feeds/changes.atom").content)
    assert feed.findtext(f"{ATOM}updated") == "1970-01-01T00:00:00+00:00"
    page = client.get("/en/").text
    assert '<link rel="alternate" type="application/atom+xml" title="Changes" href="/en/feeds/changes.atom">' in page


Verb = Callable[..., Any]  # what the runner gives


@pytest.fixture
def verb(settings: Settings, ctx: Context) -> Verb:
    """Runs `./tidemark model ...` over the database of this test."""
    names = {"TIDEMARK_DATABASE_URL": settings.database_url, "TIDEMARK_REDIS_URL": settings.redis_url}
    door = CliRunner(env={**names, "TIDEMARK_STATE": str(ctx.settings.state_dir)})
    return lambda *words: door.invoke(build_parser(["model"]), ["model", *words])


CUTOFF = ("--on", "2026-06-01", "--basis", "declared", "--evidence", "https://example.test/card", "--reason", "a card")


def test_a_cutoff_is_edited_in_the_open(ctx: Context, url: str, verb: Verb) -> None:
    with ctx.sessions() as session:
        world = World(session)
        world.answer(world.run("orion", cutoff_on=date(2026, 1, 1)), world.problem("a", day=date(2026, 5, 1)))
        world.model("hidden")
        world.count()
        session.commit()
    with Client(base_url=url, verify=NO_AUTHORITIES) as client:
        assert client.get("/api/v1/boards/codegen").json()["rows"][0]["exposed"] == 0
        done = verb("cutoff", "orion", *CUTOFF)
        assert done.exit_code == 0, done.output
        [row] = client.get("/api/v1/boards/codegen").json()["rows"]
        assert (row["exposed"], row["cutoff"]) == (1, {"date": "2026-06-01", "basis": "declared"})
        page = client.get("/en/models/orion").text
        assert "2026-01-01 → 2026-06-01" in page
        assert "https://example.test/card" in page
        assert "date: 2026-01-01 → 2026-06-01" in client.get("/en/changes?kind=model.cutoff").text
    assert verb("cutoff", "hidden", *CUTOFF).exit_code == 0
    with ctx.sessions() as session:
        assert session.scalars(select(LedgerEntry.subject)).all() == ["orion"], "what is not public is told to nobody"
        assert len(session.scalars(select(CutoffEdit)).all()) == 2
        [audit, _] = session.scalars(select(AuditEntry).where(AuditEntry.action == "model.cutoff"))
        assert (audit.actor, audit.reason, (audit.before or {})["date"]) == ("operator", "a card", "2026-01-01")
    assert isinstance(verb("cutoff", "orion", *CUTOFF).exception, Conflict)


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({"--basis": "released"}, InvalidInput), ({"--basis": "estimated"}, InvalidInput),
        ({"--evidence": " "}, InvalidInput), ({"--evidence": "https://   "}, InvalidInput),
        ({"--evidence": "https://localhost/"}, InvalidInput), ({"--evidence": "https://10.0.0.1/card"}, InvalidInput),
        ({"--basis": "guess"}, InvalidInput),
        ({"--on": "1999-01-01"}, InvalidInput), ({"--on": "soon"}, InvalidInput),
        ({"--on": "2999-01-01"}, InvalidInput),
        ({"--evidence": "javascript:alert(1)"}, InvalidInput), ({"--evidence": "https://[x"}, InvalidInput),
        ({"--reason": " "}, InvalidInput), ({"slug": "nobody"}, NotFound), ({"slug": "A\x01"}, NotFound),
    ],
)  # fmt: skip
def test_a_cutoff_that_cannot_be(verb: Verb, ctx: Context, changed: dict[str, str], error: type[TidemarkError]) -> None:
    with ctx.sessions.begin() as session:
        World(session).model("orion")
    words = dict(zip(CUTOFF[::2], CUTOFF[1::2], strict=True)) | {
        each: changed[each] for each in changed if each != "slug"
    }
    done = verb("cutoff", changed.get("slug", "orion"), *(each for pair in words.items() for each in pair))
    assert isinstance(done.exception, error), done.output
    with ctx.sessions() as session:
        assert session.scalars(select(AuditEntry.action)).all() == []


def test_models_are_added_and_listed(verb: Verb, ctx: Context) -> None:
    more = ("--cutoff", "2026-01-01", "--evidence", "https://example.test/c", "--organisation", "Vendor")
    assert verb("add", "orion", "Orion 5", "--reason", "asked for", *more).exit_code == 0
    assert verb("add", "lyra", "Lyra", "--reason", "asked for").exit_code == 0
    assert isinstance(verb("add", "lyra", "Lyra", "--reason", "again").exception, Conflict)
    for slug, name in (("Lyra", "x"), ("-a", "x"), ("b", " "), ("b", "a\x07")):
        assert isinstance(verb("add", "--reason", "r", "--", slug, name).exception, InvalidInput), (slug, name)
    assert isinstance(verb("add", "b", "B", "--reason", "r", "--link", "ftp://x").exception, InvalidInput)
    for words in ((), ("--evidence", " "), ("--evidence", "a card")):
        dated = verb("add", "b", "B", "--reason", "r", "--cutoff", "2001-01-01", *words)
        assert isinstance(dated.exception, InvalidInput), "a date counts with its evidence alone"
    listed = json.loads(verb("list", "--json").stdout)["models"]
    assert [(each["slug"], each["cutoff_on"], each["cutoff_basis"], each["runs"]) for each in listed] == [
        ("lyra", now().date().isoformat(), "registered", 0), ("orion", "2026-01-01", "declared", 0),
    ]  # fmt: skip
    assert "Orion 5" in verb("list").stdout
    with ctx.sessions() as session:
        assert session.scalars(select(AuditEntry.action)).all() == ["model.created"] * 2
        assert session.scalars(select(LedgerEntry.kind)).all() == [], "they are on no board yet"


def test_bundled_models_are_announced_once(world: World, client: Client) -> None:
    offer = plan.BundledModel(ImportedModel("tern", "Tern"), "http://127.0.0.1:1/v1", ({}, {"a": "b"}))
    for _again in range(2):
        plan.register_demo(world.session, (offer,), HOUSE, NOW)
    more = plan.BundledModel(offer.model, offer.base_url, ({"a": "c"},))
    plan.register_demo(world.session, (more,), HOUSE, NOW)
    plan.register_demo(world.session, (more,), shipped_protocols()["house-samples"], NOW)
    told = world.session.scalars(select(LedgerEntry).order_by(LedgerEntry.id)).all()
    assert [(each.kind, each.subject, each.after) for each in told] == [
        ("model.added", "tern", {"protocol": "house"}), ("score.added", "tern", {"protocol": "house"}),
        ("score.added", "tern", {"protocol": "house-samples"}),
    ], "a line says which score it is about"  # fmt: skip
    world.session.commit()
    assert "House league, simulations: Python, 3 answers" in client.get("/en/changes?kind=score.added").text
    chinese = client.get("/zh/changes?kind=score.added").text
    assert re.search('data-label="变更前 → 变更后">自建题库模拟题：Python，每题三个回答</td>', chinese), "no lang mark"
    assert world.session.scalars(select(Model.slug)).all() == ["tern"]
