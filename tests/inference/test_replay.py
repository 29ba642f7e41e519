"""Recorded answers: each to its own sample, and what the file lacks is our gap and nobody's answer."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from support.asking import now
from support.batches import SUM, batch, problem
from support.commands import said, tidemark

from app.config import Settings
from app.db.tables import Problem, Sample, VerdictRow
from app.domain.asking.completions import (
    AnsweredSample,
    EndpointSpec,
    FailedSample,
    FailureOwner,
    FinishReason,
    InferenceRequest,
    Prompt,
    Retry,
    SampleKey,
    SampleOutcome,
)
from app.domain.asking.protocols import Sampling
from app.domain.errors import InvalidInput
from app.services.runs import imports
from workers import tasks
from workers.context import Context, leave, make_context, use
from workers.inference.backends.replay import BACKEND
from workers.inference.client import ask


def row(problem: str = "p1", ordinal: int = 0, text: Any = "print(1)", **other: Any) -> dict[str, Any]:
    return {"problem": problem, "scenario": "codegen", "item": 0, "ordinal": ordinal, "text": text, **other}


def written(folder: Path, *rows: Any) -> Path:
    file = folder / "answers of mine.jsonl"
    file.write_text("".join(f"{json.dumps(each)}\n" for each in rows), encoding="utf-8")
    return file


def address(file: Path) -> str:
    assert BACKEND.locate is not None
    return BACKEND.locate(str(file))


def heard(where: str, *subjects: SampleKey | None) -> list[SampleOutcome]:
    requests = [InferenceRequest(at, Prompt(()), Sampling(), 0, subject=each) for at, each in enumerate(subjects)]
    found = ask(EndpointSpec(1, "replay", where, "m"), requests, deadline_s=30.0, clock=now)
    return sorted(found, key=lambda outcome: outcome.sample_id)


def subject(name: str = "p1", ordinal: int = 0, source: str = "house") -> SampleKey:
    return SampleKey(source, name, "codegen", 0, ordinal)


def test_each_sample_gets_the_answer_that_was_recorded_for_it(tmp_path: Path) -> None:
    named = row("1550/B", text="b", model="any"), row("atcoder/p1", text="c")
    rows = row(text="第一 🌍"), row(ordinal=1, text=""), *named
    where = address(written(tmp_path, *rows))
    found = heard(where, subject(), subject(ordinal=1), subject("1550/B"), subject(source="atcoder"))
    completions = [each.completion for each in found if isinstance(each, AnsweredSample)]
    assert [each.text for each in completions] == ["第一 🌍", "", "b", "c"]
    assert {each.finish_reason for each in completions} == {FinishReason.OTHER}
    assert json.loads(completions[2].raw)["model"] == "any"


def test_a_row_that_is_missing_is_our_failure_and_costs_the_others_nothing(tmp_path: Path) -> None:
    where = address(written(tmp_path, row()))
    lacking = (subject("p2"), subject(ordinal=1), SampleKey("house", "p1", "execution", 0, 0), None)
    answered, *failed = heard(where, subject(), *lacking)
    assert isinstance(answered, AnsweredSample)
    for each in failed:
        assert isinstance(each, FailedSample)
        assert (each.retry, each.owner) == (Retry.NEVER, FailureOwner.US)
    assert isinstance(failed[0], FailedSample)
    assert failed[0].reason == (
        "the recorded answers have no row for problem house/p2, scenario codegen, item 0, ordinal 0"
    )


def test_a_file_that_was_changed_or_lost_answers_nothing_more(tmp_path: Path) -> None:
    file = written(tmp_path, row())
    where = address(file)
    file.write_text(json.dumps(row(text="other")))
    for words in ("have changed since they were registered", "cannot be read"):
        [failed] = heard(where, subject())
        assert isinstance(failed, FailedSample)
        assert (failed.retry, failed.owner) == (Retry.STOP, FailureOwner.US)
        assert words in failed.reason
        with pytest.raises(InvalidInput, match=words):
            BACKEND.check_run(EndpointSpec(1, "replay", where, "m"), Sampling(), {})
        file.unlink(missing_ok=True)


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        ("{nt", "problem must be text"), ("[]", "problem must be text"),
        (json.dumps(row() | {"problem": 7}), "problem must be text"),
        (json.dumps(row(ordinal=-1)), "ordinal must be a number from 0"),
        (json.dumps(row() | {"item": True}), "item must be"), (json.dumps(row() | {"item": "0"}), "item must be"),
        (json.dumps(row(text=None)), "text must be text"), (json.dumps(row("p0")), "row of this problem"),
        ('{"problem": "p1", "scenario": "codegen", "item": 0, "text": "x"}', "ordinal must be"),
    ],
)  # fmt: skip
def test_a_file_with_an_unfit_row_is_refused_with_its_line(tmp_path: Path, bad: str, words: str) -> None:
    file = written(tmp_path, row("p0"))
    with file.open("a") as more:
        more.write(f"\n{bad}\n")
    with pytest.raises(InvalidInput, match=f"mine.jsonl:3: .*{words}"):
        address(file)


@pytest.fixture
def ctx(settings: Settings) -> Iterator[Context]:
    made = use(make_context(settings))
    made.commit(imports.store_batch, batch(*(problem(number) for number in range(2))), now())
    yield made
    leave()
    made.close()


def test_a_run_is_answered_from_a_file(ctx: Context, tmp_path: Path) -> None:
    with ctx.sessions() as session:
        known = session.scalars(select(Problem.external_id).order_by(Problem.id)).all()[0]
    words = ("run", "start", "orion-5", "--protocol", "house", "--backend", "replay", "--endpoint")
    empty = tidemark(ctx.settings, *words, str(tmp_path / "nothing.jsonl"))
    assert isinstance(empty.exception, InvalidInput)
    file = written(tmp_path, row(known, text=f"```python\n{SUM}```"))
    assert said(tidemark(ctx.settings, *words, str(file), "--json"))["wanted"] == 2
    tasks.plan_runs()
    tasks.infer_slice(1)
    with ctx.sessions() as session:
        samples = {each.state: each for each in session.scalars(select(Sample))}
        assert set(samples) == {"answered", "gave_up"}
        assert samples["answered"].answer == SUM
        lacking = samples["gave_up"]
        assert (lacking.error_owner, lacking.answer) == ("us", None)
        assert "have no row for problem" in (lacking.error or "")
        assert session.scalars(select(VerdictRow)).all() == []
    shown = said(tidemark(ctx.settings, "run", "show", 1, "--json"))
    assert [(each["owner"], each["count"]) for each in shown["failures"]] == [("us", 1)]
