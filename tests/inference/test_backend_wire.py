"""Every back end against one endpoint that plays its format: what is an answer, whose fault anything else is.

Time is virtual, so that whoever waits for a stall waits for nothing.
"""

import re
from dataclasses import replace
from typing import Any

import pytest
from fakes import model_server
from fakes.dialects import DIALECTS, MODEL, Dialect, Told
from fakes.model_server import Say, as_json, streamed
from support.asking import SECRET
from support.exchanges import BACKENDS, ask
from support.thinned import thinned

from app.domain.asking.completions import (
    Completion,
    FailureOwner,
    FinishReason,
    Retry,
    Usage,
)
from app.domain.asking.extraction import extract_code
from workers.inference.wire import CallFailure

EACH = pytest.mark.parametrize("name", DIALECTS)
WORDS = "print('你好, 🌍')"
FINISH = {
    "stop": FinishReason.STOP,
    "length": FinishReason.LENGTH,
    "filter": FinishReason.CONTENT_FILTER,
    "tools": FinishReason.OTHER,
}


def ways(dialect: Dialect, told: Told, **fields: Any) -> list[Say]:
    """The answer as one body and as a stream."""
    return [as_json(dialect.plain(told) | fields), streamed(*dialect.pieces(told), "[DONE]", gap_s=0.5)]


def answers(name: str, *says: Say, timeout_s: float | None = None) -> list[Completion]:
    found = [each for each, _ in ask(name, *says, timeout_s=timeout_s)]
    assert [each for each in found if not isinstance(each, Completion)] == []
    return [each for each in found if isinstance(each, Completion)]


def answer(name: str, say: Say, timeout_s: float | None = None) -> Completion:
    (found,) = answers(name, say, timeout_s=timeout_s)
    return found


def failures(name: str, *says: Say, timeout_s: float | None = None) -> list[CallFailure]:
    found = [each for each, _ in ask(name, *says, timeout_s=timeout_s)]
    assert [each for each in found if not isinstance(each, CallFailure)] == []
    troubles = [each for each in found if isinstance(each, CallFailure)]
    for each in troubles:
        assert SECRET not in repr(each)
        assert each.owner is FailureOwner.VENDOR
    return troubles


def failure(name: str, say: Say, timeout_s: float | None = None) -> CallFailure:
    (found,) = failures(name, say, timeout_s=timeout_s)
    return found


@EACH
def test_an_answer_is_read_whole(name: str) -> None:
    dialect = DIALECTS[name]
    told = Told(WORDS, "I add.", dialect.forms[0], thinking=5)
    says = ways(dialect, told)
    for say, (found, asked) in zip(says, ask(name, *says), strict=True):
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
    early = replace(stream, pieces=[b": still here\n\n", *stream.pieces])
    whole, found, later = answers(name, plain, stream, early)
    assert whole.first_token_ms is None
    assert found.first_token_ms is not None
    before = 500.0 * DIALECTS[name].opening
    assert before <= found.first_token_ms < before + 700 < found.latency_ms
    assert (later.first_token_ms or 0) >= before + 500


@EACH
def test_reasoning_is_no_answer_in_any_form(name: str) -> None:
    for form in DIALECTS[name].forms:
        told = Told("print(1)", "first ```python\nwrong\n``` then", form)
        for found in answers(name, *ways(DIALECTS[name], told)):
            assert (found.text.strip(), found.reasoning) == ("print(1)", told.reasoning), form


TAGS = [
    ("<think>", "</think>"), ("<Thinking effort='1'>", "</Thinking>"), ("<analysis>", "</analysis>"),
    ("[THINK]", "[/THINK]"), ("", "</think>"), ("<|channel|>analysis<|message|>", "<|channel|>final<|message|>"),
]  # fmt: skip


