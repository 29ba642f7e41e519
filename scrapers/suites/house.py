"""The house league, and any operator's own problems in the same format: a folder described in league/README.md."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from app.domain.cutoffs import SHIPPED_EVIDENCE
from app.domain.errors import BadRow, InvalidImport, InvalidProblem
from app.domain.imports import (
    ImportBatch,
    ImportedContest,
    ImportedModel,
    ImportedProblem,
    ImportedProgram,
    ImportedSource,
    ImportedStandings,
    ImportedStatement,
)
from app.domain.problems import Level
from app.domain.ratings.invented_field import invented_field
from app.domain.sources.kinds import DEMO_SITE
from scrapers.suite import SourceFile, Suite, refusal
from scrapers.suites._common.demo_models import DemoBehaviour, DemoModel, load_demo_models
from scrapers.suites._common.demo_setters import DemoSetter, load_demo_setters
from scrapers.suites._common.house_items import BUILT_ITEMS_FILE, ITEM_FILES, HouseItem, as_built, load_items
from scrapers.suites._common.league import League, LeagueContest, LeagueProblem, load_league, load_problem
from scrapers.suites._common.league_files import PROOFS_FILE
from scrapers.suites._common.live_contests import DatedContest, LiveContest, date_contests

__all__ = [
    "BUILT_ITEMS_FILE",
    "ITEM_FILES",
    "PROOFS_FILE",
    "SOURCE",
    "SUITE",
    "DatedContest",
    "DemoBehaviour",
    "DemoModel",
    "DemoSetter",
    "HouseItem",
    "League",
    "LeagueContest",
    "LeagueProblem",
    "LiveContest",
    "add_invented_standings",
    "as_batch",
    "as_built",
    "as_model",
    "date_contests",
    "load_demo_models",
    "load_demo_setters",
    "load_items",
    "load_league",
    "load_problem",
]  # fmt: skip

SOURCE = ImportedSource("house", "House league", kind="suite", show_statements=True, demo=True)
_DEMO_SITE = ImportedSource(DEMO_SITE, "Harbour Contests", kind="site", show_statements=True, demo=True)
_COMPLAINT = re.compile(
    r"(?P<file>[^:]+)(?::(?P<line>\d+))?: (?P<reason>.*?(?:\(at line (?P<toml>\d+).*)?)$", re.DOTALL
)
_VALIDATOR = """\
import json, sys
space = {{"__name__": "generate"}}
exec(compile({code!r}, "generate.py", "exec"), space)
space["validate"]({read})
"""
_READS_TEXT, _READS_VALUE = "sys.stdin.read()", "json.loads(sys.stdin.read())"
_LEVELS = {level: float(number) for number, level in enumerate(Level, start=1)}


def as_model(model: DemoModel) -> ImportedModel:
    """Return a demo model in the form in which any model is imported."""
    return ImportedModel(
        model.slug, model.name, model.organisation, model.released_on, model.cutoff_on, SHIPPED_EVIDENCE
    )


def as_batch(league: League, name: str = "league") -> ImportBatch:
    """Return the whole league as one import; `name` is its name in the provenance."""
    first = min(contest.starts_at for contest in league.contests)
    return ImportBatch(
        kind="house",
        file_sha256=league.sha256,
        file_name=name,
        sources=(SOURCE, *((_DEMO_SITE,) if league.live else ()), *dict.fromkeys(item.source for item in league.items)),
        problems=(
            *(
                _problem(league, problem, first)
                for problem in league.problems.values()
                if problem.slug not in league.held_back
            ),
            *(item.problem for item in league.items),
        ),
        notes=league.notes,
    )


def add_invented_standings(league: League) -> ImportBatch:
    """Return the whole league as one import, with invented standings of each contest
    (`app.domain.ratings.invented_field`)."""
    batch = as_batch(league)
    standings = tuple(_standings(league, contest) for contest in league.contests)
    digest = hashlib.sha256(f"{batch.file_sha256} {batch.sources} {standings}".encode()).hexdigest()
    return replace(batch, file_sha256=digest, standings=standings)


def _standings(league: League, contest: LeagueContest) -> ImportedStandings:
    levels = {slug: league.problems[slug].level for slug in contest.problems}
    return ImportedStandings(SOURCE.slug, contest.slug, invented_field(contest.slug, levels))


def _problem(league: League, problem: LeagueProblem, first: datetime) -> ImportedProblem:
    contest = league.contest_of(problem.slug)
    spec = problem.spec
    titles = {locale: statement.title for locale, statement in problem.statements.items()}
    return ImportedProblem(
        source=SOURCE.slug,
        external_id=problem.slug,
        title=titles["en"],
        released_on=first if contest is None else contest.starts_at,
        contest=None if contest is None else _contest(contest),
        titles=titles,
        tags=problem.tags,
        difficulty=("level", _LEVELS[problem.level]),
        statements={
            locale: ImportedStatement(statement.title, statement.text, statement.starter_code)
            for locale, statement in problem.statements.items()
        },
        form=spec.form,
        entry=spec.entry,
        limits=spec.limits,
        checker=spec.checker,
        interactor=spec.interactor,
        tests=spec.tests,
        tests_made_by="house league generator",
        shipped_proof=problem.proof,
        programs=problem.programs,
        validator=_validator(problem),
        canary=problem.canary,
        read_at=DEMO_SITE if league.live and contest is not None else None,
    )


def _validator(problem: LeagueProblem) -> ImportedProgram:
    """Return the generator's `validate` as a program that exits with 0 for a legal input."""
    read = _READS_TEXT if problem.spec.entry is None else _READS_VALUE
    return ImportedProgram("validate", "python", _VALIDATOR.format(code=problem.generator, read=read))


def _contest(contest: LeagueContest) -> ImportedContest:
    return ImportedContest(contest.slug, contest.titles["en"], contest.starts_at, contest.ends_at)


def _read(file: SourceFile, _options: Mapping[str, str], now: datetime) -> ImportBatch:
    if file.folder is None:
        raise InvalidImport(f"{file.name}: a league is read from its folder; give the path of its league.toml")
    if file.name != "league.toml":
        raise refusal(BadRow(file.name, 1, "this is not a league.toml; give the path of the league's league.toml"))
    try:
        return as_batch(load_league(file.folder, now), file.name)
    except InvalidProblem as wrong:
        raise refusal(_bad_row(file, file.folder, str(wrong))) from wrong


def _bad_row(file: SourceFile, folder: Path, complaint: str) -> BadRow:
    """Return the bad row of a reader's error message, which begins with a path and perhaps a line."""
    match = _COMPLAINT.match(complaint.removeprefix(f"{folder}/"))
    if match is None:
        return BadRow(file.name, 1, complaint)
    return BadRow(match["file"], int(match["line"] or match["toml"] or 1), match["reason"])


SUITE = Suite("house", "A league in our own format (league.toml)", _read, {})
