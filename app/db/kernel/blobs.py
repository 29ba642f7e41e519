"""Raw bytes by content: stored once, compressed, read back exactly."""

import hashlib
import zlib
from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from app.db.kernel.session import Session
from app.db.tables import Blob
from app.domain.errors import NothingThere, Unavailable


def put(session: Session, body: bytes) -> str:
    """Keep `body`; returns its SHA-256. Bytes already kept are not written again."""
    [digest] = put_all(session, [body])
    return digest


def put_all(session: Session, bodies: Sequence[bytes]) -> list[str]:
    """Keep many bodies in one statement; returns their digests in order."""
    digests = [hashlib.sha256(body).hexdigest() for body in bodies]
    # In the order of their digests, so that two transactions with the same bodies wait in turn.
    rows = [
        {"sha256": digest, "size": len(body), "body": zlib.compress(body)}
        for digest, body in sorted(dict(zip(digests, bodies, strict=True)).items())
    ]
    if rows:
        session.connection().execute(insert(Blob).on_conflict_do_nothing(), rows)
    return digests


def get(session: Session, sha256: str) -> bytes:
    """The bytes of a digest. Raises NothingThere, and Unavailable where what is stored can no longer be read."""
    packed = session.scalar(select(Blob.body).where(Blob.sha256 == sha256))
    if packed is None:
        raise NothingThere(f"no blob {sha256}")
    try:
        return zlib.decompress(packed)
    except zlib.error as damaged:
        raise Unavailable(f"what is stored as blob {sha256} is damaged") from damaged
