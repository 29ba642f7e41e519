"""Holds: reasons why a problem may not be asked and judged yet, and which of them a person may waive."""

import hashlib
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from app.domain.judging.multiple_answers import MULTIPLE_ANSWERS
from app.domain.judging.speed import ReferenceTime
from app.domain.problems import CheckerKind
from app.domain.reasons import Reason
from app.domain.unittests.reference import BranchCoverage

# Contests sometimes end late: nothing of a contest is used until this long after its end, unless an operator sets
# another margin for its source.
CONTEST_MARGIN = timedelta(minutes=10)

MAX_PROOF_ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class PublicationFacts:
    """Facts of a problem that decide on its publication.

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
    talks: bool = False  # according to the origin of its tests, programs talk to an interactor
    has_entry: bool = True
    returns: bool = False  # its answers are returned values, which no checker program of a suite compares
    proof_attempts: int = 0
    needs_image: bool = False
    unknown_limits: Collection[str] = ()  # "time", "memory": limits that its source should state and does not
    being_set: bool = False  # setters can make its tests, and have not failed
    set_reason: str | None = None  # reason why setters failed
    unsent: bool = False  # setters could make its tests, but its source's statements may not be sent to models
    audit: str | None = None  # reason against a problem that was published
    waived: Collection[str] = ()
    margin: timedelta = CONTEST_MARGIN  # after the contest's end


@dataclass(frozen=True, slots=True)
class ProofOutcome:
    """Outcome of running programs of known verdict on a test set; `ours` if the judge itself failed.

    `times` holds the fastest reference of each language, once all of them were accepted. `beside`: by the place of
    their source, the unittests that must run beside a program, because a reference's values could not leave it.
    `slowest_ms`: for unittests, a reference's time for the slowest one on a machine of the usual speed. `lacking`:
    imported packages that the judge does not have. `covered`: for unittests, the parts of a reference that they reach;
    None if that could not be measured.
    """

    proven: bool
    reason: str | None
    references: int
    wrong: int
    ours: bool = False
    times: Mapping[str, ReferenceTime] = field(default_factory=dict)
    beside: Mapping[str, Sequence[str]] = field(default_factory=dict)
    slowest_ms: float | None = None
    lacking: Sequence[str] = ()
    covered: BranchCoverage | None = None


@dataclass(frozen=True, slots=True)
class Publication:
    """Decision to publish: nothing holds the problem back."""


@dataclass(frozen=True, slots=True)
class WaitDecision:
    """Decision to wait: the tests are being made or proven, or the contest has not ended.

    `checked`: it lacks nothing but its tests, and models may be asked.
    """

    reason: str
    checked: bool = False


@dataclass(frozen=True, slots=True)
class Hold:
    """Decision to hold the problem for a person or for facts still to come.

    A maintainer who looked may waive a hold that has a `waiver`; the others need the fact they name.
    """

    reason: str
    waiver: str | None = None


NEEDS_PREFIX = "needs:"  # prefix of a flag: a package that the judge does not have
UNFIT_PREFIX = "unfit:"  # prefix of a flag: a reason, known from its file, why it cannot be judged
LIMITS_WAIVER = "limits"  # waiver of a problem that is judged by our limits, because its own are not known
NO_STATEMENT = Reason("hold.no_statement")
UNSENT_REASON = Reason("hold.unsent")
_NO_INTERACTOR = Reason("hold.no_interactor")
_NO_ENTRY = Reason("hold.no_entry")
_OPEN_CHECKERS = {CheckerKind.TESTLIB, CheckerKind.KATTIS, CheckerKind.UNORDERED}


def admit(dossier: PublicationFacts, now: datetime) -> Publication | WaitDecision | Hold:
    """Return the decision for the first reason that applies, the most serious first."""
    if dossier.released_on is None:
        return Hold(Reason("hold.no_date"))
    if not dossier.has_statement:
        return Hold(NO_STATEMENT)
    if dossier.contest_ends_at is not None and now < dossier.contest_ends_at + dossier.margin:
        return WaitDecision("its contest has not ended")
    if (by_file := _hold_by_file(dossier.flags)) is not None:
        return by_file
    if dossier.proof is None and (dossier.being_set or dossier.unsent or dossier.set_reason is not None):
        return _decide_untested(dossier)  # an interactor may come with its tests, too
    if "interactive" in dossier.flags and not dossier.has_interactor and "interactive" not in dossier.waived:
        return Hold(_NO_INTERACTOR, None if dossier.talks else "interactive")
    if dossier.proof is None:
        return _decide_untested(dossier)
    if not dossier.has_entry:
        return Hold(_NO_ENTRY)
    if dossier.talks and not dossier.has_interactor:
        return Hold(_NO_INTERACTOR)
    return _hold_for_person(dossier) or _decide_by_proof(dossier)


def _hold_by_file(flags: Collection[str]) -> Hold | None:
    """Return a hold for what the problem's file lacks, or why it cannot be judged, as its reader flagged it."""
    needs = sorted(flag.removeprefix(NEEDS_PREFIX) for flag in flags if flag.startswith(NEEDS_PREFIX))
    if needs:
        return Hold(Reason("hold.needs", cause=", ".join(needs)))
    unfit = sorted(flag.removeprefix(UNFIT_PREFIX) for flag in flags if flag.startswith(UNFIT_PREFIX))
    return Hold(Reason("hold.unfit", cause="; ".join(unfit))) if unfit else None


