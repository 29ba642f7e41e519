"""Templates to responses. Everything is escaped; no template marks anything as safe."""

import re
from datetime import date, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import escape
from starlette.responses import HTMLResponse

from app.domain.boards.columns import percent
from app.domain.consensus.rounds import outcome_reason
from app.domain.judging.verdicts import Verdict
from app.domain.publishing.bands import as_rated
from app.domain.reasons import finding_reason
from app.domain.sources.records import PageFinding
from web.assets import load_assets
from web.context import PageRequest
from web.embeds.dataset import dataset_json
from web.i18n import ENGLISH, locales, translator
from web.reason_text import pieces, rule_of

_NUMBER = re.compile(r"\d+(\.\d+)+")
# The place of a page's age, if it is a stored one. User text is escaped, so it cannot contain this comment.
AGE_SLOT = "<!--age-->"
TEMPLATES = Path(__file__).resolve().parent / "templates"


@cache
def environment() -> Environment:
    """Return the one template environment of a process."""
    templates = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    templates.filters.update(
        day=_day,
        minute=_minute,
        points=_points,
        percent=percent,
        span=span,
        cut=cut,
        short=_short,
        count=_count,
        pieces=pieces,
        rule=rule_of,
        found=_finding_reason,
        outcome=outcome_reason,
        rated=_as_rated,
        release=_release,
    )
    templates.globals.update(dataset=dataset_json, asset=load_assets().url, locales=locales())
    return templates


def render(
    page: PageRequest, template: str, *, status: int = 200, headers: dict[str, str] | None = None, **values: Any
) -> HTMLResponse:
    """Return a page from its template; the values are frozen views, never rows."""
    body = (
        environment()
        .get_template(template)
        .render(page=page, t=page.t, href=page.href, locale=page.locale, now=page.now, **values)
    )
    response = HTMLResponse(body, status_code=status, headers={"Cache-Control": "no-cache", **(headers or {})})
    response.headers["Content-Language"] = page.locale.tag
    return response


def age_notice(language: str, seconds: int) -> str:
    """Return a page's notice of its age in a language (a tag): newer results are being counted for it."""
    locale = next((locale for locale in locales() if locale.tag == language), ENGLISH)
    return f'<p class="notice">{escape(translator(locale)("page.age", n=seconds))}</p>'


def _finding_reason(finding: PageFinding) -> str:
    """Return a finding as a reason, for `because`."""
    return finding_reason(finding.code, finding.message, finding.subject)


def _day(value: date | datetime | None) -> str:
    if value is None:
        return "—"
    return (value.date() if isinstance(value, datetime) else value).isoformat()


def _minute(value: datetime | None) -> str:
    return "—" if value is None else f"{value:%Y-%m-%d %H:%M}Z"


def _release(version: str) -> str:
    """Return the number in a toolchain's version text, such as `1.19.8` in `go-version-go1.19.8-linux-amd64`."""
    number = _NUMBER.search(version)
    return number[0] if number else version


def _points(value: float | None, digits: int = 1) -> str:
    return "—" if value is None else f"{value:.{digits}f}"


def cut(text: str, most: int) -> str:
    """Return a text of at most so many characters; a longer one ends in an ellipsis."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def _short(verdict: str | None) -> str:
    return "·" if verdict is None else Verdict(verdict).short


def _count(value: int | None) -> str:
    return "—" if value is None else f"{value:,}"


def _as_rated(value: float, scale: str) -> float:
    return as_rated(scale, value)


def age(since: datetime | None, now: datetime) -> tuple[str, int] | None:
    """Return (unit, amount) of a span in its largest whole unit: s, min, h or d; None without a start."""
    if since is None:
        return None
    return span(max(now - since, timedelta()).total_seconds())


def span(seconds: float) -> tuple[str, int]:
    """Return (unit, amount) of a span in its largest whole unit: s, min, h or d."""
    for unit, size in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * size:
            return unit, int(seconds / size)
    return "s", int(seconds)
