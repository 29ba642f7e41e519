"""Alarms over what a crawl read: pure checks whose findings make a run partial."""

from collections.abc import Iterable, Iterator, Mapping

from scrapers.records import Contest, Problem
from scrapers.site import Finding

_DROP = 0.5  # a list page that shows less than this share of what it showed last time


def check_problem(problem: Problem) -> Iterator[Finding]:
    """Facts no judged problem can do without."""
    subject = problem.external_id or problem.url
    if not problem.external_id:
        yield Finding("missing_id", "the problem has no id", subject)
    if problem.time_limit_ms is None or problem.memory_limit_mb is None:
        yield Finding("missing_limits", "the problem has no time or no memory limit", subject)
    if problem.starts_at is None or problem.ends_at is None:
        yield Finding("missing_date", "the problem has no contest dates", subject)
    if not problem.statements:
        yield Finding("missing_statement", "the problem has no statement", subject)
    if not problem.samples and problem.form == "stdin":
        yield Finding("missing_samples", "the problem has no samples", subject)


def check_contest(listed: Contest, shown: Contest | None, wanted: int, read: int) -> Iterator[Finding]:
    """Whether a contest's pages agree: `listed` by the archive, `shown` on its own task list, tasks read."""
    subject = listed.external_id
    if shown is not None and not shown.problems:
        yield Finding("no_tasks", "the task list is empty", subject)
    if shown is not None and shown.starts_at and listed.starts_at and shown.starts_at != listed.starts_at:
        yield Finding("dates_differ", "the list and the contest disagree on the start", subject)
    if read < wanted:
        yield Finding("tasks_missing", f"{read} of {wanted} tasks could be read", subject)


def check_drop(counts: Mapping[str, int], previous: Mapping[str, int] | None) -> Iterator[Finding]:
    """Whether the list pages show far fewer contests than the last run saw."""
    before, now = _per_page(previous or {}), _per_page(counts)
    if before and now is not None and now < before * _DROP:
        yield Finding("drop", f"{now:g} contests a list page, {before:g} the last time")


def _per_page(counts: Mapping[str, int]) -> float | None:
    pages = counts.get("list_pages", 0)
    return counts.get("listed", 0) / pages if pages else None


def unique(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings in order, one for each code and subject."""
    return tuple({(each.code, each.subject): each for each in reversed(tuple(findings))}.values())[::-1]
