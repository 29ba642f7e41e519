"""Organisations that had an address asked: a vendor loses rank by others' requests to its address, and may know
them."""

from collections.abc import Sequence

from app.db.kernel.session import Session
from app.db.vendors import addresses as store
from app.db.vendors.addresses import Asker


def asked_by_others(session: Session, organisation_id: int) -> Sequence[Asker]:
    """Return what others had asked at the addresses of an organisation, without content.

    An address is its own if its own endpoint was answered there: a made-up key reveals nothing.
    """
    return store.others_at_addresses_of(session, organisation_id)


def asked_by_several(session: Session) -> Sequence[Asker]:
    """Return the organisations at every address that more than one of them had asked, for maintainers."""
    return store.askers(session)
