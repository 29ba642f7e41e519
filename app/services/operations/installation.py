"""Facts of a living installation, as `./tidemark doctor` judges them: read from what the service already knows."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime

from app.db.kernel.session import Session
from app.db.operations import alerts
from app.db.operations import installation as store
from app.db.operations.installation import EndpointLine
from app.domain.sources.kinds import DEMO_SITE
from app.domain.states import RunState
from app.services.operations import source_status
from app.services.operations.source_status import SiteView
from app.services.runs import budgets, endpoint_secrets
from app.services.runs.budgets import BudgetLine
from app.services.runs.consensus import setters
from app.services.runs.endpoint_secrets import Vault
from app.services.runs.judge_state import GradingState, Worker, grading_state, workers

BACKUP_ACTION = "backup"  # of the audit log: a backup was written and read back
# An endpoint that was asked so lately is known without another request.
_RECENT = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class SourceClock:
    """Seconds that a site's clock is ahead of ours, by the header `Date` of its newest stored response."""

    source: str
    ahead_s: float


@dataclass(frozen=True, slots=True)
class AskedEndpoint:
    """An endpoint of ours; `trouble` is a known failure. `may_ask`: one more request disturbs nobody now."""

    model: str
    base_url: str
    trouble: str | None
    may_ask: bool


@dataclass(frozen=True, slots=True)
class InstallationFacts:
    """Known facts of an installation, without the bundled demo, which brings no real contest to a board.

    `judges` are the judges that report. `limit_mode` is that of the last verdict. `setters` are the active ones by
    vendor, `idle_setters` those that are not asked, with the reason. `models` have an active public run.
    """

    grading: GradingState
    judges: tuple[Worker, ...]
    limit_mode: str | None
    last_backup: datetime | None
    setters: Mapping[str, tuple[str, ...]]
    idle_setters: Mapping[str, str]
    models: tuple[str, ...]
    budgets: tuple[BudgetLine, ...]
    endpoints: tuple[AskedEndpoint, ...]
    sites: tuple[SiteView, ...]
    alerts: tuple[str, ...]
    lost_secrets: str | None
    source_clock: SourceClock | None


def installation_facts(session: Session, now: datetime, vault: Vault) -> InstallationFacts:
    """Return the facts of an installation; nothing is written and nobody is asked."""
    bundled = store.demo_setters(session)
    lines = [line for line in setters.setters(session) if line.removed_at is None and line.name not in bundled]
    active = [line for line in lines if line.state == RunState.ACTIVE and line.reason is None]
    lost = endpoint_secrets.find_lost(session, vault)
    return InstallationFacts(
        grading=grading_state(session, now),
        judges=tuple(each for each in workers(session, now) if each.queue == "grade" and not each.silent),
        limit_mode=store.last_limit_mode(session),
        last_backup=store.last_action(session, BACKUP_ACTION),
        setters={
            vendor: tuple(line.name for line in active if line.vendor == vendor)
            for vendor in sorted({line.vendor for line in active})
        },
        idle_setters={line.name: line.reason or line.state for line in lines if line not in active},
        models=tuple(store.ranked_models(session)),
        budgets=tuple(budgets.budgets(session, now)),
        endpoints=tuple(_endpoint(line, now) for line in store.asked_endpoints(session)),
        sites=tuple(site for site in source_status.sites(session, now) if site.slug != DEMO_SITE),
        alerts=tuple(alert.message for alert in alerts.open_alerts(session)),
        lost_secrets=None if lost is None else lost.reason,
        source_clock=_source_clock(session),
    )


def _endpoint(line: EndpointLine, now: datetime) -> AskedEndpoint:
    """Judge one endpoint by its last slices."""
    is_busy = line.lease_until is not None and line.lease_until > now
    is_recent = line.served_at is not None and now - line.served_at < _RECENT
    trouble = line.stopped_reason
    if trouble is None and line.silent_slices:
        trouble = f"it gave no answer the last {line.silent_slices} times"
    return AskedEndpoint(line.model, line.base_url, trouble, trouble is None and not is_busy and not is_recent)


def _source_clock(session: Session) -> SourceClock | None:
    """Return the difference of a site's clock and ours; None if no site has told its time.

    A response that a cache held has the time at which it entered that cache, so its `Age` counts.
    """
    response = store.newest_dated_response(session)
    if response is None:
        return None
    try:
        sent_at = parsedate_to_datetime(str(response.headers["date"]))
        age_s = float(response.headers.get("age", 0))
    except (ValueError, TypeError):
        return None
    if sent_at.tzinfo is None:
        return None
    return SourceClock(response.source, (sent_at - response.fetched_at).total_seconds() + age_s)
