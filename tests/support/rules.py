"""House rules that no linter knows, each with lines it must pass and lines it must catch."""

import ast
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from support.syntax import called_by, calls, imported, nodes, tree_of

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("app", "scrapers", "workers", "web", "perf")
PLUGIN_FOLDERS = (
    "scrapers/sites", "scrapers/suites", "workers/inference/backends", "workers/grading/languages",
    "app/domain/scenarios", "app/domain/boards/filters",
)  # fmt: skip
TASK_LINES = 15
ATTACKS = ROOT / "tests" / "attacks"

Finder = Callable[[ast.Module, str], Iterator[int]]


@dataclass(frozen=True)
class Rule:
    """What is forbidden where: `find(tree, path)` yields the lines that break it."""

    name: str
    applies: Callable[[str], bool]
    find: Finder
    good: tuple[str, ...]
    bad: tuple[str, ...]
    example_path: str = "app/services/runs/plan.py"

    def broken(self, source: str, path: str) -> list[int]:
        """The lines of a source that break the rule."""
        return sorted(self.find(tree_of(source), path))


def sources(*folders: str) -> Iterator[tuple[str, str]]:
    """Every Python source of ours under some folders of the checkout, by its path; judged programs are none."""
    for folder in folders:
        for file in sorted((ROOT / folder).rglob("*.py")):
            if ATTACKS not in file.parents:
                yield file.relative_to(ROOT).as_posix(), file.read_text(encoding="utf-8")


def under(*places: str) -> Callable[[str], bool]:
    """Whether a path is one of these files or lies in one of these folders."""
    return lambda path: any(path == place or path.startswith(place + "/") for place in places)


def outside(*places: str) -> Callable[[str], bool]:
    """The opposite of `under`."""
    inside = under(*places)
    return lambda path: not inside(path)


_TRANSACTED = {"session", "sessions", "connection", "engine", "maker"}


def _commits(tree: ast.Module, _path: str) -> Iterator[int]:
    for node, called in calls(tree):
        *receiver, method = called.split(".")
        ends = method in {"commit", "rollback"} and receiver
        if ends or (method == "begin" and receiver and receiver[-1].lstrip("_") in _TRANSACTED):
            yield node.lineno


def _long_tasks(tree: ast.Module, _path: str) -> Iterator[int]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and any(called_by(each) == "task" for each in node.decorator_list):
            body = node.body[1:] if ast.get_docstring(node) else node.body
            if body and (body[-1].end_lineno or 0) - body[0].lineno + 1 > TASK_LINES:
                yield node.lineno


_SQL = re.compile(
    r"\s*(SELECT\s.+\sFROM|INSERT\s+INTO|UPDATE\s+\w+\s+SET|DELETE\s+FROM|(CREATE|ALTER|DROP)\s+\w+)\b", re.S
)


