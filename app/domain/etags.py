"""Tags of answers that may be changed: a change names the answer that it was made from."""

import hashlib

from app.domain.errors import PreconditionFailed, PreconditionMissing


def etag_of(answer: object) -> str:
    """Return the strong tag of an answer: equal answers have equal tags."""
    return f'"{hashlib.sha256(repr(answer).encode()).hexdigest()[:32]}"'


def check_etag(if_match: str | None, present: str) -> None:
    """Raise PreconditionMissing without an If-Match header, and PreconditionFailed if it names another answer."""
    if if_match is None:
        raise PreconditionMissing("send If-Match with the ETag of the answer that you change, as GET gives it")
    if not {tag.strip() for tag in if_match.split(",")} & {present, "*"}:
        raise PreconditionFailed("it was changed meanwhile: read it again, and send the new ETag")
