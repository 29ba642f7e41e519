"""Plan of LeetCode: lists of contests and questions by GraphQL, a contest by the contest API.

Both sites know `questionData` and the contest API. On the Chinese site the lists of contests have other names and other
parameters for pages. A GraphQL address does not show the query, so our addresses carry it behind a "#", which is never
sent. The site answers only requests of its own pages, so every request names one.
"""

import json
from dataclasses import replace
from typing import Any, Final

from app.domain.sources.records import ScrapedContest, ScrapedProblem
from scrapers.site import CrawlPlan, Request

_PER_PAGE: Final = 25
_JSON: Final = {"Content-Type": "application/json"}
_CONTESTS: Final = "/contest/"  # the page that shows the lists

_PAST: Final = """query pastContests($pageNo: Int, $numPerPage: Int) {
  pastContests(pageNo: $pageNo, numPerPage: $numPerPage) {
    pageNum currentPage totalNum numPerPage
    data { title titleSlug startTime originStartTime duration isVirtual }
  }
}"""
_UPCOMING: Final = """query upcomingContests {
  upcomingContests { title titleSlug startTime duration isVirtual }
}"""
_CN_PAST: Final = """query contestHistory($pageNum: Int!, $pageSize: Int) {
  contestHistory(pageNum: $pageNum, pageSize: $pageSize) {
    totalNum
    contests { title titleSlug startTime originStartTime duration isVirtual }
  }
}"""
_CN_UPCOMING: Final = """query contestUpcomingContests {
  contestUpcomingContests { title titleSlug startTime originStartTime duration isVirtual }
}"""
_QUESTION: Final = """query questionData($titleSlug: String!) {
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
    return Request(kind, f"/graphql#{name}", body, _JSON, referer=referer)


def _index(number: int) -> Request:
    variables = {"pageNo": number, "numPerPage": _PER_PAGE}
    return _graphql("contest_list", "pastContests", _PAST, variables, f"contests/{number}", _CONTESTS)


def _cn_index(number: int) -> Request:
    variables = {"pageNum": number, "pageSize": _PER_PAGE}
    return _graphql("contest_list", "contestHistory", _CN_PAST, variables, f"contests/{number}", _CONTESTS)


def _contest(contest: ScrapedContest) -> tuple[Request, ...]:
    name = contest.external_id
    return (Request("contest", f"/contest/api/info/{name}/", referer=f"/contest/{name}/"),)


def _problem(problem: ScrapedProblem) -> Request | None:
    name = problem.external_id
    if name is None or "paid_only" in problem.flags:
        return None
    variables = {"titleSlug": name}
    return _graphql("question", "questionData", _QUESTION, variables, f"question/{name}", f"/problems/{name}/")


def _wants(_: ScrapedContest) -> bool:
    return True  # the problems of every contest have right answers


PLAN: Final = CrawlPlan(
    index=_index,
    contest=_contest,
    problem=_problem,
    wants=_wants,
    upcoming=(_graphql("contest_list", "upcomingContests", _UPCOMING, {}, "contests", _CONTESTS),),
    problems=4,
)
CN_PLAN: Final = replace(
    PLAN,
    index=_cn_index,
    upcoming=(_graphql("contest_list", "contestUpcomingContests", _CN_UPCOMING, {}, "contests", _CONTESTS),),
)
