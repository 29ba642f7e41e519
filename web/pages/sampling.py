"""Ways of sampling side by side: a model's score under each protocol of a sweep, as a list or as a grid."""

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
    """One way of sampling: the protocol's board as a link, its values in words, and the model's row."""

    href: str
    title: str
    values: tuple[str, ...]
    row: BoardRow | None


@dataclass(frozen=True, slots=True)
class Grid:
    """The last two axes as a table: the values of the others in words, those of the second as columns, and a row for
    each of the first; a cell is None where nothing was asked."""

    others: tuple[str, ...]
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Line | None, ...]], ...]


@dataclass(frozen=True, slots=True)
class ModelView:
    """A model's lines, and a grid for each way of the other axes that has two values or more of the last two."""

    model: Sampled
    lines: tuple[Line, ...]
    grids: tuple[Grid, ...]


def sampling_page(page: Page) -> Response:
    """The models of a board under every protocol that differs from the one asked for by its sampling alone."""
    name, rest = taken(page.params, "board", boards())
    query = parse_query(rest, name or next(iter(boards())), strict=False)
    with page.state.sessions() as session:
        found = sampling(session, query, page.state.cubes)
    views = [_view(page, found, model) for model in found.models[:MOST_MODELS]]
    suffix = page.href("/", to_params(query)).partition("?")[2]
    return render(
        page,
        "pages/sampling.html",
        found=found,
        views=views,
        title=page.board_title(query.board),
        board=_board(page, found, query.protocol),
        more=len(found.models) - len(views),
        json=f"/api/v1/boards/{query.board}/sampling" + (f"?{suffix}" if suffix else ""),
    )


def _view(page: Page, found: Sampling, model: Sampled) -> ModelView:
    lines = tuple(
        Line(
            _board(page, found, protocol.slug),
            page.protocol_title(protocol.slug, protocol.title),
            tuple(_shown(page, value) for value in found.values(protocol)),
            model.rows.get(protocol.slug),
        )
        for protocol in found.protocols
    )
    return ModelView(model, lines, tuple(_grids(page, found, lines)))


def _grids(page: Page, found: Sampling, lines: Sequence[Line]) -> Iterator[Grid]:
    by_values = dict(zip((found.values(protocol) for protocol in found.protocols), lines, strict=True))
    for others in dict.fromkeys(values[:-2] for values in by_values):
        cells = {values[-2:]: line for values, line in by_values.items() if values[:-2] == others and len(values) > 1}
        first, second = (sorted({pair[axis] for pair in cells}, key=lambda at: at or 0) for axis in (0, 1))
        if min(len(first), len(second)) > 1:
            yield Grid(
                tuple(_shown(page, value) for value in others),
                tuple(_shown(page, value) for value in second),
                tuple((_shown(page, one), tuple(cells.get((one, other)) for other in second)) for one in first),
            )


def _shown(page: Page, value: float | None) -> str:
    return page.t("sampling.off") if value is None else f"{value:g}" if value < 1000 else f"{value:,.0f}"


def _board(page: Page, found: Sampling, protocol: str) -> str:
    return page.href(f"/boards/{found.query.board}", [("protocol", protocol)])
