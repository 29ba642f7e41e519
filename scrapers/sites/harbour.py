"""Harbour Contests: the bundled demo site, with a calendar, a page of each contest and of each task, and a list of
difficulties."""

import json
import re
from datetime import datetime, timedelta
from typing import Any, Final

from bs4 import Tag

from app.domain.problems import Entry, Param
from app.domain.sources.records import Classification, ScrapedContest, ScrapedDifficulty, ScrapedExample, ScrapedProblem
from scrapers.reading.html import attribute, sample_text, tags, visible_text
from scrapers.reading.markdown import to_text
from scrapers.reading.page import SourcePage
from scrapers.reading.rows import collect
from scrapers.site import CrawlPlan, Media, PageKind, ParsedPage, Request, Site, kinds

_LIMITS: Final = re.compile(r"Time: ([0-9]{1,6}) ms; memory: ([0-9]{1,5}) MB")
_TASK: Final = re.compile(r"^/tasks/([a-z0-9-]{1,60})$")
_LEVELS: Final = ("easy", "medium", "hard", "expert", "extreme")


def parse_calendar(page: SourcePage) -> ParsedPage:
    """Read all contests, those to come among them."""
    if not isinstance(page.data, dict) or not isinstance(page.data.get("contests"), list):
        return ParsedPage.not_read("no_contests", "the answer holds no list of contests")
    return collect(page.data["contests"], lambda row: [_contest(row)], "contests")


def _contest(row: Any) -> ScrapedContest:
    starts, ends = _instant(row["begins"]), _instant(row["ends"])
    return ScrapedContest(str(row["slug"]), title=str(row["title"]), starts_at=starts, ends_at=ends)


def _instant(text: str) -> datetime:
    instant = datetime.fromisoformat(text)
    if instant.tzinfo is None:
        raise ValueError(f"{text} has no time zone")
    return instant


def parse_contest(page: SourcePage) -> ParsedPage:
    """Read the tasks of one contest, in its order."""
    table = page.soup.find("table", class_="tasks")
    rows = list(tags(table, "tr")) if isinstance(table, Tag) else []
    if not isinstance(table, Tag) or not rows:
        return ParsedPage.not_read("no_tasks", "the page has no table of tasks")
    contest = attribute(table, "data-contest")
    return collect(rows, lambda row: [_listed_task(row, contest, page.base_url)], "tasks")


def _listed_task(row: Tag, contest: str, base_url: str) -> ScrapedProblem:
    place, link = next(tags(row, "th")), next(tags(row, "a"))
    path = attribute(link, "href")
    name = _TASK.match(path)
    if name is None:
        raise ValueError(f"{path[:80]} is the path of no task")
    title = visible_text(link, 200)
    return ScrapedProblem(name[1], contest, index=visible_text(place, 10), title=title, url=f"{base_url}{path}")


def parse_task(page: SourcePage) -> ParsedPage:
    """Read one task: its text, limits and examples, and the function to write if it asks for one."""
    task = page.soup.find("main", class_="task")
    statement = page.soup.find("div", class_="statement")
    if not isinstance(task, Tag) or not isinstance(statement, Tag):
        return ParsedPage.not_read("no_statement", "the page has no statement")
    limits = _LIMITS.search(visible_text(page.soup.find("p", class_="limits"), 200))
    blocks = [sample_text(tag) for tag in tags(task, "pre") if attribute(tag, "class") in ("input", "output")]
    starter = page.soup.find("pre", class_="starter")
    signature = _signature(starter) if isinstance(starter, Tag) else None
    problem = ScrapedProblem(
        external_id=attribute(task, "data-task") or None,
        contest=attribute(task, "data-contest") or None,
        index=attribute(task, "data-place") or None,
        title=visible_text(page.soup.find("h1"), 200),
        url=page.url or None,
        time_limit_ms=int(limits[1]) if limits else None,
        memory_limit_mb=int(limits[2]) if limits else None,
        form="stdin" if signature is None else "function",
        locales=("en",),
        statements={"en": to_text(statement, page.base_url)},
        samples=tuple(map(ScrapedExample, blocks[::2], blocks[1::2])),
        tags=tuple(visible_text(tag, 50) for tag in tags(task, "li") if attribute(tag, "class") == "tag"),
        starter_code={"python": sample_text(starter)} if isinstance(starter, Tag) else {},
        signature=signature,
    )
    return ParsedPage(Classification.OK, (problem,))


def _signature(starter: Tag) -> Entry:
    facts = json.loads(attribute(starter, "data-signature"))
    params = tuple(Param(str(param["name"]), str(param["type"])) for param in facts["params"])
    return Entry(str(facts["name"]), facts.get("class"), params, str(facts["returns"]))


def parse_difficulties(page: SourcePage) -> ParsedPage:
    """Read the level of each task whose contest is over."""
    if not isinstance(page.data, dict) or not isinstance(page.data.get("levels"), dict):
        return ParsedPage.not_read("no_levels", "the answer holds no levels")
    return collect(page.data["levels"].items(), lambda pair: [_difficulty(*pair)], "levels")


def _difficulty(task: str, level: str) -> ScrapedDifficulty:
    return ScrapedDifficulty(task, "level", 1.0 + _LEVELS.index(level))


_DIFFICULTIES: Final = Request("difficulties", "/api/difficulties.json")

SITE: Final = Site(
    name="harbour",
    title="Harbour Contests",
    base_url="https://harbour.example",
    kinds=kinds(
        PageKind("calendar", parse_calendar, re.compile(r"^/api/calendar\.json$"), Media.JSON),
        PageKind("contest", parse_contest, re.compile(r"^/contests/[a-z0-9-]+$")),
        PageKind("task", parse_task, _TASK, statement=True),
        PageKind("difficulties", parse_difficulties, re.compile(r"^/api/difficulties\.json$"), Media.JSON),
    ),
    plan=CrawlPlan(
        index=lambda number: Request("calendar", "/api/calendar.json") if number == 1 else None,
        contest=lambda contest: (Request("contest", f"/contests/{contest.external_id}"), _DIFFICULTIES),
        problem=lambda problem: Request("task", f"/tasks/{problem.external_id}"),
        wants=lambda _: True,
        horizon=timedelta(days=7),  # older contests are read by a backfill
    ),
    pace_s=2.0,
    fetch_statements=True,
    missing_facts=frozenset({"dates"}),  # the calendar has them
)
