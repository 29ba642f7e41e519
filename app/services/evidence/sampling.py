"""A board's models under protocols that differ only in how they sample: the results of a decoding sweep."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from app.db.kernel.session import Session
from app.domain.asking.protocols import Protocol
from app.domain.asking.sweeps import MOST, alike, axes_of, value_of
from app.domain.boards.board import BoardQuery, BoardRow
from app.domain.boards.ranking import rank_board
from app.domain.cube.facts import RunFact
from app.services.boards import reading
from app.services.boards.cubes import CubeStore


@dataclass(frozen=True, slots=True)
class Sampled:
    """A model in one configuration, and its row under each protocol that it was asked under, by slug."""

    fact: RunFact
    rows: Mapping[str, BoardRow]


@dataclass(frozen=True, slots=True)
class Sampling:
    """Protocols in the order of the values by which they differ, the names of these, and the models, the best first;
    `left_out` counts protocols that are too many."""

    query: BoardQuery
    axes: tuple[str, ...]
    protocols: tuple[Protocol, ...]
    models: tuple[Sampled, ...]
    left_out: int

    def values(self, protocol: Protocol) -> tuple[float | None, ...]:
        """What a protocol has on each axis."""
        return tuple(value_of(protocol, axis) for axis in self.axes)


def sampling(session: Session, query: BoardQuery, cubes: CubeStore) -> Sampling:
    """Those beside the query's protocol, over its window and with its filters. Raises InvalidInput where that is not
    on the board."""
    base = reading.load(session, query, cubes).protocol.protocol
    known = [fact.protocol for fact in reading.protocols(session)[query.board]]
    every = alike(base, known if base in known else [*known, base])
    protocols = every[:MOST]
    by_name: dict[tuple[str, str], dict[str, BoardRow]] = {}
    for protocol in protocols:
        asked = replace(query, protocol=protocol.slug)
        loaded = reading.load(session, asked, cubes)
        with cubes.turn():
            board = rank_board(loaded.cube, loaded.lineup, asked, wanted=loaded.wanted, samples=loaded.samples)
        for row in board.rows:
            by_name.setdefault((row.model, row.configuration), {})[protocol.slug] = row
    models = [Sampled(next(iter(rows.values())).fact, rows) for rows in by_name.values()]
    models.sort(key=lambda model: -max((row.score or 0.0) for row in model.rows.values()))
    return Sampling(query, tuple(axes_of(protocols)), tuple(protocols), tuple(models), len(every) - len(protocols))


def as_json(found: Sampling) -> dict[str, Any]:
    """As the API gives it: scores from 0 to 100."""
    return {
        "board": found.query.board,
        "protocol": found.query.protocol,
        "axes": list(found.axes),
        "left_out": found.left_out,
        "protocols": [
            {
                "protocol": protocol.slug,
                "values": dict(zip(found.axes, found.values(protocol), strict=True)),
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
                    for model in found.models
                    if (row := model.rows.get(protocol.slug)) is not None
                ],
            }
            for protocol in found.protocols
        ],
    }
