"""What holds for every address: methods that are named, redirects that stay here, limits, and what is said of them."""

import asyncio
from collections.abc import Iterator
from html.parser import HTMLParser
from ipaddress import ip_network

import pytest
import uvicorn
from httpx import Client
from starlette.types import Receive, Scope, Send

from app.config import Settings
from app.main import server_options

PROBLEM = "application/problem+json"
WRITES = {
    "/api/v1/vendor/models": "models:write",
    "/api/v1/vendor/endpoints": "endpoints:write",
    "/api/v1/vendor/submissions": "submissions:write",
    "/api/v1/vendor/submissions/{public_id}/cancel": "submissions:write",
}
READS = ("/api/v1/vendor/submissions", "/api/v1/vendor/submissions/{public_id}")


@pytest.mark.parametrize(
    ("method", "path", "allow"),
    [
        ("OPTIONS", "/api/v1/boards", "GET, HEAD"),
        ("POST", "/api/v1/boards/codegen", "GET, HEAD"),
        ("DELETE", "/healthz", "GET, HEAD"),
        ("POST", "/en/", "GET, HEAD"),
        ("OPTIONS", "/en/status", "GET, HEAD"),
        ("PUT", "/en/login", "GET, HEAD, POST"),
        ("OPTIONS", "/api/v1/vendor/submissions", "GET, HEAD, POST"),
        ("GET", "/api/v1/vendor/submission-groups", "POST"),
        ("HEAD", "/en/logout", "POST"),
    ],
)
def test_a_refused_method_names_all_that_work(client: Client, method: str, path: str, allow: str) -> None:
    answer = client.request(method, path)
    assert (answer.status_code, answer.headers["allow"]) == (405, allow)


@pytest.mark.parametrize("path", ["/en/models/x/", "/zh/status/?a=1", "/api/v1/boards/", "/en/problems/a/b//"])
def test_a_redirect_stays_here_whatever_host_was_named(client: Client, path: str) -> None:
    for host in ("evil.example", "[", "evil.example:99"):
        answer = client.get(path, headers={"Host": host}, follow_redirects=False)
        location = answer.headers.get("location")
        assert answer.status_code == (404 if path == "/en/problems/a/b//" else 307)
        if location is not None:
            bare, _, query = path.partition("?")
            assert location == bare.rstrip("/") + (f"?{query}" if query else "")
    assert "evil" not in str(client.get(path, headers={"Host": "evil.example"}, follow_redirects=False).headers)


def test_no_cache_answers_for_the_site_nor_keeps_what_a_key_was_sent_for(client: Client) -> None:
    for path in ("/api/v1/status", "/api/v1/boards", "/healthz", "/api/v1/nowhere", "/robots.txt"):
        assert client.get(path).headers["cache-control"] == "no-cache"
    for path in ("/api/v1/vendor/submissions", "/api/v1/runs/1"):
        assert client.get(path, headers={"Authorization": "Bearer x"}).headers["cache-control"] == "no-store"
    feed = client.get("/feeds/changes.atom", headers={"Authorization": "Bearer x"})
    assert feed.headers.get_list("cache-control") == ["public, max-age=300"]


def test_a_body_without_a_length_is_as_large_as_others(client: Client) -> None:
    def endless() -> Iterator[bytes]:
        for _ in range(40):
            yield b"x" * 65_536

    headers = {"Content-Type": "application/json", "Idempotency-Key": "a"}
    for body in (endless(), b"x" * (1024 * 1024 + 1)):
        answer = client.post("/api/v1/vendor/models", content=body, headers=headers)
        assert (answer.status_code, answer.headers["content-type"]) == (413, PROBLEM)
        assert answer.json()["code"] == "too_large"


def test_a_request_with_thousands_of_faults_is_told_the_first(client: Client) -> None:
    answer = client.get("/api/v1/ledger?" + "&".join([*(f"{n:x}" for n in range(3000)), "x" * 3000]))
    assert (answer.status_code, len(answer.json()["errors"])) == (422, 20)
    assert answer.json()["detail"].endswith("; ...")
    assert len(client.get("/api/v1/ledger?" + "x" * 3000).content) < 1000


