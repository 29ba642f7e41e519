"""Pages of the bundled contest site, Harbour Contests: HTML and JSON, of what anybody may see of a problem."""

import json
import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from html import escape
from typing import Final

from scrapers.suites.house import DatedContest, LeagueProblem

NAME: Final = "Harbour Contests"
_NOTICE: Final = "This is a demo: its contests are invented, and nobody takes part."
_INLINE: Final = re.compile(r"`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*")
_INLINE_TAGS: Final = ("code", "strong", "em")
_PLACES: Final = "ABCDEFGH"


def home_page(contests: Sequence[DatedContest]) -> str:
    """Return the page with all contests."""
    rows = "".join(
        f'<li><a href="/contests/{dated.contest.slug}">{escape(dated.contest.titles["en"])}</a>, '
        f"until {_instant(dated.ends_at)}</li>"
        for dated in contests
    )
    return _page(NAME, f"<h1>{NAME}</h1><ul>{rows}</ul>")


def calendar_json(contests: Sequence[DatedContest]) -> str:
    """Return the calendar, contests to come included."""
    rows = [
        {
            "slug": dated.contest.slug,
            "title": dated.contest.titles["en"],
            "begins": _instant(dated.starts_at),
            "ends": _instant(dated.ends_at),
        }
        for dated in contests
    ]
    return json.dumps({"site": NAME, "demo": True, "contests": rows}, indent=1)


def difficulties_json(problems: Sequence[LeagueProblem]) -> str:
    """Return the levels of problems."""
    return json.dumps({"demo": True, "levels": {problem.slug: problem.level.value for problem in problems}}, indent=1)


def contest_page(dated: DatedContest, problems: Sequence[LeagueProblem]) -> str:
    """Return a contest's page: its tasks in order."""
    rows = "".join(
        f'<tr><th>{place}</th><td><a href="/tasks/{problem.slug}">{_title(problem)}</a></td></tr>'
        for place, problem in zip(_PLACES, problems, strict=False)
    )
    title = escape(dated.contest.titles["en"])
    times = f"<p>{_instant(dated.starts_at)} to {_instant(dated.ends_at)}</p>"
    return _page(
        title, f'<h1>{title}</h1>{times}<table class="tasks" data-contest="{dated.contest.slug}">{rows}</table>'
    )


def task_page(dated: DatedContest, problem: LeagueProblem) -> str:
    """Return a task's page: its text, limits, public examples, and the function to write."""
    statement, place = problem.statements["en"], _PLACES[dated.contest.problems.index(problem.slug)]
    limits = f"Time: {statement.limits.time_ms} ms; memory: {statement.limits.memory_mb} MB"
    starter = ""
    if problem.spec.entry is not None:
        signature = escape(_signature(problem), quote=True)
        starter = f'<pre class="starter" data-signature="{signature}">{escape(statement.starter_code["python"])}</pre>'
    examples = "".join(
        f'<h2>Example {number}</h2><pre class="input">{escape(given)}</pre><pre class="output">{escape(answer)}</pre>'
        for number, (given, answer) in enumerate(_examples(problem), start=1)
    )
    return _page(
        _title(problem),
        f'<main class="task" data-task="{problem.slug}" data-contest="{dated.contest.slug}" data-place="{place}">'
        f'<h1>{_title(problem)}</h1><p class="limits">{limits}</p>'
        f"<ul>{''.join(f'<li class=tag>{escape(tag)}</li>' for tag in problem.tags)}</ul>"
        f'<div class="statement">{_html(statement.text)}</div>{starter}{examples}</main>',
    )


def changed_task_page(dated: DatedContest, problem: LeagueProblem) -> str:
    """Return a task's page in another form, as after a relaunch of the site."""
    statement = problem.statements["en"]
    rows = "".join(
        f"<tr><td><code>{escape(given)}</code></td><td><code>{escape(answer)}</code></td></tr>"
        for given, answer in _examples(problem)
    )
    contest = escape(dated.contest.titles["en"])
    facts = f"{statement.limits.time_ms / 1000:g} s · {statement.limits.memory_mb} MiB · {contest}"
    return _page(
        _title(problem),
        f'<article class="problem" id="{problem.slug}"><h2>{_title(problem)}</h2><small>{facts}</small>'
        f'<section class="body">{_html(statement.text)}</section><table class="cases">{rows}</table></article>',
    )


def _page(title: str, body: str) -> str:
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{title} · {NAME}</title></head>'
        f'<body><p class="notice">{_NOTICE}</p>{body}</body></html>\n'
    )


def _title(problem: LeagueProblem) -> str:
    return escape(problem.statements["en"].title)


def _instant(instant: datetime) -> str:
    return instant.isoformat(timespec="seconds").replace("+00:00", "Z")


def _signature(problem: LeagueProblem) -> str:
    entry = problem.spec.entry
    assert entry is not None
    params = [{"name": param.name, "type": param.type} for param in entry.params]
    facts = {"name": entry.name, "params": params, "returns": entry.returns}
    return json.dumps(facts if entry.cls is None else facts | {"class": entry.cls})


def _examples(problem: LeagueProblem) -> Iterator[tuple[str, str]]:
    """Yield the public tests as a program would read and write them; a function's arguments are a line each."""
    for test in problem.spec.tests:
        if test.visible and problem.spec.entry is None:
            yield str(test.input), str(test.expected)
        elif test.visible:
            yield "".join(f"{json.dumps(argument)}\n" for argument in test.input), f"{json.dumps(test.expected)}\n"


def _html(text: str) -> str:
    """Return a statement's Markdown as HTML: paragraphs, headings, lists, and marks within a line."""
    return "".join(map(_block, re.split(r"\n{2,}", text.strip())))


def _block(block: str) -> str:
    if block.startswith("## "):
        return f"<h2>{_inline(block.removeprefix('## '))}</h2>"
    if block.startswith("```"):
        return f"<pre>{escape(block.strip('`').strip())}</pre>"
    if block.startswith("- "):
        items = re.split(r"\n- ", block.removeprefix("- "))
        return f"<ul>{''.join(f'<li>{_inline(item)}</li>' for item in items)}</ul>"
    return f"<p>{_inline(block)}</p>"


def _inline(text: str) -> str:
    parts, end = [], 0
    for mark in _INLINE.finditer(text):
        tag = _INLINE_TAGS[mark.lastindex - 1 if mark.lastindex else 0]
        parts += [escape(text[end : mark.start()]), f"<{tag}>{escape(mark[mark.lastindex or 0])}</{tag}>"]
        end = mark.end()
    return "".join([*parts, escape(text[end:])])
