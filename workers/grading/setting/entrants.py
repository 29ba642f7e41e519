"""Setters' answers as programs, probes and hacks, and the state of each of them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from app.domain.asking.extraction import names
from app.domain.setting.answers import MOST_BYTES, Answer, Piece, Probes, Role, block, language_of, probes
from workers.grading.setting.bench import Source


@dataclass(frozen=True, slots=True)
class State:
    """The state of a setter's answer, with the input that shows it, if there is one.

    `shows` are other values that show it, by their names (`app.domain.setting.rounds.Finding`).
    """

    # agrees, chosen, contradicted, failed, left out, refuted, short, unreadable, unused, used, votes
    word: str
    reason: str = ""
    witness: Any = None
    shows: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.word}: {self.reason}" if self.reason else self.word


class Entrants:
    """All that setters wrote for a problem, by role, with the `states` of the answers during the build of a suite.

    `refusal` returns why a language is not judged here for now, None if it is. `left_out`: a program was left out for
    its language, which is the judge's fault.
    """

    def __init__(
        self, answers: Sequence[Answer], refusal: Callable[[str], str | None] = lambda _language: None
    ) -> None:
        self._refusal = refusal
        self.left_out = False
        self.states: dict[Piece, State] = {}
        self.sources: dict[Role, list[Source]] = {role: [] for role in Role}
        self.probes: dict[Piece, Probes] = {}
        self.hacks: list[tuple[Piece, str]] = []
        for answer in sorted(answers, key=lambda answer: answer.piece):
            self._read(answer)

    @property
    def programs(self) -> list[Source]:
        """The brute forces and solutions, which answer inputs."""
        return [*self.sources[Role.BRUTE], *self.sources[Role.SOLUTION]]

    def tell(self, piece: Piece, word: str, reason: str = "", witness: Any = None, **shows: Any) -> None:
        """Set the state of an answer."""
        self.states[piece] = State(word, reason, witness, shows)

    def _read(self, answer: Answer) -> None:
        if len(answer.text.encode(errors="replace")) > MOST_BYTES:
            self.tell(answer.piece, "unreadable", f"more than {MOST_BYTES >> 20} MiB")
            return
        piece, code_block = answer.piece, block(answer.text, answer.piece.role)
        if code_block is None:
            self.tell(piece, "unreadable", "no fenced block")
        elif piece.role is Role.PROBES:
            parsed = probes(code_block.code)
            if parsed is None:
                self.tell(piece, "unreadable", "no probes")
            else:
                self.probes[piece] = parsed
                self.tell(piece, "used")
        elif piece.role is Role.HACK and not names(code_block.tag, "python"):
            self.hacks.append((piece, code_block.code))
            self.tell(piece, "used")
        else:
            role = Role.GENERATOR if piece.role is Role.HACK else piece.role
            language = language_of(piece.role, piece.ordinal, code_block.tag)
            reason = self._refusal(language)
            if reason is not None:
                self.left_out = True
                self.tell(piece, "left out", f"{language} is not judged here for now: {reason}")
                return
            self.sources[role].append(Source(piece, code_block.code, language))
            self.tell(piece, "unused")