def test_the_document_says_what_a_key_must_allow_and_how_a_write_may_fail(client: Client) -> None:
    document = client.get("/api/v1/openapi.json").json()
    [scheme] = document["components"]["securitySchemes"].items()
    assert (scheme[1]["type"], scheme[1]["scheme"]) == ("http", "bearer")
    for path, scope in WRITES.items():
        operation = document["paths"][path]["post"]
        assert operation["security"] == [{scheme[0]: [scope]}]
        assert f"`{scope}`" in operation["description"]
        wanted = {"401", "403", "409", "413", "422"} | (set() if path.endswith("/models") else {"404"})
        assert wanted <= set(operation["responses"])
    for path in READS:
        operation = document["paths"][path]["get"]
        assert operation["security"] == [{scheme[0]: ["submissions:read"]}]
        assert "`submissions:read`" in operation["description"]
        assert {"401", "403", "413", "422"} <= set(operation["responses"])
    vendors = [value for path, item in document["paths"].items() if "/vendor/" in path for value in item.values()]
    for operation in vendors:
        refusals = {status: each for status, each in operation["responses"].items() if status.startswith("4")}
        assert {tuple(refusal["content"]) for refusal in refusals.values()} == {(PROBLEM,)}
    again = document["paths"]["/api/v1/vendor/endpoints"]["post"]["description"]
    assert "409" in again
    assert "base_url" in again
    assert not any("security" in item["get"] for path, item in document["paths"].items() if "/boards" in path)


def test_the_document_and_its_page_name_the_address_the_operator_gave(client: Client) -> None:
    for host in ("evil.example", "evil.example:99"):
        [server] = client.get("/api/v1/openapi.json", headers={"Host": host}).json()["servers"]
        page = client.get("/en/docs/api", headers={"Host": host}).text
        assert f"curl &#34;{server['url']}/api/v1/boards/codegen?" in page
        assert server["url"].startswith("http://127.0.0.1")
        assert "evil" not in page


class Text(HTMLParser):
    """What a page says, as words in their order."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []

    def handle_data(self, data: str) -> None:
        self.words += data.split()


def test_the_page_shows_what_to_send(client: Client) -> None:
    chinese = client.get("/zh/docs/api").text
    assert '<th scope="row"><code>name</code> <small>路径、必填</small></th><td><code>string</code></td>' in chinese
    page = Text()
    page.feed(client.get("/en/docs/api").text)
    said = " ".join(page.words)
    endpoints = said.partition("POST /api/v1/vendor/endpoints")[2].partition("/api/v1/vendor/models")[0]
    assert "Needs an API key with the scope endpoints:write" in endpoints
    assert "base_url body, required string a public https address" in endpoints
    assert "max_concurrency body integer the most requests at once; 8 unless given" in endpoints
    formats = "anthropic | google | openai_chat | openai_completions | openai_responses | sglang | vllm"
    assert f"protocol body {formats} the format it speaks" in endpoints
    assert "window.from body, required date the first release day" in said
    assert "cutoff.evidence_url body uri where that is said" in said
    assert "visibility body public | private who sees the results" in said
    shared, boards = (said.partition(words)[2].partition("GET /api/v1/models ")[0]
                      for words in ("Many operations take these.", "GET /api/v1/boards "))  # fmt: skip
    assert "Authorization" not in boards
    assert "Takes protocol from to platform difficulty" in boards
    assert "from query date first release day" in shared
    assert "difficulty query (easy | medium | hard | expert | extreme)[] only problems of these levels" in shared
    assert "Idempotency-Key header, required string" in shared


@pytest.mark.parametrize(
    ("proxy", "believed"),
    [("192.0.2.7", True), ("::ffff:192.0.2.7", True), ("192.0.3.7", False), ("::ffff:192.0.3.7", False), ("::", False)],
)
def test_only_the_operators_proxies_are_believed_who_asks(proxy: str, believed: bool) -> None:
    asked: list[str] = []

    async def app(scope: Scope, _receive: Receive, _send: Send) -> None:
        asked.append(scope["client"][0])

    config = uvicorn.Config(app, **server_options(Settings(_env_file=None, proxies=(ip_network("192.0.2.0/24"),))))
    config.load()
    headers = [(b"x-forwarded-for", b"203.0.113.5")]
    scope = {"type": "http", "client": (proxy, 1), "headers": headers, "scheme": "http"}
    asyncio.run(config.loaded_app(scope, None, None))
    assert asked == ["203.0.113.5" if believed else proxy]
