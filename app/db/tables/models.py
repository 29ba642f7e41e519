"""Tables of organisations, models, endpoints, and model cutoffs."""

from datetime import date, datetime
from decimal import Decimal
from secrets import token_hex

from sqlalchemy import CheckConstraint, ForeignKey, Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from app.db.tables.base import Base, BigId, Json, JsonList, RuleReason, StoredReason, one_of
from app.domain.probing.checks import ProbeOrigin, ProbeResult
from app.domain.states import DeclarationState


def _new_endpoint_name() -> str:
    return f"ep_{token_hex(16)}"


class Organisation(Base):
    """A vendor or the maintainers."""

    __tablename__ = "organisations"
    __table_args__ = (UniqueConstraint("slug"),)

    id: Mapped[BigId]
    slug: Mapped[str]
    name: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(server_default=text("now()"))


class Model(Base):
    """A model with its cutoff; an endpoint is where it is served.

    `released_on` and `cutoff_on` are accepted values: the vendor's own claims wait in `declarations`.
    """

    __tablename__ = "models"
    __table_args__ = (
        UniqueConstraint("slug"),
        CheckConstraint("size_b > 0 AND size_b < 100000", name="size_b"),
        CheckConstraint("tuned_from_id <> id", name="tuned_from_id"),
        CheckConstraint("cutoff_on IS NULL OR coalesce(cutoff_evidence, '') ~ '[^[:space:]]'", name="cutoff_evidence"),
        CheckConstraint("num_nulls(withdrawn_at, withdrawn_by, withdrawn_reason) IN (0, 3)", name="withdrawn"),
    )

    id: Mapped[BigId]
    slug: Mapped[str]
    name: Mapped[str]
    organisation_id: Mapped[int | None] = mapped_column(ForeignKey("organisations.id"), index=True)
    organisation_name: Mapped[str] = mapped_column(server_default=text("''"))
    released_on: Mapped[date | None]
    cutoff_on: Mapped[date | None]
    cutoff_evidence: Mapped[str | None]
    open_weights: Mapped[bool | None]
    size_b: Mapped[float | None]
    tuned_from_id: Mapped[int | None] = mapped_column(ForeignKey("models.id"), index=True)
    link: Mapped[str | None]
    demo: Mapped[bool] = mapped_column(server_default=text("false"))
    created_at: Mapped[datetime] = mapped_column(server_default=text("now()"))
    # Its tombstone: its vendor took it off the boards. Its results stay readable.
    withdrawn_at: Mapped[datetime | None]
    withdrawn_by: Mapped[str | None]
    withdrawn_reason: Mapped[str | None]


class Endpoint(Base):
    """An address that serves a model. The secret is encrypted at rest and never shown to a person again.

    `trusted` marks the bundled demo endpoint, the only address known by construction. With `weights`, a GPU worker
    serves them as `serving` says, at its own server's address, which is not stored.
    """

    __tablename__ = "endpoints"
    __table_args__ = (
        UniqueConstraint("model_id", "backend", "remote_name"),
        UniqueConstraint("public_id"),
        CheckConstraint("max_concurrency BETWEEN 1 AND 1024", name="max_concurrency"),
        CheckConstraint("timeout_s > 0", name="timeout_s"),
        CheckConstraint("(weights IS NULL) = (base_url <> '')", name="weights_or_address"),
    )

    id: Mapped[BigId]
    model_id: Mapped[int] = mapped_column(ForeignKey("models.id"))
    backend: Mapped[str]
    remote_name: Mapped[str]
    base_url: Mapped[str]
    secret_encrypted: Mapped[bytes | None]
    max_concurrency: Mapped[int]
    # Time limit of one answer; NULL for the default.
    timeout_s: Mapped[float | None]
    price_input: Mapped[Decimal | None]
    price_output: Mapped[Decimal | None]
    price_cached: Mapped[Decimal | None]
    price_on: Mapped[date | None]
    extra: Mapped[Json] = mapped_column(server_default=text("'{}'::jsonb"))
    trusted: Mapped[bool] = mapped_column(server_default=text("false"))
    weights: Mapped[str | None]
    serving: Mapped[Json] = mapped_column(server_default=text("'{}'::jsonb"))
    stopped_reason: Mapped[RuleReason | None]
    stopped_at: Mapped[datetime | None]
    # One slice of requests at a time, so that one limiter sees all the traffic of an endpoint.
    lease_token: Mapped[str | None]
    lease_until: Mapped[datetime | None]
    # Its slice sends nothing more, holds no slot, and only waits for the calls under way.
    aside: Mapped[bool] = mapped_column(server_default=text("false"))
    # The end of its last slice, and the number of slices in a row without an answer.
    served_at: Mapped[datetime | None]
    # Start of its wait for a slice; NULL while it is asked or nothing is due.
    due_since: Mapped[datetime | None]
    silent_slices: Mapped[int] = mapped_column(server_default=text("0"))
    # Since when what it is sent counts as served: the first prompt of the run, or the canary, that it first answered.
    answering_since: Mapped[datetime | None]
    created_at: Mapped[datetime] = mapped_column(server_default=text("now()"))
    # Its name for vendors, which tells nothing of how many endpoints there are.
    public_id: Mapped[str] = mapped_column(default=_new_endpoint_name)


