"""What a verb says to a call, without a process of its own."""

from pathlib import Path

from typer.testing import CliRunner, Result

from app.cli.__main__ import build_parser
from workers.grading.judge import JudgeSettings


def told(settings: JudgeSettings, verb: str, *arguments: str | Path, bwrap: str = "bwrap") -> Result:
    """What a verb says to a call; what a process of its own adds to that is tried once for each verb."""
    environment = {"TIDEMARK_SANDBOX_ROOT": str(settings.sandbox_root), "TIDEMARK_BWRAP": bwrap}
    return CliRunner(env=environment).invoke(build_parser([verb]), [verb, *map(str, arguments)])
