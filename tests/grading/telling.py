"""What a verb says to a call that is wrong before anything runs."""

from pathlib import Path

from typer.testing import CliRunner, Result

from app.cli.__main__ import build
from workers.grading.judge import JudgeSettings


def told(settings: JudgeSettings, verb: str, *arguments: str | Path) -> Result:
    """What a verb says to a call, without a process of its own: for calls that are wrong before anything runs."""
    environment = {"TIDEMARK_SANDBOX_ROOT": str(settings.sandbox_root)}
    return CliRunner(env=environment).invoke(build([verb]), [verb, *map(str, arguments)])
