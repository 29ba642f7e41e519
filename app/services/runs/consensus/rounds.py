"""Later rounds of a consensus: which answers went back to which setter and why, stored and shown in their prompts."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from app.db.kernel.session import Session
from app.db.runs.consensus import consensuses
from app.db.runs.consensus import rounds as store
from app.db.tables import ConsensusRow, Sample
from app.domain.asking.follow_up import FollowUp
from app.domain.consensus.answers import AnswerId
from app.domain.consensus.result import ConsensusResult
from app.domain.consensus.rounds import MOST_ROUNDS, ReturnCount, answers_to_return, stored_outcome
from app.domain.errors import InvalidInput
from app.domain.reasons import Reason, reason_from_json, reason_to_json, text_reason


def begin_round(
    session: Session,
    consensus: ConsensusRow,
    result: ConsensusResult,
    played: Mapping[AnswerId, int],
    reason: Reason,
    now: datetime,
) -> bool:
    """Begin another round for the answers in `played` that fell short, by their samples.

    `reason` is why there is no suite. False, with nothing changed, if no answer may go back.
    """
    if consensus.round >= MOST_ROUNDS:
        return False
    tries_by_sample = store.tries(session, set(played.values()))
    tries = {answer_id: tries_by_sample.get(sample, ReturnCount()) for answer_id, sample in played.items()}
    returned = [
        finding
        for finding in answers_to_return(result.findings, tries, ours=result.ours)
        if finding.answer_id in played
    ]
    if not returned:
        return False
    consensus.round += 1
    record: list[dict[str, Any]] = [
        {"sample": played[finding.answer_id], "piece": str(finding.answer_id), "state": finding.word,
         "reason": str(finding.reason), "shows": dict(finding.shows), **stored_outcome(finding.word, finding.reason)}
        for finding in returned
    ]  # fmt: skip
    consensus.rounds = [*consensus.rounds, {"at": now.isoformat(), "reason": reason_to_json(reason), "back": record}]
    consensus.asked_again_at, consensus.attempts = now, 0
    session.flush()
    store.return_answers(session, consensus.round, [played[finding.answer_id] for finding in returned])
    return True


def last_reason(consensus: ConsensusRow) -> Reason | None:
    """Return why the answers of the last round went back; None before the first round."""
    return text_reason(reason_from_json(consensus.rounds[-1]["reason"])) if consensus.rounds else None


def round_feedback(session: Session, parent: Sample, most: int) -> FollowUp:
    """Return the feedback that a prompt shows for an answer that went back within the first `most` rounds.

    Raises InvalidInput if there is none.
    """
    consensus = consensuses.of_text(session, parent.problem_version_id)
    rounds = [] if consensus is None else consensus.rounds[:most]
    for number, entry in enumerate(rounds, start=1):
        for back in entry["back"]:
            if back["sample"] == parent.id:
                words = f"{back['state']}: {back['reason']}" if back["reason"] else back["state"]
                return FollowUp(number, parent.answer or parent.response or "", words, back["shows"])
    raise InvalidInput("it is not known why this answer goes back")
