"""The verbs of `./tidemark` and their help, without importing them.

Only the standard library is used here, so that help and the version work before anything is installed.
"""

import ast
import difflib
import inspect
import subprocess
import tomllib
from pathlib import Path
from typing import Final, NamedTuple

from app.cli.tables import paragraph

ROOT: Final = Path(__file__).resolve().parents[2]
_GIT_S: Final = 5.0


class Verb(NamedTuple):
    """The module and name of a verb's function (or group of verbs)."""

    module: str
    function: str


VERBS: dict[str, Verb] = {
    "up": Verb("operations.up", "up"),
    "down": Verb("operations.up", "down"),
    "status": Verb("operations.up", "status"),
    "logs": Verb("operations.up", "logs"),
    "doctor": Verb("operations.doctor", "doctor"),
    "worker": Verb("operations.worker", "worker"),
    "test": Verb("operations.test", "test"),
    "board": Verb("boards.board", "board"),
    "holistic": Verb("boards.holistic", "holistic"),
    "snapshot": Verb("boards.snapshot", "snapshot"),
    "model": Verb("runs.model", "model"),
    "run": Verb("runs.run", "run"),
    "protocol": Verb("runs.protocol", "protocol"),
    "budget": Verb("runs.budget", "budget"),
    "gateway": Verb("runs.gateway", "gateway"),
    "import": Verb("problems.imports", "import_files"),
    "export": Verb("boards.export", "export"),
    "scrape": Verb("sources.scrape", "scrape"),
    "replay": Verb("sources.scrape", "replay"),
    "parse": Verb("sources.parse", "parse"),
    "grade": Verb("runs.grade", "grade"),
    "grade-answer": Verb("runs.items", "grade_answer"),
    "problem": Verb("runs.items", "problem"),
    "testgen": Verb("problems.testgen", "make_suite"),
    "consensus": Verb("problems.consensus", "consensus"),
    "setter": Verb("runs.setter", "setter"),
    "judge-env": Verb("problems.judge_env", "judge_env"),
    "league": Verb("problems.league", "league"),
    "rejudge": Verb("rejudging.rejudge", "rejudge"),
    "key": Verb("operations.access", "key"),
    "vendor": Verb("operations.access", "vendor"),
    "alarm": Verb("operations.access", "alarm"),
    "link": Verb("operations.access", "link"),
    "backup": Verb("operations.backup", "backup"),
    "restore": Verb("operations.backup", "restore"),
    "perf": Verb("operations.perf", "perf"),
    "shots": Verb("operations.shots", "shots"),
    "completion": Verb("operations.completion", "completion"),
}
OLD_VERBS: Final = {"setting": "consensus"}  # scripts may hold the old word: it works, and names the new one
OPTIONS: Final = {
    "--version": "Print the version, and the git revision of a checkout.",
    "--help": "Print this help; after a verb, that verb's help.",
}


def program_help(width: int) -> str:
    """Return the output of `./tidemark` and `./tidemark --help`."""
    rows = {name: description(name).partition("\n")[0] for name in VERBS}
    indent = max(map(len, (*rows, *OPTIONS))) + 4
    return "\n".join(
        [
            "Usage: tidemark VERB [OPTIONS] [ARGUMENTS]",
            "",
            "  Tidemark: a live benchmark service for code models.",
            "",
            *_section("Verbs", rows, indent, width),
            "",
            *_section("Options", OPTIONS, indent, width),
            "",
            "Start with ./tidemark up; ./tidemark VERB --help explains a verb.",
        ]
    )


def bare_help(name: str, width: int) -> str:
    """Return a verb's help for when the packages that parse its options are not installed."""
    rest = "Tidemark is not installed yet. After the first ./tidemark up, this help also lists the options."
    parts = [f"Usage: tidemark {name} [OPTIONS] [ARGUMENTS]"]
    for text in (*description(name).split("\n\n"), rest):
        verbatim = text.startswith("Examples:")
        lines = [f"  {line}" for line in text.splitlines()] if verbatim else paragraph(text, width, "  ")
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def _section(title: str, rows: dict[str, str], indent: int, width: int) -> list[str]:
    lines = [f"{title}:"]
    for name, text in rows.items():
        lines += paragraph(text, width, f"  {name}".ljust(indent), " " * indent)
    return lines


def description(name: str) -> str:
    """Return a verb's help text, read from its source: importing every verb takes a second."""
    module, function = VERBS[name]
    path = ROOT.joinpath("app", "cli", *module.split(".")).with_suffix(".py")
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        match node:
            case ast.FunctionDef(name=found) if found == function:
                return ast.get_docstring(node) or ""
            case ast.Assign(targets=[ast.Name(id=found)], value=ast.Call(args=[ast.Constant(value=str(text)), *_])):
                if found == function:
                    return inspect.cleandoc(text)
            case _:
                pass
    return ""


def suggest_verbs(word: str) -> str:
    """Return a question that names the verbs spelled like a word, or an empty string."""
    names = difflib.get_close_matches(word, VERBS)
    return f"; did you mean {' or '.join(names)}?" if names else ""


def version() -> str:
    """Return the version of pyproject.toml, with the git revision in a checkout."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        number = str(tomllib.load(file)["project"]["version"])
    revision = _revision()
    return f"{number} ({revision})" if revision else number


def _revision() -> str:
    """Return the short name of the checked-out commit; empty without git, or outside a checkout."""
    if not (ROOT / ".git").exists():
        return ""
    try:
        process = subprocess.run(
            ["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=_GIT_S, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return process.stdout.strip() if process.returncode == 0 else ""
