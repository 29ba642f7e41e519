"""What keeps work from going on, though every part runs: each with a reason that an operator can act on."""

from dataclasses import dataclass

from app.services.runs.secrets import Lost

_PUBLIC = {
    "disk": "too little room on a disk; it goes on by itself when there is room",
    "secrets": "our key to endpoints' secrets is lost; it must be put back from a backup",
}


@dataclass(frozen=True, slots=True)
class Pause:
    """A kind of work that waits: `code` is disk (all of it) or secrets (asking some endpoints)."""

    code: str
    reason: str

    @property
    def public(self) -> str:
        """The reason as anybody may read it: without folders and numbers."""
        return _PUBLIC[self.code]


def pauses(lost: Lost | None, shortage: str | None) -> tuple[Pause, ...]:
    """Everything that pauses now; `shortage` is why there is no room on a disk."""
    found = [Pause("disk", shortage)] if shortage is not None else []
    return (*found, *([Pause("secrets", lost.reason)] if lost is not None else []))
