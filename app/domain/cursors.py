"""Opaque cursors of lists: where the next page begins, in a form that says nothing of rows."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Final

from app.domain.errors import InvalidInput

MAX_CURSOR_CHARS: Final = 100
_LARGEST_ID: Final = 2**63 - 1  # PostgreSQL's bigint; no larger id exists


def write_cursor(kind: str, row: int) -> str:
    """Return the cursor of the page after a row in the list of a kind."""
    return urlsafe_b64encode(f"{kind}:{row}".encode()).decode().rstrip("=")


def read_cursor(kind: str, cursor: str) -> int:
    """Return the row of a cursor. Raises InvalidInput for a cursor of another list, or for other text.

    A plain number is read as a row: earlier versions gave such cursors.
    """
    row = int(cursor) if cursor.isascii() and cursor.isdigit() else _decode(kind, cursor)
    if row is None or not 0 < row <= _LARGEST_ID:
        raise InvalidInput(f"{cursor!r} is no cursor of this list: give its next_cursor", pointer="/cursor")
    return row


def _decode(kind: str, cursor: str) -> int | None:
    try:
        text = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode("ascii")
    except ValueError:
        return None
    name, _colon, row = text.partition(":")
    return int(row) if name == kind and row.isascii() and row.isdigit() else None
