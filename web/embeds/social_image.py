"""`/social/BOARD.png`: the picture that chat programs and networks show beside a link to a board."""

import io
from dataclasses import replace
from functools import cache
from typing import Final

from PIL import Image, ImageDraw, ImageFont
from starlette.responses import Response

from app.domain.boards.board import Board, BoardQuery, BoardRow
from app.services.boards import board_views
from app.services.runs.result_views import check_name
from web.assets import STATIC
from web.context import PageRequest
from web.embeds.headers import EMBED_HEADERS
from web.i18n import ENGLISH

# The size that networks ask for, and what is drawn on it, in pixels.
_WIDTH, _HEIGHT, _MARGIN = 1200, 630, 64
_ROWS, _ROW_TOP, _ROW_HEIGHT = 6, 220, 58
_BAR_LEFT, _BAR_RIGHT = 520, 1010
_PAPER, _INK, _MUTED, _SEA, _SEA_WEAK = "#fbfaf7", "#1b1a17", "#5d5a52", "#0b5d57", "#d9e8e4"
_FONT_FILE: Final = STATIC / "vendor" / "fonts" / "source-sans-3.woff2"
_COLOURS: Final = 32


def social_image(page: PageRequest) -> Response:
    """Return the first ranked rows of a board as a PNG of 1200 by 630 pixels, in English: the font has no Chinese.

    Raises NotFound for an unknown board.
    """
    name = check_name(page.request.path_params["board"])
    query = board_views.parse_query((), name)
    with page.state.sessions() as session:
        shown = board_views.board(session, query, page.state.cubes)
    headers = {**EMBED_HEADERS, "Cache-Control": "public, max-age=3600"}
    return Response(_draw(replace(page, locale=ENGLISH), query, shown), media_type="image/png", headers=headers)


def _draw(page: PageRequest, query: BoardQuery, shown: Board) -> bytes:
    image = Image.new("RGB", (_WIDTH, _HEIGHT), _PAPER)
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, _WIDTH, 14), fill=_SEA)
    title = page.board_title(query.board)
    draw.text((_MARGIN, 54), "Tidemark", font=_font(34, 600), fill=_SEA)
    draw.text((_MARGIN, 96), title, font=_font(60, 700), fill=_INK)
    about = page.t("board.problems", n=shown.problems) + f" · {page.now.date().isoformat()}"
    if any(row.fact.demo for row in shown.rows):
        about += f" · {page.t('tag.demo')}"
    draw.text((_MARGIN, 166), about, font=_font(30, 400), fill=_MUTED)
    ranked = [row for row in shown.rows if row.rank is not None][:_ROWS]
    for place, row in enumerate(ranked):
        _draw_row(draw, row, _ROW_TOP + place * _ROW_HEIGHT)
    if not ranked:
        draw.text((_MARGIN, _ROW_TOP), page.t("embed.empty"), font=_font(34, 400), fill=_INK)
    file = io.BytesIO()
    image.quantize(_COLOURS).save(file, "PNG", optimize=True)
    return file.getvalue()


def _draw_row(draw: ImageDraw.ImageDraw, row: BoardRow, top: int) -> None:
    """Draw a row: rank, name, bar of the score with its interval, score."""
    middle = top + _ROW_HEIGHT // 2
    assert row.score is not None  # a row with a rank has a score
    draw.text((_MARGIN, middle), str(row.rank), font=_font(30, 600), fill=_MUTED, anchor="lm")
    name = f"{row.fact.name} ({row.configuration})" if row.configuration else row.fact.name
    draw.text((_MARGIN + 56, middle), _shorten(draw, name), font=_font(32, 600), fill=_INK, anchor="lm")
    draw.rectangle((_BAR_LEFT, middle - 12, _BAR_RIGHT, middle + 12), fill=_SEA_WEAK)
    draw.rectangle((_BAR_LEFT, middle - 12, _bar_x(row.score), middle + 12), fill=_SEA)
    if row.ci_lo is not None and row.ci_hi is not None:
        draw.line((_bar_x(row.ci_lo), middle, _bar_x(row.ci_hi), middle), fill=_INK, width=4)
    draw.text((_WIDTH - _MARGIN, middle), f"{row.score:.1f}", font=_font(34, 700), fill=_INK, anchor="rm")


def _bar_x(score: float) -> float:
    return _BAR_LEFT + (_BAR_RIGHT - _BAR_LEFT) * score / 100


def _shorten(draw: ImageDraw.ImageDraw, name: str) -> str:
    """Return the name, cut with an ellipsis where it would reach into the bar."""
    room = _BAR_LEFT - _MARGIN - 56 - 20
    if draw.textlength(name, font=_font(32, 600)) <= room:
        return name
    while name and draw.textlength(name + "…", font=_font(32, 600)) > room:
        name = name[:-1]
    return name + "…"


@cache
def _font(size: int, weight: int) -> ImageFont.FreeTypeFont:
    font = ImageFont.truetype(_FONT_FILE, size)
    font.set_variation_by_axes([weight])
    return font
