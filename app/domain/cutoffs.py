"""Training cutoffs of models: until when a model may have seen problems, and the evidence for that day.

The last day of the training data counts if public evidence of it was accepted, else the release day, else the day the
model was registered. A model without any date is never taken for clean.
"""

import re
from datetime import UTC, date, datetime
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from app.domain.cube.facts import CutoffBasis
from app.domain.reasons import Reason

SHIPPED_EVIDENCE: Final = Reason("shipped")  # evidence of fictional models, stored as text
_MAX_URL_CHARS = 2000
# Local names of RFC 6762 and RFC 8375, and common names of private networks, which the public cannot reach.
_LOCAL_NAME = re.compile(r"(?:.*\.)?(?:local|localhost|localdomain|internal|intranet|private|corp|home|lan|home\.arpa)")
_HOST = re.compile(r"[^\W_](?:[\w-]*[^\W_])?(?:\.[^\W_](?:[\w-]*[^\W_])?)+")


def read_evidence(stored: str | None) -> str | None:
    """Return the evidence of a cutoff: an address, a person's text, or our own reason."""
    return SHIPPED_EVIDENCE if stored == SHIPPED_EVIDENCE else stored


class Cutoff(NamedTuple):
    """Day up to which a model may have seen every problem, and where that day comes from."""

    on: date
    basis: CutoffBasis


def cutoff_of(accepted: date | None, released: date | None, registered: date | datetime) -> Cutoff:
    """Return the cutoff of a model; `accepted` is the declared day whose evidence was accepted."""
    if accepted is not None:
        return Cutoff(accepted, CutoffBasis.DECLARED)
    if released is not None:
        return Cutoff(released, CutoffBasis.RELEASED)
    day = registered.astimezone(UTC).date() if isinstance(registered, datetime) else registered
    return Cutoff(day, CutoffBasis.REGISTERED)


def is_public_url(text: str | None) -> bool:
    """Return whether the text is a web address that everybody can open.

    It must be http or https, at a host with a name and a public domain, and without a user name, which would hide the
    host.
    """
    if text is None or len(text) > _MAX_URL_CHARS or not text.isprintable() or any(map(str.isspace, text)):
        return False
    try:
        parts = urlsplit(text)
        host = parts.hostname or ""
    except ValueError:
        return False
    has_domain = _HOST.fullmatch(host) is not None and not host.rpartition(".")[2].isdigit()
    return (
        parts.scheme in ("https", "http") and has_domain and "@" not in parts.netloc and not _LOCAL_NAME.fullmatch(host)
    )
