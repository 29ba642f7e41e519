"""Later rounds of a setting: which answers went back to whom and why is kept with it, and shown in their prompts."""

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
    session: Session, setting: Setting, made: Made, played: Mapping[Piece, int], reason: str, now: datetime
) -> bool:
    """Begin another round with what fell short of the answers that were `played`, by their samples.

    `reason` is why there is no suite. False where nothing may go back, and then nothing is changed.
    """
    if setting.round >= MOST_ROUNDS:
        return False
    known = store.tries(session, set(played.values()))
    tries = {piece: known.get(sample, Tries()) for piece, sample in played.items()}
    again = [finding for finding in asked_again(made.findings, tries, ours=made.ours) if finding.piece in played]
    if not again:
        return False
    setting.round += 1
    back: list[dict[str, Any]] = [
        {"sample": played[finding.piece], "piece": str(finding.piece), "state": finding.word,
         "reason": finding.reason, "shows": dict(finding.shows)}
        for finding in again
    ]  # fmt: skip
    setting.rounds = [*setting.rounds, {"at": now.isoformat(), "reason": reason, "back": back}]
    setting.asked_again_at, setting.attempts = now, 0
    session.flush()
    store.ask(session, setting.round, [played[finding.piece] for finding in again])
    return True


def again(session: Session, parent: Sample, most: int) -> Again:
    """What a prompt shows in the round for which an answer went back, of at most so many rounds.

    Raises InvalidInput where none is known.
    """
    setting = settings.of_text(session, parent.problem_version_id)
    rounds = [] if setting is None else setting.rounds[:most]
    for number, entry in enumerate(rounds, start=1):
        for back in entry["back"]:
            if back["sample"] == parent.id:
                words = f"{back['state']}: {back['reason']}" if back["reason"] else back["state"]
                return Again(number, parent.answer or parent.response or "", words, back["shows"])
    raise InvalidInput("it is not known why this answer goes back")
