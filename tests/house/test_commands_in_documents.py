"""Every command in every document is understood by the real parser, and run where that is cheap.

A table says how each verb is made runnable. A command whose verb the table does not know is red, and so is one with an
argument or an option that the command line does not take.
"""

import json
import re
import shlex
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
from support.files import board_row, board_text
from support.rules import ROOT
from typer.core import TyperGroup
from typer.main import get_command
from typer.testing import CliRunner

from app.cli.__main__ import build_parser
from app.cli.problems.folder_imports import FOLDERS
from app.cli.verbs import VERBS
from app.config import Settings
from app.db.tables import Source
from app.domain.errors import TidemarkError
from app.domain.sources.kinds import DEMO_SITE, SourceKind
from app.services.runs import imports
from scrapers.suite import find_suite
from workers import tasks
from workers.context import leave, make_context, now, use

DOCUMENTS: Final = [
    ROOT / "README.md", ROOT / "ARCHITECTURE.md", ROOT / "league" / "README.md", *sorted((ROOT / "docs").glob("*.md"))
]  # fmt: skip
SHELLS: Final = {"", "sh", "bash", "console", "shell"}


@dataclass(frozen=True, slots=True)
class Command:
    """One `./tidemark ...` of a document."""

    where: str
    line: str

    @property
    def words(self) -> list[str]:
        """What a person would type after ./tidemark: the optional parts too, and of alternatives the first."""
        text = re.sub(r" *\| *[^\[\]|]+(?=\])", "", self.line)
        text = re.sub(r"\.\.\.|[\[\]]", " ", text)
        return shlex.split(text, comments=True)[1:]


def blocks(text: str) -> Iterator[str]:
    """The command lines of fenced shell blocks, continuations joined."""
    for language, body in re.findall(r"^ *```(\w*)\n(.*?)^ *```", text, re.MULTILINE | re.DOTALL):
        if language in SHELLS:
            joined = re.sub(r"\\\n\s*|\n {8,}(?=[\[-])", " ", body)
            yield from (line for line in joined.splitlines() if line.lstrip().startswith("./tidemark"))


def spans(text: str) -> Iterator[str]:
    """Commands within sentences and tables; in a table's first cell, what follows one shares its beginning."""
    for line in re.sub(r"^ *```.*?^ *```", "", text, flags=re.MULTILINE | re.DOTALL).splitlines():
        first = re.match(r"\| *(`\./tidemark [^|]*)\|", line)
        begun: list[str] = []
        for code in re.findall(r"`([^`]+)`", first[1] if first else ""):
            words = code.removeprefix("./tidemark ").split(" ")
            begun = words if words[0] in VERBS else [*begun[:1], *words]
            yield " ".join(["./tidemark", *begun])
        yield from (code for code in re.findall(r"`(\./tidemark [^`]+)`", "" if first else line))


def collected() -> list[Command]:
    """Every command of every document, once."""
    lines: dict[str, str] = {}
    for path in DOCUMENTS:
        text = path.read_text(encoding="utf-8")
        for line in (*blocks(text), *spans(text)):
            lines.setdefault(line.split("  #")[0].strip(), path.relative_to(ROOT).as_posix())
    return [Command(where, line) for line, where in lines.items()]


COMMANDS: Final = collected()


@dataclass(frozen=True, slots=True)
class How:
    """How a verb is made runnable: names replaced, words added. `elsewhere` is the room whose tests run it."""

    names: dict[str, str] = field(default_factory=dict)
    more: tuple[str, ...] = ()
    exit_code: int = 0
    elsewhere: str = ""


