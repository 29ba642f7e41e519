"""The command line's door: `./tidemark VERB`. Only the module of the verb that is called is imported."""

import gc
import importlib
import logging
import sys
from collections.abc import Sequence
from typing import NamedTuple

import structlog
import typer

from app.domain.errors import InvalidInput, TidemarkError


class Verb(NamedTuple):
    """Where a verb's function (or group of verbs) lives."""

    module: str
    function: str


VERBS: dict[str, Verb] = {
    "up": Verb("operations.up", "up"),
    "down": Verb("operations.up", "down"),
    "status": Verb("operations.up", "status"),
    "logs": Verb("operations.up", "logs"),
    "test": Verb("operations.test", "test"),
    "board": Verb("boards.board", "board"),
    "snapshot": Verb("boards.snapshot", "snapshot"),
    "model": Verb("runs.model", "model"),
    "import": Verb("problems.imports", "import_files"),
    "export": Verb("boards.export", "export"),
    "scrape": Verb("sources.scrape", "scrape"),
    "replay": Verb("sources.scrape", "replay"),
    "parse": Verb("sources.parse", "parse"),
    "grade": Verb("runs.grade", "grade"),
    "testgen": Verb("problems.testgen", "make_suite"),
    "league": Verb("problems.league", "league"),
    "rejudge": Verb("rejudging.rejudge", "rejudge"),
    "key": Verb("operations.access", "key"),
    "alarm": Verb("operations.access", "alarm"),
    "link": Verb("operations.access", "link"),
    "perf": Verb("operations.perf", "perf"),
}


def build(names: Sequence[str]) -> typer.Typer:
    """The command line with these verbs."""
    app = typer.Typer(add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False, rich_markup_mode=None)

    @app.callback()
    def tidemark() -> None:
        """Tidemark: a live benchmark service for code models."""

    for name in names:
        verb = VERBS[name]
        target = getattr(importlib.import_module(f"app.cli.{verb.module}"), verb.function)
        if isinstance(target, typer.Typer):
            app.add_typer(target, name=name)
        else:
            app.command(name)(target)
    return app


def main(arguments: Sequence[str]) -> int:
    """Run one verb. An error made on purpose is one clear line: exit code 2 for the caller's, else 1."""
    # A verb's standard output is its answer, often JSON; what it has to say besides goes to standard error.
    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING),
        logger_factory=lambda *_: structlog.PrintLogger(sys.stderr),
    )
    called = arguments[0] if arguments else ""
    try:
        _refuse_empty_state(arguments)
        gc.disable()  # what is imported stays: to look through it for garbage again and again takes a sixth of the time
        verbs = build([called] if called in VERBS else list(VERBS))
        gc.freeze()
        gc.enable()
        verbs(args=list(arguments), prog_name="tidemark")
    except TidemarkError as wrong:
        print(f"tidemark: {wrong}", file=sys.stderr)
        return 2 if isinstance(wrong, InvalidInput) else 1
    return 0


def _refuse_empty_state(arguments: Sequence[str]) -> None:
    """An unset shell variable must not put the database and its key into the current folder."""
    pairs = zip(arguments, [*arguments[1:], "."], strict=True)
    if any(word == "--state=" or (word == "--state" and value == "") for word, value in pairs):
        raise InvalidInput("--state is empty: name a folder, or leave it out")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
