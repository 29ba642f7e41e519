"""The fetcher against a site on loopback: pace, limits, and failures as values."""

import asyncio
import gzip
import math
import resource
import socket
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import httpx
import pytest
from fakes.fake_site import Asked, FakeSite, Page, Reply, fake_site
from support.waiting import at_least

from app.domain.errors import InvalidInput
from app.domain.sources.records import Classification
from scrapers.client import Client, FetchLimits, FixedPace
from scrapers.replay import parse_response
from scrapers.response import Response, StoredCopy
from scrapers.site import find_site

QUICK = FetchLimits(timeout_s=2, total_s=3, max_bytes=10_000, retries=2, backoff_s=0.01, max_wait_s=1)
CONTACT = "mailto:operator@example.test"


def no_wait(_: str) -> float:
    return 0.0


def get(
    *urls: str, pace: Callable[[str], float] = no_wait, limits: FetchLimits = QUICK, known: StoredCopy | None = None
) -> list[Response]:
    async def run() -> list[Response]:
        async with Client(contact=CONTACT, pace=pace, limits=limits) as client, asyncio.timeout(100):
            return [await client.fetch(url, known=known) for url in urls]

    return asyncio.run(run())


def answered(answer: Callable[[httpx.Request], httpx.Response], url: str) -> Response:
    """What comes of asking hosts that there are in no test's network."""

    async def run() -> Response:
        there = httpx.MockTransport(answer)
        async with Client(contact=CONTACT, pace=no_wait, limits=QUICK, obey_robots=False, transport=there) as client:
            return await client.fetch(url)

    return asyncio.run(run())


def test_it_says_who_asks_and_takes_gzip() -> None:
    zipped = Reply(gzip.compress(b"<p>x</p>"), headers={"Content-Encoding": "gzip", "X-Kind": "a"})
    with fake_site({"/a": zipped}) as site:
        (response,) = get(f"{site.url}/a")
        asked = site.asked[-1]
    assert (response.status, response.body, response.error) == (200, b"<p>x</p>", None)
    assert response.headers["x-kind"] == "a"
    assert abs(response.fetched_at - datetime.now(UTC)) < timedelta(minutes=1)
    assert asked.headers["user-agent"] == f"Tidemark (+{CONTACT})"
    assert asked.headers["accept-encoding"] == "gzip"


@pytest.mark.parametrize("contact", ["", "me", "nobody", "a@b\r\nX-Evil: 1", "a b@c", "é@example.test"])
def test_a_contact_must_reach_someone(contact: str) -> None:
    with pytest.raises(InvalidInput):
        Client(contact=contact, pace=no_wait)


def test_unchanged_pages_are_asked_for_conditionally() -> None:
    known = StoredCopy('"v1"', "Sat, 10 Jan 2026 00:00:00 GMT", lambda: b"old")
    with fake_site(
        {"/a": Reply(b"new", headers={"ETag": '"v1"'}), "/b": Reply(b"new", headers={"ETag": '"v2"'})}
    ) as site:
        same, changed = get(f"{site.url}/a", f"{site.url}/b", known=known)
        assert site.asked[-1].headers["if-modified-since"] == known.last_modified
    assert (same.status, same.body) == (304, b"")
    assert (changed.status, changed.body) == (200, b"new")


def test_robots_are_asked_once_a_host_and_obeyed() -> None:
    with fake_site({"/a": b"a", "/no": b"b"}, robots="User-agent: *\nDisallow: /no") as site:
        first, second, refused = get(f"{site.url}/a", f"{site.url}/a", f"{site.url}/no?x=1")
        assert [each.path for each in site.asked] == ["/robots.txt", "/a", "/a"]
    assert (first.status, second.status) == (200, 200)
    assert refused.status is None
    assert refused.refusal == "robots.txt forbids /no?x=1"


