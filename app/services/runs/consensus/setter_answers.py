"""A setter's full answer, for maintainers alone: the prompt, the response, and its outcome."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from app.db.kernel import blobs
from app.db.kernel.session import Session
from app.db.runs.consensus import answers as store
from app.db.runs.runs import read_protocol
from app.domain.asking.completions import Message
from app.domain.consensus.answers import SetterRole, last_block
from app.domain.consensus.prompts import setter_tasks
from app.domain.errors import InvalidInput, NotFound
from app.domain.problems import Form
from app.domain.scenarios import prompt_sha256
from app.services.runs.items import PromptBuilder

_LARGEST_ID = 2**63 - 1  # PostgreSQL's bigint; no larger id exists
_MAX_BODY_CHARS = 200_000  # characters of a body


@dataclass(frozen=True, slots=True)
class SetterAnswerLine:
    """One answer in a list: its setter and its problem; `turn` counts the rounds in which it was asked for, from 0."""

    id: int
    setter: str
    vendor: str
    problem: str
    role: str
    ordinal: int
    turn: int
    state: str
    answered_at: datetime | None


@dataclass(frozen=True, slots=True)
class SetterAnswerView:
    """One answer of a setter in full.

    `matches`: the prompt, rendered again, is the one that was sent; None if it cannot be rendered. `raw` is the body as
    it came. `evidence` is the outcome of the piece in the consensus, with the input that shows it; `went_back` is what
    the setter was told of this very answer.
    """

    line: SetterAnswerLine
    error: str | None
    error_owner: str | None
    prompt: tuple[Message, ...]
    prompt_sha256: str | None
    matches: bool | None
    response: str | None
    reasoning: str | None
    raw: str | None
    raw_sha256: str | None
    program: str | None
    finish_reason: str | None
    served_model: str | None
    latency_ms: float | None
    tokens: Mapping[str, int | None]
    cost_usd: float | None
    evidence: tuple[Mapping[str, Any], ...]
    went_back: tuple[Mapping[str, Any], ...]


def newest_answers(session: Session, limit: int = 50) -> list[SetterAnswerLine]:
    """Return the answers that came last."""
    return [_line(row) for row in store.newest(session, limit)]


def answer_ids(session: Session, version_id: int) -> dict[tuple[str, str, int], int]:
    """Return the number of the newest answer to each piece of a text, by setter, role and ordinal."""
    ids: dict[tuple[str, str, int], int] = {}
    for line in map(_line, store.of_text(session, version_id)):
        ids.setdefault((line.setter, line.role, line.ordinal), line.id)
    return ids


def answer(session: Session, sample_id: int) -> SetterAnswerView:
    """Return one answer of a setter. Raises NotFound for any other sample."""
    row = store.find_sample(session, sample_id) if 0 < sample_id <= _LARGEST_ID else None
    if row is None:
        raise NotFound(f"there is no setter's answer {sample_id}")
    sample, line = row.sample, _line(row)
    program = None if sample.response is None else last_block(sample.response, _role(line))
    messages, matches = _prompt(session, row)
    raw = None if sample.raw_sha256 is None else blobs.get(session, sample.raw_sha256)
    return SetterAnswerView(
        line=line,
        error=sample.error,
        error_owner=sample.error_owner,
        prompt=messages,
        prompt_sha256=sample.prompt_sha256,
        matches=matches,
        response=sample.response,
        reasoning=sample.reasoning,
        raw=None if raw is None else raw[: 4 * _MAX_BODY_CHARS].decode(errors="replace")[:_MAX_BODY_CHARS],
        raw_sha256=sample.raw_sha256,
        program=None if program is None else program.code,
        finish_reason=sample.finish_reason,
        served_model=sample.served_model,
        latency_ms=sample.latency_ms,
        tokens={
            "input": sample.tokens_input,
            "cached": sample.tokens_cached,
            "reasoning": sample.tokens_reasoning,
            "answer": sample.tokens_answer,
        },
        cost_usd=None if sample.cost_usd is None else float(sample.cost_usd),
        evidence=_evidence(row, line),
        went_back=_went_back(row),
    )


def _role(line: SetterAnswerLine) -> SetterRole | None:
    return SetterRole(line.role) if line.role in list(SetterRole) else None


def _line(row: store.SetterSample) -> SetterAnswerLine:
    roles = setter_tasks(Form(row.version.form))
    is_known = row.sample.item < len(roles)
    role, ordinal = roles[row.sample.item] if is_known else (str(row.sample.item), 0)
    return SetterAnswerLine(
        row.sample.id, row.setter.name, row.setter.vendor, f"{row.source.slug}/{row.problem.external_id}",
        str(role), ordinal, row.sample.ordinal, row.sample.state, row.sample.answered_at,
    )  # fmt: skip


def _prompt(session: Session, row: store.SetterSample) -> tuple[tuple[Message, ...], bool | None]:
    try:
        prompt = PromptBuilder(session).prompt(read_protocol(row.protocol.body), row.sample)
    except InvalidInput:  # this version no longer asks it
        return (), None
    stored_sha256 = row.sample.prompt_sha256
    return prompt.messages, None if stored_sha256 is None else stored_sha256 == prompt_sha256(prompt)


def _evidence(row: store.SetterSample, line: SetterAnswerLine) -> tuple[Mapping[str, Any], ...]:
    if row.consensus is None:
        return ()
    piece = (line.setter, line.role, line.ordinal)
    outcomes = row.consensus.evidence.get("answers") or ()
    return tuple(
        outcome
        for outcome in outcomes
        if (outcome.get("setter"), outcome.get("role"), outcome.get("ordinal", 0)) == piece
    )


def _went_back(row: store.SetterSample) -> tuple[Mapping[str, Any], ...]:
    rounds = () if row.consensus is None else row.consensus.rounds
    return tuple(
        returned for entry in rounds for returned in entry.get("back", ()) if returned.get("sample") == row.sample.id
    )
