"""`tidemark model add|list|cutoff`: who is measured, and what is known of their cutoffs."""

import json
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Annotated

import typer

from app.domain.cube.facts import CutoffBasis
from app.domain.errors import InvalidInput
from app.domain.imports import ImportedModel
from app.domain.windows import read_day
from app.services.runs import models
from app.supervise import attached
from workers.context import make_context, now, use

model = typer.Typer(add_completion=False, no_args_is_help=True, help="Add models, list them, edit their cutoffs.")

State = Annotated[Path | None, typer.Option("--state", help="State folder.")]
Reason = Annotated[str, typer.Option(help="Why; kept in the audit log, and public where the model is.")]
Slug = Annotated[str, typer.Argument(help="Its name in addresses: small letters, digits and hyphens.")]


@model.command()
def add(
    slug: Slug,
    name: Annotated[str, typer.Argument(help="Its name on boards.")],
    reason: Reason,
    organisation: Annotated[str, typer.Option(help="Who makes it.")] = "",
    released: Annotated[str | None, typer.Option(help="The day it came out.")] = None,
    cutoff: Annotated[str | None, typer.Option(help="The last day of its training data.")] = None,
    basis: Annotated[str, typer.Option(help="How the cutoff is known: declared or estimated.")] = "declared",
    evidence: Annotated[str | None, typer.Option(metavar="URL", help="Where the cutoff is said.")] = None,
    link: Annotated[str | None, typer.Option(metavar="URL", help="A page about it.")] = None,
    state: State = None,
) -> None:
    """Write a model down; it shows on boards once it has a run."""
    known = _basis(basis)
    new = ImportedModel(
        slug=slug,
        name=name,
        organisation=organisation,
        released_on=_day("--released", released),
        cutoff_on=_day("--cutoff", cutoff),
        cutoff_basis=known if cutoff else CutoffBasis.UNKNOWN,
        cutoff_evidence=evidence,
        link=link,
    )
    with attached(state) as settings:
        use(make_context(settings)).commit(models.add, new, reason, now())
    print(f"added {slug}")


@model.command("list")
def list_models(
    state: State = None, *, as_json: Annotated[bool, typer.Option("--json", help="Print them as JSON.")] = False
) -> None:
    """Every model with its cutoff and how many public runs it has."""
    with attached(state, begun=True) as settings:
        found = use(make_context(settings)).commit(models.models)
    if as_json:
        print(json.dumps({"models": [asdict(each) for each in found]}, default=str, indent=2, ensure_ascii=False))
        return
    widest = max((len(each.slug) for each in found), default=0)
    for each in found:
        known = f"{each.cutoff_on or '-'!s:<10} {each.cutoff_basis:12}"
        print(f"{each.slug:{widest}}  {known} {each.runs:3} runs  {each.name}")


@model.command()
def cutoff(
    slug: Slug,
    on: Annotated[str, typer.Option(metavar="DATE", help="The last day of its training data.")],
    basis: Annotated[str, typer.Option(help="How that is known: declared or estimated.")],
    evidence: Annotated[str, typer.Option(metavar="URL", help="Where that is said.")],
    reason: Reason,
    state: State = None,
) -> None:
    """Change what is known of a model's cutoff; what it was stays on its page and in the public ledger."""
    day, known = _day("--on", on), _basis(basis)
    assert day is not None  # it was given
    with attached(state, begun=True) as settings:
        ctx = use(make_context(settings))
        ctx.commit(models.edit_cutoff, slug, models.Cutoff(day, known, evidence), reason, now())
    print(f"{slug}: {day} ({known})")


def _day(option: str, text: str | None) -> date | None:
    try:
        return None if text is None else read_day(text)
    except ValueError:
        raise InvalidInput(f"{option} is a day such as 2026-01-31") from None


def _basis(text: str) -> CutoffBasis:
    try:
        return CutoffBasis(text)
    except ValueError:
        raise InvalidInput(f"--basis is declared or estimated, not {text!r}") from None
