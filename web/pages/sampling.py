"""Ways of sampling side by side: a model's score under each protocol of a sweep, as a list or a grid."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from starlette.responses import Response

from app.domain.boards.board import BoardRow
from app.domain.boards.named_boards import boards
from app.services.boards.query import parse_query, take_parameter, to_params
from app.services.evidence.decoding_sweep import DecodingSweep, SweptModel, decoding_sweep
from web.context import PageRequest
from web.render import render

MAX_SAMPLED_MODELS = 24  # more are only in JSON


@dataclass(frozen=True, slots=True)
class SamplingVariant:
    """One way of sampling: a link to the protocol's board, its values in words, and the model's row."""

    href: str
    title: str
    values: tuple[str, ...]
    row: BoardRow | None


@dataclass(frozen=True, slots=True)
class SamplingGrid:
    """The last two axes as a table: the values of the other axes in words, the second axis as columns.

    There is a row for each value of the first; a cell is None if nothing was asked.
    """

    others: tuple[str, ...]
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[SamplingVariant | None, ...]], ...]


@dataclass(frozen=True, slots=True)
class ModelSamplingView:
    """A model's lines, and a grid for each combination of the other axes if both last ones have two values."""

    model: SweptModel
    lines: tuple[SamplingVariant, ...]
    grids: tuple[SamplingGrid, ...]


def sampling_page(page: PageRequest) -> Response:
    """Render the models of a board under every protocol that differs from this one by its sampling alone."""
    name, remaining = take_parameter(page.params, "board", boards())
    query = parse_query(remaining, name or next(iter(boards())), strict=False)
    with page.state.sessions() as session:
        result = decoding_sweep(session, query, page.state.cubes)
    views = [_model_view(page, result, model) for model in result.models[:MAX_SAMPLED_MODELS]]
    suffix = page.href("/", to_params(query)).partition("?")[2]
    return render(
        page,
        "results/sampling.html",
        found=result,
        views=views,
        title=page.board_title(query.board),
        board=_board_href(page, result, query.protocol),
        more=len(result.models) - len(views),
        json=f"/api/v1/boards/{query.board}/sampling" + (f"?{suffix}" if suffix else ""),
    )


def _model_view(page: PageRequest, result: DecodingSweep, model: SweptModel) -> ModelSamplingView:
    lines = tuple(
        SamplingVariant(
            _board_href(page, result, protocol.slug),
            page.protocol_title(protocol.slug, protocol.title),
            tuple(_format_value(page, value) for value in result.values(protocol)),
            model.rows.get(protocol.slug),
        )
        for protocol in result.protocols
    )
    return ModelSamplingView(model, lines, tuple(_grids(page, result, lines)))


def _grids(page: PageRequest, result: DecodingSweep, lines: Sequence[SamplingVariant]) -> Iterator[SamplingGrid]:
    by_values = dict(zip((result.values(protocol) for protocol in result.protocols), lines, strict=True))
    for others in dict.fromkeys(values[:-2] for values in by_values):
        cells = {values[-2:]: line for values, line in by_values.items() if values[:-2] == others and len(values) > 1}
        first, second = (sorted({pair[axis] for pair in cells}, key=lambda at: at or 0) for axis in (0, 1))
        if min(len(first), len(second)) > 1:
            yield SamplingGrid(
                tuple(_format_value(page, value) for value in others),
                tuple(_format_value(page, value) for value in second),
                tuple((_format_value(page, one), tuple(cells.get((one, other)) for other in second)) for one in first),
            )


def _format_value(page: PageRequest, value: float | None) -> str:
    return page.t("sampling.off") if value is None else f"{value:g}" if value < 1000 else f"{value:,.0f}"


def _board_href(page: PageRequest, result: DecodingSweep, protocol: str) -> str:
    return page.href(f"/boards/{result.query.board}", [("protocol", protocol)])
