"""Table definitions, grouped by subject."""

from app.db.tables.boards import BoardState, CellRow, DirtyCell, LedgerEntry, PublicScore, ScoreCause, Snapshot
from app.db.tables.evidence import Exposure, ExternalFile, HumanField, Report, Rewrite, Signature
from app.db.tables.models import CutoffEdit, Declaration, Endpoint, Model, Organisation
from app.db.tables.money import Budget, PriceRow, Spending
from app.db.tables.ops import (
    Alert,
    ApiKey,
    AuditEntry,
    ClockTick,
    Heartbeat,
    IdempotencyRow,
    LoginLink,
    Role,
    User,
    WebSession,
)
from app.db.tables.problems import (
    Derivation,
    DerivedItem,
    Difficulty,
    Dispute,
    DisputeState,
    Problem,
    ProblemAlias,
    ProblemVersion,
    Program,
    ProgramKind,
    Proof,
    TestRow,
    TestSet,
)
from app.db.tables.rejudgings import GraderRevision, RejudgedSample, Rejudging, RejudgingApproval
from app.db.tables.runs import (
    GivenPiece,
    ImportedResult,
    ProtocolRow,
    Run,
    Sample,
    Serving,
    Setter,
    Setting,
    Submission,
    VerdictRow,
)
from app.db.tables.sources import (
    Blob,
    Capture,
    Contest,
    ContestStanding,
    Obligation,
    ScrapeRun,
    Source,
)

__all__ = [
    "Alert", "ApiKey", "AuditEntry", "Blob", "BoardState", "Budget", "Capture", "CellRow", "ClockTick", "Contest",
    "ContestStanding", "CutoffEdit", "Declaration", "Derivation", "DerivedItem", "Difficulty", "DirtyCell", "Dispute",
    "DisputeState", "Endpoint", "Exposure", "ExternalFile", "GivenPiece", "GraderRevision", "Heartbeat", "HumanField",
    "IdempotencyRow",
    "ImportedResult", "LedgerEntry", "LoginLink", "Model", "Obligation", "Organisation", "PriceRow", "Problem",
    "ProblemAlias", "ProblemVersion", "Program", "ProgramKind", "Proof", "ProtocolRow", "PublicScore",
    "RejudgedSample", "Rejudging", "RejudgingApproval", "Report", "Rewrite", "Role", "Run", "Sample", "ScoreCause",
    "ScrapeRun", "Serving", "Setter", "Setting", "Signature", "Snapshot", "Source", "Spending", "Submission",
    "TestRow", "TestSet", "User", "VerdictRow", "WebSession",
]  # fmt: skip
