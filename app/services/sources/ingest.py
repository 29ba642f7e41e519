"""Storage of a scrape's records as contests and problems. Records come in the JSON shape every parser prints."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from app.db.kernel import revision
from app.db.kernel.session import Session
from app.db.problems import difficulties, texts
from app.db.problems import problems as store
from app.db.sources import contests, obligations
from app.db.tables import Contest, Problem
from app.domain.errors import InvalidProblem
from app.domain.imports import is_plausible
from app.domain.judging.problem_file import parse_entry
from app.domain.problems import Entry, Form, Level, Limits
from app.domain.publishing.bands import LABELS
from app.domain.publishing.holds import statement_sha256
from app.domain.publishing.origins import Origin, Sighting
from app.domain.reasons import Reason
from app.domain.sources.flags import FlagReport
from app.domain.sources.rounds import same_round
from app.domain.sources.schedule import PROBLEMS
from app.domain.states import ContestState, ProblemState
from app.services.problems import publishing

Records = Sequence[Mapping[str, Any]]


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


# Fields stored of each person of a contest, in this order.
_PERSON_FIELDS = {
    "standing": ("rank", "rating", "points", "penalty", "solved"),
    "rating_change": ("rank", "old", "new"),
}


def _store_people(session: Session, source_id: int, contest: str, records: Records, seen_at: datetime) -> None:
    """Store the participants of a contest, without their names: boards compare models with ratings."""
    for kind, names in _PERSON_FIELDS.items():
        rows = [[record.get(name) for name in names] for record in records if record["type"] == kind]
        row = contests.find(session, source_id, contest) if rows else None
        if row is not None:
            obligations.keep_standings(session, row.id, kind, rows, seen_at)


def store_facts(session: Session, source_id: int, records: Records, seen_at: datetime) -> None:
    """Store the difficulties in records of problems that are known here; others are ignored."""
    by_scale: dict[str, dict[str, float]] = {}
    for record in records:
        rating = _rating(record if record["type"] == "difficulty" else record.get("difficulty"))
        if rating is not None:
            scale, value = rating
            by_scale.setdefault(scale, {})[record["external_id"]] = value
    for scale, values in by_scale.items():
        difficulties.add_many(session, source_id, scale, values, seen_at)


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
    listed = {record["external_id"]: _contest(record, now, seen) for record in records if _is_contest(record, seen)}
    contests.upsert_all(session, source_id, listed)
    for record in records:
        if record["type"] == "problem" and record.get("external_id"):
            word = FlagReport(kind, seen, bool(record.get("statements")), tuple(record.get("flags") or ()))
            _store_problem(session, source_id, record, word, capture_id, now)
        elif record["type"] == "difficulty":
            problem = store.find(session, source_id, record["external_id"])
            if problem is not None:
                difficulties.add(session, problem.id, record["scale"], record["value"], seen)


def _rating(difficulty: Mapping[str, Any] | None) -> tuple[str, float] | None:
    """Return the (scale, value) of a record; a site's own words are levels from 1 to 3."""
    if not difficulty:
        return None
    value = difficulty["value"]
    if isinstance(value, str) and value.lower() in LABELS:
        return "level", float(LABELS.index(Level(value.lower())) + 1)
    return (difficulty["scale"], float(value)) if isinstance(value, int | float) else None


def _times(record: Mapping[str, Any]) -> tuple[datetime | None, datetime | None]:
    starts, ends = (None if text is None else datetime.fromisoformat(text)
                    for text in (record.get("starts_at"), record.get("ends_at")))  # fmt: skip
    return starts, ends


def _is_contest(record: Mapping[str, Any], seen_at: datetime) -> bool:
    """Return True for a contest whose date is possible."""
    if record["type"] != "contest":
        return False
    starts, _ = _times(record)
    return starts is None or is_plausible(starts, seen_at)


def _contest(record: Mapping[str, Any], now: datetime, seen_at: datetime) -> dict[str, Any]:
    """Return the facts of a contest as they are stored, without an impossible end."""
    starts, ends = _times(record)
    if ends is not None and not is_plausible(ends, seen_at):
        ends = None
    state = ContestState.ENDED
    if starts is not None and starts > now:
        state = ContestState.UPCOMING
    elif ends is not None and ends > now:
        state = ContestState.RUNNING
    return {
        "title": record.get("title") or record["external_id"],
        "kind": record.get("kind"),
        "division": record.get("division"),
        "starts_at": starts,
        "ends_at": ends,
        "state": state,
    }


def _store_problem(
    session: Session, source_id: int, record: Mapping[str, Any], word: FlagReport, capture_id: int | None, now: datetime
) -> None:
    key = record["external_id"]
    problem = store.find(session, source_id, key)
    if problem is None:
        problem = _twin(session, source_id, record)
    if problem is None:
        problem = store.add_problem(
            session, source_id, key, record.get("title") or key, ProblemState.FOUND, Origin.PAGE
        )
    elif problem.state == ProblemState.CATALOGUED and record.get("statements"):
        store.move(session, problem, ProblemState.FOUND)
    flagged = _store_facts(session, source_id, problem, record, word, now)
    if word.whole:
        _store_versions(session, problem, record, capture_id, now, word.at)
    if flagged:
        publishing.recheck_published(session, problem, now)
    if word.whole or flagged or problem.state == ProblemState.PUBLISHED:  # its tags may have changed
        publishing.update_state(session, problem, now)


