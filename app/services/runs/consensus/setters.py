"""Setters in operators' hands: added with an endpoint, listed with their answers, removed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal
from typing import Any

from app.db.kernel import logs
from app.db.kernel.session import Session
from app.db.runs import models as model_store
from app.db.runs import runs as run_store
from app.db.runs.consensus import consensuses
from app.db.runs.consensus import setters as store
from app.db.tables import Endpoint, ProtocolRow, Run, Setter
from app.domain.asking.completions import RunCheck
from app.domain.asking.configuration import convert_configuration
from app.domain.audit_reason import check_reason
from app.domain.consensus.vendors import RESERVED_VENDORS, normalize_vendor, vendor_aliases, weights_at
from app.domain.errors import Conflict, InvalidInput, NotFound
from app.domain.imports import ImportedModel
from app.domain.reasons import Reason
from app.domain.scenarios import scenarios
from app.domain.states import RunState, SampleState
from app.services.problems import publishing
from app.services.runs import inference
from app.services.runs.control import endpoints
from app.services.runs.control.endpoints import NewEndpoint
from app.services.runs.endpoint_secrets import Vault
from app.services.runs.models import SLUG

PROTOCOL_PREFIX = "setting-"  # of the slug of a setter's protocol
_MODEL_PREFIX = "setter-"
_MAX_NAME_CHARS = 48
_REMOVED_REASON = Reason("setter_removed")
_JOINED_REASON = "setters of both vendors answer by the same weights"


@dataclass(frozen=True, slots=True)
class NewSetter:
    """A model that is to make tests; `endpoint.model` is not used, since a setter has a model of its own.

    A `demo` setter is bundled, and makes tests of demo sources alone.
    """

    name: str
    vendor: str
    endpoint: NewEndpoint
    reason: str
    configuration: Mapping[str, Any] = field(default_factory=dict)
    demo: bool = False


@dataclass(frozen=True, slots=True)
class SetterLine:
    """A setter in a list; `state` is its run's, or `removed`. `cost` is in US dollars."""

    name: str
    vendor: str
    backend: str
    state: str
    reason: str | None
    added_at: datetime
    removed_at: datetime | None
    run: int
    answered: int
    waiting: int
    gave_up: int
    cost: Decimal | None


def add(
    session: Session, new: NewSetter, now: datetime, vault: Vault, check: RunCheck, actor: str = "operator"
) -> SetterLine:
    """Let a model make tests, or let one that was removed do so again.

    Its run is private, and its model is on no page. The caller has checked the address. Raises InvalidInput, and
    Conflict if the name or the weights are another setter's.
    """
    reason, vendor = check_reason(new.reason), normalize_vendor(new.vendor)
    if not SLUG.fullmatch(new.name) or len(new.name) > _MAX_NAME_CHARS:
        raise InvalidInput(
            f"a setter's name must have 1 to {_MAX_NAME_CHARS} characters a-z, 0-9 and -, and must not start with -"
        )
    if vendor in RESERVED_VENDORS:
        raise InvalidInput(
            "this vendor name is reserved for what maintainers add and the statement says", pointer="/vendor"
        )
    if not vendor or len(vendor) > _MAX_NAME_CHARS or not vendor.isprintable():
        raise InvalidInput(f"a vendor's name must have 1 to {_MAX_NAME_CHARS} visible characters", pointer="/vendor")
    existing = store.lock_setter(session, new.name)
    if existing is not None and existing.removed_at is None:
        raise Conflict(f"there is already a setter {new.name}")
    if existing is not None and existing.vendor != vendor:
        raise Conflict(f"{new.name} was a setter of {existing.vendor}; choose another name")
    if existing is None and model_store.lock_model(session, _MODEL_PREFIX + new.name) is not None:
        raise Conflict(f"a model already has the slug {_MODEL_PREFIX}{new.name}; choose another name")
    facts = ImportedModel(_MODEL_PREFIX + new.name, new.name, new.vendor.strip())
    model = run_store.ensure_model(session, facts, now, demo=new.demo)
    endpoint = endpoints.register(session, model, new.endpoint, now, vault)
    _check_weights(session, new.name, vendor, endpoint)
    protocol = _protocol(session, new.name)
    configuration = convert_configuration(new.configuration)
    check(inference.spec_of(endpoint, None), run_store.read_protocol(protocol.body).sampling, configuration)
    run = run_store.ensure_run(session, model.id, endpoint.id, protocol.id, configuration, public=False)
    run.endpoint_id, run.state, run.state_reason = endpoint.id, RunState.ACTIVE, None
    if existing is None:
        store.add(session, new.name, vendor, run.id, now)
    else:
        existing.run_id, existing.added_at, existing.removed_at = run.id, now, None
    session.flush()
    for problem in consensuses.lock_untested(session):  # problems held for lack of tests may have them made now
        publishing.update_state(session, problem, now)
    logs.write_audit(
        session, now, actor, "setter.added", new.name, reason,
        after={"vendor": vendor, "run": run.id, "endpoint": endpoint.id, "configuration": run.configuration},
    )  # fmt: skip
    return next(line for line in setters(session) if line.name == new.name)


