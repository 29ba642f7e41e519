"""Keys, members and usage of an organisation."""

from starlette.responses import Response

from app.domain.errors import InvalidInput, NotFound
from app.domain.states import MemberRole
from app.services.operations import vendor_keys
from app.services.operations.access import MAX_KEY_DAYS, KeyScope
from app.services.operations.vendor_keys import NewKey
from app.services.vendors.console import members, views
from app.services.vendors.console.sign_in import ConsoleMember
from web.console import forms, rest_calls
from web.console.access import NextPage, Outcome, show
from web.console.forms import ConsoleForm
from web.context import PageRequest

_KEY_DAYS = 365


def keys_page(page: PageRequest, who: ConsoleMember, outcome: Outcome) -> Response:
    """Render the organisation's keys, and the form for a new one."""
    with page.state.sessions() as session:
        keys = vendor_keys.list_keys(session, who, page.now)
    return show(
        page, who, "keys.html", outcome, keys=keys, scopes=tuple(KeyScope), days=_KEY_DAYS,
        overlap=vendor_keys.OVERLAP.days,
    )  # fmt: skip


def create_key_act(page: PageRequest, who: ConsoleMember, form: ConsoleForm) -> Outcome:
    """Create a key, shown once."""
    days = forms.read_number(form, "days", 1, MAX_KEY_DAYS)
    new = NewKey(form.get("name"), form.values_of("scope"), _KEY_DAYS if days is None else days, _read_lines(form))
    with page.state.sessions.begin() as session:
        key = vendor_keys.create_key(session, who, new, page.now)
    return Outcome(done="key", shown=(key,))


def rotate_key_act(page: PageRequest, who: ConsoleMember, form: ConsoleForm) -> Outcome:
    """Create the successor of a key, shown once; both work for a week."""
    with page.state.sessions.begin() as session:
        key = vendor_keys.rotate_key(session, who, form.get("prefix"), page.now)
    return Outcome(done="rotated", shown=(key,))


def expire_key_act(page: PageRequest, who: ConsoleMember, form: ConsoleForm) -> NextPage:
    """End a key at once."""
    with page.state.sessions.begin() as session:
        vendor_keys.expire_key(session, who, form.get("prefix"), page.now)
    return NextPage("/console/keys", "expired")


def networks_act(page: PageRequest, who: ConsoleMember, form: ConsoleForm) -> NextPage:
    """Change the addresses from which a key works."""
    with page.state.sessions.begin() as session:
        vendor_keys.set_networks(session, who, form.get("prefix"), _read_lines(form), page.now)
    return NextPage("/console/keys", "networks")


def _read_lines(form: ConsoleForm) -> tuple[str, ...]:
    return tuple(word for word in form.get("networks").replace(",", " ").split() if word)


def members_page(page: PageRequest, who: ConsoleMember, outcome: Outcome) -> Response:
    """Render the organisation's members and invitations."""
    with page.state.sessions() as session:
        return show(
            page, who, "members.html", outcome, members=members.list_members(session, who),
            invitations=members.list_invitations(session, who, page.now), roles=tuple(MemberRole),
            days=members.INVITATION_LIFETIME.days,
        )  # fmt: skip


def invite_act(page: PageRequest, who: ConsoleMember, form: ConsoleForm) -> Outcome:
    """Invite a person; the link is shown once."""
    with page.state.sessions.begin() as session:
        token = members.invite(session, who, form.get("email"), form.get("role"), page.now)
    return Outcome(done="invited", shown=(f"{page.state.public_url}/console/join?token={token}",))


def withdraw_act(page: PageRequest, who: ConsoleMember, form: ConsoleForm) -> NextPage:
    """Withdraw an invitation."""
    email = form.get("email")
    if not email.isprintable():
        raise InvalidInput("give the address of the invitation", pointer="/email")
    with page.state.sessions.begin() as session:
        members.withdraw_invitation(session, who, email, page.now)
    return NextPage("/console/members", "uninvited")


def role_act(page: PageRequest, who: ConsoleMember, form: ConsoleForm) -> NextPage:
    """Give a member another role."""
    with page.state.sessions.begin() as session:
        members.change_role(session, who, _read_member(form), form.get("role"), page.now)
    return NextPage("/console/members", "role")


def remove_act(page: PageRequest, who: ConsoleMember, form: ConsoleForm) -> NextPage:
    """Remove a member."""
    with page.state.sessions.begin() as session:
        members.remove(session, who, _read_member(form), page.now)
    return NextPage("/console/members", "removed")


def _read_member(form: ConsoleForm) -> int:
    number = form.get("member")
    if not (number.isascii() and number.isdigit() and len(number) <= 18):
        raise NotFound("your organisation has no such member")
    return int(number)


def usage_page(page: PageRequest, who: ConsoleMember, outcome: Outcome) -> Response:
    """Render requests, tokens and cost by endpoint and month."""
    with page.state.sessions() as session:
        return show(
            page,
            who,
            "usage.html",
            outcome,
            usage=views.list_usage(session, who, page.now),
            calls=rest_calls.of_orders(page),
        )
