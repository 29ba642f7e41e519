"""The locks: every package pinned and hashed, no address in them, the two agreeing."""

import re
import tomllib
from pathlib import Path

import pytest
from support.rules import ROOT

LOCKS = (
    "requirements.txt", "requirements-dev.txt", "requirements-gpu.txt", "requirements-bootstrap.txt",
    "requirements-engines.txt", "requirements-bigcode.txt",
    "requirements-clients.txt",
)  # fmt: skip
PINNED = re.compile(r"^([A-Za-z0-9][\w.-]*)==(\S+)", re.M)


def _pins(text: str) -> dict[str, str]:
    return {name.lower().replace("_", "-"): version for name, version in PINNED.findall(text)}


def _unhashed(text: str) -> list[str]:
    entries = re.split(r"\n(?=\S)", re.sub(r"^\s*#.*\n", "", text, flags=re.M))
    return [entry.split()[0] for entry in entries if PINNED.match(entry) and "--hash=sha256:" not in entry]


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_pins_hashes_and_names_no_address(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert "://" not in text
    assert _pins(text)
    assert _unhashed(text) == []


@pytest.mark.parametrize("name", LOCKS)
def test_a_pin_for_newer_pythons_alone_has_one_for_the_older(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    bounds = re.findall(r"^([\w.-]+)==\S+ ; python_(?:full_)?version (<|>=) '([\d.]+)' \\$", text, re.M)
    lacking = {package for package, side, bound in bounds if side == ">=" and (package, "<", bound) not in bounds}
    assert lacking == set()


def test_an_unhashed_pin_would_be_seen() -> None:
    assert _unhashed("a==1 \\\n    --hash=sha256:00\nb==2\n") == ["b==2"]


@pytest.mark.parametrize("added", ["requirements-dev.txt", "requirements-gpu.txt"])
def test_a_lock_of_the_same_environment_agrees_with_the_runtime_lock(added: str) -> None:
    runtime, other = (_pins((ROOT / name).read_text(encoding="utf-8")) for name in ("requirements.txt", added))
    differing = {
        name: (version, runtime[name]) for name, version in other.items() if runtime.get(name, version) != version
    }
    assert differing == {}


@pytest.mark.parametrize(
    ("lock", "wanted"),
    [("requirements.txt", "dependencies"), ("requirements-dev.txt", "dev"), ("requirements-gpu.txt", "gpu"),
     ("requirements-engines.txt", "engines"), ("requirements-clients.txt", "clients")],
)  # fmt: skip
def test_what_the_project_asks_for_is_locked(lock: str, wanted: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    own = project["project"]
    lists = {**own["optional-dependencies"], **project["dependency-groups"], "dependencies": own["dependencies"]}
    names = {re.split(r"[\[<>=;~! ]", line)[0].lower().replace("_", "-") for line in lists[wanted]}
    both = {**_pins((ROOT / "requirements.txt").read_text()), **_pins((ROOT / lock).read_text())}
    assert names - set(both) == set()


def test_no_lock_with_addresses_is_committed() -> None:
    assert [
        name for name in ("uv.lock", "pylock.toml", "poetry.lock", "package-lock.json") if Path(ROOT / name).exists()
    ] == []
