"""LeetCode's contests: the lists that GraphQL gives, and one contest with its problems.

Lists seen: `allContests` (all at once, until about 2022), `pastContests` pages, `upcomingContests` and
`topTwoContests`; on the Chinese site `contestHistory` and `contestUpcomingContests`; before GraphQL
`/contest/api/list/`. They are recognised by their rows, which name a slug and a start, not by the query's name.
"""

import math
import re
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from app.domain.sources.records import Classification, DifficultyRating, PageFinding, ScrapedContest, ScrapedProblem
from scrapers.reading.page import SourcePage
from scrapers.reading.rows import collect
from scrapers.site import ParsedPage
from scrapers.sites._leetcode.json import (
    duration,
    first_value,
    graphql_errors,
    instant,
    number,
    read_answer,
    short_text,
    slug,
)

_SLUG: Final = ("titleSlug", "title_slug", "slug")
_START: Final = ("startTime", "start_time")
_ORIGIN: Final = ("originStartTime", "origin_start_time")
_VIRTUAL: Final = ("isVirtual", "is_virtual")
_LISTS: Final = ("data", "contests", "nodes", "list")  # keys of the rows of a list's page
_PHASES: Final = ((re.compile("past|history", re.IGNORECASE), "ended"), (re.compile("upcoming", re.I), "upcoming"))
_NUMBERED: Final = re.compile(r"(bi)?weekly-contest-(\d{1,5})")
# Weekly contests take 90 minutes from the 59th on, biweekly ones always; earlier ones varied.
_FIRST_OF_90_MINUTES: Final = 59
_USUAL_DURATION: Final = timedelta(minutes=90)
_LEVELS: Final = {1: "Easy", 2: "Medium", 3: "Hard"}


def difficulty_level(value: Any) -> DifficultyRating | None:
    """Return Easy, Medium or Hard, from the word in either language or the number; None for anything else."""
    if isinstance(value, Mapping):
        value = value.get("level")
    word = _LEVELS.get(value, "") if isinstance(value, int) else ""
    if isinstance(value, str):
        word = {"简单": "Easy", "中等": "Medium", "困难": "Hard"}.get(value.strip(), value.strip().capitalize())
    return DifficultyRating("leetcode", word) if word in _LEVELS.values() else None


def problem_url(base_url: str, title_slug: str) -> str:
    """Return the public address of a problem."""
    return f"{base_url}/problems/{title_slug}/"


def parse_contest_list(page: SourcePage) -> ParsedPage:
    """Read the contests of a list, in the list's own order."""
    value, refusal = read_answer(page)
    if refusal is not None:
        return refusal
    lists = list(_lists(value))
    rows = [(row, phase) for _, items, phase, _ in lists for row in items]
    if not rows:
        if any(says_empty for _, _, _, says_empty in lists):
            return ParsedPage(Classification.OK)
        return ParsedPage.not_read("no_contests", "the answer holds no list of contests")
    parsed = collect(rows, _listed_contest, "contests")
    pages = next((count for holder, _, _, _ in lists if (count := _pages(holder)) is not None), None)
    unique = {record.external_id: record for record in reversed(parsed.records) if isinstance(record, ScrapedContest)}
    error = graphql_errors(value) if isinstance(value, Mapping) else None
    findings = (*parsed.findings, *((PageFinding("graphql_error", error),) if error else ()))
    undated = (PageFinding("missing_date", "a contest has no start", name) for name in _undated_contests(unique))
    return ParsedPage(parsed.classification, tuple(reversed(unique.values())), (*findings, *undated), pages)


def _undated_contests(contests: Mapping[str, ScrapedContest]) -> list[str]:
    return [name for name, contest in contests.items() if contest.starts_at is None][:20]


def _lists(value: Any) -> Iterator[tuple[Mapping[str, Any], list[Any], str | None, bool]]:
    """Yield (object around a list, its rows, the phase in its name, whether it may be empty), in order."""
    if isinstance(value, list):
        yield {}, value, None, False
        return
    data = value.get("data", value) if isinstance(value, Mapping) else None
    if not isinstance(data, Mapping):
        return
    for name, item in data.items():
        if "contest" not in name.lower():
            continue
        phase = next((phase for rule, phase in _PHASES if rule.search(name)), None)
        if isinstance(item, list):
            yield data, item, phase, phase == "upcoming"
        elif isinstance(item, Mapping):
            rows = next((item[key] for key in _LISTS if isinstance(item.get(key), list)), None)
            if rows is not None:
                yield item, rows, phase, isinstance(item.get("totalNum"), int)


def _pages(holder: Mapping[str, Any]) -> int | None:
    """Return the number of pages, as stated or from the sizes."""
    total, size, pages = (holder.get(name) for name in ("totalNum", "numPerPage", "pageNum"))
    if isinstance(total, int) and isinstance(size, int) and total >= 0 and size > 0:
        return math.ceil(total / size)
    # Without sizes the Chinese site's `pageNum` would be the number of this page.
    return pages if isinstance(pages, int) and pages > 0 and "currentPage" in holder else None


def _listed_contest(item: tuple[Any, str | None]) -> Iterator[ScrapedContest]:
    row, phase = item
    if isinstance(row.get("contest"), Mapping):  # an element of a collected list of contest pages
        row = row["contest"]
    yield _contest(row, phase)


