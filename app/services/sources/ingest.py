"""Storage of a scrape's records as contests, problems, and facts about them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from app.db.kernel import logs, revision
from app.db.kernel.session import Session
from app.db.problems import difficulties, texts
from app.db.problems import problems as store
from app.db.sources import contests, standings
from app.db.tables import Contest, Problem
from app.domain.imports import is_plausible
from app.domain.problems import Entry, Form, Level, Limits, Test
from app.domain.publishing.bands import LABELS
from app.domain.publishing.origins import Origin, Sighting
from app.domain.publishing.wording import wording
from app.domain.reasons import Reason
from app.domain.sources.flags import FlagReport
from app.domain.sources.records import (
    DifficultyRating,
    Record,
    Records,
    ScrapedContest,
    ScrapedDifficulty,
    ScrapedProblem,
    ScrapedRatingChange,
    ScrapedStanding,
)
from app.domain.sources.rounds import same_round
from app.domain.sources.schedule import PROBLEMS
from app.domain.states import ContestState, ProblemState
from app.services.problems import publishing


@dataclass(frozen=True, slots=True)
class CaptureContent:
    """One capture's records, what it was asked for, and when: all that storing needs."""

    source_id: int
    purpose: str
    kind: str
    contest: str | None
    records: Records
    capture_id: int | None
    seen_at: datetime


def store_content(session: Session, content: CaptureContent, now: datetime) -> None:
    """Store a capture's records: problems if the visit was for them, else facts about known ones; and standings."""
    if content.purpose == PROBLEMS:
        store_records(
            session,
            content.source_id,
            content.records,
            content.capture_id,
            now,
            seen_at=content.seen_at,
            kind=content.kind,
        )
    else:
        store_facts(session, content.source_id, content.records, content.seen_at)
    if content.contest is not None:
        _store_people(session, content.source_id, content.contest, content.records, content.seen_at)


def _store_people(session: Session, source_id: int, contest: str, records: Records, seen_at: datetime) -> None:
    """Store the participants of a contest, without their names: boards compare models with ratings."""
    places = [record for record in records if isinstance(record, ScrapedStanding)]
    changes = [record for record in records if isinstance(record, ScrapedRatingChange)]
    row = contests.find(session, source_id, contest) if places or changes else None
    if row is not None and places:
        standings.store_standings(session, row.id, places, seen_at)
    if row is not None and changes:
        standings.store_rating_changes(session, row.id, changes, seen_at)


def store_facts(session: Session, source_id: int, records: Records, seen_at: datetime) -> None:
    """Store the difficulties in records of problems that are known here; others are ignored."""
    by_scale: dict[str, dict[str, float]] = {}
    for external_id, rating in _ratings(records):
        if rating is not None:
            scale, value = rating
            by_scale.setdefault(scale, {})[external_id] = value
    for scale, values in by_scale.items():
        difficulties.add_many(session, source_id, scale, values, seen_at)


def _ratings(records: Iterable[Record]) -> Iterator[tuple[str, tuple[str, float] | None]]:
    for record in records:
        if isinstance(record, ScrapedDifficulty):
            yield record.external_id, _rating(DifficultyRating(record.scale, record.value))
        elif isinstance(record, ScrapedProblem) and record.external_id is not None:
            yield record.external_id, _rating(record.difficulty)


def store_records(
    session: Session, source_id: int, records: Records, capture_id: int | None, now: datetime,
    *, seen_at: datetime | None = None, kind: str = "page",
) -> None:  # fmt: skip
    """Store the records of a page as facts: contests first, then problems, then what refers to them.

    A contest's dates come from the lists of contests, not from its problems; a date that was impossible when it was
    seen is ignored. `seen_at` dates the facts that change over time (`now` by default), so that reading an old capture
    again adds nothing.
    """
    seen = seen_at or now
    listed = [record for record in records if isinstance(record, ScrapedContest) and _has_plausible_start(record, seen)]
    contests.upsert_all(
        session, source_id, {record.external_id: _contest_facts(record, now, seen) for record in listed}
    )
    for record in records:
        if isinstance(record, ScrapedProblem) and record.external_id:
            report = FlagReport(kind, seen, bool(record.statements), record.flags)
            _store_problem(session, source_id, record.external_id, record, report, capture_id, now)
        elif isinstance(record, ScrapedDifficulty):
            problem = store.find(session, source_id, record.external_id)
            if problem is not None and problem.source_id == source_id:
                difficulties.add(session, problem.id, record.scale, record.value, seen)


