"""A database that a newer program has migrated: whoever opens it is told in words."""

import os
import subprocess
import sys

import pytest
from sqlalchemy import text
from support.rules import ROOT

from app.db.kernel.session import make_engine

WORDS = "this database was made by a newer Tidemark (revision 9999); upgrade the program or restore a backup\n"


@pytest.fixture
def newer(fresh_database: str) -> str:
    """A database with a revision that no migration here has."""
    engine = make_engine(fresh_database)
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()
    return fresh_database


@pytest.mark.parametrize(
    ("call", "start"), [("app.cli model list", "tidemark: "), ("app.supervise.first_steps --link", "")]
)
def test_the_words_say_what_to_do(newer: str, call: str, start: str) -> None:
    """A verb, and what `up` runs before it opens the site."""
    done = subprocess.run(
        [sys.executable, "-m", *call.split()], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TIDEMARK_DATABASE_URL": newer},
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (1, "", start + WORDS)
