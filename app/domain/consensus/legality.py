"""Legality of inputs, by votes of several vendors' validators, each chosen by its score on all probes. Pure.

Probes choose the validators, so a vendor could tip a vote without a vote of its own. Therefore each question is asked
again without each vendor, its validators and its probes.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from app.domain.consensus.answers import AnswerId
from app.domain.consensus.vendors import STATEMENT

LEAST_VOTES = 2  # vendors
LEAST_PROBE_SCORE = 0.7  # share of probes; a validator below it has misread the statement


@dataclass(frozen=True, slots=True)
class ValidatorTrial:
    """Results of one validator; a probe is its vendor, that vendor's opinion of its legality, and the result."""

    answer_id: AnswerId
    samples: Sequence[bool | None]
    probes: Sequence[tuple[str, bool, bool | None]] = ()

    @property
    def accepts_samples(self) -> bool:
        """True if it accepts every sample, which the statement says are legal."""
        return all(let_in is True for let_in in self.samples)

    def score(self) -> float:
        """Return the share of probes on which it agrees with their setters, each vendor's probes weighing the same.

        1 without probes. A probe without an answer counts as wrong.
        """
        by_vendor: dict[str, list[bool]] = {}
        for vendor, legal, let_in in self.probes:
            by_vendor.setdefault(vendor, []).append(let_in is legal)
        shares = [sum(right) / len(right) for right in by_vendor.values()]
        return sum(shares) / len(shares) if shares else 1.0


def choose_voters(trials: Iterable[ValidatorTrial]) -> dict[str, AnswerId]:
    """Return the validator that votes for each vendor: the one with the best score that accepts all samples."""
    best: dict[str, ValidatorTrial] = {}
    for trial in trials:
        if not trial.accepts_samples or trial.score() < LEAST_PROBE_SCORE:
            continue
        other = best.get(trial.answer_id.vendor)
        if other is None or _is_better(trial, other):
            best[trial.answer_id.vendor] = trial
    return {vendor: trial.answer_id for vendor, trial in best.items()}


def best_validator(trials: Iterable[ValidatorTrial]) -> AnswerId | None:
    """Return the best of all validators that vote; None without any."""
    known = {trial.answer_id: trial for trial in trials}
    best: ValidatorTrial | None = None
    for answer_id in choose_voters(known.values()).values():
        if best is None or _is_better(known[answer_id], best):
            best = known[answer_id]
    return None if best is None else best.answer_id


def _is_better(one: ValidatorTrial, other: ValidatorTrial) -> bool:
    return (-one.score(), one.answer_id) < (-other.score(), other.answer_id)


def count_votes(votes: Mapping[str, bool | None]) -> bool | None:
    """Return whether an input is legal by the votes of vendors; None if that is undecided. A vote of None is no vote.

    Either result takes validators of two vendors, and a majority. The statement's own validator has a vote and is
    neither of the two.
    """
    let_in, refused = (sum(vote is answer for vote in votes.values()) for answer in (True, False))
    of_vendors = {
        answer: sum(votes[vendor] is answer for vendor in votes if vendor != STATEMENT) for answer in (True, False)
    }
    if of_vendors[True] >= LEAST_VOTES and let_in > refused:
        return True
    return False if of_vendors[False] >= LEAST_VOTES and refused > let_in else None


class ValidatorPanel:
    """Validators that vote on legality, with all vendors and without some of them."""

    def __init__(self, trials: Sequence[ValidatorTrial]) -> None:
        self.vendors = sorted(
            {vendor for trial in trials for vendor in (trial.answer_id.vendor, *_probe_vendors(trial))}
        )
        outs = [frozenset(out) for count in range(3) for out in combinations(self.vendors, count)]
        self._voters = {out: choose_voters(_without_vendors(trials, out)) for out in outs}

    @property
    def voters(self) -> Mapping[str, AnswerId]:
        """Validator that votes for each vendor."""
        return self._voters[frozenset()]

    @property
    def all_voters(self) -> set[AnswerId]:
        """All validators whose vote may count, with all vendors or without some."""
        return {answer_id for voting in self._voters.values() for answer_id in voting.values()}

    def is_legal(self, votes: Mapping[AnswerId, bool | None], without: str | None = None) -> bool:
        """Return whether an input is legal, and does not become illegal without any one further vendor."""
        out = frozenset(() if without is None else (without,))
        if self._verdict(votes, out) is not True:
            return False
        return all(self._verdict(votes, out | {vendor}) is not False for vendor in self.vendors)

    def refusing_vendors(self, votes: Mapping[AnswerId, bool | None], without: str | None = None) -> frozenset[str]:
        """Return the vendors whose own validator rejects an input."""
        voting = self._voters[frozenset(() if without is None else (without,)) & frozenset(self.vendors)]
        return frozenset(vendor for vendor, answer_id in voting.items() if votes.get(answer_id) is False)

    def _verdict(self, votes: Mapping[AnswerId, bool | None], out: frozenset[str]) -> bool | None:
        voting = self._voters[out & frozenset(self.vendors)]
        return count_votes({vendor: votes.get(answer_id) for vendor, answer_id in voting.items()})


def _probe_vendors(trial: ValidatorTrial) -> set[str]:
    return {vendor for vendor, _legal, _let_in in trial.probes}


def _without_vendors(trials: Sequence[ValidatorTrial], out: frozenset[str]) -> list[ValidatorTrial]:
    return [
        replace(trial, probes=[probe for probe in trial.probes if probe[0] not in out])
        for trial in trials
        if trial.answer_id.vendor not in out
    ]
