"""`tidemark snapshot NAME`: freeze a board under a permanent link."""

import json
from typing import Annotated

import typer

from app.cli.boards.board_options import BoardArguments, with_board_options
from app.cli.parser import State
from app.services.boards import snapshots
from app.supervise import open_state
from app.supervise.state_access import link_to
from workers.context import make_context, now, use


@with_board_options
def snapshot(
    view: BoardArguments,
    reason: Annotated[str, typer.Option(help="The reason; public, and kept in the audit log.")],
    state: State = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print the hash and the link as JSON.")] = False,
) -> None:
    """Freeze a board as it is now under a permanent link.

    The same content gives the same snapshot.

    Examples:
      ./tidemark snapshot codegen --reason "the January report"
    """
    with open_state(state, begun=True) as settings:
        ctx = use(make_context(settings))
        sha256 = ctx.commit(
            snapshots.freeze, view.query, ctx.cubes, now(), "operator", reason, reference=view.reference
        )
        link = link_to(settings, f"/snapshots/{sha256}")
    print(json.dumps({"sha256": sha256, "url": link}) if as_json else f"{sha256}\n{link}")
