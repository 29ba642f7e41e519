"""A fake Codeforces: the methods of its API that scrapers ask for, and problem pages."""

import json
import re
from collections.abc import Sequence
from datetime import timedelta
from html import escape
from typing import Any
from urllib.parse import parse_qs, urlsplit

from fakes.fake_site import Asked, Reply
from fakes.sites.live import ROBOTS, Cache, not_found
from fakes.world import Clock, FakeContest, FakeProblem

from app.domain.sources.records import DifficultyRating, ScrapedExample, ScrapedProblem

_BASE = "https://codeforces.com"
_ANNOUNCED = timedelta(days=14)
_HANDLES = ("brook", "cedar", "fern", "moss")
_NOAI = '<meta name="robots" content="noai, noimageai">'


class Codeforces:
    """Answers as the site would at the time the clock says.

    `noai` marks the pages of problems, as the site's owner does. With `per_second` the API refuses to be asked more
    often than that, in real time.
    """

    def __init__(
        self, contests: Sequence[FakeContest], clock: Clock, *, noai: bool = True, per_second: float | None = None
    ) -> None:
        self._contests = {contest.external_id: contest for contest in contests}
        self._newest_first = sorted(
            contests, key=lambda contest: (contest.starts_at, contest.external_id), reverse=True
        )
        self._clock = clock
        self._noai = noai
        self._gap = 1 / per_second if per_second else 0.0
        self._asked_at = float("-inf")
        self._cache = Cache()

    def __call__(self, asked: Asked) -> Reply:
        """The answer to one request."""
        parts = urlsplit(asked.path)
        if parts.path == "/robots.txt":
            return ROBOTS
        if parts.path.startswith("/api/"):
            too_soon = asked.at < self._asked_at + self._gap
            self._asked_at = asked.at
            return _failed("Call limit exceeded", 503) if too_soon else self._api(parts.path[5:], parse_qs(parts.query))
        found = re.fullmatch(r"/contest/(\d+)(?:/problem/([A-Z]\d?)|/problems)?/?", parts.path)
        contest = self._contests.get(found[1]) if found else None
        return self._page(contest, found[2]) if found and contest else not_found()

    def _api(self, method: str, query: dict[str, list[str]]) -> Reply:
        if method == "contest.list":
            return self._list()
        if method == "problemset.problems":
            return self._problemset()
        named = query.get("contestId", [""])[0]
        contest = self._contests.get(named)
        if method not in ("contest.standings", "contest.ratingChanges"):
            return _failed(f"{method}: No such method")
        if contest is None:
            return _failed(f"contestId: Contest with id {named} not found")
        return self._standings(contest) if method == "contest.standings" else self._changes(contest)

    def _phase(self, contest: FakeContest) -> str:
        now = self._clock()
        if now < contest.starts_at:
            return "BEFORE"
        if now < contest.ends_at:
            return "CODING"
        return "PENDING_SYSTEM_TEST" if now < contest.opens_at else "FINISHED"

    def _list(self) -> Reply:
        now = self._clock()
        shown = [each for each in self._newest_first if each.starts_at <= now + _ANNOUNCED]
        phases = tuple(self._phase(each) for each in shown)

        def make() -> str:
            return _ok([_contest(each, phase) for each, phase in zip(shown, phases, strict=True)])

        return self._cache.reply(("list", phases), make, "application/json")

    def _problemset(self) -> Reply:
        now = self._clock()
        shown = [each for each in self._newest_first if each.opens_at <= now]
        rated = tuple(each.rated_at <= now for each in shown)

        def make() -> str:
            rows = [
                _problem(each, problem, known)
                for each, known in zip(shown, rated, strict=True)
                for problem in reversed(each.problems)
            ]
            solved = [{"contestId": row["contestId"], "index": row["index"], "solvedCount": 7} for row in rows]
            return _ok({"problems": rows, "problemStatistics": solved})

        return self._cache.reply(("problemset", len(shown), sum(rated)), make, "application/json")

    def _standings(self, contest: FakeContest) -> Reply:
        if self._clock() < contest.opens_at:
            return _failed(f"contestId: Contest with id {contest.external_id} has not started")
        rated = contest.rated_at <= self._clock()

        def make() -> str:
            problems = [_problem(contest, problem, rated) for problem in contest.problems]
            rows = [_standing(contest, rank, handle) for rank, handle in enumerate(_HANDLES, 1)]
            return _ok({"contest": _contest(contest, "FINISHED"), "problems": problems, "rows": rows})

        return self._cache.reply(("standings", contest.external_id, rated), make, "application/json")

    def _changes(self, contest: FakeContest) -> Reply:
        if self._clock() < contest.rated_at:
            return _failed("contestId: Rating changes are unavailable for this contest")
        rows = [
            {"contestId": int(contest.external_id), "contestName": contest.title, "handle": handle, "rank": rank,
             "ratingUpdateTimeSeconds": int(contest.rated_at.timestamp()), "oldRating": 1900 - 100 * rank,
             "newRating": 1950 - 120 * rank}
            for rank, handle in enumerate(_HANDLES, 1)
        ]  # fmt: skip
        return self._cache.reply(("changes", contest.external_id), lambda: _ok(rows), "application/json")

    def _page(self, contest: FakeContest, index: str | None) -> Reply:
        if self._clock() < contest.opens_at:
            phase = "<div class='contest-state-phase'>Before the contest</div>"
            return self._cache.reply(("closed", contest.external_id), lambda: _html(contest.title, phase))
        rated = contest.rated_at <= self._clock()
        wanted = [problem for problem in contest.problems if index in (None, problem.index)]
        if not wanted:
            return not_found()

        def make() -> str:
            link = f"<a href='/contest/{contest.external_id}'>{contest.title}</a>"
            menu = f"<table class='rtable'><tr><td>{link}</td></tr></table>"
            body = "".join(_statement(each) for each in wanted)
            tags = _tags(wanted[0], rated) if index is not None else ""
            head = _NOAI if self._noai else ""
            return _html(f"Problem - {index} - Codeforces", f"{menu}{body}{tags}", head)

        return self._cache.reply(("page", contest.external_id, index, rated), make)


