"""Every back end against one endpoint that plays its format: what is an answer, whose fault anything else is.

Time is virtual, so that whoever waits for a stall waits for nothing.
"""

import re
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
from fakes import model_server
from fakes.dialects import DIALECTS, MODEL, Dialect, Told
from fakes.model_server import Asked, ModelServer, Say, as_json, streamed
from support import virtual
from support.asking import SECRET
from support.thinned import thinned

from app.domain.asking.completions import (
    Completion,
    EndpointSpec,
    FailureOwner,
    FinishReason,
    InferenceRequest,
    Message,
    Prompt,
    Retry,
    Usage,
)
from app.domain.asking.extraction import extract_code
from app.domain.asking.protocols import Sampling
from app.domain.registry import discover
from workers.inference.backends import Backend
from workers.inference.wire import Trouble, ask_once, open_door

BACKENDS = discover("workers.inference.backends", "BACKEND", Backend)
EACH = pytest.mark.parametrize("name", DIALECTS)
WORDS = "print('你好, 🌍')"
FINISH = {
    "stop": FinishReason.STOP,
    "length": FinishReason.LENGTH,
    "filter": FinishReason.CONTENT_FILTER,
    "tools": FinishReason.OTHER,
}


def ask(name: str, say: Say, *, timeout_s: float | None = None) -> tuple[Completion | Trouble, Asked]:
    """One request in the format of that name, its outcome, and what the endpoint saw of it."""

    async def once() -> tuple[Completion | Trouble, Asked]:
        async with ModelServer(say).within() as server:
            endpoint = EndpointSpec(1, name, server.url, "m", SECRET, trusted=True)
            messages = (Message("system", "be terse"), Message("user", "sum"))
            request = InferenceRequest(1, Prompt(messages), Sampling(), 7)
            async with open_door(BACKENDS[name], endpoint, (), 1) as way:
                found = await ask_once(way, BACKENDS[name], endpoint, request, timeout_s=timeout_s, clock=_now)
            assert isinstance(found, Completion | Trouble)
            return found, server.asked[0]

    return virtual.run(once())


def _now() -> datetime:
    return virtual.now()


def ways(dialect: Dialect, told: Told, **fields: Any) -> list[Say]:
    """The answer as one body and as a stream."""
    return [as_json(dialect.plain(told) | fields), streamed(*dialect.pieces(told), "[DONE]", gap_s=0.5)]


def answer(name: str, say: Say, **settings: float) -> Completion:
    found, _ = ask(name, say, **settings)
    assert isinstance(found, Completion), found
    return found


def failure(name: str, say: Say, **settings: float) -> Trouble:
    found, _ = ask(name, say, **settings)
    assert isinstance(found, Trouble), found
    assert SECRET not in repr(found)
    assert found.owner is FailureOwner.VENDOR
    return found


@EACH
def test_an_answer_is_read_whole(name: str) -> None:
    dialect = DIALECTS[name]
    told = Told(WORDS, "I add.", dialect.forms[0], thinking=5)
    for say in ways(dialect, told):
        found, asked = ask(name, say)
        assert isinstance(found, Completion), found
        assert (found.text.strip(), found.reasoning, found.finish_reason) == (WORDS, "I add.", FinishReason.STOP)
        assert (found.served_model, found.fingerprint) == (MODEL, dialect.fingerprint)
        assert found.usage == Usage(11, 4, 5, 7)
        assert asked.path.startswith(dialect.path)
        assert asked.headers[dialect.header].removeprefix("Bearer ") == SECRET
        again = BACKENDS[name].parse(found.raw, found.latency_ms)
        assert again == replace(found, first_token_ms=None)
        assert found.raw == (say.body or b"".join(say.pieces or ())), "it is kept as it came"


@EACH
def test_the_first_token_is_timed_and_nothing_before_it(name: str) -> None:
    plain, stream = ways(DIALECTS[name], Told(WORDS))
    assert answer(name, plain).first_token_ms is None
    found = answer(name, stream)
    assert found.first_token_ms is not None
    before = 500.0 * DIALECTS[name].opening
    assert before <= found.first_token_ms < before + 700 < found.latency_ms
    early = replace(stream, pieces=[b": still here\n\n", *stream.pieces])
    assert (answer(name, early).first_token_ms or 0) >= before + 500


