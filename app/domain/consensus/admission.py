"""Admission of a suite made by consensus: the one rule over its evidence. Pure."""

from collections.abc import Collection
from dataclasses import dataclass

from app.domain.consensus.agreement import LEAST_SOLUTIONS, LEAST_VENDORS
from app.domain.consensus.answers import AnswerId
from app.domain.consensus.vendors import OPERATOR, STATEMENT
from app.domain.problems import Form
from app.domain.reasons import Reason
from app.domain.testgen import report

LEAST_TRUTHS = 10  # inputs that brute forces of two vendors answered alike
MOST_DISSENT = 0.1  # share of inputs too large for brute forces; above it the solutions do not solve one problem
MOST_DOUBT = 0.1  # share of legal inputs; above it one vendor alone would decide what the suite holds
_NO_COMPARERS = {Form.STDIN: Reason("no_joint_checker"), Form.INTERACTIVE: Reason("no_joint_interactor")}
# Returned values are compared by their types; setters write no checker for them.
_SEVERAL_VALUES = Reason("compared_by_type")


@dataclass(frozen=True, slots=True)
class ConsensusEvidence:
    """Evidence for and against a suite: its validators, brute forces, references and comparers, and counts of inputs.

    `comparers` are the checkers, or the interactors, that agree; None if the comparison was known before, as for
    returned values of which one is right. `disputed` inputs are within reach of brute forces, programs contradict each
    other on them, and nothing shows which one is right; `dissent` counts such inputs among the `large` ones. The
    `contested` inputs are legal, but one vendor holds them to be illegal and its programs answer otherwise than the
    others.
    `answered_large` are the large inputs with an answer that stands. `proof` is the result of trying the suite; None
    before.
    """

    validators: Collection[AnswerId]
    brutes: Collection[AnswerId]
    references: Collection[AnswerId]
    legal: int
    truths: int
    disputed: int
    large: int
    dissent: int
    answered_large: int
    comparers: Collection[AnswerId] | None = None
    contested: int = 0
    form: Form = Form.STDIN
    proof: report.SuiteEvidence | None = None


def refusal(evidence: ConsensusEvidence) -> Reason | None:
    """Return the reason why the suite is not admitted, the most serious first; None if it is admitted."""
    short = shortfall(evidence)
    if short is not None:
        return short
    return Reason("never_tried") if evidence.proof is None else report.refusal(evidence.proof)


def shortfall(evidence: ConsensusEvidence) -> Reason | None:
    """Return the reason why there is nothing to prove, the most serious first; None if only a proof is missing."""
    if _count_vendors(evidence.validators) < LEAST_VENDORS:
        return Reason("few_validators", cause=_describe_vendors(evidence.validators))
    if evidence.legal == 0:
        return Reason("no_legal_input")
    if not is_compared(evidence.comparers):
        return _NO_COMPARERS.get(evidence.form, _SEVERAL_VALUES)
    interactive = evidence.form is Form.INTERACTIVE
    if not interactive and _count_vendors(evidence.brutes) < LEAST_VENDORS:
        return Reason("few_brutes", cause=_describe_vendors(evidence.brutes))
    if (dispute := _dispute(evidence)) is not None:
        return dispute
    if not interactive and evidence.truths < LEAST_TRUTHS:
        return Reason("few_truths", {"n": evidence.truths, "least": LEAST_TRUTHS})
    if len(evidence.references) < LEAST_SOLUTIONS or _count_vendors(evidence.references) < LEAST_VENDORS:
        sizes = {"n": len(evidence.references), "least": LEAST_SOLUTIONS}
        return Reason("few_solutions", sizes, _describe_vendors(evidence.references))
    if evidence.large and evidence.dissent > MOST_DISSENT * evidence.large:
        return Reason("large_dissent", {"n": evidence.dissent, "total": evidence.large})
    if not evidence.answered_large:
        return Reason("no_large_answer")
    return None


def _dispute(evidence: ConsensusEvidence) -> Reason | None:
    """Return on how many inputs programs contradict each other while nothing shows which one is right; None if few."""
    if evidence.disputed:
        return Reason("disputed_inputs", {"n": evidence.disputed})
    if evidence.contested > MOST_DOUBT * evidence.legal:
        return Reason("contested_inputs", {"n": evidence.contested, "total": evidence.legal})
    return None


def is_compared(comparers: Collection[AnswerId] | None) -> bool:
    """Return whether the comparison of answers is settled: known before, by two vendors that agree, or by a person."""
    return (
        comparers is None or _count_vendors(comparers) >= LEAST_VENDORS or any(p.vendor == OPERATOR for p in comparers)
    )


def _count_vendors(answer_ids: Collection[AnswerId]) -> int:
    """Count the vendors of setters; the statement itself is none."""
    return len({answer_id.vendor for answer_id in answer_ids} - {STATEMENT})


def _describe_vendors(answer_ids: Collection[AnswerId]) -> Reason:
    count = _count_vendors(answer_ids)
    if count > 1:
        return Reason("vendors", {"n": count})
    return Reason("one_vendor" if count else "no_vendors")
