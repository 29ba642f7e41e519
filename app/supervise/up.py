"""The command `up`: serve the page first, then start everything behind it, and stop cleanly."""

import contextlib
import errno
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from functools import partial

from app.config import Settings
from app.domain.errors import Conflict, Unavailable
from app.memory import freeze_memory
from app.setting_names import setting_warnings
from app.supervise import postgres, system_packages, valkey
from app.supervise.daemon import KILLED_REASON, Daemon
from app.supervise.polling import throttle_check, wait_for
from app.supervise.process_environment import all_settings, base_environment, with_grading_password, write_environments
from app.supervise.processes import parent_death_prefix
from app.supervise.programs import programs
from app.supervise.site_requests import ask_site
from app.supervise.state_folders import StateFolders, prepare
from app.supervise.status_lines import print_status

PAGE_S = 60.0
SERVERS_S = 90.0
LONG_S = 30.0  # after which a message says that the database is still being prepared
PACKAGES_S = 120.0


def up(settings: Settings) -> None:
    """Run everything until told to stop. Raises Unavailable or Conflict on failure, with nothing left running."""
    place = StateFolders.of(settings)
    for line in setting_warnings(os.environ):
        print_status(line)
    with ExitStack() as stack:
        stop = stack.enter_context(_stop_event())
        place.make()
        stack.enter_context(place.lock("up"))
        if leftovers := place.end_leftovers():
            print_status(f"ended processes left by an earlier run: {', '.join(leftovers)}")
        settings = with_grading_password(choose_ports(settings, place), os.environ)
        settings = with_demo_start(settings, place)
        prepare(settings)
        place.announce(settings.public_url, settings.shared_settings(), ready=False)
        stack.callback((place.state / "up.json").unlink, missing_ok=True)
        _run(settings, stop)


def _run(settings: Settings, stop: threading.Event) -> None:
    place, parts, variables = StateFolders.of(settings), programs(settings), base_environment(os.environ)
    with contextlib.ExitStack() as stack:
        stack.callback(place.end_leftovers)
        place.migrated.unlink(missing_ok=True)
        shutil.rmtree(place.environments, ignore_errors=True)  # left by a killed `up`
        stack.callback(shutil.rmtree, place.environments, ignore_errors=True)
        write_all = partial(write_environments, place.environments, settings, variables)
        write_all()
        steps = stack.enter_context(_first_steps({**variables, **all_settings(settings)}))
        if settings.embeds_database():
            postgres.initialise(postgres.find_postgres(), place.postgres)
            postgres.chown_to_server(place.runtime, postgres.run_as())
        daemon = Daemon.start(place, parts, variables, root=os.geteuid() == 0)
        stack.callback(daemon.stop)
        stack.callback(print_status, "stopping")
        # The site loads while the database migrates, and opens when that is done; the rest starts after it.
        web, *others = sorted((part for part in parts if not part.is_server), key=lambda program: program.name != "web")
        daemon.run(web)
        _await_servers(settings, daemon, steps, stop)
        place.migrated.touch()
        wait_for(partial(_page_answers, settings), PAGE_S, throttle_check(daemon.check), "the page does not answer")
        place.announce(settings.public_url, settings.shared_settings(), ready=True)
        print_status(f"Tidemark is at {settings.public_url}")
        print_status(f"one-time maintainer link: {settings.public_url}/login?token={_token(steps)}")
        for program in others:
            daemon.run(program)
        _provide_packages(settings)
        freeze_memory()
        _watch(daemon, stop, write_all)


@contextlib.contextmanager
def _first_steps(variables: dict[str, str]) -> Iterator["subprocess.Popen[str]"]:
    """Run the process that migrates; it starts early because its imports take as long as the servers' start."""
    steps = subprocess.Popen(
        [*parent_death_prefix(signal.SIGTERM), sys.executable, "-m", "app.supervise.first_steps", "--link"],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=variables, text=True, cwd="/",
        start_new_session=True,
    )  # fmt: skip
    with steps:
        try:
            yield steps
        finally:
            steps.kill()


def _token(steps: "subprocess.Popen[str]") -> str:
    return steps.stdout.read().strip() if steps.stdout else ""


def _watch(daemon: Daemon, stop: threading.Event, write_all: Callable[[], None]) -> None:
    while not stop.wait(2.0):
        with contextlib.suppress(Unavailable):  # a full disk; existing files stay
            write_all()  # some systems clean their temporary folder
        if not daemon.alive():
            raise Unavailable(KILLED_REASON)
        for name in daemon.restart_failed():
            print_status(f"{name} keeps crashing; starting it again (tidemark logs {name})")


