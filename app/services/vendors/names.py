"""Names of models and organisations that a reader would take for another's, and slugs that come free."""

from datetime import datetime, timedelta
from functools import cache, lru_cache

from app.db.kernel import logs
from app.db.kernel.session import Session
from app.db.tables import Organisation
from app.db.vendors import names as store
from app.domain.errors import Conflict
from app.domain.reasons import Reason
from app.domain.vendors.lookalikes import lookalike_key, prototypes_of

# A model that was never ordered holds its slug for so long.
UNUSED_SLUG_LIFETIME = timedelta(days=90)

_CACHED_NAMES = 50_000


def check_model_name(session: Session, organisation: Organisation, name: str) -> None:
    """Raise Conflict if a name looks like that of another organisation's model.

    Other registrations wait until the transaction ends. The other model is named only if it is public.
    """
    key = look_of(name)
    for other in store.names_of_others(session, organisation):
        if look_of(other.name) == key:
            which = f"like {other.name}, which belongs to" if other.is_public else "like a model of"
            raise Conflict(f"the name {name} looks {which} another organisation: choose a distinct one")


def check_organisation(session: Session, slug: str) -> None:
    """Raise Conflict if the slug of a new organisation looks like the slug or name of another.

    A vendor that only files have named so far may be registered under its own name in any spelling.
    """
    key = look_of(slug)
    for other in store.names_of_organisations(session, slug):
        if look_of(other.name) == key and (other.is_registered or _plain(other.name) != _plain(slug)):
            raise Conflict(f"the organisation {slug} looks like {other.name}: choose a distinct slug")


def release_unused_slug(session: Session, slug: str, now: datetime) -> bool:
    """Return whether a slug came free: its model, never ordered for 90 days, gets one with its number at the end."""
    model = store.lock_unused_model(session, slug, now - UNUSED_SLUG_LIFETIME)
    if model is None:
        return False
    model.slug = f"{slug[:40]}-{model.id}"
    session.flush()
    logs.write_audit(
        session, now, "system", "model.slug_released", slug, Reason("unused_slug"), before=slug, after=model.slug
    )
    return True


@lru_cache(_CACHED_NAMES)
def look_of(name: str) -> str:
    """Return the text that a reader takes a name for."""
    return lookalike_key(name, _prototypes())


@cache
def _prototypes() -> dict[str, str]:
    # Imported when it is first needed: it reads a megabyte.
    from confusable_homoglyphs.confusables import confusables_data

    pairs = ((one, other["c"].strip("\u200e")) for one, others in confusables_data.items() for other in others)
    return dict(prototypes_of((one, other) for one, other in pairs if one != other))


def _plain(name: str) -> str:
    return "".join(filter(str.isalnum, name.casefold()))
