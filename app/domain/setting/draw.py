"""Whose models make a problem's tests: two vendors, drawn by the problem's name.

Where more than two vendors could, the others have no part in it: so every vendor's ranked models meet problems whose
tests their own vendor did not make. The draw is a function of names, so that anybody can repeat it.
"""

import hashlib
from collections.abc import Collection, Iterable
from datetime import timedelta

from app.domain.setting.consensus import LEAST_VENDORS

SILENCE = timedelta(hours=1)  # after so long without any answer the next vendor is asked


def drawn(
    problem: str, vendors: Iterable[str], before: Collection[str] = (), silent: Collection[str] = ()
) -> tuple[str, ...]:
    """Two of the vendors, in the order of the draw for `problem` ("source/id").

    Those drawn `before` stay while they are among the vendors. A `silent` one gives way to the next in the order, and
    stays where there is none.
    """
    order = sorted(set(vendors), key=lambda vendor: (vendor in silent, vendor not in before, _place(problem, vendor)))
    return tuple(sorted(order[:LEAST_VENDORS], key=lambda vendor: _place(problem, vendor)))


def _place(problem: str, vendor: str) -> bytes:
    return hashlib.sha256(f"{problem}\n{vendor}".encode()).digest()
