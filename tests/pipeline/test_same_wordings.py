"""Digests of texts are derived: what lacks one, or has one by another rule, gets it."""

from factories import World
from sqlalchemy import text

from app.db.kernel import revision
from app.db.kernel.session import Session
from app.db.problems.texts import update_wordings


def test_a_wording_by_an_older_rule_is_made_anew(session: Session) -> None:
    world = World(session)
    versions = [world.version(world.problem(name), statement=f"Add {name}.") for name in "abc"]
    made = [version.wording for version in versions]
    session.execute(text("UPDATE problem_versions SET wording = NULL WHERE id = :id"), {"id": versions[0].id})
    session.execute(text("UPDATE problem_versions SET wording = '0:x' WHERE id = :id"), {"id": versions[1].id})
    before = revision.current(session)
    assert update_wordings(session) == 2
    for version in versions:
        session.refresh(version)
    assert [version.wording for version in versions] == made
    after = revision.current(session)
    assert after[1] > before[1]
    assert (update_wordings(session), revision.current(session)) == (0, after)
