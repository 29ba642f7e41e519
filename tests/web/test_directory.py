"""The lists of problems and models: what is public, newest first, found by what it is called, a page at a time."""

import re
from datetime import date, timedelta
from typing import Any
from urllib.parse import urlsplit
from xml.etree.ElementTree import fromstring

import httpx
import pytest
from factories import World

from app.domain.judging.verdicts import Verdict
from app.domain.states import ProblemState

DAY = date(2026, 3, 1)


def names(client: httpx.Client, path: str) -> list[str]:
    """What all pages of a list of the API hold, in their order."""
    found: list[str] = []
    cursor: Any = ""
    while cursor is not None:
        more = {"cursor": cursor} if cursor else {}
        body = client.get(path, params={**dict(httpx.QueryParams(path.partition("?")[2])), **more}).json()
        found += [row.get("external_id") or row["slug"] for row in body["data"]]
        cursor = body["next_cursor"]
    return found


def test_problems_come_newest_first_and_only_public_ones(world: World, client: httpx.Client) -> None:
    for number in (3, 1, 2):
        world.problem(f"p{number}", day=DAY + timedelta(days=number))
    same = [world.problem(name, day=DAY) for name in ("a", "b", "c")]
    secret = world.problem("secret", day=DAY, state=ProblemState.CHECKED)
    same[1].state = ProblemState.WITHDRAWN
    world.catalogued("filed", day=DAY + timedelta(days=9), source="atcoder")
    world.session.commit()
    everything = ["filed", "p3", "p2", "p1", "c", "b", "a"]
    assert names(client, "/api/v1/problems") == everything
    assert names(client, "/api/v1/problems?limit=2") == everything, "a page at a time"
    assert names(client, "/api/v1/problems?platform=atcoder") == ["filed"]
    after = f"/api/v1/problems?limit=1&cursor={secret.id}"
    assert client.get(after).json()["data"] == [], "nobody learns when a hidden problem came out"
    page = client.get("/en/problems").text
    places = [page.index(f'/en/problems/{"atcoder" if name == "filed" else "house"}/{name}"') for name in everything]
    assert places == sorted(places)
    assert (page.count(">withdrawn<"), page.count(">imported only<"), "secret" in page) == (1, 1, False)


def test_problems_are_found_by_any_of_their_names(world: World, client: httpx.Client) -> None:
    problem = world.problem("abc400_d", day=DAY)
    problem.title, problem.titles = "100% Takahashi", {"zh": "高桥的旅行", "ja": "École　Ёлка"}
    world.problem("other", day=DAY)
    world.session.commit()
    for text in ("takaHASHI", "0% t", "旅行", "ABC400", "Takahashi ", "éCOLE　ёЛК"):
        assert names(client, f"/api/v1/problems?{httpx.QueryParams(q=text)}") == ["abc400_d"], text
        assert "abc400_d" in client.get("/en/problems", params={"q": text}).text
    assert names(client, "/api/v1/problems?q=zh") == [], "what languages are called is no title"
    assert names(client, "/api/v1/problems?q=100_") == [], "no sign stands for another"
    assert "高桥的旅行" in client.get("/zh/problems").text
    assert names(client, "/api/v1/problems?q=%20") == ["other", "abc400_d"], "no text asks for nothing"
    assert "No problem matches." in client.get("/en/problems?q=nothing").text


def test_models_are_those_of_public_results(world: World, client: httpx.Client) -> None:
    for slug, public in (("orion", True), ("lyra", False), ("vega", True)):
        world.run(slug, public=public)
    world.model("waiting")
    world.session.commit()
    assert names(client, "/api/v1/models") == names(client, "/api/v1/models?limit=1") == ["vega", "orion"]
    page = client.get("/en/models?q=ORI").text
    assert ("/en/models/orion" in page, "/en/models/vega" in page, "lyra" in page) == (True, False, False)


@pytest.mark.parametrize("kind", ["problems", "models"])
def test_a_long_list_has_pages_that_keep_the_search(world: World, client: httpx.Client, kind: str) -> None:
    for number in range(51):
        world.problem(f"p{number:02}", day=DAY + timedelta(days=number)) if kind == "problems" else world.run(
            f"p{number:02}"
        )
    world.session.commit()
    page = client.get(f"/en/{kind}?q=p").text
    more = page.partition('rel="next"')[0].rpartition('href="')[2].partition('"')[0].replace("&amp;", "&")
    assert (page.count('<th scope="row">'), f"/en/{kind}?q=p&skip=50" == more) == (50, True)
    last = client.get(more).text
    assert (last.count('<th scope="row">'), "p00" in last, f'href="/en/{kind}?q=p"' in last) == (1, True, True)


@pytest.mark.parametrize("asked", ["q=a%00b", f"q={'x' * 201}", "skip=x", "skip=" + "9" * 19, "platform=atcodr"])
def test_what_cannot_be_is_named(world: World, client: httpx.Client, asked: str) -> None:
    world.catalogued("filed", day=DAY, source="atcoder")
    world.session.commit()
    for path in (f"/en/problems?{asked}", f"/api/v1/problems?{asked.replace('skip', 'cursor')}"):
        answer = client.get(path)
        assert answer.status_code in (400, 422), (path, answer.text)
    if "platform" in asked:
        assert "did you mean atcoder?" in client.get(f"/api/v1/problems?{asked}").text


def listed(client: httpx.Client, path: str) -> list[str]:
    """The names in a list of the pages, in its order."""
    return re.findall(r'<th scope="row"><a href="/en/\w+/(?:house/|atcoder/)?([\w-]+)', client.get(path).text)


