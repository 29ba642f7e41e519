"""`./tidemark`, the entry script, with a uv that installs nothing over the network."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.missing import need
from support.rules import ROOT
from support.waiting import until

# Makes the environment from what is here already, and remembers what it was asked.
FAKE_UV = f"""#!/bin/sh
echo "$*" >>"$UV_CALLS"
case "$1" in
--version) echo uv ;;
venv)
    for last in "$@"; do :; done
    rm -rf "$last" && mkdir -p "$last/bin"
    ln -s {sys.executable} "$last/bin/python"
    echo "home = {Path(sys.executable).resolve().parent}" >"$last/pyvenv.cfg" ;;
pip) [ -z "${{UV_SLOW:-}}" ] || until [ -e "$UV_SLOW" ]; do sleep 0.1; done; [ -z "${{UV_FAILS:-}}" ] ;;
esac
"""
# The pip that is asked for its mirror: the real one takes most of a second to begin.
FAKE_PIP = """#!/bin/sh
case "$*" in
"-m pip --version" | "-m pip config list") ;;
*) echo "no other pip: $*" >&2; exit 1 ;;
esac
"""
APP = """import os, sys
print(os.getcwd(), sys.argv[1:], sys.flags.safe_path, sep='|')
sys.exit(int(os.environ.get('RC', '0')))
"""


class Checkout:
    """A checkout with the real script and locks, and a command line that tells how it was called."""

    def __init__(self, folder: Path, tools: Path) -> None:
        self.root = folder
        self.calls = tools / "calls"
        (folder / "app" / "cli").mkdir(parents=True)
        (folder / "app" / "__init__.py").touch()
        (folder / "app" / "cli" / "__init__.py").touch()
        (folder / "app" / "cli" / "__main__.py").write_text(APP)
        for name in ("tidemark", "requirements.txt", "requirements-dev.txt", "requirements-bootstrap.txt"):
            (folder / name).write_bytes((ROOT / name).read_bytes())
        (folder / "tidemark").chmod(0o755)
        (tools / "uv").write_text(FAKE_UV)
        (tools / "uv").chmod(0o755)
        (tools / "python3").symlink_to(sys.executable)
        self.pip = folder / ".bootstrap" / "venv" / "bin" / "python"
        self.pip.parent.mkdir(parents=True)
        self.pip.write_text(FAKE_PIP)
        self.pip.chmod(0o755)
        self.environment = {
            "PATH": f"{tools}:/usr/bin:/bin",
            "UV_CALLS": str(self.calls),
            "PIP_NO_INDEX": "1",
            "PIP_CONFIG_FILE": os.devnull,
        }

    def run(self, *arguments: str, shell: str | None = None, script: Path | None = None, cwd: Path | None = None,
            **environment: str) -> "subprocess.CompletedProcess[str]":  # fmt: skip
        command = [*([shell] if shell else []), str(script or self.root / "tidemark"), *arguments]
        return subprocess.run(
            command, cwd=cwd or self.root, env={**self.environment, **environment}, capture_output=True, text=True,
            check=False, timeout=600,
        )  # fmt: skip

    def installs(self) -> list[str]:
        """What uv was asked to install, call by call."""
        asked = self.calls.read_text().splitlines() if self.calls.exists() else []
        return [line for line in asked if line.startswith("pip install")]


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    (tmp_path / "tools").mkdir()
    return Checkout(tmp_path / "a long path with spaces" / ("and more of them " * 6).strip(), tmp_path / "tools")


@pytest.mark.parametrize("shell", ["bash", None, pytest.param("dash", marks=pytest.mark.slow)])
def test_the_first_call_installs_and_later_ones_do_not(checkout: Checkout, shell: str | None) -> None:
    path = need(shell, f"apt install {shell}") if shell else None
    first, second = (checkout.run("up", "--port", "0", "a b", shell=path) for _ in range(2))
    assert first.returncode == 0, first.stderr
    assert first.stdout == f"{checkout.root}|['up', '--port', '0', 'a b']|True\n"
    assert "installed in" in first.stderr
    assert (second.stdout, second.stderr) == (first.stdout, "")
    assert len(checkout.installs()) == 1
    assert "--require-hashes --compile-bytecode -r requirements.txt" in checkout.installs()[0]


def test_the_exit_code_is_the_command_lines(checkout: Checkout) -> None:
    assert checkout.run("up", RC="3").returncode == 3


def test_tests_need_more_and_what_they_need_serves_the_rest(checkout: Checkout) -> None:
    checkout.run("test")
    checkout.run("up")
    assert len(checkout.installs()) == 1
    assert checkout.installs()[0].endswith("-r requirements.txt -r requirements-dev.txt")


@pytest.mark.parametrize("words", [(), ("--help",), ("--version",), ("test", "--help"), ("board", "codegen", "--help")])
def test_help_and_version_install_nothing(checkout: Checkout, words: tuple[str, ...]) -> None:
    done = checkout.run(*words)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{checkout.root}|{list(words)}|True\n"
    assert checkout.installs() == []
    assert not (checkout.root / ".venv").exists()


def test_the_systems_python_is_taken_before_that_of_the_path(checkout: Checkout) -> None:
    """It is the faster one; only where it is missing, old or without ensurepip another one makes the environment."""
    whole = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))"
    system = Path("/usr/bin/python3")
    is_whole = (
        system.exists() and subprocess.run([system, "-c", whole], check=False, capture_output=True).returncode == 0
    )
    checkout.run("up")
    assert f"--python {system if is_whole else 'python3'} " in checkout.calls.read_text()
    (checkout.root / ".venv" / "bin" / "python").unlink()
    checkout.run("up", TIDEMARK_PYTHON=sys.executable)
    assert f"--python {sys.executable} " in checkout.calls.read_text()


def test_what_is_handed_to_pytest_is_no_wish_for_help(checkout: Checkout) -> None:
    checkout.run("test", "--", "--help")
    assert len(checkout.installs()) == 1


def test_a_changed_lock_installs_anew(checkout: Checkout) -> None:
    checkout.run("up")
    with (checkout.root / "requirements.txt").open("a") as lock:
        lock.write("# changed\n")
    checkout.run("up")
    assert len(checkout.installs()) == 2


def test_it_runs_from_anywhere_and_through_links(checkout: Checkout, tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "one").symlink_to("../two")
    (tmp_path / "two").symlink_to(checkout.root / "tidemark")
    # A folder with an `app` of its own must not be run instead.
    (tmp_path / "bin" / "app").mkdir()
    (tmp_path / "bin" / "app" / "__init__.py").write_text("raise SystemExit('the wrong app')")
    done = checkout.run("up", script=tmp_path / "bin" / "one", cwd=tmp_path / "bin", HOME="")
    assert done.stdout == f"{tmp_path / 'bin'}|['up']|True\n", done.stderr


def test_a_failed_install_says_why_in_one_line_keeps_the_log_and_starts_over(
    checkout: Checkout, tmp_path: Path
) -> None:
    kept = checkout.pip.rename(tmp_path / "pip")  # the real one is tried, too
    done = checkout.run("up", UV_FAILS="1")
    assert done.returncode == 1
    assert "could not be installed" in done.stderr.splitlines()[-1]
    assert str(checkout.root / ".bootstrap" / "install.log") in done.stderr.splitlines()[-1]
    assert done.stdout == ""
    half_made = checkout.root / ".venv" / "half-made"
    half_made.touch()
    assert (checkout.root / ".venv" / ".installing").exists()
    kept.rename(checkout.pip)
    assert checkout.run("up").returncode == 0
    assert not half_made.exists()


def test_two_first_calls_install_once(checkout: Checkout) -> None:
    command = [str(checkout.root / "tidemark"), "up"]
    ready, said = checkout.root / "ready", checkout.root / "said"
    environment = {**checkout.environment, "UV_SLOW": str(ready)}
    with said.open("wb") as told:
        both = [subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=told) for _ in range(2)]
    until(lambda: "waiting" in said.read_text(), "the second one's wait")
    ready.touch()
    assert [each.wait(600) for each in both] == [0, 0], said.read_text()
    assert len(checkout.installs()) == 1


def test_a_read_only_checkout_is_told(checkout: Checkout) -> None:
    shutil.rmtree(checkout.root / ".bootstrap")
    if os.geteuid() == 0:
        (checkout.root / ".bootstrap").write_text("in the way")
    else:
        checkout.root.chmod(0o500)
    done = checkout.run("up")
    checkout.root.chmod(0o700)
    assert done.returncode == 1
    assert "cannot write to" in done.stderr
