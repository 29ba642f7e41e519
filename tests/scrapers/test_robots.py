"""robots.txt: groups, longest match, wildcards, delays."""

import pytest

from scrapers.robots import parse_robots

TEXT = b"""\xef\xbb\xbf# comment
User-agent: other
Disallow: /

User-agent: tidemark
User-Agent: second
Disallow: /private # why
Allow: /private/open
Disallow: /*.pdf$
Disallow: /*/submissions
Crawl-delay: 2.5
nonsense
Disallow:

User-agent: *
Disallow: /all
"""


@pytest.mark.parametrize(
    ("agent", "path", "allowed"),
    [
        ("Tidemark", "/", True),
        ("Tidemark", "/private", False),
        ("Tidemark", "/private/x?y=1", False),
        ("Tidemark", "/private/open/x", True),
        ("Tidemark", "/a/b.pdf", False),
        ("Tidemark", "/a/b.pdf?x", True),
        ("Tidemark", "/contests/abc/submissions?page=1", False),
        ("Tidemark", "/%70rivate", False),
        ("Tidemark", "/all", True),
        ("Nobody", "/all/x", False),
        ("Nobody", "/private", True),
        ("second", "/private", False),
        ("other", "/robots.txt", True),
        ("other", "/x", False),
    ],
)
def test_who_may_ask_for_what(agent: str, path: str, allowed: bool) -> None:
    assert parse_robots(TEXT).allows(agent, path) is allowed


def test_delays() -> None:
    robots = parse_robots(TEXT)
    assert robots.delay_s("Tidemark") == 2.5
    assert robots.delay_s("Nobody") == 0
    assert parse_robots(b"User-agent: *\nCrawl-delay: soon").delay_s("x") == 0
    assert parse_robots(b"User-agent: *\nCrawl-delay: 99999").delay_s("x") == 300


def test_equal_lengths_permit_and_rules_need_a_group() -> None:
    assert parse_robots(b"User-agent: *\nDisallow: /a\nAllow: /a").allows("x", "/a")
    assert parse_robots(b"Disallow: /").allows("x", "/a")
    assert parse_robots(b"<html>no robots here</html>").allows("x", "/a")
    assert not parse_robots(b"User-agent: *\nDisallow: /\n" * 5000).allows("x", "/a")