@EACH
def test_no_program_is_taken_from_reasoning_that_stands_in_the_text(name: str) -> None:
    """Servers without a parser for a model leave its tags where they are."""
    tried, right = "I try\n```python\nwrong\n```\nand more.", "So:\n```python\nright\n```"
    texts = [f"{before}{opens}{tried}{closes} {right}" for opens, closes in TAGS for before in ("", "Well, ")]
    cut = [f"{before}{opens}{tried}" for opens, _ in TAGS if opens for before in ("", "Well, ")]
    told = [*map(Told, texts), *(Told(text, finish="length") for text in cut)]
    says = [say for each in told for say in ways(DIALECTS[name], each)]
    programs = [(text, "right\n") for text in texts for _ in "12"] + [(text, None) for text in cut for _ in "12"]
    for (text, program), found in zip(programs, answers(name, *says), strict=True):
        assert extract_code(found.text, "python").code == program, text


@EACH
def test_an_empty_answer_is_an_answer(name: str) -> None:
    tolds = [Told("", silent=silent, written=written) for silent in (False, True) for written in (0, 3)]
    says = [say for told in tolds for say in ways(DIALECTS[name], told)]
    assert [found.text for found in answers(name, *says)] == [""] * 8


@EACH
def test_tokens_of_an_answer_of_which_nothing_came_are_a_failure_of_the_endpoint(name: str) -> None:
    dialect = DIALECTS[name]
    tolds = [Told("", silent=True), Told("", silent=True, thinking=50)]
    if dialect.forms[0] != "inline":
        tolds.append(Told("", "I add.", dialect.forms[0], silent=True, thinking=50))
    for found in failures(name, *(say for told in tolds for say in ways(dialect, told))):
        assert (found.retry, found.replied) == (Retry.LATER, True)
        assert found.reason == "counted 7 tokens of an answer and sent none of it"


@EACH
def test_an_answer_without_a_word_is_the_models_own_where_something_else_explains_its_tokens(name: str) -> None:
    """Reasoning that is counted with the answer, a filter, a limit that secret reasoning may have reached."""
    dialect = DIALECTS[name]
    tolds = [Told("", silent=True, finish=finish, written=4000) for finish in ("filter", "length")]
    if dialect.forms[0] != "inline":
        tolds.append(Told("", "I add.", dialect.forms[0], silent=True, written=4000))
    says = [say for told in tolds for say in ways(dialect, told)]
    if name in ("sglang", "openai_responses"):  # they say that none of it was reasoning
        says = [say for told in tolds if told.finish != "length" for say in ways(dialect, told)]
    assert {found.text for found in answers(name, *says)} == {""}


@EACH
def test_why_the_model_stopped_is_told_in_our_words(name: str) -> None:
    for finish, ours in FINISH.items():
        if name == "openai_completions" and finish == "tools":
            continue  # a format of texts alone
        for found in answers(name, *ways(DIALECTS[name], Told("pri", finish=finish))):
            assert found.finish_reason is ours, finish
            assert finish == "tools" or found.text == "pri", finish


@EACH
def test_a_tool_that_is_called_without_a_word_is_an_empty_answer(name: str) -> None:
    if name == "openai_completions":
        return  # a format of texts alone
    for found in answers(name, *ways(DIALECTS[name], Told("", finish="tools", silent=True))):
        assert (found.text, found.finish_reason) == ("", FinishReason.OTHER)


@EACH
def test_reasoning_that_was_cut_off_left_no_answer(name: str) -> None:
    dialect = DIALECTS[name]
    told = Told("", "I ad", dialect.forms[0], finish="length", silent=True)
    if dialect.forms[0] == "inline":
        told = Told("<think>I ad", finish="length")
    for found in answers(name, *ways(dialect, told)):
        assert (found.text, found.reasoning, found.finish_reason) == ("", "I ad", FinishReason.LENGTH)


@EACH
def test_of_several_answers_the_first_counts_and_what_nobody_knows_is_passed_over(name: str) -> None:
    """A server that answers more choices than were asked for, and one that drops n and logprobs without a word."""
    says = ways(DIALECTS[name], Told(WORDS, choices=3), logprobs=None, x_unknown={"a": [1]})
    assert [found.text for found in answers(name, *says)] == [WORDS] * 2


