"""Later rounds of a consensus: which answers went back to which setter and why, stored and shown in their prompts."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from app.db.kernel.session import Session
from app.db.runs.setting import rounds as store
from app.db.runs.setting import settings
from app.db.tables import Sample, Setting
from app.domain.asking.again import Again
from app.domain.errors import InvalidInput
from app.domain.setting.answers import Piece
from app.domain.setting.made import Made
from app.domain.setting.rounds import MOST_ROUNDS, Tries, asked_again


def go_back(
    session: Session, setting: Setting, result: Made, played: Mapping[Piece, int], reason: str, now: datetime
) -> bool:
    """Begin another round for the answers in `played` that fell short, by their samples.

    `reason` is why there is no suite. False, with nothing changed, if no answer may go back.
    """
    if setting.round >= MOST_ROUNDS:
        return False
    tries_by_sample = store.tries(session, set(played.values()))
    tries = {piece: tries_by_sample.get(sample, Tries()) for piece, sample in played.items()}
    returned = [finding for finding in asked_again(result.findings, tries, ours=result.ours) if finding.piece in played]
    if not returned:
        return False
    setting.round += 1
    record: list[dict[str, Any]] = [
        {"sample": played[finding.piece], "piece": str(finding.piece), "state": finding.word,
         "reason": finding.reason, "shows": dict(finding.shows)}
        for finding in returned
    ]  # fmt: skip
    setting.rounds = [*setting.rounds, {"at": now.isoformat(), "reason": reason, "back": record}]
    setting.asked_again_at, setting.attempts = now, 0
    session.flush()
    store.ask(session, setting.round, [played[finding.piece] for finding in returned])
    return True


def again(session: Session, parent: Sample, most: int) -> Again:
    """Return the feedback that a prompt shows for an answer that went back within the first `most` rounds.

    Raises InvalidInput if there is none.
    """
    setting = settings.of_text(session, parent.problem_version_id)
    rounds = [] if setting is None else setting.rounds[:most]
    for number, entry in enumerate(rounds, start=1):
        for back in entry["back"]:
            if back["sample"] == parent.id:
                words = f"{back['state']}: {back['reason']}" if back["reason"] else back["state"]
                return Again(number, parent.answer or parent.response or "", words, back["shows"])
    raise InvalidInput("it is not known why this answer goes back")
