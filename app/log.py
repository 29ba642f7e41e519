"""Logs as events: structlog's JSON (or a console's lines), with everybody else's records in the same form."""

import logging
import logging.config
import sys
from typing import TextIO

import structlog

from app.config import Settings

_SHARED: tuple[structlog.typing.Processor, ...] = (
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.StackInfoRenderer(),
)

# Libraries that tell at INFO what our own events tell better.
_QUIET = ("httpx", "httpcore", "apscheduler", "kombu", "uvicorn.access", "alembic.runtime.plugins")


def configure_logging(settings: Settings, stream: TextIO | None = None) -> None:
    """Send structlog's events and the standard library's records to one stream (stderr), once a process.

    Bind request and task facts with `structlog.contextvars`; they appear in every event until cleared.
    """
    out = stream or sys.stderr
    console = settings.log_format == "console" or (settings.log_format == "auto" and out.isatty())
    level = logging.getLevelNamesMapping()[settings.log_level.upper()]
    handler = logging.StreamHandler(out)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=_SHARED,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *_rendering(console=console)],
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


def _rendering(*, console: bool) -> list[structlog.typing.Processor]:
    if console:
        return [structlog.dev.ConsoleRenderer()]
    return [structlog.processors.format_exc_info, structlog.processors.JSONRenderer(ensure_ascii=False)]
