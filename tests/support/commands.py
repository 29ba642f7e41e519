"""Verbs as a maintainer types them, over the servers of a test."""

import json
from pathlib import Path
from typing import Any

from typer.testing import CliRunner, Result

from app.cli.__main__ import build_parser
from app.config import Settings

LOOPBACK = "127.0.0.0/8"


def tidemark(settings: Settings, *words: str | int | Path, **names: str) -> Result:
    """Run one verb; `names` are further variables of its environment."""
    environment = {
        "TIDEMARK_DATABASE_URL": settings.database_url, "TIDEMARK_REDIS_URL": settings.redis_url,
        "TIDEMARK_STATE": str(settings.state_dir), "TIDEMARK_SECRET_KEY_FILE": str(settings.secret_key_file),
        "TIDEMARK_SANDBOX_ROOT": str(settings.sandbox_root), "TIDEMARK_SCRATCH_DIR": str(settings.scratch_dir),
        "TIDEMARK_ENDPOINT_ALLOW": LOOPBACK, **names,
    }  # fmt: skip
    return CliRunner(env=environment).invoke(build_parser([str(words[0])]), [str(word) for word in words])


def said(result: Result) -> Any:
    """The JSON that a verb printed."""
    assert result.exception is None, (result.output, repr(result.exception))
    return json.loads(result.stdout)
