"""The check of the reason that a maintainer gives for a change; it is kept in the audit log. Pure."""

from typing import Final

from app.domain.errors import InvalidInput
from app.domain.reasons import Reason

MAX_REASON_CHARS: Final = 500


def check_reason(reason: str, *, public: bool = False) -> str:
    """Return the reason of a write, stripped; one of our own rules stays a `Reason`.

    Raises InvalidInput for an empty one, one that is too long, or characters that cannot be printed.
    """
    if not reason.strip() or len(reason) > MAX_REASON_CHARS or not reason.isprintable():
        use = "public" if public else "kept"
        raise InvalidInput(f"give a reason of at most {MAX_REASON_CHARS} characters; it is {use}", pointer="/reason")
    return reason if isinstance(reason, Reason) else reason.strip()
