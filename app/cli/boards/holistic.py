"""`tidemark holistic`: the scores of every scenario side by side, as tables or as JSON."""

import json
from typing import Annotated

import typer

from app.cli.parser import State
from app.cli.tables import TableColumn, format_table, terminal_width
from app.db.kernel.session import sessions_on
from app.domain.metrics.correlation import CorrelationValue
from app.domain.ratings.holistic import FAMILIES
from app.services.boards.cubes import CubeStore
from app.services.evidence import holistic as service
from app.supervise import open_state

_FAMILIES = "|".join(FAMILIES)


def holistic(
    family: Annotated[
        str, typer.Option(metavar=_FAMILIES, help="The family of problems that the scenarios ask about.")
    ] = "house",
    start: Annotated[str, typer.Option("--from", metavar="DATE", help="First release day.")] = "",
    end: Annotated[str, typer.Option("--to", metavar="DATE", help="The day after the last release day.")] = "",
    platform: Annotated[list[str] | None, typer.Option(help="A platform; repeatable.")] = None,
    difficulty: Annotated[list[str] | None, typer.Option(help="A level; repeatable.")] = None,
    state: State = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print it as JSON.")] = False,
) -> None:
    """Print every model's scores in all scenarios, and how they correlate.

    Examples:
      ./tidemark holistic --family fresh --from 2026-01-01 --json
    """
    pairs = [("family", family), ("from", start), ("to", end)]
    pairs += [("platform", value) for value in platform or ()] + [("difficulty", value) for value in difficulty or ()]
    chosen, query = service.parse(pairs)
    with (
        open_state(state, begun=True) as settings,
        sessions_on(settings.database_url) as sessions,
        sessions() as session,
    ):
        board = service.holistic(session, chosen, query, CubeStore(settings.state_dir / "cubes"))
    if as_json:
        print(json.dumps(service.as_json(board), indent=2, ensure_ascii=False))
        return
    names = list(board.abilities)
    rows = [
        [f"{row.fact.model} {row.fact.configuration}".strip(), *(_format_points(row.scores[name]) for name in names)]
        for row in board.rows
    ]
    width = terminal_width()
    heads = [
        TableColumn("model"),
        *(TableColumn(name, right=True, drop_order=place) for place, name in enumerate(names)),
    ]
    print(format_table(heads, rows, width), end="\n\n")
    correlations = [
        [pair.one, pair.other, _format_correlation(pair.spearman), _format_correlation(pair.pearson)]
        for pair in board.together
    ]
    print(
        format_table(
            [TableColumn("scenario"), TableColumn("and"), TableColumn("Spearman"), TableColumn("Pearson")],
            correlations,
            width,
        )
    )
    for pair in board.languages:
        print(
            f"{pair.fact.model}: {pair.languages[0]} minus {pair.languages[1]} {pair.gap:+.1f} "
            f"({pair.lo:+.1f} to {pair.hi:+.1f}, {pair.n} problems)"
        )


def _format_points(score: float | None) -> str:
    return "-" if score is None else f"{score:.1f}"


def _format_correlation(correlation: CorrelationValue | None) -> str:
    if correlation is None:
        return "-"
    return f"{correlation.value:.2f}" + (
        "" if correlation.lo is None else f" ({correlation.lo:.2f} to {correlation.hi:.2f})"
    )