@EACH
def test_reasoning_is_no_answer_in_any_form(name: str) -> None:
    for form in DIALECTS[name].forms:
        told = Told("print(1)", "first ```python\nwrong\n``` then", form)
        for say in ways(DIALECTS[name], told):
            found = answer(name, say)
            assert (found.text.strip(), found.reasoning) == ("print(1)", told.reasoning), form


@EACH
@pytest.mark.parametrize(
    ("opens", "closes"),
    [
        ("<think>", "</think>"), ("<Thinking effort='1'>", "</Thinking>"), ("<analysis>", "</analysis>"),
        ("[THINK]", "[/THINK]"), ("", "</think>"), ("<|channel|>analysis<|message|>", "<|channel|>final<|message|>"),
    ],
)  # fmt: skip
def test_no_program_is_taken_from_reasoning_that_stands_in_the_text(name: str, opens: str, closes: str) -> None:
    """Servers without a parser for a model leave its tags where they are."""
    tried, right = "I try\n```python\nwrong\n```\nand more.", "So:\n```python\nright\n```"
    for before in ("", "Well, "):
        for say in ways(DIALECTS[name], Told(f"{before}{opens}{tried}{closes} {right}")):
            assert extract_code(answer(name, say).text, "python").code == "right\n"
        for say in ways(DIALECTS[name], Told(f"{before}{opens}{tried}", finish="length")) if opens else ():
            assert extract_code(answer(name, say).text, "python").code is None


@EACH
def test_an_empty_answer_is_an_answer(name: str) -> None:
    for told in (Told(""), Told("", silent=True)):
        for say in ways(DIALECTS[name], told):
            assert answer(name, say).text == ""


@EACH
@pytest.mark.parametrize("finish", FINISH)
def test_why_the_model_stopped_is_told_in_our_words(name: str, finish: str) -> None:
    if name == "openai_completions" and finish == "tools":
        return  # a format of texts alone
    for say in ways(DIALECTS[name], Told("pri", finish=finish)):
        found = answer(name, say)
        assert found.finish_reason is FINISH[finish]
        assert finish == "tools" or found.text == "pri"


@EACH
def test_a_tool_that_is_called_without_a_word_is_an_empty_answer(name: str) -> None:
    if name == "openai_completions":
        return  # a format of texts alone
    for say in ways(DIALECTS[name], Told("", finish="tools", silent=True)):
        found = answer(name, say)
        assert (found.text, found.finish_reason) == ("", FinishReason.OTHER)


@EACH
def test_reasoning_that_was_cut_off_left_no_answer(name: str) -> None:
    dialect = DIALECTS[name]
    told = Told("", "I ad", dialect.forms[0], finish="length", silent=True)
    if dialect.forms[0] == "inline":
        told = Told("<think>I ad", finish="length")
    for say in ways(dialect, told):
        found = answer(name, say)
        assert (found.text, found.reasoning, found.finish_reason) == ("", "I ad", FinishReason.LENGTH)


@EACH
def test_of_several_answers_the_first_counts_and_what_nobody_knows_is_passed_over(name: str) -> None:
    """A server that answers more choices than were asked for, and one that drops n and logprobs without a word."""
    for say in ways(DIALECTS[name], Told(WORDS, choices=3), logprobs=None, x_unknown={"a": [1]}):
        assert answer(name, say).text == WORDS


@EACH
def test_an_answer_is_read_whatever_its_content_type_says(name: str) -> None:
    plain, stream = ways(DIALECTS[name], Told(WORDS))
    for kind in ("text/event-stream", "text/html", ""):
        assert answer(name, replace(plain, headers={"content-type": kind})).text == WORDS
    body = b"".join(stream.pieces)
    for text in (body, body.replace(b"\n", b"\r\n")):
        assert answer(name, Say(text, headers={"content-type": "application/json"})).text == WORDS


@EACH
def test_texts_can_be_kept_whatever_is_in_them(name: str) -> None:
    for say in ways(DIALECTS[name], Told("nul\x00 half \ud83d whole \U0001f600")):
        assert answer(name, say).text == "nul\ufffd half \ufffd whole \U0001f600"