@contextlib.contextmanager
def _stop_event() -> Iterator[threading.Event]:
    """Yield an event that Ctrl-C, TERM and a closed terminal set; further signals do no harm."""
    stop = threading.Event()
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = {number: signal.signal(number, lambda *_: stop.set()) for number in numbers}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def with_demo_start(settings: Settings, place: StateFolders) -> Settings:
    """Return the settings with the moment of the demo's first start, which is recorded in the state folder."""
    if not settings.demo or settings.demo_started_at is not None:
        return settings
    return settings.model_copy(update={"demo_started_at": place.demo_start(datetime.now(UTC))})


def choose_ports(settings: Settings, place: StateFolders) -> Settings:
    """Return the settings with ports that are free now: for the demo, the last one if it is free.

    Raises Conflict if the requested one is taken.
    """
    port = _free_port(settings.host, settings.port)
    decided = {"port": port}
    if "demo_port" not in settings.model_fields_set:
        decided["demo_port"] = _demo_port(place)
        place.keep_demo_port(decided["demo_port"])
    values = settings.model_dump(include=settings.model_fields_set)
    return Settings(**{**values, **decided})


def _demo_port(place: StateFolders) -> int:
    with contextlib.suppress(Conflict):
        return _free_port("127.0.0.1", place.last_demo_port())
    return _free_port("127.0.0.1", 0)


def _free_port(host: str, port: int) -> int:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
            probe.listen(1)
        except OSError as taken:
            other = "--port" if taken.errno in (errno.EADDRINUSE, errno.EACCES) else "--host"
            raise Conflict(
                f"cannot listen on {host} port {port}: {taken.strerror}; choose another with {other}"
            ) from taken
        return int(probe.getsockname()[1])


def _await_servers(settings: Settings, daemon: Daemon, steps: "subprocess.Popen[str]", stop: threading.Event) -> None:
    """Wait for a migrated database and a broker. Raises Unavailable if one does not come up."""
    if settings.embeds_redis():
        path = StateFolders.of(settings).runtime / "valkey.sock"
        check = throttle_check(partial(daemon.check, mend_broker=True))
        wait_for(partial(valkey.is_ready, path), SERVERS_S, check, "Valkey does not answer")
    wait_until_prepared(steps, throttle_check(daemon.check), stop)
    complaint = steps.stderr.read() if steps.stderr else ""
    if steps.returncode != 0:
        raise Unavailable(f"the database could not be prepared: {postgres.last_line(complaint)}")
    with contextlib.suppress(OSError):
        sys.stderr.write(complaint)


def wait_until_prepared(
    steps: "subprocess.Popen[str]", check: Callable[[], None], stop: threading.Event, long_s: float = LONG_S
) -> None:
    """Wait until the database is prepared, without a time limit: stopped migrations would begin anew next time.

    Raises Unavailable if told to stop meanwhile, and what `check` raises.
    """
    began, announced = time.monotonic(), False
    while steps.poll() is None:
        check()
        if stop.wait(0.02):
            raise Unavailable("told to stop before the database was ready; the next start continues it")
        if not announced and time.monotonic() > began + long_s:
            print_status("preparing the database; this can take minutes with years of data or after a power loss")
            announced = True


def _page_answers(settings: Settings) -> bool:
    answer = ask_site(settings, "/healthz")
    return answer is not None and answer.status == 200


def _provide_packages(settings: Settings) -> None:
    """Install the packages that judging needs in the background, if we may; else say what to type."""
    state, packages = settings.state_dir, system_packages.missing_packages(system_packages.GRADING_PACKAGES)
    if not packages:
        system_packages.write_status(state, "complete", [])
    elif not system_packages.may_install(settings):
        system_packages.write_status(state, "missing", packages)
        print_status(f"grading is paused until you run: {system_packages.install_command(packages)}")
    else:
        system_packages.write_status(state, "installing", packages)
        names = ", ".join(packages)
        print_status(f"installing system packages in the background: {names} (--no-system-packages turns this off)")
        threading.Thread(target=_install, args=(settings, packages), daemon=True, name="packages").start()


def _install(settings: Settings, packages: list[str]) -> None:
    began = time.monotonic()
    reason = system_packages.install(packages, StateFolders.of(settings).logs / "packages.log", PACKAGES_S)
    if reason is None:
        system_packages.write_status(settings.state_dir, "complete", [])
        print_status(
            f"system packages installed in {time.monotonic() - began:.0f} s; grading starts after the self-test"
        )
    else:
        system_packages.write_status(settings.state_dir, "failed", packages, reason)
        command = system_packages.install_command(packages)
        print_status(f"system packages not installed: {reason}; grading is paused until you run: {command}")