def truth(contest: FakeContest, problem: FakeProblem, *, rated: bool = True) -> ScrapedProblem:
    """What a reader of a problem's page must find."""
    return ScrapedProblem(
        external_id=problem.external_id,
        contest=contest.external_id,
        index=problem.index,
        title=problem.title,
        url=f"{_BASE}/contest/{contest.external_id}/problem/{problem.index}",
        time_limit_ms=problem.time_ms,
        memory_limit_mb=problem.memory_mb,
        form="stdin",
        locales=("en",),
        statements={"en": _words(problem)},
        samples=tuple(ScrapedExample(*example) for example in problem.examples()),
        tags=problem.tags,
        difficulty=DifficultyRating("codeforces", problem.rating) if rated and problem.rating is not None else None,
    )


def _words(problem: FakeProblem) -> str:
    text = problem.statements["en"]
    parts = [*text.story, "### Input", text.input, "\n".join(f"- {constraint}" for constraint in text.constraints)]
    parts += ["### Output", text.output, "### Examples"]
    for given, expected in problem.examples():
        parts += ["#### Input", f"```\n{given}```", "#### Output", f"```\n{expected}```"]
    return "\n\n".join(parts)


def _ok(result: Any) -> str:
    return json.dumps({"status": "OK", "result": result}, ensure_ascii=False)


def _failed(comment: str, status: int = 400) -> Reply:
    body = json.dumps({"status": "FAILED", "comment": comment}).encode()
    return Reply(body, status, {"Content-Type": "application/json;charset=utf-8"})