def _decide_untested(dossier: PublicationFacts) -> WaitDecision | Hold:
    """Decide on a problem without tests: setters may be making them.

    A checker may come with these tests, but not for returned values.
    """
    if dossier.set_reason is not None:
        return Hold(Reason("hold.unset", cause=dossier.set_reason))
    if dossier.unsent:
        return Hold(UNSENT_REASON)
    if not dossier.being_set:
        return Hold(Reason("hold.no_tests", {"n": dossier.public_samples}))
    if not dossier.has_entry:
        return Hold(_NO_ENTRY)
    with_checker = dossier if dossier.returns else replace(dossier, checker=CheckerKind.KATTIS)
    return _hold_for_person(with_checker) or WaitDecision("setters make its tests", checked=True)


def _hold_for_person(dossier: PublicationFacts) -> Hold | None:
    """Return the first hold that only a person can release and that none has waived."""
    holds = []
    if MULTIPLE_ANSWERS in dossier.flags and dossier.checker not in _OPEN_CHECKERS:
        holds.append(Hold(Reason("hold.no_checker"), MULTIPLE_ANSWERS))
    if "inner_order" in dossier.flags:
        holds.append(Hold(Reason("hold.inner_order"), "inner_order"))
    if dossier.needs_image:
        holds.append(Hold(Reason("hold.image"), "image"))
    if dossier.unknown_limits:
        names = sorted(dossier.unknown_limits, reverse=True)
        words = "limit is" if len(names) == 1 else "limits are"
        holds.append(Hold(Reason("hold.no_limits", {"what": f"{' and '.join(names)} {words}"}), LIMITS_WAIVER))
    if dossier.audit is not None:
        holds.append(Hold(dossier.audit, "audit"))
    return next((hold for hold in holds if hold.waiver not in dossier.waived), None)


def _decide_by_proof(dossier: PublicationFacts) -> Publication | WaitDecision | Hold:
    if dossier.proof == "waiting":
        if dossier.proof_attempts >= MAX_PROOF_ATTEMPTS:
            return Hold(Reason("hold.unproven", cause=dossier.proof_reason or Reason("attempts_failed")))
        return WaitDecision("its tests are being proven")
    if dossier.proof == "refuted":
        return Hold(Reason("hold.refuted", cause=dossier.proof_reason or Reason("reference_fails")))
    return Publication()


_IMAGE = re.compile(r"!\[[^\]\n]{0,500}\]\(|\[image\b")
_SAMPLES = re.compile(
    r"^\W{0,8}(?:sample|example|note|explanation|入力例|出力例|示例|样例)", re.IGNORECASE | re.MULTILINE
)


def needs_image(statement: str) -> bool:
    """Return whether a text that came with images may need one: images within its samples only explain them.

    A text whose images left no mark may have lost anything.
    """
    image, samples = _IMAGE.search(statement), _SAMPLES.search(statement)
    return image is None or samples is None or image.start() < samples.start()


def statement_sha256(title: str, text: str, starter_code: Mapping[str, str]) -> str:
    """Return a digest of title, text and starter code."""
    parts = [title, text, *(f"{language}\0{code}" for language, code in sorted(starter_code.items()))]
    return hashlib.sha256("\0\0".join(parts).encode()).hexdigest()
