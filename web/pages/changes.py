"""The public ledger as pages and feeds."""

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

from starlette.responses import Response

from app.domain.errors import InvalidInput, NotFound
from app.domain.windows import read_day
from app.services.boards.board_views import matches_etag
from app.services.operations import changes
from app.services.operations.changes import (
    MODEL_ADDED,
    PROBLEM_ADDED,
    RANK_MOVED,
    SCORE_ADDED,
    SCORE_CHANGED,
    ChangeWeek,
    PublicChange,
)
from web.context import PageRequest, query_value, read_cursor
from web.feeds import ATOM, JSON, Feed, FeedEntry, atom, json_feed
from web.i18n import ENGLISH
from web.reason_text import in_words
from web.render import render

_PAGE_ROWS, _FEED_ENTRIES = 50, 50
_PAGE_WEEKS, _WEEK_LINES = 8, 6
_FEEDS: Mapping[str, Collection[str]] = {"changes": (), "problems": (PROBLEM_ADDED,), "models": (MODEL_ADDED,)}
_ADDED_KINDS = (MODEL_ADDED, SCORE_ADDED)
_TRANSLATED_KINDS = (*_ADDED_KINDS, SCORE_CHANGED)
_ALL = "all"
_WRITERS = {"atom": (atom, ATOM), "json": (json_feed, JSON)}


@dataclass(frozen=True, slots=True)
class Cause:
    """Another change that a line follows from, with its subject's name and a link to its lines."""

    kind: str
    name: str
    href: str


@dataclass(frozen=True, slots=True)
class ListedChange:
    """A change with its subject's name, its link and its values as text; `spoken` tells if these are translated."""

    change: PublicChange
    called: str
    href: str
    values: str | None
    spoken: bool
    causes: tuple[Cause, ...]


@dataclass(frozen=True, slots=True)
class WeekKind:
    """The changes of one kind in a week: their number, the newest, and a link to all if these are not all."""

    kind: str
    count: int
    lines: tuple[ListedChange, ...]
    all_href: str | None


@dataclass(frozen=True, slots=True)
class ListedWeek:
    """A week of changes; `is_current` says that it is the present one."""

    monday: date
    is_current: bool
    kinds: tuple[WeekKind, ...]


def changes_page(page: PageRequest) -> Response:
    """Render the ledger by week, newest first; as a list of lines if the URL names a kind, subject, week or line."""
    kind, subject, week, before = (
        *(query_value(page, name) for name in ("kind", "subject", "week")),
        read_cursor(page),
    )
    if (kind, subject, week, before) == (None, None, None, None):
        return _weeks_page(page)
    kinds = (kind,) if kind and kind != _ALL else ()
    monday = None if week is None else _read_monday(week, "week")
    with page.state.sessions() as session:
        rows = changes.changes(session, before, _PAGE_ROWS + 1, kinds=kinds, subject=subject, week=monday)
        choices = _kind_choices(page, changes.kinds(session), kind or _ALL, subject)
    filters = [(name, value) for name, value in (("kind", kind), ("subject", subject), ("week", week)) if value]
    lines = rows[:_PAGE_ROWS]
    return render(
        page, "trust/change_lines.html",
        lines=[_listed_change(page, row) for row in lines],
        choices=choices,
        current=kind or _ALL,
        subject=subject,
        week=week,
        older=page.href("/changes", [*filters, ("before", str(lines[-1].id))]) if len(rows) > _PAGE_ROWS else None,
        newest=page.href("/changes", filters) if before is not None else None,
    )  # fmt: skip


def _weeks_page(page: PageRequest) -> Response:
    until = query_value(page, "until")
    with page.state.sessions() as session:
        weeks, following = changes.change_weeks(
            session, None if until is None else _read_monday(until, "until"), _PAGE_WEEKS, _WEEK_LINES
        )
        choices = _kind_choices(page, changes.kinds(session), None, None)
    return render(
        page,
        "trust/changes.html",
        weeks=[_listed_week(page, week) for week in weeks],
        choices=choices,
        older=None if following is None else page.href("/changes", [("until", following.isoformat())]),
        newest=None if until is None else page.href("/changes"),
    )


def _listed_week(page: PageRequest, week: ChangeWeek) -> ListedWeek:
    # A move of a rank is a change of a score, and is listed among those.
    links = {
        kind: page.href("/changes", [("kind", SCORE_CHANGED if kind == RANK_MOVED else kind),
                                     ("week", week.monday.isoformat())])
        for kind in week.counts
    }  # fmt: skip
    kinds = (
        WeekKind(
            kind,
            count,
            lines=tuple(_listed_change(page, change) for change in week.newest[kind]),
            all_href=links[kind] if count > len(week.newest[kind]) else None,
        )
        for kind, count in week.counts.items()
    )
    return ListedWeek(week.monday, week.monday <= page.now.date() < week.monday + timedelta(days=7), tuple(kinds))


def _read_monday(text: str, name: str) -> date:
    """Return a Monday of the URL. Raises InvalidInput."""
    try:
        day = read_day(text)
    except ValueError as unreadable:
        raise InvalidInput(str(unreadable), pointer=f"/{name}") from unreadable
    if day.weekday():
        raise InvalidInput(f"{name} must be a Monday, not {day}", pointer=f"/{name}")
    return day


def _kind_choices(
    page: PageRequest, counts: Mapping[str, int], current: str | None, subject: str | None
) -> list[dict[str, Any]]:
    """Return the ways to show the changes, for a menu: by week, all lines, or the lines of one kind."""
    about = [("subject", subject)] if subject else []
    lines = {_ALL: sum(counts.values()), **counts}
    kinds = [
        {
            "title": f"{_kind_title(page, kind)} ({count:,})",
            "href": page.href("/changes", [("kind", kind), *about]),
            "current": kind == current,
        }
        for kind, count in lines.items()
    ]
    return [{"title": page.t("changes.by_week"), "href": page.href("/changes"), "current": current is None}, *kinds]


