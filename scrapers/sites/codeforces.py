"""Codeforces (codeforces.com): contests, problems and ratings from its API; statements only if an operator allows it.

The owner marks the pages with statements "noai", so a crawl uses only the API; an operator may parse pages that a
person has saved, or import packages. The API gives dates, points, tags and ratings, but no limits and no text; a page
gives limits and text, but no dates.
"""

import re
from datetime import timedelta
from typing import Final

from app.domain.sources.records import Classification, ScrapedContest, ScrapedProblem
from app.domain.sources.schedule import ExpectedData
from scrapers.reading.html import visible_text
from scrapers.reading.page import SourcePage
from scrapers.site import CrawlPlan, FactPages, Media, PageKind, ParsedPage, Request, Site, kinds
from scrapers.sites._codeforces.api import parse_contest_list, parse_problemset, parse_rating_changes, parse_standings
from scrapers.sites._codeforces.facts import is_gym, problem_path
from scrapers.sites._codeforces.problems import parse_contest_problems, parse_problem
from scrapers.sites._codeforces.sign import sign_path

_PLACE: Final = r"(?:group/[A-Za-z0-9]{1,40}/)?(?:contest|gym)/\d{1,9}"
_INDEX: Final = r"[A-Za-z0-9]{1,8}"
_PROBLEM: Final = re.compile(
    rf"^/(?:{_PLACE}/problem|problemset/(?:problem|gymProblem)/\d{{1,9}}|problemsets?/[a-z]{{1,30}}/problem/\d{{1,9}})"
    rf"/{_INDEX}/?(?:\?|$)"
)

# Contests whose problems have no right answer (programs are scored), hide what is asked (April Fools),
# or take no program that reads and prints (Q#). Other special rounds, as Kotlin Heroes, ask for ordinary ones.
_UNSUITABLE_TITLE: Final = re.compile(
    r"\bApril Fools\b|\bMarathon\b|\bHuawei\b|\bICPC\b.{0,60}\bChallenge\b|\bML Round\b|\bTreasure Hunt\b|\bQ#",
    re.IGNORECASE,
)

# Rating changes come within a day, or never: an unrated round looks like one that is not rated yet.
_EXPECTED_STANDINGS: Final = ExpectedData(
    "standings",
    first=timedelta(hours=24),
    wait=timedelta(hours=6),
    longest=timedelta(days=2),
    grace=timedelta(days=15),
    patience=timedelta(days=14),
)

# Message that a page's script pops up instead of showing what was requested.
_MESSAGE: Final = re.compile(r"Codeforces\.showMessage\(\s*[\"']([^\"'\n]{1,300})")
_UNAVAILABLE: Final = re.compile(
    r"temporar(?:il)?y (?:unavailable|blocked by administrator)|временно недоступ", re.IGNORECASE
)
_NOT_FOUND: Final = re.compile(
    r"^No such (?:contest|problem|group)|^Illegal contest|^Can't find such|^(?:Нет такого|Не найден)", re.IGNORECASE
)
_NOT_OPEN: Final = re.compile(
    r"(?:contest|round) (?:has|is) not (?:yet )?(?:started|begun)|^Before the contest|^До (?:начала )?соревнования"
    r"|(?:соревнование|контест) (?:ещё|еще) не начал",
    re.IGNORECASE,
)
_NO_ENTRY: Final = re.compile(
    r"not allowed to (?:view|participate|see)|don't have (?:access|permission)|must be (?:logged in|registered)"
    r"|у вас нет (?:прав|доступа)",
    re.IGNORECASE,
)
_MAX_OUTAGE_PAGE_CHARS: Final = 20_000  # of a page that only says that the site is down


def _index(number: int) -> Request | None:
    return Request("contest_list", "/api/contest.list?gym=false") if number == 1 else None


def _contest(contest: ScrapedContest) -> tuple[Request, ...]:
    return (_standings(contest.external_id),)


def _standings(contest: str) -> Request:
    # Without a key the API refuses any further parameter here, `count` included, so all rows are returned.
    return Request("standings", f"/api/contest.standings?contestId={contest}")


def _participant_requests(contest: str) -> tuple[Request, ...]:
    """Request the participants and their ratings before the contest, final after the system tests and hacks."""
    return (Request("rating_changes", f"/api/contest.ratingChanges?contestId={contest}"), _standings(contest))


def _problem(problem: ScrapedProblem) -> Request | None:
    if problem.contest is None or problem.index is None:
        return None
    return Request("problem", f"{problem_path(problem.contest, problem.index)}?locale=en")


def _wants(contest: ScrapedContest) -> bool:
    return not is_gym(contest.external_id) and not _UNSUITABLE_TITLE.search((contest.title or "")[:500])


def _classify(page: SourcePage) -> ParsedPage | None:
    """Return the class of Codeforces' own error pages: a short page, or one about something else with a message."""
    if page.text.lstrip().startswith("%PDF-"):
        return ParsedPage.not_read("statement_in_pdf", "the body is a document, no page")
    if len(page.text) < _MAX_OUTAGE_PAGE_CHARS and _UNAVAILABLE.search(visible_text(page.soup, 2000)):
        return ParsedPage.not_read("unavailable", "the site says that it is down", Classification.UNREACHABLE)
    if "problem-statement" in page.text or "problemindexholder" in page.text:
        return None
    for text in _messages(page):
        for rule, code, classification in (
            (_NOT_FOUND, "not_found", Classification.NOT_FOUND),
            (_NOT_OPEN, "not_open", Classification.NOT_OPEN),
            (_NO_ENTRY, "login", Classification.LOGIN),
        ):
            if rule.search(text):
                return ParsedPage.not_read(code, text, classification)
    return None


def _messages(page: SourcePage) -> list[str]:
    """Return the messages of a page, and the phase on a contest's page before its start."""
    texts = [match[1].strip() for match in _MESSAGE.finditer(page.text)]
    phases = page.soup.find_all("div", class_="contest-state-phase", limit=5)
    return [*texts, *(visible_text(tag, 200) for tag in phases)]


SITE: Final = Site(
    name="codeforces",
    title="Codeforces",
    base_url="https://codeforces.com",
    kinds=kinds(
        PageKind("contest_list", parse_contest_list, re.compile(r"^/api/contest\.list(?:\?|$)"), Media.JSON),
        PageKind("problemset", parse_problemset, re.compile(r"^/api/problemset\.problems(?:\?|$)"), Media.JSON),
        PageKind("standings", parse_standings, re.compile(r"^/api/contest\.standings(?:\?|$)"), Media.JSON),
        PageKind(
            "rating_changes", parse_rating_changes, re.compile(r"^/api/contest\.ratingChanges(?:\?|$)"), Media.JSON
        ),
        PageKind("problem", parse_problem, _PROBLEM, statement=True),
        PageKind(
            "contest_problems",
            parse_contest_problems,
            re.compile(rf"^/(?:{_PLACE}(?:/problems)?|problemsets?/acmsguru(?:/page/\d{{1,4}})?)/?(?:\?|$)"),
            statement=True,
        ),
    ),
    facts=(
        FactPages("ratings", (Request("problemset", "/api/problemset.problems"),)),
        FactPages("standings", contest_requests=_participant_requests, expected=_EXPECTED_STANDINGS),
    ),
    missing_facts=frozenset({"dates"}),
    plan=CrawlPlan(index=_index, contest=_contest, problem=_problem, wants=_wants),
    pace_s=2.0,
    fetch_statements=False,
    show_statements=False,
    classify=_classify,
    sign=sign_path,
)
