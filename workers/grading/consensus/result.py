"""The stored result of building a suite: the suite, or the reason why there is none."""

import json
from collections.abc import Iterable
from typing import Any, Final

from app.domain.consensus.answers import Piece, SetterRole
from app.domain.consensus.result import ConsensusResult, ProvingProgram
from app.domain.consensus.rounds import AnswerOutcome, stored_outcome
from app.domain.consensus.vendors import OPERATOR
from app.domain.reasons import cut_reason, map_text, text_reason
from workers.grading.consensus.contributions import ContributionState
from workers.grading.consensus.program_runner import SetterProgram
from workers.grading.consensus.suite_draft import SuiteDraft

_MAX_WITNESS_CHARS: Final = 2000
_MAX_REASON_CHARS: Final = 400
_MAX_MISSED_INPUTS: Final = 3  # shown of the inputs that a reference missed


def consensus_result(played: SuiteDraft) -> ConsensusResult:
    """Return the values of a built suite that a service stores."""
    setters = sorted({(piece.setter, piece.vendor) for piece in played.states if piece.vendor != OPERATOR})
    words = [
        state.word for piece, state in played.states.items() if piece.role in (SetterRole.BRUTE, SetterRole.SOLUTION)
    ]
    facts = {
        **played.evidence,
        "programs": len(words),
        "refuted": words.count("refuted"),
        OPERATOR: sum(piece.vendor == OPERATOR for piece in played.states),
        "setters": [{"setter": setter, "vendor": vendor} for setter, vendor in setters],
        "validator": _name(played.validator),
        "checker": _name(played.checker),
        "interactor": _name(played.interactor),
        "dropped": dict(played.dropped),
        "judge_s": played.judge_s,
    }
    findings = tuple(_finding(piece, state) for piece, state in sorted(played.states.items()))
    answers = [
        {"setter": piece.setter, "vendor": piece.vendor, "role": piece.role.value, "ordinal": piece.ordinal,
         "state": f"{word}: {reason}" if reason else word, **stored_outcome(word, reason),
         "witness": shows.get("input"),
         **{name: text for name, text in shows.items() if name != "input"}}
        for piece, word, reason, shows in ((f.piece, f.word, f.reason, f.shows) for f in findings)
    ]  # fmt: skip
    wrong = (*_programs(played, played.wrong, right=False), *played.earlier)
    programs = (*_programs(played, played.references, right=True), *wrong)
    return ConsensusResult(
        None if played.reason is None else text_reason(cut_reason(map_text(played.reason, _clean), _MAX_REASON_CHARS)),
        played.problem, programs, facts, {**facts, "answers": answers, "missed": _missed(played)},
        findings=findings, ours=played.ours, passing=played.passing, judge_s=played.judge_s,
    )  # fmt: skip


def _missed(played: SuiteDraft) -> dict[str, Any]:
    """Return, by reference, the numbers of inputs that it was too slow for or failed on, with the smallest of them."""
    by_name = {}
    for name, missed in played.missed.items():
        inputs = sorted((_witness(given) or "" for given in (*missed.slow, *missed.failed)), key=len)
        by_name[name] = {**missed.counts(), "inputs": inputs[:_MAX_MISSED_INPUTS]}
    return by_name


def _finding(piece: Piece, state: ContributionState) -> AnswerOutcome:
    shows = {"input": state.witness, **state.shows}
    texts = {name: text for name, value in shows.items() if (text := _witness(value)) is not None}
    return AnswerOutcome(piece, state.word, cut_reason(map_text(state.reason, _clean), _MAX_REASON_CHARS), texts)


def _programs(played: SuiteDraft, sources: Iterable[SetterProgram], *, right: bool) -> list[ProvingProgram]:
    return [ProvingProgram(played.name_of(one.piece), one.language, one.code, right) for one in sources]


def _name(piece: Piece | None) -> str | None:
    return None if piece is None else str(piece)


def _witness(value: Any) -> str | None:
    if value is None:
        return None
    text = value if isinstance(value, str) else json.dumps(value)
    return _clean(text)[:_MAX_WITNESS_CHARS]


def _clean(text: str) -> str:
    """Remove NUL and lone surrogates, which hostile programs may print and PostgreSQL cannot store."""
    return text.replace("\0", "\N{REPLACEMENT CHARACTER}").encode("utf-8", "replace").decode()