def _kind_title(page: PageRequest, kind: str) -> str:
    if kind == _ALL:
        return page.t("changes.all")
    return page.t(f"ledger.{kind}") if page.knows(f"ledger.{kind}") else kind


def _listed_change(page: PageRequest, change: PublicChange) -> ListedChange:
    spoken = change.kind in _TRANSLATED_KINDS
    return ListedChange(
        change,
        called=_subject_name(page, change),
        href=_subject_href(page, change),
        values=_change_values(page, change),
        spoken=spoken,
        causes=_list_causes(page, change),
    )


def feed(page: PageRequest) -> Response:
    """Return one of the feeds, in English unless its path names a language; the caller's language does not matter."""
    name, form = page.request.path_params["name"], page.request.path_params["form"]
    if name not in _FEEDS or form not in _WRITERS:
        raise NotFound("no such feed")
    prefix, reader = ("", replace(page, locale=ENGLISH)) if page.negotiated else (f"/{page.locale}", page)
    with page.state.sessions() as session:
        rows = changes.changes(session, None, _FEED_ENTRIES, kinds=_FEEDS[name])
    site = page.state.public_url
    write, media_type = _WRITERS[form]
    body = write(
        Feed(
            title=reader.t(f"feed.{name}"),
            about=reader.t("feed.about"),
            language=reader.locale.tag,
            home=site + reader.href("/changes", [("kind", kind) for kind in _FEEDS[name]]),
            here=f"{site}{prefix}/feeds/{name}.{form}",
            entries=[_entry(reader, change) for change in rows],
        )
    )
    headers = {"ETag": f'W/"{hashlib.sha256(body).hexdigest()[:32]}"', "Cache-Control": "public, max-age=300"}
    if matches_etag(headers["ETag"], page.request.headers.get("if-none-match")):
        return Response(status_code=304, headers=headers)
    return Response(body, media_type=media_type, headers=headers)


def _entry(page: PageRequest, change: PublicChange) -> FeedEntry:
    key = f"ledger.{change.kind}"
    title = f"{page.t(key) if page.knows(key) else change.kind}: {_subject_name(page, change)}"
    lines = (change.subject, in_words(page.t, change.reason), _change_values(page, change))
    return FeedEntry(
        key=f"{change.id} {change.at.isoformat()} {change.kind} {change.subject}",
        at=change.at,
        title=title,
        text="\n".join(line for line in lines if line),
        url=page.state.public_url + _subject_href(page, change),
        kind=change.kind,
    )


def _subject_name(page: PageRequest, change: PublicChange) -> str:
    """Return the name of a change's subject; for a digest, its beginning."""
    if change.about == "methods":
        return page.t("board.boards")
    return change.name or (change.subject[:12] if change.about == "snapshot" else change.subject)


def _subject_href(page: PageRequest, change: PublicChange) -> str:
    folder = {"problem": "/problems/", "model": "/models/", "snapshot": "/snapshots/"}.get(change.about)
    return page.href(folder + change.subject) if folder else page.href("/changes", [("subject", change.subject)])


def _change_values(page: PageRequest, change: PublicChange) -> str | None:
    """Return the values of a change before and after, in words if there are some for it."""
    before, after = change.before, change.after
    if change.kind in _ADDED_KINDS and after:  # lines of earlier versions have no `after`
        return page.t("list.comma").join(page.protocol_title(slug, slug) for slug in after["protocol"].split(", "))
    if change.kind != SCORE_CHANGED:
        return values(before, after)
    configuration = f" ({before['configuration']})" if before["configuration"] else ""
    text = page.t(
        "changes.moved", board=f"{page.protocol_title(before['protocol'], before['protocol'])}{configuration}",
        score=_from_to(_format_points(before["score"]), _format_points(after["score"])),
        rank=_from_to(_format_value(before["rank"]), _format_value(after["rank"])),
    )  # fmt: skip
    if None in (before["trial"], after["trial"]) or before["trial"] == after["trial"]:
        return text
    return text + page.t("changes.trial", old=before["trial"], new=after["trial"])


def _from_to(old: str, new: str) -> str:
    return new if old == new else f"{old} → {new}"


def _list_causes(page: PageRequest, change: PublicChange) -> tuple[Cause, ...]:
    """Return the changes that moved a score, without those of the same subject: the reason tells those."""
    causes = change.after["because"] if change.kind == SCORE_CHANGED else ()
    return tuple(
        Cause(
            cause["kind"],
            change.cause_names.get(cause["subject"], cause["subject"]),
            page.href("/changes", [("subject", cause["subject"])]),
        )
        for cause in causes
        if cause["subject"] != change.subject
    )


def _format_points(score: float | None) -> str:
    return "—" if score is None else f"{score:.2f}"


def values(before: Any, after: Any) -> str | None:
    """Return before and after as one line; for two records, only what differs. None if neither was recorded."""
    if before is None and after is None:
        return None
    if isinstance(before, dict) and isinstance(after, dict):
        names = [name for name in dict.fromkeys([*before, *after]) if before.get(name) != after.get(name)]
        return "; ".join(
            f"{name}: {_format_value(before.get(name))} → {_format_value(after.get(name))}" for name in names
        )
    return _format_value(after) if before is None else f"{_format_value(before)} → {_format_value(after)}"


def _format_value(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_format_value(inner)}" for name, inner in value.items())
    return "—" if value is None else str(value)
