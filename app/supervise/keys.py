"""The key that endpoint secrets are sealed with: made once, and never in place of one that was lost."""

from app.config import Settings
from app.db.kernel.session import make_engine, make_sessionmaker
from app.services.runs import secrets
from app.services.runs.secrets import Vault
from app.supervise.places import Place
from app.supervise.say import say


def keep_key(settings: Settings) -> None:
    """Make the key of a fresh installation; where secrets were sealed with another, leave it and say what to do.

    The database is migrated.
    """
    engine = make_engine(settings.database_url, pool_size=1)
    with make_sessionmaker(engine)() as session:
        lost = secrets.lost(session, Vault(settings.key_or_none()))
    engine.dispose()
    if lost is not None:
        say(lost.reason)
    elif settings.secret_key is None:
        Place.of(settings).secret_key(settings.secret_key_file)
