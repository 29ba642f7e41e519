"""`tidemark scrape SITE` and `tidemark replay SITE`."""

import json
import time
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from app.cli.parser import State
from app.cli.tables import paragraph, terminal_width
from app.db.sources.captures import NewCapture
from app.domain import windows
from app.domain.errors import InvalidInput
from app.domain.states import ScrapeState
from app.services.sources import visits
from app.supervise import open_state
from scrapers.crawl import CrawlFinished, crawl
from scrapers.records import as_json as record_json
from scrapers.site import ParsedPage, Site, find_site
from workers import tasks
from workers.context import Context, make_context, now, use
from workers.sites import Sites
from workers.visiting import site_policy

_NOT_SUCCEEDED_EXIT = 3


def scrape(
    site: Annotated[str, typer.Argument(metavar="SITE", help="A site, such as atcoder.")],
    backfill: Annotated[
        str | None, typer.Option(metavar="FROM..TO", help="Also read contests that started on these days.")
    ] = None,
    state: State = None,
    facts: Annotated[str | None, typer.Option(metavar="NAME", help="Fetch only these facts, such as ratings.")] = None,
    *,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Store nothing. A backfill only counts its requests.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the outcome as JSON.")] = False,
) -> None:
    """Visit a source now.

    The exit code is 3 when the visit was partial, blocked or failed.

    Examples:
      ./tidemark scrape atcoder
      ./tidemark scrape codeforces --backfill 2026-01-01..2026-02-01 --dry-run
    """
    start, end = _window(backfill)
    if facts is not None and (backfill is not None or dry_run):
        raise InvalidInput("--facts cannot be combined with --backfill or --dry-run", pointer="/facts")
    source = find_site(site)
    with open_state(state) as settings:
        ctx = use(make_context(settings))
        source = ctx.part(Sites).find(site)
        if facts is not None:
            source.facts_named(facts)
            outcome = _outcome(ctx, tasks.gather_facts(site, facts))
        else:
            outcome = _rehearse(ctx, source, start, end) if dry_run else _visit(ctx, site, start, end)
    if as_json:
        print(json.dumps(outcome, indent=2, ensure_ascii=False))
    else:
        reason = f": {outcome['reason']}" if outcome["reason"] else ""
        print(f"{site} {outcome['state']}{reason}")
        counts = ", ".join(f"{name} {count}" for name, count in sorted(outcome["counts"].items()))
        print("\n".join(paragraph(counts, terminal_width(), "  ")))
        if "requests_to_come" in outcome["counts"]:
            minutes = outcome["counts"]["requests_to_come"] * ctx.part(Sites).pace_s(source) / 60
            print(f"  about {minutes:.0f} minutes at the site's pace; leave out --dry-run to begin")
    if outcome["state"] != ScrapeState.SUCCEEDED:
        raise typer.Exit(_NOT_SUCCEEDED_EXIT)


def _visit(ctx: Context, site: str, start: str | None, end: str | None) -> dict[str, Any]:
    run_id = tasks.scrape(site, start, end)
    if run_id is not None:
        tasks.plan_runs()
    return _outcome(ctx, run_id)


def _outcome(ctx: Context, run_id: int | None) -> dict[str, Any]:
    if run_id is None:
        return {"state": "failed", "reason": "another scrape of it is running, or it is switched off", "counts": {}}
    return ctx.commit(visits.outcome, run_id)


def _rehearse(ctx: Context, site: Site, start: str | None, end: str | None) -> dict[str, Any]:
    """Return the outcome of a crawl that stores nothing; a backfill, which may be long, only reads the lists."""
    visit_policy = site_policy(ctx, site)
    if not visit_policy.enabled or ctx.commit(visits.is_paused, site.name):
        return _outcome(ctx, None)
    window = windows.parse_window(start, end)
    *_, last = crawl(
        site, backfill=window, now=now(), margin=visit_policy.margin, fetch_statements=visit_policy.fetch_statements,
        count_only=window is not None, **ctx.part(Sites).crawl_settings(site),
    )  # fmt: skip
    assert isinstance(last, CrawlFinished)  # a crawl always ends with it
    return {"state": last.state, "reason": last.reason, "counts": dict(last.counts)}


def _window(backfill: str | None) -> tuple[str | None, str | None]:
    if backfill is None:
        return None, None
    start, dots, end = backfill.partition("..")
    if not dots or not start or not end:
        raise InvalidInput("--backfill must be FROM..TO, two dates", pointer="/backfill")
    return start, end


def replay(
    site: Annotated[str, typer.Argument(metavar="SITE", help="A site, such as atcoder.")],
    state: State = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print the counts as JSON.")] = False,
) -> None:
    """Parse every stored response of a source again, without the network."""
    find_site(site)
    began = time.monotonic()
    with open_state(state, begun=True) as settings:
        use(make_context(settings))
        counts = tasks.replay(site)
        tasks.plan_runs()
    if as_json:
        print(json.dumps(counts))
    else:
        summary = ", ".join(f"{name} {count}" for name, count in counts.items())
        line = f"{site}: {summary} in {time.monotonic() - began:.1f} s"
        print("\n".join(paragraph(line, terminal_width(), hanging="  ")))


def keep_page(site: Site, kind: str, body: bytes, url: str, parsed: ParsedPage, state: Path | None) -> None:
    """Store a page that a person saved, with its records, for `tidemark parse --keep`."""
    findings = [asdict(finding) for finding in parsed.findings]
    records = [record_json(record) for record in parsed.records]
    with open_state(state) as settings:
        ctx = use(make_context(settings))
        capture = NewCapture(
            url, kind, None, parsed.classification, {}, body, findings, len(records), now(), shape=parsed.shape
        )
        visit_policy = site_policy(ctx, ctx.part(Sites).find(site.name))
        ctx.commit(visits.store_saved_page, site.name, visit_policy, capture, records, now())
        tasks.plan_runs()
