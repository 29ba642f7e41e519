"""Protocols in operators' hands: listed, added, and swept over ways of sampling."""

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
from app.domain.asking.protocols import BUILT_IN, Protocol
from app.domain.asking.sweeps import Grid, sweep
from app.domain.errors import Conflict, InvalidInput, NotFound
from app.domain.scenarios import scenarios
from app.services.runs import plan
from app.services.runs.models import SLUG, said

_LONGEST_TITLE: Final = 200
_LONGEST_SYSTEM: Final = 8000
_SHIPPED: Final = {each.slug for each in BUILT_IN}


@dataclass(frozen=True, slots=True)
class ProtocolLine:
    """A protocol as a list shows it; `runs` counts those that are not retired."""

    protocol: Protocol
    fingerprint: str
    runs: int
    orderable: bool  # whether vendors may order runs under it


@dataclass(frozen=True, slots=True)
class Made:
    """A protocol that was asked for; not new where one with this way of asking and this coverage was there."""

    slug: str
    is_new: bool


def protocols(session: Session) -> list[ProtocolLine]:
    """Every protocol that models are asked under, but earlier revisions."""
    plan.ensure_protocols(session)
    counts = store.runs_by_protocol(session)
    lines = [
        ProtocolLine(run_store.read_protocol(row.body), row.fingerprint, counts.get(row.id, 0), _orderable(row))
        for row in run_store.asked_protocols(session)
    ]
    return [line for line in lines if not (line.protocol.imported or line.protocol.recorded)]


def protocol(session: Session, slug: str) -> Protocol:
    """The protocol of that name, to make others of. Raises NotFound."""
    found = next((line.protocol for line in protocols(session) if line.protocol.slug == slug), None)
    if found is None:
        raise NotFound(f"no protocol {slug}; `./tidemark protocol list` lists them")
    return found


def _orderable(row: ProtocolRow) -> bool:
    return row.orderable or row.slug in _SHIPPED


def open_to_orders(
    session: Session, slug: str, reason: str, now: datetime, actor: str = "operator", *, orderable: bool = True
) -> None:
    """Let vendors order runs under a protocol, or no more; orders that there are go on.

    Raises NotFound, Conflict for a shipped protocol, which always may be ordered, and InvalidInput for one that
    continues answers of another: a vendor's order asks under one protocol.
    """
    words, wanted = said(reason), protocol(session, slug)
    if wanted.slug in _SHIPPED:
        raise Conflict(f"{slug} is shipped with Tidemark and may always be ordered")
    if wanted.prerequisite is not None:
        raise InvalidInput(f"{slug} continues answers under {wanted.prerequisite}: it cannot be ordered by itself")
    row = run_store.protocol_by_slug(session, slug)
    assert row is not None  # it was found by this name
    before, row.orderable = row.orderable, orderable
    logs.audit(
        session, now, actor, "protocol.orders", slug, words,
        before={"orderable": before}, after={"orderable": orderable},
    )  # fmt: skip


def add(session: Session, new: Protocol, reason: str, now: datetime, actor: str = "operator") -> Made:
    """Keep a protocol under its name; what it freezes never changes.

    Raises InvalidInput for one that nobody can be asked under, Conflict where its name is taken, or where another
    name stands for the same way of asking and the same coverage: its rows would be on two boards.
    """
    _check(new)
    words, known = said(reason), {line.protocol.slug: line.protocol for line in protocols(session)}
    same = _same(new, known.values())
    if same is not None and same.slug == new.slug:
        return Made(same.slug, is_new=False)
    if same is not None:
        raise Conflict(f"{same.slug} asks the same in the same way; use that protocol")
    _keep(session, new, words, now, actor)
    return Made(new.slug, is_new=True)


def add_sweep(
    session: Session, base: str, grid: Grid, reason: str, now: datetime, actor: str = "operator"
) -> list[Made]:
    """Keep a protocol for each combination of a grid; a combination that is there already keeps its name.

    Raises NotFound, InvalidInput, and Conflict where a name stands for something else.
    """
    words, members = said(reason), sweep(protocol(session, base), grid)
    known = [line.protocol for line in protocols(session)]
    made = []
    for member in members:
        _check(member)
        same = _same(member, known)
        if same is None:
            _keep(session, member, words, now, actor)
        made.append(Made(member.slug if same is None else same.slug, is_new=same is None))
    return made


def _keep(session: Session, new: Protocol, reason: str, now: datetime, actor: str) -> None:
    if run_store.protocol_by_slug(session, new.slug) is not None:
        raise Conflict(f"the name {new.slug} stands for another protocol; a protocol never changes what it freezes")
    row = run_store.ensure_protocol(session, new)
    logs.audit(session, now, actor, "protocol.added", new.slug, reason, after={"fingerprint": row.fingerprint})


def _same(new: Protocol, known: Iterable[Protocol]) -> Protocol | None:
    """The protocol that asks the same problems in the same way."""
    alike = (each for each in known if each.fingerprint == new.fingerprint and each.covers == new.covers)
    return next(alike, None)


def _check(new: Protocol) -> None:
    if not SLUG.fullmatch(new.slug):
        raise InvalidInput("a slug has 1 to 64 characters a-z, 0-9 and -, and does not start with -", pointer="/slug")
    if not new.title.strip() or len(new.title) > _LONGEST_TITLE or not new.title.isprintable():
        raise InvalidInput(f"a title has 1 to {_LONGEST_TITLE} visible characters", pointer="/title")
    if new.system is not None and (len(new.system) > _LONGEST_SYSTEM or re.search(r"[\0\ud800-\udfff]", new.system)):
        raise InvalidInput(f"a system prompt has at most {_LONGEST_SYSTEM} characters", pointer="/system")
    new.sampling.check()
    scenario = scenarios().get(new.scenario)
    if scenario is None:
        raise InvalidInput(f"there is no scenario {new.scenario}")
    scenario.check(new)