def _contest(row: Mapping[str, Any], phase: str | None = None, problems: tuple[str, ...] = ()) -> ScrapedContest:
    name = slug(first_value(row, *_SLUG))
    # A virtual contest is a user's rerun; it keeps the first start.
    origin = first_value(row, *_ORIGIN) if first_value(row, *_VIRTUAL) is True else None
    starts_at = instant(origin or first_value(row, *_START))
    return ScrapedContest(
        external_id=name,
        title=short_text(row.get("title")),
        kind=_kind(name),
        starts_at=starts_at,
        ends_at=_contest_end(name, starts_at, duration(row.get("duration"))),
        phase=phase,
        problems=problems,
    )


def _kind(name: str) -> str:
    if "biweekly-contest" in name:
        return "biweekly"
    return "weekly" if "weekly-contest" in name else "other"


def _contest_end(name: str, start: datetime | None, length: timedelta | None) -> datetime | None:
    match = _NUMBERED.fullmatch(name)
    if length is None and match and (match[1] or int(match[2]) >= _FIRST_OF_90_MINUTES):
        length = _USUAL_DURATION
    return start + length if start is not None and length is not None else None


def parse_contest(page: SourcePage) -> ParsedPage:
    """Read the contest and one record for each problem; for a list of such answers, each of them in order."""
    value, refusal = read_answer(page)
    if refusal is not None:
        return refusal
    if isinstance(value, list) and value:
        return collect(value, lambda row: _with_problems(*_parts(row), page.base_url), "contests")
    if isinstance(value, Mapping) and isinstance(value.get("data"), Mapping):
        value = _from_graphql(value["data"])
        if value.get("contest", 0) is None:
            return ParsedPage.not_read("not_found", "the site knows no such contest", Classification.NOT_FOUND)
    try:
        contest, questions = _parts(value)
        address = re.search(r"/contest/(?:api/(?:ranking/)?info/)?([A-Za-z0-9_\-]+)/?(?:[?#]|$)", page.url)
        name = slug(first_value(contest, *_SLUG))
    except (TypeError, KeyError, AttributeError) as broken:
        return ParsedPage.not_read("no_contest", f"the answer is no contest with its problems: {broken}"[:300])
    if address and address[1] not in ("api", name):
        return ParsedPage.not_read("another_page", f"the page says that it is {name}")
    if not questions:
        # The site names the problems of a contest only after its start.
        return ParsedPage.not_read("not_open", "the contest shows no problems yet", Classification.NOT_OPEN)
    return _read_contest(contest, questions, page.base_url)


def _read_contest(contest: Mapping[str, Any], questions: list[Any], base_url: str) -> ParsedPage:
    """Read one contest; its unreadable problems become findings."""
    rows = collect(questions, lambda row: (_problem(row, _contest(contest), base_url),), "questions")
    problems = [record for record in rows.records if isinstance(record, ScrapedProblem)]
    if not problems:
        return rows
    record = _contest(contest, problems=tuple(problem.external_id for problem in problems if problem.external_id))
    undated = () if record.starts_at else (PageFinding("missing_date", "the contest has no start", record.external_id),)
    return ParsedPage(Classification.OK, (record, *problems), (*rows.findings, *undated))


def _from_graphql(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a GraphQL answer about one contest in the form of /contest/api/info/."""
    contest = first_value(data, "contest", "contestDetailPage")
    if not isinstance(contest, Mapping):
        return {"contest": None} if {"contest", "contestDetailPage"} & set(data) else {}
    questions = first_value(data, "contestQuestionList", "questions")
    if questions is None:  # but an empty list is an answer: before its start a contest shows no problems
        questions = first_value(contest, "questions", "questionList")
    return {"contest": contest, "questions": questions}


def _parts(value: Any) -> tuple[Mapping[str, Any], list[Any]]:
    if not isinstance(value, Mapping):
        raise TypeError(f"{type(value).__name__} is no contest")
    contest, questions = value["contest"], value["questions"]
    if not isinstance(contest, Mapping) or not isinstance(questions, list):
        raise TypeError("contest and questions are of another kind")
    return contest, questions


def _with_problems(
    contest: Mapping[str, Any], questions: list[Any], base_url: str
) -> list[ScrapedContest | ScrapedProblem]:
    parsed = _read_contest(contest, questions, base_url)
    records = [record for record in parsed.records if isinstance(record, ScrapedContest | ScrapedProblem)]
    if parsed.findings or not records:
        message = parsed.findings[0].message if parsed.findings else "no problem is named"
        raise ValueError(message)
    return records


def _problem(row: Any, contest: ScrapedContest, base_url: str) -> ScrapedProblem:
    name = slug(first_value(row, *_SLUG))
    credit = row.get("credit")
    return ScrapedProblem(
        external_id=name,
        contest=contest.external_id,
        # The Chinese site has the title in both languages; the English one is that of the problem's page.
        title=short_text(row.get("english_title")) or short_text(row.get("title")),
        url=problem_url(base_url, name),
        starts_at=contest.starts_at,
        ends_at=contest.ends_at,
        points=number(credit) if credit is not None else None,
        difficulty=difficulty_level(row.get("difficulty")),
        flags=("paid_only",) if first_value(row, "paid_only", "paidOnly", "isPaidOnly") is True else (),
    )
