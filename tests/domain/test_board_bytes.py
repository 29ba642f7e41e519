"""What a permanent link gives stays, byte for byte: the order of the JSON's names, the spelling of its values, the
reasons, the seed of the bootstrap. Only the last digits of floats are the machine's own, so they are rounded here."""

import json
from dataclasses import replace
from datetime import timedelta
from hashlib import sha256
from typing import Any
from urllib.parse import parse_qsl, urlencode

import pytest
from support.board_worlds import FIRST, World, problem, run

from app.domain.boards.facets import facets
from app.domain.boards.lineup import Lineup
from app.domain.boards.ranking import rank_board
from app.domain.boards.snapshots import canonical_bytes, snapshot_digest
from app.domain.cube.cube import Cube
from app.domain.cube.facts import Cell
from app.domain.problems import Level
from app.services.boards.json_shape import board_json
from app.services.boards.query import parse_query, parse_reference, to_params

ALL = (
    "from=2024-01-03&to=2024-06-20&platform=codeforces&platform=atcoder&difficulty=hard&difficulty=easy"
    "&language=python&language=cpp&model=orion&model=lyra&model=vega&cutoff_before=2024-02-01"
)
# link -> SHA-256 of the JSON as the API spells it, and of the frozen bytes
FROZEN = {
    "": ("00c8fff08dc7c9d3", "b03845b586d4ad31"),
    ALL: ("8104748d7e376eaa", "cdc8952dd3dccd72"),
    f"{ALL}&exposure=split&ref=orion": ("ac55ae048fd25e1e", "167b211a61453829"),
    f"{ALL}&exposure=hide&rules=lcb&ref=lyra%3Ahigh": ("462fca31e8a21a85", "f10c0931954c204d"),
    f"{ALL}&exposure=split&rules=lcb&ref=orion": ("683dcd918f4c026e", "d13254c24f2ddd48"),
    "platform=leetcode": ("4506e41b5dfd979d", "e85747b31a09e308"),
    "difficulty=expert&language=cpp": ("13a77e43a41683d3", "156128d8231d45fd"),
    "from=2024-01-20&model=mira&exposure=hide": ("53a2a23edcfeb33c", "5a297cce60d3c7cc"),
    "language=python&model=orion&cutoff_before=2023-12-25": ("ea7a7ed96ebe98da", "5113175a8605ecba"),
}  # fmt: skip


def a_world() -> World:
    """Four hundred problems in two hundred contests on three platforms; seven runs of five models in two languages."""
    levels = (*Level, None)
    problems = [
        problem(n, day=n // 2, platform=("atcoder", "codeforces", "leetcode")[n // 2 % 3], level=levels[n * n % 6])
        for n in range(400)
    ]
    named = ("orion", "lyra", "vega", "draco", "orion", "mira", "lyra")
    runs = [
        run(n, model=name, configuration=("", "high")[n % 2], trial=n, cutoff=FIRST + timedelta(days=9 * n - 20))
        for n, name in enumerate(named, 1)
    ]
    runs[2] = replace(runs[2], language="cpp")
    cells = [
        Cell(each.id, one.id, 4, (one.id * one.id + each.id * (3 + one.id % 5)) % 5)
        for each in runs
        for one in problems
        if (one.id + each.id) % 41
    ]
    return World(problems, runs, cells, ("made",))


def shown(link: str) -> dict[str, Any]:
    """The JSON of a link's board, floats rounded."""
    world, pairs = a_world(), parse_qsl(link)
    query, reference = parse_query(pairs), parse_reference(pairs)
    assert urlencode(to_params(query, reference)) == link
    cube, lineup = Cube.build(world.problems, world.runs, world.cells, revision=7), Lineup.of(world.runs)
    found = rank_board(cube, lineup, query, reference=reference, replicates=50)
    body = board_json(replace(found, facets=facets(cube, lineup, {}, found)))
    rounded: dict[str, Any] = json.loads(json.dumps(body), parse_float=lambda text: round(float(text), 8))
    return rounded


@pytest.mark.parametrize("link", FROZEN)
def test_a_link_gives_the_same_bytes_for_ever(link: str) -> None:
    body = shown(link)
    served = json.dumps(body, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    assert (sha256(served).hexdigest()[:16], snapshot_digest(canonical_bytes(body))[:16]) == FROZEN[link]


def test_a_board_says_every_filter_it_was_made_with() -> None:
    body = shown(f"{ALL}&exposure=split&rules=lcb&ref=orion")
    assert json.dumps(body["filters"]) == (
        '{"platform": ["codeforces", "atcoder"], "difficulty": ["hard", "easy"], "tests": [], '
        '"language": ["python", "cpp"], "model": ["orion", "lyra", "vega"], "started_by": [], "weights": [], '
        '"cutoff_before": "2024-02-01", "exposure": "split", "prospective": "any", "rules": "lcb"}'
    )
    assert list(body["facets"]) == ["platform", "difficulty", "tests", "language", "model", "started_by", "weights"]
