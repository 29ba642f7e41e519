"""The stored result of building a suite: the suite, or the reason why there is none."""

import json
from collections.abc import Iterable
from typing import Any, Final

from app.domain.consensus.answers import AnswerId, SetterRole
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


def consensus_result(draft: SuiteDraft) -> ConsensusResult:
    """Return the values of a built suite that a service stores."""
    setters = sorted(
        {(answer_id.setter, answer_id.vendor) for answer_id in draft.states if answer_id.vendor != OPERATOR}
    )
    words = [
        state.word
        for answer_id, state in draft.states.items()
        if answer_id.role in (SetterRole.BRUTE, SetterRole.SOLUTION)
    ]
    facts = {
        **draft.evidence,
        "programs": len(words),
        "refuted": words.count("refuted"),
        OPERATOR: sum(answer_id.vendor == OPERATOR for answer_id in draft.states),
        "setters": [{"setter": setter, "vendor": vendor} for setter, vendor in setters],
        "validator": _name(draft.validator),
        "checker": _name(draft.checker),
        "interactor": _name(draft.interactor),
        "dropped": dict(draft.dropped),
        "judge_s": draft.judge_s,
    }
    findings = tuple(_finding(answer_id, state) for answer_id, state in sorted(draft.states.items()))
    answers = [
        {"setter": answer_id.setter, "vendor": answer_id.vendor, "role": answer_id.role.value,
         "ordinal": answer_id.ordinal, "state": f"{word}: {reason}" if reason else word, **stored_outcome(word, reason),
         "witness": shows.get("input"),
         **{name: text for name, text in shows.items() if name != "input"}}
        for answer_id, word, reason, shows in ((f.answer_id, f.word, f.reason, f.shows) for f in findings)
    ]  # fmt: skip
    wrong = (*_programs(draft, draft.wrong, right=False), *draft.earlier)
    programs = (*_programs(draft, draft.references, right=True), *wrong)
    return ConsensusResult(
        None if draft.reason is None else text_reason(cut_reason(map_text(draft.reason, _clean), _MAX_REASON_CHARS)),
        draft.problem, programs, facts, {**facts, "answers": answers, "missed": _missed(draft)},
        findings=findings, ours=draft.ours, passing=draft.passing, judge_s=draft.judge_s,
    )  # fmt: skip


def _missed(draft: SuiteDraft) -> dict[str, Any]:
    """Return, by reference, the numbers of inputs that it was too slow for or failed on, with the smallest of them."""
    by_name = {}
    for name, missed in draft.missed.items():
        inputs = sorted((_witness(given) or "" for given in (*missed.slow, *missed.failed)), key=len)
        by_name[name] = {**missed.counts(), "inputs": inputs[:_MAX_MISSED_INPUTS]}
    return by_name


def _finding(answer_id: AnswerId, state: ContributionState) -> AnswerOutcome:
    shows = {"input": state.witness, **state.shows}
    texts = {name: text for name, value in shows.items() if (text := _witness(value)) is not None}
    return AnswerOutcome(answer_id, state.word, cut_reason(map_text(state.reason, _clean), _MAX_REASON_CHARS), texts)


def _programs(draft: SuiteDraft, sources: Iterable[SetterProgram], *, right: bool) -> list[ProvingProgram]:
    return [ProvingProgram(draft.name_of(one.answer_id), one.language, one.code, right) for one in sources]


def _name(answer_id: AnswerId | None) -> str | None:
    return None if answer_id is None else str(answer_id)


def _witness(value: Any) -> str | None:
    if value is None:
        return None
    text = value if isinstance(value, str) else json.dumps(value)
    return _clean(text)[:_MAX_WITNESS_CHARS]


def _clean(text: str) -> str:
    """Remove NUL and lone surrogates, which hostile programs may print and PostgreSQL cannot store."""
    return text.replace("\0", "\N{REPLACEMENT CHARACTER}").encode("utf-8", "replace").decode()
