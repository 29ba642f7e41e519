"""Whether a suite made by consensus is admitted: one rule over what was found out, and nowhere else. Pure."""

from collections.abc import Collection
from dataclasses import dataclass

from app.domain.problems import Form
from app.domain.setting.answers import Piece
from app.domain.setting.consensus import LEAST_SOLUTIONS, LEAST_VENDORS
from app.domain.setting.vendors import OPERATOR, STATEMENT
from app.domain.testgen import report

LEAST_TRUTHS = 10  # inputs that brute forces of two vendors answered alike
MOST_DISSENT = 0.1  # of the inputs too large for brute forces: above that the solutions do not solve one problem
MOST_DOUBT = 0.1  # of the legal inputs: above that a vendor alone says what the suite may hold
_NOBODY_COMPARES = {
    Form.STDIN: "several answers may be right, and setters of two vendors agree on no checker",
    Form.INTERACTIVE: "interactors of two vendors are needed that say the same",
}
# Returned values are compared by their types; no setter is asked for a program that would compare them.
_NO_VALUE_DECIDES = (
    "several returned values may be right, and values are only compared by their types: import the problem with tests "
    "of its own"
)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for and against a suite: who validates, who answers and who compares, and counts of inputs.

    `comparers` are the checkers, or the interactors, that say the same; None where how answers are compared was known
    before, as it is of returned values of which one is right. `disputed` are inputs within reach of brute forces on
    which programs contradict each other, and nothing says who is right; `dissent` those among the `large` ones.
    `doubted` are legal ones that a vendor holds to be illegal and answers otherwise than the others. `answered_large`
    are the large ones with an answer that stands. `proof` is what was tried on the suite; None before.
    """

    validators: Collection[Piece]
    brutes: Collection[Piece]
    references: Collection[Piece]
    legal: int
    truths: int
    disputed: int
    large: int
    dissent: int
    answered_large: int
    comparers: Collection[Piece] | None = None
    doubted: int = 0
    form: Form = Form.STDIN
    proof: report.Evidence | None = None


def refusal(evidence: Evidence) -> str | None:
    """Why the suite is not admitted, the hardest reason first; None when it is."""
    short = shortfall(evidence)
    if short is not None:
        return short
    return "it is not proven" if evidence.proof is None else report.refusal(evidence.proof)


def shortfall(evidence: Evidence) -> str | None:
    """Why there is nothing to prove, the hardest reason first; None where a proof is all that lacks."""
    if _vendors(evidence.validators) < LEAST_VENDORS:
        return f"validators of {_count(evidence.validators)} could be used; two are needed"
    if evidence.legal == 0:
        return "no input that a generator made is legal by two vendors' validators"
    if not is_compared(evidence.comparers):
        return _NOBODY_COMPARES.get(evidence.form, _NO_VALUE_DECIDES)
    interactive = evidence.form is Form.INTERACTIVE
    if not interactive and _vendors(evidence.brutes) < LEAST_VENDORS:
        return f"brute forces of {_count(evidence.brutes)} are left; two are needed"
    if (dispute := _dispute(evidence)) is not None:
        return dispute
    if not interactive and evidence.truths < LEAST_TRUTHS:
        return f"brute forces of two vendors answer {evidence.truths} inputs alike; {LEAST_TRUTHS} are needed"
    if len(evidence.references) < LEAST_SOLUTIONS or _vendors(evidence.references) < LEAST_VENDORS:
        return (
            f"{len(evidence.references)} solutions of {_count(evidence.references)} are left; "
            f"{LEAST_SOLUTIONS} of two are needed"
        )
    if evidence.large and evidence.dissent > MOST_DISSENT * evidence.large:
        return f"solutions contradict each other on {evidence.dissent} of {evidence.large} large inputs"
    if not evidence.answered_large:
        return "no large input has an answer that stands; what counts is an input's size, not its kind"
    return None


def _dispute(evidence: Evidence) -> str | None:
    """What programs say otherwise, where nothing shows who is right."""
    if evidence.disputed:
        return f"programs contradict each other on {evidence.disputed} small inputs, and nothing says who is right"
    if evidence.doubted > MOST_DOUBT * evidence.legal:
        return f"a vendor holds {evidence.doubted} of {evidence.legal} legal inputs to be illegal and answers otherwise"
    return None


def is_compared(comparers: Collection[Piece] | None) -> bool:
    """Whether it is settled how answers are compared: before, by two vendors that agree, or by a person's word."""
    return comparers is None or _vendors(comparers) >= LEAST_VENDORS or any(p.vendor == OPERATOR for p in comparers)


def _vendors(pieces: Collection[Piece]) -> int:
    """Of setters: what is read from the statement itself is none."""
    return len({piece.vendor for piece in pieces} - {STATEMENT})


def _count(pieces: Collection[Piece]) -> str:
    count = _vendors(pieces)
    return "one vendor" if count == 1 else f"{count or 'no'} vendors"
