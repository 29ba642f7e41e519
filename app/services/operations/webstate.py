"""What all requests of one web process share."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from app.db.kernel.session import Session, SessionMaker
from app.services.boards.reading import CubeStore
from app.services.operations.pauses import Pause, pauses
from app.services.problems.shares import Shares
from app.services.runs import secrets
from app.services.runs.secrets import Vault


@dataclass(frozen=True, slots=True)
class WebState:
    """Sessions, mapped cubes, the clock, a way to ask whether the broker answers, one to wake workers, and the site's
    own address, as the operator gave it: what a caller says of it is not to be trusted; the secrets' vault; why
    there is no room on a disk; and what each visitor reported today."""

    sessions: SessionMaker
    cubes: CubeStore
    now: Callable[[], datetime]
    broker_alive: Callable[[], bool]
    wake: Callable[..., bool]
    public_url: str
    vault: Vault
    shortage: Callable[[], str | None]
    shares: Shares = field(default_factory=Shares)

    def pauses(self, session: Session) -> tuple[Pause, ...]:
        """What keeps work from going on now."""
        return pauses(secrets.lost(session, self.vault), self.shortage())
