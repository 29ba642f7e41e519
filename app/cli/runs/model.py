"""`tidemark model add|list|cutoff|cutoffs|weights|prices`: the measured models and their facts."""

import json
import shlex
from dataclasses import asdict
from typing import Annotated

import typer

from app.cli.parser import State, VerbGroup
from app.cli.runs import options
from app.cli.tables import TableColumn, format_table, terminal_width
from app.domain.asking.protocols import HOUSE
from app.domain.cube.facts import WeightsAccess
from app.domain.errors import InvalidInput
from app.domain.known_models import known_models
from app.services.runs import models
from app.services.runs.control import endpoints
from app.services.runs.cutoffs import CutoffFacts
from app.services.runs.models import WeightFacts
from app.supervise import open_state
from workers.context import make_context, now, use

model = VerbGroup("Add models, list them and their prices, and edit their cutoffs.")

Reason = Annotated[str, typer.Option(help="The reason; kept in the audit log, and public if the model is.")]
Slug = Annotated[str, typer.Argument(metavar="SLUG", help="Its name in URLs: lower-case letters, digits and hyphens.")]


@model.command()
def add(
    slug: Slug,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Its name on boards.")],
    reason: Reason,
    organisation: options.Organisation = "",
    released: options.Released = None,
    cutoff: options.CutoffDay = None,
    basis: options.Basis = "declared",
    evidence: options.Evidence = None,
    link: options.Link = None,
    state: State = None,
) -> None:
    """Add a model. It appears on boards once it has a run.

    Examples:
      ./tidemark model add orion-5 "Orion 5" --reason "a new release"
    """
    new = options.model_facts(slug, name, organisation, released, cutoff, basis, evidence, link)
    with open_state(state) as settings:
        use(make_context(settings)).commit(models.add, new, reason, now())
    print(f"added {slug}")


@model.command("list")
def list_models(
    state: State = None, *, as_json: Annotated[bool, typer.Option("--json", help="Print the models as JSON.")] = False
) -> None:
    """List every model with its cutoff and the number of its public runs."""
    with open_state(state, begun=True) as settings:
        lines = use(make_context(settings)).commit(models.models)
    if as_json:
        print(json.dumps({"models": [asdict(line) for line in lines]}, default=str, indent=2, ensure_ascii=False))
        return
    columns = [
        TableColumn("model", min_width=24),
        TableColumn("cutoff"),
        TableColumn("basis", drop_order=1),
        TableColumn("runs", right=True),
        TableColumn("name", min_width=20),
    ]
    rows = [(line.slug, str(line.cutoff_on), line.cutoff_basis, str(line.runs), line.name) for line in lines]
    print(format_table(columns, rows, terminal_width()))


@model.command()
def cutoff(
    slug: Slug,
    on: Annotated[str, typer.Option(metavar="DATE", help="The last day of its training data.")],
    evidence: Annotated[str, typer.Option(metavar="URL", help="Where the cutoff is stated.")],
    reason: Reason,
    basis: options.Basis = "declared",
    state: State = None,
) -> None:
    """Change a model's cutoff. The old value stays on its page and in the public ledger.

    Examples:
      ./tidemark model cutoff orion-5 --on 2026-01-31
          --evidence https://example.com/orion-5 --reason "its model card"
    """
    options.check_basis(basis)
    day = options.parse_day("--on", on)
    with open_state(state, begun=True) as settings:
        ctx = use(make_context(settings))
        ctx.commit(models.edit_cutoff, slug, CutoffFacts(day, evidence), reason, now())
        ctx.wake("report")
    print(f"{slug}: {day} (declared)")


@model.command()
def weights(
    slug: Slug,
    reason: Reason,
    kind: Annotated[
        WeightsAccess | None, typer.Option("--weights", help="Whether they can be downloaded.", show_default=False)
    ] = None,
    size: Annotated[
        float | None, typer.Option("--size", metavar="B", help="Its parameters, in billions.", show_default=False)
    ] = None,
    tuned_from: Annotated[
        str | None, typer.Option(metavar="SLUG", help="The model that it was tuned from.", show_default=False)
    ] = None,
    state: State = None,
) -> None:
    """Record what is known of a model's weights; boards show it but do not rank by it.

    Examples:
      ./tidemark model weights orion-5 --weights open --size 7
          --tuned-from orion-5-base --reason "its model card"
    """
    facts = WeightFacts(kind, size, tuned_from)
    if facts == WeightFacts():
        raise InvalidInput("give --weights, --size or --tuned-from")
    with open_state(state, begun=True) as settings:
        use(make_context(settings)).commit(models.edit_weights, slug, facts, reason, now())
    print(f"{slug}: recorded")


@model.command()
def cutoffs(
    *,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the table as JSON, with the source of each date.")
    ] = False,
) -> None:
    """Print the table of known models, with the source of each date.

    It says when their training data ends and when they were released. Imported results take their dates from it. The
    dates are for models that others serve, and none counts for a model that its vendor registers here.

    Examples:
      ./tidemark model cutoffs --json
    """
    known = known_models()
    if as_json:
        print(json.dumps({"models": [asdict(entry) for entry in known]}, default=str, indent=2, ensure_ascii=False))
        return
    columns = [
        TableColumn("model", min_width=20),
        TableColumn("by"),
        TableColumn("cutoff"),
        TableColumn("released", drop_order=1),
        TableColumn("source", min_width=24, drop_order=2),
    ]
    rows = [
        (entry.names[0], entry.organisation, str(entry.cutoff_on or "-"), str(entry.released_on or "-"),
         entry.cutoff_source or entry.released_source or "-")
        for entry in known
    ]  # fmt: skip
    print(format_table(columns, rows, terminal_width()))


@model.command()
def prices(
    slug: Slug,
    state: State = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print the prices as JSON.")] = False,
) -> None:
    """List the prices of a model's endpoints, and the time from which each holds.

    An answer is charged at the prices of its day.

    Examples:
      ./tidemark model prices orion-5
    """
    with open_state(state, begun=True) as settings, use(make_context(settings)).sessions() as session:
        lines = endpoints.price_history(session, slug)
    if as_json:
        print(json.dumps({"prices": [asdict(line) for line in lines]}, default=str, indent=2))
        return
    columns = [
        TableColumn("since"),
        TableColumn("endpoint", min_width=16),
        TableColumn("input", right=True),
        TableColumn("cached", right=True),
        TableColumn("output", right=True),
    ]
    rows = [
        (f"{line.since:%Y-%m-%d %H:%M}", line.endpoint, *("-" if usd is None else f"${usd.normalize():f}"
         for usd in (line.input, line.cached, line.output)))
        for line in lines
    ]  # fmt: skip
    print(format_table(columns, rows, terminal_width()))


@model.command(hidden=True, context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def serve(
    slug: Slug, path: Annotated[str, typer.Argument(metavar="WEIGHTS", help="A folder, or a name in a hub.")]
) -> None:
    """Refuse, with the line that took its place."""
    line = ["./tidemark", "run", "start", slug, "--gpu", path, "--protocol", HOUSE.slug]
    raise InvalidInput(f"`model serve` is now `run start`, with the same options: {shlex.join(line)}")
