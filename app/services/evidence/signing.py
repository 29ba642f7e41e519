"""Signing what tests for contamination found: until a maintainer has, nobody else sees it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from app.db.boards import cells
from app.db.evidence import evidence, signatures
from app.db.kernel import logs
from app.db.kernel.session import Session
from app.domain.contamination.signing import Review, Signed, published, review, signed_part, to_sign
from app.domain.errors import Conflict, NotFound
from app.services.runs.models import refuse_own

KIND = "contamination"
SIGNED, RETRACTED = "contamination.sign", "contamination.retract"
_LEDGER = "model.contamination"
_FIGURES = ("effect", "lo", "hi", "q")


@dataclass(frozen=True, slots=True)
class Entry:
    """A row of a report on the maintainers' page, as it was found; `subject` names it with its data."""

    subject: str
    protocol: str
    protocol_title: str
    made_at: datetime
    row: Mapping[str, Any]
    review: Review
    signed: Signed | None


def public_rows(session: Session, rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Rows of a report as everybody may see them."""
    known = signatures.newest(session, [row["run"] for row in rows])
    return [published(row, known.get(row["run"])) for row in rows]


def entries(session: Session) -> list[Entry]:
    """What there is to sign and what is signed, over all protocols: what waits comes first."""
    found = []
    for protocol in cells.protocols(session):
        report = evidence.report(session, KIND, protocol.id)
        if report is None:
            continue
        public = cells.public_models(session, protocol.id)
        rows = [row for row in report.body["models"] if row["model"] in public and to_sign(row)]
        known = signatures.newest(session, [row["run"] for row in rows])
        for row in rows:
            signed = known.get(row["run"])
            subject = _subject(row)
            standing = review(row, signed)
            found.append(Entry(subject, protocol.slug, protocol.title, report.made_at, row, standing, signed))
    return sorted(found, key=lambda entry: (entry.review is Review.SIGNED, entry.protocol, entry.row["model"]))


def waiting(session: Session) -> int:
    """How many rows wait for a maintainer."""
    return sum(entry.review is not Review.SIGNED for entry in entries(session))


def sign(session: Session, subject: str, reason: str, now: datetime, actor: str) -> None:
    """Let everybody see what a test found, for the data that the subject names.

    Raises NotFound, and Conflict where it is signed already, other data have been tested since, or the model is of the
    actor's own organisation.
    """
    found = _find(session, subject)
    refuse_own(session, found.run, actor)
    if found.subject != subject:
        raise Conflict(f"{found.model} was tested on newer data since; look at the new result")
    if found.review is Review.SIGNED:
        raise Conflict(f"the result of {found.model} is signed already")
    if not to_sign(found.row):
        raise Conflict(f"{found.model} has no result to sign")
    body = signed_part(found.row)
    signatures.add(session, found.run, found.row["data"], body, found.made_at, actor, now)
    _log(session, found, SIGNED, reason, now, actor, found.row)


def retract(session: Session, subject: str, reason: str, now: datetime, actor: str) -> None:
    """Take a signature back. Raises NotFound, and Conflict where there is none or the model is the actor's own."""
    found = _find(session, subject)
    refuse_own(session, found.run, actor)
    if found.signed is None or found.signed.body is None:
        raise Conflict(f"no result of {found.model} is signed")
    signatures.add(session, found.run, found.signed.data, None, found.signed.made_at, actor, now)
    _log(session, found, RETRACTED, reason, now, actor, None)


@dataclass(frozen=True, slots=True)
class _Found:
    run: int
    subject: str
    protocol: str
    model: str
    made_at: datetime
    row: Mapping[str, Any]
    review: Review
    signed: Signed | None


def _subject(row: Mapping[str, Any]) -> str:
    return f"{row['run']}:{row['data']}"


def _find(session: Session, subject: str) -> _Found:
    number = subject.partition(":")[0]
    run = int(number) if number.isascii() and number.isdigit() and len(number) <= 18 else 0
    place = signatures.locked(session, run, KIND)
    row = None if place is None else next((row for row in place[2].body["models"] if row["run"] == run), None)
    if place is None or row is None:
        raise NotFound("there is no such result")
    protocol, model, report = place
    signed = signatures.newest(session, [run]).get(run)
    return _Found(run, _subject(row), protocol, model, report.made_at, row, review(row, signed), signed)


def _log(
    session: Session, found: _Found, action: str, reason: str, now: datetime, actor: str, row: Mapping[str, Any] | None
) -> None:
    """An audit line and a public one, with what was public before."""
    before = None if found.signed is None or found.signed.body is None else _said(found, found.signed.body)
    after = None if row is None else _said(found, row)
    logs.audit(session, now, actor, action, f"{found.model} ({found.protocol})", reason, before, after)
    logs.ledger(session, now, _LEDGER, found.model, reason, before, after)


def _said(found: _Found, row: Mapping[str, Any]) -> dict[str, Any]:
    about = {"protocol": found.protocol, "configuration": found.row["configuration"], "trial": found.row["trial"]}
    parts = {"all": row["pooled"], **row["platforms"]}
    return {**about, "cutoff": row["cutoff"], "found": {name: _figures(part) for name, part in parts.items()}}


def _figures(part: Mapping[str, Any]) -> dict[str, Any]:
    drop = part["drop"] or {}
    return {"finding": part["finding"], **{name: drop[name] for name in _FIGURES if name in drop}}
