"""Logs as events: structlog's JSON (or a console's lines), with the records of all libraries in the same form.

An event names its request (`request_id`) or task (`task`, `task_id`), if it belongs to one.
"""

import logging
import logging.config
import sys
import threading
from types import TracebackType
from typing import TYPE_CHECKING, TextIO

import structlog
from structlog.tracebacks import ExceptionDictTransformer
from structlog.typing import EventDict, WrappedLogger

from app.domain.characters import make_printable

if TYPE_CHECKING:
    from app.config import Settings

_SHARED: tuple[structlog.typing.Processor, ...] = (
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.StackInfoRenderer(),
)

MAX_FRAMES = 50  # of a traceback

# Libraries whose INFO records only repeat our own events.
_QUIET = ("aiohttp", "httpx", "httpcore", "apscheduler", "kombu", "uvicorn.access", "alembic.runtime.plugins")


def configure_logging(settings: "Settings", stream: TextIO | None = None) -> None:
    """Send structlog's events and the standard library's records to one stream (stderr), once a process.

    Bind request and task facts with `structlog.contextvars`; they appear in every event until cleared.
    """
    out = stream or sys.stderr
    console = settings.log_format == "console" or (settings.log_format == "auto" and out.isatty())
    level = logging.getLevelNamesMapping()[settings.log_level.upper()]
    handler = _LossyHandler(out)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=_SHARED,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *event_processors(console=console)],
        )
    )
    root = logging.getLogger()
    for old in root.handlers[:]:
        root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(level)
    for name in _QUIET:
        logging.getLogger(name).setLevel(max(level, logging.WARNING))
    logging.captureWarnings(capture=True)
    sys.excepthook = _log_uncaught
    threading.excepthook = _log_uncaught_of_thread
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *_SHARED,
            structlog.stdlib.PositionalArgumentsFormatter(),
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        wrapper_class=structlog.stdlib.BoundLogger,
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )


def _log_uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Log the exception that ends this process; Ctrl-C is no failure."""
    if issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)
        return
    structlog.get_logger(__name__).critical("process.failed", exc_info=(kind, error, trace))


def _log_uncaught_of_thread(failure: threading.ExceptHookArgs) -> None:
    if failure.exc_value is not None and not issubclass(failure.exc_type, SystemExit):
        name = None if failure.thread is None else failure.thread.name
        structlog.get_logger(__name__).error("thread.failed", thread=name, exc_info=failure.exc_value)


class _LossyHandler(logging.StreamHandler[TextIO]):
    """A handler that drops what its stream does not take: a log never ends or fails the program that writes it."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__(stream)
        self._lost = 0

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record; after dropped records, report their number with the first one that can be written."""
        lost = self._lost
        super().emit(record)
        if lost and self._lost == lost:
            self._lost = 0
            structlog.get_logger(__name__).warning("log.lines_lost", count=lost)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802  # the library's name
        """Count a record that could not be written; report an error of our own as the library does."""
        if isinstance(sys.exc_info()[1], OSError):
            self._lost += 1
        else:
            super().handleError(record)


def event_processors(*, console: bool, colours: bool = True) -> list[structlog.typing.Processor]:
    """Return the processors that make an event a line that is safe to display.

    Events may hold text of programs, endpoints and sites.
    """
    if console:
        plain = structlog.dev.plain_traceback
        renderer = structlog.dev.ConsoleRenderer(colors=colours, exception_formatter=plain)
        return [structlog.processors.format_exc_info, _readable_values, renderer]
    return [_structured_tracebacks(), structlog.processors.JSONRenderer(ensure_ascii=False), _readable_line]


def _structured_tracebacks() -> structlog.typing.Processor:
    """Make `exception` a list of exceptions with their frames. Values of variables are left out: some are secrets."""
    return structlog.processors.ExceptionRenderer(ExceptionDictTransformer(show_locals=False, max_frames=MAX_FRAMES))


def _readable_values(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    # A line break in a value must not look like another event. Values that are no text are shown as Python spells them.
    return {
        name: make_printable(value) if name == "exception" else " ".join(make_printable(value).splitlines())
        if isinstance(value, str) else value
        for name, value in event.items()
    }  # fmt: skip


def _readable_line(_logger: WrappedLogger, _method: str, line: EventDict) -> str:
    return make_printable(str(line))
