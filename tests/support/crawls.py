"""A site on loopback with a few contests, walks through it, and what they told."""

from collections.abc import Iterator
from dataclasses import fields
from datetime import UTC, datetime, timedelta
from typing import Any

from fakes.fake_site import FakeSite, Page

from app.domain.sources.crawl_events import CrawlEvent, CrawlFinished, CursorMoved, PageCaptured
from app.domain.sources.crawl_job import CrawlJob
from app.domain.sources.records import ScrapedProblem
from app.domain.states import ScrapeState
from scrapers.client import FetchLimits
from scrapers.crawl import crawl
from scrapers.page_fetcher import SiteConnection
from scrapers.site import Site, find_site
from support import atcoder_pages as pages

SITE = find_site("atcoder")
NOW = datetime(2026, 1, 20, tzinfo=UTC)
QUICK = FetchLimits(timeout_s=3, total_s=5, retries=0, backoff_s=0.01, max_wait_s=0.1)
ROWS = [
    ("abc503", "2026-01-20 08:00:00+0900", "05:00"),  # ends 04:00 UTC today: not over
    ("ahc070", "2026-01-11 19:00:00+0900", "04:00"),
    ("abc502", "2026-01-10 21:00:00+0900", "01:40"),
    ("arc401", "2026-01-10 21:00:00+0900", "01:40"),  # same start as abc502, one task in common
    ("abc501", "2026-01-03 21:00:00+0900", "01:40"),
    ("abc400", "2025-03-01 21:00:00+0900", "01:40"),
]
TASKS = {"abc501": ["abc501_a", "abc501_b"], "abc502": ["abc502_a", "arc401_a"], "arc401": ["arc401_a", "arc401_b"]}


def at(contest: str) -> tuple[str, str]:
    start = next(start for name, start, _ in ROWS if name == contest)
    return start, start.replace("21:00:00", "22:40:00")


def world(**changes: Page) -> dict[str, Page]:
    """Every page of the site; `changes` replace pages by a name such as task_arc401_b or archive."""
    found: dict[str, Page] = {
        "/contests/archive": changes.pop("archive", pages.archive(ROWS)),
        "/contests/": changes.pop("home", pages.archive([("abc504", "2026-01-24 21:00:00+0900", "01:40")])),
    }
    for contest, names in TASKS.items():
        start, end = at(contest)
        found[f"/contests/{contest}/tasks"] = changes.pop(f"tasks_{contest}", pages.tasks(contest, names, start, end))
        for letter, name in zip("AB", names, strict=True):
            heading = f"{letter} - Task {name}"
            body = pages.task(pages.modern([(f"{name}\n", "1\n")]), start=start, end=end, heading=heading)
            found[f"/contests/{contest}/tasks/{name}"] = changes.pop(f"task_{name}", body)
    assert not changes
    return found


def crawl_site(site: Site, **options: Any) -> Iterator[CrawlEvent]:
    """Walk a site by a job and over a connection of these fields, without a pace unless they give one."""
    names = {slot.name for slot in fields(CrawlJob)}
    job = {"fetch_statements": site.fetch_statements, **{key: options[key] for key in options if key in names}}
    return crawl(site, CrawlJob(**job), connect(**{key: options[key] for key in options if key not in names}))


def connect(base_url: str | None = None, **options: Any) -> SiteConnection:
    wanted: dict[str, Any] = {"pace": lambda _: 0.0, "contact": "operator@example.test", "base_url": base_url}
    return SiteConnection(**(wanted | options))


def walk(site: FakeSite, **options: Any) -> list[CrawlEvent]:
    wanted: dict[str, Any] = {"base_url": site.url, "now": NOW, "margin": timedelta(hours=1), "limits": QUICK}
    return list(crawl_site(SITE, **(wanted | options)))


def captured(events: list[CrawlEvent]) -> list[PageCaptured]:
    return [event for event in events if isinstance(event, PageCaptured)]


def problems(events: list[CrawlEvent]) -> dict[str | None, ScrapedProblem]:
    return {
        record.external_id: record
        for each in captured(events)
        if each.kind == "task"
        for record in each.records
        if isinstance(record, ScrapedProblem)
    }


def cursors(events: list[CrawlEvent]) -> list[str]:
    return [event.cursor for event in events if isinstance(event, CursorMoved)]


def end(events: list[CrawlEvent]) -> CrawlFinished:
    *before, last = events
    assert isinstance(last, CrawlFinished)
    assert not any(isinstance(each, CrawlFinished) for each in before)
    assert (last.reason is None) is (last.state is ScrapeState.SUCCEEDED)
    return last


def bare(paths: list[str]) -> list[str]:
    """The paths without what they share; the page with the contests to come is "home", a category its number."""
    return [_bare(path) for path in paths]


def _bare(path: str) -> str:
    category = path.partition("category=")[2].partition("&")[0]
    return category or path.partition("?")[0].removeprefix("/contests/") or "home"
