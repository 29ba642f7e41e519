"""Tables of answers and their judging: protocols, runs, samples, verdicts, imports, setters."""

from datetime import datetime
from decimal import Decimal

from sqlalchemy import CheckConstraint, ForeignKey, ForeignKeyConstraint, Index, UniqueConstraint, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.types import Text

from app.db.tables.base import Base, BigId, Json, JsonList, RuleReason, StoredReason, children_index, one_of
from app.domain.asking.completions import FailureOwner, FinishReason
from app.domain.consensus.additions import AdditionKind
from app.domain.judging.verdicts import LimitMode, Verdict
from app.domain.states import ConsensusState, RunOrigin, RunState, SampleState, SubmissionState


class ProtocolRow(Base):
    """A comparability key; `body` is the input of the fingerprint and the present coverage of the protocol.

    `revision_of` is the former name of an earlier revision; a later revision now has that name. `reports_asked` is the
    board revision at which reports over the protocol were last requested.
    """

    __tablename__ = "protocols"
    __table_args__ = (UniqueConstraint("slug"),)

    id: Mapped[BigId]
    slug: Mapped[str]
    title: Mapped[str]
    fingerprint: Mapped[str]
    body: Mapped[Json]
    revision_of: Mapped[str | None]
    orderable: Mapped[bool] = mapped_column(server_default=text("false"))  # whether vendors may submit under it
    reports_asked: Mapped[int] = mapped_column(server_default=text("0"))
    created_at: Mapped[datetime] = mapped_column(server_default=text("now()"))


class Run(Base):
    """One model in one configuration under one protocol, extended by each new problem."""

    __tablename__ = "runs"
    __table_args__ = (
        UniqueConstraint("model_id", "configuration_key", "protocol_id", "trial"),
        one_of("state", RunState),
        one_of("origin", RunOrigin),
    )

    id: Mapped[BigId]
    model_id: Mapped[int] = mapped_column(ForeignKey("models.id"))
    endpoint_id: Mapped[int | None] = mapped_column(ForeignKey("endpoints.id"), index=True)
    protocol_id: Mapped[int] = mapped_column(ForeignKey("protocols.id"), index=True)
    configuration: Mapped[Json] = mapped_column(server_default=text("'{}'::jsonb"))
    configuration_key: Mapped[str] = mapped_column(server_default=text("''"))
    trial: Mapped[int] = mapped_column(server_default=text("1"))
    state: Mapped[str]
    state_reason: Mapped[StoredReason | None]
    # US dollars that the next call may cost, if a budget paused the run. It resumes by itself.
    needs_usd: Mapped[Decimal | None]
    origin: Mapped[str]
    public: Mapped[bool] = mapped_column(server_default=text("true"))
    window_start: Mapped[datetime | None]
    window_end: Mapped[datetime | None]
    provenance: Mapped[Json] = mapped_column(server_default=text("'{}'::jsonb"))
    created_at: Mapped[datetime] = mapped_column(server_default=text("now()"))
    sent_at: Mapped[datetime | None]  # when the first prompt was sent
    # When the first answer came: from then on the run stands for its configuration, until it is void.
    bound_at: Mapped[datetime | None]
    voided_at: Mapped[datetime | None]


class Serving(Base):
    """A way in which weights were served to a run: engine, version, settings. Each is stored once."""

    __tablename__ = "servings"
    __table_args__ = (UniqueConstraint("run_id", "fingerprint"),)

    id: Mapped[BigId]
    run_id: Mapped[int] = mapped_column(ForeignKey("runs.id"))
    fingerprint: Mapped[str]
    body: Mapped[Json]
    first_at: Mapped[datetime]


class Submission(Base):
    """A vendor's pre-registered request for a run, with a deadline and an owner of the next step."""

    __tablename__ = "submissions"
    __table_args__ = (
        UniqueConstraint("public_id"),
        one_of("state", SubmissionState),
        CheckConstraint("owner IN ('vendor', 'us')", name="owner"),
        children_index("submissions", "group_id"),
    )

    id: Mapped[BigId]
    public_id: Mapped[str]
    organisation_id: Mapped[int] = mapped_column(ForeignKey("organisations.id"), index=True)
    run_id: Mapped[int | None] = mapped_column(ForeignKey("runs.id"), index=True)
    endpoint_id: Mapped[int] = mapped_column(ForeignKey("endpoints.id"))
    protocol_id: Mapped[int] = mapped_column(ForeignKey("protocols.id"))
    configuration: Mapped[Json] = mapped_column(server_default=text("'{}'::jsonb"))
    window_start: Mapped[datetime | None]
    window_end: Mapped[datetime | None]
    continuous: Mapped[bool]
    budget_usd: Mapped[Decimal | None]
    visibility: Mapped[str]
    embargo_until: Mapped[datetime | None]
    state: Mapped[str]
    state_reason: Mapped[StoredReason | None]
    state_since: Mapped[datetime]
    state_deadline: Mapped[datetime | None]
    owner: Mapped[str]
    created_at: Mapped[datetime]
    group_id: Mapped[str | None]  # of submissions that one request placed
    pause_until: Mapped[datetime | None]  # until when its vendor may pause it, set by the first pause
    promise: Mapped[Json | None]  # the last time promised for its end: `app.domain.asking.promises.Promise`


