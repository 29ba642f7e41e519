"""Setters' answers as programs, probes and hacks, and the state of each of them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from app.domain.asking.extraction import names_language
from app.domain.consensus.answers import (
    MAX_ANSWER_BYTES,
    AnswerId,
    Probes,
    SetterAnswer,
    SetterRole,
    language_of,
    last_block,
    parse_probes,
)
from app.domain.reasons import Reason
from workers.grading.consensus.program_runner import SetterProgram


@dataclass(frozen=True, slots=True)
class ContributionState:
    """The state of a setter's answer, with the input that shows it, if there is one.

    `shows` are other values that show it, by their names (`app.domain.consensus.rounds.AnswerOutcome`).
    """

    # agrees, chosen, contradicted, failed, left out, refuted, short, unreadable, unused, used, votes
    word: str
    reason: str = ""
    witness: Any = None
    shows: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.word}: {self.reason}" if self.reason else self.word


class SetterContributions:
    """All that setters wrote for a problem, by role, with the `states` of the answers during the build of a suite.

    `refusal` returns why a language is not judged here for now, None if it is. `left_out`: a program was left out for
    its language, which is the judge's fault.
    """

    def __init__(
        self, answers: Sequence[SetterAnswer], refusal: Callable[[str], str | None] = lambda _language: None
    ) -> None:
        self._refusal = refusal
        self.left_out = False
        self.states: dict[AnswerId, ContributionState] = {}
        self.sources: dict[SetterRole, list[SetterProgram]] = {role: [] for role in SetterRole}
        self.probes: dict[AnswerId, Probes] = {}
        self.hacks: list[tuple[AnswerId, str]] = []
        for answer in sorted(answers, key=lambda answer: answer.answer_id):
            self._read(answer)

    @property
    def programs(self) -> list[SetterProgram]:
        """The brute forces and solutions, which answer inputs."""
        return [*self.sources[SetterRole.BRUTE], *self.sources[SetterRole.SOLUTION]]

    def set_state(self, answer_id: AnswerId, word: str, reason: str = "", witness: Any = None, **shows: Any) -> None:
        """Set the state of an answer."""
        self.states[answer_id] = ContributionState(word, reason, witness, shows)

    def _read(self, answer: SetterAnswer) -> None:
        if len(answer.text.encode(errors="replace")) > MAX_ANSWER_BYTES:
            self.set_state(answer.answer_id, "unreadable", Reason("long_answer", {"n": MAX_ANSWER_BYTES >> 20}))
            return
        answer_id, code_block = answer.answer_id, last_block(answer.text, answer.answer_id.role)
        if code_block is None:
            self.set_state(answer_id, "unreadable", Reason("no_block"))
        elif answer_id.role is SetterRole.PROBES:
            parsed = parse_probes(code_block.code)
            if parsed is None:
                self.set_state(answer_id, "unreadable", Reason("no_probes"))
            else:
                self.probes[answer_id] = parsed
                self.set_state(answer_id, "used")
        elif answer_id.role is SetterRole.HACK and not names_language(code_block.tag, "python"):
            self.hacks.append((answer_id, code_block.code))
            self.set_state(answer_id, "used")
        else:
            role = SetterRole.GENERATOR if answer_id.role is SetterRole.HACK else answer_id.role
            language = language_of(answer_id.role, answer_id.ordinal, code_block.tag)
            reason = self._refusal(language)
            if reason is not None:
                self.left_out = True
                self.set_state(answer_id, "left out", Reason("left_language", {"what": language}, reason))
                return
            self.sources[role].append(SetterProgram(answer_id, code_block.code, language))
            self.set_state(answer_id, "unused")
