"""One order: its state and progress, its answers, the preview of its row, and what may be done with it."""

from collections.abc import Callable
from datetime import datetime

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from app.db.kernel.session import Session
from app.domain.errors import NotAuthenticated, NotFound
from app.domain.states import ENDED_SUBMISSIONS, SubmissionState
from app.services.operations import progress
from app.services.vendors.console import order_actions, views
from app.services.vendors.console.sign_in import ConsoleMember
from app.services.vendors.orders.order_items import VERDICT_STATES
from app.services.vendors.orders.order_views import SubmissionAnswer
from web.console import forms, rest_calls
from web.console.access import NextPage, Outcome, find_member, show
from web.console.forms import ConsoleForm
from web.context import PageRequest, page_of, query_value

_ITEMS_A_PAGE = 100
_ASKED_STATES = (SubmissionState.QUEUED, SubmissionState.PREFLIGHT, SubmissionState.GENERATING)
_RETRIED_STATES = (*_ASKED_STATES, SubmissionState.JUDGING, SubmissionState.STALLED)


def order_page(page: PageRequest, who: ConsoleMember, outcome: Outcome) -> Response:
    """Render one order: its state, whose turn it is, and its progress."""
    with page.state.sessions() as session:
        order = order_actions.get_order(session, who, _order(page))
        endpoint = views.get_endpoint(session, who, order.endpoint)
        probe = None
        if order.state == SubmissionState.PREFLIGHT:
            probe = views.find_probe(session, who, order.endpoint, page.now)
        run = None
        if order.run is not None:
            run = progress.visible_progress(session, order.run, who.organisation_id, page.now)
    is_over = order.state in ENDED_SUBMISSIONS and not order.continuous
    return show(
        page, who, "orders/order.html", outcome,
        order=order, endpoint=endpoint, run=run, is_over=is_over, probe=probe,
        may_pause=order.state in _ASKED_STATES, may_retry=order.state in _RETRIED_STATES,
        has_preview=_is_hidden(order), calls=rest_calls.of_order(page, order),
    )  # fmt: skip


def items_page(page: PageRequest, who: ConsoleMember, outcome: Outcome) -> Response:
    """Render the answers that an order asks for, in the order in which they are asked."""
    public_id, failed = _order(page), query_value(page, "failed") is not None
    with page.state.sessions() as session:
        order = order_actions.get_order(session, who, public_id)
        found = order_actions.list_items(
            session, who, public_id, query_value(page, "cursor"), _ITEMS_A_PAGE, failed=failed
        )
    return show(
        page, who, "orders/items.html", outcome,
        order=order, items=found.data, next_cursor=found.next_cursor, failed=failed,
        shows_verdicts=order.state in VERDICT_STATES, calls=rest_calls.of_items(page, public_id),
    )  # fmt: skip


def preview_page(page: PageRequest, who: ConsoleMember, outcome: Outcome) -> Response:
    """Render the row of a private or embargoed order as its board would have it."""
    with page.state.sessions() as session:
        preview = order_actions.preview_order(session, who, _order(page), page.state.cubes)
    return show(
        page, who, "orders/preview.html", outcome, preview=preview,
        calls=rest_calls.of_preview(page, preview.submission)
    )  # fmt: skip


def cancel_act(page: PageRequest, who: ConsoleMember, form: ConsoleForm) -> NextPage:
    """Cancel an order, once the person has said that they mean it."""
    forms.check_sure(form)
    return _change(page, who, order_actions.cancel_order, "cancelled")


def pause_act(page: PageRequest, who: ConsoleMember, _form: ConsoleForm) -> NextPage:
    """Pause an order."""
    return _change(page, who, order_actions.pause_order, "paused")


def resume_act(page: PageRequest, who: ConsoleMember, _form: ConsoleForm) -> NextPage:
    """Resume an order that the organisation paused."""
    return _change(page, who, order_actions.resume_order, "resumed")


def retry_act(page: PageRequest, who: ConsoleMember, _form: ConsoleForm) -> NextPage:
    """Ask the failed samples of an order again at once."""
    return _change(page, who, order_actions.retry_order, "retried")


def budget_act(page: PageRequest, who: ConsoleMember, form: ConsoleForm) -> NextPage:
    """Change an order's budget; an empty field removes it."""
    public_id = _order(page)
    with page.state.sessions.begin() as session:
        order_actions.set_order_budget(session, who, public_id, forms.read_money(form, "budget_usd"), page.now)
    page.state.wake("sweep")
    return NextPage(f"/console/orders/{public_id}", "budget")


def _change(
    page: PageRequest,
    who: ConsoleMember,
    change: Callable[[Session, ConsoleMember, str, datetime], SubmissionAnswer],
    done: str,
) -> NextPage:
    public_id = _order(page)
    with page.state.sessions.begin() as session:
        change(session, who, public_id, page.now)
    page.state.wake("sweep")
    return NextPage(f"/console/orders/{public_id}", done)


def _is_hidden(order: SubmissionAnswer) -> bool:
    """Return whether an order is judged while its row is on no public board."""
    is_private = order.visibility == "private" and not order.practice
    return order.state == SubmissionState.EMBARGOED or (is_private and order.state == SubmissionState.PUBLISHED)


def _order(page: PageRequest) -> str:
    public_id: str = page.request.path_params["public_id"]
    return public_id


async def order_events(request: Request) -> Response:
    """Stream the progress of an order's run as server-sent events, to a member of its organisation."""
    page = page_of(request)

    def find_run() -> tuple[int, int]:
        who = find_member(page)
        if who is None:
            raise NotAuthenticated("Sign in to the console first.")
        with page.state.sessions() as session:
            order = order_actions.get_order(session, who, request.path_params["public_id"])
        if order.run is None:
            raise NotFound("this order has no run yet")
        return order.run, who.organisation_id

    run_id, organisation_id = await run_in_threadpool(find_run)
    response: Response = request.app.state.runs.stream(run_id, organisation=organisation_id)
    return response