# A sample that was given up, or that its endpoint failed and that waits for a retry.
FAILING_SAMPLE = "state = 'gave_up' OR (state IN ('pending', 'inferring') AND own_failures > 0)"


class Sample(Base):
    """One answer to one item, from wanted to graded. The row is its place in every queue."""

    __tablename__ = "samples"
    __table_args__ = (
        UniqueConstraint("run_id", "problem_version_id", "item", "ordinal"),
        one_of("state", SampleState),
        one_of("finish_reason", FinishReason),
        one_of("error_owner", FailureOwner),
        CheckConstraint("NOT unanswered OR (raw_sha256 IS NULL AND answer IS NULL)", name="unanswered"),
        Index("ix_samples_due", "state", "not_before", "id"),
        Index("ix_samples_cell", "run_id", "problem_id", "item"),
        children_index("samples", "parent_id"),
        children_index("samples", "raw_sha256"),
        Index("ix_samples_lease", "lease_until", postgresql_where=text("lease_token IS NOT NULL")),
        Index("ix_samples_answered", "id", postgresql_where=text("state = 'answered'")),
        Index("ix_samples_answered_problem", "problem_id", postgresql_where=text("state = 'answered'")),
        Index("ix_samples_answered_run", "run_id", postgresql_where=text("state = 'answered'")),
        Index("ix_samples_answered_at", "answered_at", postgresql_using="brin"),
        Index("ix_samples_failing", "run_id", postgresql_where=text(FAILING_SAMPLE)),
        ForeignKeyConstraint(
            ["problem_version_id", "problem_id"], ["problem_versions.id", "problem_versions.problem_id"]
        ),
    )

    id: Mapped[BigId]
    run_id: Mapped[int] = mapped_column(ForeignKey("runs.id"))
    problem_id: Mapped[int] = mapped_column(ForeignKey("problems.id"), index=True)
    problem_version_id: Mapped[int]
    item: Mapped[int] = mapped_column(server_default=text("0"))
    ordinal: Mapped[int]
    parent_id: Mapped[int | None] = mapped_column(ForeignKey("samples.id"))
    state: Mapped[str]
    lease_token: Mapped[str | None]
    lease_until: Mapped[datetime | None]
    not_before: Mapped[datetime | None]
    inference_attempts: Mapped[int] = mapped_column(server_default=text("0"))
    requests: Mapped[int] = mapped_column(server_default=text("0"))
    grading_attempts: Mapped[int] = mapped_column(server_default=text("0"))
    # Time of the first try, and number of proven endpoint failures since then: a fault of ours resets both.
    first_tried_at: Mapped[datetime | None]
    own_failures: Mapped[int] = mapped_column(server_default=text("0"))
    # Sent to the judge without an answer, because a vendor's own submission got none from its endpoint.
    unanswered: Mapped[bool] = mapped_column(server_default=text("false"))
    reserved_usd: Mapped[Decimal | None]  # the most that the call under way may cost
    reserved_tokens: Mapped[int | None]  # the most that a setter's call may take
    prompt_sha256: Mapped[str | None]
    raw_sha256: Mapped[str | None] = mapped_column(ForeignKey("blobs.sha256"))
    response: Mapped[str | None]
    reasoning: Mapped[str | None]
    answer: Mapped[str | None]
    followed_format: Mapped[bool | None]
    finish_reason: Mapped[str | None]
    tokens_input: Mapped[int | None]
    tokens_cached: Mapped[int | None]
    tokens_reasoning: Mapped[int | None]
    tokens_answer: Mapped[int | None]
    cost_usd: Mapped[Decimal | None]
    latency_ms: Mapped[float | None]
    first_token_ms: Mapped[float | None]
    served_model: Mapped[str | None]
    fingerprint: Mapped[str | None]
    answered_at: Mapped[datetime | None]
    error: Mapped[StoredReason | None]
    error_owner: Mapped[str | None]
    provenance: Mapped[Json] = mapped_column(server_default=text("'{}'::jsonb"))


class VerdictRow(Base):
    """The verdict on one answer by one test set; never overwritten, only `counts` may change."""

    __tablename__ = "verdicts"
    __table_args__ = (
        UniqueConstraint(
            "sample_id", "test_set_id", "grader_revision", "rejudging_id", postgresql_nulls_not_distinct=True
        ),
        one_of("verdict", Verdict),
        one_of("limit_mode", LimitMode),
        CheckConstraint("score IS NULL OR score BETWEEN 0 AND 1", name="score"),
        Index("ix_verdicts_checker_failed", "test_set_id", postgresql_where=text("checker_failed")),
        Index("ix_verdicts_judged_at", "judged_at", postgresql_using="brin"),
        Index("uq_verdicts_counting", "sample_id", "test_set_id", unique=True, postgresql_where=text("counts")),
    )

    id: Mapped[BigId]
    sample_id: Mapped[int] = mapped_column(ForeignKey("samples.id"))
    test_set_id: Mapped[int] = mapped_column(ForeignKey("test_sets.id"), index=True)
    grader_revision: Mapped[str]
    rejudging_id: Mapped[int | None] = mapped_column(ForeignKey("rejudgings.id"))
    verdict: Mapped[str]
    score: Mapped[float | None]
    passed: Mapped[int]
    total: Mapped[int]
    cpu_ms: Mapped[float]
    wall_ms: Mapped[float]
    memory_kb: Mapped[int]
    limit_mode: Mapped[str]
    slowness: Mapped[float | None]
    in_process: Mapped[bool] = mapped_column(server_default=text("false"))
    checker_failed: Mapped[bool] = mapped_column(server_default=text("false"))
    outcomes: Mapped[JsonList]
    message: Mapped[str]
    got: Mapped[str | None]  # the beginning of a wrong answer to a public test
    counts: Mapped[bool]
    judged_at: Mapped[datetime]


