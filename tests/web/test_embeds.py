"""Faces of a board for other sites: each shows the board's own numbers, and may be loaded from elsewhere."""

import io
import json
import re
from datetime import date, timedelta

import pytest
from factories import NOW, World
from httpx import Client
from PIL import Image

from app.db.tables import Contest
from app.domain.asking.protocols import PRIVATE_SOURCE
from app.domain.judging.verdicts import Verdict


def _site(client: Client) -> str:
    """The public address of the site under test."""
    return str(client.get("/api/v1/openapi.json").json()["servers"][0]["url"])


@pytest.fixture
def small_league(world: World) -> World:
    """Two ranked models over twelve contests, and one without a rank."""
    problems = [
        world.problem(f"p{index}", day=date(2026, 3, 1) + timedelta(weeks=index), contest=f"c{index}")
        for index in range(12)
    ]
    orion = world.run("orion", configuration={"effort": "high"}, cutoff_on=date(2026, 1, 1))
    vega = world.run("vega", cutoff_on=date(2026, 1, 1))
    partial = world.run("partial", cutoff_on=date(2026, 1, 1))
    for index, problem in enumerate(problems):
        world.answer(orion, problem, Verdict.ACCEPTED if index % 4 else Verdict.WRONG_ANSWER)
        world.answer(vega, problem, Verdict.ACCEPTED if index % 2 else Verdict.WRONG_ANSWER)
        if index < 3:
            world.answer(partial, problem, Verdict.ACCEPTED)
    world.count()
    world.session.commit()
    return world


def _rows(client: Client) -> dict[str, dict[str, float]]:
    return {row["model"]: row for row in client.get("/api/v1/boards/codegen").json()["rows"]}


def test_badge_shows_score_interval_and_ranks_of_the_row(small_league: World, client: Client) -> None:
    row = _rows(client)["orion"]
    answer = client.get("/badge/orion.svg")
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert answer.headers["cross-origin-resource-policy"] == "cross-origin"
    half = (row["ci_hi"] - row["ci_lo"]) / 2
    ranks = f"#{row['rank']}" if row["rank_lo"] == row["rank_hi"] else f"#{row['rank_lo']}–{row['rank_hi']}"
    assert f"{row['score']:.1f} ±{half:.1f} · {ranks}" in answer.text
    assert "no rank" in client.get("/badge/partial.svg").text
    assert "未排名" in client.get("/zh/badge/partial.svg").text


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/badge/nobody.svg", 404),
        ("/badge/orion.svg?configuration=low", 404),
        ("/badge/orion.svg?board=nothing", 404),
        ("/badge/orion.svg?form=2020-01-01", 422),
        ("/embed/board?rows=0", 422),
        ("/embed/board?rows=ten", 422),
        ("/embed/board?theme=pink", 422),
        ("/social/nothing.png", 404),
    ],
)
def test_embeds_refuse_what_they_cannot_show(small_league: World, client: Client, address: str, status: int) -> None:
    assert client.get(address).status_code == status


def test_demo_rows_are_called_so_wherever_they_show(world: World, client: Client) -> None:
    run = world.run("bundled", cutoff_on=date(2026, 1, 1), demo=True)
    for index in range(4):
        world.answer(run, world.problem(f"p{index}", day=date(2026, 3, 1), contest=f"c{index}"), Verdict.ACCEPTED)
    world.count()
    world.session.commit()
    assert "(demo)" in client.get("/badge/bundled.svg").text
    assert 'class="tag demo"' in client.get("/en/embed/board").text


def test_badge_escapes_a_hostile_model_name(world: World, client: Client) -> None:
    run = world.run("evil", cutoff_on=date(2026, 1, 1), name='"><script>alert(1)</script>')
    world.answer(run, world.problem("p0", day=date(2026, 3, 1), contest="c0"), Verdict.ACCEPTED)
    world.count()
    world.session.commit()
    assert "<script" not in client.get("/badge/evil.svg").text


