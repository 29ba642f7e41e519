"""Frozen boards: the same bytes for ever, whatever becomes of the board, and nothing that was tampered with."""

import hashlib
import json
import re
import zlib
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from time import sleep
from typing import Any

import pytest
from factories import NOW, World, web_app
from httpx import Client
from served import NO_AUTHORITIES, served
from sqlalchemy import event, select
from support.facts import facts_may_change
from typer.testing import CliRunner

from app.cli.__main__ import build_parser
from app.config import Settings
from app.db.kernel import revision
from app.db.kernel.session import SessionMaker
from app.db.tables import AuditEntry, Blob, LedgerEntry, Snapshot
from app.domain.asking.protocols import FRESH, HOUSE, LCB_RECORDED
from app.domain.boards.board import BoardQuery
from app.domain.judging.verdicts import Verdict
from app.services.boards import board_views, snapshots
from app.services.boards.board_views import CubeStore
from app.services.operations.access import issue_login_link
from workers import upkeep
from workers.context import Context

URL = "/api/v1/snapshots"
KEPT = "public, max-age=31536000, immutable"


@pytest.fixture
def cubes(tmp_path: Path) -> CubeStore:
    return CubeStore(tmp_path / "own")


def fill(world: World) -> None:
    """Two models on three problems, one of them with a name that is no markup."""
    problems = [world.problem(f"p{n}", day=date(2026, 5, 1 + n), contest=f"c{n}", level=1 + n) for n in range(3)]
    orion = world.run("orion", name="<b>Orion</b>", configuration={"effort": "high"}, cutoff_on=date(2026, 1, 1))
    lyra = world.run("lyra", cutoff_on=date(2026, 5, 2))
    for n, problem in enumerate(problems):
        world.answer(orion, problem, Verdict.WRONG_ANSWER if n == 2 else Verdict.ACCEPTED)
        world.answer(lyra, problem)
    world.count()
    world.session.commit()


def move_on(world: World) -> None:
    """The board shows something else from here on."""
    world.answer(world.run("vega"), world.problem("p9", day=date(2026, 6, 1), contest="c9"))
    world.count()
    world.session.commit()


def freeze(world: World, cubes: CubeStore, query: BoardQuery | None = None, *, reference: str | None = None) -> str:
    asked = query or BoardQuery()
    sha256 = snapshots.freeze(world.session, asked, cubes, NOW, "operator", "for a paper", reference=reference)
    world.session.commit()
    return sha256


def test_the_bytes_stay_when_the_board_moves_on(
    world: World, client: Client, cubes: CubeStore, sessions: SessionMaker, tmp_path: Path
) -> None:
    fill(world)
    live = client.get("/api/v1/boards/codegen")
    sheet = client.get("/api/v1/boards/codegen.csv").content
    sha256 = freeze(world, cubes)
    first = client.get(f"{URL}/{sha256}")
    assert first.json() == {**live.json(), "snapshot": sha256}
    # How anybody checks it: null put back, hashed.
    bare = re.sub(rb'"snapshot":"[0-9a-f]*"', b'"snapshot":null', first.content)
    assert hashlib.sha256(bare).hexdigest() == sha256
    assert client.get(f"{URL}/{sha256}.csv").content == sheet
    move_on(world)
    assert client.get("/api/v1/boards/codegen").json()["problems"] == 4
    with served(web_app(sessions, tmp_path / "another")) as url, Client(base_url=url, verify=NO_AUTHORITIES) as other:
        for each in (client, other):
            assert each.get(f"{URL}/{sha256}").content == first.content
            assert each.get(f"{URL}/{sha256}.csv").content == sheet
    for path, face in ((f"{URL}/{sha256}", "json"), (f"{URL}/{sha256}.csv", "csv")):
        answer = client.get(path)
        assert answer.headers["cache-control"] == KEPT
        assert answer.headers["etag"] == f'W/"{sha256}-{face}"'
        known = client.get(path, headers={"If-None-Match": answer.headers["etag"]})
        assert (known.status_code, known.content) == (304, b"")


def test_the_same_content_is_the_same_snapshot(world: World, client: Client, cubes: CubeStore) -> None:
    fill(world)
    first = freeze(world, cubes)
    assert freeze(world, cubes) == first
    revision.mark_axes_changed(world.session)  # as by a cutoff edited on another board
    assert freeze(world, cubes) == first
    other = freeze(world, cubes, BoardQuery(models=("orion",)))
    compared = freeze(world, cubes, reference="lyra")
    assert len({first, other, compared}) == 3
    titles = [item["title"] for item in client.get("/feeds/changes.json").json()["items"]]
    assert f"board frozen: {first[:12]}" in titles, "the beginning of a digest is enough for a reader"
    kinds = world.session.scalars(select(LedgerEntry.subject).where(LedgerEntry.kind == "snapshot.frozen")).all()
    assert kinds == [first, other, compared]
    audits = world.session.scalars(select(AuditEntry).where(AuditEntry.action == "snapshot.freeze")).all()
    assert (audits[0].actor, audits[0].subject, audits[0].reason) == ("operator", first, "for a paper")
    seen, cursor = [], None
    while True:
        page = client.get(URL, params={"limit": 2, **({"cursor": cursor} if cursor else {})}).json()
        seen += [each["sha256"] for each in page["data"]]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert seen == [compared, other, first]
    said = client.get(URL).json()["data"][0]
    assert (said["query"], said["frozen_by"]) == ({"protocol": ["house"], "ref": ["lyra"]}, "operator")


