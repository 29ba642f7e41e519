"""Which setters' answers go back once a setting was played without a suite: one rule over what was found. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from app.domain.setting.answers import Piece

MOST_ROUNDS: Final = 2  # so often an answer goes back; what has not agreed by then is for a person
# What became of an answer in which something fell short; any other has stood, or nothing depended on it.
FELL_SHORT: Final = frozenset({"contradicted", "failed", "refuted", "short", "unreadable"})


@dataclass(frozen=True, slots=True)
class Finding:
    """What became of an answer in a play, why, and the texts that show it by their names: `input` is the witness,
    `said` what the answer's program makes of it, `expected` what is right there, `answer` an output to be checked."""

    piece: Piece
    word: str
    reason: str = ""
    shows: Mapping[str, str] = field(default_factory=dict)


class Tries(NamedTuple):
    """How often an answer went back, and whether its setter said nothing the last time."""

    asked: int = 0
    silent: bool = False


def asked_again(findings: Iterable[Finding], tries: Mapping[Piece, Tries], *, ours: bool) -> list[Finding]:
    """The answers that go back, in the order of their pieces, each with what was found.

    Those that fell short, and went back less than `MOST_ROUNDS` times; who kept silent then is not asked once more.
    None where the shortfall is `ours`: then nothing was found out about any of them.
    """
    if ours:
        return []
    return sorted((finding for finding in findings if _goes_back(finding, tries)), key=lambda finding: finding.piece)


def _goes_back(finding: Finding, tries: Mapping[Piece, Tries]) -> bool:
    asked, silent = tries.get(finding.piece, Tries())
    return finding.word in FELL_SHORT and asked < MOST_ROUNDS and not silent
