"""Time of a vendor's list of submissions, beside a query for the bare rows of the same page."""

import time
from collections.abc import Callable, Sequence
from typing import Final

from fastapi.encoders import jsonable_encoder

from app.db.kernel.session import Session, SessionMaker
from app.db.runs.runs import add_protocols
from app.db.vendors import bulk_orders
from app.db.vendors.order_lists import OrderFilter
from app.domain.asking.protocols import FRESH
from app.services.vendors.orders import order_views
from perf.database import fresh_database
from perf.figures import PerfFigure, figure_within

_PAGE, _READS = 50, 60
_BUDGET_MS: Final = 100.0


def measure() -> list[PerfFigure]:
    """Return the time of a page of a list of a thousand submissions."""
    with fresh_database() as sessions:
        with sessions.begin() as session:
            add_protocols(session, (FRESH,))
            bulk_orders.fill(session)
        cursors = _cursors(sessions)
        listed = _times(sessions, cursors, _read_page)
        bare = _times(sessions, cursors, _read_rows)
    return [figure_within("vendors.list_of_1000.p95_ms", _p95(listed), "ms", _BUDGET_MS, _p95(bare))]


def _cursors(sessions: SessionMaker) -> list[str | None]:
    """Return the cursors of the first pages."""
    cursors: list[str | None] = [None]
    with sessions() as session:
        for _ in range(bulk_orders.ORDERS // _PAGE - 1):
            cursors.append(order_views.list_orders(session, 1, OrderFilter(), cursors[-1], _PAGE).next_cursor)
    return cursors


def _times(
    sessions: SessionMaker, cursors: Sequence[str | None], read: Callable[[Session, str | None], object]
) -> list[float]:
    times = []
    for number in range(_READS):
        with sessions() as session:
            began = time.perf_counter()
            read(session, cursors[number % len(cursors)])
            times.append(1000 * (time.perf_counter() - began))
    return times


def _read_page(session: Session, cursor: str | None) -> object:
    return jsonable_encoder(order_views.list_orders(session, 1, OrderFilter(), cursor, _PAGE))


def _read_rows(session: Session, _cursor: str | None) -> object:
    return bulk_orders.read_rows(session, _PAGE)


def _p95(times: Sequence[float]) -> float:
    return sorted(times)[int(0.95 * len(times))]
