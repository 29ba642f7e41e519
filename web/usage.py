"""Usage columns that a reader may add to a board: never ranked by, and a dash if not known."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from app.domain.boards.board import BoardRow
from app.domain.errors import InvalidInput
from app.domain.judging.speed import MIN_PROBLEMS
from web.context import PageRequest

COLUMNS_PARAM: Final = "columns"
_USAGE: Final = "usage"
_DASH: Final = "—"
_MIN_SHOWN_USD: Final = 0.0001


@dataclass(frozen=True, slots=True)
class UsageCells:
    """One row's columns as text; the `long` ones tell what stands behind them."""

    tokens: str
    tokens_long: str
    seconds: str
    lag: str
    cost: str
    speed: str
    speed_long: str


def usage_params(params: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the pair that asks for these columns, if present. Raises InvalidInput for other columns."""
    values = {value for name, value in params if name == COLUMNS_PARAM and value}
    if values - {_USAGE}:
        raise InvalidInput(f"{COLUMNS_PARAM} must be {_USAGE}", pointer=f"/{COLUMNS_PARAM}")
    return [(COLUMNS_PARAM, _USAGE)] if values else []


def toggle_usage(pairs: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the parameters of the link that shows the columns, or hides them."""
    return [] if pairs else [(COLUMNS_PARAM, _USAGE)]


def usage_cells(page: PageRequest, row: BoardRow) -> UsageCells:
    """Return the usage columns of one row."""
    usage, tokens = row.usage, row.usage.tokens
    kinds = {"input": tokens.input, "cached": tokens.cached, "reasoning": tokens.reasoning, "answer": tokens.answer}
    ratio, problems = usage.speed
    return UsageCells(
        tokens=_DASH if tokens.answer is None else _format_whole(tokens.answer + (tokens.reasoning or 0.0)),
        tokens_long=page.t("usage.tokens.long", **{kind: _format_whole(spent) for kind, spent in kinds.items()}),
        seconds=_DASH if usage.seconds_per_problem is None else f"{usage.seconds_per_problem:,.1f}",
        lag=_DASH if usage.lag_days is None else f"{usage.lag_days:,.1f}",
        cost=_format_usd(row.cost_per_solve),
        speed=_DASH if ratio is None else f"×{ratio:.2f}",
        speed_long=page.t("usage.speed.few" if ratio is None else "usage.speed.over", n=problems, least=MIN_PROBLEMS),
    )


def _format_whole(value: float | None) -> str:
    return _DASH if value is None else f"{value:,.0f}"


def _format_usd(value: float | None) -> str:
    if value is None:
        return _DASH
    if value >= 1:
        return f"${value:,.2f}"
    # Rounding must not show a cost as zero.
    return f"<${_MIN_SHOWN_USD}" if 0 < value < _MIN_SHOWN_USD else f"${value:.4f}"
