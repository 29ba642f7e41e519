"""Requests to vendors' routes that no client sends by chance: bodies, framing and headers made to do harm."""

import gzip
import json
import socket
import zlib
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import text
from support.vendor_routes import Route, Tenant, changed_tables, stored_rows, vendor_site

from workers.context import Context

LIMIT = 1024 * 1024
PATIENCE_S = 20.0


@pytest.fixture
def acme(ctx: Context) -> Iterator[Tenant]:
    with vendor_site(ctx) as site, site.tenant("acme") as made:
        yield made


def with_body(acme: Tenant) -> list[Route]:
    return [route for route in acme.routes if route.body is not None]


def send(acme: Tenant, route: Route, content: Any, **headers: str) -> Any:
    """Call a route with a body as it is."""
    sent = {"Content-Type": "application/json"} | dict.fromkeys(route.headers, "any")
    sent |= {name.replace("_", "-"): value for name, value in headers.items()}
    return acme.client.request(route.method, route.address(acme.ids), content=content, headers=sent)


def nested(opening: bytes, closing: bytes, depth: int) -> bytes:
    return b'{"slug": ' + opening * depth + b"1" + closing * depth + b"}"


# Texts that are no JSON object, or one that no route takes, by name.
STRANGE_BODIES: dict[str, bytes] = {
    "nothing": b"",
    "a blank": b" ",
    "null": b"null",
    "a list": b"[]",
    "a number": b"1",
    "a text": b'"x"',
    "half an object": b'{"slug": "x"',
    "two objects": b"{}{}",
    "a NUL": b'{"slug": "\0"}',
    "an escaped NUL": b'{"slug": "\\u0000"}',
    "a lone surrogate": b'{"slug": "\\ud800"}',
    "no UTF-8": b'{"slug": "\xff\xfe"}',
    "NaN": b'{"slug": NaN, "usd": NaN, "endpoint": NaN, "enabled": NaN}',
    "infinity": b'{"usd": Infinity, "endpoint": -Infinity}',
    "a number of 5,000 digits": b'{"usd": ' + b"9" * 5000 + b', "endpoint": ' + b"9" * 5000 + b"}",
    "a great exponent": b'{"usd": 1e999999999, "endpoint": 1e400, "sample": 1e400}',
    "a fraction of a number": b'{"endpoint": 1.5, "sample": 0.1}',
    "lists in lists": nested(b"[", b"]", 100_000),
    "objects in objects": nested(b'{"a":', b"}", 100_000),
    "lists without an end": b"[" * 200_000,
    "many fields": json.dumps({f"field-{number}": number for number in range(20_000)}).encode(),
    "a long name of a field": json.dumps({"x" * 900_000: 1}).encode(),
    "names of its own machinery": b'{"__proto__": {}, "__class__": "x", "model_config": {}, "self": 1}',
    "one name twice": b'{"slug": "acme-x", "slug": "acme-y", "url": 1, "url": 2, "usd": "a", "usd": "b"}',
    "a form": b"slug=x&name=y",
    "XML": b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>',
}


def test_a_body_that_is_none_is_refused_and_has_no_effect(ctx: Context, acme: Tenant) -> None:
    before = stored_rows(ctx)
    for route in with_body(acme):
        for name, body in STRANGE_BODIES.items():
            answer = send(acme, route, body)
            assert answer.status_code == 422, (route.name, name, answer.text[:300])
            assert answer.headers["content-type"] == "application/problem+json"
            assert len(answer.content) < 20_000, "what is refused is not sent back"
            assert "root:" not in answer.text
    assert list(changed_tables(before, stored_rows(ctx))) == []


def test_values_of_every_kind_in_every_field_are_no_failure_of_ours(ctx: Context, acme: Tenant) -> None:
    values: list[Any] = [
        None, True, -1, 2**64, 1.5, "", "x" * 5000, "\0", "\u202e", "'; DROP TABLE models; --", "a\r\nSet-Cookie: x=1",
        [[]], {"$ne": None}, ["x"] * 1000,
    ]  # fmt: skip
    cases = 0
    for route in with_body(acme):
        for name in route.fields:
            for value in values:
                body = json.dumps(acme.body(route) | {name: value}, default=str)
                answer = send(acme, route, body, Idempotency_Key=f"{route.name}-{name}-{cases}")
                assert answer.status_code in route.statuses, (route.name, name, ascii(value)[:80], answer.text[:300])
                assert answer.status_code not in (401, 403), (route.name, name)
                assert "set-cookie" not in answer.headers
                cases += 1
    assert cases >= 300
    with ctx.sessions() as session:
        assert session.execute(text("SELECT count(*) FROM models")).scalar_one() >= 1


