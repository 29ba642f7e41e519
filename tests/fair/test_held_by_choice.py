"""A vendor takes no problem that it fails off the boards by models of its own that make it look wrong."""

from datetime import date
from typing import Any

from factories import NOW, World

from app.db.tables import CellRow, Organisation, Problem
from app.services.problems import quarantine

HONEST, SHAM = 12, 40


def problems(world: World) -> list[Problem]:
    return [world.problem(f"p{at}", source="atcoder", day=date(2026, 6, 1)) for at in range(25)]


def answers(world: World, made: list[Problem], slug: str, passed: int, passed_last: int, **fields: Any) -> None:
    """A run that passes so many of twelve answers to every problem, and to the last one."""
    run = world.run(slug, **fields)
    for at, problem in enumerate(made):
        c = passed_last if at == len(made) - 1 else passed
        world.session.add(
            CellRow(run_id=run.id, problem_id=problem.id, item=0, n=12, c=c, pending=0, judge_errors=0, revision=1)
        )
    world.session.flush()


def vendor(world: World) -> int:
    acme = Organisation(slug="acme", name="Acme")
    world.session.add(acme)
    world.session.flush()
    return acme.id


def test_a_vendor_alone_makes_no_problem_look_wrong(world: World) -> None:
    """Others pass the last problem as they do all others; forty models of one vendor fail it the better they are."""
    made, acme = problems(world), vendor(world)
    for row in range(HONEST):
        answers(world, made, f"model-{row}", row, row)
    for row in range(SHAM):
        answers(world, made, f"sham-{row}", row % 13, 12 - row % 13, organisation_id=acme)
    assert quarantine.audit(world.session, NOW) == 0


def test_a_problem_that_is_wrong_is_held_with_and_without_a_vendor(world: World) -> None:
    made, acme = problems(world), vendor(world)
    for row in range(HONEST):
        answers(world, made, f"model-{row}", row, 12 - row)
    answers(world, made, "orion", 9, 3, organisation_id=acme)
    assert quarantine.audit(world.session, NOW) == 1
    world.session.refresh(made[-1])
    assert made[-1].state == "held"