@pytest.mark.parametrize(("status", "may"), [(404, True), (403, True), (301, True), (500, False), (429, False)])
def test_without_robots_txt_all_is_allowed_but_a_failing_one_stops_us(status: int, may: bool) -> None:
    words = Reply(b"User-agent: *\nDisallow: /", status)  # no rules: they came with no 200
    with fake_site({"/a": b"a", "/robots.txt": words}) as site:
        (response,) = get(f"{site.url}/a")
        assert ("/a" in site.paths()) is may
    assert (response.status == 200) is may
    assert response.refusal is None
    assert may or "robots.txt" in (response.error or "")


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        (Reply(b"User-agent: *\nDisallow: /\n" + b"#" * QUICK.max_bytes), "robots.txt could not be had"),
        (Reply(b"\x8b\x00", headers={"Content-Encoding": "br"}), "robots.txt could not be had"),
        (Reply(b"\x8b\x00", 404, {"Content-Encoding": "br"}), None),
    ],
    ids=["too large", "packed as we cannot read", "a page that says there is none"],
)
def test_rules_that_are_there_and_cannot_be_read_do_not_allow_all(rules: Reply, words: str | None) -> None:
    with fake_site({"/a": b"a", "/robots.txt": rules}) as site:
        (response,) = get(f"{site.url}/a")
        assert ("/a" in site.paths()) is (words is None)
    assert words is None or words in (response.error or "")


def test_what_the_environment_says_of_proxies_leads_no_visit_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    with fake_site({"/a": b"a"}) as site:
        (response,) = get(f"{site.url}/a")
    assert (response.status, response.body) == (200, b"a")


def test_a_body_that_comes_in_pieces_has_one_limit() -> None:
    pieces = FetchLimits(timeout_s=2, total_s=3, max_bytes=200_000)
    with fake_site({"/a": b"a" * 300_000, "/b": b"b" * 200_000}) as site:
        large, allowed = get(f"{site.url}/a", f"{site.url}/b", limits=pieces)
    assert (large.body, large.error) == (b"", "the body is larger than 200000 bytes")
    assert (len(allowed.body), allowed.error) == (200_000, None)


@pytest.mark.parametrize("allowed", [0, 1, 2])
def test_a_day_that_is_used_up_ends_the_visit(allowed: int) -> None:
    left = iter([0.0] * allowed)
    with fake_site({"/a": b"a"}) as site:
        responses = get(*[f"{site.url}/a"] * 2, pace=lambda _: next(left, math.inf))
        assert len(site.asked) == allowed
    last = responses[-1]
    assert (last.over_daily_limit, last.status) == (True, None)
    parsed = parse_response(find_site("atcoder"), "archive", last)
    assert parsed.classification is Classification.RATE_LIMITED
    assert "127.0.0.1 was asked as often as a day allows" in parsed.findings[0].message


def test_the_pace_and_the_crawl_delay_are_kept() -> None:
    hosts: list[str] = []
    interval = FixedPace(0.15)

    def pace(host: str) -> float:
        hosts.append(host)
        return interval(host)

    with fake_site({"/a": b"a"}) as site, at_least(3 * 0.15):
        get(*[f"{site.url}/a"] * 3, pace=pace)
    assert hosts == ["127.0.0.1"] * 4, "robots.txt counts too"
    with fake_site({"/a": b"a"}, robots="User-agent: *\nCrawl-delay: 0.3") as site, at_least(2 * 0.3):
        get(*[f"{site.url}/a"] * 2)


def test_later_means_later() -> None:
    busy = Reply(b"busy", 429, {"Retry-After": "1"})
    with fake_site({"/a": [busy, Reply(b"done")]}) as site, at_least(1):
        (response,) = get(f"{site.url}/a")
        assert len(site.paths()) == 2
    assert response.body == b"done"
    with fake_site({"/a": Reply(b"busy", 429, {"Retry-After": "3600"})}) as site:
        (response,) = get(f"{site.url}/a")
        assert len(site.paths()) == 1, "too long to wait here: the caller decides"
    assert (response.status, response.retry_after_s) == (429, 3600)
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=1), usegmt=True)
    with fake_site({"/a": [Reply(b"", 503, {"Retry-After": soon}), Reply(b"done")]}) as site:
        assert get(f"{site.url}/a")[0].status == 200


@pytest.mark.parametrize(
    ("words", "seconds"),
    [
        (" 7 ", 7),
        ("0", 0),
        ("-7", None),
        ("9" * 10, None),
        ("soon", None),
        ("", None),
        ("Sat, 10 Jan 2026 00:00:00 GMT", 0),
        ("Sat, 10 Jan 2026 00:00:00", 0),  # without its zone
    ],
)
def test_when_to_come_again_is_read_or_not_known(words: str, seconds: float | None) -> None:
    response = answered(lambda _: httpx.Response(200, headers={"Retry-After": words}), "http://a.test/")
    assert (response.status, response.retry_after_s) == (200, seconds)


