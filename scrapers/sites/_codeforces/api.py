"""Rows of Codeforces' API: contests, problems, standings and rating changes."""

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final

from app.domain.imports import EARLIEST_DATE
from app.domain.sources.records import (
    Classification,
    DifficultyRating,
    PageFinding,
    ScrapedContest,
    ScrapedProblem,
    ScrapedRatingChange,
    ScrapedStanding,
)
from scrapers.reading.page import SourcePage
from scrapers.reading.rows import ROW_ERRORS, RowReader, describe_error
from scrapers.site import ParsedPage
from scrapers.sites._codeforces.envelope import identifier, number, text, unwrap, whole_number
from scrapers.sites._codeforces.facts import ACMSGURU, division_of, is_gym, problem_path

SCALE: Final = "codeforces"
_MAX_TAGS: Final = 100


def parse_contest_list(page: SourcePage) -> ParsedPage:
    """Return one contest for each row of contest.list: rounds or trainings, past and announced, on one page."""
    refusal, result = unwrap(page)
    if refusal is not None:
        return refusal
    if not isinstance(result, list) or not result:
        return ParsedPage.not_read("no_contests", "the answer is no list of contests")
    rows = RowReader("contest.list")
    contests = rows.read(result, _contest)
    for contest in contests:
        # Announced rounds and trainings may have no start.
        if contest.starts_at is None and contest.phase != "BEFORE" and not is_gym(contest.external_id):
            rows.findings.append(PageFinding("missing_date", "a contest has no start time", contest.external_id))
    return rows.to_page(contests, pages=1)


def parse_problemset(page: SourcePage) -> ParsedPage:
    """Return one problem for each row of problemset.problems, without dates, limits and text."""
    refusal, result = unwrap(page)
    if refusal is not None:
        return refusal
    problems = result.get("problems") if isinstance(result, Mapping) else None
    # Standings list problems too, of one contest.
    if not isinstance(problems, list) or "rows" in result or "contest" in result:
        return ParsedPage.not_read("no_problems", "the answer is no problem set")
    if not problems and "tags=" not in page.url:
        return ParsedPage.not_read("no_problems", "the problem set is empty")
    rows = RowReader("problemset.problems")
    return rows.to_page(rows.read(problems, lambda row: _problem(row, None, page.base_url)))


def parse_standings(page: SourcePage) -> ParsedPage:
    """Return the contest of contest.standings, its problems in order, then one standing for each row.

    A problem is solved if it earned points; in an IOI contest, if it earned all there are. The API gives no ratings.
    """
    refusal, result = unwrap(page)
    if refusal is not None:
        return refusal
    if not isinstance(result, Mapping) or not all(isinstance(result.get(part), list) for part in ("problems", "rows")):
        return ParsedPage.not_read("no_standings", "there are no rows with problems")
    try:
        contest = _contest(result["contest"])
    except ROW_ERRORS as broken:
        return ParsedPage.not_read("no_contest", f"the contest cannot be read: {describe_error(broken)}")
    problem_rows = RowReader("problems")
    problems = problem_rows.read(result["problems"], lambda row: _problem(row, contest, page.base_url))
    if problem_rows.bad:  # a row's results stand in the order of the problems, so all of them must be known
        return ParsedPage(Classification.FORMAT_CHANGED, findings=tuple(problem_rows.findings))
    ids = tuple(problem.external_id for problem in problems if problem.external_id)
    full = tuple(problem.points for problem in problems) if contest.kind == "IOI" else (None,) * len(problems)
    rows = RowReader("standings")
    standings = rows.read(result["rows"], lambda row: _standing(row, ids, full, partial=contest.kind == "IOI"))
    others = sum(1 for row in result["rows"] if _participation(row) not in ("CONTESTANT", None))
    if others:
        rows.findings.append(PageFinding("unofficial_rows", f"{others} rows are not of official contestants"))
    if rows.bad and not standings:
        return ParsedPage(Classification.FORMAT_CHANGED, findings=tuple(rows.findings))
    return rows.to_page((replace(contest, problems=ids), *problems, *standings))


