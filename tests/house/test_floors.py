"""The floors, the one arrow, and the rules of the house."""

import configparser
import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.rules import PACKAGES, ROOT, RULES, Rule, sources
from support.shape import LINT_IMPORTS

EXAMPLES = [
    (rule, source, ok) for rule in RULES for ok, lines in ((True, rule.good), (False, rule.bad)) for source in lines
]


@pytest.fixture(scope="module")
def broken() -> dict[str, list[str]]:
    """Where each rule is broken, by its name."""
    found: dict[str, list[str]] = {rule.name: [] for rule in RULES}
    for path, source in sources(*PACKAGES, "migrations", "tests"):
        for rule in RULES:
            if rule.applies(path):
                found[rule.name] += [f"{path}:{line}" for line in rule.broken(source, path)]
    return found


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_the_house_keeps_its_rule(rule: Rule, broken: dict[str, list[str]]) -> None:
    assert not broken[rule.name], f"{rule.name}: {', '.join(broken[rule.name])}"


@pytest.mark.parametrize(("rule", "source", "ok"), EXAMPLES)
def test_a_rule_tells_good_from_bad(rule: Rule, source: str, ok: bool) -> None:
    assert rule.applies(rule.example_path)
    assert (rule.broken(source, rule.example_path) == []) is ok


def _floors() -> list[str]:
    parser = configparser.ConfigParser()
    parser.read(ROOT / ".importlinter", encoding="utf-8")
    layers = parser["importlinter:contract:floors"]["layers"]
    return [room.strip(" ()") for line in layers.split("\n") for room in line.split("|") if room.strip()]


def test_every_room_stands_on_a_floor() -> None:
    floors = _floors()
    rooms = {
        ".".join((package, part.stem)) if package in {"app", "workers"} else package
        for package in PACKAGES
        for part in (ROOT / package).iterdir()
        if not part.name.startswith(("_", ".")) and (part.suffix == ".py" or (part / "__init__.py").exists())
    }
    assert rooms - set(floors) == set(), "rooms without a floor in .importlinter"


# What may be imported, and what may not: file -> its lines.
ALLOWED = {"app/services/runs/other.py": ["app.db"], "app/services/boards/other.py": ["app.services.runs.plan"]}
FORBIDDEN = {
    "app/domain/asking/other.py": ["app.services", "app.domain.boards.board"],
    "app/services/runs/settings.py": ["app.config", "app.services.boards.board_views"],
    "app/db/problems/other.py": ["app.db.runs.samples"],
    "app/cli/runs/other.py": ["app.cli.boards.board"],
    "scrapers/plan.py": ["app.db"],
    "workers/grading/plan.py": ["httpx"],
    "web/plan.py": ["sqlalchemy", "app.main", "app.db.tables"],
    "web/pages/other.py": ["web.pages.samples"],
}


def _chains(imports: dict[str, list[str]]) -> set[str]:
    """The imports as the linter tells them."""
    return {
        f"{file.removesuffix('.py').replace('/', '.')} -> {name} (l.{line})"
        for file, names in imports.items()
        for line, name in enumerate(names, 1)
    }


def test_the_arrow_is_checked(tmp_path: Path) -> None:
    for path, _source in sources(*PACKAGES):  # the tree as it is, of empty modules
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).touch()
    for file, names in (ALLOWED | FORBIDDEN).items():
        (tmp_path / file).write_text("".join(f"import {name}\n" for name in names), encoding="utf-8")
    (tmp_path / ".importlinter").write_bytes((ROOT / ".importlinter").read_bytes())
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [sys.executable, *LINT_IMPORTS], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode != 0, done.stdout + done.stderr
    told = {line.strip().removeprefix("-").strip() for line in done.stdout.splitlines()}
    assert _chains(FORBIDDEN) - told == set(), done.stdout
    assert _chains(ALLOWED) & told == set(), done.stdout


@pytest.mark.timeout(1200)
@pytest.mark.parametrize(
    "command",
    [
        ["-m", "ruff", "check", *PACKAGES, "migrations", "tests", "clients"],
        ["-m", "ruff", "format", "--check", *PACKAGES, "migrations", "tests", "clients"],
        # Without a cache to begin with, none is written: nobody comes after.
        ["-m", "mypy", *([] if (ROOT / ".mypy_cache").exists() else ["--cache-dir=/dev/null"])],
        [*LINT_IMPORTS],
    ],
    ids=["ruff check", "ruff format", "mypy", "import-linter"],
)
def test_the_linters_are_content(command: list[str]) -> None:
    done = subprocess.run([sys.executable, *command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
