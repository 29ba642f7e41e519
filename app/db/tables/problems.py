"""Tables of problems and their checking: versions, test sets, programs, derived items."""

from datetime import datetime
from enum import StrEnum

from sqlalchemy import CheckConstraint, ForeignKey, ForeignKeyConstraint, Index, UniqueConstraint, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.types import Text

from app.db.tables.base import Base, BigId, Json, JsonList, StoredReason, children_index, one_of
from app.domain.deriving.items import DerivedItemKind
from app.domain.problems import CheckerKind, Form, TestsOrigin
from app.domain.publishing.origins import Origin
from app.domain.states import ProblemState


class ProgramKind(StrEnum):
    """Kinds of stored programs: references must pass a test set, known-wrong ones must fail it.

    A validator reads an input and exits with 0, printing nothing, if the input is legal; in the function and class form
    the input is JSON. It proves no tests.
    """

    REFERENCE = "reference"
    WRONG = "wrong"
    VALIDATOR = "validator"


class ProofState(StrEnum):
    """State of the proof of a test set by programs.

    `SHIPPED` sets were proven where they were made, and carry the digest of what was proven.
    """

    WAITING = "waiting"
    PROVEN = "proven"
    SHIPPED = "shipped"
    UNPROVEN = "unproven"
    REFUTED = "refuted"


class Problem(Base):
    """A problem, independent of its present text and tests."""

    __tablename__ = "problems"
    __table_args__ = (
        UniqueConstraint("source_id", "external_id"),
        one_of("state", ProblemState),
        one_of("named_by", Origin),
        CheckConstraint("(state = 'held') = (hold_reason IS NOT NULL)", name="hold_reason"),
        CheckConstraint(
            "state <> 'published' OR "
            "(released_on IS NOT NULL AND current_version_id IS NOT NULL AND current_test_set_id IS NOT NULL)",
            name="published",
        ),
        Index("ix_problems_released_on", "released_on"),
        # The key includes the problem's id, so that another problem's text or tests cannot be in use here.
        ForeignKeyConstraint(
            ["current_version_id", "id"], ["problem_versions.id", "problem_versions.problem_id"], use_alter=True
        ),
        ForeignKeyConstraint(["current_test_set_id", "id"], ["test_sets.id", "test_sets.problem_id"], use_alter=True),
    )

    id: Mapped[BigId]
    source_id: Mapped[int] = mapped_column(ForeignKey("sources.id"))
    external_id: Mapped[str]
    contest_id: Mapped[int | None] = mapped_column(ForeignKey("contests.id"), index=True)
    title: Mapped[str]
    named_by: Mapped[str] = mapped_column(server_default=text("'suite'"))  # origin of title and tags
    titles: Mapped[Json] = mapped_column(server_default=text("'{}'::jsonb"))
    url: Mapped[str | None]
    tags: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default=text("'{}'"))
    topics: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default=text("'{}'"))
    flags: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default=text("'{}'"))
    flag_words: Mapped[JsonList] = mapped_column(server_default=text("'[]'::jsonb"))  # last statement by kind of page
    released_on: Mapped[datetime | None]
    state: Mapped[str]
    hold_reason: Mapped[StoredReason | None]
    # No program can pass it; never planned for a model, never on a board.
    canary: Mapped[bool] = mapped_column(server_default=text("false"))
    current_version_id: Mapped[int | None] = mapped_column(index=True)
    current_test_set_id: Mapped[int | None] = mapped_column(index=True)
    audit_flags: Mapped[Json] = mapped_column(server_default=text("'{}'::jsonb"))
    waived: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default=text("'{}'"))
    found_at: Mapped[datetime] = mapped_column(server_default=text("now()"))


class DisputeState(StrEnum):
    """Outcome of a reader's report."""

    OPEN = "open"
    UPHELD = "upheld"
    REJECTED = "rejected"


class DisputeSubject(StrEnum):
    """Subjects of reports: readers report problems, organisations the other subjects of models of their own."""

    PROBLEM = "problem"
    VERDICT = "verdict"
    CUTOFF = "cutoff"
    EXPOSURE = "exposure"