@EACH
def test_counts_that_cannot_be_are_unknown(name: str) -> None:
    body = as_json(DIALECTS[name].plain(Told(WORDS))).body
    for count in (b"-7", b'"7"', b"null", b"9" * 5000, b"true"):
        usage = answer(name, Say(re.sub(rb": 7(?=[,}])", b": " + count, body))).usage
        assert usage.answer is None
        assert usage.input == 11


@EACH
@pytest.mark.parametrize("missing", ["finish", "usage", "both"])
def test_a_stream_without_its_end_is_no_answer(name: str, missing: str) -> None:
    told = Told(WORDS, finish=None if missing != "usage" else "stop", counted=missing == "finish")
    for end in ((), ("[DONE]",)):
        found = failure(name, streamed(*DIALECTS[name].pieces(told), *end))
        assert ("the usage" if missing == "usage" else "a finish reason") in found.reason
        assert (found.retry, found.rate_limited) == (Retry.LATER, False)


@EACH
def test_a_body_without_a_finish_reason_is_no_answer(name: str) -> None:
    found = failure(name, as_json(DIALECTS[name].plain(Told(WORDS, finish=None))))
    assert (found.retry, found.reason) == (Retry.LATER, "answered without a finish reason")


@EACH
def test_a_body_without_usage_is_no_answer(name: str) -> None:
    body = DIALECTS[name].plain(Told(WORDS, counted=False))
    place = "usageMetadata" if name == "google" else "usage"
    for said in (body, body | {place: {}}, body | {place: None}, body | {place: 7}):
        found = failure(name, as_json(said))
        assert (found.retry, found.reason) == (Retry.LATER, "answered without the usage")


@EACH
def test_an_engine_that_dies_leaves_no_answer(name: str) -> None:
    """As vLLM does: 500 for plain requests; status 200 and an error in streams, which then end in order."""
    dialect = DIALECTS[name]
    broken = dialect.broken(f"EngineCore died, key {SECRET}")
    pieces = [*dialect.pieces(Told(WORDS))[: dialect.opening + 1]]
    for say in (streamed(*pieces, broken, "[DONE]"), streamed(broken), streamed(*pieces, broken, cut=True)):
        found = failure(name, say)
        assert found.retry is Retry.LATER
        assert "EngineCore died" in found.reason or "broke the connection" in found.reason
    found = failure(name, as_json(dialect.error(500, "EngineCore died"), 500))
    assert (found.retry, found.reason) == (Retry.LATER, "answered 500: EngineCore died")
    found = failure(name, as_json(dialect.error(500, "EngineCore died"), 200))
    assert (found.retry, found.reason) == (Retry.LATER, "answered an error: EngineCore died")
    if "died" in dialect.finishes:
        for say in ways(dialect, Told("pri", finish="died")):
            assert failure(name, say).retry is Retry.LATER


@EACH
def test_what_breaks_off_is_no_answer(name: str) -> None:
    plain, stream = ways(DIALECTS[name], Told(WORDS))
    whole = stream.pieces
    for say in (
        replace(stream, pieces=whole[:-2], cut=True), replace(stream, pieces=whole[:1], cut=True),
        Say(pieces=[plain.body[:40]], cut=True), Say(drop=True),
    ):  # fmt: skip
        found = failure(name, say)
        assert (found.retry, found.reason.partition(" (")[0]) == (Retry.LATER, "broke the connection")
    cut_in_order = streamed(*DIALECTS[name].pieces(Told(WORDS))[: DIALECTS[name].opening + 1])
    assert failure(name, cut_in_order).reason == "ended its stream without a finish reason"
    assert failure(name, replace(stream, pieces=[*whole[:2], b"data: {nt\n\n"])).reason.endswith("no JSON object")


@EACH
def test_whoever_says_nothing_is_not_waited_for(name: str) -> None:
    _, stream = ways(DIALECTS[name], Told(WORDS))
    begun = b"".join(stream.pieces[: DIALECTS[name].opening + 2])
    silent = failure(name, replace(stream, pieces=[begun, *stream.pieces[-1:]], gap_s=1e6))
    assert silent.reason == "began to answer and then said nothing for 60 s"
    assert failure(name, Say(stall=True)).reason == "did not answer within 600 s"
    for kind in ("text/event-stream", "application/json"):
        drip = Say(headers={"content-type": kind}, pieces=[b" "] * 300, gap_s=1.0)
        assert failure(name, drip, timeout_s=90.0).reason == "did not answer within 90 s"