NAMES: Final = {
    "FILE": "board.json", "FILE.zip": "board.zip", "SITE": "atcoder", "ORG": "acme", "TEXT": "words",
    "DATE": "2026-01-31", "URL": "https://example.com/card", "ROOM": "judge", "NAME": "codegen",
    "KIND": "lcb-board", "USD": "50", "RUN": "1",
}  # fmt: skip
TABLE: Final = {
    "up": How(elsewhere="tests/supervise"),
    "down": How(),
    "status": How(exit_code=3),
    "logs": How(names={"NAME": "web"}),
    "doctor": How(elsewhere="tests/cli"),
    "test": How(elsewhere="tests/supervise"),
    "board": How(),
    "holistic": How(),
    "import": How(elsewhere="tests/pipeline"),
    "import lcb-board": How(more=("--no-wait",)),
    "import KIND": How(more=("--no-wait",)),
    "snapshot": How(),
    "export": How(),
    "scrape": How(elsewhere="tests/pipeline"),
    "replay": How(),
    "parse": How(names={"KIND": "archive"}, elsewhere="tests/scrapers"),
    "grade": How(elsewhere="tests/grading"),
    "grade-answer": How(elsewhere="tests/pipeline"),
    "problem": How(elsewhere="tests/pipeline"),
    "testgen": How(elsewhere="tests/grading"),
    "consensus": How(elsewhere="tests/cli"),
    "judge-env": How(elsewhere="tests/grading"),
    "league": How(elsewhere="tests/league"),
    "model": How(),
    "model prices": How(names={"SLUG": "tern"}),
    "model add": How(names={"SLUG": "new-model"}),
    "protocol": How(),
    "protocol add": How(names={"SLUG": "fresh-cold"}),
    "protocol orders": How(names={"SLUG": "fresh-cold"}, elsewhere="tests/api"),
    "run": How(elsewhere="tests/pipeline"),
    "run list": How(),
    "run watch": How(elsewhere="tests/pipeline"),
    "setter": How(elsewhere="tests/pipeline"),
    "setter list": How(),
    "setter forecast": How(),
    "setter give": How(elsewhere="tests/pipeline"),
    "budget": How(),
    "gateway": How(),
    "gateway state": How(names={"URL": "https://gateway.example.com"}),
    "gateway withdraw": How(elsewhere="tests/fair"),
    "budget lift": How(elsewhere="tests/pipeline"),
    "worker": How(elsewhere="tests/pipeline"),
    "model cutoff": How(names={"SLUG": "tern"}),
    "model weights": How(names={"SLUG": "tern"}),
    "rejudge": How(elsewhere="tests/pipeline"),
    "key issue": How(),
    "key revoke": How(elsewhere="tests/api"),
    "vendor": How(names={"EMAIL": "ada@example.com"}),
    "link": How(names={"ADDRESS": "ada@example.com"}),
    "alarm": How(elsewhere="tests/pipeline"),
    "perf": How(elsewhere="perf"),
    "shots": How(elsewhere="tests/web"),
    "completion": How(),
    "backup": How(elsewhere="tests/supervise"),
    "restore": How(elsewhere="tests/supervise"),
}


def how(words: list[str]) -> How:
    """The line of the table for a call; a verb that has none fails."""
    return TABLE.get(" ".join(words[:2])) or TABLE[words[0]]


def filled(words: list[str]) -> list[str]:
    """The words with the names of the table in the place of those that a reader replaces."""
    names = {**NAMES, **how(words).names}
    if "--board" in words:  # the file of a board has its name
        names["FILE"] = f"{words[words.index('--board') + 1]}.json"
    return [names.get(word, word) for word in words]


@cache
def program(verb: str) -> Any:
    """The command line with one verb."""
    return get_command(build_parser([verb]))


def parsed(words: list[str]) -> dict[str, Any]:
    """What the real parser makes of a call, by parameter. It raises as for a person's slip."""
    command = program(words[0])
    while isinstance(command, TyperGroup):
        command, words = command.commands[words[0]], words[1:]
    with command.make_context("tidemark", list(words)) as context:
        return dict(context.params)


def test_the_command_line_understands_every_command() -> None:
    for command in COMMANDS:
        try:
            read = parsed(filled(command.words))
            if command.words[0] == "import":
                assert read["kind"] in FOLDERS or find_suite(read["kind"])
        except Exception as refused:
            refused.add_note(f"{command.where}: {command.line}")
            raise


def test_documents_are_read_at_all() -> None:
    lines = {(command.where, command.line) for command in COMMANDS}
    assert ("README.md", "./tidemark up") in lines
    assert any(line.startswith("./tidemark export problems") for _, line in lines), "it shares the cell's beginning"
    assert len({command.words[0] for command in COMMANDS}) == len(VERBS)


