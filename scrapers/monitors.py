"""Checks of what a crawl read: pure functions whose findings make a run partial."""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Final

from app.domain.imports import is_plausible
from app.domain.reasons import Reason
from app.domain.sources.records import PageFinding, ScrapedContest, ScrapedProblem, iso
from scrapers.reading.tex import find_broken_formulas
from scrapers.site import ParsedPage

_MIN_SHARE_OF_LAST = 0.5  # a list page that shows less than this share of the last count is a finding


def check_problem(problem: ScrapedProblem, lacking: Collection[str] = ()) -> Iterator[PageFinding]:
    """Yield the facts missing from a problem that is to be judged; `lacking` names those that no page of the site
    gives."""
    subject = problem.external_id or problem.url
    if not problem.external_id:
        yield PageFinding("missing_id", "the problem has no id", subject)
    if "limits" not in lacking and (problem.time_limit_ms is None or problem.memory_limit_mb is None):
        yield PageFinding("missing_limits", "the problem has no time or no memory limit", subject)
    if "dates" not in lacking and (problem.starts_at is None or problem.ends_at is None):
        yield PageFinding("missing_date", "the problem has no contest dates", subject)
    if not problem.statements:
        yield PageFinding("missing_statement", "the problem has no statement", subject)
    if not problem.samples and problem.form == "stdin":
        yield PageFinding("missing_samples", "the problem has no samples", subject)
    yield from _check_values(problem, subject)
    for locale, text in problem.statements.items():
        yield from _check_text(locale, text, subject)


# Ranges of all real problems; the largest values seen are 45 s, 2 GiB and 4,000 points.
_PLAUSIBLE: Final = {
    "time_limit_ms": (50, 120_000),
    "memory_limit_mb": (1, 16_384),
    "points": (0, 20_000),
}


def _check_values(problem: ScrapedProblem, subject: str | None) -> Iterator[PageFinding]:
    for name, (least, most) in _PLAUSIBLE.items():
        value = getattr(problem, name)
        if value is not None and not least <= value <= most:
            yield PageFinding("values", f"{name} is {value:g}, not from {least} to {most}", subject)


_KANA: Final = re.compile("[\u3041-\u30ff\uff66-\uff9f]")
_HAN: Final = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f]")
_MIN_LETTERS: Final = 20  # a text with fewer may be all formulas
_MAX_SHOWN_CHARS: Final = 80


def _check_text(locale: str, text: str, subject: str | None) -> Iterator[PageFinding]:
    """Check that a text is in the language it was found under, and that its formulas are TeX."""
    if not _may_be_in(locale, text):
        yield PageFinding("language", f"the statement kept as {locale} is in another language", subject)
    formulas = find_broken_formulas(text)
    if formulas:
        formula = " ".join(formulas[0].split())[:_MAX_SHOWN_CHARS]
        yield PageFinding(
            "tex", f"{len(formulas)} formulas of the {locale} statement cannot be set, as {formula!r}", subject
        )


def _may_be_in(locale: str, text: str) -> bool:
    """Return whether a text may be in a language. A language that its script does not tell is always possible."""
    kana, han = len(_KANA.findall(text)), len(_HAN.findall(text))
    letters = sum(map(str.isalpha, text))
    if letters < _MIN_LETTERS:
        return True
    if locale == "ja":
        return kana + han > 0
    if locale == "zh":
        return han > kana
    return locale != "en" or 2 * (kana + han) < letters


def contradicts_list(entry: ScrapedContest, parsed: ParsedPage) -> PageFinding | None:
    """Return how a contest's own page contradicts the list of contests, whose dates take precedence; None if it does
    not."""
    detail = next((record for record in parsed.records if isinstance(record, ScrapedContest)), None)
    if detail is not None and detail.external_id.casefold() != entry.external_id.casefold():
        return _wrong_page(f"the page is about {detail.external_id}", entry.external_id)
    return None if detail is None else _compare_starts(entry, detail.starts_at, entry.external_id)