@EACH
def test_an_answer_is_read_whatever_its_content_type_says(name: str) -> None:
    plain, stream = ways(DIALECTS[name], Told(WORDS))
    says = [replace(plain, headers={"content-type": kind}) for kind in ("text/event-stream", "text/html", "")]
    body = b"".join(stream.pieces)
    says += [Say(text, headers={"content-type": "application/json"}) for text in (body, body.replace(b"\n", b"\r\n"))]
    assert [found.text for found in answers(name, *says)] == [WORDS] * 5


@EACH
def test_texts_can_be_kept_whatever_is_in_them(name: str) -> None:
    for found in answers(name, *ways(DIALECTS[name], Told("nul\x00 half \ud83d whole \U0001f600"))):
        assert found.text == "nul\ufffd half \ufffd whole \U0001f600"


@EACH
def test_counts_that_cannot_be_are_unknown(name: str) -> None:
    body = as_json(DIALECTS[name].plain(Told(WORDS))).body
    counts = (b"-7", b'"7"', b"null", b"9" * 5000, b"true")
    for found in answers(name, *(Say(re.sub(rb": 7(?=[,}])", b": " + count, body)) for count in counts)):
        assert found.usage.answer is None
        assert found.usage.input == 11


@EACH
def test_a_stream_without_its_end_is_no_answer(name: str) -> None:
    for missing in ("finish", "usage", "both"):
        told = Told(WORDS, finish=None if missing != "usage" else "stop", counted=missing == "finish")
        for found in failures(name, *(streamed(*DIALECTS[name].pieces(told), *end) for end in ((), ("[DONE]",)))):
            assert ("the usage" if missing == "usage" else "a finish reason") in found.reason, missing
            assert (found.retry, found.rate_limited) == (Retry.LATER, False), missing


@EACH
def test_a_body_without_a_finish_reason_is_no_answer(name: str) -> None:
    found = failure(name, as_json(DIALECTS[name].plain(Told(WORDS, finish=None))))
    assert (found.retry, found.reason) == (Retry.LATER, "answered without a finish reason")


@EACH
def test_a_body_without_usage_is_no_answer(name: str) -> None:
    body = DIALECTS[name].plain(Told(WORDS, counted=False))
    place = "usageMetadata" if name == "google" else "usage"
    bodies = (body, body | {place: {}}, body | {place: None}, body | {place: 7})
    for found in failures(name, *map(as_json, bodies)):
        assert (found.retry, found.reason) == (Retry.LATER, "answered without the usage")


@EACH
def test_an_engine_that_dies_leaves_no_answer(name: str) -> None:
    """As vLLM does: 500 for plain requests; status 200 and an error in streams, which then end in order."""
    dialect = DIALECTS[name]
    broken = dialect.broken(f"EngineCore died, key {SECRET}")
    pieces = [*dialect.pieces(Told(WORDS))[: dialect.opening + 1]]
    streams = streamed(*pieces, broken, "[DONE]"), streamed(broken), streamed(*pieces, broken, cut=True)
    plain = [as_json(dialect.error(500, "EngineCore died"), status) for status in (500, 200)]
    *died, refused, whole = failures(name, *streams, *plain)
    for found in died:
        assert found.retry is Retry.LATER
        assert "EngineCore died" in found.reason or "broke the connection" in found.reason
    assert (refused.retry, refused.reason) == (Retry.LATER, "answered 500: EngineCore died")
    assert (whole.retry, whole.reason) == (Retry.LATER, "answered an error: EngineCore died")
    if "died" in dialect.finishes:
        for found in failures(name, *ways(dialect, Told("pri", finish="died"))):
            assert found.retry is Retry.LATER


@EACH
def test_what_breaks_off_is_no_answer(name: str) -> None:
    plain, stream = ways(DIALECTS[name], Told(WORDS))
    whole = stream.pieces
    for found in failures(
        name, replace(stream, pieces=whole[:-2], cut=True), replace(stream, pieces=whole[:1], cut=True),
        Say(pieces=[plain.body[:40]], cut=True), Say(drop=True),
    ):  # fmt: skip
        assert (found.retry, found.reason.partition(" (")[0]) == (Retry.LATER, "broke the connection")
    cut_in_order = streamed(*DIALECTS[name].pieces(Told(WORDS))[: DIALECTS[name].opening + 1])
    ended, garbled = failures(name, cut_in_order, replace(stream, pieces=[*whole[:2], b"data: {nt\n\n"]))
    assert ended.reason == "ended its stream without a finish reason"
    assert garbled.reason.endswith("no JSON object")


