"""`tidemark snapshot NAME`: freeze a board under a permanent link."""

import json
from pathlib import Path
from typing import Annotated

import typer

from app.cli.boards import filters
from app.services.boards import snapshots
from app.supervise import attached
from workers.context import make_context, now, use


def snapshot(
    name: filters.Name,
    reason: Annotated[str, typer.Option(help="Why; public, and kept in the audit log.")],
    protocol: filters.Protocol = None,
    rules: filters.Rules = None,
    exposure: filters.Exposure = None,
    start: filters.Start = None,
    end: filters.End = None,
    cutoff_before: filters.CutoffBefore = None,
    platform: filters.Platform = None,
    difficulty: filters.Difficulty = None,
    language: filters.Language = None,
    model: filters.Model = None,
    ref: filters.Reference = None,
    state: Annotated[Path | None, typer.Option("--state", help="State folder.")] = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print the hash and the link as JSON.")] = False,
) -> None:
    """Freeze a board as it is now; the same content is the same snapshot."""
    query, reference = filters.read(name, locals())
    with attached(state, begun=True) as settings:
        ctx = use(make_context(settings))
        sha256 = ctx.commit(snapshots.freeze, query, ctx.cubes, now(), "operator", reason, reference=reference)
        link = f"{settings.public_url.rstrip('/')}/snapshots/{sha256}"
    print(json.dumps({"sha256": sha256, "url": link}) if as_json else f"{sha256}\n{link}")
