"""`tidemark up`, `down`, `status` and `logs`: everything on one machine."""

import json
import time
from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from signal import SIGTERM
from typing import Annotated, Any

import typer

from app.cli.parser import State
from app.cli.tables import TableColumn, format_table, paragraph, terminal_width
from app.config import Settings, settings_for_state
from app.domain.characters import make_printable
from app.domain.errors import NoObjects, NotFound
from app.supervise import daemon
from app.supervise.processes import end_processes
from app.supervise.site_requests import ask_site
from app.supervise.state_folders import RunningInstance, StateFolders

# An orderly stop takes some 15 s when workers are busy; after this time something hangs.
DOWN_S = 100.0
_MAX_SHOWN_ALERTS = 10
_DEFAULT_LINES = 40


def up(
    port: Annotated[
        int | None, typer.Option(metavar="N", min=0, max=65535, help="The site's port; 0 picks a free one.")
    ] = None,
    state: State = None,
    host: Annotated[str | None, typer.Option(metavar="ADDRESS", help="The address to listen on.")] = None,
    *,
    demo: Annotated[
        bool,
        typer.Option("--demo/--no-demo", help="Load the house league, and run the demo models and their contests."),
    ] = True,
    demo_pace: Annotated[
        float | None, typer.Option(metavar="SECONDS", min=1, help="Seconds between the ends of the demo's contests.")
    ] = None,
    no_system_packages: Annotated[
        bool, typer.Option("--no-system-packages", help="Never install system packages, even as root.")
    ] = False,
) -> None:
    """Run everything on this machine.

    Starts PostgreSQL, Valkey, the site, the clock and the workers, and prints the site's address. Ctrl-C stops them.

    Examples:
      ./tidemark up
      ./tidemark up --state /srv/tidemark --port 8000 --no-demo
    """
    from app.supervise.up import up as run  # down, status and logs do not need it

    options: dict[str, Any] = {"port": port, "host": host, "demo_pace_s": demo_pace}
    overrides = {name: value for name, value in options.items() if value is not None}
    if not demo:
        overrides["demo"] = False
    if no_system_packages:
        overrides["no_system_packages"] = True
    run(settings_for_state(state, **overrides))


def down(state: State = None) -> None:
    """Stop a running `up`, or the processes that a killed one left behind."""
    place = StateFolders.of(settings_for_state(state))
    running = place.find_running()
    if running is not None:
        end_processes([(running.process, SIGTERM)], DOWN_S)
    leftovers = place.end_leftovers()
    if running is None and not leftovers:
        print("nothing was running")
    else:
        print("stopped" + (f"; also ended: {', '.join(leftovers)}" if leftovers else ""))


def status(
    state: State = None, *, as_json: Annotated[bool, typer.Option("--json", help="Print the facts as JSON.")] = False
) -> None:
    """Show what is running, where the site is, and whether grading works.

    The exit code is 3 when nothing is running.
    """
    place = StateFolders.of(settings_for_state(state))
    running = place.find_running()
    if running is None:
        print(json.dumps({"running": False, "left": sorted(place.leftovers())}) if as_json else "not running")
        raise typer.Exit(3)
    facts = _facts(place, running)
    print(json.dumps(facts, indent=2) if as_json else format_status(facts))


def _facts(place: StateFolders, running: RunningInstance) -> dict[str, Any]:
    settings = Settings(**running.settings)
    return {
        "running": True,
        "ready": running.ready,
        "url": running.url,
        "pid": running.process.pid,
        "state": str(place.state),
        "processes": [asdict(state) for state in daemon.program_states(place) or ()],
        "shortage": settings.shortage(),
        **_internal_state(settings),
        "readiness": _readiness(settings),
    }


def _readiness(settings: Settings) -> Any:
    """Return the body of /readyz, regardless of its status; None if the site does not answer."""
    answer = ask_site(settings, "/readyz", 5.0)
    try:
        return None if answer is None else json.loads(answer.body)
    except ValueError:
        return {"status": answer.status if answer else None}