@EACH
def test_whoever_says_nothing_is_not_waited_for(name: str) -> None:
    _, stream = ways(DIALECTS[name], Told(WORDS))
    begun = b"".join(stream.pieces[: DIALECTS[name].opening + 2])
    silent, stalled = failures(name, replace(stream, pieces=[begun, *stream.pieces[-1:]], gap_s=1e6), Say(stall=True))
    assert silent.reason == "began to answer and then said nothing for 60 s"
    assert stalled.reason == "did not answer within 600 s"
    kinds = ("text/event-stream", "application/json")
    drips = [Say(headers={"content-type": kind}, pieces=[b" "] * 100, gap_s=1.0) for kind in kinds]
    for drip in failures(name, *drips, timeout_s=90.0):
        assert drip.reason == "did not answer within 90 s"


@EACH
def test_a_stream_goes_on_for_as_long_as_the_model_writes_and_no_longer_than_was_named(name: str) -> None:
    """It says something every 50 seconds. An hour is what nobody needs to name."""
    told = DIALECTS[name].pieces(Told(WORDS))
    begun, ending = told[: DIALECTS[name].opening + 1], told[DIALECTS[name].opening + 1 :]

    def lasting(minutes: int) -> Say:
        alive = [b": still here\n\n"] * (minutes * 60 // 50)
        whole = streamed(*begun, *ending, "[DONE]").pieces
        return Say(headers={"content-type": "text/event-stream"}, gap_s=50.0,
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
    cases = (
        (model_server.html(), "HTML"), (Say(b"{not json"), "no JSON"), (Say(b"[" * 100_000), "no JSON"),
        (as_json({"hello": "world"}), "without"), (as_json([1, 2]), "without"), (as_json(7), "without"),
        (Say(b""), "no JSON"),
    )  # fmt: skip
    for (say, words), found in zip(cases, failures(name, *(say for say, _ in cases)), strict=True):
        assert found.retry is Retry.LATER, say.body[:40]
        assert words in found.reason, say.body[:40]


# How much is read of a stream is one line for all formats: in an ordinary run it is tried with one of them.
FLOODS = [(name, "application/json", 16) for name in DIALECTS] + thinned(
    [(name, "text/event-stream", 64) for name in DIALECTS], len(DIALECTS)
)


@pytest.mark.parametrize(("name", "kind", "most"), FLOODS)
def test_a_hundred_megabytes_are_not_read(name: str, kind: str, most: int) -> None:
    flood = Say(b"x" * 4_000_000, headers={"content-type": kind}, endless=True)
    assert failure(name, flood).reason == f"answered more than {most} MiB"


REFUSALS = [
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
]


@EACH
def test_each_refusal_has_its_meaning_and_the_providers_words(name: str) -> None:
    says = [as_json(DIALECTS[name].error(status, words), status, headers={"retry-after": "9"})
            for status, words, _ in REFUSALS]  # fmt: skip
    for (status, words, retry), found in zip(REFUSALS, failures(name, *says), strict=True):
        assert found.reason == f"answered {status}: {words.replace(SECRET, '[secret]')}"
        assert (found.retry, found.rate_limited) == (retry, status == 429), found.reason
        assert found.wait_s == (9.0 if retry is Retry.LATER else None), found.reason


@EACH
def test_a_redirect_is_not_followed(name: str) -> None:
    assert failure(name, model_server.redirect("http://127.0.0.1:1/")).retry is Retry.STOP


@EACH
def test_an_answer_that_repeats_the_secret_loses_it(name: str) -> None:
    told = Told(f"key = '{SECRET}'", f"it is {SECRET}", DIALECTS[name].forms[0])
    for found in answers(name, *ways(DIALECTS[name], told)):
        assert SECRET not in repr(found)
        assert (found.text.strip(), found.reasoning) == ("key = '[secret]'", "it is [secret]")
