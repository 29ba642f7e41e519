"""Frozen boards: the exact bytes of a board's JSON, stored permanently under their hash."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from structlog import get_logger

from app.db.boards import snapshots as store
from app.db.kernel import blobs, logs
from app.db.kernel.session import Session
from app.db.tables import Snapshot
from app.domain.audit_reason import check_reason
from app.domain.boards.board import BoardQuery
from app.domain.boards.snapshots import (
    FrozenBy,
    board_csv,
    canonical_bytes,
    has_same_content,
    insert_digest,
    snapshot_digest,
)
from app.domain.errors import NotFound, Unavailable
from app.domain.reasons import Reason
from app.services.boards import board_views
from app.services.boards.cubes import CubeStore
from app.services.boards.query import to_params

log = get_logger(__name__)

FREEZE_INTERVAL = timedelta(days=7)
_HASH = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class FrozenBoard:
    """A snapshot without its rows; `query` holds the names and values of the board's URL."""

    id: int
    sha256: str
    board: str
    query: tuple[tuple[str, str], ...]
    revision: int
    frozen_at: datetime
    frozen_by: FrozenBy
    reason: str

    def one(self, name: str) -> str | None:
        """Return the value of a name that is given once."""
        return next((value for key, value in self.query if key == name), None)


def freeze(
    session: Session,
    query: BoardQuery,
    cubes: CubeStore,
    now: datetime,
    actor: str,
    reason: str,
    *,
    reference: str | None = None,
    by: FrozenBy = FrozenBy.OPERATOR,
) -> str:
    """Freeze a board as it is now and return its hash; the same content is the same snapshot.

    Raises InvalidInput without a reason, or when the protocol or the reference is not there.
    """
    words = check_reason(reason, public=True)
    body = _board_now(session, query, cubes, reference)
    same = _newest_alike(session, query, reference, body)
    return _store(session, query, reference, body, now, actor, words, by) if same is None else same.sha256


def freeze_for_visitor(
    session: Session, query: BoardQuery, cubes: CubeStore, now: datetime, reference: str | None = None
) -> str:
    """Freeze a board for someone who cites it, and return its hash; the same content is the same snapshot."""
    return freeze(session, query, cubes, now, "visitor", Reason("cited"), reference=reference, by=FrozenBy.VISITOR)


def find_alike(
    session: Session, query: BoardQuery, cubes: CubeStore, reference: str | None = None
) -> FrozenBoard | None:
    """Return the newest snapshot of this view if the board still shows the same, else None.

    Raises InvalidInput and NotFound as `freeze` does.
    """
    same = _newest_alike(session, query, reference, _board_now(session, query, cubes, reference))
    return None if same is None else _frozen(same)


def _newest_alike(
    session: Session, query: BoardQuery, reference: str | None, body: Mapping[str, Any]
) -> Snapshot | None:
    last = store.newest(session, query.board, _query_values(query, reference))
    return last if last is not None and _shows_same(session, last, body) else None


def freeze_due(session: Session, cubes: CubeStore, now: datetime) -> list[str]:
    """Freeze the default view of every protocol, at most weekly, if it shows something else than the last time."""
    hashes = []
    for name, protocols in board_views.protocols(session).items():
        for protocol in protocols:
            query = BoardQuery(board=name, protocol=protocol.slug)
            try:
                with session.begin_nested():
                    frozen = _freeze_if_due(session, query, cubes, now)
            except Exception:  # any fault: the other boards are still frozen
                log.exception("board.not_frozen", board=name, protocol=protocol.slug)
                continue
            hashes += [frozen] if frozen else []
    return hashes


def _freeze_if_due(session: Session, query: BoardQuery, cubes: CubeStore, now: datetime) -> str | None:
    last = store.newest(session, query.board, _query_values(query, None))
    if last is not None and now - last.created_at < FREEZE_INTERVAL:
        return None
    body = _board_now(session, query, cubes)
    if not body["rows"] or (last is not None and _shows_same(session, last, body)):
        return None
    return _store(session, query, None, body, now, "clock", Reason("week"), FrozenBy.CLOCK)


