"""Rejudging on the maintainers' pages: the list, one rejudging with its moves, and the form handler."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from starlette.responses import RedirectResponse, Response

from app.db.kernel.session import Session
from app.domain.errors import Conflict, InvalidInput, NotFound
from app.domain.rejudging.scope import ScopeKind, read_scope
from app.services.boards.cubes import CubeStore
from app.services.operations.access import SignedIn
from app.services.rejudging import rejudge, views
from web.context import Page
from web.render import render
from web.signed_in import maintainer, notes, sender, since

_NO_STORE = {"Cache-Control": "no-store"}
_LIST_PATH = "/ops/rejudging"
# Scopes that maintainers may propose; a new grader revision proposes its own.
_KINDS = tuple(kind for kind in ScopeKind if kind is not ScopeKind.GRADER)


def rejudgings_page(page: Page) -> Response:
    """Render all rejudgings, and a form to propose one."""
    with page.state.sessions() as session:
        who = maintainer(page, session)
        return _render(page, who, "pages/ops/rejudgings.html", lines=views.listed(session), kinds=_KINDS)


def rejudging_page(page: Page) -> Response:
    """Render one rejudging: its progress, the rows that would move or moved, and the possible actions."""
    with page.state.sessions() as session:
        who = maintainer(page, session)
        return _render(
            page, who, "pages/ops/rejudging.html", view=views.view(session, int(page.request.path_params["id"]))
        )


def _render(page: Page, who: SignedIn, template: str, **values: Any) -> Response:
    return render(page, template, headers=_NO_STORE, who=who, age=since(page), notes=notes(page), **values)


def act_on_rejudging(page: Page, form: Mapping[str, str]) -> Response:
    """Carry out the action of a form, and lead back to the rejudging with its outcome."""
    params = {"done": "1"}
    number = _parse_number(form.get("id", ""))
    try:
        with page.state.sessions.begin() as session:
            who = sender(page, session, form)
            number = _carry_out(session, page.state.cubes, form, number, who, page.now)
    except (Conflict, NotFound) as error:
        params = {"done": "0", "refused": str(error)[:300]}
    for task in ("grade", "aggregate") if params["done"] == "1" else ():
        page.state.wake(task)
    target = page.href(_LIST_PATH if number is None else f"{_LIST_PATH}/{number}", list(params.items()))
    return RedirectResponse(target, status_code=303, headers=_NO_STORE)


def _carry_out(
    session: Session, cubes: CubeStore, form: Mapping[str, str], number: int | None, who: SignedIn, now: datetime
) -> int:
    """Carry out the action and return the number of its rejudging."""
    reason, action = " ".join(form.get("reason", "").split()), form.get("action", "")
    if action == "propose":
        scope = read_scope(form.get("kind", ""), form.get("name", ""))
        return rejudge.propose(session, scope, reason, who.email, now)
    if number is None:
        raise NotFound("This rejudging does not exist.")
    confirm = form.get("confirm", "").strip() or None
    actions: dict[str, Callable[[], object]] = {
        "begin": lambda: rejudge.begin(session, number, reason, who.email, now),
        "predict": lambda: rejudge.predict_again(session, cubes, number, reason, who.email, now),
        "approve": lambda: rejudge.approve(session, number, who.user_id, who.email, reason, now),
        "drop": lambda: rejudge.drop(session, number, reason, who.email, now),
        "commit": lambda: rejudge.commit(session, cubes, number, reason, who.email, now, confirm),
    }
    if action not in actions:
        raise InvalidInput("This action does not exist.", pointer="/action")
    actions[action]()
    return number


def _parse_number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 18 else None
