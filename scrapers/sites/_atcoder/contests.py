"""AtCoder's lists: tables of contests (archive, contests home) and a contest's table of tasks."""

import itertools
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

from bs4 import Tag

from app.domain.imports import EARLIEST_DATE
from app.domain.sources.records import Classification, PageFinding, ScrapedContest, ScrapedProblem
from scrapers.reading.html import attribute, tags, visible_text
from scrapers.reading.page import SourcePage
from scrapers.site import ParsedPage
from scrapers.sites._atcoder.facts import (
    TRAINING,
    contest_id,
    duration,
    instant,
    is_training,
    kind_of,
    memory_limit_mb,
    task_ids,
    time_limit_ms,
)

_CONTEST_LINK: Final = re.compile(r"/contests/([A-Za-z0-9_\-]{1,80})/?(?:\?[^/]*)?$")
_RATED: Final = re.compile(r"^(?:-|All|(?:\d{1,5})?\s*[~\-–]\s*(?:\d{1,5})?|対象外|全て)$", re.IGNORECASE)
_CATEGORY: Final = re.compile(r"[?&]category=[1-9]")
_DIVISION: Final = re.compile(r"\bDiv(?:ision)?\.?\s*([1-4])\b", re.IGNORECASE)
_MARKS: Final = {"Ⓐ": "algorithm", "Ⓗ": "heuristic"}
_PHASES: Final = {  # ids of the tables on the contests home
    "contest-table-upcoming": "upcoming",
    "contest-table-action": "running",
    "contest-table-active": "running",
    "contest-table-permanent": "permanent",
    "contest-table-recent": "ended",
}


def parse_archive(page: SourcePage) -> ParsedPage:
    """Read the contests of every contest table on the page: archive, contests home, or front page."""
    contests: dict[str, ScrapedContest] = {}
    findings: list[PageFinding] = []
    archive = "archive" in page.path or _is_archive(page)
    for row in page.soup.find_all("tr"):
        link = _contest_link(row)
        if link is None:
            continue
        contest = _contest_row(row, link, "ended" if archive else None)
        if contest.starts_at is None and contest.phase != "permanent":
            findings.append(PageFinding("missing_date", "a contest row has no start time", contest.external_id))
        contests.setdefault(contest.external_id, contest)
    if not contests and archive and _CATEGORY.search(page.url) and page.soup.find("table") is not None:
        return ParsedPage(Classification.OK)  # a category may be empty; the whole archive never is
    if not contests:
        return ParsedPage.not_read("no_contests", "no row of the page names a contest")
    if all(value.starts_at is None and value.phase != "permanent" for value in contests.values()):
        return ParsedPage.not_read("no_dates", "no contest row carries a time")
    return ParsedPage(Classification.OK, tuple(contests.values()), tuple(findings), pages=_last_page(page))


def _is_archive(page: SourcePage) -> bool:
    return bool(re.search(r"archive|past contests|過去のコンテスト", page.title, re.IGNORECASE))


def _contest_link(row: Tag) -> Tag | None:
    for link in tags(row, "a"):
        match = _CONTEST_LINK.search(attribute(link, "href"))
        if match and match[1] != "archive" and visible_text(link, 300):
            return link
    return None


def _contest_row(row: Tag, link: Tag, phase: str | None) -> ScrapedContest:
    external_id = contest_id(attribute(link, "href").partition("?")[0]) or ""
    title = visible_text(link, 300)
    time = next(tags(row, "time"), None)
    starts_at = instant(time) if time is not None else None
    ends_at, rated_range = None, None
    for cell in tags(row, "td"):
        text = visible_text(cell, 100)
        length = duration(text)
        if length is not None and starts_at is not None:
            ends_at = _add_seconds(starts_at, length.total_seconds())
        elif _RATED.match(text):
            rated_range = text
    division = _DIVISION.search(title)
    return ScrapedContest(
        external_id=external_id,
        title=title,
        kind=TRAINING if is_training(external_id) else _kind_mark(row) or kind_of(external_id, title),
        division=f"Div. {division[1]}" if division else None,
        rated_range=rated_range,
        starts_at=starts_at,
        ends_at=ends_at,
        phase=_table_phase(row) or phase,
    )


def _add_seconds(start: datetime, seconds: float) -> datetime | None:
    try:
        return datetime.fromtimestamp(start.timestamp() + seconds, tz=start.tzinfo)
    except (OverflowError, ValueError, OSError):
        return None


def _kind_mark(row: Tag) -> str | None:
    for span in tags(row, "span"):
        label = (attribute(span, "title") or attribute(span, "data-original-title")).strip().lower()
        if label in ("algorithm", "heuristic"):
            return label
        mark = _MARKS.get(visible_text(span, 10))
        if mark:
            return mark
    return None


def _table_phase(row: Tag) -> str | None:
    for around in itertools.islice(row.parents, 20):
        phase = _PHASES.get(attribute(around, "id"))
        if phase is not None:
            return phase
    return None


def _last_page(page: SourcePage) -> int | None:
    numbers = [
        int(number[1])
        for pager in page.soup.find_all("ul", class_="pagination", limit=4)
        for link in tags(pager, "a")
        if (number := re.search(r"[?&]page=(\d{1,5})\b", attribute(link, "href")))
    ]
    return max(numbers, default=None)