def _internal_state(settings: Settings) -> dict[str, Any]:
    """Return facts that /readyz does not disclose.

    These are the judge's reason for not grading (None if it grades), and the messages of the open alerts.
    """
    from app.db.kernel.errors import DatabaseDown  # only needed when something runs
    from app.db.kernel.session import sessions_on
    from app.services.operations.health_views import open_alerts
    from app.services.runs.judge_state import grading_state

    try:
        with sessions_on(settings.database_url) as sessions, sessions() as session:
            alerts = [alert.message for alert in open_alerts(session)]
            return {"grading": grading_state(session, datetime.now(UTC)).reason, "alerts": alerts}
    except DatabaseDown:  # the site reports it
        return {"grading": None, "alerts": []}


def format_status(facts: dict[str, Any]) -> str:
    """Return the status of a running `up` for a terminal."""
    width, readiness = terminal_width(), facts["readiness"]
    columns = [
        TableColumn("program"),
        TableColumn("state"),
        TableColumn("pid", right=True),
        TableColumn("up", right=True),
    ]
    rows = [(fact["name"], fact["state"], str(fact["pid"]), f"{fact['uptime_s']} s") for fact in facts["processes"]]
    answer = "the site does not answer"
    if readiness is not None:
        answer = f"{readiness.get('status')}" + "".join(f"; {reason}" for reason in readiness.get("reasons", ()))
    paused = {"work": facts["shortage"], "grading": facts["grading"]}
    alerts, more = facts["alerts"][:_MAX_SHOWN_ALERTS], len(facts["alerts"]) - _MAX_SHOWN_ALERTS
    notices = [
        *(f"{what} paused: {why}" for what, why in paused.items() if why is not None),
        *(f"alert: {message}" for message in alerts), *([f"{more} more alerts: see /ops"] if more > 0 else []), answer,
    ]  # fmt: skip
    lines = [f"{facts['url']} (pid {facts['pid']})", *paragraph(f"state: {facts['state']}", width), ""]
    notice_lines = [line for part in notices for line in paragraph(part, width, hanging="    ")]
    return "\n".join([*lines, format_table(columns, rows, width), "", *notice_lines])


def logs(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="A program, such as web; all of them by default.")
    ] = None,
    state: State = None,
    lines: Annotated[
        int, typer.Option("-n", "--lines", metavar="N", min=0, help="How many lines of each log.")
    ] = _DEFAULT_LINES,
    *,
    follow: Annotated[bool, typer.Option("-f", "--follow", help="Keep printing new lines; Ctrl-C ends.")] = False,
) -> None:
    """Show the programs' logs.

    Examples:
      ./tidemark logs web -n 100
      ./tidemark logs --follow
    """
    folder = StateFolders.of(settings_for_state(state)).logs
    files = sorted(folder.glob(f"{name or '*'}.log"))
    if not files:
        others = ", ".join(sorted(file.stem for file in folder.glob("*.log")))
        named = f"there is no log of {name} in {folder}; known: {others}"
        raise NotFound(named) if others else NoObjects(f"there are no logs in {folder}")
    for file in files:
        for line in file.read_text(encoding="utf-8", errors="replace").splitlines()[-lines:] if lines else ():
            print(_label_line(file, line, many=len(files) > 1))
    if follow:
        for file, line in _follow_lines(files):
            print(_label_line(file, line, many=len(files) > 1), flush=True)


def _label_line(file: Path, line: str, *, many: bool) -> str:
    line = make_printable(line)  # logs contain other programs' output: a database's, a model server's
    return f"{file.stem:<10} | {line}" if many else line


def _follow_lines(files: list[Path]) -> Iterator[tuple[Path, str]]:
    """Yield lines as they are added; a rotated file is read from its start."""
    at = {file: file.stat().st_size for file in files}
    while True:
        for file in files:
            size = file.stat().st_size if file.exists() else 0
            if size < at[file]:
                at[file] = 0
            if size > at[file]:
                with file.open("rb") as stream:
                    stream.seek(at[file])
                    data = stream.read()
                whole = data[: data.rfind(b"\n") + 1]
                at[file] += len(whole)
                for line in whole.decode("utf-8", "replace").splitlines():
                    yield file, line
        time.sleep(0.3)
