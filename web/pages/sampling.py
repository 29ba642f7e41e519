"""Ways of sampling side by side: a model's score under each protocol of a sweep, as a list or a grid."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from starlette.responses import Response

from app.domain.boards.board import BoardRow
from app.domain.boards.named import boards
from app.services.boards.query import parse_query, taken, to_params
from app.services.evidence.sampling import Sampled, Sampling, sampling
from web.context import Page
from web.render import render

MOST_MODELS = 24  # more are only in JSON


@dataclass(frozen=True, slots=True)
class Line:
    """One way of sampling: a link to the protocol's board, its values in words, and the model's row."""

    href: str
    title: str
    values: tuple[str, ...]
    row: BoardRow | None


@dataclass(frozen=True, slots=True)
class Grid:
    """The last two axes as a table: the values of the other axes in words, the second axis as columns.

    There is a row for each value of the first; a cell is None if nothing was asked.
    """

    others: tuple[str, ...]
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Line | None, ...]], ...]


@dataclass(frozen=True, slots=True)
class ModelView:
    """A model's lines, and a grid for each combination of the other axes if both last ones have two values."""

    model: Sampled
    lines: tuple[Line, ...]
    grids: tuple[Grid, ...]


def sampling_page(page: Page) -> Response:
    """Render the models of a board under every protocol that differs from this one by its sampling alone."""
    name, remaining = taken(page.params, "board", boards())
    query = parse_query(remaining, name or next(iter(boards())), strict=False)
    with page.state.sessions() as session:
        result = sampling(session, query, page.state.cubes)
    views = [_model_view(page, result, model) for model in result.models[:MOST_MODELS]]
    suffix = page.href("/", to_params(query)).partition("?")[2]
    return render(
        page,
        "pages/sampling.html",
        found=result,
        views=views,
        title=page.board_title(query.board),
        board=_board_href(page, result, query.protocol),
        more=len(result.models) - len(views),
        json=f"/api/v1/boards/{query.board}/sampling" + (f"?{suffix}" if suffix else ""),
    )


def _model_view(page: Page, result: Sampling, model: Sampled) -> ModelView:
    lines = tuple(
        Line(
            _board_href(page, result, protocol.slug),
            page.protocol_title(protocol.slug, protocol.title),
            tuple(_format_value(page, value) for value in result.values(protocol)),
            model.rows.get(protocol.slug),
        )
        for protocol in result.protocols
    )
    return ModelView(model, lines, tuple(_grids(page, result, lines)))


def _grids(page: Page, result: Sampling, lines: Sequence[Line]) -> Iterator[Grid]:
    by_values = dict(zip((result.values(protocol) for protocol in result.protocols), lines, strict=True))
    for others in dict.fromkeys(values[:-2] for values in by_values):
        cells = {values[-2:]: line for values, line in by_values.items() if values[:-2] == others and len(values) > 1}
        first, second = (sorted({pair[axis] for pair in cells}, key=lambda at: at or 0) for axis in (0, 1))
        if min(len(first), len(second)) > 1:
            yield Grid(
                tuple(_format_value(page, value) for value in others),
                tuple(_format_value(page, value) for value in second),
                tuple((_format_value(page, one), tuple(cells.get((one, other)) for other in second)) for one in first),
            )


def _format_value(page: Page, value: float | None) -> str:
    return page.t("sampling.off") if value is None else f"{value:g}" if value < 1000 else f"{value:,.0f}"


def _board_href(page: Page, result: Sampling, protocol: str) -> str:
    return page.href(f"/boards/{result.query.board}", [("protocol", protocol)])