@pytest.fixture
def environment(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    """A state with results of one board file in it, and the files that commands name, in the current folder."""
    monkeypatch.chdir(tmp_path)
    rows = [board_row(model, problem, 100.0) for model in ("tern", "orion") for problem in ("p", "q", "r")]
    for name in ("board", "repair"):
        (tmp_path / f"{name}.json").write_text(board_text(rows))
    items = [{name: value for name, value in row.items() if name != "platform"} for row in rows]
    for name in ("test-output", "execution", "execution-cot"):
        both = [row | {"sample_id": 0, "Pass@1": 0.0, "Pass@1-COT": 100.0} for row in items]
        (tmp_path / f"{name}.json").write_text(board_text(items if name == "test-output" else both))
    (tmp_path / "logs").mkdir()
    for name in ("web", "demo"):
        (tmp_path / "logs" / f"{name}.log").write_text("ready\n")
    ctx = use(make_context(settings))
    suite = find_suite("lcb-board")
    ctx.commit(imports.store_batch, suite.read(suite.load(tmp_path / "board.json"), {}, now()), now())
    with ctx.sessions.begin() as session:  # visited, if without an answer
        session.add(Source(slug=DEMO_SITE, name="Harbour Contests", kind=SourceKind.SITE, demo=True))
    tasks.aggregate()
    yield {
        "TIDEMARK_DATABASE_URL": settings.database_url, "TIDEMARK_REDIS_URL": settings.redis_url,
        "TIDEMARK_STATE": str(tmp_path), "COLUMNS": "80",
    }  # fmt: skip
    leave()
    ctx.close()


def test_commands_that_need_nothing_else_do_what_they_say(environment: dict[str, str]) -> None:
    runner, failed, ran = CliRunner(env=environment), {}, 0
    for command in COMMANDS:
        words = filled(command.words)
        way = how(command.words)
        if not way.elsewhere:
            done = runner.invoke(build_parser(words[:1]), [*words, *way.more])
            ran += 1
            if done.exit_code != way.exit_code or isinstance(done.exception, TidemarkError):
                failed[command.line] = f"{done.exit_code}: {done.exception!r} {done.output[-300:]}"
    assert not failed, "\n".join(f"{line}\n    {words}" for line, words in failed.items())
    assert ran > 20


@pytest.mark.slow
@pytest.mark.sandbox
def test_documented_calls_of_the_judge_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`grade` and `league prove` with small files: everything a reader may type after them but a whole suite."""
    monkeypatch.chdir(tmp_path)
    problem = {"id": "sum", "form": "stdin", "tests": [{"input": "1 2\n", "expected": "3\n"}]}
    program = "print(sum(map(int, input().split())))\n"
    shutil.copytree(ROOT / "league", tmp_path / "league")
    files = {
        "PROBLEM.json": json.dumps(problem),
        "problems.jsonl": json.dumps(problem) + "\n",
        "program.py": program,
        "programs.jsonl": json.dumps({"id": 1, "problem": "sum", "language": "python", "code": program}) + "\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    names = {"PROGRAM": "program.py", "L": "python", "SLUG": "flag-hoist"}
    more = {"league": ["--league", str(tmp_path / "league")], "grade": []}
    ran = 0
    for command in COMMANDS:
        words = [names.get(word, word) for word in command.words]
        if words[0] not in more or "--suite" in words or words[1] == "build":
            continue
        words = ["problems.jsonl" if last == "--problems" else "programs.jsonl" if last == "--programs" else word
                 for last, word in zip(["", *words], words, strict=False)]  # fmt: skip
        chosen = ["flag-hoist"] if words[0] == "league" and "flag-hoist" not in words else []
        done = CliRunner().invoke(build_parser(words[:1]), [*words, *chosen, *more[words[0]]])
        assert done.exit_code == 0, (command.line, done.output)
        ran += 1
    assert ran >= 4


def test_what_runs_elsewhere_is_run_there() -> None:
    for verb, way in TABLE.items():
        assert not way.elsewhere or (ROOT / way.elsewhere).is_dir(), verb