@pytest.mark.parametrize("name", ["0" * 64, "A" * 64, "nothing", "0" * 64 + ".csv", "%00", "x%2Fy"])
def test_what_was_never_frozen_is_not_found(client: Client, name: str) -> None:
    assert client.get(f"{URL}/{name}").status_code == 404
    assert client.get(f"/en/snapshots/{name}").status_code == 404


def test_what_was_tampered_with_is_not_shown(world: World, client: Client, cubes: CubeStore) -> None:
    fill(world)
    sha256 = freeze(world, cubes)
    blob = world.session.get_one(Blob, sha256)
    body = json.loads(zlib.decompress(blob.body))
    body["rows"][0]["score"] = 99.9
    with facts_may_change(world.session):
        blob.body = zlib.compress(json.dumps(body, sort_keys=True, separators=(",", ":")).encode())
    world.session.commit()
    for path in (f"{URL}/{sha256}", f"/en/snapshots/{sha256}"):
        answer = client.get(path)
        assert answer.status_code == 503, path
        assert "99.9" not in answer.text
        assert answer.headers.get("cache-control") != KEPT
    assert client.get(f"{URL}/{sha256}.csv").status_code == 200


def test_a_page_shows_the_frozen_rows_and_how_to_cite_them(world: World, client: Client, cubes: CubeStore) -> None:
    fill(world)
    sha256 = freeze(world, cubes, BoardQuery(models=("orion", "lyra")), reference="lyra")
    move_on(world)
    page = client.get(f"/en/snapshots/{sha256}").text
    assert "&lt;b&gt;Orion&lt;/b&gt;" in page
    assert "<b>Orion</b>" not in page
    assert "Vega" not in page
    for said in ("66.7", "2026-11-20 18:00Z", "for a paper", "operator</dd>", "model: orion", "reference: lyra"):
        assert said in page, said
    link = f"http://127.0.0.1:8321/snapshots/{sha256}"
    assert f"@misc{{tidemark-{sha256[:12]}," in page
    assert f"\\url{{{link}}}" in page
    assert page.count(link) >= 3
    assert "http://127.0.0.1:8321" in client.get(f"/en/snapshots/{sha256}", headers={"Host": "evil.example"}).text
    assert "evil.example" not in client.get(f"/en/snapshots/{sha256}", headers={"Host": "evil.example"}).text
    chinese = client.get(f"/zh/snapshots/{sha256}").text
    assert "代码生成（2026-11-20 快照）" in chinese
    listed = client.get("/en/snapshots").text
    assert f'href="/en/snapshots/{sha256}"' in listed
    assert "代码生成" in client.get("/zh/snapshots").text


@pytest.mark.parametrize("damage", [zlib.compress(b"{}"), b"no longer what it was"])
def test_a_damaged_copy_keeps_no_other_board_from_being_frozen(world: World, cubes: CubeStore, damage: bytes) -> None:
    fill(world)
    [first] = snapshots.freeze_due(world.session, cubes, NOW)
    with facts_may_change(world.session):
        world.session.get_one(Blob, first).body = damage
        world.session.flush()
    world.answer(world.run("altair", protocol=FRESH), world.problem("abc1_a", source="atcoder", contest="abc1"))
    move_on(world)
    frozen = snapshots.freeze_due(world.session, cubes, NOW + timedelta(days=7))
    kept = world.session.scalars(select(Snapshot).where(Snapshot.sha256.in_(frozen))).all()
    assert {snapshot.query["protocol"][0] for snapshot in kept} == {FRESH.slug, HOUSE.slug}


def test_the_clock_freezes_what_changed_once_a_week(world: World, cubes: CubeStore) -> None:
    world.run("silent", protocol=LCB_RECORDED)
    fill(world)
    assert len(snapshots.freeze_due(world.session, cubes, NOW)) == 1, "a protocol without rows is not frozen"
    move_on(world)
    assert snapshots.freeze_due(world.session, cubes, NOW + timedelta(days=6)) == []
    assert len(snapshots.freeze_due(world.session, cubes, NOW + timedelta(days=7))) == 1
    world.count()  # another revision, the same board
    world.session.commit()
    assert snapshots.freeze_due(world.session, cubes, NOW + timedelta(days=30)) == []
    kept = world.session.scalars(select(Snapshot).order_by(Snapshot.id)).all()
    assert [(each.board, each.frozen_by, each.query) for each in kept] == [
        ("codegen", "clock", {"protocol": [HOUSE.slug]})
    ] * 2


