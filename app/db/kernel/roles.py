"""The database role of grading workers: it claims answers and records verdicts, and can read no secret."""

import hashlib

from sqlalchemy import Connection, create_engine, make_url, text
from sqlalchemy.exc import DBAPIError, ProgrammingError
from sqlalchemy.pool import NullPool

from app.domain.errors import Unavailable

GRADING = "tidemark_grading"
# Tables of people, credentials, captures and raw answers. Organisations' names are public, and the role predicts
# boards, which show them.
_HIDDEN_TABLES = frozenset({
    "users", "login_links", "web_sessions", "vendor_members", "vendor_sessions", "vendor_invitations",
    "sign_in_attempts", "api_keys", "idempotency", "captures", "blobs",
    "alembic_version",
})  # fmt: skip
_HIDDEN_COLUMNS = {"endpoints": "secret_encrypted"}
_INSERTABLE = (
    "verdicts", "dirty_cells", "heartbeats", "rejudgings", "rejudged_samples", "grader_revisions", "audit_log",
    "ledger", "score_causes", "test_sets", "tests", "programs", "samples", "derived_items",
)  # fmt: skip
_UPDATABLE = (
    "heartbeats", "rejudgings", "rejudged_samples", "grader_revisions", "test_sets", "board_state", "derivations",
)  # fmt: skip
# Columns that judging, proving and consensus may update, in tables without a general right to update.
_UPDATABLE_COLUMNS = {
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
_DELETABLE = ("heartbeats", "clock_ticks", "rejudging_approvals")
# SQLSTATEs of two concurrent changes of a role or right; the other change is then complete.
_CONCURRENT_CHANGE = frozenset({"23505", "XX000"})  # unique_violation; "tuple concurrently updated"
_GRANT_ATTEMPTS = 20


def grant_grading(url: str, password: str | None) -> None:
    """Create the role in a migrated database, or reset its rights; `url` is the owner's.

    Without a password, only a server that trusts its socket lets the role in.
    """
    engine = create_engine(url, poolclass=NullPool)
    # A role belongs to the whole server, and a lock in one database does not stop the migration of another.
    for attempts_left in reversed(range(_GRANT_ATTEMPTS)):
        try:
            with engine.begin() as connection:
                _grant(connection, password)
            break
        except DBAPIError as error:
            if attempts_left == 0 or getattr(error.orig, "sqlstate", None) not in _CONCURRENT_CHANGE:
                raise
    engine.dispose()


def _grant(connection: Connection, password: str | None) -> None:
    try:
        with connection.begin_nested():
            connection.execute(text(f"CREATE ROLE {GRADING} LOGIN NOINHERIT"))
    except ProgrammingError:  # the role exists
        pass
    if password is not None:
        _set_password(connection, password)
    connection.execute(text(f"REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {GRADING}"))
    connection.execute(text(f"GRANT USAGE ON SCHEMA public TO {GRADING}"))
    tables = connection.scalars(text("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")).all()
    for table in sorted(set(tables) - _HIDDEN_TABLES):
        connection.execute(text(f'GRANT SELECT {_readable_columns(connection, table)} ON "{table}" TO {GRADING}'))
    for right, names in (("INSERT", _INSERTABLE), ("UPDATE", _UPDATABLE), ("DELETE", _DELETABLE)):
        connection.execute(text(f"GRANT {right} ON {', '.join(names)} TO {GRADING}"))
    for table, columns in _UPDATABLE_COLUMNS.items():
        connection.execute(text(f"GRANT UPDATE ({', '.join(columns)}) ON {table} TO {GRADING}"))


def _set_password(connection: Connection, password: str) -> None:
    statement = connection.execute(
        text("SELECT format('ALTER ROLE %I PASSWORD %L', CAST(:role AS text), CAST(:password AS text))"),
        {"role": GRADING, "password": password},
    )
    try:
        with connection.begin_nested():
            connection.exec_driver_sql(str(statement.scalar_one()).replace("%", "%%"))
    except ProgrammingError as refused:
        url = grading_url(connection.engine.url.render_as_string(hide_password=False), password)
        if not _can_connect(url):  # an administrator may have created the role with this password
            raise Unavailable(
                f"the database's owner may not create the role {GRADING}: let an administrator run "
                f"CREATE ROLE {GRADING} LOGIN NOINHERIT PASSWORD '...', and set TIDEMARK_GRADING_PASSWORD to it"
            ) from refused


def _can_connect(url: str) -> bool:
    engine = create_engine(url, poolclass=NullPool)
    try:
        engine.connect().close()
    except DBAPIError:
        return False
    return True


def derive_password(owners: str) -> str:
    """Derive the role's password from its owner's: the same on every host, and not reversible."""
    return hashlib.scrypt(owners.encode(), salt=GRADING.encode(), n=1 << 14, r=8, p=1, dklen=24).hex()


def password_in_url(url: str) -> str | None:
    """Return the password in a database URL."""
    parts = make_url(url)
    in_query = parts.query.get("password")
    return parts.password or (in_query if isinstance(in_query, str) else None)


def grading_url(url: str, password: str | None) -> str:
    """Return the owner's database URL with the role's user name and password."""
    role = make_url(url).difference_update_query(["user", "password"]).set(username=GRADING, password=password)
    return role.render_as_string(hide_password=False)


def _readable_columns(connection: Connection, table: str) -> str:
    """Return the list of readable columns if one column is not readable, else an empty string."""
    hidden = _HIDDEN_COLUMNS.get(table)
    if hidden is None:
        return ""
    names = connection.scalars(
        text("SELECT column_name FROM information_schema.columns WHERE table_name = :table AND column_name <> :sealed"),
        {"table": table, "sealed": hidden},
    )
    return f"({', '.join(sorted(names))})"