class Dispute(Base):
    """A report of a fault, public with its answer.

    One about a problem is a reader's, whose name is not stored. The others are an organisation's: about a verdict of a
    sample, or about the cutoff or the exposures of a model.
    """

    __tablename__ = "disputes"
    __table_args__ = (
        one_of("state", DisputeState),
        one_of("subject", DisputeSubject),
        CheckConstraint("(state = 'open') = (answer IS NULL)", name="answer"),
        CheckConstraint("(subject = 'problem') = (problem_id IS NOT NULL)", name="problem"),
        CheckConstraint("(subject = 'problem') = (organisation_id IS NULL)", name="organisation"),
        CheckConstraint("(subject = 'problem') = (model_id IS NULL)", name="model"),
        CheckConstraint("(subject = 'verdict') = (sample_id IS NOT NULL)", name="sample"),
        UniqueConstraint("public_id"),
        children_index("disputes", "model_id"),
        children_index("disputes", "sample_id"),
    )

    id: Mapped[BigId]
    public_id: Mapped[str | None]
    subject: Mapped[str] = mapped_column(server_default=text("'problem'"))
    problem_id: Mapped[int | None] = mapped_column(ForeignKey("problems.id"), index=True)
    organisation_id: Mapped[int | None] = mapped_column(ForeignKey("organisations.id"), index=True)
    model_id: Mapped[int | None] = mapped_column(ForeignKey("models.id"))
    sample_id: Mapped[int | None] = mapped_column(ForeignKey("samples.id"))
    evidence: Mapped[str | None]
    at: Mapped[datetime]
    body: Mapped[str]
    state: Mapped[str] = mapped_column(server_default=text("'open'"))
    answer: Mapped[str | None]
    answered_at: Mapped[datetime | None]


class ProblemAlias(Base):
    """Another name of a problem at its source, such as the number in another board's file."""

    __tablename__ = "problem_aliases"

    source_id: Mapped[int] = mapped_column(ForeignKey("sources.id"), primary_key=True)
    alias: Mapped[str] = mapped_column(primary_key=True)
    problem_id: Mapped[int] = mapped_column(ForeignKey("problems.id"), index=True)


class Difficulty(Base):
    """A dated difficulty: ratings arrive late and change. An ease, which is measured here, is written once."""

    __tablename__ = "difficulties"
    __table_args__ = (
        Index("uq_difficulties_ease", "problem_id", "scale", unique=True, postgresql_where=text("scale ^@ 'ease/'")),
    )

    problem_id: Mapped[int] = mapped_column(ForeignKey("problems.id"), primary_key=True)
    scale: Mapped[str] = mapped_column(primary_key=True)
    observed_at: Mapped[datetime] = mapped_column(primary_key=True)
    value: Mapped[float]


class ProblemVersion(Base):
    """A problem's text in one locale; one version of each locale is in use: asked and counted.

    `origin`, `seen_at` and `capture_id` are the best sighting; `seen_at` is NULL if a better reading of the same page
    replaced the text. `wording` is derived from title, text and starter code, and recomputed when the rule changes.
    """

    __tablename__ = "problem_versions"
    __table_args__ = (
        UniqueConstraint("problem_id", "locale", "statement_sha256"),
        UniqueConstraint("id", "problem_id"),
        children_index("problem_versions", "capture_id"),
        Index("ix_problem_versions_wording", "wording", "problem_id"),
        Index("uq_problem_versions_in_use", "problem_id", "locale", unique=True, postgresql_where=text("in_use")),
        one_of("form", Form),
        one_of("origin", Origin),
    )

    id: Mapped[BigId]
    problem_id: Mapped[int] = mapped_column(ForeignKey("problems.id"))
    locale: Mapped[str]
    statement_sha256: Mapped[str]
    wording: Mapped[str | None]
    title: Mapped[str]
    statement: Mapped[str]
    form: Mapped[str]
    entry: Mapped[Json | None]
    starter_code: Mapped[Json] = mapped_column(server_default=text("'{}'::jsonb"))
    examples: Mapped[JsonList] = mapped_column(server_default=text("'[]'::jsonb"))
    time_ms: Mapped[int | None]  # as the source states it
    memory_mb: Mapped[int | None]
    output_kb: Mapped[int]
    origin: Mapped[str]
    seen_at: Mapped[datetime | None]
    capture_id: Mapped[int | None] = mapped_column(ForeignKey("captures.id"))
    in_use: Mapped[bool] = mapped_column(server_default=text("false"))
    created_at: Mapped[datetime] = mapped_column(server_default=text("now()"))