def parse_tasks(page: SourcePage) -> ParsedPage:
    """Read the contest (with its task ids in order) and one record for each task: label, title, limits.

    Tasks of a training are of other contests, which the page does not name.
    """
    rows = list(_task_rows(page))
    if not rows:
        return ParsedPage.not_read("no_tasks", "no row of the page names a task")
    name = _most_common([contest for contest, _, _ in rows])
    contest = contest_id(page.url) or name
    if contest.casefold() != name.casefold():
        return ParsedPage.not_read("another_page", f"the page lists the tasks of {name}")
    starts_at, ends_at = contest_times(page)
    problems, findings = [], []
    for _, task, row in rows:
        problem = _task_row(contest, task, row, starts_at, ends_at, page.base_url)
        if problem.time_limit_ms is None or problem.memory_limit_mb is None:
            findings.append(PageFinding("missing_limits", "the task list shows no limits", task))
        problems.append(problem)
    if starts_at is None or ends_at is None:
        findings.append(PageFinding("missing_date", "the page shows no contest duration", contest))
    title = contest_title(page)
    division = _DIVISION.search(title or "")
    record = ScrapedContest(
        external_id=contest,
        title=title,
        kind=kind_of(contest, title),
        division=f"Div. {division[1]}" if division else None,
        starts_at=starts_at,
        ends_at=ends_at,
        problems=tuple(problem.external_id for problem in problems if problem.external_id),
    )
    return ParsedPage(Classification.OK, (record, *problems), tuple(findings))


def _task_rows(page: SourcePage) -> Iterator[tuple[str, str, Tag]]:
    """Yield (contest, task, row) of rows whose first cell links to a task; submission lists link it later."""
    tasks = set()
    for row in page.soup.find_all("tr"):
        cell = next(tags(row, "td", "th"), None)
        link = next(tags(cell, "a"), None) if cell is not None else None
        contest, task = task_ids(attribute(link, "href")) if link is not None else (None, None)
        if contest and task and task not in tasks:
            tasks.add(task)
            yield contest, task, row


def _task_row(
    contest: str, task: str, row: Tag, starts_at: datetime | None, ends_at: datetime | None, base_url: str
) -> ScrapedProblem:
    links = [link for link in tags(row, "a") if task_ids(attribute(link, "href"))[1] == task]
    texts = [visible_text(link, 300) for link in links]
    cells = [visible_text(cell, 60) for cell in tags(row, "td") if next(tags(cell, "a"), None) is None]
    problem = ScrapedProblem(
        external_id=task,
        contest=contest,
        index=texts[0] if len(texts) > 1 else None,
        title=texts[1] if len(texts) > 1 else texts[0] or None,
        url=task_url(base_url, contest, task),
        starts_at=starts_at,
        ends_at=ends_at,
        time_limit_ms=next((limit for cell in cells if (limit := time_limit_ms(cell)) is not None), None),
        memory_limit_mb=next((limit for cell in cells if (limit := memory_limit_mb(cell)) is not None), None),
    )
    return without_training(problem)


def without_training(problem: ScrapedProblem) -> ScrapedProblem:
    """Return a problem without the contest, address and dates of a training's page."""
    if not is_training(problem.contest):
        return problem
    return replace(problem, contest=None, url=None, starts_at=None, ends_at=None)


def task_url(base_url: str, contest: str, task: str) -> str:
    """Return the public address of a task."""
    return f"{base_url}/contests/{contest}/tasks/{task}"


def contest_title(page: SourcePage) -> str | None:
    """Return the contest's title, which every page below it shows."""
    link = page.soup.find("a", class_="contest-title") or page.soup.find(class_="contest-name")
    if isinstance(link, Tag) and visible_text(link, 300):
        return visible_text(link, 300)
    match = re.match(r"^(?:Tasks|問題)\s*-\s*(.+)$", page.title)
    return match[1] if match else None


def contest_times(page: SourcePage) -> tuple[datetime | None, datetime | None]:
    """Return (start, end) of the contest that a page belongs to, in UTC, as its header shows them."""
    around = page.soup.find(class_="contest-duration")
    times = around.find_all("time", limit=4) if isinstance(around, Tag) else []
    if len(times) < 2:  # the old host marks them by id
        times = [page.soup.find("time", id=f"contest-{name}-time") for name in ("start", "end")]
    start, end = (instant(time) if isinstance(time, Tag) else None for time in times[:2])
    return start or _script_time(page, "startTime"), end or _script_time(page, "endTime")


def _script_time(page: SourcePage, name: str) -> datetime | None:
    match = re.search(rf"\bvar {name}\s*=\s*moment\(\s*[\"']([0-9T:+\-]{{16,40}})[\"']", page.text)
    if match is None:
        return None
    try:
        when = datetime.fromisoformat(match[1])
    except ValueError:
        return None
    return when.astimezone(tz=UTC) if when.tzinfo is not None and when >= EARLIEST_DATE else None


def _most_common(values: list[str]) -> str:
    return max(dict.fromkeys(values), key=values.count)
