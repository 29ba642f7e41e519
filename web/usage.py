"""What answers took, as columns a reader may ask a board for: never a rank, and a dash where it is not known."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from app.domain.boards.board import BoardRow
from app.domain.errors import InvalidInput
from app.domain.judging.speed import MIN_PROBLEMS
from web.context import Page

NAME: Final = "columns"
_USAGE: Final = "usage"
_NOTHING: Final = "—"
_SMALLEST: Final = 0.0001


@dataclass(frozen=True, slots=True)
class UsageCells:
    """One row's columns as text; the `long` ones say what stands behind them."""

    tokens: str
    tokens_long: str
    seconds: str
    lag: str
    cost: str
    speed: str
    speed_long: str


def asked(params: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """The pair that asks for these columns, if it is there. Raises InvalidInput for other columns."""
    values = {value for name, value in params if name == NAME and value}
    if values - {_USAGE}:
        raise InvalidInput(f"{NAME} must be {_USAGE}", pointer=f"/{NAME}")
    return [(NAME, _USAGE)] if values else []


def toggled(pairs: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The pairs of the link that shows the columns, or hides them."""
    return [] if pairs else [(NAME, _USAGE)]


def usage_cells(page: Page, row: BoardRow) -> UsageCells:
    """The columns of one row."""
    usage, tokens = row.usage, row.usage.tokens
    kinds = {"input": tokens.input, "cached": tokens.cached, "reasoning": tokens.reasoning, "answer": tokens.answer}
    ratio, problems = usage.speed
    return UsageCells(
        tokens=_NOTHING if tokens.answer is None else _whole(tokens.answer + (tokens.reasoning or 0.0)),
        tokens_long=page.t("usage.tokens.long", **{kind: _whole(spent) for kind, spent in kinds.items()}),
        seconds=_NOTHING if usage.seconds_per_problem is None else f"{usage.seconds_per_problem:,.1f}",
        lag=_NOTHING if usage.lag_days is None else f"{usage.lag_days:,.1f}",
        cost=_money(row.cost_per_solve),
        speed=_NOTHING if ratio is None else f"×{ratio:.2f}",
        speed_long=page.t("usage.speed.few" if ratio is None else "usage.speed.over", n=problems, least=MIN_PROBLEMS),
    )


def _whole(value: float | None) -> str:
    return _NOTHING if value is None else f"{value:,.0f}"


def _money(value: float | None) -> str:
    if value is None:
        return _NOTHING
    if value >= 1:
        return f"${value:,.2f}"
    # Rounding may not make what costs something free.
    return f"<${_SMALLEST}" if 0 < value < _SMALLEST else f"${value:.4f}"
