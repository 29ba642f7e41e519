"""Actions of maintainers on sources, contests, problems, reports and alerts: each with a reason, in the audit log."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from enum import StrEnum

from app.db.kernel import logs
from app.db.kernel.session import Session
from app.db.problems import problems as store
from app.db.sources import expected_data, monitoring
from app.db.tables import Contest, Source
from app.domain.audit_reason import check_reason
from app.domain.errors import Conflict, InvalidInput, NotFound
from app.domain.sources.kinds import SourceKind
from app.domain.sources.schedule import PROBLEMS, ExpectedData
from app.domain.states import ExpectedDataState
from app.services.evidence import signing
from app.services.operations import alerts
from app.services.problems import quarantine
from app.services.runs.control import run_control
from app.services.runs.models import refuse_rivals
from app.services.vendors import declarations, disputes

_MOST_SUBJECTS = 200
_SNOOZE_DAYS = 7

Wake = tuple[str, ...]  # a task's name and its arguments
_ANNOUNCE_SCORES: Wake = ("aggregate",)  # announces the scores that this moved


class Action(StrEnum):
    """An action of a maintainer; the first word says what kind of subject it applies to."""

    SOURCE_RUN = "source.run"
    SOURCE_PAUSE = "source.pause"
    SOURCE_RESUME = "source.resume"
    SOURCE_COUNT = "source.count"
    SOURCE_BACKFILL = "source.backfill"
    SOURCE_REPLAY = "source.replay"
    CONTEST_AGAIN = "contest.again"
    CONTEST_CLOSE = "contest.close"
    PROBLEM_RELEASE = "problem.release"
    PROBLEM_WITHDRAW = "problem.withdraw"
    CAPTURE_ACCEPT = "capture.accept"
    CAPTURE_IGNORE = "capture.ignore"
    DISPUTE_UPHOLD = "dispute.uphold"
    DISPUTE_REJECT = "dispute.reject"
    ALERT_SNOOZE = "alert.snooze"
    CONTAMINATION_SIGN = signing.SIGNED
    CONTAMINATION_RETRACT = signing.RETRACTED
    CUTOFF_ACCEPT = "cutoff.accept"
    CUTOFF_REFUSE = "cutoff.refuse"
    RUN_VOID = "run.void"


# Actions that move others' rows or change what is said of them, or keep problems off boards.
_MOVING_KINDS = frozenset({"problem", "dispute", "contamination", "cutoff", "run"})
_MOVING_ACTIONS = frozenset(action for action in Action if action.partition(".")[0] in _MOVING_KINDS) | {
    Action.CONTEST_CLOSE
}


@dataclass(frozen=True, slots=True)
class ActionRequest:
    """A maintainer's request: one action on one or more subjects, with its reason. A backfill has its days."""

    action: Action
    subjects: tuple[str, ...]
    reason: str
    start: date | None = None
    end: date | None = None


@dataclass(frozen=True, slots=True)
class ActionOutcome:
    """Number of subjects that the action was applied to, why it failed on the others, and the tasks to wake."""

    done: int
    refused: tuple[str, ...]
    wakes: tuple[Wake, ...]


def carry_out(session: Session, order: ActionRequest, actor: str, now: datetime) -> ActionOutcome:
    """Apply the action to every subject that allows it. Raises InvalidInput without a reason or a subject.

    A member of an organisation with rows on boards may not decide on anything that moves its rivals' rows or its own.
    """
    order = replace(order, reason=check_reason(order.reason))
    if not 1 <= len(order.subjects) <= _MOST_SUBJECTS:
        raise InvalidInput(f"select 1 to {_MOST_SUBJECTS} entries", pointer="/subject")
    do = _ACTIONS[order.action]
    done, refused, wakes = 0, [], dict[Wake, None]()
    for subject in sorted(order.subjects):  # one order, so that two forms with the same rows cannot deadlock
        try:
            with session.begin_nested():
                if order.action in _MOVING_ACTIONS:
                    refuse_rivals(session, actor)
                woken = do(session, order, subject, actor, now)
        except (Conflict, NotFound) as no:
            refused.append(str(no))
            continue
        done += 1
        wakes |= dict.fromkeys(woken)
    return ActionOutcome(done, tuple(refused), tuple(wakes))


