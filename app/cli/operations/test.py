"""`tidemark test`: all checks in one pytest run."""

# ruff: noqa: PT028  # a verb, not a test

import os
import sys
from typing import Annotated

import typer

from app.config import ROOT, Settings
from app.cores import usable_cores
from app.domain.errors import Unavailable
from app.supervise import system_packages
from app.supervise.status_lines import print_status
from workers.grading.toolchains import known_languages

PACKAGES_S = 300.0


def test(
    arguments: Annotated[
        list[str] | None, typer.Argument(metavar="[-- PYTEST-ARGS...]", help="Passed to pytest.")
    ] = None,
    *,
    everything: Annotated[
        bool, typer.Option("--all", help="Include the slow tests: load, soaks, chaos, compose.")
    ] = False,
    require_all: Annotated[
        bool, typer.Option("--require-all", help="Fail if a tool is missing, instead of skipping.")
    ] = False,
    no_system_packages: Annotated[
        bool, typer.Option("--no-system-packages", help="Never install system packages, even as root.")
    ] = False,
) -> None:
    """Run all checks and tests, with their own servers and browser.

    The exit code is pytest's. --all adds the slow tests; what follows -- is passed to pytest.

    Examples:
      ./tidemark test
      ./tidemark test -- -k board
    """
    settings = Settings(no_system_packages=True) if no_system_packages else Settings()
    _install_missing_packages(settings, everything=everything)
    if require_all:
        os.environ["TIDEMARK_REQUIRE_ALL"] = "1"
    pytest_arguments = list(arguments or ())
    # With -n or --pdb the caller decides about workers. Tests spend more than half of their time waiting for limits,
    # processes and the database, so there are more workers than cores. The tests of a file stay with one worker, so
    # that shared fixtures, at most a whole installation, are built once. The longest files start first.
    cores = usable_cores()
    parallel = (
        []
        if any(word.startswith(("-n", "--pdb")) for word in pytest_arguments)
        else [f"-n{cores + min(cores + 2, 8)}", "--dist=loadfile", "--no-loadscope-reorder"]
    )
    marks = [] if everything or "-m" in pytest_arguments else ["-m", "not slow"]
    command = [sys.executable, "-m", "pytest", f"--rootdir={ROOT}", *parallel, *marks, *pytest_arguments]
    # Dozens of processes import these modules and share the compiled files.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.chdir(ROOT)
    sys.stdout.flush()
    os.execv(sys.executable, command)  # noqa: S606  # replaces this process: Ctrl-C and the exit code are pytest's


def _install_missing_packages(settings: Settings, *, everything: bool) -> None:
    # Only /usr is visible in sandboxes: a compiler in a home folder, such as rustup's, does not count.
    languages = {
        f"/usr/bin/{tool}": language.package
        for language in known_languages().values()
        if everything or not language.seldom
        for tool in language.tools
    }
    containers = system_packages.CONTAINER_PACKAGES if everything else {}
    packages = sorted(set(system_packages.missing_packages(system_packages.TEST_PACKAGES | languages | containers)))
    if not packages:
        return
    if not system_packages.may_install(settings):
        print_status(f"some tests need system packages that are missing: {system_packages.install_command(packages)}")
        return
    print_status(f"installing system packages: {', '.join(packages)} (--no-system-packages turns this off)")
    log = ROOT / ".bootstrap" / "packages.log"
    log.parent.mkdir(exist_ok=True)
    reason = system_packages.install(packages, log, PACKAGES_S)
    if reason is not None:
        raise Unavailable(f"system packages that tests need could not be installed: {reason}")