def add_bundled(session: Session, offers: Iterable[NewSetter], now: datetime, vault: Vault, check: RunCheck) -> None:
    """Add the bundled setters that are new, and follow the files of the others.

    One that a maintainer removed stays removed, and another's of the same name stays as it is.
    """
    known = {row.setter.name: row for row in store.all_setters(session)}
    for offer in offers:
        row = known.get(offer.name)
        if row is None:
            add(session, offer, now, vault, check, actor="system")
        elif row.endpoint.backend == offer.endpoint.backend and row.endpoint.base_url != offer.endpoint.base_url:
            row.endpoint.base_url = offer.endpoint.base_url
    session.flush()


def _check_weights(session: Session, name: str, vendor: str, endpoint: Endpoint) -> None:
    """Refuse weights that make tests for another vendor already."""
    for row in store.all_setters(session):
        is_other_vendor = row.setter.removed_at is None and (row.setter.name != name and row.setter.vendor != vendor)
        if is_other_vendor and _weights(row.endpoint) == _weights(endpoint):
            raise Conflict(
                f"the setter {row.setter.name} of {row.setter.vendor} has the same weights, which count for one "
                f"vendor: add {name} with the vendor {row.setter.vendor}, or remove {row.setter.name} first"
            )


def _weights(endpoint: Endpoint) -> tuple[str, ...]:
    return weights_at(endpoint.base_url, endpoint.remote_name, endpoint.weights)


def _protocol(session: Session, name: str) -> ProtocolRow:
    """Return the protocol under which a setter is asked, as this version asks."""
    shipped = scenarios()["setting"].protocols[0]
    return run_store.ensure_protocol(
        session, replace(shipped, slug=PROTOCOL_PREFIX + name, title=f"What tests are made of, by {name}")
    )


def remove(session: Session, name: str, reason: str, now: datetime, actor: str = "operator") -> None:
    """Stop asking a setter, and use none of its answers from now on. Raises NotFound."""
    setter, words = store.lock_setter(session, name), check_reason(reason)
    if setter is None or setter.removed_at is not None:
        raise NotFound(f"there is no setter {name}; `./tidemark setter list` lists them")
    setter.removed_at = now
    run = session.get_one(Run, setter.run_id, with_for_update=True)
    if run.state == RunState.ACTIVE:
        run.state, run.state_reason, run.needs_usd = RunState.PAUSED, _REMOVED_REASON, None
    session.flush()
    logs.write_audit(session, now, actor, "setter.removed", name, words, before={"vendor": setter.vendor})


def setters(session: Session) -> list[SetterLine]:
    """Return every setter by name, including removed ones."""
    answers, costs = store.answers(session), store.costs(session)
    lines = []
    for setter, run, endpoint in store.all_setters(session):
        counts = answers.get(run.id, {})
        lines.append(
            SetterLine(
                setter.name, setter.vendor, endpoint.backend,
                str(run.state) if setter.removed_at is None else "removed",
                run.state_reason or endpoint.stopped_reason, setter.added_at, setter.removed_at, run.id,
                answered=counts.get(SampleState.ANSWERED, 0),
                waiting=counts.get(SampleState.PENDING, 0) + counts.get(SampleState.INFERRING, 0),
                gave_up=counts.get(SampleState.GAVE_UP, 0),
                cost=costs.get(run.id, Decimal(0)),
            )
        )  # fmt: skip
    return lines


def _join_voices(session: Session, now: datetime) -> None:
    """Give vendors whose setters answer by the same weights one name from now on.

    They were added before this was known, or asked at another address since.
    """
    rows = [row for row in store.all_setters(session) if row.setter.removed_at is None]
    rows.sort(key=lambda row: (row.setter.added_at, row.setter.name))
    joined = vendor_aliases((row.setter.vendor, _weights(row.endpoint)) for row in rows)
    for setter in (row.setter for row in rows if row.setter.vendor in joined):
        before, setter.vendor = setter.vendor, joined[setter.vendor]
        logs.write_audit(
            session, now, "system", "setter.joined", setter.name, _JOINED_REASON, before={"vendor": before},
            after={"vendor": setter.vendor},
        )  # fmt: skip
    session.flush()


def update_setters(session: Session, now: datetime) -> list[Setter]:
    """Return the present setters, each in a run of this version's prompts.

    Setters with the same weights count as one vendor's.
    """
    _join_voices(session, now)
    present = store.active_setters(session)
    for setter in present:
        run = session.get_one(Run, setter.run_id)
        before = session.get_one(ProtocolRow, run.protocol_id)
        if before.revision_of is not None and run.endpoint_id is not None:
            row = _protocol(session, setter.name)
            new = run_store.ensure_run(
                session, run.model_id, run.endpoint_id, row.id, run.configuration, public=False
            )  # fmt: skip
            setter.run_id = new.id
    session.flush()
    return present
