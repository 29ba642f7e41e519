"""`tidemark league`: makes the house league's tests and proves that they tell right from wrong. Needs no server."""

import gzip
import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Annotated

import typer

from app.cli.parser import VerbGroup
from app.cli.problems.league_proof import LeagueProof, build_item, make_tests, prove_asserts, prove_item
from app.cli.problems.league_proof import prove_league_problem as prove_problem
from app.config import ROOT, Settings
from app.domain.errors import NotFound
from scrapers.suites.code3 import load_set
from scrapers.suites.house import (
    BUILT_ITEMS_FILE,
    ITEM_FILES,
    PROOFS_FILE,
    as_built,
    load_items,
    load_league,
    load_problem,
)
from workers.grading.answering_judge import AnsweringJudge

league = VerbGroup("Build and prove the tests of the house league.")

_LEAGUE = ROOT / "league"
_ITEMS = "items"  # the items in the forms of suites, beside the problems

Folder = Annotated[Path, typer.Option("--league", metavar="DIR", help="The league's folder.")]
Slugs = Annotated[
    list[str] | None, typer.Argument(metavar="SLUG", help="Problems, or `items`; all of them by default.")
]


@league.command()
def build(slugs: Slugs = None, folder: Folder = _LEAGUE) -> None:
    """Write each problem's tests, by running its generator and first reference program."""
    available = sorted(path.name for path in folder.iterdir() if (path / "problem.toml").is_file())
    names, judge = _check_slugs(slugs, [*available, *_item_names(folder)], folder), _open_judge()
    if _ITEMS in names:
        names.remove(_ITEMS)
        items = load_items(folder, datetime.now(UTC), built=False)
        builds = [(item, build_item(judge, item)) for item in items]
        built_items = {
            item.name: as_built(item, problem_built) for item, problem_built in builds if problem_built is not None
        }
        lines = ",\n".join(
            f"{json.dumps(name)}: {json.dumps(body, ensure_ascii=False)}" for name, body in built_items.items()
        )
        (folder / BUILT_ITEMS_FILE).write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
        print(f"{_ITEMS}: {len(built_items)} built of {len(items)}", flush=True)
    for slug in names:
        path = folder / slug / "tests.jsonl.gz"
        problem = load_problem(folder / slug, built=False)
        old = load_problem(folder / slug).spec.tests if problem.canary and path.exists() else ()
        rows = make_tests(judge, problem, old)
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        packed = gzip.compress(text.encode(), 9, mtime=0)
        path.write_bytes(packed)
        print(f"{slug}: {len(rows)} tests, {len(packed) / 1000:.1f} KB", flush=True)


@league.command()
def prove(slugs: Slugs = None, folder: Folder = _LEAGUE) -> None:
    """Check that each test set accepts right programs and rejects wrong ones.

    The folder code3 beside the problems is proven too. Proofs are recorded in each folder's proofs.json, except those
    of unittests, which depend on the judge's packages. The exit code is 1 if a check fails.
    """
    now, chinese = datetime.now(UTC), folder / "code3"
    league = load_league(folder, now)
    problems = league.problems
    asserted = load_set(chinese, now) if chinese.is_dir() else {}
    names, judge = _check_slugs(slugs, [*sorted({*problems, *asserted}), *_item_names(folder)], folder), _open_judge()
    print(
        f"{'problem':18} {'level':7} {'tests':>5} {'refs':>5} {'wrong':>5} {'trivial':>7} {'worst ms':>9} {'sum ms':>7}"
    )
    failures = 0
    items = league.items if _ITEMS in names else ()
    chosen = [problems[slug] for slug in names if slug in problems]
    if items or chosen:
        known = {slug: problem.proof for slug, problem in problems.items() if problem.proof}
        known |= {item.name: item.problem.shipped_proof for item in league.items if item.problem.shipped_proof}
        proofs = (prove_problem(judge, problem) for problem in chosen)
        failures += _record(folder, known, chain(proofs, (prove_item(judge, item) for item in items)))
    if written := [asserted[slug] for slug in names if slug in asserted]:
        known = {slug: entry.problem.shipped_proof for slug, entry in asserted.items() if entry.problem.shipped_proof}
        failures += _record(chinese, known, (prove_asserts(judge, entry) for entry in written))
    if failures:
        print(f"{failures} problems are not proven")
        raise typer.Exit(1)


def _record(folder: Path, known: Mapping[str, Mapping[str, object]], proofs: Iterable[LeagueProof]) -> int:
    """Print proofs as they come, store those without a miss, and return the number of failures.

    Known proofs of other problems are kept.
    """
    records, failures = dict(known), 0
    for proof in proofs:
        print("\n    MISS ".join([proof.line(), *proof.misses]), flush=True)
        failures += bool(proof.misses)
        records.pop(proof.name, None)
        if proof.is_kept:
            records[proof.name] = proof.record()
    text = json.dumps({name: dict(records[name]) for name in sorted(records)}, indent=1) + "\n"
    (folder / PROOFS_FILE).write_text(text, encoding="utf-8")
    return failures


def _item_names(folder: Path) -> list[str]:
    """Return the name for the items of other forms, if the folder has any."""
    return [_ITEMS] if any((folder / file).exists() for file in ITEM_FILES) else []


def _check_slugs(slugs: list[str] | None, there: list[str], folder: Path) -> list[str]:
    for slug in slugs or ():
        if slug not in there:
            raise NotFound(f"{folder} has no problem {slug!r}")
    return list(slugs or there)


def _open_judge() -> AnsweringJudge:
    """Return a judge that has passed its self-test. Raises SandboxUnavailable."""
    judge = AnsweringJudge(Settings().judge_settings())
    judge.self_test()
    return judge
