"""Who had addresses asked: a vendor loses rank by what others had its address answer, and may know who they are."""

from collections.abc import Sequence

from app.db.kernel.session import Session
from app.db.vendors import addresses as store
from app.db.vendors.addresses import Asker


def asked_by_others(session: Session, organisation_id: int) -> Sequence[Asker]:
    """What others had asked at the addresses of an organisation, without content.

    An address is its own where its own endpoint was answered there: with a made-up key nobody learns who is asked.
    """
    return store.others_at_addresses_of(session, organisation_id)


def asked_by_several(session: Session) -> Sequence[Asker]:
    """Of every address that more than one organisation had asked, who did, for maintainers."""
    return store.askers(session)