class EndpointProbe(Base):
    """A probe of an endpoint under a protocol's limits; it is finished once it has a result.

    `settings_sha256` is the digest of the endpoint's settings that were tried. `attempt` counts the probes of one order
    that failed under the same settings.
    """

    __tablename__ = "endpoint_probes"
    __table_args__ = (
        UniqueConstraint("public_id"),
        UniqueConstraint("organisation_id", "idempotency_key"),
        one_of("origin", ProbeOrigin),
        one_of("result", ProbeResult),
        CheckConstraint("(finished_at IS NULL) = (result IS NULL)", name="finished"),
        # At most one probe of an endpoint at a time.
        Index("uq_endpoint_probes_open", "endpoint_id", unique=True, postgresql_where=text("finished_at IS NULL")),
        Index("ix_endpoint_probes_endpoint_id", "endpoint_id", "id"),
    )

    id: Mapped[BigId]
    public_id: Mapped[str]
    organisation_id: Mapped[int] = mapped_column(ForeignKey("organisations.id"))
    endpoint_id: Mapped[int] = mapped_column(ForeignKey("endpoints.id"))
    protocol_id: Mapped[int] = mapped_column(ForeignKey("protocols.id"))
    configuration: Mapped[Json] = mapped_column(server_default=text("'{}'::jsonb"))
    origin: Mapped[str]
    idempotency_key: Mapped[str | None]
    attempt: Mapped[int] = mapped_column(server_default=text("1"))
    settings_sha256: Mapped[str | None]
    result: Mapped[str | None]
    checks: Mapped[JsonList] = mapped_column(server_default=text("'[]'::jsonb"))
    requests: Mapped[int] = mapped_column(server_default=text("0"))
    fault: Mapped[StoredReason | None]
    requested_at: Mapped[datetime]
    finished_at: Mapped[datetime | None]
    lease_token: Mapped[str | None]
    lease_until: Mapped[datetime | None]


class CutoffEdit(Base):
    """A change of a model's cutoff; no cutoff changes without one."""

    __tablename__ = "cutoff_edits"

    id: Mapped[BigId]
    model_id: Mapped[int] = mapped_column(ForeignKey("models.id"), index=True)
    old_on: Mapped[date | None]
    old_basis: Mapped[str | None]
    new_on: Mapped[date | None]
    new_basis: Mapped[str]
    evidence: Mapped[str | None]
    actor: Mapped[str]
    at: Mapped[datetime]


class Declaration(Base):
    """A vendor's claim of when its model was made; it counts once a maintainer has accepted it."""

    __tablename__ = "declarations"
    __table_args__ = (
        one_of("state", DeclarationState),
        Index("one_waiting", "model_id", unique=True, postgresql_where=text("state = 'waiting'")),
    )

    id: Mapped[BigId]
    model_id: Mapped[int] = mapped_column(ForeignKey("models.id"), index=True)
    released_on: Mapped[date | None]
    cutoff_on: Mapped[date | None]
    evidence: Mapped[str | None]
    state: Mapped[str]
    made_at: Mapped[datetime]
    decided_at: Mapped[datetime | None]
    decided_by: Mapped[str | None]
    reason: Mapped[str | None]