def _twin(session: Session, source_id: int, record: Mapping[str, Any]) -> Problem | None:
    """Return the same problem in the same round for another division, and give it the other name too.

    If ids are the contest's own (contest/index), one problem has an id for each division. Any other id belongs to the
    problem wherever it is asked, so two of them are two problems, whatever their titles.
    """
    name = record.get("contest")
    if not name or not record.get("title"):
        return None
    if not record["external_id"].startswith(f"{name}/"):
        return None
    contest = contests.find(session, source_id, name)
    if contest is None or contest.starts_at is None:
        return None
    namesakes = store.namesakes(session, contest, record["title"])
    twin = next((problem for problem, title in namesakes if same_round(contest.title, title)), None)
    if twin is not None:
        store.add_alias(session, source_id, record["external_id"], twin.id)
    return twin


def _store_facts(
    session: Session, source_id: int, problem: Problem, record: Mapping[str, Any], word: FlagReport, now: datetime
) -> bool:
    """Store a record's facts beside the text; return True when the problem's flags changed."""
    seen_at = word.at
    starts, ends = _times(record)
    if starts is not None and not is_plausible(starts, seen_at):
        starts, ends = None, None
    # First, because this query would flush earlier changes of the problem.
    contest = _contest_of(session, source_id, record["contest"], starts, ends) if record.get("contest") else None
    if record.get("title") and store.take_names(problem, Origin.PAGE):
        problem.title = record["title"]
    if problem.external_id == record["external_id"] or problem.url is None:  # a twin's page is not its own
        problem.url = record.get("url") or problem.url
    problem.tags = list(record.get("tags") or problem.tags or [])
    if contest is not None:
        starts = contest.starts_at
        # A task shared by two contests belongs to the one that showed it first.
        if problem.contest_id is None or _is_earlier(starts, problem.released_on):
            if problem.released_on is not None and problem.contest_id != contest.id:
                revision.mark_axes_changed(session)
            problem.contest_id = contest.id
    flagged = store.update_flags(problem, word)
    store.date_by(session, problem, starts, Reason("earlier"), now)
    if record.get("points") is not None:
        difficulties.add(session, problem.id, "points", float(record["points"]), seen_at)
    rating = _rating(record.get("difficulty"))
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
    facts = {} if contest is not None else {"title": external_id, "state": ContestState.ENDED}
    return contests.upsert(session, source_id, external_id, facts | {"starts_at": starts, "ends_at": ends})


def _is_earlier(first: datetime | None, second: datetime | None) -> bool:
    return first is not None and second is not None and first < second


_TEXT_FORMS = (Form.STDIN, Form.INTERACTIVE)  # forms without an entry


def _store_versions(
    session: Session,
    problem: Problem,
    record: Mapping[str, Any],
    capture_id: int | None,
    now: datetime,
    seen_at: datetime,
) -> None:
    form = Form(record.get("form") or Form.STDIN)
    if form is Form.INTERACTIVE and form in problem.waived:
        form = Form.STDIN
    fields = {"time_ms": "time_limit_ms", "memory_mb": "memory_limit_mb", "examples": "samples"}
    corrections = [name for name, field in fields.items() if record.get(field)]
    if record.get("form") in _TEXT_FORMS:  # read from the statement, which a later parser may read better
        corrections.append("form")
    entry = _entry(record.get("signature"), form)
    for locale, text in record["statements"].items():
        title, starter = record.get("title") or problem.title, dict(record.get("starter_code") or {})
        texts.record_sighting(
            session,
            problem.id,
            locale,
            statement_sha256(title, text, starter),
            {
                "title": title,
                "statement": text,
                "form": form,
                "entry": None if entry is None else asdict(entry),
                "starter_code": starter,
                "examples": [
                    {"input": example["input"], "expected": example["output"]} for example in record["samples"]
                ],
                "time_ms": record.get("time_limit_ms"),
                "memory_mb": record.get("memory_limit_mb"),
                "output_kb": Limits().output_kb,  # no site states it
            },
            Sighting(Origin.PAGE, seen_at, capture_id),
            corrections,
        )
    publishing.use_texts(session, problem, Reason("source_changed"), now)


def _entry(signature: Mapping[str, Any] | None, form: Form) -> Entry | None:
    """Return the entry that programs must define; None if it is not known, which holds a problem back."""
    if signature is None or form not in (Form.FUNCTION, Form.CLASS):
        return None
    try:
        # A function of a site is a method of its class Solution.
        return parse_entry({"class": "Solution", **signature}, form)
    except (InvalidProblem, KeyError, TypeError, AttributeError):
        return None
