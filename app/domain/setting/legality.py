"""Whether an input is legal: by validators of several vendors, each chosen by how it does on everybody's probes. Pure.

Probes choose who votes, so a vendor could tip a vote without a vote of its own. Therefore everything is asked again
without each vendor, its validators and its probes.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from app.domain.setting.answers import Piece
from app.domain.setting.vendors import STATEMENT

LEAST_VOTES = 2  # vendors
LEAST_RIGHT = 0.7  # of the probes: a validator below that has read another statement


@dataclass(frozen=True, slots=True)
class Trial:
    """How a validator did: each probe's vendor, whether that vendor holds it to be legal, and whether it was let in."""

    piece: Piece
    samples: Sequence[bool | None]
    probes: Sequence[tuple[str, bool, bool | None]] = ()

    @property
    def keeps_samples(self) -> bool:
        """Whether it lets every sample in: the statement says that they are legal."""
        return all(let_in is True for let_in in self.samples)

    def score(self) -> float:
        """The share of probes on which it says what their setter says, each vendor's probes weighing the same.

        1 without probes. What it gave no answer to is wrong.
        """
        by_vendor: dict[str, list[bool]] = {}
        for vendor, legal, let_in in self.probes:
            by_vendor.setdefault(vendor, []).append(let_in is legal)
        shares = [sum(right) / len(right) for right in by_vendor.values()]
        return sum(shares) / len(shares) if shares else 1.0


def voters(trials: Iterable[Trial]) -> dict[str, Piece]:
    """The validator that votes for each vendor: its best one that lets all samples in and knows most probes."""
    best: dict[str, Trial] = {}
    for trial in trials:
        if not trial.keeps_samples or trial.score() < LEAST_RIGHT:
            continue
        other = best.get(trial.piece.vendor)
        if other is None or _better(trial, other):
            best[trial.piece.vendor] = trial
    return {vendor: trial.piece for vendor, trial in best.items()}


def chosen(trials: Iterable[Trial]) -> Piece | None:
    """The best of all that vote."""
    known = {trial.piece: trial for trial in trials}
    best: Trial | None = None
    for piece in voters(known.values()).values():
        if best is None or _better(known[piece], best):
            best = known[piece]
    return None if best is None else best.piece


def _better(one: Trial, other: Trial) -> bool:
    return (-one.score(), one.piece) < (-other.score(), other.piece)


def verdict(votes: Mapping[str, bool | None]) -> bool | None:
    """Whether an input is legal by the votes of vendors; None where that is not settled, and a vote of None is none.

    Either way it takes validators of two vendors, and more than say the opposite. What is read from the statement
    itself has a vote, and is none of the two.
    """
    let_in, refused = (sum(vote is said for vote in votes.values()) for said in (True, False))
    of_vendors = {said: sum(votes[one] is said for one in votes if one != STATEMENT) for said in (True, False)}
    if of_vendors[True] >= LEAST_VOTES and let_in > refused:
        return True
    return False if of_vendors[False] >= LEAST_VOTES and refused > let_in else None


class Electorate:
    """Who votes on what is legal, with all vendors and without some of them."""

    def __init__(self, trials: Sequence[Trial]) -> None:
        self.vendors = sorted({vendor for trial in trials for vendor in (trial.piece.vendor, *_probing(trial))})
        outs = [frozenset(out) for count in range(3) for out in combinations(self.vendors, count)]
        self._voters = {out: voters(_without(trials, out)) for out in outs}

    @property
    def voters(self) -> Mapping[str, Piece]:
        """The validator that votes for each vendor."""
        return self._voters[frozenset()]

    @property
    def asked(self) -> set[Piece]:
        """Everybody whose vote may count, with all vendors or without some."""
        return {piece for voting in self._voters.values() for piece in voting.values()}

    def is_legal(self, votes: Mapping[Piece, bool | None], without: str | None = None) -> bool:
        """Whether an input is legal, and without any one vendor more it is not illegal."""
        out = frozenset(() if without is None else (without,))
        if self._verdict(votes, out) is not True:
            return False
        return all(self._verdict(votes, out | {vendor}) is not False for vendor in self.vendors)

    def refusing(self, votes: Mapping[Piece, bool | None], without: str | None = None) -> frozenset[str]:
        """The vendors whose own validator refuses an input."""
        voting = self._voters[frozenset(() if without is None else (without,)) & frozenset(self.vendors)]
        return frozenset(vendor for vendor, piece in voting.items() if votes.get(piece) is False)

    def _verdict(self, votes: Mapping[Piece, bool | None], out: frozenset[str]) -> bool | None:
        voting = self._voters[out & frozenset(self.vendors)]
        return verdict({vendor: votes.get(piece) for vendor, piece in voting.items()})


def _probing(trial: Trial) -> set[str]:
    return {vendor for vendor, _legal, _let_in in trial.probes}


def _without(trials: Sequence[Trial], out: frozenset[str]) -> list[Trial]:
    return [
        replace(trial, probes=[probe for probe in trial.probes if probe[0] not in out])
        for trial in trials
        if trial.piece.vendor not in out
    ]