def parse_rating_changes(page: SourcePage) -> ParsedPage:
    """Return one change for each row of contest.ratingChanges.

    Before ratings are computed, and for good if a round is unrated, the site answers with an empty list (read as such,
    with a finding) or refuses ("not open"): it does not distinguish the two.
    """
    refusal, result = unwrap(page)
    if refusal is not None:
        return refusal
    if not isinstance(result, list) or (not result and result is page.data):  # only the site itself says "none"
        return ParsedPage.not_read("no_changes", "the answer is no list of rating changes")
    rows = RowReader("contest.ratingChanges")
    if not result:
        rows.findings.append(PageFinding("no_changes", "the contest is unrated or not rated yet"))
    return rows.to_page(rows.read(result, _rating_change))


def _contest(row: Any) -> ScrapedContest:
    title = text(row["name"])
    starts_at = ends_at = None
    length = number(row["durationSeconds"])
    if length < 0:
        raise ValueError("the duration is negative")
    if row.get("startTimeSeconds") is not None:  # some announced contests have none
        start = number(row["startTimeSeconds"])
        starts_at, ends_at = _instant(start), _instant(start + length)
    dated = starts_at is not None and starts_at >= EARLIEST_DATE
    return ScrapedContest(
        external_id=str(identifier(row["id"])),
        title=title,
        kind=text(row["type"]),
        division=division_of(title),
        starts_at=starts_at if dated else None,
        ends_at=ends_at if dated else None,
        phase=text(row["phase"]),
    )


def _problem(row: Any, contest: ScrapedContest | None, base_url: str) -> ScrapedProblem:
    contest_id = row.get("contestId")
    if contest_id is None and str(row.get("problemsetName") or "").lower() == "acmsguru":
        where = ACMSGURU
    elif contest_id is None and contest is not None:
        where = contest.external_id
    else:
        where = str(identifier(contest_id))
    index, labels = text(row["index"]), row.get("tags") or []
    if not isinstance(labels, list):
        raise TypeError("the tags are no list")
    tags = tuple(text(tag) for tag in labels[:_MAX_TAGS])
    if not re.fullmatch(r"[A-Za-z0-9]{1,8}", index):
        raise ValueError("the index is none")
    points, rating = row.get("points"), row.get("rating")
    flags = ("interactive",) if "interactive" in tags else ()
    return ScrapedProblem(
        external_id=f"{where}/{index}",
        contest=where,
        index=index,
        title=text(row["name"]),
        url=base_url + problem_path(where, index),
        starts_at=contest.starts_at if contest else None,
        ends_at=contest.ends_at if contest else None,
        points=None if points is None else number(points),
        form="interactive" if flags else None,
        tags=tags,
        difficulty=None if rating is None else DifficultyRating(SCALE, number(rating)),
        flags=flags if row.get("type", "PROGRAMMING") == "PROGRAMMING" else (*flags, "question"),
    )


def _standing(row: Any, ids: tuple[str, ...], full: tuple[float | None, ...], *, partial: bool) -> ScrapedStanding:
    results = row["problemResults"]
    if len(results) != len(ids):
        raise ValueError("the results do not match the problems")
    earned = [number(result["points"]) for result in results]
    solved = (
        problem
        for problem, points, most in zip(ids, earned, full, strict=True)
        if (points > 0 and not partial) or (most is not None and 0 < most <= points)
    )
    return ScrapedStanding(
        rank=whole_number(row["rank"]) or None,  # 0 for unofficial participants
        participant=_participant(row["party"]),
        points=number(row["points"]),
        penalty=number(row["penalty"]),
        solved=tuple(solved),
    )


def _participant(party: Mapping[str, Any]) -> str:
    """Return a team's name, or the handles of its members."""
    handles = [text(member["handle"]) for member in party["members"][:_MAX_TAGS]]
    name = party.get("teamName")
    return text(name) if name else text(", ".join(handles))


def _participation(row: Any) -> str | None:
    party = row.get("party") if isinstance(row, Mapping) else None
    kind = party.get("participantType") if isinstance(party, Mapping) else None
    return kind if isinstance(kind, str) else None


def _rating_change(row: Any) -> ScrapedRatingChange:
    return ScrapedRatingChange(
        rank=whole_number(row["rank"]), old=whole_number(row["oldRating"]), new=whole_number(row["newRating"])
    )


def _instant(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, tz=UTC)
