"""`tidemark gateway state|withdraw|list`: hosts that serve models of several vendors."""

import json
from dataclasses import asdict
from typing import Annotated

import typer

from app.cli.parser import State, VerbGroup
from app.cli.tables import TableColumn, format_table, terminal_width
from app.services.vendors import gateways
from app.supervise import open_state
from workers.context import make_context, now, use

gateway = VerbGroup("State which hosts serve models of several vendors, which then do not expose one another.")

Url = Annotated[str, typer.Argument(metavar="URL", help="Its address; host and port count.")]
Reason = Annotated[str, typer.Option(help="The reason, which the public ledger shows.")]
Segment = Annotated[
    int | None,
    typer.Option(
        metavar="N", help="The segment of the path that names a tenant, from 1; by default the model's name does."
    ),
]


@gateway.command("state")
def state_gateway(url: Url, reason: Reason, path_segment: Segment = None, state: State = None) -> None:
    """State a gateway. Boards then count by tenant, also what was sent before.

    Examples:
      ./tidemark gateway state https://gw.example.com --reason "a reseller"
      ./tidemark gateway state https://gw.example.com --path-segment 2 --reason R
    """
    with open_state(state, begun=True) as settings:
        stated = use(make_context(settings)).commit(gateways.state_gateway, url, path_segment, reason, now())
    told = "the namespace of a model's name" if path_segment is None else f"segment {path_segment} of the path"
    print(f"{stated.address} is a gateway: {told} names its tenants. The public ledger records it.")


@gateway.command("withdraw")
def withdraw_gateway(url: Url, reason: Reason, state: State = None) -> None:
    """Withdraw a statement: the host is one deployment again.

    Examples:
      ./tidemark gateway withdraw https://gw.example.com --reason "one vendor"
    """
    with open_state(state, begun=True) as settings:
        address = use(make_context(settings)).commit(gateways.withdraw_gateway, url, reason, now())
    print(f"{address} is one deployment again. The public ledger records it.")


@gateway.command("list")
def list_gateways(
    state: State = None, *, as_json: Annotated[bool, typer.Option("--json", help="Print the gateways as JSON.")] = False
) -> None:
    """List the gateways, those shipped with Tidemark included."""
    with open_state(state, begun=True) as settings:
        lines = use(make_context(settings)).commit(gateways.list_gateways)
    if as_json:
        print(json.dumps({"gateways": [asdict(line) for line in lines]}, indent=2, ensure_ascii=False, default=str))
        return
    columns = [TableColumn("address", min_width=24), TableColumn("tenants by", min_width=12), TableColumn("reason")]
    rows = [
        (
            line.address,
            "model name" if line.path_segment is None else f"path, segment {line.path_segment}",
            line.reason or "shipped",
        )
        for line in lines
    ]
    print(format_table(columns, rows, terminal_width()))