def test_failures_are_tried_again_but_a_refusal_is_not() -> None:
    challenge = b"<title>Just a moment...</title>"
    pages: dict[str, Page] = {
        "/flaky": [Reply(b"", 502), Reply(drop=True), Reply(b"ok")],
        "/late": [Reply(b"", 504), Reply(b"", 503), Reply(b"ok")],
        "/down": Reply(b"", 500),
        "/no": Reply(b"", 403),
        "/challenge": Reply(challenge, 503),
    }
    waits = replace(QUICK, backoff_s=0.1)  # and then 0.2
    with fake_site(pages) as site, at_least(3 * 0.3):
        flaky, late, down, no, challenged = get(*(f"{site.url}{path}" for path in pages), limits=waits)
        assert [site.paths().count(path) for path in pages] == [3, 3, 3, 1, 1]
    assert [each.status for each in (flaky, late, down, no, challenged)] == [200, 200, 500, 403, 503]


def test_what_robots_forbid_is_not_waited_for() -> None:
    patient = replace(QUICK, backoff_s=3600, max_wait_s=3600)
    with fake_site({}, robots="User-agent: *\nDisallow: /no") as site:
        (refused,) = get(f"{site.url}/no", limits=patient)
    assert refused.refusal is not None


def test_the_network_never_raises() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        nobody = f"http://127.0.0.1:{closed.getsockname()[1]}/a"
        responses = get(nobody, "http://[broken/", "ftp://example.test/x", "http://127.0.0.1:99999/", "nonsense", "")
    assert all(response.status is None and response.error for response in responses)
    assert all("is no address" in (response.error or "") for response in responses[1:])
    bad = Reply(b"not gzip", headers={"Content-Encoding": "gzip"})
    with fake_site({"/bad": bad, "/slow": Reply(b"x", delay_s=1.0)}) as site:
        garbled, slow = get(
            f"{site.url}/bad", f"{site.url}/slow", limits=FetchLimits(timeout_s=0.3, total_s=2, retries=0, backoff_s=0)
        )
    assert garbled.status is None
    assert "Decoding" in (garbled.error or "")
    assert slow.status is None
    assert "Timeout" in (slow.error or "")


def test_a_body_that_drips_for_ever_ends_at_the_total() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        async def run() -> Response:
            async def drip(_: asyncio.StreamReader, out: asyncio.StreamWriter) -> None:
                try:
                    out.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
                    while True:
                        out.write(b"x")
                        await out.drain()
                        await asyncio.sleep(0.05)
                except OSError:
                    pass
                finally:
                    out.close()

            async with await asyncio.start_server(drip, sock=server):
                limits = FetchLimits(timeout_s=5, total_s=0.5, retries=0)
                async with Client(contact=CONTACT, pace=no_wait, limits=limits, obey_robots=False) as client:
                    return await client.fetch(f"http://127.0.0.1:{server.getsockname()[1]}/")

        response = asyncio.run(run())
    assert response.status is None
    assert "TimeoutError" in (response.error or "")


def test_bodies_have_a_bound_also_when_packed() -> None:
    bomb = Reply(gzip.compress(b"0" * 5_000_000), headers={"Content-Encoding": "gzip"})
    with fake_site({"/big": b"x" * 10_001, "/fits": b"x" * 10_000, "/bomb": bomb}) as site:
        big, fits, packed = get(f"{site.url}/big", f"{site.url}/fits", f"{site.url}/bomb")
    assert (big.status, big.body) == (200, b"")
    assert "larger" in (big.error or "")
    assert len(fits.body) == 10_000
    assert packed.body == b""


