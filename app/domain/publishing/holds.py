"""Whether a problem may be asked and judged: the reasons that hold one back, and which of them a person may waive."""

import hashlib
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from app.domain.judging.several import MULTIPLE_ANSWERS
from app.domain.judging.speed import Timed
from app.domain.problems import CheckerKind
from app.domain.unittests.reference import Covered

# Contests end late now and then; nothing of a contest is used before this much after its end, unless an operator says
# otherwise of its source.
CONTEST_MARGIN = timedelta(minutes=10)

MAX_PROOF_ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class Dossier:
    """What is known of a problem when its publication is decided.

    `waived` are the waivers (see `Hold`) that a maintainer gave it. `proof` is the test set's state (waiting, proven,
    shipped, unproven, refuted), None without a test set; `proof_attempts` counts those that have ended.
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
    talks: bool = False  # whoever made its tests says that programs talk to an interactor
    has_entry: bool = True
    returns: bool = False  # its answers are returned values, which no program of a suite compares
    proof_attempts: int = 0
    needs_image: bool = False
    unknown_limits: Collection[str] = ()  # "time", "memory": what its source should state and does not
    being_set: bool = False  # whether setters can make its tests, and have not failed to
    set_reason: str | None = None  # why setters failed to
    unsent: bool = False  # setters could make its tests, but its source's statements may not be sent to models
    audit: str | None = None  # what speaks against a problem that was published
    waived: Collection[str] = ()
    margin: timedelta = CONTEST_MARGIN  # after the contest's end


@dataclass(frozen=True, slots=True)
class ProofOutcome:
    """What running programs of known verdict said of a test set; `ours` when the judge itself failed.

    `times` holds the fastest reference of each language, once all of them were accepted. `beside`: by the place of
    their source, the unittests that must run beside a program, because a reference's values could not leave it.
    `slowest_ms`: of unittests, what a reference took for the slowest one on a machine of the usual speed.
    `lacking`: packages that are imported and that the judge does not have. `covered`: of unittests, what they
    reach of a reference; None where that could not be measured.
    """

    proven: bool
    reason: str | None
    references: int
    wrong: int
    ours: bool = False
    times: Mapping[str, Timed] = field(default_factory=dict)
    beside: Mapping[str, Sequence[str]] = field(default_factory=dict)
    slowest_ms: float | None = None
    lacking: Sequence[str] = ()
    covered: Covered | None = None


@dataclass(frozen=True, slots=True)
class Publish:
    """Nothing holds it back."""


@dataclass(frozen=True, slots=True)
class Wait:
    """Not decided yet: its tests are being made or proven, or its contest has not ended.

    `checked`: it lacks nothing but its tests, and models may be asked.
    """

    reason: str
    checked: bool = False


@dataclass(frozen=True, slots=True)
class Hold:
    """Held for a person or for facts still to come.

    A maintainer who looked may waive a hold that has a `waiver`; the others need what they name.
    """

    reason: str
    waiver: str | None = None


NEEDS = "needs:"  # the flag of a package that is not here
UNFIT = "unfit:"  # the flag of what whoever reads its file knows that it cannot be judged for
LIMITS = "limits"  # the waiver of a problem that is judged by our limits, as its own are not known
UNSENT = "no full tests: its statements may not be sent to models, so no setter is asked; import tests or allow it"
_NO_INTERACTOR = "interactive, and no interactor"
_OPEN_CHECKERS = {CheckerKind.TESTLIB, CheckerKind.KATTIS, CheckerKind.UNORDERED}


def admit(dossier: Dossier, now: datetime) -> Publish | Wait | Hold:
    """Decide: the first reason that applies, hardest first."""
    if dossier.released_on is None:
        return Hold("no release date")
    if not dossier.has_statement:
        return Hold("no statement")
    if dossier.contest_ends_at is not None and now < dossier.contest_ends_at + dossier.margin:
        return Wait("its contest has not ended")
    if (by_file := _by_file(dossier.flags)) is not None:
        return by_file
    if dossier.proof is None and (dossier.being_set or dossier.unsent or dossier.set_reason is not None):
        return _untested(dossier)  # an interactor may come with its tests, too
    if "interactive" in dossier.flags and not dossier.has_interactor and "interactive" not in dossier.waived:
        return Hold(_NO_INTERACTOR, None if dossier.talks else "interactive")
    if dossier.proof is None:
        return _untested(dossier)
    if not dossier.has_entry:
        return Hold("what programs must define is not known")
    if dossier.talks and not dossier.has_interactor:
        return Hold(_NO_INTERACTOR)
    return _by_person(dossier) or _by_proof(dossier)


def _by_file(flags: Collection[str]) -> Hold | None:
    """What whoever read its file knows that it lacks, or cannot be judged for."""
    needs = sorted(flag.removeprefix(NEEDS) for flag in flags if flag.startswith(NEEDS))
    if needs:
        return Hold(f"needs {', '.join(needs)}, which is not here")
    unfit = sorted(flag.removeprefix(UNFIT) for flag in flags if flag.startswith(UNFIT))
    return Hold(f"cannot be judged: {'; '.join(unfit)}") if unfit else None


def _untested(dossier: Dossier) -> Wait | Hold:
    """Without tests: setters may be making them. A checker may come with these, but for returned values."""
    if dossier.set_reason is not None:
        return Hold(f"no full tests: {dossier.set_reason}")
    if dossier.unsent:
        return Hold(UNSENT)
    if not dossier.being_set:
        return Hold(f"no full tests: {dossier.public_samples} public samples only")
    if not dossier.has_entry:
        return Hold("what programs must define is not known")
    with_checker = dossier if dossier.returns else replace(dossier, checker=CheckerKind.KATTIS)
    return _by_person(with_checker) or Wait("setters make its tests", checked=True)


def _by_person(dossier: Dossier) -> Hold | None:
    """What only a person can tell, unless one has."""
    holds = []
    if MULTIPLE_ANSWERS in dossier.flags and dossier.checker not in _OPEN_CHECKERS:
        holds.append(Hold("several answers are right, and no checker knows them", MULTIPLE_ANSWERS))
    if "inner_order" in dossier.flags:
        holds.append(Hold("it is not said whether the order within inner lists matters", "inner_order"))
    if dossier.needs_image:
        holds.append(Hold("its statement has an image, which may be needed", "image"))
    if dossier.unknown_limits:
        names = sorted(dossier.unknown_limits, reverse=True)
        words = "limit is" if len(names) == 1 else "limits are"
        holds.append(Hold(f"its {' and '.join(names)} {words} not known", LIMITS))
    if dossier.audit is not None:
        holds.append(Hold(dossier.audit, "audit"))
    return next((hold for hold in holds if hold.waiver not in dossier.waived), None)


def _by_proof(dossier: Dossier) -> Publish | Wait | Hold:
    if dossier.proof == "waiting":
        if dossier.proof_attempts >= MAX_PROOF_ATTEMPTS:
            reason = dossier.proof_reason or "proving them ended its worker each time"
            return Hold(f"its tests could not be proven, by our fault: {reason}")
        return Wait("its tests are being proven")
    if dossier.proof == "refuted":
        return Hold(f"tests refuted: {dossier.proof_reason or 'a reference program fails them'}")
    return Publish()


_IMAGE = re.compile(r"!\[[^\]\n]{0,500}\]\(|\[image\b")
_SAMPLES = re.compile(
    r"^\W{0,8}(?:sample|example|note|explanation|入力例|出力例|示例|样例)", re.IGNORECASE | re.MULTILINE
)


def needs_image(statement: str) -> bool:
    """Whether a text that came with images may need one: those that stand in its samples only explain them.

    A text whose images left no mark may have lost anything.
    """
    image, samples = _IMAGE.search(statement), _SAMPLES.search(statement)
    return image is None or samples is None or image.start() < samples.start()


def statement_sha256(title: str, text: str, starter_code: Mapping[str, str]) -> str:
    """Digest of what is asked: title, text and starter code."""
    parts = [title, text, *(f"{language}\0{code}" for language, code in sorted(starter_code.items()))]
    return hashlib.sha256("\0\0".join(parts).encode()).hexdigest()
