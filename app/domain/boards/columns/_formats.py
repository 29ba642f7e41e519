"""Numbers as the page and the terminal write them; each format takes a known value."""

from typing import Final

_MIN_SHOWN_USD: Final = 0.0001


def points(value: float) -> str:
    """Return percent or points with one decimal."""
    return f"{value:.1f}"


def decimal(value: float) -> str:
    """Return a number with one decimal and separated thousands."""
    return f"{value:,.1f}"


def whole(value: float) -> str:
    """Return a number without decimals and with separated thousands."""
    return f"{value:,.0f}"


def percent(share: float) -> str:
    """Return a share in 0..1 in whole percent; 100% only if nothing is missing."""
    return "99%" if share < 1 and round(100 * share) == 100 else f"{100 * share:.0f}%"


def ratio(value: float) -> str:
    """Return a factor."""
    return f"×{value:.2f}"


def usd(value: float) -> str:
    """Return US dollars; a cost is never rounded to zero."""
    if value >= 1:
        return f"${value:,.2f}"
    return f"<${_MIN_SHOWN_USD}" if 0 < value < _MIN_SHOWN_USD else f"${value:.4f}"
