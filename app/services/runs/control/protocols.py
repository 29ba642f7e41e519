"""Protocols in operators' hands: listed, added, and swept over sampling values."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from app.db.kernel import logs
from app.db.kernel.session import Session
from app.db.runs import control as store
from app.db.runs import runs as run_store
from app.db.tables import ProtocolRow
from app.domain.asking.decoding_sweeps import SweepGrid, sweep
from app.domain.asking.protocols import BUILT_IN_PROTOCOLS, Protocol
from app.domain.audit_reason import check_reason
from app.domain.errors import Conflict, InvalidInput, NotFound
from app.domain.scenarios import scenarios
from app.services.runs import plan
from app.services.runs.models import SLUG

_MAX_TITLE_CHARS: Final = 200
_MAX_SYSTEM_CHARS: Final = 8000
_SHIPPED_SLUGS: Final = {built_in.slug for built_in in BUILT_IN_PROTOCOLS}


@dataclass(frozen=True, slots=True)
class ProtocolLine:
    """A protocol in a list; `runs` counts those that are not retired."""

    protocol: Protocol
    fingerprint: str
    runs: int
    orderable: bool  # True if it accepts vendors' submissions


@dataclass(frozen=True, slots=True)
class AddedProtocol:
    """A requested protocol; not new if one that asks the same with the same coverage existed."""

    slug: str
    is_new: bool


def protocols(session: Session) -> list[ProtocolLine]:
    """Return every protocol that models are asked under, without earlier revisions."""
    plan.ensure_protocols(session)
    counts = store.runs_by_protocol(session)
    lines = [
        ProtocolLine(run_store.read_protocol(row.body), row.fingerprint, counts.get(row.id, 0), _orderable(row))
        for row in run_store.asked_protocols(session)
    ]
    return [line for line in lines if not (line.protocol.imported or line.protocol.recorded)]


def protocol(session: Session, slug: str) -> Protocol:
    """Return the protocol of that name, as the base of others. Raises NotFound."""
    match = next((line.protocol for line in protocols(session) if line.protocol.slug == slug), None)
    if match is None:
        raise NotFound(f"there is no protocol {slug}; `./tidemark protocol list` lists them")
    return match


def _orderable(row: ProtocolRow) -> bool:
    return row.orderable or row.slug in _SHIPPED_SLUGS


def open_to_submissions(
    session: Session, slug: str, reason: str, now: datetime, actor: str = "operator", *, orderable: bool = True
) -> None:
    """Open a protocol to vendors' submissions, or close it; existing submissions go on.

    Raises NotFound, Conflict for a shipped protocol, which is always open, and InvalidInput for one that continues
    answers of another: a submission asks under one protocol.
    """
    words, wanted = check_reason(reason), protocol(session, slug)
    if wanted.slug in _SHIPPED_SLUGS:
        raise Conflict(f"{slug} is shipped with Tidemark and always accepts submissions")
    if wanted.prerequisite is not None:
        raise InvalidInput(f"{slug} continues answers under {wanted.prerequisite}: it cannot be submitted by itself")
    row = run_store.protocol_by_slug(session, slug)
    assert row is not None  # it was found by this name
    before, row.orderable = row.orderable, orderable
    logs.write_audit(
        session, now, actor, "protocol.orders", slug, words,
        before={"orderable": before}, after={"orderable": orderable},
    )  # fmt: skip


def add(session: Session, new: Protocol, reason: str, now: datetime, actor: str = "operator") -> AddedProtocol:
    """Store a protocol under its name; what it freezes never changes.

    Raises InvalidInput for an invalid protocol, Conflict if its name is taken, or if another name has the same way of
    asking and the same coverage: its rows would be on two boards.
    """
    _check(new)
    words, existing = check_reason(reason), {line.protocol.slug: line.protocol for line in protocols(session)}
    same = _find_same(new, existing.values())
    if same is not None and same.slug == new.slug:
        return AddedProtocol(same.slug, is_new=False)
    if same is not None:
        raise Conflict(f"{same.slug} asks the same in the same way; use that protocol")
    _store(session, new, words, now, actor)
    return AddedProtocol(new.slug, is_new=True)


def add_sweep(
    session: Session, base: str, grid: SweepGrid, reason: str, now: datetime, actor: str = "operator"
) -> list[AddedProtocol]:
    """Store a protocol for each combination of a grid; a combination that exists keeps its name.

    Raises NotFound, InvalidInput, and Conflict if a name stands for something else.
    """
    words, members = check_reason(reason), sweep(protocol(session, base), grid)
    existing = [line.protocol for line in protocols(session)]
    added = []
    for member in members:
        _check(member)
        same = _find_same(member, existing)
        if same is None:
            _store(session, member, words, now, actor)
        added.append(AddedProtocol(member.slug if same is None else same.slug, is_new=same is None))
    return added


def _store(session: Session, new: Protocol, reason: str, now: datetime, actor: str) -> None:
    if run_store.protocol_by_slug(session, new.slug) is not None:
        raise Conflict(f"the name {new.slug} belongs to another protocol; a protocol never changes what it freezes")
    row = run_store.ensure_protocol(session, new)
    logs.write_audit(session, now, actor, "protocol.added", new.slug, reason, after={"fingerprint": row.fingerprint})


def _find_same(new: Protocol, existing: Iterable[Protocol]) -> Protocol | None:
    """Return the protocol that asks the same problems in the same way."""
    same = (
        candidate
        for candidate in existing
        if candidate.fingerprint == new.fingerprint and candidate.covers == new.covers
    )
    return next(same, None)


def _check(new: Protocol) -> None:
    if not SLUG.fullmatch(new.slug):
        raise InvalidInput(
            "a slug must have 1 to 64 characters a-z, 0-9 and -, and must not start with -", pointer="/slug"
        )
    if not new.title.strip() or len(new.title) > _MAX_TITLE_CHARS or not new.title.isprintable():
        raise InvalidInput(f"a title must have 1 to {_MAX_TITLE_CHARS} visible characters", pointer="/title")
    if new.system is not None and (len(new.system) > _MAX_SYSTEM_CHARS or re.search(r"[\0\ud800-\udfff]", new.system)):
        raise InvalidInput(f"a system prompt has at most {_MAX_SYSTEM_CHARS} characters", pointer="/system")
    new.sampling.check()
    scenario = scenarios().get(new.scenario)
    if scenario is None:
        raise InvalidInput(f"there is no scenario {new.scenario}")
    scenario.check(new)
