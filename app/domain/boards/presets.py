"""The windows that a board's page offers by name."""

from collections.abc import Mapping
from datetime import date, timedelta
from types import MappingProxyType
from typing import Final

from app.domain.windows import FIRST_DAY, Window

# The shortest first. All dates are a preset as well: `Window()`.
PRESET_DAYS: Final[Mapping[str, int]] = MappingProxyType({"3m": 91, "6m": 183, "12m": 365})


def preset_windows(today: date, newest: date | None) -> dict[str, tuple[Window, date | None]]:
    """Return the windows by name, the shortest first and all dates last, each with the day it counts back from.

    They count back from today, which is None; if the newest problem is older than a preset is long, from that.
    """
    windows: dict[str, tuple[Window, date | None]] = {}
    for name, days in PRESET_DAYS.items():
        first = max(today - timedelta(days=days), FIRST_DAY)
        end = newest if newest is not None and newest < first else None
        start = first if end is None else max(end - timedelta(days=days), FIRST_DAY)
        windows[name] = Window(start), end
    return {**windows, "all": (Window(), None)}
