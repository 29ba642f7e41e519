"""The database role of grading workers: it claims answers and records verdicts, and reads no secret of anybody's."""

import hashlib

from sqlalchemy import Connection, create_engine, make_url, text
from sqlalchemy.exc import DBAPIError, ProgrammingError
from sqlalchemy.pool import NullPool

from app.domain.errors import Unavailable

GRADING = "tidemark_grading"
# What tells who people are, what they hold keys for, or what was captured and answered in raw. Organisations' names are
# on boards, and the role predicts those.
_CLOSED = frozenset({
    "users", "login_links", "web_sessions", "api_keys", "idempotency", "captures", "blobs",
    "alembic_version",
})  # fmt: skip
_SEALED = {"endpoints": "secret_encrypted"}
_ADDED = ("verdicts", "dirty_cells", "heartbeats", "rejudgings", "rejudged_samples", "grader_revisions", "audit_log",
          "ledger", "score_causes", "test_sets", "tests", "programs", "samples", "derived_items")  # fmt: skip
_CHANGED = ("heartbeats", "rejudgings", "rejudged_samples", "grader_revisions", "test_sets", "board_state",
            "derivations")  # fmt: skip
# Where it changes some columns only: what judging, proving and setting say of an answer and of a problem.
_MARKED = {
    "samples": ("state", "lease_token", "lease_until", "not_before", "grading_attempts", "error", "error_owner"),
    "verdicts": ("counts",),
    "clock_ticks": ("begun_at", "done_at", "failure"),
    "problems": ("state", "hold_reason", "audit_flags", "topics", "current_test_set_id"),
    "settings": (
        "state",
        "ended_at",
        "reason",
        "evidence",
        "test_set_id",
        "attempts",
        "lease_token",
        "lease_until",
        "round",
        "rounds",
        "not_before",
        "judge_s",
        "reserved_s",
        "played_at",
        "asked_again_at",
    ),
}
_DROPPED = ("heartbeats", "clock_ticks", "rejudging_approvals")
# What the server answers when two change a role or a right at one moment; each time the other one is through.
_MET = frozenset({"23505", "XX000"})  # a name that is there by now; "tuple concurrently updated"
_TRIES = 20


def grant_grading(url: str, password: str | None) -> None:
    """Make the role, or make it anew what it is to be, in a migrated database; `url` is its owner's.

    Without a password only a server that trusts its socket lets the role in.
    """
    engine = create_engine(url, poolclass=NullPool)
    # A role belongs to the whole server, and no lock of one database keeps out who migrates another.
    for left in reversed(range(_TRIES)):
        try:
            with engine.begin() as connection:
                _grant(connection, password)
            break
        except DBAPIError as met:
            if left == 0 or getattr(met.orig, "sqlstate", None) not in _MET:
                raise
    engine.dispose()


def _grant(connection: Connection, password: str | None) -> None:
    try:
        with connection.begin_nested():
            connection.execute(text(f"CREATE ROLE {GRADING} LOGIN NOINHERIT"))
    except ProgrammingError:  # it is there
        pass
    if password is not None:
        _set_password(connection, password)
    connection.execute(text(f"REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {GRADING}"))
    connection.execute(text(f"GRANT USAGE ON SCHEMA public TO {GRADING}"))
    tables = connection.scalars(text("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")).all()
    for table in sorted(set(tables) - _CLOSED):
        connection.execute(text(f'GRANT SELECT {_columns(connection, table)} ON "{table}" TO {GRADING}'))
    for right, names in (("INSERT", _ADDED), ("UPDATE", _CHANGED), ("DELETE", _DROPPED)):
        connection.execute(text(f"GRANT {right} ON {', '.join(names)} TO {GRADING}"))
    for table, columns in _MARKED.items():
        connection.execute(text(f"GRANT UPDATE ({', '.join(columns)}) ON {table} TO {GRADING}"))


def _set_password(connection: Connection, password: str) -> None:
    said = connection.execute(
        text("SELECT format('ALTER ROLE %I PASSWORD %L', CAST(:role AS text), CAST(:password AS text))"),
        {"role": GRADING, "password": password},
    )
    try:
        with connection.begin_nested():
            connection.exec_driver_sql(str(said.scalar_one()).replace("%", "%%"))
    except ProgrammingError as refused:
        url = grading_url(connection.engine.url.render_as_string(hide_password=False), password)
        if not _lets_in(url):  # an administrator may have made the role, with this very password
            raise Unavailable(
                f"the database's owner may not make the role {GRADING}: let an administrator run "
                f"CREATE ROLE {GRADING} LOGIN NOINHERIT PASSWORD '...', and set TIDEMARK_GRADING_PASSWORD to it"
            ) from refused


def _lets_in(url: str) -> bool:
    engine = create_engine(url, poolclass=NullPool)
    try:
        engine.connect().close()
    except DBAPIError:
        return False
    return True


def made_password(owners: str) -> str:
    """A password for the role, made of its owner's: the same on every host, and nobody gets the owner's from it."""
    return hashlib.scrypt(owners.encode(), salt=GRADING.encode(), n=1 << 14, r=8, p=1, dklen=24).hex()


def owners_password(url: str) -> str | None:
    """The password in a database's address."""
    parts = make_url(url)
    said = parts.query.get("password")
    return parts.password or (said if isinstance(said, str) else None)


def grading_url(url: str, password: str | None) -> str:
    """The address of the owner's database for the role."""
    role = make_url(url).difference_update_query(["user", "password"]).set(username=GRADING, password=password)
    return role.render_as_string(hide_password=False)


def _columns(connection: Connection, table: str) -> str:
    """The columns that may be read, where one may not."""
    sealed = _SEALED.get(table)
    if sealed is None:
        return ""
    names = connection.scalars(
        text("SELECT column_name FROM information_schema.columns WHERE table_name = :table AND column_name <> :sealed"),
        {"table": table, "sealed": sealed},
    )
    return f"({', '.join(sorted(names))})"
