"""Practice orders: an organisation tries its endpoints and its pipeline, and nothing of it counts."""

from datetime import datetime, timedelta

from app.db.kernel.session import Session
from app.db.vendors import submissions as store
from app.domain.asking.protocols import BUILT_IN_PROTOCOLS
from app.domain.errors import Conflict, InvalidInput

# Practice orders of one organisation within a day: enough for every change that a pipeline tests.
MAX_DAILY_PRACTICE = 48
_DAY = timedelta(days=1)
_SLUGS = frozenset(protocol.slug for protocol in BUILT_IN_PROTOCOLS if protocol.practice)


def is_practice_protocol(slug: str) -> bool:
    """Return True if orders under a protocol are practice."""
    return slug in _SLUGS


def check_practice(
    session: Session, organisation_id: int, now: datetime, *, continuous: bool, embargo_until: datetime | None
) -> None:
    """Refuse a practice order that is continuous or embargoed (InvalidInput), or one too many (Conflict)."""
    if continuous:
        raise InvalidInput("a practice order cannot be continuous: give a window, or none", pointer="/continuous")
    if embargo_until is not None:
        raise InvalidInput("a practice order is never published, so it has no embargo", pointer="/embargo_until")
    if store.count_practice(session, organisation_id, now - _DAY) >= MAX_DAILY_PRACTICE:
        raise Conflict(
            f"you have placed {MAX_DAILY_PRACTICE} practice orders within a day: wait until the first is a day old"
        )
