"""Frozen boards: their list, each one as it was, its citation, and the maintainers' button that makes one."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

from starlette.responses import RedirectResponse, Response

from app.domain.boards.snapshots import FrozenBy
from app.domain.problems import Level
from app.services.boards import snapshots
from app.services.boards.query import parse_query, parse_reference
from app.services.boards.snapshots import FrozenBoard
from web.authentication import require_form_sender
from web.context import PageRequest, read_cursor
from web.filters import value_text
from web.render import render
from web.trust.citation import make_citation

_PAGE_ROWS = 50
# These have places of their own on the page.
_SHOWN_ELSEWHERE = frozenset({"protocol", "from", "to"})


@dataclass(frozen=True, slots=True)
class ListedSnapshot:
    """A snapshot in the list."""

    frozen: FrozenBoard
    title: str
    href: str


def snapshots_page(page: PageRequest) -> Response:
    """Render the list of frozen boards, newest first."""
    before = read_cursor(page)
    with page.state.sessions() as session:
        rows = snapshots.list_frozen(session, before, _PAGE_ROWS + 1)
    lines = rows[:_PAGE_ROWS]
    return render(
        page, "trust/snapshots.html",
        lines=[ListedSnapshot(row, _snapshot_title(page, row), page.href(f"/snapshots/{row.sha256}")) for row in lines],
        older=page.href("/snapshots", [("before", str(lines[-1].id))]) if len(rows) > _PAGE_ROWS else None,
        newest=page.href("/snapshots") if before is not None else None,
    )  # fmt: skip


def snapshot_page(page: PageRequest) -> Response:
    """Render one frozen board from its bytes alone."""
    sha256 = page.request.path_params["sha256"]
    with page.state.sessions() as session:
        frozen, body = snapshots.find(session, sha256), snapshots.frozen_body(session, sha256)
    link = f"{page.state.public_url}/snapshots/{sha256}"
    title = page.t("snapshot.title", board=page.board_title(frozen.board), day=frozen.frozen_at.date())
    return render(
        page, "trust/snapshot.html",
        frozen=frozen, body=body, title=title, link=link,
        levels=[level for level in Level if level in body["by_difficulty"]],
        filters=list(_filters(page, body, frozen)),
        live=page.href(f"/boards/{frozen.board}", frozen.query),
        api=f"/api/v1/snapshots/{sha256}",
        verify=f"{page.state.public_url}/api/v1/snapshots/{sha256}",
        cite=make_citation(frozen, body, link),
    )  # fmt: skip


def freeze(page: PageRequest, form: Mapping[str, str]) -> Response:
    """Freeze the view that a maintainer looks at, and show it."""
    pairs = parse_qsl(form.get("query", ""))
    with page.state.sessions.begin() as session:
        who = require_form_sender(page, session, form)
        query, reference = parse_query(pairs, form.get("board", "")), parse_reference(pairs)
        sha256 = snapshots.freeze(
            session, query, page.state.cubes, page.now, who.email, form.get("reason", ""),
            reference=reference, by=FrozenBy.MAINTAINER,
        )  # fmt: skip
    target = page.href(f"/snapshots/{sha256}")
    return RedirectResponse(target, status_code=303, headers={"Cache-Control": "no-store"})


def _snapshot_title(page: PageRequest, frozen: FrozenBoard) -> str:
    protocol = frozen.one("protocol") or ""
    return f"{page.board_title(frozen.board)}: {page.protocol_title(protocol, protocol)}"


def _filters(page: PageRequest, body: Mapping[str, Any], frozen: FrozenBoard) -> Iterator[tuple[str, str]]:
    """Yield the filters that the frozen JSON names, and its reference, in words if there are any."""
    filters = {name: value for name, value in body["filters"].items() if name not in _SHOWN_ELSEWHERE}
    for name, values in {**filters, "ref": frozen.one("ref")}.items():
        for value in values if isinstance(values, list) else [values]:
            if value is not None and value != "" and value is not False:
                yield name, value_text(page, name, str(value))
