"""`tidemark scrape SITE` and `tidemark replay SITE`."""

import json
import time
from pathlib import Path
from typing import Annotated, Any

import typer

from app.cli.parser import State
from app.cli.tables import paragraph, terminal_width
from app.domain import windows
from app.domain.errors import InvalidInput
from app.domain.sources.crawl_events import CrawlFinished, PageCaptured
from app.domain.sources.crawl_job import CrawlJob
from app.domain.sources.records import finding_to_json
from app.domain.states import ScrapeState
from app.services.sources import visits
from app.supervise import open_state
from scrapers.crawl import crawl
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
        print(json.dumps(_outcome_to_json(outcome), indent=2, ensure_ascii=False))
    else:
        reason = f": {outcome.reason}" if outcome.reason else ""
        print(f"{site} {outcome.state}{reason}")
        counts = ", ".join(f"{name} {count}" for name, count in sorted(outcome.counts.items()))
        print("\n".join(paragraph(counts, terminal_width(), "  ")))
        if "requests_to_come" in outcome.counts:
            minutes = outcome.counts["requests_to_come"] * ctx.part(Sites).pace_s(source) / 60
            print(f"  about {minutes:.0f} minutes at the site's pace; leave out --dry-run to begin")
    if outcome.state is not ScrapeState.SUCCEEDED:
        raise typer.Exit(_NOT_SUCCEEDED_EXIT)


def _visit(ctx: Context, site: str, start: str | None, end: str | None) -> CrawlFinished:
    run_id = tasks.scrape(site, start, end)
    if run_id is not None:
        tasks.plan_runs()
    return _outcome(ctx, run_id)


def _outcome(ctx: Context, run_id: int | None) -> CrawlFinished:
    if run_id is None:
        return CrawlFinished(ScrapeState.FAILED, "another scrape of it is running, or it is switched off", {})
    return ctx.commit(visits.outcome, run_id)


def _outcome_to_json(outcome: CrawlFinished) -> dict[str, Any]:
    findings = [finding_to_json(finding) for finding in outcome.findings]
    return {
        "state": outcome.state,
        "reason": outcome.reason,
        "counts": dict(outcome.counts),
        "findings": findings,
    }


def _rehearse(ctx: Context, site: Site, start: str | None, end: str | None) -> CrawlFinished:
    """Return the outcome of a crawl that stores nothing; a backfill, which may be long, only reads the lists."""
    visit_policy = site_policy(ctx, site)
    if not visit_policy.enabled or ctx.commit(visits.is_paused, site.name):
        return _outcome(ctx, None)
    window = windows.parse_window(start, end)
    job = CrawlJob(
        now(), visit_policy.margin, visit_policy.fetch_statements, backfill=window, count_only=window is not None
    )
    *_, last = crawl(site, job, ctx.part(Sites).connection(site))
    assert isinstance(last, CrawlFinished)  # a crawl always ends with it
    return last


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
    with open_state(state) as settings:
        ctx = use(make_context(settings))
        page = PageCaptured(
            url, kind, None, parsed.classification, body, {}, now(), parsed.records, parsed.findings, shape=parsed.shape
        )
        visit_policy = site_policy(ctx, ctx.part(Sites).find(site.name))
        ctx.commit(visits.store_saved_page, site.name, visit_policy, page, now())
        tasks.plan_runs()
