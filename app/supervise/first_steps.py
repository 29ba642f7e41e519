"""Database preparation before the site starts: `python -m app.supervise.first_steps [--link]`.

It waits for the server, creates the database and migrates it; with `--link`, as for an `up`, it makes the secret key of
a fresh installation and prints a token that signs the maintainer in once. On failure it prints one line to stderr and
exits with 1.
"""

import sys
from collections.abc import Sequence
from datetime import UTC, datetime

from app.config import Settings, socket_database_url
from app.db.kernel.migrate import upgrade
from app.db.kernel.roles import grant_grading
from app.db.kernel.server import create_database, wait_until_ready
from app.db.kernel.session import sessions_on
from app.db.problems.texts import update_wordings
from app.domain.errors import TidemarkError
from app.services.boards.score_changes import announce_methods
from app.services.operations.access import issue_login_link
from app.services.runs import endpoint_secrets
from app.services.runs.endpoint_secrets import Vault
from app.services.runs.plan import ensure_protocols
from app.services.sources.visits import apply_policies
from app.supervise.state_folders import StateFolders
from app.supervise.status_lines import print_status

WAIT_S = 60.0


def prepare_database(settings: Settings) -> None:
    """Bring the database up to date. Raises Unavailable if the server does not answer."""
    if settings.embeds_database():
        server = socket_database_url(settings.runtime_dir, "postgres")
        wait_until_ready(server, WAIT_S)
        create_database(server, "tidemark")
    else:
        wait_until_ready(settings.database_url, WAIT_S)
    upgrade(settings.database_url)
    password = settings.grading_password
    if settings.embeds_database() or password is not None:
        grant_grading(settings.database_url, None if password is None else password.get_secret_value())
    with sessions_on(settings.database_url) as sessions, sessions.begin() as session:
        ensure_protocols(session)
        apply_policies(session, settings.source_policies())
    update_derived(settings)


def update_derived(settings: Settings) -> None:
    """Recompute values that an older version derived by another rule, and record method changes in the ledger.

    The database is migrated.
    """
    with sessions_on(settings.database_url) as sessions, sessions.begin() as session:
        update_wordings(session)
        announce_methods(session, datetime.now(UTC))


def ensure_key(settings: Settings) -> None:
    """Make the key of a fresh installation; if secrets were sealed with another key, keep the file and say what to do.

    The database is migrated. A file that holds no valid key is replaced while nothing is sealed.
    """
    vault = Vault(settings.key_or_none())
    with sessions_on(settings.database_url) as sessions, sessions() as session:
        lost = endpoint_secrets.find_lost(session, vault)
    file = settings.secret_key_file
    if lost is not None:
        print_status(lost.reason)
    elif settings.secret_key is not None:
        if not vault.has_key:
            print_status("TIDEMARK_SECRET_KEY is not a key of 32 bytes in base64, so endpoint secrets cannot be stored")
    elif aside := StateFolders.of(settings).secret_key(file, spoilt=not vault.has_key):
        print_status(
            f"{file.name} held no valid key, and no secret was encrypted: it is now {aside}, and there is a new key"
        )


def issue_login_token(settings: Settings) -> str:
    """Return a one-time sign-in token of the maintainer."""
    with sessions_on(settings.database_url) as sessions, sessions.begin() as session:
        return issue_login_link(session, datetime.now(UTC))


def main(arguments: Sequence[str]) -> int:
    """Prepare the database of the environment's settings."""
    settings = Settings()
    try:
        prepare_database(settings)
        if "--link" in arguments:
            ensure_key(settings)
            sys.stdout.write(issue_login_token(settings) + "\n")
    except TidemarkError as failure:
        sys.stderr.write(f"{failure}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
