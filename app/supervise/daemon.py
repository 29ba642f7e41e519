"""supervisord: its configuration, its process, and calls to it."""

import contextlib
import shlex
import subprocess
import sys
import xmlrpc.client
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from signal import SIGTERM
from typing import Any

from supervisor.xmlrpc import SupervisorTransport

from app.domain.errors import Unavailable
from app.supervise import valkey
from app.supervise.polling import wait_for
from app.supervise.postgres import last_line
from app.supervise.processes import parent_death_prefix, with_pid_file
from app.supervise.programs import SupervisedProgram
from app.supervise.state_folders import StateFolders
from app.supervise.status_lines import print_status

START_S = 20.0
# The time for stopping in order: the groups' own limits, one after the other.
STOP_S = 90.0
KILLED_REASON = "the supervisor was killed; everything it ran has been stopped"
_NO_WAIT = False  # else startProcess waits until the program has stayed up
_CALL_ERRORS = (OSError, HTTPException, xmlrpc.client.Error)

_HEAD = """\
; Written anew by each `tidemark up`.
[supervisord]
nodaemon=true
silent=true
logfile=logs/supervisord.log
logfile_maxbytes=5MB
logfile_backups=1
pidfile={pids}/supervisord.own
childlogdir=logs
minfds=512
minprocs=64
{user}
[unix_http_server]
file={socket}
chmod=0700

[rpcinterface:supervisor]
supervisor.rpcinterface_factory=supervisor.rpcinterface:make_main_rpcinterface
"""

_PROGRAM = """
[program:{name}]
command={command}
autostart={autostart}
autorestart=true
startsecs=1
startretries=3
stopsignal={signal}
stopwaitsecs={stop_s}
killasgroup=true
redirect_stderr=true
stdout_logfile=logs/{name}.log
stdout_logfile_maxbytes=10MB
stdout_logfile_backups=1
"""


@dataclass(frozen=True, slots=True)
class ProgramState:
    """The state of a program, as the supervisor sees it."""

    name: str
    address: str
    state: str
    pid: int
    uptime_s: int

    @property
    def has_failed(self) -> bool:
        """True if it ended though it should run."""
        return self.state in {"BACKOFF", "FATAL", "EXITED", "UNKNOWN"}


def render_configuration(place: StateFolders, programs: Iterable[SupervisedProgram], *, root: bool) -> str:
    """Return supervisord's configuration. Its paths are relative to the state folder, supervisord's working folder."""
    programs = list(programs)
    parts = [_HEAD.format(pids=place.pids, socket=_socket(place), user="user=root" if root else "").replace("%", "%%")]
    for program in programs:
        command = (
            program.command if program.is_forked else with_pid_file(program.command, place.pids / f"{program.name}.pid")
        )
        parts.append(
            _PROGRAM.format(
                name=program.name,
                command=" ".join(_quoted(part) for part in command),
                autostart=str(program.is_server).lower(),
                signal=program.stop.name.removeprefix("SIG"),
                stop_s=program.stop_s,
            )
        )
    groups = list(dict.fromkeys(program.group for program in programs))
    for number, group in enumerate(groups):
        members = ",".join(program.name for program in programs if program.group == group)
        parts.append(f"\n[group:{group}]\nprograms={members}\npriority={number}\n")
    return "".join(parts)


def _quoted(part: str) -> str:
    # In single quotes, as shlex reads them; ; and # get quotes of their own, since a blank before one begins a comment.
    quoted = shlex.quote(part).replace("%", "%%")
    for mark in ";#":
        quoted = quoted.replace(mark, f"'\"{mark}\"'")
    return quoted


def _socket(place: StateFolders) -> Path:
    return place.runtime / "supervisor.sock"