class TestSet(Base):
    """A checker and its tests, versioned apart from the text: new tests mean regrading, not new answers.

    `setters` are the models whose programs gave a consensus its answers, `vendors` their normalised vendor names;
    `brought_by` is the importer, such as "Polygon package".
    """

    __test__ = False
    __tablename__ = "test_sets"
    __table_args__ = (
        UniqueConstraint("problem_id", "tests_sha256"),
        UniqueConstraint("id", "problem_id"),
        one_of("checker_kind", CheckerKind),
        one_of("proof", ProofState),
        one_of("origin", TestsOrigin),
        CheckConstraint("(origin = 'consensus') = (cardinality(setters) > 0)", name="setters"),
    )

    id: Mapped[BigId]
    problem_id: Mapped[int] = mapped_column(ForeignKey("problems.id"))
    tests_sha256: Mapped[str]
    checker_kind: Mapped[str]
    checker: Mapped[Json] = mapped_column(server_default=text("'{}'::jsonb"))
    interactor: Mapped[Json | None]
    origin: Mapped[str]
    setters: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default=text("'{}'"))
    vendors: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default=text("'{}'"))
    brought_by: Mapped[str] = mapped_column(server_default=text("''"))
    reason: Mapped[str | None]
    proof: Mapped[str]
    proof_detail: Mapped[Json] = mapped_column(server_default=text("'{}'::jsonb"))
    attempts: Mapped[int] = mapped_column(server_default=text("0"))
    lease_token: Mapped[str | None]
    lease_until: Mapped[datetime | None]
    created_at: Mapped[datetime] = mapped_column(server_default=text("now()"))


class TestRow(Base):
    """One test: plain text for the stdin form, JSON text for the others."""

    __test__ = False
    __tablename__ = "tests"

    test_set_id: Mapped[int] = mapped_column(ForeignKey("test_sets.id"), primary_key=True)
    ordinal: Mapped[int] = mapped_column(primary_key=True)
    input: Mapped[str]
    expected: Mapped[str]
    visible: Mapped[bool]


class ProgramRow(Base):
    """A reference or known-wrong solution that proves a test set, or a validator of inputs.

    A `secret` one has no other use.
    """

    __tablename__ = "programs"
    __table_args__ = (UniqueConstraint("problem_id", "language", "code_sha256"), one_of("kind", ProgramKind))

    id: Mapped[BigId]
    problem_id: Mapped[int] = mapped_column(ForeignKey("problems.id"))
    kind: Mapped[str]
    name: Mapped[str]
    language: Mapped[str]
    code_sha256: Mapped[str]
    code: Mapped[str]
    origin: Mapped[str]
    secret: Mapped[bool] = mapped_column(server_default=text("false"))


class Derivation(Base):
    """The job that makes a problem's derived items from its tests in use; done when `derived_at` is set."""

    __tablename__ = "derivations"

    test_set_id: Mapped[int] = mapped_column(ForeignKey("test_sets.id"), primary_key=True)
    since: Mapped[datetime]
    derived_at: Mapped[datetime | None]
    attempts: Mapped[int] = mapped_column(server_default=text("0"))
    lease_token: Mapped[str | None]
    lease_until: Mapped[datetime | None]


class DerivedItem(Base):
    """An item derived from a problem, numbered from 0 for its kind and test set.

    Its source is a program that may be shown: a reference, or an accepted answer.
    """

    __tablename__ = "derived_items"
    __table_args__ = (one_of("kind", DerivedItemKind), children_index("derived_items", "program_id"),
                      children_index("derived_items", "sample_id"))  # fmt: skip

    test_set_id: Mapped[int] = mapped_column(ForeignKey("derivations.test_set_id"), primary_key=True)
    kind: Mapped[str] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    facts: Mapped[Json]
    expected: Mapped[str]  # as JSON text, which keeps its numbers exact
    checker: Mapped[Json]
    returns: Mapped[str]
    measured: Mapped[Json] = mapped_column(server_default=text("'{}'::jsonb"))
    program_id: Mapped[int | None] = mapped_column(ForeignKey("programs.id"))
    sample_id: Mapped[int | None] = mapped_column(ForeignKey("samples.id"))
