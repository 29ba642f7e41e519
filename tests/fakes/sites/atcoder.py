"""A fake AtCoder, with AtCoder Problems on the same host: archive, contests home, task lists, tasks, resources."""

import json
import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from html import escape
from urllib.parse import parse_qs, urlsplit

from fakes.fake_site import Asked, Reply
from fakes.sites.live import ROBOTS, Cache, not_found, sign_in
from fakes.world import Clock, FakeContest, FakeProblem, Text

from app.domain.sources.records import ScrapedExample, ScrapedProblem

PER_PAGE = 50
_APART = {"awc": "20", "adt_": "60"}
_BASE = "https://atcoder.jp"
_NAMES = {
    "en": ("Score : {} points", "Problem Statement", "Constraints", "Input", "Output", "Sample Input", "Sample Output"),
    "ja": ("配点 : {} 点", "問題文", "制約", "入力", "出力", "入力例", "出力例"),
}
_FORM = ("<var>N</var> <var>K</var>\n<var>A_1</var> <var>\\ldots</var> <var>A_N</var>\n", "N K\nA_1 \\ldots A_N")


class AtCoder:
    """Answers as the site would at the time the clock says."""

    def __init__(self, contests: Sequence[FakeContest], clock: Clock) -> None:
        self._contests = {contest.external_id: contest for contest in contests}
        self._newest_first = sorted(contests, key=lambda contest: contest.starts_at, reverse=True)
        self._clock = clock
        self._cache = Cache()

    def __call__(self, asked: Asked) -> Reply:
        """The answer to one request."""
        parts = urlsplit(asked.path)
        path = parts.path.rstrip("/")
        if path == "/robots.txt":
            return ROBOTS
        if path == "/login":
            return sign_in()
        if path == "/contests/archive":
            query = parse_qs(parts.query)
            return self._archive(int(query.get("page", ["1"])[0]), query.get("category", [""])[0])
        if path in ("", "/home", "/contests"):
            return self._home()
        if path.startswith("/atcoder/resources/"):
            return self._resource(path.rpartition("/")[2])
        found = re.fullmatch(r"/contests/([a-z0-9_-]+)(?:/(tasks|tasks_print|standings/json)(?:/([a-z0-9_]+))?)?", path)
        contest = self._contests.get(found[1]) if found else None
        return self._below(contest, found[2], found[3]) if found and contest else not_found()

    def _below(self, contest: FakeContest, part: str | None, task: str | None) -> Reply:
        if part == "standings/json":
            return Reply(b"", 302, {"Location": f"/login?continue=%2Fcontests%2F{contest.external_id}"})
        if part is None:
            return self._cache.reply(("top", contest.external_id), lambda: _page(contest, contest.title, ""))
        if self._clock() < contest.opens_at:
            alert = '<div class="alert alert-danger">The contest has not started yet.</div>'
            return self._cache.reply(("closed", contest.external_id), lambda: _page(contest, "AtCoder", alert))
        key = (part, contest.external_id, task)
        if part == "tasks_print":
            return self._cache.reply(key, lambda: _page(contest, contest.title, "".join(map(_task, contest.problems))))
        if task is None:
            return self._cache.reply(key, lambda: _page(contest, f"Tasks - {contest.title}", _table(contest)))
        problem = next((problem for problem in contest.problems if problem.external_id == task), None)
        if problem is None:
            return not_found()
        return self._cache.reply(key, lambda: _page(contest, f"{problem.index} - {problem.title}", _task(problem)))

    def _archive(self, number: int, category: str) -> Reply:
        over = [each for each in self._newest_first if each.ends_at <= self._clock() and _category(each) == category]
        pages = -(-len(over) // PER_PAGE)
        links = "".join(f'<li><a href="/contests/archive?page={page}">{page}</a></li>' for page in range(1, pages + 1))
        rows = over[PER_PAGE * (number - 1) : PER_PAGE * number]

        def make() -> str:
            body = f"<ul class='pagination'>{links}</ul>{_contests('archive', rows)}"
            return _html("Contest Archive - AtCoder", body)

        return self._cache.reply(("archive", category, number, len(over)), make)

    def _home(self) -> Reply:
        now = self._clock()
        over = [each for each in self._newest_first if each.ends_at <= now]
        running = [each for each in self._newest_first if each.starts_at <= now < each.ends_at]
        coming = [each for each in self._newest_first if now < each.starts_at < now + timedelta(days=28)]
        tables = {"action": running, "upcoming": coming[::-1], "recent": over[:10]}

        def make() -> str:
            body = "".join(
                f'<div id="contest-table-{name}">{_contests(name, rows)}</div>' for name, rows in tables.items()
            )
            return _html("AtCoder", body)

        return self._cache.reply(("home", len(over), len(running), len(coming)), make)

    def _resource(self, name: str) -> Reply:
        """What AtCoder Problems publishes: contests as they end, models as they are rated."""
        now = self._clock()
        if name == "contests.json":
            over = [each for each in self._newest_first if each.ends_at <= now]
            rows = [
                {"id": each.external_id, "title": each.title, "start_epoch_second": int(each.starts_at.timestamp()),
                 "duration_second": int(each.duration.total_seconds()), "rate_change": each.rated}
                for each in over
            ]  # fmt: skip
            return self._cache.reply((name, len(over)), lambda: json.dumps(rows), "application/json", static=True)
        if name == "problem-models.json":
            rated = [each for each in self._newest_first if each.rated_at <= now]
            models = {
                task.external_id: {"slope": -0.002, "difficulty": task.rating, "is_experimental": False}
                for each in rated
                for task in each.problems
                if task.rating is not None
            }
            return self._cache.reply((name, len(rated)), lambda: json.dumps(models), "application/json", static=True)
        return not_found()


def truth(contest: FakeContest, problem: FakeProblem) -> ScrapedProblem:
    """What a reader of a task's page must find."""
    return ScrapedProblem(
        external_id=problem.external_id,
        contest=contest.external_id,
        index=problem.index,
        title=problem.title,
        url=f"{_BASE}/contests/{contest.external_id}/tasks/{problem.external_id}",
        starts_at=contest.starts_at,
        ends_at=contest.ends_at,
        time_limit_ms=problem.time_ms,
        memory_limit_mb=problem.memory_mb,
        points=problem.points,
        form="stdin",
        locales=tuple(sorted(problem.statements)),
        statements={locale: _words(problem, locale) for locale in sorted(problem.statements)},
        samples=tuple(ScrapedExample(*example) for example in problem.examples()),
    )


def _words(problem: FakeProblem, locale: str) -> str:
    text, names = problem.statements[locale], _NAMES[locale]
    parts = [names[0].format(f"${problem.points}$")] if problem.points is not None else []
    parts += [
        f"### {names[1]}",
        *text.story,
        f"### {names[2]}",
        "\n".join(f"- {constraint}" for constraint in text.constraints),
    ]
    parts += [f"### {names[3]}", text.input, f"```\n{_FORM[1]}\n```", f"### {names[4]}", text.output]
    for number, (given, expected) in enumerate(problem.examples(), 1):
        parts += [f"### {names[5]} {number}", f"```\n{given}```", f"### {names[6]} {number}", f"```\n{expected}```"]
    return "\n\n".join(parts)


def _tokyo(instant: datetime) -> str:
    return (instant + timedelta(hours=9)).strftime("%Y-%m-%d %H:%M:%S+0900")


def _category(contest: FakeContest) -> str:
    """The archive's category of a contest that its main list leaves out; "" for the others."""
    return next((number for name, number in _APART.items() if contest.external_id.startswith(name)), "")


def _html(title: str, body: str) -> str:
    head = f'<head><title>{escape(title)}</title><meta charset="utf-8"></head>'
    return f'<!DOCTYPE html>\n<html>{head}\n<body><div id="main-container">{body}</div></body></html>\n'


def _page(contest: FakeContest, title: str, body: str) -> str:
    """A page below a contest, under its header."""
    times = " - ".join(
        f"<a href='http://example.test/'><time class='fixtime fixtime-full'>{_tokyo(each)}</time></a>"
        for each in (contest.starts_at, contest.ends_at)
    )
    link = f'<a class="contest-title" href="/contests/{contest.external_id}">{escape(contest.title)}</a>'
    return _html(title, f'{link}<small class="contest-duration">Contest Duration: {times}</small>{body}')


def _contests(name: str, rows: Sequence[FakeContest]) -> str:
    made = "".join(map(_contest_row, rows))
    head = "<thead><tr><th>Start Time</th><th>Contest Name</th><th>Duration</th><th>Rated</th></tr></thead>"
    return f"<table id='{name}'>{head}<tbody>{made}</tbody></table>"


def _contest_row(contest: FakeContest) -> str:
    minutes = int(contest.duration.total_seconds() // 60)
    mark, kind = ("Ⓗ", "Heuristic") if contest.kind == "heuristic" else ("Ⓐ", "Algorithm")
    return (
        f"<tr><td><a href='http://example.test/'><time class='fixtime fixtime-full'>{_tokyo(contest.starts_at)}</time>"
        f'</a></td><td><span title="{kind}">{mark}</span>'
        f'<a href="/contests/{contest.external_id}">{escape(contest.title)}</a></td>'
        f"<td>{minutes // 60:02}:{minutes % 60:02}</td><td>{escape(contest.rated)}</td></tr>"
    )


def _table(contest: FakeContest) -> str:
    rows = "".join(
        f'<tr><td><a href="/contests/{contest.external_id}/tasks/{problem.external_id}">{problem.index}</a></td>'
        f'<td><a href="/contests/{contest.external_id}/tasks/{problem.external_id}">{escape(problem.title)}</a></td>'
        f"<td>{problem.time_ms / 1000:g} sec</td><td>{problem.memory_mb} MiB</td></tr>"
        for problem in contest.problems
    )
    return f"<h2>Tasks</h2><table><tbody>{rows}</tbody></table>"


def _task(problem: FakeProblem) -> str:
    heading = f'{problem.index} - {escape(problem.title)} <a class="btn" href="editorial">Editorial</a>'
    limits = f"Time Limit: {problem.time_ms / 1000:g} sec / Memory Limit: {problem.memory_mb} MiB"
    spans = "".join(
        f'<span class="lang-{locale}">{_statement(problem, text, locale)}</span>'
        for locale, text in sorted(problem.statements.items(), reverse=True)
    )
    return (
        f'<span class="h2">{heading}</span><hr/><p>\n\t{limits}\n</p>'
        f'<div id="task-statement"><span class="lang">{spans}</span></div>'
    )


def _statement(problem: FakeProblem, text: Text, locale: str) -> str:
    names = _NAMES[locale]
    score = f"<p>{names[0].format(f'<var>{problem.points}</var>')}</p>\n" if problem.points is not None else ""
    story = "".join(f"<p>{_formulas(each)}</p>\n" for each in text.story)
    rules = "".join(f"<li>{_formulas(constraint)}</li>\n" for constraint in text.constraints)
    given = f"<p>{text.input}</p><pre>{_FORM[0]}</pre>"
    parts = [_part(names[1], story), _part(names[2], f"<ul>{rules}</ul>"), "<div class='io-style'>"]
    parts += [_part(names[3], given), _part(names[4], f"<p>{text.output}</p>"), "</div>"]
    for number, (sample, expected) in enumerate(problem.examples(), 1):
        parts.append(_part(f"{names[5]} {number}", f"<pre>{sample}</pre>"))
        parts.append(_part(f"{names[6]} {number}", f"<pre>{expected}</pre>"))
    return score + "\n".join(parts)


def _part(heading: str, inner: str) -> str:
    return f'<div class="part"><section><h3>{heading}</h3>{inner}</section></div><hr />'


def _formulas(text: str) -> str:
    return re.sub(r"\$([^$]+)\$", r"<var>\1</var>", escape(text))
