"""Orders of an organisation: the list, one with its progress, and the form for new ones."""

import secrets

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from app.domain.errors import InvalidInput, NotAuthenticated, NotFound
from app.domain.states import ENDED_SUBMISSIONS
from app.domain.windows import Window, midnight
from app.services.operations import progress
from app.services.vendors import idempotency
from app.services.vendors.console import actions, views
from app.services.vendors.console.sign_in import ConsoleMember
from app.services.vendors.orders.order_checks import NewSubmission
from web.console import forms, rest_calls
from web.console.access import NextPage, Outcome, find_member, show
from web.console.forms import ConsoleForm
from web.context import PageRequest, page_of
from workers.inference.backends import check_run

_ORDERS_A_PAGE = 50
_MAX_AT_ONCE = 20


def orders_page(page: PageRequest, who: ConsoleMember, outcome: Outcome) -> Response:
    """Render the organisation's orders, the newest first."""
    with page.state.sessions() as session:
        found = actions.list_orders(session, who, page.request.query_params.get("cursor"), _ORDERS_A_PAGE)
        names = {line.id: f"{line.model} · {line.remote_name}" for line in views.list_endpoints(session, who)}
    return show(
        page, who, "orders.html", outcome, orders=found.data, next_cursor=found.next_cursor, names=names,
        calls=rest_calls.of_orders(page),
    )  # fmt: skip


def order_page(page: PageRequest, who: ConsoleMember, outcome: Outcome) -> Response:
    """Render one order: its state, whose turn it is, and its progress."""
    with page.state.sessions() as session:
        order = actions.get_order(session, who, page.request.path_params["public_id"])
        endpoint = views.get_endpoint(session, who, order.endpoint)
        run = None
        if order.run is not None:
            run = progress.visible_progress(session, order.run, who.organisation_id, page.now)
    is_over = order.state in ENDED_SUBMISSIONS and not order.continuous
    return show(
        page, who, "order.html", outcome, order=order, endpoint=endpoint, run=run, is_over=is_over,
        calls=rest_calls.of_order(page, order),
    )  # fmt: skip


def new_order_page(page: PageRequest, who: ConsoleMember, outcome: Outcome) -> Response:
    """Render the form for new orders."""
    with page.state.sessions() as session:
        return show(
            page, who, "new_order.html", outcome, endpoints=views.list_endpoints(session, who),
            protocols=views.list_protocols(session), once=outcome.form.get("once") or secrets.token_urlsafe(16),
            calls=rest_calls.of_new_order(page),
        )  # fmt: skip


def place_act(page: PageRequest, who: ConsoleMember, form: ConsoleForm) -> NextPage:
    """Place orders, all or none; a form that is sent twice orders once."""
    orders, once = _read_orders(form), form.get("once")
    if not 16 <= len(once) <= 64 or not once.isascii() or not once.isprintable():
        raise InvalidInput("this form has no token of its own: reload the page")
    request = {"console": [repr(order) for order in orders]}
    with page.state.sessions.begin() as session:
        idempotency.claim_key(session, who.organisation_id, f"console-{once}")
        earlier = idempotency.recall_response(session, who.organisation_id, f"console-{once}", request)
        if earlier is None:
            placed = [order.id for order in actions.place_orders(session, who, orders, page.now, check_run)]
            idempotency.remember_response(
                session, who.organisation_id, f"console-{once}", request, 201, {"orders": placed}, page.now
            )
        else:
            placed = earlier[1]["orders"]
    page.state.wake("sweep")
    return NextPage(f"/console/orders/{placed[0]}" if len(placed) == 1 else "/console/orders", "ordered")


def check_act(page: PageRequest, who: ConsoleMember, form: ConsoleForm) -> Outcome:
    """Check orders as if they were placed, and undo everything."""
    orders = _read_orders(form)
    with page.state.sessions() as session:
        accepted = actions.place_orders(session, who, orders, page.now, check_run)
        session.rollback()
    return Outcome(form=form, report=accepted)


def cancel_act(page: PageRequest, who: ConsoleMember, form: ConsoleForm) -> NextPage:
    """Cancel an order, once the person has said that they mean it."""
    public_id = page.request.path_params["public_id"]
    if form.get("sure") != "yes":
        raise InvalidInput("tick the box: a cancelled order asks nothing more, and keeps its place on the board")
    with page.state.sessions.begin() as session:
        actions.cancel_order(session, who, public_id, page.now)
    return NextPage(f"/console/orders/{public_id}", "cancelled")


def budget_act(page: PageRequest, who: ConsoleMember, form: ConsoleForm) -> NextPage:
    """Change an order's budget; an empty field removes it."""
    public_id = page.request.path_params["public_id"]
    with page.state.sessions.begin() as session:
        actions.set_order_budget(session, who, public_id, forms.read_money(form, "budget_usd"), page.now)
    page.state.wake("sweep")
    return NextPage(f"/console/orders/{public_id}", "budget")


def _read_orders(form: ConsoleForm) -> list[NewSubmission]:
    numbers = form.values_of("endpoint")
    if not 1 <= len(numbers) <= _MAX_AT_ONCE:
        raise InvalidInput(f"choose 1 to {_MAX_AT_ONCE} endpoints, not {len(numbers)}", pointer="/endpoint")
    if not all(number.isascii() and number.isdigit() and len(number) <= 18 for number in numbers):
        raise InvalidInput("an endpoint is a number of the list", pointer="/endpoint")
    continuous = form.get("period") != "window"
    start, end = forms.read_day_field(form, "from"), forms.read_day_field(form, "to")
    if not continuous and (start is None or end is None):
        raise InvalidInput("give both days of the window, or order every new problem", pointer="/window")
    window = None if continuous else Window(start, end)
    return [
        NewSubmission(
            endpoint_id=int(number),
            protocol=forms.read_slug(form, "protocol"),
            configuration=forms.read_configuration(form, "configuration"),
            window_start=midnight(window.start) if window and window.start else None,
            window_end=midnight(window.end) if window and window.end else None,
            continuous=continuous,
            public=form.get("visibility") != "private",
            embargo_until=forms.read_instant(form, "embargo_until"),
            budget_usd=forms.read_money(form, "budget_usd"),
        )
        for number in numbers
    ]


async def order_events(request: Request) -> Response:
    """Stream the progress of an order's run as server-sent events, to a member of its organisation."""
    page = page_of(request)

    def find_run() -> tuple[int, int]:
        who = find_member(page)
        if who is None:
            raise NotAuthenticated("Sign in to the console first.")
        with page.state.sessions() as session:
            order = actions.get_order(session, who, request.path_params["public_id"])
        if order.run is None:
            raise NotFound("this order has no run yet")
        return order.run, who.organisation_id

    run_id, organisation_id = await run_in_threadpool(find_run)
    response: Response = request.app.state.runs.stream(run_id, organisation=organisation_id)
    return response