def test_problems_are_sorted_and_filtered_by_what_a_list_shows(world: World, client: httpx.Client) -> None:
    easy, hard, third = (
        world.problem(name, day=DAY + timedelta(days=n), level=level, title=title, topics=topics, tags=["own tag"] * n)
        for n, (name, level, title, topics) in enumerate(
            (("a", 1, "Zebra", ["graphs", "trees"]), ("b", 3, "apple", ["graphs"]), ("c", 2, "Mango", []))
        )
    )
    runs = [world.run(slug) for slug in ("orion", "lyra")]
    for run in runs:
        world.answer(run, easy)
        world.answer(run, hard, Verdict.WRONG_ANSWER)
    world.answer(runs[0], third)
    world.answer(runs[1], third, Verdict.WRONG_ANSWER)
    world.catalogued("filed", day=DAY - timedelta(days=9), source="atcoder", level=None)
    world.count()
    world.session.commit()
    orders = {
        "": ["c", "b", "a", "filed"], "sort=released&dir=asc": ["filed", "a", "b", "c"],
        "sort=title": ["b", "c", "filed", "a"], "sort=title&dir=desc": ["a", "filed", "c", "b"],
        "sort=level": ["a", "c", "b", "filed"], "sort=level&dir=desc": ["b", "c", "a", "filed"],
        "sort=solved": ["a", "c", "b", "filed"], "sort=solved&dir=asc": ["b", "c", "a", "filed"],
        "sort=source": ["filed", "c", "b", "a"],
        "topic=graphs": ["b", "a"], "topic=trees": ["a"], "tag=own+tag": ["c", "b"], "level=hard": ["b"],
        "platform=atcoder": ["filed"], "topic=graphs&level=easy&q=zeb": ["a"], "topic=games": [],
    }  # fmt: skip
    assert {asked: listed(client, f"/en/problems?{asked}") for asked in orders} == orders
    page = client.get("/en/problems?sort=title&topic=graphs").text
    assert 'aria-sort="ascending"' in page
    assert 'href="/en/problems?topic=graphs&amp;sort=title&amp;dir=desc"' in page, "another press turns it round"
    assert page.count("aria-sort=") == 1
    for wrong in ("sort=size", "dir=up", "topic=x", "level=x", "tag=%00"):
        assert client.get(f"/en/problems?{wrong}").status_code == 422, wrong


def test_models_are_sorted_and_filtered_by_what_a_list_shows(world: World, client: httpx.Client) -> None:
    problem = world.problem("a", day=DAY)
    facts = (("orion", date(2026, 1, 1), True, "Zeta"), ("lyra", date(2025, 1, 1), False, "Alpha"),
             ("vega", date(2027, 1, 1), None, "Alpha"))  # fmt: skip
    for n, (slug, cutoff, weights, vendor) in enumerate(facts):
        run = world.run(slug, cutoff_on=cutoff, open_weights=weights, organisation_name=vendor)
        world.answer(run, problem, Verdict.WRONG_ANSWER if n == 0 else Verdict.ACCEPTED)
    world.count()
    world.session.commit()
    orders = {
        "": ["lyra", "orion", "vega"], "sort=score&dir=asc": ["vega", "orion", "lyra"],
        "sort=name": ["lyra", "orion", "vega"], "sort=cutoff": ["vega", "orion", "lyra"],
        "sort=organisation&dir=desc": ["orion", "vega", "lyra"],
        "weights=open": ["orion"], "organisation=Alpha": ["lyra", "vega"], "q=veg": ["vega"],
    }  # fmt: skip
    assert {asked: listed(client, f"/en/models?{asked}") for asked in orders} == orders
    page = client.get("/en/models").text
    assert "no rank: may have seen some of these problems" in page.partition("/en/models/vega")[2]
    assert client.get("/en/models?weights=closed").status_code == 422


def test_a_search_finds_models_problems_topics_and_tags(world: World, client: httpx.Client) -> None:
    world.problem("abc400_d", day=DAY, title="Graph walk", topics=["graphs"], tags=["graph theory", "dp"])
    world.run("graphite")
    world.session.commit()
    page = client.get("/en/search?q=GRAPH").text
    for link in ("/en/models/graphite", "/en/problems/house/abc400_d", "/en/problems?topic=graphs",
                 "/en/problems?tag=graph+theory"):  # fmt: skip
        assert f'href="{link}"' in page, link
        assert client.get(link).status_code == 200, link
    assert "topic=games" not in page, "no problem has it"
    assert 'href="/zh/problems?topic=graphs"' in client.get("/zh/search?q=图").text
    assert "Nothing matches." in client.get("/en/search?q=nothing").text
    assert "Nothing matches." not in client.get("/en/search").text
    assert client.get("/en/search?q=a%00").status_code == 422
    assert "Disallow: /en/search" in client.get("/robots.txt").text


def test_crawlers_are_told_every_page_in_each_language(world: World, client: httpx.Client) -> None:
    world.problem("1550/B", day=DAY)
    world.problem("secret", day=DAY, state=ProblemState.CHECKED)
    world.run("orion")
    world.session.commit()
    rules = client.get("/robots.txt").text
    assert {"Disallow: /samples/", "Disallow: /zh/compare", "Disallow: /en/samples/"} <= set(rules.splitlines())
    [map_at] = re.findall(r"Sitemap: (.+)", rules)
    answer = client.get(urlsplit(map_at).path)
    assert answer.headers["content-type"] == "application/xml"
    told = [urlsplit(str(each.text)).path for each in fromstring(answer.text).iter() if each.tag.endswith("}loc")]
    assert {"/en/", "/zh/boards/codegen", "/en/snapshots", "/en/problems/house/1550/B", "/zh/models/orion"} <= set(told)
    assert not any("secret" in path for path in told)
    assert {client.get(path).status_code for path in told[::6]} == {200}
