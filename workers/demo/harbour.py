"""The bundled contest site, Harbour Contests: what it answers to a request at a moment."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from http import HTTPStatus
from typing import Final

from scrapers.suites.house import DatedContest, League, LiveContest
from workers.demo import harbour_pages as pages

RETRY_AFTER_S: Final = 2
_BUSY_EVERY: Final = 9  # every so many requests, one is refused
_ROBOTS: Final = "User-agent: *\nAllow: /\nDisallow: /submissions\n"
_HTML, _JSON, _TEXT = "text/html; charset=utf-8", "application/json", "text/plain; charset=utf-8"


@dataclass(frozen=True, slots=True)
class SitePage:
    """An answer of the site: its status, its body, and further headers."""

    status: HTTPStatus
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)


class HarbourSite:
    """The site of a league's contests, past and live. A contest's problems can be seen from its start on."""

    def __init__(self, league: League, contests: Sequence[DatedContest], clock: Callable[[], datetime]) -> None:
        self._league, self._clock = league, clock
        shown = (*_past_contests(league), *contests) if contests else ()
        self._contests = {dated.contest.slug: dated for dated in shown}
        self._contest_of = {slug: dated for dated in shown for slug in dated.contest.problems}
        self._requests = 0

    def answer(self, path: str, known_etag: str | None) -> SitePage | None:
        """Return the answer to a GET; None for a path that is none of the site's."""
        if path == "/robots.txt":
            return self._answer(_ROBOTS, _TEXT, known_etag)
        if not self._is_own(path):
            return None
        self._requests += 1
        if self._requests % _BUSY_EVERY == 0:
            return _refused(HTTPStatus.TOO_MANY_REQUESTS, {"retry-after": str(RETRY_AFTER_S)})
        found = self._page(path)
        return _refused(HTTPStatus.NOT_FOUND) if found is None else self._answer(*found, known_etag)

    def _is_own(self, path: str) -> bool:
        return path == "/" or path.startswith(("/api/", "/contests/", "/tasks/"))

    def _page(self, path: str) -> tuple[str, str] | None:
        """Return the body of a path and its type."""
        _, _, name = path.rpartition("/")
        started = self._started()
        if path == "/":
            return pages.home_page(tuple(self._contests.values())), _HTML
        if path == "/api/calendar.json":
            return pages.calendar_json(tuple(self._contests.values())), _JSON
        if path == "/api/difficulties.json":
            over = [dated for dated in started if dated.ends_at <= self._clock()]
            problems = [self._league.problems[slug] for dated in over for slug in dated.contest.problems]
            return pages.difficulties_json(problems), _JSON
        if path == f"/contests/{name}" and self._contests.get(name) in started:
            dated = self._contests[name]
            return pages.contest_page(dated, [self._league.problems[slug] for slug in dated.contest.problems]), _HTML
        if path == f"/tasks/{name}" and self._contest_of.get(name) in started:
            dated, problem = self._contest_of[name], self._league.problems[name]
            page = pages.changed_task_page if name in dated.contest.changed else pages.task_page
            return page(dated, problem), _HTML
        return None

    def _started(self) -> list[DatedContest]:
        return [dated for dated in self._contests.values() if dated.starts_at <= self._clock()]

    def _answer(self, text: str, media: str, known_etag: str | None) -> SitePage:
        body = text.encode()
        etag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
        if known_etag == etag:
            return SitePage(HTTPStatus.NOT_MODIFIED, headers={"etag": etag})
        return SitePage(HTTPStatus.OK, body, {"content-type": media, "etag": etag})


def _past_contests(league: League) -> list[DatedContest]:
    return [
        DatedContest(
            LiveContest(past.slug, past.titles, past.ends_at - past.starts_at, past.problems),
            past.starts_at,
            past.ends_at,
        )
        for past in league.contests
    ]


def _refused(status: HTTPStatus, headers: Mapping[str, str] | None = None) -> SitePage:
    body = f"<!DOCTYPE html><html><head><title>{status.value} {status.phrase}</title></head></html>\n".encode()
    return SitePage(status, body, {"content-type": _HTML, **(headers or {})})
