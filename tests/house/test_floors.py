"""The floors, the one arrow, and the rules of the house."""

import configparser
import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.rules import PACKAGES, ROOT, RULES, Rule, sources

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


LINT_IMPORTS = ["-c", "from importlinter.cli import lint_imports_command as run; run()", "--config", ".importlinter"]


@pytest.fixture(scope="module")
def empty_house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The packages with all their modules, every one of them empty."""
    house = tmp_path_factory.mktemp("house")
    for path, _ in sources(*PACKAGES):
        (house / path).parent.mkdir(parents=True, exist_ok=True)
        (house / path).touch()
    (house / ".importlinter").write_bytes((ROOT / ".importlinter").read_bytes())
    return house


@pytest.mark.parametrize(
    ("module", "line", "broken"),
    [
        ("app/services/runs/plan.py", "import app.db", False),
        ("app/domain/asking/order.py", "import app.services", True),
        ("app/services/runs/plan.py", "import app.config", True),
        ("scrapers/crawl.py", "import app.db", True),
        ("workers/grading/judge.py", "import httpx", True),
        ("web/render.py", "import sqlalchemy", True),
        ("web/render.py", "import app.main", True),
        ("web/render.py", "import app.db.tables", True),
        ("workers/tasks.py", "import app.db.tables", True),
        # One order of the nouns on every floor.
        ("app/domain/asking/order.py", "import app.domain.boards.board", True),
        ("app/db/problems/texts.py", "import app.db.runs.samples", True),
        ("app/services/runs/plan.py", "import app.services.boards.reading", True),
        ("app/services/boards/reading.py", "import app.services.runs.plan", False),
        ("app/cli/runs/model.py", "import app.cli.boards.board", True),
        ("web/pages/board.py", "import web.pages.ratings", True),
    ],
)
def test_the_arrow_is_checked(module: str, line: str, broken: bool, empty_house: Path) -> None:
    (empty_house / module).write_text(line + "\n", encoding="utf-8")
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [sys.executable, *LINT_IMPORTS, "--no-cache"],
        cwd=empty_house, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    (empty_house / module).write_text("", encoding="utf-8")
    assert "Contracts:" in done.stdout, done.stdout + done.stderr
    assert (done.returncode != 0) is broken, done.stdout


@pytest.mark.timeout(400)
@pytest.mark.parametrize(
    "command",
    [
        ["-m", "ruff", "check", *PACKAGES, "migrations", "tests"],
        ["-m", "ruff", "format", "--check", *PACKAGES, "migrations", "tests"],
        # Without a cache to begin with, none is written: nobody comes after.
        ["-m", "mypy", *([] if (ROOT / ".mypy_cache").exists() else ["--cache-dir=/dev/null"])],
        LINT_IMPORTS,
    ],
    ids=["ruff check", "ruff format", "mypy", "import-linter"],
)
def test_the_linters_are_content(command: list[str]) -> None:
    done = subprocess.run([sys.executable, *command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
