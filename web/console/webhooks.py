"""The webhooks of an organisation, and what was sent to them."""

from starlette.responses import Response

from app.domain.vendors.webhooks import EVENT_TYPES
from app.services.vendors.console import webhook_actions
from app.services.vendors.console.sign_in import ConsoleMember
from app.services.vendors.webhooks import WebhookChange
from web.console import forms, rest_calls
from web.console.access import NextPage, Outcome, show
from web.console.forms import ConsoleForm
from web.context import PageRequest, query_value

_DELIVERIES_A_PAGE = 50


def webhooks_page(page: PageRequest, who: ConsoleMember, outcome: Outcome) -> Response:
    """Render the organisation's webhooks, and the form for a new one."""
    with page.state.sessions() as session:
        found = webhook_actions.list_webhooks(session, who, page.now)
    return show(
        page, who, "webhooks.html", outcome, webhooks=found, types=EVENT_TYPES, calls=rest_calls.of_webhooks(page)
    )


def webhook_page(page: PageRequest, who: ConsoleMember, outcome: Outcome) -> Response:
    """Render one webhook with its deliveries, and the forms that change and try it."""
    public_id, cursor = _webhook(page), query_value(page, "cursor")
    with page.state.sessions() as session:
        webhook = webhook_actions.get_webhook(session, who, public_id, page.now)
        found = webhook_actions.list_deliveries(session, who, public_id, cursor, _DELIVERIES_A_PAGE)
    return show(
        page, who, "webhook.html", outcome, webhook=webhook, deliveries=found.data, next_cursor=found.next_cursor,
        types=EVENT_TYPES, calls=rest_calls.of_webhook(page, public_id),
    )  # fmt: skip


def create_webhook_act(page: PageRequest, who: ConsoleMember, form: ConsoleForm) -> NextPage:
    """Register an address, which was looked up before."""
    url, events = forms.read_address(form, "url"), form.values_of("event")
    with page.state.sessions.begin() as session:
        answer = webhook_actions.create_webhook(session, who, url, events, page.now, page.state.vault)
    return NextPage(f"/console/webhooks/{answer.id}", "webhook")


def change_webhook_act(page: PageRequest, who: ConsoleMember, form: ConsoleForm) -> NextPage:
    """Change the address, which was looked up before, and the events of a webhook."""
    return _change(
        page, who, WebhookChange(forms.read_address(form, "url"), form.values_of("event")), "webhook"
    )  # fmt: skip


def switch_on_act(page: PageRequest, who: ConsoleMember, _form: ConsoleForm) -> NextPage:
    """Send to a webhook what happens from now on."""
    return _change(page, who, WebhookChange(enabled=True), "webhook_on")


def switch_off_act(page: PageRequest, who: ConsoleMember, _form: ConsoleForm) -> NextPage:
    """Send nothing to a webhook."""
    return _change(page, who, WebhookChange(enabled=False), "webhook_off")


def _change(page: PageRequest, who: ConsoleMember, change: WebhookChange, done: str) -> NextPage:
    public_id = _webhook(page)
    with page.state.sessions.begin() as session:
        webhook_actions.change_webhook(session, who, public_id, change, page.now)
    return NextPage(f"/console/webhooks/{public_id}", done)


def show_secret_act(page: PageRequest, who: ConsoleMember, _form: ConsoleForm) -> Outcome:
    """Show the secret of a webhook."""
    with page.state.sessions.begin() as session:
        secret = webhook_actions.show_secret(session, who, _webhook(page), page.now, page.state.vault)
    return Outcome(shown=(secret,))


def rotate_secret_act(page: PageRequest, who: ConsoleMember, _form: ConsoleForm) -> Outcome:
    """Replace the secret of a webhook, and show the new one."""
    with page.state.sessions.begin() as session:
        secret = webhook_actions.rotate_secret(session, who, _webhook(page), page.now, page.state.vault)
    return Outcome(done="webhook_rotated", shown=(secret,))


def send_test_act(page: PageRequest, who: ConsoleMember, _form: ConsoleForm) -> NextPage:
    """Send a test event to a webhook."""
    public_id = _webhook(page)
    with page.state.sessions.begin() as session:
        webhook_actions.send_test(session, who, public_id, page.now)
    page.state.wake("notify")
    return NextPage(f"/console/webhooks/{public_id}", "webhook_tested")


def redeliver_act(page: PageRequest, who: ConsoleMember, form: ConsoleForm) -> NextPage:
    """Send an event to a webhook once more."""
    public_id, event = _webhook(page), forms.read_text(form, "event")
    with page.state.sessions.begin() as session:
        webhook_actions.redeliver(session, who, public_id, event, page.now)
    page.state.wake("notify")
    return NextPage(f"/console/webhooks/{public_id}", "redelivered")


def delete_webhook_act(page: PageRequest, who: ConsoleMember, form: ConsoleForm) -> NextPage:
    """Delete a webhook with the list of its deliveries, once the person has said that they mean it."""
    forms.check_sure(form)
    with page.state.sessions.begin() as session:
        webhook_actions.delete_webhook(session, who, _webhook(page), page.now)
    return NextPage("/console/webhooks", "webhook_deleted")


def _webhook(page: PageRequest) -> str:
    public_id: str = page.request.path_params["webhook"]
    return public_id
