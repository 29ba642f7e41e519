"""The command line's door: `./tidemark VERB`. Only the module of the verb that is called is imported."""

import errno
import gc
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.cli import verbs
from app.cli.tables import terminal_width
from app.cli.verbs import VERBS
from app.domain.errors import InvalidInput, NotFound, NothingThere, TidemarkError

if TYPE_CHECKING:
    import typer

_INTERRUPTED, _PIPE_CLOSED = 130, 141  # as a shell reports a program ended by these signals
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def build(names: Sequence[str]) -> "typer.Typer":
    """The command line with these verbs."""
    from app.cli.parser import build as parser  # help and the version do without Typer

    return parser(names)


def main(arguments: Sequence[str]) -> int:
    """Run one verb. An error made on purpose is one clear line: exit code 2 for the caller's, a name that nothing has
    among them, else 1."""
    try:
        try:
            code = _run(arguments)
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
        if sys.stdout is not None:  # as where a service is started without one
            sys.stdout.flush()  # while a closed pipe can still be answered quietly
    except BrokenPipeError:  # who reads has enough, as `head` does
        _let_go_of_output()
        return _PIPE_CLOSED
    except OSError as lost:
        if lost.errno not in _NO_ROOM:
            raise
        _let_go_of_output()
        where = f" {lost.filename}" if lost.filename else ""
        print(f"tidemark: cannot write{where}: {lost.strerror}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return _INTERRUPTED
    except TidemarkError as wrong:
        print(f"tidemark: {wrong}", file=sys.stderr)
        return 2 if isinstance(wrong, InvalidInput | NotFound) and not isinstance(wrong, NothingThere) else 1
    return code


def _let_go_of_output() -> None:
    """What is still to be written to standard output goes nowhere, rather than failing once more at the end."""
    if sys.__stdout__ is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.__stdout__.fileno())


def _run(arguments: Sequence[str]) -> int:
    called = arguments[0] if arguments else "--help"
    if called in ("--help", "-h", "help"):
        print(verbs.program_help(terminal_width()))
        return 0
    if called == "--version":
        print(f"tidemark {verbs.version()}")
        return 0
    if called not in VERBS:
        what = "options follow the verb" if called.startswith("-") else f"there is no verb {called!r}"
        raise InvalidInput(f"{what}{verbs.nearest(called)} (tidemark --help lists the verbs)")
    _refuse_empty_state(arguments)
    for argument in arguments:
        if any("\ud800" <= character <= "\udfff" for character in argument):  # as Python spells bytes that are no text
            raise InvalidInput(f"{argument[:100]!r} is not UTF-8 text")
    return _call(called, arguments)


def _call(called: str, arguments: Sequence[str]) -> int:
    gc.disable()  # what is imported stays: to look through it for garbage again and again takes a sixth of the time
    try:
        command = build([called])
    except ModuleNotFoundError:
        if "--help" not in arguments:
            raise
        print(verbs.bare_help(called, terminal_width()))
        return 0
    gc.freeze()
    gc.enable()
    _configure_warnings()
    out = sys.stdout
    try:
        command(args=list(arguments), prog_name="tidemark")
    except SystemExit as ended:
        if sys.stdout is not out:  # Typer wraps it when the pipe has closed
            raise BrokenPipeError from ended
        raise
    return 0


def _configure_warnings() -> None:
    """Send warnings to standard error: a verb's standard output is its answer, often JSON."""
    import logging

    import structlog

    from app.log import rendering

    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING),
        logger_factory=lambda *_: structlog.PrintLogger(sys.stderr),
        processors=[
            *structlog.get_config()["processors"][:-1],
            *rendering(console=True, colours=sys.stderr.isatty() and not os.environ.get("NO_COLOR")),
        ],
    )


def _refuse_empty_state(arguments: Sequence[str]) -> None:
    """An unset shell variable must not put the database and its key into the current folder."""
    following = [*arguments[1:], "."]
    if any(
        word == "--state=" or (word == "--state" and value == "")
        for word, value in zip(arguments, following, strict=True)
    ):
        raise InvalidInput("--state is empty: name a folder, or leave it out")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