def test_redirects_stay_on_the_host() -> None:
    def away(_: Asked) -> Reply:
        return Reply(b"", 302, {"Location": "http://localhost:9/x"})

    pages: dict[str, Page] = {
        "/old": Reply(b"", 301, {"Location": "/new?x=1"}),
        "/new": b"here",
        "/away": away,
        "/loop": Reply(b"", 302, {"Location": "/loop"}),
        "/forbidden": Reply(b"", 302, {"Location": "/secret"}),
    }
    with fake_site(pages, robots="User-agent: *\nDisallow: /secret") as site:
        moved, gone, looped, refused = get(*(f"{site.url}{path}" for path in ("/old", "/away", "/loop", "/forbidden")))
        assert "/secret" not in site.paths()
        assert site.paths().count("/loop") == 6, "five redirects, and no other try"
    assert (moved.status, moved.body, moved.url, moved.final_url) == (
        200,
        b"here",
        f"{site.url}/old",
        f"{site.url}/new?x=1",
    )
    assert gone.status == 302
    assert "another host" in (gone.error or "")
    assert (looped.status, looped.error) == (302, "more than 5 redirects")
    assert refused.refusal is not None


@pytest.mark.parametrize(
    ("place", "target", "stays"),
    [
        ("http://a.test/", "https://a.test/x", True),
        ("http://a.test:80/", "https://a.test:443/x", True),
        ("https://a.test/", "http://a.test/x", False),
        ("http://a.test/", "http://b.test/x", False),
        ("http://a.test/", "https://b.test/x", False),
        ("http://a.test/", "http://a.test:81/x", False),
        ("http://a.test/", "https://a.test:444/x", False),
        ("http://a.test:81/", "https://a.test/x", False),
    ],
)
def test_a_redirect_may_make_a_host_safer_and_no_other(place: str, target: str, stays: bool) -> None:
    asked: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request.url.path)
        return httpx.Response(200) if request.url.path == "/x" else httpx.Response(302, headers={"Location": target})

    response = answered(answer, place)
    assert ((response.status, response.error is None), "/x" in asked) == ((200, True) if stays else (302, False), stays)


def test_a_body_makes_a_post() -> None:
    async def run(site: FakeSite) -> Response:
        async with Client(contact=CONTACT, pace=no_wait, limits=QUICK) as client:
            return await client.fetch(f"{site.url}/q", body=b'{"a":1}', headers={"Content-Type": "application/json"})

    with fake_site({"/q": lambda asked: Reply(asked.method.encode() + asked.body)}) as site:
        assert asyncio.run(run(site)).body == b'POST{"a":1}'
        assert site.asked[-1].headers["content-type"] == "application/json"


def test_a_body_packed_twice_is_not_unpacked() -> None:
    bomb = gzip.compress(gzip.compress(bytes(100_000_000), 9), 9)
    assert len(bomb) < 3000
    for encoding in ("gzip, gzip", "br", "zstd", "deflate"):
        with fake_site({"/a": Reply(bomb, headers={"Content-Encoding": encoding})}) as site:
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            (response,) = get(f"{site.url}/a")
            grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        assert response.body == b""
        assert f"packed as {encoding!r}" in (response.error or "")
        assert grown < 64 << 10


@pytest.mark.parametrize(("status", "method"), [(301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST")])
def test_a_post_that_is_sent_elsewhere_looks_there_as_a_browser_does(status: int, method: str) -> None:
    with fake_site({"/a": Reply(b"", status, {"Location": "/b"}), "/b": b"there"}) as site:
        client = Client(contact=CONTACT, pace=no_wait)
        with asyncio.Runner() as runner:
            response = runner.run(client.fetch(f"{site.url}/a", body=b"{}"))
            runner.run(client.aclose())
        assert (response.body, site.asked[-1].method) == (b"there", method)


def test_one_question_at_a_time_and_its_connections_end_with_it() -> None:
    closed: list[str] = []

    class There(httpx.AsyncHTTPTransport):
        async def aclose(self) -> None:
            closed.append("closed")
            await super().aclose()

    async def run(site: FakeSite) -> None:
        async with Client(contact=CONTACT, pace=no_wait, limits=QUICK, obey_robots=False) as client:
            await asyncio.gather(*[client.fetch(f"{site.url}/slow") for _ in range(2)])
        async with Client(contact=CONTACT, pace=no_wait, transport=There()):
            assert not closed

    with fake_site({"/slow": Reply(b"x", delay_s=0.2)}) as site, at_least(2 * 0.2):
        asyncio.run(run(site))
    assert closed == ["closed"]