def packed(method: str) -> bytes:
    """Ten mebibytes of an object of blanks, in a few kibibytes."""
    plain = b'{"slug":' + b" " * (10 * LIMIT) + b'"acme-z"}'
    return gzip.compress(plain) if method == "gzip" else zlib.compress(plain)


def test_a_packed_body_is_not_unpacked(ctx: Context, acme: Tenant) -> None:
    before = stored_rows(ctx)
    for coding in ("gzip", "deflate", "br", "gzip, gzip", "identity", "x-none"):
        body = packed(coding.partition(",")[0])
        for route in with_body(acme):
            answer = send(acme, route, body, Content_Encoding=coding)
            assert answer.status_code in (413, 415, 422), (route.name, answer.text[:300])
    assert list(changed_tables(before, stored_rows(ctx))) == []


def test_a_body_beyond_the_limit_is_refused_with_and_without_its_length(ctx: Context, acme: Tenant) -> None:
    before = stored_rows(ctx)
    for route in acme.routes:
        declared = send(acme, route, b" " * (LIMIT + 1))
        assert declared.status_code == 413, (route.name, declared.text)
    for route in with_body(acme):
        streamed = send(acme, route, (b" " * 65_536 for _ in range(17)))
        assert streamed.status_code == 413, (route.name, streamed.text)
        allowed = send(acme, route, b"[" + b" " * (LIMIT - 2) + b"]")
        assert allowed.status_code == 422, "as large as may be"
    assert list(changed_tables(before, stored_rows(ctx))) == []


def raw(acme: Tenant, data: bytes) -> list[int]:
    """The statuses of all answers to some bytes, until the server closes or has nothing more to say."""
    host, port = acme.client.base_url.host, acme.client.base_url.port
    assert port is not None
    with socket.create_connection((host, port), timeout=PATIENCE_S) as link:
        link.sendall(data)
        link.shutdown(socket.SHUT_WR)
        said = b""
        try:
            while part := link.recv(65536):
                said += part
        except ConnectionError:
            pass
    return [int(line.split(b" ", 2)[1]) for line in said.split(b"\r\n") if line.startswith(b"HTTP/1.")]


def framed(
    acme: Tenant, *headers: bytes, body: bytes = b"", line: bytes = b"POST /api/v1/vendor/models HTTP/1.1"
) -> bytes:
    """A request with a good key and these headers, and another one in its body, if any."""
    fixed = [b"Host: x", b"Authorization: Bearer " + acme.vendor.key.encode(), b"Idempotency-Key: raw",
             b"Content-Type: application/json"]  # fmt: skip
    return b"\r\n".join([line, *fixed, *headers, b"", body])


def smuggled(acme: Tenant) -> bytes:
    """A request that would register a webhook if it were read as one."""
    body = b'{"url": "https://93.184.216.34/smuggled"}'
    head = b"POST /api/v1/vendor/webhooks HTTP/1.1"
    return framed(acme, b"Content-Length: %d" % len(body), b"Connection: close", body=body, line=head)


# Heads whose end two readers may see at two places.
AMBIGUOUS: dict[str, tuple[bytes, ...]] = {
    "two lengths": (b"Content-Length: 0", b"Content-Length: 5"),
    "two lengths in one": (b"Content-Length: 0, 5",),
    "a length with a sign": (b"Content-Length: +0",),
    "a negative length": (b"Content-Length: -1",),
    "a length in hex": (b"Content-Length: 0x0",),
    "a length with a blank": (b"Content-Length: 1 0",),
    "no number as length": (b"Content-Length: x",),
    "a length with digits of another script": ("Content-Length: ٣".encode(),),
    "a blank before the colon": (b"Content-Length : 0",),
    "an unknown coding": (b"Transfer-Encoding: xchunked",),
    "chunks within another coding": (b"Transfer-Encoding: chunked, identity",),
    "two codings": (b"Transfer-Encoding: gzip, chunked",),
    "a coding with a tab inside": (b"Transfer-Encoding: chun\tked",),
    "a folded coding": (b"Transfer-Encoding:\r\n chunked", b"Content-Length: 3"),
    "a folded line": (b"X-A: b", b" Content-Length: 5"),
    "a line feed alone": (b"X-A: b\nContent-Length: 5",),
    "a carriage return alone": (b"X-A: b\rContent-Length: 5",),
    "a NUL in a value": (b"X-A: a\0b",),
    "a NUL in a name": (b"X\0A: b",),
    "a name of blanks": (b" : x",),
    "no colon": (b"garbage",),
    "a head without an end": (b"X-A: " + b"a" * 70_000,),
    "many headers": tuple(b"X-%d: %s" % (number, b"a" * 100) for number in range(600)),
}


