"""`tidemark doctor`: each thing that a living installation lacks, with the line that mends it."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from support.commands import tidemark

from app.cli.operations.doctor import format_check, format_summary
from app.cli.operations.installation_checks import (
    CheckState,
    InstallationCheck,
    Observations,
    SandboxReport,
    check_installation,
)
from app.config import Settings
from app.services.operations.installation import AskedEndpoint, InstallationFacts, SourceClock
from app.services.operations.source_status import SiteView
from app.services.runs.budgets import BudgetLine
from app.services.runs.judge_state import GradingState

NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)
SITE = SiteView("atcoder", "AtCoder", "on_time", True, NOW, "succeeded", None, None, 0, None, None, {}, {}, None)
WELL = InstallationFacts(
    grading=GradingState("ready", None), judges=(), limit_mode="cgroup", last_backup=NOW - timedelta(days=1),
    setters={"acme": ("orion",), "birds": ("tern",)}, idle_setters={}, models=("gull",),
    budgets=(BudgetLine(None, None, True, Decimal(10), Decimal(1)),),
    endpoints=(AskedEndpoint("gull", "https://api.example.com/v1", None, may_ask=True),), sites=(SITE,), alerts=(),
    lost_secrets=None, source_clock=SourceClock("atcoder", 0.4),
)  # fmt: skip
SANDBOX = SandboxReport(None, 13, {"python": "3.13", "cpp": "14"}, {}, limit_mode=None, is_live=True)


@pytest.fixture
def seen(tmp_path: Path) -> Observations:
    """An installation that lacks nothing."""
    settings = Settings(
        _env_file=None, state_dir=tmp_path, contact="o@example.test", public_url="https://board.example.test"
    )
    return Observations(
        NOW, settings, is_served=True, facts=WELL, trouble=None, sandbox=SANDBOX, free_mb={"/srv": 50_000},
        clock_error=None, posts_alerts=True, asked=("api.example.com:443",), unreachable=(),
    )  # fmt: skip


def not_ok(seen: Observations) -> dict[str, str]:
    """The checks that are not ok, with their states."""
    return {check.name: str(check.state) for check in check_installation(seen) if check.state is not CheckState.OK}


def named(seen: Observations, name: str) -> InstallationCheck:
    [check] = [check for check in check_installation(seen) if check.name == name]
    return check


def test_whole_installation_lacks_nothing(seen: Observations) -> None:
    checks = check_installation(seen)
    assert not_ok(seen) == {}
    assert [check.fix for check in checks] == [None] * len(checks)
    assert [check.name for check in checks] == [
        "service", "disk", "sandbox", "languages", "cgroup", "clock", "contact", "site", "setters", "model", "budget",
        "endpoints", "secret key", "backup", "alerts", "public URL",
    ]  # fmt: skip
    assert format_summary(checks) == "Nothing is missing."


BAD: Mapping[str, tuple[Mapping[str, object], str, str]] = {
    # a fact that is bad: the check that says so, its state, and a part of the line that mends it
    "no backup": ({"last_backup": None}, "backup missing", "./tidemark backup"),
    "old backup": ({"last_backup": NOW - timedelta(days=8)}, "backup warning", "./tidemark backup"),
    "one vendor": ({"setters": {"acme": ("orion", "vega")}}, "setters missing", "./tidemark setter add"),
    "idle setter": ({"idle_setters": {"wren": "402"}}, "setters warning", "./tidemark setter list"),
    "no model": ({"models": ()}, "model missing", "./tidemark run start"),
    "no budget": ({"budgets": ()}, "budget missing", "./tidemark budget set"),
    "budget of a run": (
        {"budgets": (BudgetLine(7, None, False, Decimal(1), Decimal(0)),)},
        "budget warning", "./tidemark budget set",
    ),
    "stopped endpoint": (
        {"endpoints": (AskedEndpoint("gull", "https://api.example.com/v1", "402", may_ask=False),)},
        "endpoints missing", "./tidemark run show",
    ),
    "no visit": ({"sites": (replace(SITE, state="never"),)}, "site missing", "./tidemark scrape"),
    "paused site": ({"sites": (replace(SITE, enabled=False, state="paused"),)}, "site missing", "./tidemark scrape"),
    "blocked site": ({"sites": (replace(SITE, state="blocked"),)}, "site warning", "./tidemark scrape atcoder"),
    "site ahead": ({"source_clock": SourceClock("atcoder", 61.0)}, "clock missing", "timedatectl"),
    "site behind": ({"source_clock": SourceClock("atcoder", -61.0)}, "clock missing", "timedatectl"),
    "open alert": ({"alerts": ("late",)}, "alerts warning", "/ops"),
    "rlimits": ({"limit_mode": "rlimit"}, "cgroup warning", "Delegate=yes"),
    "lost key": ({"lost_secrets": "the key is lost"}, "secret key missing", "secret.key"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_each_bad_fact_is_one_line_and_its_mending(seen: Observations, case: str) -> None:
    facts, found, fix = BAD[case]
    bad = replace(seen, facts=replace(WELL, **facts))  # type: ignore[arg-type]  # a table of fields
    name, _, state = found.rpartition(" ")
    assert not_ok(bad) == {name: state}
    assert fix in (named(bad, name).fix or "")


def test_summary_counts_what_is_missing_and_what_is_worth_a_look(seen: Observations) -> None:
    def summary(facts: InstallationFacts) -> str:
        return format_summary(check_installation(replace(seen, facts=facts)))

    rlimits = replace(WELL, limit_mode="rlimit", alerts=("late",))
    assert summary(rlimits) == "Nothing is missing. 2 worth a look."
    without = replace(rlimits, models=(), last_backup=None)
    assert summary(without) == "2 missing, 2 worth a look. docs/first-contest.md explains each."


@pytest.mark.parametrize("contact", [None, ""])
def test_a_site_owner_must_be_able_to_reach_somebody(seen: Observations, contact: str | None) -> None:
    unnamed = replace(seen, settings=seen.settings.model_copy(update={"contact": contact}))
    assert not_ok(unnamed) == {"contact": "missing"}
    assert "TIDEMARK_CONTACT=" in (named(unnamed, "contact").fix or "")


def test_clock_says_which_way_it_is_off(seen: Observations) -> None:
    ahead = replace(seen, facts=replace(WELL, source_clock=SourceClock("atcoder", 90.0)))
    behind = replace(seen, facts=replace(WELL, source_clock=SourceClock("atcoder", -90.0)))
    assert named(ahead, "clock").message == "90 s behind the clock of atcoder"
    assert named(behind, "clock").message == "90 s ahead of the clock of atcoder"
    assert not_ok(replace(seen, clock_error="it is 7 s behind")) == {"clock": "missing"}


def test_what_this_machine_lacks(seen: Observations) -> None:
    assert not_ok(replace(seen, free_mb={"/srv": 50_000, "/var": 199})) == {"disk": "missing"}
    assert not_ok(replace(seen, free_mb={"/srv": 1_999})) == {"disk": "warning"}
    assert not_ok(replace(seen, posts_alerts=False)) == {"alerts": "missing"}
    assert not_ok(replace(seen, unreachable=("api.example.com:443",))) == {"endpoints": "missing"}
    assert not_ok(replace(seen, is_served=False)) == {"service": "missing"}
    lacking = {"languages": {"python": "3"}, "packages": {"cpp": "g++", "go": "golang"}}
    cpp = replace(seen, sandbox=replace(SANDBOX, **lacking))  # type: ignore[arg-type]  # a table of fields
    assert not_ok(cpp) == {"languages": "missing"}
    assert named(cpp, "languages").fix == "apt-get install g++ golang"
    both = {"kotlin": "kotlin default-jdk-headless", "scala": "scala default-jdk-headless", "new": ""}
    twice = replace(seen, sandbox=replace(SANDBOX, packages=both))
    assert named(twice, "languages").fix == "apt-get install default-jdk-headless kotlin scala", "each package once"
    go = replace(seen, sandbox=replace(SANDBOX, packages={"go": "golang"}))
    assert not_ok(go) == {"languages": "warning"}, "boards in it are a choice"
    dead = replace(seen, sandbox=replace(SANDBOX, reason="bwrap is not installed", is_live=False))
    assert not_ok(dead) == {"sandbox": "missing", "languages": "warning"}


@pytest.mark.parametrize(
    ("host", "url", "state"),
    [
        ("127.0.0.1", "http://127.0.0.1:8321", "warning"),
        ("0.0.0.0", "http://127.0.0.1:8321", "missing"),
        ("127.0.0.1", "http://board.example.test", "warning"),
    ],
)
def test_public_url_is_needed_by_a_site_that_others_read(seen: Observations, host: str, url: str, state: str) -> None:
    settings = seen.settings.model_copy(update={"host": host, "public_url": url})
    assert not_ok(replace(seen, settings=settings)) == {"public URL": state}


def test_unreadable_database_leaves_what_the_machine_and_the_settings_say(seen: Observations) -> None:
    blind = replace(seen, facts=None, trouble="nothing is stored here", is_served=False)
    assert not_ok(blind) == {"service": "missing", "cgroup": "warning"}
    assert named(blind, "service").message == "nothing is stored here"
    assert named(blind, "contact").state is CheckState.OK


def test_terminal_has_a_line_a_check_and_the_mending_below(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    bad = InstallationCheck("backup", CheckState.MISSING, "none has been written", "./tidemark backup FILE")
    assert format_check(bad) == ["missing  backup      none has been written", " " * 21 + "-> ./tidemark backup FILE"]
    hostile = InstallationCheck("site", CheckState.OK, "a\x1b[31m", None)
    assert "\x1b" not in "".join(format_check(hostile))


def test_empty_state_is_told_and_nothing_is_made_of_it(tmp_path: Path, settings: Settings) -> None:
    fresh = settings.model_copy(update={"state_dir": tmp_path / "none"})
    result = tidemark(fresh, "doctor", "--json", TIDEMARK_DATABASE_URL="", TIDEMARK_BWRAP="/nowhere/bwrap")
    assert result.exit_code == 3
    assert '"served": false' in result.stdout
    assert "nothing is stored" in result.stdout
    assert not (tmp_path / "none" / "postgres").exists()
