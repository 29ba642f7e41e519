"""Whether an input is legal: by validators of several vendors, each chosen by how it does on everybody's probes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from app.domain.setting.answers import Piece

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


def is_legal(votes: Mapping[str, bool | None]) -> bool:
    """Whether validators of at least two vendors let an input in, and more than refuse it. None is no vote."""
    let_in = sum(vote is True for vote in votes.values())
    return let_in >= LEAST_VOTES and let_in > sum(vote is False for vote in votes.values())
