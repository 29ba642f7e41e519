"""AtCoder (atcoder.jp): contests from the archive table, tasks with their statements in two languages.

Reading past tasks needs no login; standings do. Everything about a task is on its own page, the dates of its contest
included. Difficulty has no official value: AtCoder Problems (another host) publishes estimates, read here as the kinds
`problem_models` and `contests`.

The archive has lists by category, and its main list omits two of them: Weekday Contests, which are walked as a second
list, and Daily Trainings, which reuse old tasks and date nothing. AtCoder Problems lists contests too. A contest that
only one side lists is a finding, as the archive may omit more in future.
"""

import re
from typing import Final

from app.domain.sources.records import Classification, ScrapedContest, ScrapedProblem
from scrapers.reading.html import visible_text
from scrapers.reading.page import SourcePage
from scrapers.site import CrawlPlan, FactPages, Media, PageKind, ParsedPage, Request, Site, kinds
from scrapers.sites._atcoder.contests import parse_archive, parse_tasks
from scrapers.sites._atcoder.facts import is_training, looks_heuristic
from scrapers.sites._atcoder.json import parse_contests, parse_problem_models, parse_standings
from scrapers.sites._atcoder.tasks import parse_task, parse_tasks_print

_ID: Final = r"[A-Za-z0-9_\-]{1,80}"
_WEEKDAY: Final = 20  # the archive's number of the category of Weekday Contests
_NOT_FOUND: Final = re.compile(r"404|not found|ページが見つかりません", re.IGNORECASE)
_ALERT_NOT_FOUND: Final = re.compile(
    r"\W*(?:(?:contest|task|problem|page) (?:is |was )?not found|[^。]{0,60}見つかりません(?:でした)?)\W*",
    re.IGNORECASE,
)
_NOT_OPEN: Final = re.compile(
    r"contest (?:has|is) not (?:yet )?(?:started|begun|open)|before the contest|コンテスト開始前"
    r"|(?:まだ)?(?:始まって|開始(?:されて|して))いません",
    re.IGNORECASE,
)
_NO_ENTRY: Final = re.compile(
    r"permission denied|do not have permission|sign in first|権限がありません|ログインしてください", re.IGNORECASE
)


def _index(number: int) -> Request:
    return Request("archive", f"/contests/archive?page={number}&lang=en")


def _weekday(number: int) -> Request:
    return Request("archive", f"/contests/archive?page={number}&category={_WEEKDAY}&lang=en")


def _contest(contest: ScrapedContest) -> tuple[Request, ...]:
    return (Request("tasks", f"/contests/{contest.external_id}/tasks?lang=en"),)


def _problem(problem: ScrapedProblem) -> Request | None:
    if problem.external_id is None or problem.contest is None:
        return None
    return Request("task", f"/contests/{problem.contest}/tasks/{problem.external_id}?lang=en")


def _wants(contest: ScrapedContest) -> bool:
    # Heuristic contests score programs; their problems have no right answer. Trainings reuse old tasks.
    if is_training(contest.external_id):
        return False
    return contest.kind != "heuristic" and not looks_heuristic(contest.external_id, contest.title)


def _classify(page: SourcePage) -> ParsedPage | None:
    """Return the class of AtCoder's own error pages: a heading or an alert instead of content."""
    if page.soup.find(id="task-statement") is not None:
        return None
    for tag in page.soup.find_all(["h1", "div"], limit=200):
        if tag.name == "div" and "alert" not in (tag.get("class") or ()):
            continue
        text = visible_text(tag, 400)
        if _NOT_OPEN.search(text):
            return ParsedPage.not_read("not_open", text[:200], Classification.NOT_OPEN)
        if _NO_ENTRY.search(text):
            return ParsedPage.not_read("login", text[:200], Classification.LOGIN)
        if tag.name == "h1" and _NOT_FOUND.search(text):
            return ParsedPage.not_read("not_found", text[:200], Classification.NOT_FOUND)
        # Above a list the same words are about the page requested before.
        if tag.name == "div" and _ALERT_NOT_FOUND.fullmatch(text) and page.soup.find("table") is None:
            return ParsedPage.not_read("not_found", text[:200], Classification.NOT_FOUND)
    return None


SITE: Final = Site(
    name="atcoder",
    title="AtCoder",
    base_url="https://atcoder.jp",
    kinds=kinds(
        PageKind("archive", parse_archive, re.compile(r"^/(?:home|contests/?(?:archive)?)?(?:\?|$)")),
        PageKind("tasks", parse_tasks, re.compile(rf"^/contests/{_ID}/tasks/?(?:\?|$)")),
        PageKind("task", parse_task, re.compile(rf"^/contests/{_ID}/tasks/{_ID}/?(?:\?|$)"), statement=True),
        PageKind(
            "tasks_print", parse_tasks_print, re.compile(rf"^/contests/{_ID}/tasks_print/?(?:\?|$)"), statement=True
        ),
        PageKind("standings", parse_standings, re.compile(rf"^/contests/{_ID}/standings/json(?:\?|$)"), Media.JSON),
        PageKind(
            "problem_models", parse_problem_models, re.compile(r"^/atcoder/resources/problem-models\.json$"), Media.JSON
        ),
        PageKind("contests", parse_contests, re.compile(r"^/atcoder/resources/contests\.json$"), Media.JSON),
    ),
    facts=(
        FactPages(
            "difficulty",
            (Request("problem_models", "/atcoder/resources/problem-models.json", origin="https://kenkoooo.com"),),
        ),
        FactPages(
            "contests",
            (Request("contests", "/atcoder/resources/contests.json", origin="https://kenkoooo.com"),),
            lists=True,
        ),
    ),
    plan=CrawlPlan(
        index=_index,
        contest=_contest,
        problem=_problem,
        wants=_wants,
        other_indexes=(_weekday,),
        upcoming=(Request("archive", "/contests/?lang=en"),),
    ),
    pace_s=1.5,
    fetch_statements=True,
    show_statements=False,
    classify=_classify,
)
