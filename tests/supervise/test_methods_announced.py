"""The first start after an upgrade tells which methods of boards are new; a fresh installation tells nothing."""

from concurrent.futures import ThreadPoolExecutor
from datetime import date

import pytest
from factories import World
from sqlalchemy import text

from app.config import Settings
from app.db.kernel import revision
from app.db.kernel.migrate import downgrade, upgrade
from app.db.kernel.session import SessionMaker, sessions_on
from app.domain.judging.verdicts import Verdict
from app.domain.methods import METHODS
from app.services.boards import score_changes
from app.services.operations import changes
from app.supervise.first_steps import prepare_database, update_derived
from workers import tasks
from workers.context import make_context, use

SENTENCES = list(METHODS.values())


def filled(maker: SessionMaker) -> None:
    """A model on four problems, of which it passes two."""
    with maker.begin() as session:
        world = World(session)
        run = world.run("orion")
        for n in range(4):
            problem = world.problem(f"p{n}", day=date(2026, 6, 1 + n))
            world.answer(run, problem, Verdict.ACCEPTED if n < 2 else Verdict.WRONG_ANSWER)
        world.count()


def told(maker: SessionMaker) -> list[tuple[str, str]]:
    """What the ledger says of methods, oldest first."""
    with maker() as session:
        lines = changes.changes(session, None, 50, kinds=("methods.changed",))
    return [(line.subject, line.reason) for line in reversed(lines)]


def show_by(maker: SessionMaker, methods: int) -> None:
    """Boards were last shown by so many revisions of the methods."""
    with maker.begin() as session:
        session.execute(text("UPDATE board_state SET methods = :methods"), {"methods": methods})


def test_a_fresh_installation_tells_nothing_however_often_it_starts(settings: Settings) -> None:
    prepare_database(settings)
    with sessions_on(settings.database_url) as maker:
        filled(maker)
        prepare_database(settings)
        assert told(maker) == []


def test_an_upgraded_installation_tells_each_revision_once(settings: Settings) -> None:
    url = settings.database_url
    with sessions_on(url) as maker:
        filled(maker)
    downgrade(url, "0066")
    upgrade(url)
    with sessions_on(url) as maker:
        with maker() as session:
            before = revision.current(session)
        update_derived(settings)
        assert told(maker) == [("boards", sentence) for sentence in SENTENCES]
        with maker() as session:
            assert revision.current(session).cells == before.cells + 1, "kept answers and reports are older than that"
        update_derived(settings)
        assert told(maker) == [("boards", sentence) for sentence in SENTENCES]


def test_several_hosts_that_start_at_once_tell_it_once(settings: Settings) -> None:
    with sessions_on(settings.database_url) as maker:
        filled(maker)
        show_by(maker, len(METHODS) - 1)
        with ThreadPoolExecutor(4) as hosts:
            list(hosts.map(update_derived, [settings] * 8))
        assert told(maker) == [("boards", SENTENCES[-1])]


def test_an_older_program_takes_nothing_back(settings: Settings) -> None:
    with sessions_on(settings.database_url) as maker:
        filled(maker)
        show_by(maker, len(METHODS) + 1)
        update_derived(settings)
        with maker() as session:
            assert session.execute(text("SELECT methods FROM board_state")).scalar_one() == len(METHODS) + 1
        assert told(maker) == []


@pytest.mark.parametrize("answers", [False, True])
def test_a_score_that_a_method_moved_has_its_line_and_one_that_answers_moved_has_none(
    settings: Settings, answers: bool
) -> None:
    use(make_context(settings))
    with sessions_on(settings.database_url) as maker:
        filled(maker)
        tasks.aggregate()
        with maker.begin() as session:  # as older methods, or fewer answers, had it
            place = '{"score": 40.0, "problems": 3}' if answers else '{"score": 40.0}'
            session.execute(text("UPDATE public_scores SET place = place || CAST(:place AS jsonb)"), {"place": place})
        show_by(maker, len(METHODS) - 1)
        update_derived(settings)
        tasks.aggregate()
        with maker() as session:
            lines = changes.changes(session, None, 50, kinds=(score_changes.SCORE_CHANGED,))
    assert [(line.subject, line.before["score"], line.after["score"], line.reason) for line in lines] == (
        [] if answers else [("orion", 40.0, 50.0, SENTENCES[-1])]
    )
