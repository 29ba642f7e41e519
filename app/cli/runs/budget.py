"""`tidemark budget set|lift|list`: limits on what asking costs."""

import json
from dataclasses import asdict
from decimal import Decimal, InvalidOperation
from typing import Annotated

import typer

from app.cli.parser import State, VerbGroup
from app.cli.tables import TableColumn, format_table, terminal_width
from app.domain.asking.money import format_dollars
from app.domain.errors import InvalidInput
from app.services.runs import budgets
from app.services.runs.budgets import BudgetLine, BudgetOwner
from app.supervise import open_state
from workers.context import make_context, now, use

budget = VerbGroup("Limit the cost of requests: of a run, of an organisation or in all, in total or by day.")

Reason = Annotated[str, typer.Option(help="The reason, kept in the audit log.")]
Run = Annotated[int | None, typer.Option(metavar="RUN", help="The number of the run to limit.")]
Organisation = Annotated[
    str | None, typer.Option(metavar="NAME", help="The organisation whose models are limited together.")
]
Daily = Annotated[bool, typer.Option("--daily", help="For each UTC day, not for all time.")]


@budget.command("set")
def set_budget(
    usd: Annotated[str, typer.Argument(metavar="USD", help="US dollars, including those already spent.")],
    reason: Reason,
    run: Run = None,
    organisation: Organisation = None,
    *,
    daily: Daily = False,
    state: State = None,
) -> None:
    """Set or change the budget of a run, of an organisation's models, or of all you ask.

    The last one leaves out the bundled models and those of vendors, who pay for their own calls.

    Examples:
      ./tidemark budget set 50 --daily --reason "what we spend in a day"
      ./tidemark budget set 12.50 --run 7 --reason "a first look"
    """
    try:
        amount = Decimal(usd.removeprefix("$"))
    except InvalidOperation:
        raise InvalidInput(f"a budget must be an amount in US dollars such as 12.50, not {usd!r}") from None
    _change(BudgetOwner(run, organisation, daily), amount, reason, state)
    print(f"{BudgetOwner(run, organisation, daily)}: {format_dollars(amount)}")


@budget.command()
def lift(
    reason: Reason, run: Run = None, organisation: Organisation = None, *, daily: Daily = False, state: State = None
) -> None:
    """Remove a budget. Runs that it paused continue.

    Examples:
      ./tidemark budget lift --run 7 --reason "paid for"
    """
    _change(BudgetOwner(run, organisation, daily), None, reason, state)
    print(f"{BudgetOwner(run, organisation, daily)}: no budget")


def _change(subject: BudgetOwner, usd: Decimal | None, reason: str, state: State) -> None:
    with open_state(state, begun=True) as settings:
        ctx = use(make_context(settings))
        ctx.commit(budgets.change_budget, subject, usd, reason, now())
        ctx.wake("sweep")


@budget.command("list")
def list_budgets(
    state: State = None, *, as_json: Annotated[bool, typer.Option("--json", help="Print the budgets as JSON.")] = False
) -> None:
    """List every budget with the amount spent."""
    with open_state(state, begun=True) as settings:
        lines = use(make_context(settings)).commit(budgets.budgets, now())
    if as_json:
        print(json.dumps({"budgets": [_json(line) for line in lines]}, indent=2, ensure_ascii=False))
        return
    columns = [TableColumn("of", min_width=16), TableColumn("limit", right=True), TableColumn("spent", right=True)]
    rows = [
        (
            str(BudgetOwner(line.run, line.organisation, line.daily)),
            format_dollars(line.usd),
            format_dollars(line.spent),
        )
        for line in lines
    ]
    print(format_table(columns, rows, terminal_width()))


def _json(line: BudgetLine) -> dict[str, object]:
    return asdict(line) | {"usd": float(line.usd), "spent": float(line.spent)}