def test_a_head_that_can_be_read_in_two_ways_is_refused_and_ends_the_connection(ctx: Context, acme: Tenant) -> None:
    before = stored_rows(ctx)
    for name, head in AMBIGUOUS.items():
        statuses = raw(acme, framed(acme, *head, body=smuggled(acme)))
        assert statuses in ([400], [413], [431], [501], []), (name, statuses)
    assert list(changed_tables(before, stored_rows(ctx))) == []


BAD_CHUNKS = (
    b"g\r\nx\r\n0\r\n\r\n", b"-1\r\nx\r\n0\r\n\r\n", b"0x1\r\nx\r\n0\r\n\r\n", b"ffffffffffffffffffff\r\n",
    b"1\nx\n0\n\n", b"5\r\nab\r\n0\r\n\r\n", b"1;" + b"a" * 70_000 + b"\r\nx\r\n0\r\n\r\n", b"2\r\n{}", b"\r\n",
)  # fmt: skip


def test_what_follows_chunks_is_no_request(ctx: Context, acme: Tenant) -> None:
    """Of a length and chunks, a proxy may believe the other one: whichever counts, nothing smuggled is answered."""
    before = stored_rows(ctx)
    length, chunked = b"Content-Length: 6", b"Transfer-Encoding: chunked"
    cases = [((length, chunked), b"0\r\n\r\n"), ((chunked, length), b"0\r\n\r\n")]
    for headers, body in (*cases, *(((chunked,), chunks) for chunks in BAD_CHUNKS)):
        statuses = raw(acme, framed(acme, *headers, body=body + smuggled(acme)))
        assert len(statuses) <= 1, (headers, body[:40], statuses)
        assert all(400 <= status < 500 for status in statuses), (headers, body[:40], statuses)
    assert list(changed_tables(before, stored_rows(ctx))) == []


BAD_LINES = (
    b"POST /api/v1/vendor/models HTTP/9.9", b"POST /api/v1/vendor/models", b"POST  /api/v1/vendor/models HTTP/1.1",
    b"PO ST /api/v1/vendor/models HTTP/1.1", b"POST /api/v1/vendor/models\0 HTTP/1.1", b"\0", b"\x16\x03\x01\x02\x00",
    b"PRI * HTTP/2.0", b"POST /api/v1/vendor/mod els HTTP/1.1", b"POST " + b"/a" * 40_000 + b" HTTP/1.1",
)  # fmt: skip


def test_a_first_line_that_is_none_is_refused(ctx: Context, acme: Tenant) -> None:
    before = stored_rows(ctx)
    for line in BAD_LINES:
        statuses = raw(acme, framed(acme, b"Content-Length: 0", line=line))
        assert all(400 <= status < 500 or status == 505 for status in statuses), (line[:60], statuses)
    assert list(changed_tables(before, stored_rows(ctx))) == []


def test_texts_in_addresses_and_headers_make_no_header(acme: Tenant) -> None:
    """Neither a break of lines in an address nor one in a header comes back as a header of ours."""
    harm = "x%0d%0aSet-Cookie:%20a=b%0d%0aX-Harm:%201"
    headers = {"X-Request-ID": "a b", "X-Forwarded-Host": "evil.example", "Host": "evil.example"}
    for route in acme.routes:
        address = route.address(dict.fromkeys(acme.ids, harm)) if route.nouns else f"{route.path}?cursor={harm}"
        answer = acme.client.request(route.method, address, headers=headers)
        assert {"set-cookie", "x-harm"} & set(answer.headers) == set(), route.name
        assert "evil.example" not in str(answer.headers) + answer.text, route.name
        assert answer.status_code < 500, (route.name, answer.text)


NO_IDS = (
    "%00", "a%00b", "%ff", "%ed%a0%80", "%2e%2e", "a%2fb", "a;b", "%c0%ae", "x" * 900, "'", "%25", "*", "-1", "0",
    "1e3", "９", "%E2%80%AE", "9" * 400, "true",
)  # fmt: skip


def test_an_id_that_is_none_is_not_found(ctx: Context, acme: Tenant) -> None:
    before = stored_rows(ctx)
    for route in (each for each in acme.routes if each.nouns):
        for place in NO_IDS:
            answer = acme.call(route, dict.fromkeys(acme.ids, place), headers=dict.fromkeys(route.headers, "x"))
            assert answer.status_code in (404, 405, 422), (route.name, place, answer.text[:200])
            assert "error_count" not in answer.text
    assert list(changed_tables(before, stored_rows(ctx))) == []
