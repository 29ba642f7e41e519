"""`tidemark key issue|revoke`, `tidemark alarm clear` and `tidemark link`."""

import json
from pathlib import Path
from typing import Annotated

import typer

from app.services.operations import access, ops
from app.supervise import attached
from workers.context import make_context, now, use

alarm = typer.Typer(add_completion=False, no_args_is_help=True, help="The alarm that stops grading everywhere.")
key = typer.Typer(add_completion=False, no_args_is_help=True, help="Issue and revoke API keys.")

State = Annotated[Path | None, typer.Option("--state", help="State folder.")]


@key.command()
def issue(
    organisation: Annotated[str, typer.Argument(help="The vendor's slug; made when it is new.")],
    scope: Annotated[list[str] | None, typer.Option(help="May be given often; all of them by default.")] = None,
    days: Annotated[int, typer.Option(min=1, max=access.MOST_DAYS, help="Days until the key expires.")] = 365,
    state: State = None,
    *,
    as_json: Annotated[bool, typer.Option("--json")] = False,
) -> None:
    """Make a key for a vendor and show it, this once."""
    with attached(state) as settings:
        made = use(make_context(settings)).commit(
            access.issue_key, organisation, scope or list(access.Scope), now(), days=days
        )
    print(json.dumps({"key": made}) if as_json else made)


@key.command()
def revoke(
    prefix: Annotated[str, typer.Argument(help="The part between the two underscores.")],
    reason: Annotated[str, typer.Option(help="Why; kept in the audit log.")],
    state: State = None,
) -> None:
    """End a key at once."""
    with attached(state, begun=True) as settings:
        use(make_context(settings)).commit(access.revoke_key, prefix, reason, now())
    print(f"revoked {prefix}")


@alarm.callback()
def _alarm() -> None:
    """The alarm that stops grading everywhere."""


@alarm.command()
def clear(
    reason: Annotated[str, typer.Option(help="What was found and mended; kept in the audit log.")],
    state: State = None,
) -> None:
    """Let grading go on after the impossible problem was passed."""
    with attached(state, begun=True) as settings:
        ctx = use(make_context(settings))
        said = ctx.commit(ops.clear_alarm, "operator", reason, now())
        ctx.wake("grade")
    print(f"cleared: {said}")


def link(
    email: Annotated[
        str, typer.Option(help="Whom it signs in; who is new becomes a maintainer.")
    ] = access.FIRST_MAINTAINER,
    state: State = None,
) -> None:
    """Print a link that signs a maintainer in once."""
    with attached(state, begun=True) as settings:
        token = use(make_context(settings)).commit(access.issue_login_link, now(), email)
        print(f"{settings.public_url}/login?token={token}")
