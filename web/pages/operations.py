"""The public status page, and signing maintainers in with a one-time link."""

from collections.abc import Mapping

from starlette.responses import RedirectResponse, Response

from app.domain.errors import NotFound
from app.services.operations import access, health_views, source_status
from app.services.operations.source_status import LAG_PERIOD
from web.authentication import COOKIE, age_on_page, require_form_sender
from web.context import PageRequest
from web.render import render
from web.trust.lag_chart import lag_chart


def status_page(page: PageRequest) -> Response:
    """Render the freshness of sources and the queues, for any visitor."""
    with page.state.sessions() as session:
        view = health_views.status(session, page.now, page.state.pauses(session))
        lags = source_status.contest_lags(session, page.now)
    return render(
        page,
        "trust/status.html",
        view=view,
        age=age_on_page(page),
        sites={site.slug: site for site in view.sites},
        lags={slug: lag_chart(found, page.now, LAG_PERIOD) for slug, found in lags.items()},
        most=max((week.problems for week in view.pace.weeks), default=0),
        slowest=max((time.took_median_s for time in view.pace.steps), default=0.0),
    )


def login_page(page: PageRequest) -> Response:
    """Render the button that uses up a one-time link: programs that prefetch links must not use it up."""
    token = _token(page.request.query_params)
    return render(page, "pages/login.html", headers={"Cache-Control": "no-store"}, token=token)


def login(page: PageRequest, form: Mapping[str, str]) -> Response:
    """Exchange a one-time link for a session cookie; the link's own token protects the form."""
    with page.state.sessions.begin() as session:
        grant = access.redeem_link(session, _token(form), page.now)
    answer = RedirectResponse(page.href("/ops"), status_code=303, headers={"Cache-Control": "no-store"})
    answer.set_cookie(
        COOKIE,
        grant.token,
        expires=grant.expires_at,
        httponly=True,
        samesite="lax",
        # Headers of a proxy on another machine are not trusted; the configured public address is.
        secure="https" in {page.request.url.scheme, page.state.public_url.partition(":")[0]},
    )
    return answer


def _token(fields: Mapping[str, str]) -> str:
    token = fields.get("token", "")
    if not token or len(token) > 200 or not token.isprintable():
        raise NotFound("This sign-in link is not valid.")
    return token


def logout(page: PageRequest, form: Mapping[str, str]) -> Response:
    """End the session that the form belongs to."""
    token = page.request.cookies.get(COOKIE, "")
    with page.state.sessions.begin() as session:
        require_form_sender(page, session, form)
        access.sign_out(session, token)
    answer = RedirectResponse(page.href("/"), status_code=303, headers={"Cache-Control": "no-store"})
    answer.delete_cookie(COOKIE, httponly=True, samesite="lax")
    return answer
