"""The entry point of `./tidemark VERB`. Only the module of the called verb is imported."""

import errno
import gc
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.cli import verbs
from app.cli.tables import terminal_width
from app.cli.verbs import OLD_VERBS, VERBS
from app.domain.errors import InvalidInput, NoObjects, NotFound, TidemarkError

if TYPE_CHECKING:
    import typer

_INTERRUPTED_EXIT, _PIPE_CLOSED_EXIT = 130, 141  # a shell's exit codes for SIGINT and SIGPIPE
_DISK_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def build_parser(names: Sequence[str]) -> "typer.Typer":
    """Return the command line with these verbs."""
    from app.cli.parser import build_parser as parser  # help and the version work without Typer

    return parser(names)


def main(arguments: Sequence[str]) -> int:
    """Run one verb and return its exit code.

    A TidemarkError is printed as one line. The code is 2 for an error of the caller, including an unknown name, else 1.
    """
    try:
        try:
            code = _run(arguments)
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
        if sys.stdout is not None:  # None if started without one, as a service may be
            sys.stdout.flush()  # now, while a closed pipe can still be handled
    except BrokenPipeError:  # the reader has enough, as `head` does
        _discard_output()
        return _PIPE_CLOSED_EXIT
    except OSError as failure:
        if failure.errno not in _DISK_FULL:
            raise
        _discard_output()
        where = f" {failure.filename}" if failure.filename else ""
        print(f"tidemark: cannot write{where}: {failure.strerror}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return _INTERRUPTED_EXIT
    except TidemarkError as error:
        print(f"tidemark: {error}", file=sys.stderr)
        return 2 if isinstance(error, InvalidInput | NotFound) and not isinstance(error, NoObjects) else 1
    return code


def _discard_output() -> None:
    """Discard the rest of standard output, so that the final flush does not fail again."""
    if sys.__stdout__ is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.__stdout__.fileno())


def _run(arguments: Sequence[str]) -> int:
    verb = arguments[0] if arguments else "--help"
    if verb in ("--help", "-h", "help"):
        print(verbs.program_help(terminal_width()))
        return 0
    if verb == "--version":
        print(f"tidemark {verbs.version()}")
        return 0
    if verb in OLD_VERBS:
        print(f'tidemark: the verb "{verb}" is now "{OLD_VERBS[verb]}"', file=sys.stderr)
        return _run([OLD_VERBS[verb], *arguments[1:]])
    if verb not in VERBS:
        what = "options follow the verb" if verb.startswith("-") else f"unknown verb {verb!r}"
        raise InvalidInput(f"{what}{verbs.suggest_verbs(verb)} (tidemark --help lists the verbs)")
    _refuse_empty_state(arguments)
    for argument in arguments:
        if any("\ud800" <= character <= "\udfff" for character in argument):  # surrogates stand for undecodable bytes
            raise InvalidInput(f"{argument[:100]!r} is not UTF-8 text")
    return _call(verb, arguments)


def _call(verb: str, arguments: Sequence[str]) -> int:
    gc.disable()  # collections during the imports take a sixth of the time and free nothing
    try:
        command = build_parser([verb])
    except ModuleNotFoundError:
        if "--help" not in arguments:
            raise
        print(verbs.bare_help(verb, terminal_width()))
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

    from app.log import event_processors

    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING),
        logger_factory=lambda *_: structlog.PrintLogger(sys.stderr),
        processors=[
            *structlog.get_config()["processors"][:-1],
            *event_processors(console=True, colours=sys.stderr.isatty() and not os.environ.get("NO_COLOR")),
        ],
    )


def _refuse_empty_state(arguments: Sequence[str]) -> None:
    """Raise InvalidInput for an empty --state: an unset shell variable must not put the database and its key here."""
    following = [*arguments[1:], "."]
    if any(
        word == "--state=" or (word == "--state" and value == "")
        for word, value in zip(arguments, following, strict=True)
    ):
        raise InvalidInput("--state is empty: name a folder, or leave it out")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
