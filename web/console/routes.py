"""The routes of the console: its pages with their forms, and what a person may open without a session."""

from collections.abc import Iterator
from typing import Final

from starlette.routing import BaseRoute, Route

from web.console.access import ConsolePage, act_endpoint, form_endpoint, view_endpoint
from web.console.accounts import (
    account_page,
    change_password_act,
    end_others_act,
    end_session_act,
    join_act,
    join_page,
    renew_codes_act,
    second_factor_act,
    second_factor_page,
    sign_in_act,
    sign_in_page,
    sign_out_act,
)
from web.console.disputes import dispute_page, disputes_page, open_dispute_act
from web.console.endpoints import (
    change_endpoint_act,
    create_endpoint_act,
    endpoint_page,
    endpoints_page,
    probe_act,
)
from web.console.models import (
    change_model_act,
    create_model_act,
    declare_act,
    delete_model_act,
    model_page,
    models_page,
    overview_page,
    withdraw_model_act,
)
from web.console.order import (
    budget_act,
    cancel_act,
    items_page,
    order_events,
    order_page,
    pause_act,
    preview_page,
    resume_act,
    retry_act,
)
from web.console.orders import new_order_page, orders_page, place_act, try_act
from web.console.people import (
    create_key_act,
    expire_key_act,
    invite_act,
    keys_page,
    members_page,
    networks_act,
    remove_act,
    role_act,
    rotate_key_act,
    usage_page,
    withdraw_act,
)
from web.console.webhooks import (
    change_webhook_act,
    create_webhook_act,
    delete_webhook_act,
    redeliver_act,
    rotate_secret_act,
    send_test_act,
    show_secret_act,
    switch_off_act,
    switch_on_act,
    webhook_page,
    webhooks_page,
)
from web.context import endpoint

CONSOLE_PAGES: Final = (
    ConsolePage("/console", overview_page),
    ConsolePage("/console/models", models_page, {"create": create_model_act}),
    ConsolePage(
        "/console/models/{slug}",
        model_page,
        {
            "declare": declare_act,
            "rename": change_model_act,
            "delete": delete_model_act,
            "withdraw": withdraw_model_act,
        },
    ),
    ConsolePage(
        "/console/endpoints", endpoints_page, {"create": create_endpoint_act}, looked_up={"create": "base_url"}
    ),
    ConsolePage(
        "/console/endpoints/{id:int}",
        endpoint_page,
        {"change": change_endpoint_act, "probe": probe_act},
        looked_up={"change": "base_url"},
    ),
    ConsolePage("/console/orders", orders_page, names=("cursor",)),
    ConsolePage("/console/orders/new", new_order_page, {"place": place_act, "check": try_act}, names=("endpoint",)),
    ConsolePage(
        "/console/orders/{public_id}",
        order_page,
        {
            "cancel": cancel_act,
            "budget": budget_act,
            "pause": pause_act,
            "resume": resume_act,
            "retry": retry_act,
        },
    ),
    ConsolePage("/console/orders/{public_id}/items", items_page, names=("cursor", "failed")),
    ConsolePage("/console/orders/{public_id}/preview", preview_page, is_expensive=True),
    ConsolePage("/console/webhooks", webhooks_page, {"create": create_webhook_act}, looked_up={"create": "url"}),
    ConsolePage(
        "/console/webhooks/{webhook}",
        webhook_page,
        {
            "change": change_webhook_act,
            "on": switch_on_act,
            "off": switch_off_act,
            "secret": show_secret_act,
            "rotate": rotate_secret_act,
            "test": send_test_act,
            "redeliver": redeliver_act,
            "delete": delete_webhook_act,
        },
        names=("cursor",),
        looked_up={"change": "url"},
    ),
    ConsolePage("/console/disputes", disputes_page, {"open": open_dispute_act}, names=("cursor",)),
    ConsolePage("/console/disputes/{dispute}", dispute_page),
    ConsolePage(
        "/console/keys",
        keys_page,
        {"create": create_key_act, "rotate": rotate_key_act, "expire": expire_key_act, "networks": networks_act},
    ),
    ConsolePage(
        "/console/members",
        members_page,
        {"invite": invite_act, "withdraw": withdraw_act, "role": role_act, "remove": remove_act},
    ),
    ConsolePage("/console/usage", usage_page),
    ConsolePage(
        "/console/account",
        account_page,
        {"password": change_password_act, "codes": renew_codes_act, "end": end_session_act, "others": end_others_act},
    ),
)


def console_routes(prefix: str) -> Iterator[BaseRoute]:
    """Yield the routes of the console under a locale's prefix, or without one."""
    for path, view, act, names in (
        ("/console/sign-in", sign_in_page, sign_in_act, ()),
        ("/console/join", join_page, join_act, ("token",)),
        ("/console/second-factor", second_factor_page, second_factor_act, ()),
    ):
        yield Route(prefix + path, endpoint(view, names))
        yield Route(prefix + path, form_endpoint(act), methods=["POST"])
    yield Route(f"{prefix}/console/sign-out", form_endpoint(sign_out_act), methods=["POST"])
    yield Route(f"{prefix}/console/orders/{{public_id}}/events", order_events)
    for page in CONSOLE_PAGES:
        yield Route(prefix + page.path, view_endpoint(page))
        if page.acts:
            yield Route(prefix + page.path, act_endpoint(page), methods=["POST"])
