"""System packages: what is missing, and an apt-get that does as it is told."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.rules import ROOT

from app.config import Settings
from app.supervise import system_packages


@pytest.fixture
def apt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An apt-get that writes down its calls and then runs `behaviour`."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "apt-get").write_text(f'#!/bin/sh\necho "$*" >>{tmp_path}/calls\n. {tmp_path}/behaviour\n')
    (folder / "apt-get").chmod(0o755)
    (tmp_path / "behaviour").touch()
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    return tmp_path


def test_what_is_there_is_not_missing(tmp_path: Path) -> None:
    (tmp_path / "header.h").touch()
    wanted = {"sh": "dash", str(tmp_path / "header.h"): "headers", "no-such-tool": "tool", "/no/such/file": "file"}
    assert system_packages.missing_packages(wanted) == ["tool", "file"]


def test_packages_are_installed_after_an_update(apt: Path) -> None:
    assert system_packages.install(["bubblewrap", "g++"], apt / "log", 20) is None
    update, install = (apt / "calls").read_text().splitlines()
    assert update.endswith(" update")
    assert install.endswith(" install -y --no-install-recommends bubblewrap g++")


@pytest.mark.parametrize(
    ("behaviour", "seconds", "reason"),
    [("echo broken; exit 100", 60, "apt-get failed"), ("sleep 30", 1, "took longer than 1 s")],
)
def test_a_failure_is_a_reason(behaviour: str, seconds: float, reason: str, apt: Path) -> None:
    (apt / "behaviour").write_text(behaviour)
    said = system_packages.install(["bubblewrap"], apt / "log", seconds)
    assert said is not None
    assert reason in said


def test_nothing_is_installed_against_the_operators_word() -> None:
    assert not system_packages.may_install(Settings(_env_file=None, no_system_packages=True))


def test_the_page_finds_word_of_it(tmp_path: Path) -> None:
    system_packages.write_status(tmp_path, "missing", ["bubblewrap"])
    told = json.loads((tmp_path / "packages.json").read_text())
    assert (told["status"], told["packages"]) == ("missing", ["bubblewrap"])
    assert told["word"].endswith("apt-get install bubblewrap")


@pytest.mark.parametrize(
    ("arguments", "code"), [(["-k", "no_such_test"], 5), pytest.param(["--no-such-option"], 4, marks=pytest.mark.slow)]
)
def test_the_test_verb_hands_on_arguments_and_exit_code(arguments: list[str], code: int, tmp_path: Path) -> None:
    """To a pytest without our fixtures and without anybody's plug-ins, which take most of its time."""
    (tmp_path / "test_one.py").write_text("def test_one(): pass\n")
    chosen = ["--pdb", "-p", "no:cacheprovider", "--noconftest", "-c", os.devnull, *arguments, str(tmp_path)]
    command = [sys.executable, "-m", "app.cli", "test", "--no-system-packages", "--", *chosen]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=500,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
    )  # fmt: skip
    assert done.returncode == code, done.stdout + done.stderr
