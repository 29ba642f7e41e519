"""A whole Tidemark of a test's own: `./tidemark up` in a process, on a free port and a state folder of its own."""

import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import httpx
import pytest
from served import NO_AUTHORITIES
from sqlalchemy import text
from typer.testing import CliRunner

from app.cli.__main__ import build_parser, main
from app.config import Settings
from app.db.kernel.session import SessionMaker, make_engine, make_sessionmaker
from app.supervise.state_folders import StateFolders
from support.sandboxes import sandbox_root

ROOT = Path(__file__).resolve().parents[2]
READY_S = 300.0


@dataclass
class Installation:
    """A running `up`."""

    process: subprocess.Popen[bytes]
    state: Path
    environment: Mapping[str, str]
    log: Path
    _client: httpx.Client = field(default_factory=lambda: httpx.Client(timeout=120, verify=NO_AUTHORITIES))

    def call(self, *verb: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Run a verb on this state."""
        return subprocess.run(
            [sys.executable, "-m", "app.cli", *verb, "--state", str(self.state)],
            cwd=ROOT, env=dict(self.environment), capture_output=True, text=True, timeout=600, check=check,
        )  # fmt: skip

    def told(self, *verb: str) -> str:
        """What a verb prints that is run in this process: another one takes a second to begin."""
        names = {name: value for name, value in self.environment.items() if name.startswith("TIDEMARK_")}
        done = CliRunner(env=names).invoke(build_parser([verb[0]]), [*verb, "--state", str(self.state)])
        assert done.exception is None, (done.output, repr(done.exception))
        return done.stdout

    def said(self, *verb: str) -> tuple[int, str]:
        """The exit code of a verb that is run in this process, and its answer."""
        out = io.StringIO()
        with pytest.MonkeyPatch.context() as variables, redirect_stdout(out):
            for name in (name for name in self.environment if name.startswith("TIDEMARK_")):
                variables.setenv(name, self.environment[name])
            code = main([*verb, "--state", str(self.state)])
        return code, out.getvalue()

    def running(self) -> Any:
        """What `up` says of itself in its state folder; None before it has."""
        return StateFolders.of(Settings(_env_file=None, state_dir=self.state)).find_running()

    @property
    def url(self) -> str:
        """The site's address."""
        return str(self.running().url).rstrip("/")

    def get(self, path: str, **headers: str) -> httpx.Response:
        """Ask the site."""
        return self._client.get(self.url + path, headers=headers)

    @cached_property
    def sessions(self) -> SessionMaker:
        """Its database."""
        return make_sessionmaker(make_engine(Settings(**self.running().settings).database_url))

    def let_go(self) -> None:
        """Close what this side holds open of it."""
        self._client.close()
        if "sessions" in self.__dict__:
            self.sessions.kw["bind"].dispose()

    def scalar(self, statement: str) -> Any:
        """One value from its database."""
        with self.sessions() as session:
            return session.scalar(text(statement))

    def pids(self) -> dict[str, int]:
        """Process ids by name, of what runs now."""
        facts = json.loads(self.told("status", "--json"))
        return {fact["name"]: fact["pid"] for fact in facts["processes"] if fact["pid"]}

    def wait(self, what: str, seconds: float, until: Any, every_s: float = 0.25) -> float:
        """Seconds until `until()` is true; fails naming `what` when it takes longer, or when `up` ended."""
        began = time.monotonic()
        while not until():
            assert self.process.poll() is None, f"up ended while waiting for {what}:\n{self.log.read_text()[-3000:]}"
            assert time.monotonic() - began < seconds, f"{what} took more than {seconds} s"
            time.sleep(every_s)
        return time.monotonic() - began


@contextmanager
def installation(state: Path, **settings: str) -> Iterator[Installation]:
    """`up` on `state`, ready; stopped at the end. Settings are TIDEMARK_ variables."""
    settings.setdefault("sandbox_root", str(sandbox_root()))
    clean = {name: value for name, value in os.environ.items() if not name.startswith("TIDEMARK_")}
    environment = {**clean, **{f"TIDEMARK_{name.upper()}": value for name, value in settings.items()}}
    state.mkdir(parents=True, exist_ok=True)
    log = state.parent / f"{state.name}.log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "app.cli", "up", "--port", "0", "--state", str(state), "--no-system-packages"],
            cwd=ROOT, env=environment, stdout=out, stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
        made = Installation(process, state, environment, log)
        try:
            made.wait("the page", READY_S, lambda: (running := made.running()) is not None and running.ready)
            yield made
        finally:
            made.let_go()
            if process.poll() is None:
                process.send_signal(signal.SIGINT)  # as Ctrl-C does
            process.wait(600)
