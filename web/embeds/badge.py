"""`/badge/MODEL.svg`: a model's score on a board as a small image for a README."""

import unicodedata
from typing import Final

from markupsafe import escape
from starlette.responses import Response

from app.domain.boards.board import Board, BoardQuery, BoardRow
from app.domain.errors import NotFound
from app.services.boards import board_views
from app.services.boards.query import parse_query, take_parameter
from app.services.runs.result_views import check_name
from web.context import PageRequest
from web.embeds.headers import EMBED_HEADERS

_HEIGHT, _PADDING, _FONT_PX = 24, 8, 13
# Widths of characters in the fonts that browsers use for images, in pixels; `textLength` makes them exact.
_NARROW: Final = frozenset("iIjl.,:;'|!()[] ")
_NARROW_PX, _USUAL_PX, _WIDE_PX = 4.5, 7.5, 13.0


def badge(page: PageRequest) -> Response:
    """Return the badge of a model's row: board, score with half its interval, and ranks that cannot be told apart.

    `board` and the board's own parameters choose the view. Among several configurations the first ranked row counts,
    unless `configuration` names one. Raises NotFound if the model has no row there.
    """
    board_name, rest = take_parameter(page.params, "board")
    configuration, rest = take_parameter(rest, "configuration")
    query = parse_query(rest, check_name(board_name or "codegen"))
    model = check_name(page.request.path_params["model"])
    with page.state.sessions() as session:
        shown = board_views.board(session, query, page.state.cubes)
    row = _find_row(shown, model, configuration)
    label = f"Tidemark {page.board_title(query.board)}"
    if row.fact.demo:
        label += f" ({page.t('tag.demo')})"
    return Response(
        _draw(label, _value(page, row), page.t("badge.label", model=_row_name(row), date=_as_of(query, page))),
        media_type="image/svg+xml",
        headers={**EMBED_HEADERS, "Cache-Control": "public, max-age=3600"},
    )


def _find_row(board: Board, model: str, configuration: str | None) -> BoardRow:
    for row in board.rows:
        if row.model == model and configuration in (None, row.configuration):
            return row
    raise NotFound(f'The model "{model}" has no row on this board.')


def _row_name(row: BoardRow) -> str:
    return f"{row.fact.name} ({row.configuration})" if row.configuration else row.fact.name


def _value(page: PageRequest, row: BoardRow) -> str:
    """Return the score, half the width of its interval and its ranks, as far as the row has them."""
    if row.score is None:
        return page.t("badge.no_score")
    text = f"{row.score:.1f}"
    if row.ci_lo is not None and row.ci_hi is not None:
        text += f" ±{(row.ci_hi - row.ci_lo) / 2:.1f}"
    if row.rank is None:
        return page.t("badge.unranked", score=text)
    ranks = f"#{row.rank}" if row.rank_lo == row.rank_hi else f"#{row.rank_lo}–{row.rank_hi}"
    return f"{text} · {ranks}"


def _as_of(query: BoardQuery, page: PageRequest) -> str:
    end = query.window.end
    return (page.now.date() if end is None else min(end, page.now.date())).isoformat()


def _draw(label: str, value: str, title: str) -> str:
    left, right = (_text_px(text) + 2 * _PADDING for text in (label, value))
    baseline = _HEIGHT / 2 + _FONT_PX * 0.35

    def text(content: str, x: float, width: float) -> str:
        return f'<text x="{x}" y="{baseline}" textLength="{width - 2 * _PADDING:.1f}">{escape(content)}</text>'

    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right:.1f}" height="{_HEIGHT}" role="img" '
        f'aria-label="{escape(title)}: {escape(value)}"><title>{escape(title)}: {escape(value)}</title>'
        f'<clipPath id="r"><rect width="{left + right:.1f}" height="{_HEIGHT}" rx="4"/></clipPath>'
        f'<g clip-path="url(#r)"><rect width="{left:.1f}" height="{_HEIGHT}" fill="#2c3431"/>'
        f'<rect x="{left:.1f}" width="{right:.1f}" height="{_HEIGHT}" fill="#0b5d57"/></g>'
        f'<g fill="#ffffff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="{_FONT_PX}">'
        f"{text(label, _PADDING, left)}{text(value, left + _PADDING, right)}</g></svg>\n"
    )


def _text_px(text: str) -> float:
    return sum(map(_character_px, text))


def _character_px(character: str) -> float:
    if unicodedata.east_asian_width(character) in "WF":
        return _WIDE_PX
    return _NARROW_PX if character in _NARROW else _USUAL_PX