def _board_now(session: Session, query: BoardQuery, cubes: CubeStore, reference: str | None = None) -> dict[str, Any]:
    """Return a board at one revision; usage may not lag in a permanent copy."""
    return board_views.board_json(board_views.board(session, query, cubes, reference, may_lag=False))


def _shows_same(session: Session, snapshot: Snapshot, body: Mapping[str, Any]) -> bool:
    """Return True if a snapshot has the same content as a board; a damaged copy has none."""
    try:
        return has_same_content(_parse(_bytes(session, snapshot.sha256)), body)
    except Unavailable:
        return False


def _store(
    session: Session, query: BoardQuery, reference: str | None, body: Mapping[str, Any], now: datetime, actor: str,
    reason: str, by: FrozenBy,
) -> str:  # fmt: skip
    frozen = canonical_bytes(body)
    sha256, csv_sha256 = blobs.put_all(session, [frozen, board_csv(body).encode()])
    values = {
        "sha256": sha256,
        "csv_sha256": csv_sha256,
        "board": query.board,
        "query": _query_values(query, reference),
        "revision": body["revision"],
        "frozen_by": by,
        "reason": reason,
        "created_at": now,
    }
    if store.add(session, values):
        facts = {"board": query.board, "protocol": query.protocol, "revision": body["revision"]}
        logs.write_audit(session, now, actor, "snapshot.freeze", sha256, reason, after=facts)
        logs.write_ledger(session, now, "snapshot.frozen", sha256, reason, after=facts)
    return sha256


def _query_values(query: BoardQuery, reference: str | None) -> dict[str, list[str]]:
    """Return the URL of a view by name, always with the protocol: the board's default may change."""
    values: dict[str, list[str]] = {"protocol": [query.protocol]}
    for name, value in to_params(query, reference):
        if name != "protocol":
            values.setdefault(name, []).append(value)
    return values


def find(session: Session, sha256: str) -> FrozenBoard:
    """Return when, by whom and why a board was frozen. Raises NotFound."""
    return _frozen(_row(session, sha256))


def list_frozen(session: Session, before: int | None, limit: int) -> list[FrozenBoard]:
    """Return snapshots, newest first, older than the one with the number `before`."""
    return [_frozen(row) for row in store.page(session, before, limit)]


def frozen_json(session: Session, sha256: str) -> bytes:
    """Return the frozen bytes with their hash as `snapshot`. Raises NotFound, and Unavailable when they are damaged."""
    return insert_digest(_bytes(session, _row(session, sha256).sha256), sha256)


def frozen_csv(session: Session, sha256: str) -> bytes:
    """Return the rows as they were written as CSV when the board was frozen. Raises NotFound and Unavailable."""
    return _bytes(session, _row(session, sha256).csv_sha256)


def frozen_body(session: Session, sha256: str) -> dict[str, Any]:
    """Return the frozen JSON as it is served. Raises NotFound and Unavailable."""
    return _parse(frozen_json(session, sha256))


def _row(session: Session, sha256: str) -> Snapshot:
    row = store.find(session, sha256) if _HASH.fullmatch(sha256) else None
    if row is None:
        raise NotFound("there is no such snapshot")
    return row


def _bytes(session: Session, sha256: str) -> bytes:
    body = blobs.get(session, sha256)
    if snapshot_digest(body) != sha256:
        raise Unavailable("the stored copy of this snapshot is damaged, so it is not shown")
    return body


def _parse(frozen: bytes) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(frozen)
    return read


def _frozen(row: Snapshot) -> FrozenBoard:
    pairs = tuple((name, value) for name, values in row.query.items() for value in values)
    return FrozenBoard(
        row.id, row.sha256, row.board, pairs, row.revision, row.created_at, FrozenBy(row.frozen_by), row.reason
    )