def _source(session: Session, order: ActionRequest, subject: str, actor: str, now: datetime) -> list[Wake]:
    source = None if "\0" in subject else store.source_by_slug(session, subject)
    if source is None or source.kind != SourceKind.SITE:
        raise NotFound(f"there is no site {subject}")
    days = _days(order) if order.action in (Action.SOURCE_COUNT, Action.SOURCE_BACKFILL) else ()
    before = source.enabled
    if order.action in (Action.SOURCE_PAUSE, Action.SOURCE_RESUME):
        source.enabled = order.action is Action.SOURCE_RESUME
    elif not source.enabled and order.action is not Action.SOURCE_REPLAY:
        raise Conflict(f"{subject} is paused")
    after = {"enabled": source.enabled, **({"days": list(days)} if days else {})}
    logs.write_audit(session, now, actor, order.action, subject, order.reason, {"enabled": before}, after)
    task = {
        Action.SOURCE_RUN: "scrape",
        Action.SOURCE_COUNT: "count",
        Action.SOURCE_BACKFILL: "scrape",
        Action.SOURCE_REPLAY: "replay",
    }.get(order.action)
    return [(task, subject, *days)] if task else []


def _days(order: ActionRequest) -> tuple[str, str]:
    if order.start is None or order.end is None or order.start >= order.end:
        raise InvalidInput("a backfill needs a first day and a later end day", pointer="/from")
    return order.start.isoformat(), order.end.isoformat()


def _contest(session: Session, order: ActionRequest, subject: str, actor: str, now: datetime) -> list[Wake]:
    contest = session.get(Contest, _number(subject))
    if contest is None:
        raise NotFound(f"there is no contest {subject}")
    slug = session.get_one(Source, contest.source_id).slug
    name = f"{slug}/{contest.external_id}"
    if order.action is Action.CONTEST_AGAIN:
        if not expected_data.reopen(session, contest.id, now, ExpectedData().grace):
            raise Conflict(f"nothing is missing from {name}")
        wakes: list[Wake] = [("schedule",)]
    else:
        entry = expected_data.find(session, contest.source_id, contest.external_id, PROBLEMS)
        if entry is None or entry[1] is not ExpectedDataState.OPEN:
            raise Conflict(f"nothing is missing from {name}")
        expected_data.close(session, contest.id, PROBLEMS, ExpectedDataState.CLOSED, order.reason, now)
        wakes = []
    logs.write_audit(session, now, actor, order.action, name, order.reason)
    return wakes


def _problem(session: Session, order: ActionRequest, subject: str, actor: str, now: datetime) -> list[Wake]:
    problem = quarantine.find(session, subject)
    if order.action is Action.PROBLEM_RELEASE:
        quarantine.release(session, problem, actor, order.reason, now)
        return [("plan",)]
    quarantine.withdraw(session, problem, actor, order.reason, now)
    return [_ANNOUNCE_SCORES]


def _capture(session: Session, order: ActionRequest, subject: str, actor: str, now: datetime) -> list[Wake]:
    decision = {Action.CAPTURE_ACCEPT: "accepted", Action.CAPTURE_IGNORE: "ignored"}[order.action]
    if not monitoring.review(session, [_number(subject)], decision):
        raise Conflict(f"capture {subject} has already been decided")
    logs.write_audit(session, now, actor, order.action, subject, order.reason)
    return []


def _dispute(session: Session, order: ActionRequest, subject: str, actor: str, now: datetime) -> list[Wake]:
    upheld = order.action is Action.DISPUTE_UPHOLD
    disputes.answer_dispute(session, _number(subject), actor, order.reason, now, upheld=upheld)
    return []


def _alert(session: Session, order: ActionRequest, subject: str, actor: str, now: datetime) -> list[Wake]:
    alerts.snooze(session, _number(subject), _SNOOZE_DAYS, actor, order.reason, now)
    return []


def _contamination(session: Session, order: ActionRequest, subject: str, actor: str, now: datetime) -> list[Wake]:
    do = signing.sign if order.action is Action.CONTAMINATION_SIGN else signing.retract
    do(session, subject, order.reason, now, actor)
    return []


def _cutoff(session: Session, order: ActionRequest, subject: str, actor: str, now: datetime) -> list[Wake]:
    accept = order.action is Action.CUTOFF_ACCEPT
    declarations.decide_declaration(session, _number(subject), order.reason, now, actor, accept=accept)
    return [("report",)] if accept else []


def _run(session: Session, order: ActionRequest, subject: str, actor: str, now: datetime) -> list[Wake]:
    run_control.void(session, _number(subject), order.reason, now, actor)
    return [_ANNOUNCE_SCORES]


def _number(subject: str) -> int:
    if not (subject.isascii() and subject.isdigit() and len(subject) <= 18):
        raise NotFound(f"{subject[:40]!r} is not a number")
    return int(subject)


_KINDS: Mapping[str, Callable[[Session, ActionRequest, str, str, datetime], list[Wake]]] = {
    "source": _source,
    "contest": _contest,
    "problem": _problem,
    "capture": _capture,
    "dispute": _dispute,
    "alert": _alert,
    "contamination": _contamination,
    "cutoff": _cutoff,
    "run": _run,
}
_ACTIONS = {action: _KINDS[action.partition(".")[0]] for action in Action}
