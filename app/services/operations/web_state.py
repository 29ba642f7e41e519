"""State that all requests of one web process share."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from app.db.kernel.session import Session, SessionMaker
from app.services.boards.board_views import CubeStore
from app.services.operations.pauses import Pause, pauses
from app.services.operations.visitor_quota import VisitorQuota, report_quota, snapshot_quota
from app.services.runs import endpoint_secrets
from app.services.runs.endpoint_secrets import Vault


@dataclass(frozen=True, slots=True)
class WebState:
    """Sessions, mapped cubes, the clock, a check of the broker, a way to wake workers, the site's URL, the vault of
    secrets, a check of disk space, and the quotas of visitors.

    `public_url` is the operator's: a caller's word for it is not trusted. `shortage` returns why a disk lacks room.
    """

    sessions: SessionMaker
    cubes: CubeStore
    now: Callable[[], datetime]
    broker_alive: Callable[[], bool]
    wake: Callable[..., bool]
    public_url: str
    vault: Vault
    shortage: Callable[[], str | None]
    report_quota: VisitorQuota = field(default_factory=report_quota)
    snapshot_quota: VisitorQuota = field(default_factory=snapshot_quota)

    def pauses(self, session: Session) -> tuple[Pause, ...]:
        """Return the present pauses of work."""
        return pauses(endpoint_secrets.find_lost(session, self.vault), self.shortage())
