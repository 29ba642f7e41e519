"""The holistic board: models' abilities side by side, their correlations, and comparisons with external tables."""

from starlette.responses import Response

from app.domain.ratings.holistic import FAMILIES, TrendGroup, abilities
from app.services.evidence import holistic as service
from web.context import PageRequest
from web.holistic_charts import CELL, bars, matrix, radar, scatter, trend_line
from web.render import render

MAX_RADARS = 24  # more are only in the table


def holistic_page(page: PageRequest) -> Response:
    """Render the scores of a family of protocols over a window, side by side."""
    family, query = service.parse([pair for pair in page.params if pair[0] in ("family", *service.BOARD_FILTERS)])
    with page.state.sessions() as session:
        board = service.holistic(session, family, query, page.state.cubes)
    names = [name for name in board.abilities if any(row.scores[name] is not None for row in board.rows)]
    pairs = [pair for pair in board.together if pair.spearman is not None or pair.pearson is not None]
    values = [
        (names.index(pair.one), names.index(pair.other) - 1, pair.spearman.value)
        for pair in pairs
        if pair.spearman is not None
    ]
    window = [(name, value) for name, value in page.params if name in service.BOARD_FILTERS and value]
    return render(
        page,
        "pages/holistic.html",
        board=board,
        query=board.query,
        names=names,
        pairs=pairs,
        titles={
            name: page.board_title(name)
            if (own_titles := board.abilities[name].titles) is None
            else page.spoken(own_titles)
            for name in names
        },
        radars=[
            (row, chart)
            for row in board.rows[:MAX_RADARS]
            if (chart := radar([row.scores[name] for name in names])) is not None
        ],
        cell=CELL,
        fields=matrix(values),
        plots=[
            (
                table,
                scatter([(spot.elsewhere, spot.here, spot.group or TrendGroup.ALIKE) for spot in table.spots]),
                None if table.trend is None else trend_line(table.trend.slope, table.trend.start),
            )
            for table in board.elsewhere
        ],
        in_two=list(zip(board.languages, bars([(row.gap, row.lo, row.hi) for row in board.languages]), strict=True)),
        families=[
            (name, page.href("/holistic", [("family", name), *window]), name == family)
            for name in FAMILIES
            if abilities(name)
        ],
        json="/api/v1/holistic" + page.href("/", [("family", family), *window]).partition("/")[2].partition("/")[2],
    )
