"""Who is signed in, and the age of things on a maintainer's page."""

from collections.abc import Callable
from datetime import datetime

from app.db.kernel.session import Session
from app.domain.errors import Forbidden, Unauthenticated
from app.services.operations import access
from app.services.operations.access import SignedIn
from web.context import Page
from web.render import age

COOKIE = "tidemark_session"


def maintainer(page: Page, session: Session) -> SignedIn:
    """Who is signed in. Raises Unauthenticated, or Forbidden for anyone but a maintainer."""
    token = page.request.cookies.get(COOKIE, "")
    who = access.find_session(session, token, page.now) if len(token) <= 200 else None
    if who is None:
        raise Unauthenticated("Sign in with a one-time link.")
    if who.role != "maintainer":
        raise Forbidden("Only maintainers may open this page.")
    return who


def signed_in(page: Page, session: Session) -> SignedIn | None:
    """The maintainer who reads a page that is everybody's; None for everybody else."""
    token = page.request.cookies.get(COOKIE, "")
    who = access.find_session(session, token, page.now) if 0 < len(token) <= 200 else None
    return who if who is not None and who.role == "maintainer" else None


def since(page: Page) -> Callable[[datetime | None], tuple[str, int] | None]:
    """A function from an instant to its age on this page."""
    return lambda instant: age(instant, page.now)
