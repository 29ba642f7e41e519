"""Failures of the API: each names its code's paragraph, who can mend it, and the request."""

import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
from bs4 import BeautifulSoup, Tag
from served import NO_AUTHORITIES
from support.vendors import Vendor
from support.waiting import until

from app.api.problem_json import problem_kinds
from workers.context import Context


@pytest.fixture
def site(url: str) -> Iterator[httpx.Client]:
    """A caller of any address of the site."""
    with httpx.Client(base_url=url, timeout=120, verify=NO_AUTHORITIES) as made:
        yield made


def paragraph_of(site: httpx.Client, address: str) -> Tag:
    """The section that an address leads to."""
    path, _, code = address.partition("#")
    section = BeautifulSoup(site.get(path).text, "lxml").find(id=code)
    assert isinstance(section, Tag), address
    return section


@pytest.mark.parametrize("locale", ["en", "zh"])
def test_every_code_has_a_paragraph_in_both_languages(site: httpx.Client, locale: str) -> None:
    page = site.get(f"/{locale}/errors")
    again = site.get(f"/{locale}/errors", headers={"If-None-Match": page.headers["etag"]})
    assert again.status_code == 304
    soup = BeautifulSoup(page.text, "lxml")
    kinds = problem_kinds()
    assert len(kinds) >= 18
    for kind in kinds:
        section = soup.find(id=kind.code)
        assert isinstance(section, Tag), kind.code
        assert len(section.find("p").get_text()) > 15, kind.code  # type: ignore[union-attr]
        assert str(kind.status) in section.get_text(), kind.code
    assert f"/{locale}/errors#in_progress" in site.get(f"/{locale}/docs/api").text


def refusals(site: httpx.Client, vendor: Vendor) -> Iterator[tuple[httpx.Response, str, str]]:
    """Failures from every part of the site, with the code and owner that each is to have."""
    key = {"Idempotency-Key": "a", "Authorization": f"Bearer {vendor.key}"}
    yield site.get("/api/v1/models/none"), "not_found", "you"
    yield site.get("/api/v1/nothing"), "not_found", "you"
    yield site.get("/api/v1/boards/codegen?protocol=none"), "unknown_name", "you"
    yield site.get("/api/v1/models?limit=x"), "invalid_input", "you"
    yield site.delete("/api/v1/models"), "method_not_allowed", "you"
    yield site.get("/api/v1/models?q=" + "x" * 17_000), "too_large", "you"
    yield site.post("/api/v1/vendor/models", content=b"x" * 1_100_000, headers=key), "too_large", "you"
    yield site.post("/api/v1/vendor/models", json={}, headers=key), "invalid_input", "you"
    yield site.post("/api/v1/vendor/models", content=b"{", headers=key), "invalid_input", "you"
    yield site.post("/api/v1/vendor/models", json={}), "unauthenticated", "you"
    yield vendor.post("/submissions", {"endpoint": 1, "continuous": True}), "not_found", "you"


def test_every_failure_names_its_paragraph_its_owner_and_its_request(
    ctx: Context, site: httpx.Client, vendor: Vendor
) -> None:
    ids = set()
    for answer, code, owner in refusals(site, vendor):
        problem = answer.json()
        assert answer.headers["content-type"] == "application/problem+json"
        assert (problem["code"], problem["owner"], problem["status"]) == (code, owner, answer.status_code)
        assert problem["retryable"] is False
        assert problem["type"] == f"{ctx.settings.public_url}/errors#{code}"
        paragraph_of(site, problem["type"].removeprefix(ctx.settings.public_url))
        assert problem["request_id"] == answer.headers["x-request-id"]
        ids.add(problem["request_id"])
    assert len(ids) == 11


def test_callers_who_share_a_failure_are_each_told_their_own_request(site: httpx.Client) -> None:
    with ThreadPoolExecutor(12) as pool:
        answers = list(pool.map(lambda _: site.get("/api/v1/models/none"), range(12)))
    for answer in answers:
        assert answer.json()["request_id"] == answer.headers["x-request-id"]


FAULTS: tuple[tuple[dict[str, Any], str, str], ...] = (
    ({"configuration": {"effort": ["a"]}}, "/configuration/effort", "give a text, a number, true or false"),
    ({"configuration": {"effort": "x" * 65}}, "/configuration/effort", "give a text of 1 to 64 characters"),
    ({"configuration": {"budget": 2**63}}, "/configuration/budget", "give a number within 64 bits"),
    ({"configuration": []}, "/configuration", "give a JSON object"),
    ({"window": 3}, "/window", "give a JSON object"),
    ({"endpoint": "x"}, "/endpoint", "give the `id` or the `endpoint_id` of an endpoint of yours"),
    ({"surplus": 1}, "/surplus", "there is no such field"),
    ({"budget_usd": "much"}, "/budget_usd", "give a number, or a number as text"),
)


def test_faults_of_a_body_are_told_once_in_plain_words(vendor: Vendor) -> None:
    for fields, pointer, detail in FAULTS:
        body = {"endpoint": 1, "continuous": True} | fields
        problem = vendor.post("/submissions", body).json()
        assert [(each["pointer"], each["detail"]) for each in problem["errors"]] == [(pointer, detail)], fields


def test_a_slow_resolver_holds_up_nobody(vendor: Vendor, site: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """Forty registrations wait for it, and no page does; each is refused within seconds."""
    ask, free, asked = socket.getaddrinfo, threading.Event(), list[str]()

    def slow(host: str, *rest: Any, **options: Any) -> Any:
        if host == "slow.example":
            asked.append(host)
            free.wait(30)
        return ask(host, *rest, **options)

    vendor.model()
    monkeypatch.setattr(socket, "getaddrinfo", slow)
    body = {"model": "orion", "remote_name": "x", "base_url": "https://slow.example/v1"}
    try:
        with ThreadPoolExecutor(40) as pool:
            waiting = [pool.submit(vendor.post, "/endpoints", body) for _ in range(40)]
            until(lambda: asked, "the first look-up")
            assert site.get("/healthz").status_code == 200
            assert site.get("/en/errors").status_code == 200
            assert vendor.client.get("/submissions").status_code == 200
            assert not any(each.done() for each in waiting), "pages were served meanwhile"
            answers = [each.result(60) for each in waiting]
    finally:
        free.set()
    assert {(each.status_code, each.json()["code"]) for each in answers} == {(422, "address_refused")}
    assert "was not resolved within 3 s" in answers[0].json()["detail"]


def test_an_endpoint_that_is_registered_again_answers_200(vendor: Vendor) -> None:
    vendor.model()
    body = {"model": "orion", "remote_name": "x", "base_url": "https://93.184.216.34/v1"}
    first, second = vendor.post("/endpoints", body), vendor.post("/endpoints", body | {"max_concurrency": 3}, "again")
    assert (first.status_code, second.status_code) == (201, 200)
    assert second.json() == first.json() | {"max_concurrency": 3}
    replayed = vendor.post("/endpoints", body | {"max_concurrency": 3}, "again")
    assert (replayed.status_code, replayed.text) == (200, second.text)
