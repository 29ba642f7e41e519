"""Orders of an organisation: the list, and the form for new ones."""

import secrets

from starlette.responses import Response

from app.domain.errors import InvalidInput
from app.domain.windows import Window, midnight
from app.services.vendors import idempotency
from app.services.vendors.console import order_actions, views
from app.services.vendors.console.sign_in import ConsoleMember
from app.services.vendors.orders.order_checks import NewSubmission
from app.services.vendors.practice import is_practice_protocol
from web.console import forms, rest_calls
from web.console.access import NextPage, Outcome, show
from web.console.forms import ConsoleForm
from web.context import PageRequest
from workers.inference.backends import check_run

_ORDERS_A_PAGE = 50
_MAX_AT_ONCE = 20


def orders_page(page: PageRequest, who: ConsoleMember, outcome: Outcome) -> Response:
    """Render the organisation's orders, the newest first."""
    with page.state.sessions() as session:
        found = order_actions.list_orders(session, who, page.request.query_params.get("cursor"), _ORDERS_A_PAGE)
        names = {line.id: f"{line.model} · {line.remote_name}" for line in views.list_endpoints(session, who)}
    return show(
        page, who, "orders/orders.html", outcome, orders=found.data, next_cursor=found.next_cursor, names=names,
        calls=rest_calls.of_orders(page),
    )  # fmt: skip


def new_order_page(page: PageRequest, who: ConsoleMember, outcome: Outcome) -> Response:
    """Render the form for new orders."""
    with page.state.sessions() as session:
        return show(
            page, who, "orders/new_order.html", outcome, endpoints=views.list_endpoints(session, who),
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
            placed = [order.id for order in order_actions.place_orders(session, who, orders, page.now, check_run)]
            idempotency.remember_response(
                session, who.organisation_id, f"console-{once}", request, 201, {"orders": placed}, page.now
            )
        else:
            placed = earlier[1]["orders"]
    page.state.wake("sweep")
    return NextPage(f"/console/orders/{placed[0]}" if len(placed) == 1 else "/console/orders", "ordered")


def try_act(page: PageRequest, who: ConsoleMember, form: ConsoleForm) -> Outcome:
    """Say what orders would ask, cost and take, and place none."""
    orders = _read_orders(form)
    with page.state.sessions() as session:
        forecasts = order_actions.try_orders(session, who, orders, page.now, check_run)
        session.rollback()
    return Outcome(form=form, report=forecasts)


def _read_orders(form: ConsoleForm) -> list[NewSubmission]:
    numbers = form.values_of("endpoint")
    if not 1 <= len(numbers) <= _MAX_AT_ONCE:
        raise InvalidInput(f"choose 1 to {_MAX_AT_ONCE} endpoints, not {len(numbers)}", pointer="/endpoint")
    if not all(number.isascii() and number.isdigit() and len(number) <= 18 for number in numbers):
        raise InvalidInput("an endpoint is a number of the list", pointer="/endpoint")
    protocol = forms.read_slug(form, "protocol")
    start, end = forms.read_day_field(form, "from"), forms.read_day_field(form, "to")
    has_window = form.get("period") == "window"
    if has_window and (start is None or end is None):
        raise InvalidInput("give both days of the window, or order every new problem", pointer="/window")
    window = Window(start, end) if has_window else None
    return [
        NewSubmission(
            endpoint_id=int(number),
            protocol=protocol,
            configuration=forms.read_configuration(form, "configuration"),
            window_start=midnight(window.start) if window and window.start else None,
            window_end=midnight(window.end) if window and window.end else None,
            continuous=not has_window and not is_practice_protocol(protocol),  # practice asks all without a window
            public=form.get("visibility") != "private",
            embargo_until=forms.read_instant(form, "embargo_until"),
            budget_usd=forms.read_money(form, "budget_usd"),
        )
        for number in numbers
    ]
