"""The checks of `./tidemark doctor`: from what is known of an installation to a finding with the line that mends it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from app.config import Settings
from app.domain.addresses import host_of
from app.domain.consensus.agreement import LEAST_VENDORS
from app.domain.judging.verdicts import LimitMode
from app.services.operations.installation import InstallationFacts
from app.services.operations.source_status import SiteView

_BACKUP_AGE: Final = timedelta(days=7)
_MAX_SOURCE_CLOCK_S: Final = 60.0  # a response takes some seconds, and its time has no fractions
_SCARCE: Final = 10  # times the least free space: below it a disk fills within weeks
_NEEDED_LANGUAGES: Final = ("python", "cpp")  # setters are asked for programs in both
_LOCAL_HOSTS: Final = frozenset({"127.0.0.1", "localhost", "::1", "[::1]"})
_RESTART: Final = "put {line} into .env, then run ./tidemark down and ./tidemark up"
_UP: Final = "./tidemark up"


class CheckState(StrEnum):
    """Result of a check: in order, missing (a contest cannot come in, or would be lost), or worth a look."""

    OK = "ok"
    MISSING = "missing"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class InstallationCheck:
    """One check: its name, its result, what was found, and the line that mends it (None if nothing is to be done)."""

    name: str
    state: CheckState
    message: str
    fix: str | None = None


@dataclass(frozen=True, slots=True)
class SandboxReport:
    """State of the sandbox, as live judges report it or as this command tested it (`is_live` False).

    `reason` is why nothing is judged; None if it works. `languages` can be judged; `packages` are the Debian packages
    of those that cannot.
    """

    reason: str | None
    tests: int
    languages: Mapping[str, str]
    packages: Mapping[str, str]
    limit_mode: str | None
    is_live: bool


@dataclass(frozen=True, slots=True)
class Observations:
    """Observations of a command beside the stored facts.

    `facts` is None if the database cannot be read, for the reason `trouble`. `free_mb` is the free space by folder.
    `clock_error` is the reason why this machine's clock is wrong. `unreachable` are the hosts that did not answer a
    request just now, of those in `asked`. `posts_alerts`: an alert webhook is set.
    """

    at: datetime
    settings: Settings
    is_served: bool
    facts: InstallationFacts | None
    trouble: str | None
    sandbox: SandboxReport
    free_mb: Mapping[str, int]
    clock_error: str | None
    posts_alerts: bool
    asked: Sequence[str] = ()
    unreachable: Sequence[str] = field(default=())


def check_installation(seen: Observations) -> list[InstallationCheck]:
    """Return every check, in the order in which a newcomer meets them."""
    checks = [_service(seen), _disk(seen), _sandbox(seen.sandbox), _languages(seen.sandbox), _cgroup(seen)]
    facts = seen.facts
    if facts is None:
        return [*checks, _contact(seen.settings), _public_url(seen.settings)]
    return [
        *checks, _clock(seen, facts), _contact(seen.settings), _site(facts.sites), _setters(facts), _model(facts),
        _budget(facts), _endpoints(facts, seen), _secrets(facts), _backup(facts, seen.at), _alerts(facts, seen),
        _public_url(seen.settings),
    ]  # fmt: skip


def _ok(name: str, message: str) -> InstallationCheck:
    return InstallationCheck(name, CheckState.OK, message)


def _missing(name: str, message: str, fix: str | None) -> InstallationCheck:
    return InstallationCheck(name, CheckState.MISSING, message, fix)


def _warning(name: str, message: str, fix: str | None = None) -> InstallationCheck:
    return InstallationCheck(name, CheckState.WARNING, message, fix)


def _service(seen: Observations) -> InstallationCheck:
    if seen.facts is None:
        return _missing("service", seen.trouble or "the database cannot be read", _UP)
    if not seen.is_served:
        return _missing("service", "nothing is running; the other lines are from what is stored and this machine", _UP)
    return _ok("service", f"running at {seen.settings.public_url}")


def _disk(seen: Observations) -> InstallationCheck:
    least_mb = seen.settings.least_free_mb
    folder, free_mb = min(seen.free_mb.items(), key=lambda item: item[1], default=("", 0))
    found = f"{free_mb:,} MB are free in {folder}"
    if free_mb < least_mb:
        return _missing("disk", f"{found}; work waits below {least_mb:,} MB", f"free space on the disk of {folder}")
    if free_mb < _SCARCE * least_mb:
        return _warning("disk", f"{found}; work stops below {least_mb:,} MB", f"free space on the disk of {folder}")
    return _ok("disk", found)


def _sandbox(sandbox: SandboxReport) -> InstallationCheck:
    if sandbox.reason is not None:
        fix = "./tidemark logs grade" if sandbox.is_live else "apt-get install bubblewrap g++ libc6-dev python3"
        return _missing("sandbox", f"nothing is judged: {sandbox.reason}", fix)
    where = "" if sandbox.is_live else "; tested by this command"
    return _ok("sandbox", f"all {sandbox.tests} requirements of its self-test hold{where}")


def _languages(sandbox: SandboxReport) -> InstallationCheck:
    if sandbox.reason is not None:
        return _warning("languages", "not known while the sandbox does not work")
    found = f"{', '.join(sorted(sandbox.languages)) or 'none'} can be judged"
    lacking = sorted(sandbox.packages)
    if not lacking:
        return _ok("languages", found)
    packages = " ".join(sorted({name for names in sandbox.packages.values() for name in names.split()}))
    fix = f"apt-get install {packages}" if packages else "./tidemark logs grade"
    message = f"{found}; not installed or still being tried: {', '.join(lacking)}"
    needed = any(name in lacking for name in _NEEDED_LANGUAGES)
    return _missing("languages", message, fix) if needed else _warning("languages", message, fix)


def _cgroup(seen: Observations) -> InstallationCheck:
    mode = seen.sandbox.limit_mode or (None if seen.facts is None else seen.facts.limit_mode)
    if mode is None:
        return _warning("cgroup", "not known before the first program is judged")
    if mode == LimitMode.CGROUP:
        return _ok("cgroup", "memory and processes are limited by cgroups")
    fix = "put Delegate=yes into the systemd unit that runs ./tidemark up"
    return _warning("cgroup", "memory is limited by rlimits, which is slightly less exact than cgroups", fix)


def _clock(seen: Observations, facts: InstallationFacts) -> InstallationCheck:
    fix = "timedatectl set-ntp true"
    if seen.clock_error is not None:
        return _missing("clock", f"work waits: {seen.clock_error}", fix)
    site = facts.source_clock
    if site is None:
        return _ok("clock", "as the database's; no site has told its time yet")
    if abs(site.ahead_s) > _MAX_SOURCE_CLOCK_S:
        way = "behind" if site.ahead_s > 0 else "ahead of"
        return _missing("clock", f"{abs(site.ahead_s):,.0f} s {way} the clock of {site.source}", fix)
    return _ok("clock", f"within {_MAX_SOURCE_CLOCK_S:.0f} s of the clock of {site.source}")


def _contact(settings: Settings) -> InstallationCheck:
    if settings.contact:
        return _ok("contact", f"sites see {settings.contact}")
    fix = _RESTART.format(line="TIDEMARK_CONTACT=you@example.com")
    return _missing("contact", "no site is visited before site owners can reach you", fix)


def _site(sites: Sequence[SiteView]) -> InstallationCheck:
    visited = [site for site in sites if site.enabled and site.state != "never"]
    if not visited:
        return _missing("site", "no site has been visited yet", "./tidemark scrape atcoder")
    bad = [site for site in visited if site.state in ("blocked", "failing", "late")]
    if bad:
        words = "; ".join(f"{site.slug} is {site.state}" + _because(site.last_reason) for site in bad)
        return _warning("site", words, f"./tidemark scrape {bad[0].slug}")
    return _ok("site", f"{', '.join(site.slug for site in visited)} visited without trouble")


def _setters(facts: InstallationFacts) -> InstallationCheck:
    vendors = [f"{', '.join(names)} ({vendor})" for vendor, names in facts.setters.items()]
    idle = [f"{name} is not asked{_because(reason)}" for name, reason in facts.idle_setters.items()]
    found = "; ".join([*vendors, *idle])
    if len(facts.setters) < LEAST_VENDORS:
        fix = "./tidemark setter add NAME --vendor VENDOR --endpoint URL --key-env VARIABLE"
        message = f"fresh problems get no tests before there are setters of {LEAST_VENDORS} vendors"
        return _missing("setters", f"{message}{f': {found}' if found else ''}", fix)
    if idle:
        return _warning("setters", found, "./tidemark setter list")
    return _ok("setters", found)


def _model(facts: InstallationFacts) -> InstallationCheck:
    if facts.models:
        return _ok("model", f"ranked: {', '.join(facts.models)}")
    fix = "./tidemark run start MODEL --protocol fresh --endpoint URL --key-env VARIABLE"
    return _missing("model", "no model is asked about fresh problems", fix)


def _budget(facts: InstallationFacts) -> InstallationCheck:
    whole = [line for line in facts.budgets if line.run is None and line.organisation is None]
    if whole:
        words = (
            f"{line.usd:,.2f} US dollars{' a day' if line.daily else ''}, {line.spent:,.2f} spent" for line in whole
        )
        return _ok("budget", "; ".join(words))
    fix = './tidemark budget set 10 --daily --reason "the most that a day may cost"'
    if facts.budgets:
        return _warning("budget", f"{len(facts.budgets)} of single runs or organisations, none of everything", fix)
    return _missing("budget", "nothing limits what requests cost", fix)


def _endpoints(facts: InstallationFacts, seen: Observations) -> InstallationCheck:
    troubles = [f"{each.model}: {each.trouble}" for each in facts.endpoints if each.trouble is not None]
    silent = sorted(set(seen.unreachable))
    troubles += [f"{host} does not answer" for host in silent]
    if troubles:
        return _missing("endpoints", "; ".join(troubles), "./tidemark run list, then ./tidemark run show RUN")
    if not facts.endpoints:
        return _ok("endpoints", "none is asked")
    asked = f"; {', '.join(sorted(set(seen.asked)))} answered just now" if seen.asked else ""
    return _ok("endpoints", f"{len(facts.endpoints)} without a known failure{asked}")


def _secrets(facts: InstallationFacts) -> InstallationCheck:
    if facts.lost_secrets is not None:
        return _missing("secret key", facts.lost_secrets, "put secret.key back from its copy, with mode 0600")
    return _ok("secret key", "it opens every stored secret")


def _backup(facts: InstallationFacts, now: datetime) -> InstallationCheck:
    fix = "./tidemark backup FILE"
    if facts.last_backup is None:
        return _missing("backup", "none has been written", fix)
    days = (now - facts.last_backup) / timedelta(days=1)
    message = f"the last one is {days:.1f} days old"
    return _warning("backup", message, fix) if days > _BACKUP_AGE.days else _ok("backup", message)


def _alerts(facts: InstallationFacts, seen: Observations) -> InstallationCheck:
    if not seen.posts_alerts:
        fix = _RESTART.format(line="TIDEMARK_ALERT_WEBHOOK=https://...")
        count = f"; {len(facts.alerts)} are open" if facts.alerts else ""
        return _missing("alerts", f"they are posted nowhere{count}", fix)
    if facts.alerts:
        return _warning("alerts", "; ".join(facts.alerts), "open /ops, which says what to do about each")
    return _ok("alerts", "posted to the webhook; none is open")


def _public_url(settings: Settings) -> InstallationCheck:
    url, scheme = settings.public_url, settings.public_url.partition(":")[0]
    fix = _RESTART.format(line="TIDEMARK_PUBLIC_URL=https://YOUR.NAME")
    if host_of(url).rpartition(":")[0] not in _LOCAL_HOSTS:
        return _ok("public URL", url) if scheme == "https" else _warning("public URL", f"{url} is not https", fix)
    if settings.host in _LOCAL_HOSTS:
        return _warning("public URL", f"{url}: only this machine sees the site", fix)
    return _missing("public URL", f"the site listens on {settings.host}, and its links lead to {url}", fix)


def _because(reason: str | None) -> str:
    return f" ({reason})" if reason else ""
