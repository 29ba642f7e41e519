"""Responses by class: what the server says decides before any parser reads."""

from datetime import UTC, datetime

import pytest
from support import atcoder_pages as pages
from support.work import little_work

from app.domain.sources.records import Classification
from scrapers.classify import classify_response
from scrapers.replay import parse_page
from scrapers.response import Response
from scrapers.site import PageKind, find_site

SITE = find_site("atcoder")


def classified(kind: PageKind, status: int | None = 200, **facts: object) -> Classification | None:
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


def test_by_status() -> None:
    for status, expected in [
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
    ]:
        assert classified(SITE.kind("task"), status) is expected, (status, expected)


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


def test_a_page_that_only_checks_the_browser_is_a_challenge_for_every_kind() -> None:
    for site in ["codeforces", "atcoder", "leetcode"]:
        for body in CHECKS:
            for name in find_site(site).kinds:
                parsed = parse_page(find_site(site), name, body.encode())
                assert parsed.classification is Classification.BLOCKED, name
                assert [finding.code for finding in parsed.findings] == ["challenge"], name
            assert classified(SITE.kind("task"), body=body.encode()) is Classification.BLOCKED, (site, body)


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
    with little_work():
        assert classified(SITE.kind("task"), body=b"<p>" + part.encode() * 100_000) is None


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


GOKU = "<title></title><script>window.gokuProps = {};</script><div id='challenge-container'></div>"
LIMITED = (
    "<title>Access denied | codeforces.com used Cloudflare to restrict access</title>"
    '<h1>Error <span class="cf-error-code">1015</span></h1><h2>You are being rate limited</h2>'
)
STORE = '<?xml version="1.0"?>\n<Error><Code>{}</Code><Message>x</Message></Error>'
ELSEWHERE = "<title>ERROR: The request could not be satisfied</title><h1>{}</h1>"


def test_pages_that_hosts_put_before_a_site() -> None:
    for body, expected in [
        (GOKU, "blocked"),
        ("<title>Один момент…</title>", "blocked"),
        ("<title> 请稍候... </title>", "blocked"),
        ("<title>Un momento de calma</title>", "format_changed"),
        (LIMITED, "rate_limited"),
        (LIMITED.replace("1015", "1020").replace("rate limited", "kept out"), "blocked"),
        (LIMITED + "<script>window._cf_chl_opt = {}</script>", "blocked"),
        ("<title>codeforces.com | 504: Gateway time-out</title>", "unreachable"),
        ("<title>Server Error (500)</title>", "unreachable"),
        ("<title>Forbidden (403)</title>", "blocked"),
        ("<title>Bad Request (400)</title>", "format_changed"),
        ("<title>HTTP Status 500 – Internal Server Error</title>", "unreachable"),
        ("<title>Apache Tomcat/7.0.52 - Error report</title><h1>HTTP Status 404 - /x</h1>", "not_found"),
        (ELSEWHERE.format("504 ERROR"), "unreachable"),
        (ELSEWHERE.format("403 ERROR"), "blocked"),
        (ELSEWHERE.format(""), "unreachable"),
        ("<title>ERROR: The request could not be satisfied</title>", "unreachable"),
        ("<title>404 Not Found</title>", "not_found"),
        (STORE.format("AccessDenied"), "blocked"),
        (STORE.format("NoSuchKey"), "not_found"),
        (STORE.format("SlowDown"), "rate_limited"),
        (STORE.format("Other"), "format_changed"),
    ]:
        for site, kind in (("codeforces", "problem"), ("codeforces", "contest_list"), ("leetcode", "question")):
            assert parse_page(find_site(site), kind, body.encode()).classification == expected, (body, expected)


@pytest.mark.parametrize("status", [200, 403, 429])
def test_such_pages_are_known_whatever_their_status(status: int) -> None:
    for body, expected in ((GOKU, "blocked"), ("<title>Einen Moment…</title>", "blocked"), (LIMITED, "rate_limited")):
        assert classified(SITE.kind("task"), status, body=body.encode()) == expected


@pytest.mark.parametrize("action", ["challenge", "captcha"])
def test_a_wall_of_amazons_says_so_in_a_header(action: str) -> None:
    headers = {"x-amzn-waf-action": action}
    assert classified(SITE.kind("task"), 202, body=b"", headers=headers) is Classification.BLOCKED
    assert classified(SITE.kind("task"), 405, headers=headers) is Classification.BLOCKED


def test_the_number_of_a_problem_is_no_status() -> None:
    page = "<html><title>404. 左叶子之和 - 力扣（LeetCode）</title><p>x</p></html>"
    parsed = parse_page(find_site("leetcode"), "question", page.encode())
    assert [finding.code for finding in parsed.findings] == ["unknown_layout"]


def test_a_page_that_was_mostly_lost_is_no_statement() -> None:
    page = pages.task(pages.modern([("1", "2")], text="x"))
    few, many = (page.replace(b"<p>x", b"<p>" + b"\x98" * lost, 1) for lost in (1, 200))
    assert (few != page, many != page) == (True, True)
    assert parse_page(SITE, "task", few, "https://atcoder.jp/contests/a/tasks/a_a").classification is Classification.OK
    parsed = parse_page(SITE, "task", many, "https://atcoder.jp/contests/a/tasks/a_a")
    assert (parsed.classification, parsed.records) == (Classification.FORMAT_CHANGED, ())
    assert [finding.code for finding in parsed.findings] == ["encoding"]