def test_a_board_is_kept_again_when_it_shows_something_else(world: World, cubes: CubeStore) -> None:
    fill(world)
    first = freeze(world, cubes)
    assert freeze(world, cubes) == first
    move_on(world)
    assert freeze(world, cubes) != first


def test_what_is_kept_for_ever_lags_behind_in_nothing(world: World, cubes: CubeStore) -> None:
    fill(world)

    def read_slowly(*of: Any) -> None:  # what answers took is shown for fifty times as long as it takes to read
        if "latency_ms" in of[2]:
            sleep(0.2)

    event.listen(world.session.connection(), "after_cursor_execute", read_slowly)
    board_views.board(world.session, BoardQuery(), cubes)
    move_on(world)
    body = snapshots.frozen_body(world.session, freeze(world, cubes))
    assert {row["model"]: row["seconds_per_problem"] for row in body["rows"]} == {
        "orion": 1.5,
        "lyra": 1.5,
        "vega": 1.5,
    }


def test_the_task_freezes_over_its_own_cubes(ctx: Context) -> None:
    with ctx.sessions() as session:
        fill(World(session))
    upkeep.freeze_boards()
    with ctx.sessions() as session:
        assert session.scalars(select(Snapshot.frozen_by)).all() == ["clock"]


@pytest.fixture
def maintainer(world: World, sessions: SessionMaker, tmp_path: Path) -> Iterator[Client]:
    """A signed-in maintainer's browser."""
    fill(world)
    token = issue_login_link(world.session, NOW, "ada@example.test")
    world.session.commit()
    with served(web_app(sessions, tmp_path)) as url, Client(base_url=url, verify=NO_AUTHORITIES) as made:
        made.post("/en/login", data={"token": token})
        yield made


def test_a_maintainer_freezes_the_view_they_look_at(world: World, client: Client, maintainer: Client) -> None:
    assert "Freeze this board" not in client.get("/en/").text
    view = maintainer.get("/en/?difficulty=easy&ref=lyra")
    assert view.headers["cache-control"] == "no-store"
    fields = dict(re.findall(r'type="hidden" name="(csrf|board|query)" value="([^"]*)"', view.text))
    form = {**fields, "query": fields["query"].replace("&amp;", "&")}
    assert form["query"] == "difficulty=easy&ref=lyra"
    for changed, status in (
        ({"csrf": "x"}, 403),
        ({"reason": " "}, 422),
        ({"board": "no"}, 404),
        ({"query": "a=b"}, 422),
    ):
        answer = maintainer.post("/en/snapshots", data={**form, "reason": "so", **changed}, follow_redirects=False)
        assert answer.status_code == status, changed
    assert client.post("/en/snapshots", data={**form, "reason": "so"}).status_code == 401
    done = maintainer.post("/en/snapshots", data={**form, "reason": "so"}, follow_redirects=False)
    assert done.status_code == 303
    page = client.get(done.headers["location"]).text
    assert "maintainer</dd>" in page
    assert "ada@" not in page + client.get(URL).text, "who it was is nobody's business"
    [entry] = world.session.scalars(select(AuditEntry).where(AuditEntry.action == "snapshot.freeze"))
    assert (entry.actor, entry.reason) == ("ada@example.test", "so")


def test_the_verb_freezes_what_the_same_filters_show(settings: Settings, ctx: Context, url: str) -> None:
    with ctx.sessions() as session:
        fill(World(session))
    door = CliRunner(env={"TIDEMARK_DATABASE_URL": settings.database_url, "TIDEMARK_REDIS_URL": settings.redis_url,
                          "TIDEMARK_STATE": str(settings.state_dir)})  # fmt: skip
    words = ["snapshot", "codegen", "--difficulty", "easy", "--reason", "for a talk"]
    said = door.invoke(build_parser(["snapshot"]), [*words, "--json"])
    assert said.exit_code == 0, said.output
    made = json.loads(said.stdout.splitlines()[-1])  # before it, that a cube was built
    assert made["url"] == f"http://127.0.0.1:8321/snapshots/{made['sha256']}"
    assert door.invoke(build_parser(["snapshot"]), words).stdout.splitlines() == [made["sha256"], made["url"]]
    with Client(base_url=url, verify=NO_AUTHORITIES) as client:
        frozen = client.get(f"{URL}/{made['sha256']}").json()
        assert frozen["filters"]["difficulty"] == ["easy"]
        assert client.get(URL).json()["data"][0]["reason"] == "for a talk"
    assert door.invoke(build_parser(["snapshot"]), words[:-2]).exit_code == 2, "no reason"