class Daemon:
    """A running supervisord."""

    def __init__(self, place: StateFolders, process: "subprocess.Popen[bytes]") -> None:
        self._place = place
        self._process = process

    @classmethod
    def start(
        cls, place: StateFolders, programs: Iterable[SupervisedProgram], environment: Mapping[str, str], *, root: bool
    ) -> "Daemon":
        """Start supervisord with its servers; it stops everything when this process dies."""
        conf = place.state / "supervisord.conf"
        conf.write_text(render_configuration(place, programs, root=root), encoding="utf-8")
        command = [sys.executable, "-m", "app.supervise.supervisord", "-n", "-c", str(conf)]
        with (place.logs / "supervisord.out").open("wb") as out:
            process = subprocess.Popen(
                with_pid_file([*parent_death_prefix(SIGTERM), *command], place.pids / "supervisord.pid"),
                stdin=subprocess.DEVNULL, stdout=out, stderr=out, cwd=place.state, env=dict(environment),
                start_new_session=True,
            )  # fmt: skip
        daemon = cls(place, process)
        wait_for(lambda: program_states(place) is not None, START_S, daemon.check, "the supervisor does not answer")
        return daemon

    def check(self, *, mend_broker: bool = False) -> None:
        """Raise Unavailable if supervisord has ended, or if a started program has failed.

        With `mend_broker`, a broker that fails while it has files is started without them instead.
        """
        if not self.alive():
            raise Unavailable(f"the supervisor did not start: {tail(self._place, 'supervisord', '.out')}")
        for state in program_states(self._place) or ():
            if state.has_failed and not (mend_broker and state.name == "valkey" and self._mend_broker(state)):
                raise Unavailable(f"{state.name} does not start: {tail(self._place, state.name)}")

    def alive(self) -> bool:
        """Return whether supervisord still runs."""
        return self._process.poll() is None

    def run(self, program: SupervisedProgram) -> None:
        """Start one program without waiting for it. Raises Unavailable if the supervisor is gone."""
        try:
            _call(self._place, "startProcess", program.address, _NO_WAIT)
        except _CALL_ERRORS as gone:
            raise Unavailable(KILLED_REASON) from gone

    def restart_failed(self) -> list[str]:
        """Start the programs again that the supervisor has given up on; return their names."""
        given_up = [state for state in program_states(self._place) or () if state.state == "FATAL"]
        for state in given_up:
            if state.name == "valkey":
                self._set_broker_aside()
            try:
                _call(self._place, "startProcess", state.address, _NO_WAIT)
            except _CALL_ERRORS:
                return []
        return [state.name for state in given_up]

    def _mend_broker(self, broker: ProgramState) -> bool:
        if not self._set_broker_aside():
            return False
        with contextlib.suppress(*_CALL_ERRORS):  # the next check reports it
            if broker.state == "BACKOFF":  # the supervisor waits before it tries again
                _call(self._place, "stopProcess", broker.address, _NO_WAIT)
            _call(self._place, "startProcess", broker.address, _NO_WAIT)
        return True

    def _set_broker_aside(self) -> bool:
        aside = valkey.set_aside(self._place.valkey)
        if aside is not None:
            print_status(valkey.set_aside_message(aside))
        return aside is not None

    def stop(self) -> None:
        """Stop every program in reverse order, then supervisord itself."""
        if self.alive():
            self._process.send_signal(SIGTERM)
        try:
            self._process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def program_states(place: StateFolders) -> list[ProgramState] | None:
    """Return the state of every program; None if no supervisor answers."""
    try:
        rows: Any = _call(place, "getAllProcessInfo")
    except _CALL_ERRORS:
        return None
    return [
        ProgramState(
            row["name"],
            f"{row['group']}:{row['name']}",
            row["statename"],
            row["pid"],
            max(0, row["now"] - row["start"]) if row["pid"] else 0,
        )
        for row in rows
    ]


def _call(place: StateFolders, method: str, *arguments: str | bool) -> Any:
    transport = SupervisorTransport(None, None, f"unix://{_socket(place)}")
    try:
        return getattr(xmlrpc.client.ServerProxy("http://127.0.0.1", transport=transport).supervisor, method)(
            *arguments
        )
    finally:
        transport.close()


def tail(place: StateFolders, name: str, suffix: str = ".log") -> str:
    """Return the last line of a program's log."""
    file = place.logs / f"{name}{suffix}"
    try:
        return f"{last_line(file.read_text(encoding='utf-8', errors='replace')[-4000:])} (see {file})"
    except OSError:
        return f"there is no log at {file}"
