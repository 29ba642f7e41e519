"""What every site keeps, tried on each one that is found."""

import json
import random
import re

import pytest

from app.domain.errors import NotFound
from app.domain.sources.records import Classification, record_to_json
from scrapers.replay import parse_page
from scrapers.site import Media, PageKind, ParsedPage, Site, all_sites, find_site

SITES = all_sites()
KINDS = [
    pytest.param(site, kind, id=f"{site.name}-{kind.name}") for site in SITES.values() for kind in site.kinds.values()
]

CHALLENGE = b"<!DOCTYPE html><html><head><title>Just a moment...</title></head><body>Checking</body></html>"
SIGN_IN = (
    b"<html><title>Sign In</title><form method=post><input name=username><input type=password name=password></form>"
)
GARBAGE = [  # some of it is nested deeper than Python recurses
    b"\x00" * 500,
    bytes(range(256)) * 20,
    b"<html><body><p>nothing here",
    b"<" * 3000,
    b"<div>" * 1200 + b"deep",
    b"<table><tr><td>" * 400 + b"<a href='/x'>deep</a>",
    b"{" * 20_000,
    b'{"a": ' * 2000,
    b"9" * 6000,
    b'[{"id": 1}, null, "x", [[]]]',
    b'{"status": "OK", "result": null, "data": null, "StandingsData": [[]], "TaskInfo": {}}',
    "\ufffe\udfff".encode("utf-8", "surrogatepass") * 50,
    b"\xff\xfe" + "<table><tr><td>x".encode("utf-16-le"),
]


def test_there_are_sites() -> None:
    assert "atcoder" in SITES
    with pytest.raises(NotFound, match="atcoder"):
        find_site("nowhere")


@pytest.mark.parametrize("site", SITES.values(), ids=SITES)
def test_a_site_describes_itself(site: Site) -> None:
    assert re.fullmatch(r"https://[a-z.]+", site.base_url)
    assert site.pace_s >= 1
    assert site.kinds
    assert all(name == kind.name for name, kind in site.kinds.items())
    assert not site.show_statements, "statements are not republished by default"
    with pytest.raises(NotFound):
        site.kind("no-such-kind")


@pytest.mark.parametrize(("site", "kind"), KINDS)
def test_an_empty_body_is_a_failure_and_not_emptiness(site: Site, kind: PageKind) -> None:
    for body in (b"", b" \n\t", b"<html></html>" if kind.media is Media.HTML else b"null"):
        parsed = parse_page(site, kind.name, body)
        assert parsed.classification is Classification.FORMAT_CHANGED
        assert not parsed.records
        assert parsed.findings


@pytest.mark.parametrize(("site", "kind"), KINDS)
def test_garbage_never_raises_and_gives_nothing(site: Site, kind: PageKind) -> None:
    noise = random.Random(7)
    for body in [*GARBAGE, *(noise.randbytes(4000) for _ in range(2))]:
        parsed = parse_page(site, kind.name, body, "https://example.test/a/b?c=d")
        assert parsed.classification is not Classification.OK, body[:40]
        assert not parsed.records
        assert all(finding.code and finding.message for finding in parsed.findings)


@pytest.mark.parametrize(("site", "kind"), KINDS)
def test_pages_that_keep_us_out_are_named(site: Site, kind: PageKind) -> None:
    assert parse_page(site, kind.name, CHALLENGE).classification is Classification.BLOCKED
    assert parse_page(site, kind.name, SIGN_IN).classification is Classification.LOGIN
    gone = b"<html><head><title>404 Not Found</title></head></html>"
    assert parse_page(site, kind.name, gone).classification is Classification.NOT_FOUND
    down = b"<html><head><title>502 Bad Gateway</title></head></html>"
    assert parse_page(site, kind.name, down).classification is Classification.UNREACHABLE


@pytest.mark.parametrize(("site", "kind"), KINDS)
def test_an_oversized_body_is_refused_before_it_is_read(site: Site, kind: PageKind) -> None:
    size = (4 if kind.media is Media.HTML else 128) * 2**20 + 1
    parsed = parse_page(site, kind.name, bytes(size))
    assert parsed.classification is Classification.FORMAT_CHANGED
    assert parsed.findings[0].code == "too_large"


@pytest.mark.parametrize(("site", "kind"), KINDS)
def test_a_parser_that_breaks_is_a_changed_format(site: Site, kind: PageKind) -> None:
    def broken(_: object) -> ParsedPage:
        raise ZeroDivisionError("hostile")

    bad = Site(
        name=site.name,
        title=site.title,
        base_url=site.base_url,
        kinds={kind.name: PageKind(kind.name, broken, kind.url)},
        plan=None,
        pace_s=1,
    )
    parsed = parse_page(bad, kind.name, b"<html><p>x</p></html>")
    assert parsed.classification is Classification.FORMAT_CHANGED
    assert "ZeroDivisionError" in parsed.findings[0].message


@pytest.mark.parametrize("site", SITES.values(), ids=SITES)
def test_records_are_plain_json(site: Site) -> None:
    json.dumps([record_to_json(record) for kind in site.kinds for record in parse_page(site, kind, b"{}").records])
