"""Pages about the method and about this site."""

from starlette.responses import Response

from app.config import Settings
from app.services.evidence import directory
from web.context import PageRequest
from web.render import render
from web.trust.method import column_groups, method_paragraphs


def method_page(page: PageRequest) -> Response:
    """Render how every number is made; it also opens the section on trust."""
    return render(page, "trust/method.html", parts=method_paragraphs(page), groups=tuple(column_groups(page)))


def about_page(page: PageRequest) -> Response:
    """Render what this site is, what it holds, and who runs it."""
    settings: Settings = page.request.app.state.settings
    with page.state.sessions() as session:
        totals = directory.site_totals(session)
    return render(
        page,
        "trust/about.html",
        totals=totals,
        operator=settings.operator,
        contact=settings.contact,
        contact_href=_contact_href(settings.contact),
    )


def _contact_href(contact: str | None) -> str | None:
    """Return the address behind an operator's contact: a page or a mailbox; None if it is neither."""
    if contact is None or not contact.isprintable():
        return None
    if contact.startswith(("https://", "http://", "mailto:")):
        return contact
    return f"mailto:{contact}" if "@" in contact and " " not in contact else None
