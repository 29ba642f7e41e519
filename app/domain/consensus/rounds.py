"""Choice of setters' answers that go back after a build without a suite. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from app.domain.consensus.answers import AnswerId
from app.domain.reasons import CLASSED, Reason, reason_from_json, reason_to_json

MOST_ROUNDS: Final = 2  # how often an answer may go back; then a person decides
# Outcomes of answers that fell short; answers with any other outcome stood, or nothing depended on them.
FELL_SHORT: Final = frozenset({"contradicted", "failed", "refuted", "short", "unreadable"})


@dataclass(frozen=True, slots=True)
class AnswerOutcome:
    """Outcome of an answer in a build, its reason, and texts that show it.

    `shows` may have `input`, the witness; `said`, the output of the answer's program; `expected`, the right output; and
    `answer`, an output that was to be checked.
    """

    answer_id: AnswerId
    word: str
    reason: str = ""
    shows: Mapping[str, str] = field(default_factory=dict)


def stored_outcome(word: str, reason: str) -> dict[str, Any]:
    """Return an outcome with its reason as a reason with a code, as it is stored beside its English."""
    return {"word": word, "why": reason_to_json(reason)} if reason else {"word": word}


def outcome_reason(stored: Mapping[str, Any]) -> str:
    """Return the outcome of an answer, as it is stored with a build or a round, as a reason; text if it is older."""
    word = Reason(f"outcome.{stored['word'].replace(' ', '_')}") if "word" in stored else stored["state"]
    why = reason_from_json(stored["why"]) if "why" in stored else "" if "word" in stored else stored.get("reason", "")
    return Reason(CLASSED, cause=(word, why)) if why else word


class ReturnCount(NamedTuple):
    """Number of times that an answer went back, and whether its setter was silent the last time."""

    asked: int = 0
    silent: bool = False


def answers_to_return(
    findings: Iterable[AnswerOutcome], tries: Mapping[AnswerId, ReturnCount], *, ours: bool
) -> list[AnswerOutcome]:
    """Return the findings whose answers go back, in the order of their identities.

    Answers go back if they fell short and went back fewer than `MOST_ROUNDS` times; a setter that was silent then is
    not asked once more. None go back if the shortfall is `ours`, because that says nothing about them.
    """
    if ours:
        return []
    return sorted(
        (finding for finding in findings if _goes_back(finding, tries)), key=lambda finding: finding.answer_id
    )


def _goes_back(finding: AnswerOutcome, tries: Mapping[AnswerId, ReturnCount]) -> bool:
    asked, silent = tries.get(finding.answer_id, ReturnCount())
    return finding.word in FELL_SHORT and asked < MOST_ROUNDS and not silent
