"""How many answers to each item a board wants of a run: what its protocol asks for, of files what any of them has."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
from support.board_worlds import problem, run

from app.db.boards.cells import ProtocolFact
from app.domain.asking.protocols import HOUSE
from app.domain.boards.lineup import Lineup
from app.domain.cube.cube import Cube
from app.domain.cube.facts import Cell, StartedBy
from app.services.boards.cubes import LoadedProtocol

OWN, FILE = StartedBy.MAINTAINERS, StartedBy.FILE


@pytest.mark.parametrize(
    ("asked", "runs", "wanted"),
    [
        (1, {1: (OWN, False, 3)}, {}),
        (2, {1: (OWN, False, 3)}, {1: 2}),
        (1, {1: (FILE, False, 4), 2: (FILE, False, 2), 3: (OWN, False, 9)}, {1: 4, 2: 4}),
        (5, {1: (FILE, False, 4), 2: (FILE, True, 2)}, {1: 5, 2: 5}),
        (1, {1: (FILE, True, 100), 2: (FILE, False, 2), 3: (FILE, False, 1)}, {1: 100, 2: 2, 3: 2}),
        (1, {1: (FILE, True, 100), 2: (OWN, False, 1)}, {1: 100}),
    ],
)
def test_files_are_measured_by_one_another_and_rates_by_themselves(
    asked: int, runs: Mapping[int, tuple[StartedBy, bool, int]], wanted: Mapping[int, int]
) -> None:
    """`runs` says who began each, whether its file has rates alone, and how many answers it has."""
    facts = [replace(run(number), started_by=by, n_inferred=rates) for number, (by, rates, _answers) in runs.items()]
    cells = [Cell(number, 1, answers, 0) for number, (_by, _rates, answers) in runs.items()]
    protocol = replace(HOUSE, sampling=replace(HOUSE.sampling, n=asked))
    loaded = LoadedProtocol(
        protocol=ProtocolFact(1, protocol.slug, protocol.title, protocol),
        axes_revision=0,
        lineup=Lineup.of(facts),
        wanted={},
        unpublished={},
        retired=(),
        absent={},
        cube=Cube.build([problem(1)], facts, cells, 1),
    )
    assert loaded.samples == wanted
