"""Judging kept answers again, on the maintainers' pages: the list, one of them with its moves, and the door to act."""

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
_HERE = "/ops/rejudging"
# What a person may choose by; a new judge proposes by itself.
_KINDS = tuple(kind for kind in ScopeKind if kind is not ScopeKind.GRADER)


def rejudgings_page(page: Page) -> Response:
    """What is or was judged again, and a form to propose more."""
    with page.state.sessions() as session:
        who = maintainer(page, session)
        return _render(page, who, "pages/ops/rejudgings.html", lines=views.listed(session), kinds=_KINDS)


def rejudging_page(page: Page) -> Response:
    """One of them: how far it is, which rows would move or moved, and what may be done."""
    with page.state.sessions() as session:
        who = maintainer(page, session)
        return _render(
            page, who, "pages/ops/rejudging.html", view=views.view(session, int(page.request.path_params["id"]))
        )


def _render(page: Page, who: SignedIn, template: str, **values: Any) -> Response:
    return render(page, template, headers=_NO_STORE, who=who, age=since(page), notes=notes(page), **values)


def act_on_rejudging(page: Page, form: Mapping[str, str]) -> Response:
    """Carry out what a form asks for, and lead back to the rejudging with what became of it."""
    params = {"done": "1"}
    number = _number(form.get("id", ""))
    try:
        with page.state.sessions.begin() as session:
            who = sender(page, session, form)
            number = _act(session, page.state.cubes, form, number, who, page.now)
    except (Conflict, NotFound) as no:
        params = {"done": "0", "refused": str(no)[:300]}
    for task in ("grade", "aggregate") if params["done"] == "1" else ():
        page.state.wake(task)
    there = page.href(_HERE if number is None else f"{_HERE}/{number}", list(params.items()))
    return RedirectResponse(there, status_code=303, headers=_NO_STORE)


def _act(
    session: Session, cubes: CubeStore, form: Mapping[str, str], number: int | None, who: SignedIn, now: datetime
) -> int:
    """Do it; the number of the rejudging it was done to."""
    reason, action = " ".join(form.get("reason", "").split()), form.get("action", "")
    if action == "propose":
        scope = read_scope(form.get("kind", ""), form.get("name", ""))
        return rejudge.propose(session, scope, reason, who.email, now)
    if number is None:
        raise NotFound("This rejudging does not exist.")
    confirm = form.get("confirm", "").strip() or None
    acts: dict[str, Callable[[], object]] = {
        "begin": lambda: rejudge.begin(session, number, reason, who.email, now),
        "predict": lambda: rejudge.predict_again(session, cubes, number, reason, who.email, now),
        "approve": lambda: rejudge.approve(session, number, who.user_id, who.email, reason, now),
        "drop": lambda: rejudge.drop(session, number, reason, who.email, now),
        "commit": lambda: rejudge.commit(session, cubes, number, reason, who.email, now, confirm),
    }
    if action not in acts:
        raise InvalidInput("This action does not exist.", pointer="/action")
    acts[action]()
    return number


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 18 else None
