"""`tidemark setter forecast`: what the tests of a contest take with the registered setters."""

import json
from typing import Annotated, Any

import typer

from app.cli.parser import State
from app.cli.tables import TableColumn, format_table, paragraph, terminal_width
from app.config import Settings
from app.domain.asking.money import format_dollars
from app.domain.consensus.agreement import LEAST_VENDORS
from app.domain.consensus.forecast import ForecastAmount
from app.domain.consensus.rounds import MOST_ROUNDS
from app.services.runs.consensus import forecast as service
from app.services.runs.consensus.forecast import SetterForecast
from app.supervise import open_state
from scrapers.site import all_sites
from workers.context import make_context, now, use


def forecast(
    state: State = None, *, as_json: Annotated[bool, typer.Option("--json", help="Print the forecast as JSON.")] = False
) -> None:
    """Forecast the calls, tokens, judging and cost of the tests of a contest, and of a week.

    It counts the registered setters and the enabled sites whose statements are fetched. Figures are those measured
    here, and the documented ones until there are any (docs/consensus.md). Ranked models' answers are not included:
    `run start --dry-run` forecasts those.

    --json prints {"setters", "vendors", "judged", "problem", "sites", "week", "most_per_problem"}. An amount is
    {"calls", "tokens", "judge_s", "usd"}; `usd` is null if a price is unknown. `problems` of a setter and `judged` are
    the numbers of problems measured, and `contests` of a site the number of contests counted; with 0, the figure is a
    documented one.

    Examples:
      ./tidemark setter forecast
    """
    with open_state(state, begun=True) as settings:
        found = use(make_context(settings)).commit(service.forecast, fetched_sites(settings), now())
    print(json.dumps(_json(found, settings), indent=2, ensure_ascii=False) if as_json else format_forecast(found))


def fetched_sites(settings: Settings) -> list[str]:
    """Return the enabled sites whose statements are fetched and may be sent to models, by name."""
    return [
        name
        for name, site in sorted(all_sites().items())
        if site.plan is not None
        and (own := settings.source(name)).enabled
        and (site.fetch_statements if own.fetch_statements is None else own.fetch_statements)
        and own.send_statements is not False
    ]


def format_forecast(found: SetterForecast) -> str:
    """Return a forecast for a terminal."""
    width = terminal_width()
    columns = [
        TableColumn("tests of", min_width=20),
        TableColumn("calls", right=True),
        TableColumn("tokens", right=True),
        TableColumn("judging", right=True),
        TableColumn("cost", right=True),
    ]
    rows = [("a problem", *_cells(found.problem))]
    for site in found.sites:
        rows += [
            (f"a contest of {site.site}, {site.problems_per_contest:.1f} problems", *_cells(site.contest)),
            (f"a week of {site.site}, {site.contests_per_week:.1f} contests", *_cells(site.week)),
        ]
    if len(found.sites) > 1:
        rows.append(("a week of all sites", *_cells(found.week)))
    notes = [line for note in _notes(found) for line in paragraph(note, width)]
    return "\n".join([format_table(columns, rows, width), "", *notes])


def _cells(amount: ForecastAmount) -> tuple[str, str, str, str]:
    hours = amount.judge_s / 3600
    judging = f"{hours:.1f} h" if hours >= 1 else f"{amount.judge_s / 60:.0f} min"
    cost = "-" if amount.usd is None else format_dollars(amount.usd)
    return f"{amount.calls:,.0f}", f"{amount.tokens:,.0f}", judging, cost


def _notes(found: SetterForecast) -> list[str]:
    """Return what the figures rest on."""
    notes = []
    for setter in found.setters:
        basis = f"measured on {setter.use.problems} problems" if setter.use.problems else "documented figures"
        share = "" if setter.share == 1 else f", asked about {setter.share:.0%} of the problems"
        notes.append(f"{setter.name} of {setter.vendor}: {basis}{share}.")
    judging = f"measured on {found.judged} problems" if found.judged else "documented figures"
    notes.append(f"Judging: {judging}, in hours of one core.")
    if not all(setter.use.problems for setter in found.setters):
        notes.append(f"Answers that fall short are asked for again, at most {MOST_ROUNDS} times: that comes on top.")
    if found.vendors < LEAST_VENDORS:
        notes.append(
            f"Registered: setters of {found.vendors} vendors. Tests need {LEAST_VENDORS}; the rest is assumed."
        )
    if found.problem.usd is None:
        notes.append("The cost is unknown without prices: setter add --price-input USD --price-output USD.")
    if not found.sites:
        notes.append("No site's statements are fetched, so setters are asked about imported problems alone.")
    return notes


def _json(found: SetterForecast, settings: Settings) -> dict[str, Any]:
    setters = [
        {"name": each.name, "vendor": each.vendor, "share": each.share, "calls": each.use.calls,
         "tokens": each.use.tokens_input + each.use.tokens_output, "problems": each.use.problems}
        for each in found.setters
    ]  # fmt: skip
    sites = [
        {"site": each.site, "problems_per_contest": each.problems_per_contest,
         "contests_per_week": each.contests_per_week, "contests": each.contests, "contest": _amount(each.contest),
         "week": _amount(each.week)}
        for each in found.sites
    ]  # fmt: skip
    most = settings.consensus_bounds().problem
    bound = ForecastAmount(most.calls, most.tokens, most.judge_s, most.usd)
    return {
        "setters": setters, "vendors": found.vendors, "judged": found.judged, "problem": _amount(found.problem),
        "sites": sites, "week": _amount(found.week), "most_per_problem": _amount(bound),
    }  # fmt: skip


def _amount(amount: ForecastAmount) -> dict[str, float | None]:
    usd = None if amount.usd is None else round(float(amount.usd), 6)
    return {
        "calls": round(amount.calls, 1), "tokens": round(amount.tokens), "judge_s": round(amount.judge_s, 1), "usd": usd
    }  # fmt: skip
