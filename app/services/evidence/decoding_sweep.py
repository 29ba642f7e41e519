"""Models of a board under protocols that differ only in their sampling: the results of a decoding sweep."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from app.db.kernel.session import Session
from app.domain.asking.decoding_sweeps import MAX_COMBINATIONS, axis_value, sweep_members, swept_axes
from app.domain.asking.protocols import Protocol
from app.domain.boards.board import BoardQuery, BoardRow
from app.domain.boards.ranking import rank_board
from app.domain.cube.facts import RunFact
from app.services.boards import board_views
from app.services.boards.cubes import CubeStore


@dataclass(frozen=True, slots=True)
class SweptModel:
    """A model in one configuration, and its row under each protocol of the sweep, by slug."""

    fact: RunFact
    rows: Mapping[str, BoardRow]


@dataclass(frozen=True, slots=True)
class DecodingSweep:
    """Protocols in the order of the values by which they differ, the names of these values, and the models, best first;
    `left_out` counts protocols over the limit."""

    query: BoardQuery
    axes: tuple[str, ...]
    protocols: tuple[Protocol, ...]
    models: tuple[SweptModel, ...]
    left_out: int

    def values(self, protocol: Protocol) -> tuple[float | None, ...]:
        """Return a protocol's value on each axis."""
        return tuple(axis_value(protocol, axis) for axis in self.axes)


def decoding_sweep(session: Session, query: BoardQuery, cubes: CubeStore) -> DecodingSweep:
    """Return the sweep around the query's protocol, over its window and with its filters.

    Raises InvalidInput if the protocol is not on the board.
    """
    base = board_views.load_protocol(session, query, cubes).protocol.protocol
    on_board = [fact.protocol for fact in board_views.protocols(session)[query.board]]
    members = sweep_members(base, on_board if base in on_board else [*on_board, base])
    protocols = members[:MAX_COMBINATIONS]
    by_name: dict[tuple[str, str], dict[str, BoardRow]] = {}
    for protocol in protocols:
        protocol_query = replace(query, protocol=protocol.slug)
        loaded = board_views.load_protocol(session, protocol_query, cubes)
        with cubes.ranking_slot():
            board = rank_board(loaded.cube, loaded.lineup, protocol_query, wanted=loaded.wanted, samples=loaded.samples)
        for row in board.rows:
            by_name.setdefault((row.model, row.configuration), {})[protocol.slug] = row
    models = [SweptModel(next(iter(rows.values())).fact, rows) for rows in by_name.values()]
    models.sort(key=lambda model: -max((row.score or 0.0) for row in model.rows.values()))
    return DecodingSweep(
        query, tuple(swept_axes(protocols)), tuple(protocols), tuple(models), len(members) - len(protocols)
    )


def as_json(sweep: DecodingSweep) -> dict[str, Any]:
    """Return the API's JSON: scores from 0 to 100."""
    return {
        "board": sweep.query.board,
        "protocol": sweep.query.protocol,
        "axes": list(sweep.axes),
        "left_out": sweep.left_out,
        "protocols": [
            {
                "protocol": protocol.slug,
                "values": dict(zip(sweep.axes, sweep.values(protocol), strict=True)),
                "rows": [
                    {
                        "model": model.fact.model,
                        "configuration": model.fact.configuration,
                        "score": row.score,
                        "ci_lo": row.ci_lo,
                        "ci_hi": row.ci_hi,
                        "n_problems": row.n_problems,
                        "coverage": row.coverage,
                    }
                    for model in sweep.models
                    if (row := model.rows.get(protocol.slug)) is not None
                ],
            }
            for protocol in sweep.protocols
        ],
    }
