"""Pages and boards that are made once for many readers: whose they are, and what they say of their age."""

import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path

import pytest
from factories import World, web_app
from fastapi import FastAPI
from httpx import Client
from served import NO_AUTHORITIES, served
from support.signing_in import sign_in
from support.waiting import until

from app.db.kernel.session import SessionMaker

PAGES = ("/en/", "/en/models", "/en/models/orion", "/en/status", "/en/problems/house/a")
FILES = ("/api/v1/boards/codegen", "/api/v1/boards/codegen.csv")
NOTICE = {"/en/": "s ago; newer results are being counted.", "/zh/": "秒前的结果，更新的结果正在统计。"}


@pytest.fixture
def app(sessions: SessionMaker, tmp_path: Path) -> FastAPI:
    return web_app(sessions, tmp_path)


@pytest.fixture
def client(app: FastAPI) -> Iterator[Client]:
    with served(app) as url, Client(base_url=url, timeout=120, verify=NO_AUTHORITIES) as made:
        yield made


def answer(world: World, problem: str) -> None:
    """One more answer of the one run, on the board."""
    world.answer(world.run("orion", cutoff_on=date(2025, 1, 1)), world.problem(problem))
    world.count()
    world.session.commit()


@contextmanager
def hurry(app: FastAPI) -> Iterator[None]:
    """Have readers get the last answer at once, as in a crowd. What is made meanwhile is there at the end: the test's
    one connection to the database takes one question at a time."""
    patience, app.state.response_cache.patience_s = app.state.response_cache.patience_s, 0.0
    yield
    app.state.response_cache.patience_s = patience
    until(lambda: app.state.response_cache.building == 0, "the newest answer")


@pytest.mark.parametrize("path", NOTICE)
def test_a_page_that_is_not_the_newest_says_its_age(path: str, world: World, app: FastAPI, client: Client) -> None:
    answer(world, "a")
    newest = client.get(path)
    assert NOTICE[path] not in newest.text
    assert "age" not in newest.headers
    with hurry(app):
        assert "age" not in client.get(path).headers, "nothing has changed"
        world.count()
        world.session.commit()
        last = client.get(path, headers={"If-None-Match": newest.headers["etag"]})
    assert last.status_code == 200
    assert NOTICE[path] in last.text
    assert int(last.headers["age"]) < 60
    assert "etag" not in last.headers, "it is not the page that has this tag"
    exact = client.get(path)
    assert NOTICE[path] not in exact.text
    assert exact.headers["etag"] != newest.headers["etag"]


@pytest.mark.parametrize("path", FILES)
def test_a_file_that_is_not_the_newest_has_its_age_and_its_own_tag(
    path: str, world: World, app: FastAPI, client: Client
) -> None:
    answer(world, "a")
    newest = client.get(path)
    world.count()
    world.session.commit()
    with hurry(app):
        last = client.get(path)
    assert (last.text, last.headers["etag"]) == (newest.text, newest.headers["etag"])
    assert "age" in last.headers


@pytest.mark.parametrize("path", [*PAGES, *FILES])
def test_what_was_kept_is_sent_as_each_client_reads_it(path: str, world: World, client: Client) -> None:
    answer(world, "a")
    packed = client.get(path, headers={"Accept-Encoding": "gzip"})
    with client.stream("GET", path, headers={"Accept-Encoding": "gzip"}) as raw:
        body = b"".join(raw.iter_raw())
    plain = client.get(path, headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    if packed.headers.get("content-encoding") == "gzip":
        body = gzip.decompress(body)
    assert len(body) == len(plain.content) == int(plain.headers["content-length"])
    assert client.head(path).headers["content-type"] == plain.headers["content-type"]


def test_who_is_signed_in_neither_gets_nor_leaves_what_others_get(world: World, app: FastAPI, client: Client) -> None:
    answer(world, "a")
    others = client.get("/en/").text
    sign_in(world, client)
    own = client.get("/en/")
    assert "csrf" in own.text
    assert own.headers["cache-control"] == "no-store"
    world.count()
    world.session.commit()
    with hurry(app):
        assert "age" not in client.get("/en/").headers, "a maintainer's own reads are exact"
        client.cookies.clear()
        assert "csrf" not in others + client.get("/en/").text


def test_a_request_with_a_key_is_answered_anew(world: World, app: FastAPI, client: Client) -> None:
    answer(world, "a")
    client.get(FILES[0])
    world.count()
    world.session.commit()
    with hurry(app):
        exact = client.get(FILES[0], headers={"Authorization": "Bearer x"})
    assert "age" not in exact.headers


def test_a_language_that_was_negotiated_is_nobody_elses(world: World, client: Client) -> None:
    answer(world, "a")
    for _ in range(2):
        for language, tag in (("zh-CN", "zh-Hans"), ("en", "en"), ("", "en"), ("fr, zh;q=0.5", "zh-Hans")):
            page = client.get("/", headers={"Accept-Language": language})
            assert page.headers["content-language"] == tag
            assert "Accept-Language" in page.headers["vary"]


def test_an_error_is_told_as_each_client_reads_it_and_not_kept(world: World, client: Client) -> None:
    for accept, kind in (("text/html", "text/html"), ("application/json", "application/problem+json")):
        answered = client.get("/en/models/orion", headers={"Accept": accept})
        assert answered.status_code == 404
        assert answered.headers["content-type"].startswith(kind)
    answer(world, "a")
    assert client.get("/en/models/orion").status_code == 200


def test_requests_are_counted_under_their_routes_whoever_made_the_answer(world: World, client: Client) -> None:
    answer(world, "a")
    for _ in range(3):
        client.get("/en/")
        client.get("/api/v1/boards/codegen")
    told = client.get("/metrics").text
    assert 'requests_total{method="GET",route="board_page",status="200"} 3.0' in told
    assert 'requests_total{method="GET",route="/api/v1/boards/{name}",status="200"} 3.0' in told


@pytest.mark.parametrize("path", [*PAGES, *FILES, "/en/compare", "/feeds/changes.atom"])
def test_what_the_first_reader_calls_the_site_reaches_nobody(path: str, world: World, client: Client) -> None:
    answer(world, "a")
    for headers in ({"Host": "evil.example"}, {}):
        got = client.get(path, headers=headers)
        assert "evil" not in got.text + str(got.headers)
