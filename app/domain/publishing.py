"""Whether a problem may be asked and judged: the reasons that hold one back."""

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from app.domain.problems import CheckerKind

# Contests end late now and then; nothing of a contest is used before this much after its end.
CONTEST_MARGIN = timedelta(minutes=10)

MAX_PROOF_ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class Dossier:
    """What is known of a problem when its publication is decided.

    `proof` is the test set's state (waiting, proven, shipped, unproven, refuted), None without a test set;
    `proof_attempts` counts those that have ended.
    """

    released_on: datetime | None
    contest_ends_at: datetime | None
    has_statement: bool
    public_samples: int
    flags: Collection[str]
    proof: str | None
    proof_reason: str | None
    checker: CheckerKind | None
    has_interactor: bool = False
    has_entry: bool = True
    proof_attempts: int = 0


@dataclass(frozen=True, slots=True)
class ProofOutcome:
    """What running programs of known verdict said of a test set; `ours` when the judge itself failed."""

    proven: bool
    reason: str | None
    references: int
    wrong: int
    ours: bool = False


@dataclass(frozen=True, slots=True)
class Publish:
    """Nothing holds it back."""


@dataclass(frozen=True, slots=True)
class Wait:
    """Not decided yet: a proof is under way, or its contest has not ended."""

    reason: str


@dataclass(frozen=True, slots=True)
class Hold:
    """Held for a person or for facts still to come."""

    reason: str


_OPEN_CHECKERS = {CheckerKind.TESTLIB, CheckerKind.KATTIS, CheckerKind.UNORDERED}


def admit(dossier: Dossier, now: datetime) -> Publish | Wait | Hold:
    """Decide: the first reason that applies, hardest first."""
    if dossier.released_on is None:
        return Hold("no release date")
    if not dossier.has_statement:
        return Hold("no statement")
    if dossier.contest_ends_at is not None and now < dossier.contest_ends_at + CONTEST_MARGIN:
        return Wait("its contest has not ended")
    if dossier.proof is None:
        return Hold(f"no full tests: {dossier.public_samples} public samples only")
    if not dossier.has_entry:
        return Hold("what programs must define is not known")
    if "interactive" in dossier.flags and not dossier.has_interactor:
        return Hold("interactive, and no interactor")
    if "multiple_answers" in dossier.flags and dossier.checker not in _OPEN_CHECKERS:
        return Hold("several answers are right, and no checker knows them")
    return _by_proof(dossier)


def _by_proof(dossier: Dossier) -> Publish | Wait | Hold:
    if dossier.proof == "waiting":
        if dossier.proof_attempts >= MAX_PROOF_ATTEMPTS:
            reason = dossier.proof_reason or "proving them ended its worker each time"
            return Hold(f"its tests could not be proven, by our fault: {reason}")
        return Wait("its tests are being proven")
    if dossier.proof == "refuted":
        return Hold(f"tests refuted: {dossier.proof_reason or 'a reference program fails them'}")
    return Publish()


def statement_sha256(title: str, text: str, starter_code: Mapping[str, str]) -> str:
    """Digest of what is asked: title, text and starter code."""
    parts = [title, text, *(f"{language}\0{code}" for language, code in sorted(starter_code.items()))]
    return hashlib.sha256("\0\0".join(parts).encode()).hexdigest()
