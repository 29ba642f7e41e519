"""Whether a suite made by consensus is admitted: one rule over what was found out. Pure."""

from collections.abc import Collection
from dataclasses import dataclass

from app.domain.setting.answers import Piece
from app.domain.setting.consensus import LEAST_SOLUTIONS, LEAST_VENDORS

LEAST_TRUTHS = 10  # inputs that brute forces of two vendors answered alike
MOST_DISSENT = 0.1  # of the inputs too large for brute forces: above that the solutions do not solve one problem


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for and against a suite: who validates and who answers, and counts of inputs.

    `disputed` are inputs within reach of brute forces on which programs contradict each other, and nothing says who is
    right; `dissent` those among the `large` ones. `answered_large` are the large ones with an answer that stands.
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
    interactive: bool = False


def refusal(evidence: Evidence) -> str | None:
    """Why the suite is not admitted, the hardest reason first; None when it may go on to its proof."""
    if _vendors(evidence.validators) < LEAST_VENDORS:
        return f"validators of {_count(evidence.validators)} could be used; two are needed"
    if evidence.legal == 0:
        return "no input that a generator made is legal by two vendors' validators"
    if not evidence.interactive and _vendors(evidence.brutes) < LEAST_VENDORS:
        return f"brute forces of {_count(evidence.brutes)} are left; two are needed"
    if evidence.disputed:
        return f"programs contradict each other on {evidence.disputed} small inputs, and nothing says who is right"
    if not evidence.interactive and evidence.truths < LEAST_TRUTHS:
        return f"brute forces of two vendors answer {evidence.truths} inputs alike; {LEAST_TRUTHS} are needed"
    if len(evidence.references) < LEAST_SOLUTIONS or _vendors(evidence.references) < LEAST_VENDORS:
        return (
            f"{len(evidence.references)} solutions of {_count(evidence.references)} are left; "
            f"{LEAST_SOLUTIONS} of two are needed"
        )
    if evidence.large and evidence.dissent > MOST_DISSENT * evidence.large:
        return f"solutions contradict each other on {evidence.dissent} of {evidence.large} large inputs"
    if not evidence.answered_large:
        return "no large input has an answer that stands"
    return None


def _vendors(pieces: Collection[Piece]) -> int:
    return len({piece.vendor for piece in pieces})


def _count(pieces: Collection[Piece]) -> str:
    count = _vendors(pieces)
    return "one vendor" if count == 1 else f"{count or 'no'} vendors"
