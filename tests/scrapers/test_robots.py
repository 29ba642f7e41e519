"""robots.txt: groups, longest match, wildcards, delays, and what a hostile one may not do."""

from scrapers.robots import RobotsTxt

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


def test_who_may_ask_for_what() -> None:
    for agent, path, allowed in [
        ("Tidemark", "/", True),
        ("Tidemark", "/private", False),
        ("Tidemark", "/private/x?y=1", False),
        ("Tidemark", "/private/open/x", True),
        ("Tidemark", "/a/b.pdf", False),
        ("Tidemark", "/a/b.pdf?x", True),
        ("Tidemark", "/contests/abc/submissions?page=1", False),
        ("Tidemark", "/%70rivate", False),
        ("Tidemark", "/all", True),
        ("Tidemark", "//private", True),
        ("Nobody", "/all/x", False),
        ("Nobody", "/private", True),
        ("second", "/private", False),
        ("other", "/robots.txt", True),
        ("other", "/x", False),
    ]:
        assert RobotsTxt(TEXT).allows(agent, path) is allowed, (agent, path, allowed)


def test_delays() -> None:
    robots = RobotsTxt(TEXT)
    assert robots.delay_s("Tidemark") == 2.5
    assert robots.delay_s("Nobody") == 0
    assert RobotsTxt(b"User-agent: *\nCrawl-delay: soon").delay_s("x") == 0
    assert RobotsTxt(b"User-agent: *\nCrawl-delay: 99999").delay_s("x") == 300


def test_equal_lengths_permit_and_rules_need_a_group() -> None:
    assert RobotsTxt(b"User-agent: *\nDisallow: /a\nAllow: /a").allows("x", "/a")
    assert RobotsTxt(b"Disallow: /").allows("x", "/a")
    assert RobotsTxt(b"<html>no robots here</html>").allows("x", "/a")
    assert not RobotsTxt(b"User-agent: *\nDisallow: /\n" * 5000).allows("x", "/a")


def test_a_path_of_two_slashes_names_no_host() -> None:
    assert not RobotsTxt(b"User-agent: *\nDisallow: //private").allows("x", "//private/a")


def test_a_file_is_read_to_its_bound() -> None:
    body = b"User-agent: *\n" + b"# a comment\n" * 60_000 + b"Disallow: /\n"
    assert RobotsTxt(body).allows("x", "/a")
