"""The public ledger as pages and feeds."""

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from starlette.responses import Response

from app.domain.errors import NotFound
from app.services.boards.board_views import matches_etag
from app.services.operations import changes
from app.services.operations.changes import MODEL_ADDED, PROBLEM_ADDED, SCORE_ADDED, SCORE_CHANGED, PublicChange
from web.context import PageRequest, query_value, read_cursor
from web.feeds import ATOM, JSON, Feed, FeedEntry, atom, json_feed
from web.i18n import ENGLISH
from web.reason_text import in_words
from web.render import render

_PAGE_ROWS, _FEED_ENTRIES = 50, 50
_FEEDS: Mapping[str, Collection[str]] = {"changes": (), "problems": (PROBLEM_ADDED,), "models": (MODEL_ADDED,)}
_ADDED_KINDS = (MODEL_ADDED, SCORE_ADDED)
_TRANSLATED_KINDS = (*_ADDED_KINDS, SCORE_CHANGED)
_WRITERS = {"atom": (atom, ATOM), "json": (json_feed, JSON)}


@dataclass(frozen=True, slots=True)
class Cause:
    """Another change that a line follows from, with a link to its lines."""

    kind: str
    subject: str
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
class KindLink:
    """A kind of change as a link that shows it alone; the empty kind shows all."""

    kind: str
    count: int
    href: str
    current: bool


def changes_page(page: PageRequest) -> Response:
    """Render the ledger, newest first, of one kind or about one subject if the URL says so."""
    kind, subject, before = query_value(page, "kind"), query_value(page, "subject"), read_cursor(page)
    kinds = (kind,) if kind else ()
    with page.state.sessions() as session:
        rows = changes.changes(session, before, _PAGE_ROWS + 1, kinds=kinds, subject=subject)
        counts = changes.kinds(session)
    filters = [(name, value) for name, value in (("kind", kind), ("subject", subject)) if value]
    lines = rows[:_PAGE_ROWS]
    about = [("subject", subject)] if subject else []
    links = [
        KindLink(name, count, page.href("/changes", [("kind", name), *about]), name == kind)
        for name, count in counts.items()
    ]
    return render(
        page, "pages/changes.html",
        lines=[_listed_change(page, row) for row in lines],
        kinds=[KindLink("", sum(counts.values()), page.href("/changes", about), not kind), *links],
        subject=subject,
        older=page.href("/changes", [*filters, ("before", str(lines[-1].id))]) if len(rows) > _PAGE_ROWS else None,
        newest=page.href("/changes", filters) if before is not None else None,
    )  # fmt: skip


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
        "changes.moved", board=f"{before['protocol']}{configuration}",
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
        Cause(cause["kind"], cause["subject"], page.href("/changes", [("subject", cause["subject"])]))
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
