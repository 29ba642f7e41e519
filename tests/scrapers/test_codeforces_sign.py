"""Signed calls: the signature of the API's own description, on the way out only."""

import hashlib
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qs, urlsplit

from fakes.fake_site import Reply, fake_site
from support.crawls import connect

from app.domain.sources.crawl_events import PageCaptured
from scrapers.fact_fetcher import fetch_facts
from scrapers.site import find_site
from scrapers.sites._codeforces.sign import sign_path

NOW = datetime(2026, 11, 1, tzinfo=UTC)


def test_the_signature_covers_the_parameters_in_order() -> None:
    made = sign_path("/api/contest.hacks?contestId=566&asManager=false", "xxx", "yyy", NOW, draw="123456")
    said = {name: values[0] for name, values in parse_qs(urlsplit(made).query).items()}
    plain = f"123456/contest.hacks?apiKey=xxx&asManager=false&contestId=566&time={int(NOW.timestamp())}#yyy"
    assert said.pop("apiSig") == "123456" + hashlib.sha512(plain.encode()).hexdigest()
    assert said == {"contestId": "566", "asManager": "false", "apiKey": "xxx", "time": str(int(NOW.timestamp()))}
    assert "yyy" not in made


def test_each_call_draws_its_own_letters_and_pages_are_left_alone() -> None:
    assert sign_path("/api/a", "k", "s", NOW) != sign_path("/api/a", "k", "s", NOW)
    for path in ("/contest/1/problem/A?locale=en", "/api/", "/"):
        assert sign_path(path, "k", "s", NOW) == path


def test_what_is_kept_of_an_answer_has_no_key_in_it() -> None:
    site = find_site("codeforces")
    with fake_site({"/api/problemset.problems": Reply(b'{"status":"FAILED","comment":"x"}', 400)}) as fake:
        connection = connect(
            fake.url, sign=lambda path: sign_path(path, "key-1", "secret-2", NOW + timedelta(seconds=1))
        )
        events = list(fetch_facts(site, site.facts_named("ratings"), connection))
        asked = [path for path in fake.paths() if "apiSig" in path]
    assert len(asked) == 1
    assert "apiKey=key-1" in asked[0]
    assert "secret-2" not in asked[0]
    (captured,) = [event for event in events if isinstance(event, PageCaptured)]
    assert captured.url == f"{fake.url}/api/problemset.problems"
    assert "key-1" not in repr(events)
