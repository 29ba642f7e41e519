"""`tidemark setter add|forecast|list|remove|give`: models that make tests of fresh problems."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from app.cli.files import read_text_file
from app.cli.parser import State, VerbGroup
from app.cli.runs import options
from app.cli.runs.setter_forecast import forecast
from app.cli.tables import TableColumn, format_table, terminal_width
from app.domain.asking.money import format_dollars
from app.domain.consensus.additions import AdditionKind
from app.domain.consensus.answers import split_lines
from app.domain.consensus.vendors import normalize_vendor
from app.domain.errors import InvalidInput
from app.services.runs.consensus import held_problems, setters
from app.services.runs.consensus.setters import NewSetter
from app.services.runs.control.endpoints import NewEndpoint
from app.supervise import open_state
from workers.context import make_context, now, use
from workers.inference.backends import check_run, named_backend

setter = VerbGroup("Manage the models that make tests of fresh problems; those of two vendors must agree.")

REPLAY = "setters_replay"
Name = Annotated[str, typer.Argument(metavar="NAME", help="The setter's name: lower-case letters, digits and hyphens.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]


@setter.command()
def add(
    name: Name,
    vendor: Annotated[str, typer.Option(help="The model's vendor. Setters of one vendor count as one.")],
    endpoint: Annotated[str | None, typer.Option(metavar="URL", help="Where the model is served.")] = None,
    replay: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Recorded answers of setters, instead of an endpoint.")
    ] = None,
    backend: Annotated[str, typer.Option(help="The endpoint's API format.")] = "openai_chat",
    remote_name: Annotated[
        str | None, typer.Option(help="The model's name in requests or in recorded answers; NAME by default.")
    ] = None,
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="A setting of every request.")
    ] = None,
    key_env: Annotated[
        str | None, typer.Option(metavar="NAME", help="The environment variable that holds the endpoint's key.")
    ] = None,
    key_file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The file that holds the endpoint's key.")
    ] = None,
    price_input: Annotated[str | None, typer.Option(metavar="USD", help="Price of a million input tokens.")] = None,
    price_cached: Annotated[
        str | None, typer.Option(metavar="USD", help="Price of a million cached input tokens.")
    ] = None,
    price_output: Annotated[str | None, typer.Option(metavar="USD", help="Price of a million output tokens.")] = None,
    concurrency: Annotated[int | None, typer.Option(min=1, max=1024, help="The most requests at once.")] = None,
    timeout: options.Timeout = None,
    reason: Annotated[str, typer.Option(help="The reason, kept in the audit log.")] = "added by a maintainer",
    state: State = None,
    *,
    as_json: AsJson = False,
) -> None:
    """Let a model make tests of problems that have none, once their contests are over.

    Nothing is made before there are setters of two vendors. Only maintainers see what a setter answers.

    Examples:
      ./tidemark setter add orion-5 --vendor Acme --endpoint URL --key-env KEY
    """
    if (endpoint is None) == (replay is None):
        raise InvalidInput("give either --endpoint or --replay")
    if replay is not None:
        backend, remote_name = REPLAY, _find_recorded(replay, remote_name or name, None if remote_name else vendor)
    locate = named_backend(backend).locate
    place = str(replay) if replay is not None else str(endpoint)
    served = NewEndpoint(
        name, backend, remote_name or name, place if locate is None else locate(place),
        options.read_key(key_env, key_file), concurrency, options.parse_price("--price-input", price_input),
        options.parse_price("--price-cached", price_cached), options.parse_price("--price-output", price_output),
        timeout_s=timeout,
    )  # fmt: skip
    new = NewSetter(name, vendor, served, reason, options.parse_configuration(settings or ()))
    with open_state(state, begun=True) as app_settings:
        if locate is None:
            options.check_address(place, app_settings.endpoint_allow)
        ctx = use(make_context(app_settings))
        line = ctx.commit(setters.add, new, now(), ctx.vault, check_run)
        ctx.wake("plan")
    print(json.dumps(_json(line)) if as_json else f"setter {line.name} of {line.vendor} is asked in run {line.run}")


def _find_recorded(file: Path, name: str, vendor: str | None) -> str:
    """Return the setter whose rows of a file are played: that name, else the vendor's only setter, else the file's.

    Without a vendor only the name counts. Raises InvalidInput.
    """
    text = read_text_file(file)
    try:
        rows = [json.loads(line) for line in split_lines(text) if line.strip()]
        vendors = {str(row["setter"]).strip(): normalize_vendor(str(row.get("vendor"))) for row in rows}
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise InvalidInput(f"--replay {file} holds no rows of recorded answers") from error
    vendor_setters = [
        setter_name
        for setter_name in vendors
        if vendor is not None and vendors[setter_name] == normalize_vendor(vendor)
    ]
    if name in vendors:
        return name
    for only in (vendor_setters, list(vendors)):
        if vendor is not None and len(only) == 1:
            return only[0]
    raise InvalidInput(
        f"{file} has no answers of {name}; --remote-name can choose those of {', '.join(sorted(vendors))}"
    )


setter.command()(forecast)


@setter.command("list")
def list_setters(state: State = None, *, as_json: AsJson = False) -> None:
    """List every setter with its answers and their cost."""
    with open_state(state, begun=True) as settings:
        lines = use(make_context(settings)).commit(setters.setters)
    if as_json:
        print(json.dumps({"setters": [_json(line) for line in lines]}, indent=2, ensure_ascii=False))
        return
    columns = [
        TableColumn("setter", min_width=12),
        TableColumn("vendor"),
        TableColumn("state"),
        TableColumn("answers", right=True),
        TableColumn("waiting", right=True),
        TableColumn("cost", right=True),
    ]
    rows = [
        (line.name, line.vendor, line.state, str(line.answered), str(line.waiting),
         "-" if line.cost is None else format_dollars(line.cost))
        for line in lines
    ]  # fmt: skip
    print(format_table(columns, rows, terminal_width()))


def _json(line: setters.SetterLine) -> dict[str, Any]:
    instants = {
        name: None if at is None else at.isoformat()
        for name, at in (("added_at", line.added_at), ("removed_at", line.removed_at))
    }
    return {**asdict(line), **instants, "cost": None if line.cost is None else float(line.cost)}


@setter.command()
def remove(
    name: Name,
    reason: Annotated[str, typer.Option(help="The reason, kept in the audit log.")] = "removed by a maintainer",
    state: State = None,
) -> None:
    """Stop asking a setter and using its answers; suites that were made stay.

    Examples:
      ./tidemark setter remove orion-5 --reason "it answers no more"
    """
    with open_state(state, begun=True) as settings:
        ctx = use(make_context(settings))
        ctx.commit(setters.remove, name, reason, now())
        ctx.wake("plan")
    print(f"removed {name}")


@setter.command()
def give(
    problem: Annotated[
        str, typer.Argument(metavar="PROBLEM", help="A problem that is held because it has no tests, as source/id.")
    ],
    kind: Annotated[AdditionKind, typer.Argument(help="What the file is.")],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The program, input or checker.")],
    language: Annotated[str, typer.Option(help="A program's language: python or cpp.")] = "python",
    reason: Annotated[str, typer.Option(help="The reason, kept in the audit log.")] = "given by a maintainer",
    state: State = None,
) -> None:
    """Add a program, input or checker of your own to a problem whose setters could not agree.

    The setters' answers are then tried again with it. It is stored, and never shown or sent to anyone. A reference is a
    program that you vouch for.

    Examples:
      ./tidemark setter give atcoder/abc400_a reference right.py
    """
    body = read_text_file(file)
    with open_state(state, begun=True) as settings:
        ctx = use(make_context(settings))
        new_state = ctx.commit(
            held_problems.add, held_problems.AdditionRequest(problem, kind, language, body, reason), now()
        )
        ctx.wake("set")
    print(f"{problem} is {new_state}; its tests are made again")
