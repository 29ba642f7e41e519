"""Raw bytes by content: stored once, compressed, read back exactly."""

import hashlib
import zlib
from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from app.db.kernel.session import Session
from app.db.tables import Blob
from app.domain.errors import NoObjects, Unavailable


def store_blob(session: Session, body: bytes) -> str:
    """Store `body` unless it is already stored, and return its SHA-256."""
    [digest] = put_all(session, [body])
    return digest


def put_all(session: Session, bodies: Sequence[bytes]) -> list[str]:
    """Store many bodies in one statement and return their digests in order."""
    digests = [hashlib.sha256(body).hexdigest() for body in bodies]
    # In the order of digests, so that two transactions with the same bodies do not deadlock.
    rows = [
        {"sha256": digest, "size": len(body), "body": zlib.compress(body)}
        for digest, body in sorted(dict(zip(digests, bodies, strict=True)).items())
    ]
    if rows:
        session.connection().execute(insert(Blob).on_conflict_do_nothing(), rows)
    return digests


def get(session: Session, sha256: str) -> bytes:
    """Return the bytes of a digest. Raises NoObjects for an unknown digest and Unavailable for damaged bytes."""
    packed = session.scalar(select(Blob.body).where(Blob.sha256 == sha256))
    if packed is None:
        raise NoObjects(f"no blob {sha256}")
    try:
        return zlib.decompress(packed)
    except zlib.error as damaged:
        raise Unavailable(f"what is stored as blob {sha256} is damaged") from damaged
