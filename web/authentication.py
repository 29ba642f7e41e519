"""Checks of the signed-in maintainer, and ages on a maintainer's page."""

import hmac
from collections.abc import Callable, Mapping
from datetime import datetime

from app.db.kernel.session import Session
from app.domain.errors import Forbidden, NotAuthenticated
from app.services.operations import access
from app.services.operations.access import SignedInUser
from app.services.runs import models
from web.context import PageRequest
from web.render import age

COOKIE = "tidemark_session"


def require_maintainer(page: PageRequest, session: Session) -> SignedInUser:
    """Return the signed-in maintainer. Raises NotAuthenticated, or Forbidden for any other role."""
    token = page.request.cookies.get(COOKIE, "")
    who = access.find_session(session, token, page.now) if len(token) <= 200 else None
    if who is None:
        raise NotAuthenticated("Sign in with a one-time link.")
    if who.role != "maintainer":
        raise Forbidden("Only maintainers may open this page.")
    return who


def require_test_reader(page: PageRequest, session: Session) -> SignedInUser:
    """Return a maintainer who may read hidden tests and setters' answers.

    Raises as `maintainer` does, and Forbidden for a member of an organisation with rows on boards.
    """
    who = require_maintainer(page, session)
    models.keep_out_rivals(session, who.email)
    return who


def require_form_sender(page: PageRequest, session: Session, form: Mapping[str, str]) -> SignedInUser:
    """Return the maintainer whose own form was sent. Raises as `maintainer` does, and Forbidden for another's form."""
    who = require_maintainer(page, session)
    if not hmac.compare_digest(who.csrf.encode(), form.get("csrf", "").encode("utf-8", "replace")):
        raise Forbidden("This form has expired; reload the page.")
    return who


def find_maintainer(page: PageRequest, session: Session) -> SignedInUser | None:
    """Return the maintainer who reads a public page; None for every other reader."""
    token = page.request.cookies.get(COOKIE, "")
    who = access.find_session(session, token, page.now) if 0 < len(token) <= 200 else None
    return who if who is not None and who.role == "maintainer" else None


def action_notes(page: PageRequest) -> dict[str, str]:
    """Return what the last action did, and why not all of it.

    Both are empty if another site's link led here: it could put words into our mouth.
    """
    here = page.request.headers.get("sec-fetch-site", "same-origin") == "same-origin"
    return {name: page.request.query_params.get(name, "")[:300] if here else "" for name in ("done", "refused")}


def age_on_page(page: PageRequest) -> Callable[[datetime | None], tuple[str, int] | None]:
    """Return a function from an instant to its age on this page."""
    return lambda instant: age(instant, page.now)
