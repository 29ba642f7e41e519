"""Responses by class: what the server says decides before any parser reads."""

import time
from datetime import UTC, datetime

import pytest

from scrapers.classify import classify_response
from scrapers.replay import parse
from scrapers.response import Response
from scrapers.site import Classification, Kind, find_site

SITE = find_site("atcoder")


def classified(kind: Kind, status: int | None = 200, **facts: object) -> Classification | None:
    values: dict[str, object] = {
        "url": "https://atcoder.jp/contests/a/tasks/a_a",
        "final_url": "https://atcoder.jp/contests/a/tasks/a_a",
        "status": status,
        "fetched_at": datetime.now(UTC),
        "body": b"<p>text</p>",
    }
    parsed = classify_response(SITE, kind, Response(**(values | facts)))  # type: ignore[arg-type]
    assert parsed is None or (parsed.findings and not parsed.records)
    return parsed.classification if parsed else None


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (200, None),
        (203, None),
        (301, Classification.FORMAT_CHANGED),
        (400, Classification.FORMAT_CHANGED),
        (401, Classification.LOGIN),
        (402, Classification.PAID_ONLY),
        (403, Classification.BLOCKED),
        (404, Classification.NOT_FOUND),
        (410, Classification.NOT_FOUND),
        (429, Classification.RATE_LIMITED),
        (451, Classification.BLOCKED),
        (500, Classification.UNREACHABLE),
        (503, Classification.UNREACHABLE),
        (522, Classification.UNREACHABLE),
        (None, Classification.UNREACHABLE),
    ],
)
def test_by_status(status: int | None, expected: Classification | None) -> None:
    assert classified(SITE.kind("task"), status) is expected


@pytest.mark.parametrize("status", [200, 403, 429, 503])
def test_a_challenge_is_blocked_whatever_its_status(status: int) -> None:
    task = SITE.kind("task")
    assert classified(task, status, body=b"<title>Just a moment...</title>") is Classification.BLOCKED
    assert classified(task, status, body=b"<script>window._cf_chl_opt={}</script>") is Classification.BLOCKED
    assert classified(task, status, headers={"cf-mitigated": "challenge"}) is Classification.BLOCKED


CHECKS = [
    "<style>p {color: red}</style>\n<p>Please wait. Your browser is being checked.</p>\n<script>run()</script>\n",
    "<!-- x --><html><title>Round</title><P>Checking your browser before you go on...</P><script>if (1 < 2) {}",
    "<p>Подождите... Ваш браузер проверяется.</p>",
]


@pytest.mark.parametrize("body", CHECKS)
@pytest.mark.parametrize("site", ["codeforces", "atcoder", "leetcode"])
def test_a_page_that_only_checks_the_browser_is_a_challenge_for_every_kind(site: str, body: str) -> None:
    for name in find_site(site).kinds:
        parsed = parse(find_site(site), name, body.encode())
        assert parsed.classification is Classification.BLOCKED, name
        assert [each.code for each in parsed.findings] == ["challenge"], name
    assert classified(SITE.kind("task"), body=body.encode()) is Classification.BLOCKED


@pytest.mark.parametrize(
    "body",
    [
        "<h2>A - Wait</h2><p>Please wait. Your browser is being checked.</p>",
        "<p>Please wait. Your browser is being checked.</p>" + "<p>Count the checks of a browser.</p>" * 20,
        '{"said": "Please wait. Your browser is being checked."}',
        '["<p>Your browser is being checked.</p>"]',
    ],
)
def test_a_page_that_says_more_is_no_challenge(body: str) -> None:
    assert classified(SITE.kind("task"), body=body.encode()) is None


@pytest.mark.parametrize("part", ["<", "<!--", "<script ", "<style></style ", "<p>checking your ", "please wait "])
def test_a_challenge_is_looked_for_in_bounded_time(part: str) -> None:
    started = time.perf_counter()
    assert classified(SITE.kind("task"), body=b"<p>" + part.encode() * 100_000) is None
    assert time.perf_counter() - started < 5


def test_a_page_about_a_challenge_is_no_challenge() -> None:
    body = b"<title>A - Just a Moment</title><p>Attention Required! Security check, please wait.</p>"
    assert classified(SITE.kind("task"), body=body) is None


def test_the_owners_noai_is_obeyed_for_statements_only() -> None:
    meta = b'<head><meta name="robots" content="index, noai, noimageai"></head>'
    assert classified(SITE.kind("task"), body=meta) is Classification.BLOCKED
    assert classified(SITE.kind("task"), headers={"x-robots-tag": "noai"}) is Classification.BLOCKED
    assert classified(SITE.kind("tasks"), body=meta) is None
    assert classified(SITE.kind("task"), body=b'<meta name="robots" content="noindex">') is None
    assert classified(SITE.kind("task"), body=b'<meta name="keywords" content="noai">') is None


def test_other_refusals() -> None:
    task = SITE.kind("task")
    assert classified(task, None, refusal="robots.txt forbids /") is Classification.BLOCKED
    assert classified(task, final_url="https://atcoder.jp/login?continue=x") is Classification.LOGIN
    assert classified(task, error="the body is larger than 5 bytes", body=b"") is Classification.FORMAT_CHANGED
