"""What a process keeps of a protocol follows the database, whatever was read before whatever was committed."""

from pathlib import Path

from factories import World

from app.db import cells
from app.db.cells import ProtocolFact
from app.domain.protocols import HOUSE
from app.services.cubes import CubeStore


def test_a_protocol_read_before_its_first_run_was_committed_is_not_empty_for_ever(world: World, tmp_path: Path) -> None:
    store = CubeStore(tmp_path)
    world.answer(world.run("orion"), world.problem("a"))
    world.count()
    # As a request found it that asked for the protocol just before this commit, and for the revision just after.
    store.load(world.session, ProtocolFact(0, HOUSE.slug, HOUSE.title, HOUSE))
    known = cells.protocol(world.session, HOUSE.slug)
    assert known is not None
    assert [run.model for run in store.load(world.session, known).runs] == ["orion"]
    assert store.load(world.session, known._replace()) is store.load(world.session, known)
