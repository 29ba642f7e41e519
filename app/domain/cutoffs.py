"""Until when a model may have seen problems, and what is said for it.

The last day of its training data counts where public evidence of it was accepted, else the day it was released, else
the day it was registered: no model is clean for want of a date.
"""

import re
from datetime import UTC, date, datetime
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from app.domain.cube.facts import CutoffBasis

SHIPPED: Final = "shipped with Tidemark"  # the evidence of models that are invented here
_MOST = 2000
# Of RFC 6762 and RFC 8375, and what networks call their own machines: nobody else can look there.
_LOCAL = re.compile(r"(?:.*\.)?(?:local|localhost|localdomain|internal|intranet|private|corp|home|lan|home\.arpa)")
_HOST = re.compile(r"[^\W_](?:[\w-]*[^\W_])?(?:\.[^\W_](?:[\w-]*[^\W_])?)+")


class Cutoff(NamedTuple):
    """The day up to which a model may have seen every problem, and where that day comes from."""

    on: date
    basis: CutoffBasis


def cutoff_of(accepted: date | None, released: date | None, registered: date | datetime) -> Cutoff:
    """The cutoff of a model, of which `accepted` is the declared day whose evidence was accepted."""
    if accepted is not None:
        return Cutoff(accepted, CutoffBasis.DECLARED)
    if released is not None:
        return Cutoff(released, CutoffBasis.RELEASED)
    day = registered.astimezone(UTC).date() if isinstance(registered, datetime) else registered
    return Cutoff(day, CutoffBasis.REGISTERED)


def is_evidence(text: str | None) -> bool:
    """Whether it is an address that everybody can look at: of the web, at a host with a name and a domain, by nobody's
    name, which would hide the host."""
    if text is None or len(text) > _MOST or not text.isprintable() or any(map(str.isspace, text)):
        return False
    try:
        parts = urlsplit(text)
        host = parts.hostname or ""
    except ValueError:
        return False
    named = _HOST.fullmatch(host) is not None and not host.rpartition(".")[2].isdigit()
    return parts.scheme in ("https", "http") and named and "@" not in parts.netloc and not _LOCAL.fullmatch(host)