@EACH
def test_a_stream_goes_on_for_as_long_as_the_model_writes_and_no_longer_than_was_named(name: str) -> None:
    """It says something every half a minute. An hour is what nobody needs to name."""
    told = DIALECTS[name].pieces(Told(WORDS))
    begun, ending = told[: DIALECTS[name].opening + 1], told[DIALECTS[name].opening + 1 :]

    def lasting(minutes: int) -> Say:
        alive = [b": still here\n\n"] * (2 * minutes)
        whole = streamed(*begun, *ending, "[DONE]").pieces
        return Say(headers={"content-type": "text/event-stream"}, gap_s=30.0,
                   pieces=[b"".join(whole[: len(begun)]), *alive, b"".join(whole[len(begun) :])])  # fmt: skip

    assert answer(name, lasting(25)).text == WORDS
    assert failure(name, lasting(70)).reason == "did not answer within 3600 s"
    assert failure(name, lasting(25), timeout_s=1200.0).reason == "did not answer within 1200 s"
    assert answer(name, lasting(100), timeout_s=7200.0).text == WORDS
    late = replace(ways(DIALECTS[name], Told(WORDS))[0], delay_s=1500.0)
    assert failure(name, late).reason == "did not answer within 600 s"
    assert answer(name, late, timeout_s=1800.0).text == WORDS


@EACH
def test_what_is_not_this_format_is_no_answer(name: str) -> None:
    for say, words in (
        (model_server.html(), "HTML"), (Say(b"{not json"), "no JSON"), (Say(b"[" * 100_000), "no JSON"),
        (as_json({"hello": "world"}), "without"), (as_json([1, 2]), "without"), (as_json(7), "without"),
        (Say(b""), "no JSON"),
    ):  # fmt: skip
        found = failure(name, say)
        assert found.retry is Retry.LATER
        assert words in found.reason


# How much is read of a stream is one line for all formats: in an ordinary run it is tried with one of them.
FLOODS = [(name, "application/json", 16) for name in DIALECTS] + thinned(
    [(name, "text/event-stream", 64) for name in DIALECTS], len(DIALECTS)
)


@pytest.mark.parametrize(("name", "kind", "most"), FLOODS)
def test_a_hundred_megabytes_are_not_read(name: str, kind: str, most: int) -> None:
    flood = Say(b"x" * 4_000_000, headers={"content-type": kind}, endless=True)
    assert failure(name, flood).reason == f"answered more than {most} MiB"


@EACH
@pytest.mark.parametrize(
    ("status", "words", "retry"),
    [
        (400, "unknown field effort", Retry.RUN),
        (422, "unknown field effort", Retry.RUN),
        (400, "the prompt is too long: 9 tokens > 8 maximum", Retry.NEVER),
        (401, f"wrong key {SECRET}", Retry.STOP),
        (402, "pay first", Retry.STOP),
        (403, "not you", Retry.STOP),
        (404, "no such model", Retry.STOP),
        (429, "slow down", Retry.LATER),
        (500, "oops", Retry.LATER),
        (503, "overloaded", Retry.LATER),
    ],
)
def test_each_refusal_has_its_meaning_and_the_providers_words(name: str, status: int, words: str, retry: Retry) -> None:
    found = failure(name, as_json(DIALECTS[name].error(status, words), status, headers={"retry-after": "9"}))
    assert (found.retry, found.rate_limited) == (retry, status == 429)
    assert found.reason == f"answered {status}: {words.replace(SECRET, '[secret]')}"
    assert found.wait_s == (9.0 if retry is Retry.LATER else None)


@EACH
def test_a_redirect_is_not_followed(name: str) -> None:
    assert failure(name, model_server.redirect("http://127.0.0.1:1/")).retry is Retry.STOP


@EACH
def test_an_answer_that_repeats_the_secret_loses_it(name: str) -> None:
    told = Told(f"key = '{SECRET}'", f"it is {SECRET}", DIALECTS[name].forms[0])
    for say in ways(DIALECTS[name], told):
        found = answer(name, say)
        assert SECRET not in repr(found)
        assert (found.text.strip(), found.reasoning) == ("key = '[secret]'", "it is [secret]")
