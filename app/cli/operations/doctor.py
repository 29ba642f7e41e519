"""`tidemark doctor`: what a living installation lacks, each with the line that mends it."""

import json
import shutil
from collections import Counter
from collections.abc import Collection, Iterable
from contextlib import ExitStack
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import typer

from app.cli.operations.installation_checks import (
    CheckState,
    InstallationCheck,
    Observations,
    SandboxReport,
    check_installation,
)
from app.cli.parser import State
from app.cli.tables import paragraph, printable, terminal_width
from app.config import Settings, settings_for_state
from app.db.kernel.errors import DatabaseDown
from app.domain.addresses import Network, host_of
from app.domain.errors import AddressRefused, SandboxUnavailable, TidemarkError
from app.services.operations.installation import AskedEndpoint, InstallationFacts, installation_facts
from app.supervise import open_state
from workers.context import Context, leave, make_context, now, use
from workers.database_clock import DatabaseClock
from workers.grading.judge import Judge
from workers.grading.toolchains import known_languages
from workers.inference.control import ControlHost
from workers.net import check_url

MISSING_EXIT = 3
_NAME_CHARS, _STATE_CHARS = 10, 7


def doctor(
    state: State = None,
    *,
    offline: Annotated[bool, typer.Option("--offline", help="Send no request to any endpoint.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the checks as JSON.")] = False,
) -> None:
    """Check an installation, and print for each thing that is missing the line that mends it.

    It checks what a contest needs to reach the board by itself: sandbox, languages, disk, clock, contact, site, setters
    of two vendors, a ranked model, a budget, endpoints, backup, alerts and the public URL. Without a running `up` it
    checks what is stored, tests the sandbox itself, and says so. Endpoints get one HEAD request each, without a key and
    unless a worker asked them within a minute. Vendors' endpoints get none.

    --json prints {"ok": bool, "served": bool, "checks": [{"name", "state", "message", "fix"}]}; `state` is ok, warning
    or missing, `fix` is null if there is nothing to do, and `ok` is true if nothing is missing. The exit code is 3 if
    something is missing, else 0.

    Examples:
      ./tidemark doctor
      ./tidemark doctor --offline --json
    """
    seen = _observe(state, offline=offline)
    checks = check_installation(seen)
    is_ok = not any(check.state is CheckState.MISSING for check in checks)
    if as_json:
        body = {"ok": is_ok, "served": seen.is_served, "checks": [asdict(check) for check in checks]}
        print(json.dumps(body, indent=2, ensure_ascii=False))
    else:
        print("\n".join(line for check in checks for line in format_check(check)))
        print(f"\n{format_summary(checks)}")
    if not is_ok:
        raise typer.Exit(MISSING_EXIT)


def format_check(check: InstallationCheck) -> list[str]:
    """Return a check for a terminal, and below it the line that mends it, uncut so that it can be copied."""
    indent = " " * (_STATE_CHARS + _NAME_CHARS + 4)
    head = f"{check.state:<{_STATE_CHARS}}  {check.name:<{_NAME_CHARS}}  "
    lines = paragraph(printable(check.message), terminal_width(), head, indent)
    return [*lines, *([] if check.fix is None else [f"{indent}-> {printable(check.fix)}"])]


def format_summary(checks: Collection[InstallationCheck]) -> str:
    """Return a last line that counts what is missing."""
    counts = Counter(check.state for check in checks)
    missing, warnings = counts[CheckState.MISSING], counts[CheckState.WARNING]
    if not missing:
        return "Nothing is missing." + (f" {warnings} worth a look." if warnings else "")
    return f"{missing} missing, {warnings} worth a look. docs/first-contest.md explains each."


def _observe(state: Path | None, *, offline: bool) -> Observations:
    """Return everything that the checks need; the sandbox is tested here only if no judge reports."""
    own = settings_for_state(state)
    webhook = own.alert_webhook is not None
    with ExitStack() as stack:
        try:
            settings = stack.enter_context(open_state(state, begun=True))
            ctx = use(make_context(settings))
            stack.callback(leave)
            clock_error, facts = _read(ctx)
        except (TidemarkError, *DatabaseDown) as trouble:
            return Observations(
                datetime.now(UTC), own, is_served=False, facts=None, trouble=str(trouble).partition("\n")[0],
                sandbox=_test_sandbox(own), free_mb=_free_mb(own), clock_error=None, posts_alerts=webhook,
            )  # fmt: skip
        asked = [] if offline else _askable_endpoints(facts.endpoints)
        return Observations(
            now(), settings, is_served=settings.is_served, facts=facts, trouble=None,
            sandbox=_sandbox_report(facts, settings), free_mb=_free_mb(settings), clock_error=clock_error,
            posts_alerts=webhook, asked=tuple(host_of(url) for url in asked),
            unreachable=tuple(_silent_hosts(asked, settings.endpoint_allow)),
        )  # fmt: skip


def _read(ctx: Context) -> tuple[str | None, InstallationFacts]:
    """Return why this machine's clock is wrong, if it is, and the stored facts."""
    error = ctx.clock.read_error() if isinstance(ctx.clock, DatabaseClock) else None
    with ctx.sessions() as session:
        return error, installation_facts(session, now(), ctx.vault)


def _free_mb(settings: Settings) -> dict[str, int]:
    folders = [folder for folder in (settings.state_dir, settings.scratch_dir) if folder.exists()]
    return {str(folder): shutil.disk_usage(folder).free >> 20 for folder in folders or [Path.cwd()]}


def _sandbox_report(facts: InstallationFacts, settings: Settings) -> SandboxReport:
    """Return what live judges report, or the result of a test on this machine if there are none."""
    if not facts.judges:
        return _test_sandbox(settings)
    languages = {name: version for judge in facts.judges for name, version in judge.languages.items()}
    tests = max(len(judge.self_test) for judge in facts.judges)
    reason = facts.grading.reason
    return SandboxReport(reason, tests, languages, _lacking(languages), limit_mode=None, is_live=True)


def _test_sandbox(settings: Settings) -> SandboxReport:
    """Test the sandbox as a judge does before it begins, and try every language."""
    judge = Judge(settings.judge_settings())
    try:
        checks = judge.self_test()
        for language in known_languages():
            judge.find(language)
    except SandboxUnavailable as absent:
        return SandboxReport(str(absent), 0, {}, {}, limit_mode=None, is_live=False)
    found = judge.languages()
    return SandboxReport(None, len(checks), found, _lacking(found), limit_mode=str(judge.limit_mode), is_live=False)


def _lacking(found: Collection[str]) -> dict[str, str]:
    """Return the Debian packages of languages that cannot be judged."""
    return {name: language.package for name, language in known_languages().items() if name not in found}


def _askable_endpoints(endpoints: Iterable[AskedEndpoint]) -> list[str]:
    """Return the addresses of idle endpoints, one of each host."""
    return list({host_of(each.base_url): each.base_url for each in endpoints if each.may_ask}.values())


def _silent_hosts(urls: Iterable[str], allow: tuple[Network, ...]) -> Iterable[str]:
    """Yield the hosts of these addresses that do not answer, whatever they say; each gets one request."""
    for url in urls:
        parts = urlsplit(url)
        try:
            check_url(url, allow)
        except AddressRefused:
            yield host_of(url)
            continue
        if not ControlHost(f"{parts.scheme}://{parts.netloc}/").is_reachable():
            yield host_of(url)