def _contest(contest: FakeContest, phase: str) -> dict[str, Any]:
    return {
        "id": int(contest.external_id), "name": contest.title, "type": contest.kind, "phase": phase, "frozen": False,
        "durationSeconds": int(contest.duration.total_seconds()),
        "startTimeSeconds": int(contest.starts_at.timestamp()),
    }  # fmt: skip


def _problem(contest: FakeContest, problem: FakeProblem, rated: bool) -> dict[str, Any]:
    row: dict[str, Any] = {
        "contestId": int(contest.external_id), "index": problem.index, "name": problem.title, "type": "PROGRAMMING",
        "tags": list(problem.tags),
    }  # fmt: skip
    if problem.points is not None:
        row["points"] = float(problem.points)
    if rated and problem.rating is not None:
        row["rating"] = problem.rating
    return row


def _standing(contest: FakeContest, rank: int, handle: str) -> dict[str, Any]:
    points = [float(problem.points or 1) if place > rank else 0.0 for place, problem in enumerate(contest.problems, 2)]
    return {
        "party": {
            "contestId": int(contest.external_id), "members": [{"handle": handle}], "participantType": "CONTESTANT",
            "ghost": False,
        },
        "rank": rank, "points": sum(points), "penalty": 10 * rank, "successfulHackCount": 0,
        "unsuccessfulHackCount": 0,
        "problemResults": [{"points": point, "rejectedAttemptCount": 0, "type": "FINAL"} for point in points],
    }  # fmt: skip


def _html(title: str, body: str, head: str = "") -> str:
    return (
        f'<!DOCTYPE html>\n<html><head><meta charset="utf-8">{head}<title>{escape(title)}</title></head>'
        f'\n<body><div id="body">{body}</div></body></html>\n'
    )


def _statement(problem: FakeProblem) -> str:
    text = problem.statements["en"]
    head = "".join(
        f'<div class="{name}">{f"""<div class="property-title">{label}</div>""" if label else ""}{value}</div>'
        for name, label, value in (
            ("title", "", f"{problem.index}. {escape(problem.title)}"),
            ("time-limit", "time limit per test", f"{problem.time_ms / 1000:g} seconds"),
            ("memory-limit", "memory limit per test", f"{problem.memory_mb} megabytes"),
            ("input-file", "input", "standard input"),
            ("output-file", "output", "standard output"),
        )
    )
    story = "".join(f"<p>{_formulas(each)}</p>" for each in text.story)
    rules = "".join(f"<li>{_formulas(constraint)}</li>" for constraint in text.constraints)
    examples = "".join(
        f'<div class="input"><div class="title">Input</div><pre>{_lines(given)}</pre></div>'
        f'<div class="output"><div class="title">Output</div><pre>\n{expected}</pre></div>'
        for given, expected in problem.examples()
    )
    return (
        f'<div class="problemindexholder" problemindex="{problem.index}"><div class="ttypography">'
        f'<div class="problem-statement"><div class="header">{head}</div><div>{story}</div>'
        f'<div class="input-specification">{_title("Input")}<p>{text.input}</p><ul>{rules}</ul></div>'
        f'<div class="output-specification">{_title("Output")}<p>{text.output}</p></div>'
        f'<div class="sample-tests">{_title("Examples")}<div class="sample-test">{examples}</div></div>'
        "</div></div></div>"
    )


def _title(text: str) -> str:
    return f'<div class="section-title">{text}</div>'


def _lines(text: str) -> str:
    """One div a line, without a newline between them."""
    rows = enumerate(text.removesuffix("\n").split("\n"))
    return "".join(f'<div class="test-example-line test-example-line-{number % 2}">{row}</div>' for number, row in rows)


def _tags(problem: FakeProblem, rated: bool) -> str:
    boxes = [*problem.tags, *([f"*{problem.rating}"] if rated and problem.rating is not None else [])]
    return "".join(f'<span class="tag-box">{box}</span>' for box in boxes)


def _formulas(text: str) -> str:
    return escape(text).replace("$", "$$$")
