"""Draw of the two vendors whose models make a problem's tests, by the problem's name.

If there are more than two vendors, the others take no part: so every vendor's ranked models meet problems whose tests
their own vendor did not make. The draw depends on names alone, so that anybody can repeat it.
"""

import hashlib
from collections.abc import Collection, Iterable
from datetime import timedelta

from app.domain.consensus.agreement import LEAST_VENDORS

MAX_SILENCE = timedelta(hours=1)  # without an answer for this long, the next vendor is asked


def pick_vendors(
    problem: str, vendors: Iterable[str], before: Collection[str] = (), silent: Collection[str] = ()
) -> tuple[str, ...]:
    """Return two of the vendors, in the order of the draw for `problem` ("source/id").

    Vendors drawn `before` stay while they are among the vendors. A `silent` one is replaced by the next in the order,
    and stays if there is none.
    """
    order = sorted(
        set(vendors), key=lambda vendor: (vendor in silent, vendor not in before, _draw_key(problem, vendor))
    )
    return tuple(sorted(order[:LEAST_VENDORS], key=lambda vendor: _draw_key(problem, vendor)))


def _draw_key(problem: str, vendor: str) -> bytes:
    return hashlib.sha256(f"{problem}\n{vendor}".encode()).digest()
