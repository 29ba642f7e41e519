"""LeetCode (leetcode.com, leetcode.cn): contests by GraphQL and the contest API, problems by GraphQL.

A problem has no date of its own: it is dated by the contest that first showed it, which starts at a time the list
of contests gives. Its limits are not published. Expected results stand only in the statement's examples. The site
asks for a browser more often than not (Cloudflare) and its terms forbid republishing, so statements are off by
default: dates, titles and ratings are what a crawl brings, and a person can parse answers they have saved.

Kinds read the answers of both sites. A GraphQL address says nothing of what was asked, so the plan's addresses
carry it behind a "#", which is never sent. Ratings come from Zerotrac's files (another host).
"""

import json
import re
from typing import Any, Final

from scrapers.records import Contest, Problem
from scrapers.site import Facts, Kind, Media, Plan, Request, Site, kinds
from scrapers.sites._leetcode_contests import parse_contest, parse_contest_list
from scrapers.sites._leetcode_pages import classify
from scrapers.sites._leetcode_questions import parse_question
from scrapers.sites._leetcode_ratings import parse_ratings

_ID: Final = r"[A-Za-z0-9_\-]{1,200}"
_BASE: Final = "https://leetcode.com"
_PER_PAGE: Final = 25
_HEADERS: Final = {"Content-Type": "application/json", "Referer": f"{_BASE}/contest/"}

_LIST_QUERY: Final = """query pastContests($pageNo: Int, $numPerPage: Int) {
  pastContests(pageNo: $pageNo, numPerPage: $numPerPage) {
    pageNum currentPage totalNum numPerPage
    data { title titleSlug startTime originStartTime duration isVirtual }
  }
}"""
_AHEAD_QUERY: Final = """query upcomingContests {
  upcomingContests { title titleSlug startTime duration isVirtual }
}"""
_QUESTION_QUERY: Final = """query questionData($titleSlug: String!) {
  question(titleSlug: $titleSlug) {
    questionId questionFrontendId title titleSlug content translatedTitle translatedContent
    isPaidOnly difficulty categoryTitle
    topicTags { name slug }
    codeSnippets { lang langSlug code }
    exampleTestcases sampleTestCase metaData
  }
}"""


def _graphql(kind: str, operation: str, query: str, variables: dict[str, Any], name: str, referer: str) -> Request:
    body = json.dumps({"operationName": operation, "variables": variables, "query": query}).encode()
    return Request(kind, f"/graphql#{name}", body, _HEADERS | {"Referer": referer})


def _index(number: int) -> Request:
    variables = {"pageNo": number, "numPerPage": _PER_PAGE}
    return _graphql("contest_list", "pastContests", _LIST_QUERY, variables, f"contests/{number}", f"{_BASE}/contest/")


def _ahead() -> Request:
    return _graphql("contest_list", "upcomingContests", _AHEAD_QUERY, {}, "contests", f"{_BASE}/contest/")


def _contest(contest: Contest) -> tuple[Request, ...]:
    headers = {"Referer": f"{_BASE}/contest/{contest.external_id}/"}
    return (Request("contest", f"/contest/api/info/{contest.external_id}/", headers=headers),)


def _problem(problem: Problem) -> Request | None:
    name = problem.external_id
    if name is None or "paid_only" in problem.flags:
        return None
    referer = f"{_BASE}/problems/{name}/"
    return _graphql("question", "questionData", _QUESTION_QUERY, {"titleSlug": name}, f"question/{name}", referer)


def _wants(_: Contest) -> bool:
    return True  # every contest asks for programs with right answers


SITE: Final = Site(
    name="leetcode",
    title="LeetCode",
    base_url=_BASE,
    kinds=kinds(
        Kind(
            "contest_list",
            parse_contest_list,
            re.compile(r"^/graphql/?#contests(?:/\d+)?$|^/contest/api/list/?(?:\?|$)"),
            Media.JSON,
        ),
        Kind("contest", parse_contest, re.compile(rf"^/contest/api/(?:ranking/)?info/{_ID}/?(?:\?|$)"), Media.JSON),
        Kind(
            "question",
            parse_question,
            re.compile(rf"^/graphql/?#question/{_ID}$|^/problems/{_ID}(?:/(?:description/?)?)?(?:\?|$)"),
            Media.TEXT,
            statement=True,
        ),
        Kind(
            "ratings",
            parse_ratings,
            re.compile(r"^/zerotrac/leetcode_problem_rating/(?:refs/heads/)?\w+/(?:ratings\.txt|data\.json)$"),
            Media.TEXT,
        ),
    ),
    facts=(
        Facts(
            "ratings",
            (
                Request(
                    "ratings",
                    "/zerotrac/leetcode_problem_rating/main/ratings.txt",
                    origin="https://raw.githubusercontent.com",
                ),
            ),
        ),
    ),
    lacking=frozenset({"limits", "dates"}),
    plan=Plan(index=_index, contest=_contest, problem=_problem, wants=_wants, ahead=(_ahead(),), problems=4),
    pace_s=3,
    fetch_statements=False,
    show_statements=False,
    classify=classify,
    login_path=re.compile(r"^/accounts/login\b"),
)
