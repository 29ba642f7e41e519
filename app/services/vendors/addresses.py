"""Organisations that had an address asked: a vendor loses rank by others' requests to its address, and may know
them."""

from collections.abc import Sequence

from app.db.kernel.session import Session
from app.db.vendors import addresses as store
from app.db.vendors.addresses import AddressAsker


def askers_at_own_addresses(session: Session, organisation_id: int) -> Sequence[AddressAsker]:
    """Return what others had asked at the addresses of an organisation, without content.

    An address is its own if its own endpoint was answered there: a made-up key reveals nothing.
    """
    return store.usage_by_others(session, organisation_id)


def askers_at_shared_addresses(session: Session) -> Sequence[AddressAsker]:
    """Return the organisations at every address that more than one of them had asked, for maintainers."""
    return store.shared_address_usage(session)