class ImportedResult(Base):
    """One cell of another board's file, with the file's own value; n is 0 when no answer had a verdict."""

    __tablename__ = "imported_results"
    __table_args__ = (CheckConstraint("c >= 0 AND c <= n AND pending >= 0 AND judge_errors >= 0", name="counts"),)

    run_id: Mapped[int] = mapped_column(ForeignKey("runs.id"), primary_key=True)
    problem_id: Mapped[int] = mapped_column(ForeignKey("problems.id"), primary_key=True)
    item: Mapped[int] = mapped_column(primary_key=True)
    n: Mapped[int]
    c: Mapped[int]
    pending: Mapped[int] = mapped_column(server_default=text("0"))
    judge_errors: Mapped[int] = mapped_column(server_default=text("0"))
    value: Mapped[str]
    source_date: Mapped[str]
    source_clock: Mapped[str]
    row_number: Mapped[int]
    file_sha256: Mapped[str]


class Setter(Base):
    """A model that makes tests of problems, and its private run; a removed setter is not asked again.

    The vendor's name is normalised: two setters of one vendor count as one voice.
    """

    __tablename__ = "setters"
    __table_args__ = (UniqueConstraint("name"),)

    id: Mapped[BigId]
    name: Mapped[str]
    vendor: Mapped[str]
    run_id: Mapped[int] = mapped_column(ForeignKey("runs.id"), index=True)
    added_at: Mapped[datetime]
    removed_at: Mapped[datetime | None]


class AdditionRow(Base):
    """A maintainer's addition to a text's consensus: a program, an input or a checker; never shown."""

    __tablename__ = "given_pieces"
    __table_args__ = (UniqueConstraint("problem_version_id", "kind", "sha256"), one_of("kind", AdditionKind))

    id: Mapped[BigId]
    problem_version_id: Mapped[int] = mapped_column(ForeignKey("problem_versions.id"))
    kind: Mapped[str]
    language: Mapped[str]
    body: Mapped[str]
    sha256: Mapped[str]
    given_by: Mapped[str]
    given_at: Mapped[datetime]


class ConsensusRow(Base):
    """The consensus of setters on tests for one text of a problem; leased while the suite is built.

    `drawn` are the vendors whose setters are asked, `silent` those that were asked and gave no answer. `round` counts
    how often answers went back to setters, and `rounds` records which, to whom, and why.
    """

    __tablename__ = "settings"
    __table_args__ = (
        UniqueConstraint("problem_version_id"),
        one_of("state", ConsensusState),
        CheckConstraint("(state = 'held') = (reason IS NOT NULL)", name="reason"),
        ForeignKeyConstraint(
            ["problem_version_id", "problem_id"], ["problem_versions.id", "problem_versions.problem_id"]
        ),
        ForeignKeyConstraint(["test_set_id", "problem_id"], ["test_sets.id", "test_sets.problem_id"]),
    )

    id: Mapped[BigId]
    problem_id: Mapped[int] = mapped_column(ForeignKey("problems.id"), index=True)
    problem_version_id: Mapped[int]
    state: Mapped[str]
    since: Mapped[datetime]  # when setters could first be asked
    asked_again_at: Mapped[datetime | None]  # the same for the last round, if it is not the first
    round: Mapped[int] = mapped_column(server_default=text("0"))
    rounds: Mapped[JsonList] = mapped_column(server_default=text("'[]'::jsonb"))
    not_before: Mapped[datetime | None]  # it rests until then, because a daily limit is reached
    judge_s: Mapped[float] = mapped_column(server_default=text("0"))  # seconds of judging that builds have used
    reserved_s: Mapped[float] = mapped_column(server_default=text("0"))  # the most that the build under way may use
    played_at: Mapped[datetime | None]
    drawn: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default=text("'{}'"))
    drawn_at: Mapped[datetime | None]
    silent: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default=text("'{}'"))
    ended_at: Mapped[datetime | None]
    reason: Mapped[RuleReason | None]
    evidence: Mapped[Json] = mapped_column(server_default=text("'{}'::jsonb"))
    test_set_id: Mapped[int | None]
    attempts: Mapped[int] = mapped_column(server_default=text("0"))
    lease_token: Mapped[str | None]
    lease_until: Mapped[datetime | None]
