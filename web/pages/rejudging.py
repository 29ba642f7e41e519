"""Rejudging on the maintainers' pages: the list, one rejudging with its moves, and the form handler."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from starlette.responses import RedirectResponse, Response

from app.db.kernel.session import Session
from app.domain.errors import Conflict, InvalidInput, NotFound
from app.domain.rejudging.scope import ScopeKind, read_scope
from app.services.boards.cubes import CubeStore
from app.services.operations.access import SignedInUser
from app.services.rejudging import rejudge, views
from web.authentication import action_notes, age_on_page, require_form_sender, require_maintainer
from web.context import PageRequest
from web.render import render

_NO_STORE = {"Cache-Control": "no-store"}
_LIST_PATH = "/ops/rejudging"
# Scopes that maintainers may propose; a new grader revision proposes its own.
_KINDS = tuple(kind for kind in ScopeKind if kind is not ScopeKind.GRADER)


def rejudgings_page(page: PageRequest) -> Response:
    """Render all rejudgings, and a form to propose one."""
    with page.state.sessions() as session:
        who = require_maintainer(page, session)
        return _render(page, who, "pages/ops/rejudgings.html", lines=views.list_rejudgings(session), kinds=_KINDS)


def rejudging_page(page: PageRequest) -> Response:
    """Render one rejudging: its progress, the rows that would move or moved, and the possible actions."""
    with page.state.sessions() as session:
        who = require_maintainer(page, session)
        return _render(
            page, who, "pages/ops/rejudging.html", view=views.view(session, int(page.request.path_params["id"]))
        )


def _render(page: PageRequest, who: SignedInUser, template: str, **values: Any) -> Response:
    return render(page, template, headers=_NO_STORE, who=who, age=age_on_page(page), notes=action_notes(page), **values)


def act_on_rejudging(page: PageRequest, form: Mapping[str, str]) -> Response:
    """Carry out the action of a form, and lead back to the rejudging with its outcome."""
    params = {"done": "1"}
    number = _parse_number(form.get("id", ""))
    try:
        with page.state.sessions.begin() as session:
            who = require_form_sender(page, session, form)
            number = _carry_out(session, page.state.cubes, form, number, who, page.now)
    except (Conflict, NotFound) as error:
        params = {"done": "0", "refused": str(error)[:300]}
    for task in ("grade", "aggregate") if params["done"] == "1" else ():
        page.state.wake(task)
    target = page.href(_LIST_PATH if number is None else f"{_LIST_PATH}/{number}", list(params.items()))
    return RedirectResponse(target, status_code=303, headers=_NO_STORE)


def _carry_out(
    session: Session, cubes: CubeStore, form: Mapping[str, str], number: int | None, who: SignedInUser, now: datetime
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