def _sql(tree: ast.Module, _path: str) -> Iterator[int]:
    for node in nodes(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and _SQL.match(node.value):
            yield node.lineno


def _environment(tree: ast.Module, _path: str) -> Iterator[int]:
    for node in nodes(tree):
        read = isinstance(node, ast.Attribute) and node.attr in {"environ", "environb", "getenv"}
        if read and isinstance(node.value, ast.Name) and node.value.id == "os":  # type: ignore[attr-defined]
            yield node.lineno  # type: ignore[attr-defined]  # an attribute has a line


_OPENERS = {"Settings", "make_engine", "create_engine", "Redis", "from_url", "Client", "AsyncClient", "open", "Popen",
            "run", "connect", "getenv", "read_text", "read_bytes", "make_app", "configure_logging"}  # fmt: skip


def _opened_at_import(tree: ast.Module, _path: str) -> Iterator[int]:
    for statement in tree.body:
        if isinstance(statement, ast.Assign | ast.AnnAssign | ast.Expr):
            for node in ast.walk(statement):
                if called_by(node).rpartition(".")[2] in _OPENERS and not _inside_lambda(statement, node):
                    yield node.lineno  # type: ignore[attr-defined]  # a call has a line


def _inside_lambda(statement: ast.stmt, wanted: ast.AST) -> bool:
    lambdas = [node for node in ast.walk(statement) if isinstance(node, ast.Lambda)]
    return any(node is wanted for each in lambdas for node in ast.walk(each))


def _foreign_to_the_core(tree: ast.Module, _path: str) -> Iterator[int]:
    for line, name in imported(tree):
        top = name.partition(".")[0]
        ours = name == "app" or name.startswith("app.domain") or name == "app.domain"
        if not ours and top != "numpy" and top not in sys.stdlib_module_names:
            yield line


def _plugin_imports_plugin(tree: ast.Module, path: str) -> Iterator[int]:
    folder = path.rpartition("/")[0]
    package = folder.replace("/", ".") + "."
    for line, name in imported(tree):
        sibling = name.removeprefix(package).partition(".")[0] if name.startswith(package) else "_"
        if not sibling.startswith("_") and (ROOT / folder / f"{sibling}.py").exists():
            yield line


def _patches(tree: ast.Module, _path: str) -> Iterator[int]:
    yield from (line for line, name in imported(tree) if name.startswith("unittest.mock"))
    ours = {
        (alias.asname or alias.name).partition(".")[0]
        for node in nodes(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
        if (getattr(node, "module", None) or alias.name).partition(".")[0] in PACKAGES
    }
    for node, called in calls(tree):
        if called in {"monkeypatch.setattr", "monkeypatch.setitem"} and node.args:
            target = node.args[0]
            while isinstance(target, ast.Attribute):
                target = target.value
            name = target.id if isinstance(target, ast.Name) else getattr(target, "value", "")
            if name in ours or str(name).partition(".")[0] in PACKAGES:
                yield node.lineno


# Modules that reach outside, whatever of them is used; of others only what is named below does.
_OUTSIDE = {"logging", "os", "pathlib", "secrets", "shutil", "tempfile", "time", "uuid"}
_READS = {"open", "print", "input", "read_text", "read_bytes", "write_text", "write_bytes"}
_CLOCKS = {"datetime.now", "datetime.utcnow", "datetime.today", "date.today", "time.time", "time.time_ns"}
_CHANCE = {"Random", "default_rng", "RandomState"}


def _clock(tree: ast.Module, _path: str) -> Iterator[int]:
    for node, called in calls(tree):
        if ".".join(called.split(".")[-2:]) in _CLOCKS:
            yield node.lineno


def _outside_world(tree: ast.Module, path: str) -> Iterator[int]:
    yield from (line for line, name in imported(tree) if name.partition(".")[0] in _OUTSIDE)
    yield from _clock(tree, path)
    for node, called in calls(tree):
        name = called.rpartition(".")[2]
        unseeded = name in _CHANCE and not (node.args or node.keywords)
        drawn = called.startswith("random.") and name not in _CHANCE
        if name in _READS or unseeded or drawn:
            yield node.lineno


_ADAPTERS = ("scrapers", "workers.grading", "workers.inference", "workers.net", "workers.notify")


def _meetings(tree: ast.Module, _path: str) -> Iterator[int]:
    if any(name.startswith(_ADAPTERS) for _, name in imported(tree)):
        yield from (line for line, name in imported(tree) if name.startswith("app.services."))


_STOPWATCHES = ("time", "monotonic", "perf_counter", "process_time", "thread_time")
_READINGS = {f"time.{name}{ns}" for name in _STOPWATCHES for ns in ("", "_ns")}


def _hurried(tree: ast.Module, _path: str) -> Iterator[int]:
    yield from (line for line, name in imported(tree) if name in _READINGS)
    for node, called in calls(tree):
        limited = called.rpartition(".")[2] == "settings" and any(word.arg == "deadline" for word in node.keywords)
        if called in _READINGS or limited:
            yield node.lineno


# These run inside the sandbox, where the environment is what they were sent to look at.
_IN_THE_SANDBOX = under("workers/grading/sandbox/probe.py", "workers/grading/sandbox/zygote.py")


# Fakes and helpers keep the clock for the tests; programs are judged, not run by them.
_BESIDE_THE_TESTS = under("tests/support", "tests/fakes", "tests/served.py", "tests/grading/programs")


def _below_the_edges(path: str) -> bool:
    rooms = under("app/services", "app/domain", "app/db", "app/api", "web", "scrapers", "workers")
    doors = under("workers/clock.py", "workers/serve.py", "workers/demo", "workers/inference/gpu/server.py")
    return rooms(path) and not doors(path) and not _IN_THE_SANDBOX(path)


def _told_the_time(path: str) -> bool:
    rooms = under("app/services", "app/db", "app/api", "web", "scrapers", "workers")
    # A clock of its own has: a context, the scheduler, the demo, and the fetcher, which notes when an answer came.
    doors = under("workers/context.py", "workers/clock.py", "workers/demo", "scrapers/client.py")
    return rooms(path) and not doors(path)


_PLOT = {f"workers/{name}.py" for name in ("tasks", "upkeep", "visiting", "asking")}


def _in_workers_beside_the_plot(path: str) -> bool:
    return path.startswith("workers/") and path not in _PLOT


def _in_plugin_folder(path: str) -> bool:
    return path.rpartition("/")[0] in PLUGIN_FOLDERS and not path.endswith("__init__.py")


RULES = (
    Rule(
        "only edges and doors begin and end transactions",
        under("app/services", "app/domain", "scrapers", "workers/grading", "workers/inference", "workers/net.py"),
        _commits,
        good=("session.flush()", "commit = session.info", "captures.begin(session)"),
        bad=("session.commit()", "with self.sessions.begin() as s:\n    pass", "connection.rollback()"),
    ),
    Rule(
        "a task fits fifteen lines",
        under("workers/tasks.py", "workers/upkeep.py"),
        _long_tasks,
        good=("@task('a')\ndef a():\n    'Say.'\n" + "    x = 1\n" * TASK_LINES, "def long():\n" + "    x = 1\n" * 40),
        bad=("@task('a')\ndef a():\n    'Say.'\n" + "    x = 1\n" * (TASK_LINES + 1),),
        example_path="workers/tasks.py",
    ),
    Rule(
        "services and adapters meet in the plot",
        _in_workers_beside_the_plot,
        _meetings,
        good=(
            "from app.services.runs import grade\nfrom workers.context import Context",
            "from scrapers.site import Site\nfrom app.domain import windows",
        ),
        bad=("from app.services.runs import grade\nfrom workers.grading.answering_judge import AnsweringJudge",),
        example_path="workers/readiness.py",
    ),
    Rule(
        "SQL is written in one room",
        outside("app/db", "migrations", "tests"),
        _sql,
        good=("x = 'SELECT a problem'", "'Update your password'", "x = 'select'"),
        bad=("x = 'SELECT id FROM problems'", "x = f'DELETE FROM samples WHERE id = {n}'", "x = '  CREATE TABLE a ()'"),
    ),
    Rule(
        "settings come from app.config, never from the environment",
        _below_the_edges,
        _environment,
        good=("import os\nos.getpid()", "environ = 1"),
        bad=("import os\nos.environ['X']", "import os\nos.getenv('X')"),
    ),
    Rule(
        "nothing is opened or read at import",
        under(*PACKAGES),
        _opened_at_import,
        good=("def f():\n    return Settings()", "x = lambda: open('a')", "class A:\n    pass"),
        bad=(
            "settings = Settings()",
            "engine = make_engine(url)",
            "TEXT = Path('a').read_text()",
            "client: X = httpx.Client()",
        ),
    ),
    Rule(
        "the core imports the standard library, numpy and itself",
        under("app/domain"),
        _foreign_to_the_core,
        good=("import math", "import numpy as np", "from app.domain.states import SampleState"),
        bad=("import httpx", "from app.db import session", "from pydantic import BaseModel"),
        example_path="app/domain/metrics/intervals.py",
    ),
    Rule(
        "the core touches nothing outside, asks no clock and draws no lots without a seed",
        under("app/domain"),
        _outside_world,
        good=(
            "import random\nrng = random.Random(seed)\nrng.random()",
            "import numpy as np\nnp.random.default_rng(seed)",
            "from datetime import datetime\ndatetime.fromisoformat('2026-01-01')",
        ),
        bad=(
            "from pathlib import Path",
            "import os",
            "open('a')",
            "print(1)",
            "path.write_text('a')",
            "import random\nrandom.random()",
            "import random\nrandom.Random()",
            "import numpy as np\nnp.random.default_rng()",
            "from datetime import UTC, datetime\ndatetime.now(UTC)",
            "import datetime\ndatetime.date.today()",
        ),
        example_path="app/domain/cube/cube.py",
    ),
    Rule(
        "services, storage and adapters are told the time",
        _told_the_time,
        _clock,
        good=("def f(now):\n    return now", "import time\ntime.monotonic()"),
        bad=(
            "from datetime import UTC, datetime\ndatetime.now(UTC)",
            "from datetime import date\ndate.today()",
            "import datetime\ndatetime.datetime.utcnow()",
            "import time\ntime.time()",
        ),
    ),
    Rule(
        "plug-ins never import one another",
        _in_plugin_folder,
        _plugin_imports_plugin,
        good=("from scrapers.sites._atcoder.facts import x", "from scrapers.site import Site"),
        bad=("from scrapers.sites.atcoder import SITE", "import scrapers.sites.atcoder"),
        example_path="scrapers/sites/codeforces.py",
    ),
    Rule(
        "tests patch nothing of ours",
        under("tests"),
        _patches,
        good=(
            "def test(monkeypatch):\n    monkeypatch.setenv('A', 'b')",
            "import socket\ndef test(monkeypatch):\n    monkeypatch.setattr(socket, 'getaddrinfo', names)",
        ),
        bad=(
            "from unittest.mock import patch",
            "from app.domain import windows\ndef test(monkeypatch):\n    monkeypatch.setattr(windows, 'b', c)",
            "import app.log\ndef test(monkeypatch):\n    monkeypatch.setattr(app.log, 'b', c)",
            "def test(monkeypatch):\n    monkeypatch.setattr('workers.net.check', c)",
        ),
        example_path="tests/domain/test_windows.py",
    ),
    Rule(
        "no test reads a clock: support.work bounds work, support.waiting waits",
        lambda path: path.startswith("tests/") and not _BESIDE_THE_TESTS(path),
        _hurried,
        good=(
            "with little_work():\n    parse(text)",
            "until(path.exists)",
            "PROGRAM = 'import time; time.monotonic()'",
            "@settings(max_examples=20)\ndef test(): pass",
        ),
        bad=(
            "began = time.monotonic()",
            "def test():\n    assert time.perf_counter() - began < 5",
            "from time import process_time",
            "@settings(max_examples=20, deadline=2000)\ndef test(): pass",
        ),
        example_path="tests/domain/test_windows.py",
    ),
)
