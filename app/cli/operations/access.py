"""`tidemark key issue|revoke`, `tidemark vendor invite`, `tidemark alarm clear|forget-secrets`, `tidemark link`."""

import json
from typing import Annotated

import typer

from app.cli.parser import State, VerbGroup
from app.domain.states import MemberRole
from app.services.operations import access, health_views
from app.services.runs import endpoint_secrets
from app.services.vendors.console import members
from app.supervise import open_state
from app.supervise.state_access import link_to
from workers.context import make_context, now, use

alarm = VerbGroup("Clear the alarm that has stopped grading everywhere, or give up secrets whose key is lost.")
key = VerbGroup("Issue and revoke vendors' API keys.")
vendor = VerbGroup("Invite people of vendors to the console.")


@key.command()
def issue(
    organisation: Annotated[str, typer.Argument(metavar="ORG", help="The vendor's slug; created if it is new.")],
    scope: Annotated[
        list[str] | None, typer.Option(help="A scope of the key; repeatable. All of them by default.")
    ] = None,
    days: Annotated[int, typer.Option(min=1, max=access.MAX_KEY_DAYS, help="Days until the key expires.")] = 365,
    state: State = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print the key as JSON.")] = False,
) -> None:
    """Create an API key for a vendor and print it. It is not shown again."""
    with open_state(state) as settings:
        secret = use(make_context(settings)).commit(
            access.issue_key, organisation, scope or list(access.KeyScope), now(), days=days
        )
    print(json.dumps({"key": secret}) if as_json else secret)


@key.command()
def revoke(
    prefix: Annotated[str, typer.Argument(metavar="PREFIX", help="The part of the key between its two underscores.")],
    reason: Annotated[str, typer.Option(help="The reason, kept in the audit log.")],
    state: State = None,
) -> None:
    """Revoke a key immediately."""
    with open_state(state, begun=True) as settings:
        use(make_context(settings)).commit(access.revoke_key, prefix, reason, now())
    print(f"revoked {prefix}")


@vendor.callback()
def _vendor() -> None:
    """Invite people of vendors to the console."""


@vendor.command()
def invite(
    organisation: Annotated[str, typer.Argument(metavar="ORG", help="The vendor's slug; created if it is new.")],
    email: Annotated[str, typer.Argument(metavar="EMAIL", help="The person's e-mail address.")],
    role: Annotated[
        MemberRole, typer.Option(help="What the person may do; owners invite others in the console.")
    ] = MemberRole.OWNER,
    state: State = None,
) -> None:
    """Print a link that invites a person to the console once, within seven days.

    Whoever is a member already sets a new password and second factor by it.
    """
    with open_state(state, begun=True) as settings:
        token = use(make_context(settings)).commit(members.invite_first, organisation, email, role, now())
        print(link_to(settings, f"/console/join?token={token}"))


@alarm.callback()
def _alarm() -> None:
    """Clear the alarm that has stopped grading everywhere, or give up secrets whose key is lost."""


@alarm.command()
def clear(
    reason: Annotated[str, typer.Option(help="What was wrong and how it was fixed. Kept in the audit log.")],
    state: State = None,
) -> None:
    """Resume grading after a program passed the impossible problem."""
    with open_state(state, begun=True) as settings:
        ctx = use(make_context(settings))
        cleared = ctx.commit(health_views.clear_alarm, "operator", reason, now())
        ctx.wake("grade")
    print(f"cleared: {cleared}")


@alarm.command()
def forget_secrets(
    reason: Annotated[str, typer.Option(help="Why the key cannot be restored. Kept in the audit log.")],
    state: State = None,
) -> None:
    """Give up endpoint secrets whose key is lost for good.

    Their endpoints stop until vendors register them again. Restart to get a new key.
    """
    with open_state(state, begun=True) as settings:
        ctx = use(make_context(settings))
        count = ctx.commit(endpoint_secrets.forget_lost, ctx.vault, "operator", reason, now())
    print(f"forgot the secrets of {count} endpoints; restart to get a new key")


def link(
    email: Annotated[
        str, typer.Option(metavar="ADDRESS", help="The maintainer's e-mail address; a new one becomes a maintainer.")
    ] = access.FIRST_MAINTAINER,
    member_of: Annotated[
        str | None,
        typer.Option(metavar="ORG", help="The vendor that they belong to; they may not decide about its models."),
    ] = None,
    state: State = None,
) -> None:
    """Print a one-time link that signs a maintainer in."""
    with open_state(state, begun=True) as settings:
        token = use(make_context(settings)).commit(access.issue_login_link, now(), email, member_of)
        print(link_to(settings, f"/login?token={token}"))