def _rating(difficulty: DifficultyRating | None) -> tuple[str, float] | None:
    """Return the (scale, value) of a record; a site's own words are levels from 1 to 3."""
    if difficulty is None:
        return None
    value = difficulty.value
    if not isinstance(value, str):
        return difficulty.scale, float(value)
    return ("level", float(LABELS.index(Level(value.lower())) + 1)) if value.lower() in LABELS else None


def _has_plausible_start(record: ScrapedContest | ScrapedProblem, seen_at: datetime) -> bool:
    return record.starts_at is None or is_plausible(record.starts_at, seen_at)


def _contest_facts(record: ScrapedContest, now: datetime, seen_at: datetime) -> contests.ContestFacts:
    """Return the facts of a contest as they are stored, without an impossible end."""
    starts, ends = record.starts_at, record.ends_at
    if ends is not None and not is_plausible(ends, seen_at):
        ends = None
    state = ContestState.ENDED
    if starts is not None and starts > now:
        state = ContestState.UPCOMING
    elif ends is not None and ends > now:
        state = ContestState.RUNNING
    return contests.ContestFacts(
        record.title or record.external_id,
        record.kind,
        record.division,
        starts_at=starts,
        ends_at=ends,
        state=state,
    )


def _store_problem(
    session: Session, source_id: int, external_id: str, record: ScrapedProblem, report: FlagReport,
    capture_id: int | None, now: datetime,
) -> None:  # fmt: skip
    problem = store.find(session, source_id, external_id)
    if problem is not None and problem.source_id != source_id:
        _confirm_copy(session, problem, record, capture_id, now)
        return
    if problem is None:
        problem = _twin(session, source_id, external_id, record)
    if problem is None:
        title = record.title or external_id
        problem = store.add_problem(session, source_id, external_id, title, ProblemState.FOUND, Origin.PAGE)
    elif problem.state == ProblemState.CATALOGUED and record.statements:
        store.move(session, problem, ProblemState.FOUND)
    flagged = _store_facts(session, source_id, problem, record, report, now)
    if report.whole:
        _store_versions(session, problem, record, capture_id, now, report.at)
    if flagged:
        publishing.recheck_published(session, problem, now)
    if report.whole or flagged or problem.state == ProblemState.PUBLISHED:  # its tags may have changed
        publishing.update_state(session, problem, now)


def _confirm_copy(
    session: Session, problem: Problem, record: ScrapedProblem, capture_id: int | None, now: datetime
) -> None:
    """Note on another source's problem which page of this site shows it; all else stays as that source has it.

    A page in other words is not noted, and an audit line says so once.
    """
    for locale, text in record.statements.items():
        words = wording(record.title or problem.title, text, record.starter_code)
        if not texts.confirm_text(session, problem.id, locale, words, capture_id):
            differs = f"{record.external_id} {locale} {words}"
            if not logs.has_audit_entry(session, "problem.page_differs", differs):
                logs.write_audit(session, now, "system", "problem.page_differs", problem.title, differs)


def _twin(session: Session, source_id: int, external_id: str, record: ScrapedProblem) -> Problem | None:
    """Return the same problem in the same round for another division, and give it the other name too.

    If ids are the contest's own (contest/index), one problem has an id for each division. Any other id belongs to the
    problem wherever it is asked, so two of them are two problems, whatever their titles.
    """
    if not record.contest or not record.title:
        return None
    if not external_id.startswith(f"{record.contest}/"):
        return None
    contest = contests.find(session, source_id, record.contest)
    if contest is None or contest.starts_at is None:
        return None
    namesakes = store.namesakes(session, contest, record.title)
    twin = next((problem for problem, title in namesakes if same_round(contest.title, title)), None)
    if twin is not None:
        store.add_alias(session, source_id, external_id, twin.id)
    return twin