def contradicts_tasks(contest: ScrapedContest, entry: ScrapedProblem, parsed: ParsedPage) -> PageFinding | None:
    """Return how a task's page contradicts the lists, by its heading or its date; None if it does not."""
    detail = next((record for record in parsed.records if isinstance(record, ScrapedProblem)), None)
    if detail is None:
        return None
    if entry.index and entry.title:
        other_index = detail.index is not None and _fold(detail.index) != _fold(entry.index)
        # The index stays in the title if a heading cannot be split.
        other_title = detail.title is not None and not _fold(detail.title).endswith(_fold(entry.title))
        if other_index or other_title:
            heading = " - ".join(part for part in (detail.index, detail.title) if part)
            return _wrong_page(f"the page is headed {heading[:200]!r}, not {entry.title[:200]!r}", entry.external_id)
    return _compare_starts(contest, detail.starts_at, entry.external_id)


def _wrong_page(message: str, subject: str | None) -> PageFinding:
    return PageFinding("another_page", message, subject, in_context=True)


def _compare_starts(contest: ScrapedContest, starts_at: datetime | None, subject: str | None) -> PageFinding | None:
    if starts_at is None or contest.starts_at is None or starts_at == contest.starts_at:
        return None
    message = f"the page says {iso(starts_at)}, the list of contests {iso(contest.starts_at)}"
    return PageFinding("dates_differ", message, subject, in_context=True)


def _fold(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def check_dates(contests: Iterable[ScrapedContest], now: datetime) -> Iterator[PageFinding]:
    """Yield the contests whose start is implausible."""
    for contest in contests:
        if contest.starts_at is not None and not is_plausible(contest.starts_at, now):
            yield PageFinding("implausible_date", f"the contest starts {iso(contest.starts_at)}", contest.external_id)


def check_contest(
    entry: ScrapedContest, detail: ScrapedContest | None, total: int, count: int
) -> Iterator[PageFinding]:
    """Check that a contest's pages are complete: `detail` from its own task list, `count` of `total` tasks read."""
    subject = entry.external_id
    if detail is not None and not detail.problems:
        yield PageFinding("no_tasks", "the task list is empty", subject)
    if count < total:
        yield PageFinding("tasks_missing", f"{count} of {total} tasks could be read", subject)


# Compared are contests that ended long enough ago for both lists to have them, and began in days that ours shows.
_LIST_CHECK_DELAY: Final = timedelta(days=3)
LIST_CHECK_PERIOD: Final = timedelta(days=45)
_MAX_NAMED_CONTESTS: Final = 5


def check_lists(
    ours: Iterable[ScrapedContest], theirs: Iterable[ScrapedContest], now: datetime
) -> Iterator[PageFinding]:
    """Yield the contests that a site's own lists and another party's miss of each other; nothing if ours are empty."""
    own, other = _comparable_contests(ours, now), _comparable_contests(theirs, now)
    if not own:
        return
    for code, missing, reason in (
        ("contests_missing", other.keys() - own.keys(), "lists_lack"),
        ("contests_unknown", own.keys() - other.keys(), "other_lacks"),
    ):
        if missing:
            names = sorted(missing)
            shown = [(own | other)[name][:_MAX_SHOWN_CHARS] for name in names[:_MAX_NAMED_CONTESTS]] + ["..."] * (
                len(names) > _MAX_NAMED_CONTESTS
            )
            yield PageFinding(code, Reason(reason, {"n": len(names)}, ", ".join(shown)), in_context=True)


def _comparable_contests(contests: Iterable[ScrapedContest], now: datetime) -> dict[str, str]:
    """Return the contests that both lists should have: folded id -> id as it is written."""
    return {
        contest.external_id.casefold(): contest.external_id
        for contest in contests
        if contest.starts_at is not None
        and contest.ends_at is not None
        and contest.starts_at >= now - LIST_CHECK_PERIOD
        and contest.ends_at <= now - _LIST_CHECK_DELAY
    }


def check_drop(counts: Mapping[str, int], previous: Mapping[str, int] | None) -> Iterator[PageFinding]:
    """Report list pages that show far fewer contests than the last run saw."""
    before, now = _per_page(previous or {}), _per_page(counts)
    if before and now is not None and now < before * _MIN_SHARE_OF_LAST:
        yield PageFinding("drop", f"{now:g} contests a list page, {before:g} the last time")


def _per_page(counts: Mapping[str, int]) -> float | None:
    pages = counts.get("list_pages", 0)
    return counts.get("listed", 0) / pages if pages else None


def unique(findings: Iterable[PageFinding]) -> tuple[PageFinding, ...]:
    """Return the findings in order, one for each code and subject."""
    return tuple({(finding.code, finding.subject): finding for finding in reversed(tuple(findings))}.values())[::-1]
