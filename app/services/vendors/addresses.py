"""Organisations that had an address asked: maintainers see all of them, a vendor those that are public."""

from collections.abc import Sequence

from app.db.kernel.session import Session
from app.db.vendors import addresses as store
from app.db.vendors.addresses import AddressAsker


def askers_at_own_addresses(session: Session, organisation_id: int) -> Sequence[AddressAsker]:
    """Return what others' public runs had asked at the deployments of an organisation.

    A deployment is its own if its own endpoint was answered there: a made-up key reveals nothing. Private and embargoed
    runs are no vendor's business but their own: what they cost shows in its rows as problems that were served before.
    """
    return store.public_usage_by_others(session, organisation_id)


def askers_at_shared_addresses(session: Session) -> Sequence[AddressAsker]:
    """Return the organisations at every address that more than one of them had asked, for maintainers."""
    return store.shared_address_usage(session)
