"""A database that a newer program has migrated: whoever opens it is told in words."""

import pytest
from sqlalchemy import text

from app.cli.__main__ import main
from app.db.kernel.session import make_engine
from app.supervise import first_steps

WORDS = "this database was made by a newer Tidemark (revision 9999); upgrade the program or restore a backup\n"


@pytest.fixture
def newer(fresh_database: str) -> str:
    """A database with a revision that no migration here has."""
    engine = make_engine(fresh_database)
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()
    return fresh_database


def test_the_words_say_what_to_do(
    newer: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A verb, and what `up` runs before it opens the site."""
    monkeypatch.setenv("TIDEMARK_DATABASE_URL", newer)
    assert main(["model", "list"]) == 1
    assert capsys.readouterr() == ("", f"tidemark: {WORDS}")
    assert first_steps.main(["--link"]) == 1
    assert capsys.readouterr() == ("", WORDS)
