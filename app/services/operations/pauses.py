"""Pauses of work while every part runs: each with a reason that an operator can act on."""

from dataclasses import dataclass

from app.domain.reasons import Reason, text_reason
from app.services.runs.endpoint_secrets import LostSecrets

_PUBLIC = {
    "disk": "too little room on a disk; it goes on by itself when there is room",
    "secrets": "our key to endpoints' secrets is lost; it must be put back from a backup",
}


@dataclass(frozen=True, slots=True)
class Pause:
    """A kind of work that waits: `code` is disk (all of it) or secrets (asking some endpoints)."""

    code: str
    reason: Reason

    @property
    def public(self) -> str:
        """Reason without folders and numbers, for everybody."""
        return _PUBLIC[self.code]


def pauses(lost: LostSecrets | None, shortage: str | None) -> tuple[Pause, ...]:
    """Return the present pauses; `shortage` is why there is no room on a disk."""
    active = [Pause("disk", text_reason(shortage))] if shortage is not None else []
    return (*active, *([Pause("secrets", lost.reason)] if lost is not None else []))