def test_embedded_board_may_be_framed_and_holds_only_ranked_rows(small_league: World, client: Client) -> None:
    answer = client.get("/en/embed/board?rows=5&theme=dark")
    assert "frame-ancestors *" in answer.headers["content-security-policy"]
    assert "x-frame-options" not in answer.headers
    assert 'data-theme="dark"' in answer.text
    assert re.findall(r'<th scope="row">([^<]+)</th>', answer.text) == ["Orion (high)", "Vega"]
    assert not re.search(r"<(script|form|button|input|select|iframe)", answer.text)
    assert client.get("/en/embed/board?rows=1").text.count('scope="row"') == 1
    assert client.get("/en/").headers["x-frame-options"] == "DENY"


def test_social_image_is_a_png_of_the_size_that_networks_ask_for(small_league: World, client: Client) -> None:
    answer = client.get("/social/codegen.png")
    picture = Image.open(io.BytesIO(answer.content))
    assert (picture.format, picture.size) == ("PNG", (1200, 630))
    assert len(answer.content) < 80_000
    assert f'<meta property="og:image" content="{_site(client)}/social/codegen.png">' in client.get("/en/").text


def test_board_describes_its_files_as_a_dataset(small_league: World, client: Client) -> None:
    page = client.get("/en/?from=2026-03-15").text
    found = json.loads(re.findall(r'<script type="application/ld\+json">(.*?)</script>', page, re.S)[0])
    assert found["@type"] == "Dataset"
    for entry in found["distribution"]:
        path = entry["contentUrl"].removeprefix(_site(client))
        assert "from=2026-03-15" in path
        assert client.get(path).status_code == 200


def test_calendar_lists_dated_contests_of_public_sources_in_whole_lines(world: World, client: Client) -> None:
    world.problem("p0", day=NOW.date(), contest="near")
    near = world.session.query(Contest).filter_by(external_id="near").one()
    near.title, near.starts_at, near.ends_at = "潮汐赛, 第一场; " + "长" * 40, NOW, NOW + timedelta(hours=2)
    world.problem("p1", day=NOW.date(), contest="secret", source=PRIVATE_SOURCE)
    secret = world.session.query(Contest).filter_by(external_id="secret").one()
    secret.starts_at, secret.ends_at = NOW, NOW + timedelta(hours=2)
    world.session.commit()
    body = client.get("/calendar.ics").content
    assert all(len(line) <= 75 for line in body.split(b"\r\n"))
    whole = body.replace(b"\r\n ", b"").decode()
    assert whole.startswith("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n")
    assert "潮汐赛\\, 第一场\\; 长长" in whole
    assert f"DTSTART:{NOW:%Y%m%dT%H%M%SZ}" in whole
    assert "secret" not in whole
    assert whole.count("BEGIN:VEVENT") == 1


def test_llms_text_leads_to_pages_that_answer(small_league: World, client: Client) -> None:
    text = client.get("/llms.txt").text
    paths = [url.removeprefix(_site(client)) for url in re.findall(r"\]\((\S+?)\)", text)]
    assert "/api/v1/boards/codegen" in paths
    assert {path: client.get(path).status_code for path in paths} == dict.fromkeys(paths, 200)


def test_page_names_the_parameters_that_it_ignores(small_league: World, client: Client) -> None:
    assert "This page ignores" not in client.get("/en/?from=2026-03-15&sort=score&dir=asc&tab=cost").text
    page = client.get("/en/models?order=name&<b>=1").text
    assert "This page ignores these parameters of the address: order, &lt;b&gt;." in page
    assert "本页忽略了网址中的参数：utm_source。" in client.get("/zh/?utm_source=x").text


def test_static_files_come_in_the_smallest_encoding_accepted(client: Client) -> None:
    css = re.findall(r'href="(/static/site\.[0-9a-f]+\.css)"', client.get("/en/").text)[0]
    for accepted, encoding in (("gzip, br", "br"), ("gzip", "gzip"), ("br;q=0, gzip", "gzip"), ("identity", None)):
        answer = client.get(css, headers={"accept-encoding": accepted})
        assert answer.headers.get("content-encoding") == encoding
        assert "@layer" in answer.text