def _store_facts(
    session: Session, source_id: int, problem: Problem, record: ScrapedProblem, report: FlagReport, now: datetime
) -> bool:
    """Store a record's facts beside the text; return True when the problem's flags changed."""
    seen_at = report.at
    starts, ends = (record.starts_at, record.ends_at) if _has_plausible_start(record, seen_at) else (None, None)
    # First, because this query would flush earlier changes of the problem.
    contest = _contest_of(session, source_id, record.contest, starts, ends) if record.contest else None
    if record.title and store.take_names(problem, Origin.PAGE):
        problem.title = record.title
    if problem.external_id == record.external_id or problem.url is None:  # a twin's page is not its own
        problem.url = record.url or problem.url
    problem.tags = list(record.tags or problem.tags or [])
    if contest is not None:
        starts = contest.starts_at
        # A task shared by two contests belongs to the one that showed it first.
        if problem.contest_id is None or _is_earlier(starts, problem.released_on):
            if problem.released_on is not None and problem.contest_id != contest.id:
                revision.mark_axes_changed(session)
            problem.contest_id = contest.id
    flagged = store.update_flags(problem, report)
    store.date_by(session, problem, starts, Reason("earlier"), now)
    if record.points is not None:
        difficulties.add(session, problem.id, "points", float(record.points), seen_at)
    rating = _rating(record.difficulty)
    if rating is not None:
        difficulties.add(session, problem.id, *rating, seen_at)
    session.flush()
    return flagged


def _contest_of(
    session: Session, source_id: int, external_id: str, starts: datetime | None, ends: datetime | None
) -> Contest:
    """Return the contest a problem names; the problem's dates count only while no list has dated it."""
    contest = contests.find(session, source_id, external_id)
    if contest is not None and contest.starts_at is not None:
        return contest
    facts = contests.ContestFacts(starts_at=starts, ends_at=ends)
    if contest is None:
        facts = replace(facts, title=external_id, state=ContestState.ENDED)
    return contests.upsert(session, source_id, external_id, facts)


def _is_earlier(first: datetime | None, second: datetime | None) -> bool:
    return first is not None and second is not None and first < second


_TEXT_FORMS = (Form.STDIN, Form.INTERACTIVE)  # forms without an entry


def _store_versions(
    session: Session,
    problem: Problem,
    record: ScrapedProblem,
    capture_id: int | None,
    now: datetime,
    seen_at: datetime,
) -> None:
    form = Form(record.form or Form.STDIN)
    if form is Form.INTERACTIVE and form in problem.waived:
        form = Form.STDIN
    fields = {"time_ms": "time_limit_ms", "memory_mb": "memory_limit_mb", "examples": "samples"}
    corrections = [name for name, field in fields.items() if getattr(record, field)]
    if record.form in _TEXT_FORMS:  # read from the statement, which a later parser may read better
        corrections.append("form")
    entry = _entry(record.signature, form)
    for locale, text in record.statements.items():
        title = record.title or problem.title
        new = texts.NewText(
            title,
            text,
            record.starter_code,
            form,
            entry,
            [Test(example.input, example.output) for example in record.samples],
            record.time_limit_ms,
            record.memory_limit_mb,
            Limits().output_kb,  # no site states it
        )
        sighting = Sighting(Origin.PAGE, seen_at, capture_id)
        texts.record_sighting(session, problem.id, locale, new, sighting, corrections)
    publishing.use_texts(session, problem, Reason("source_changed"), now)


def _entry(signature: Entry | None, form: Form) -> Entry | None:
    """Return the entry that programs must define; None if it is not known, which holds a problem back."""
    if signature is None or form not in (Form.FUNCTION, Form.CLASS):
        return None
    returns_nothing = form is Form.CLASS or signature.returns.lower() in ("void", "none")
    if signature.output_param is None and signature.params and returns_nothing:
        return replace(signature, output_param=0)  # a function that returns nothing changes its first argument
    return signature
