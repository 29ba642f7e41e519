"""What an endpoint repeats of the secret it was sent: nobody reads it, and nothing keeps it."""

import base64
import json
from dataclasses import fields, replace
from urllib.parse import quote

import pytest
from fakes import model_server
from fakes.model_server import ModelServer, Say
from support.asking import LOOPBACK, endpoint, now, only_failure, requests

from app.domain.asking.completions import AnsweredSample, SampleOutcome
from workers.inference.client import ask
from workers.inference.redaction import clean_words

KEY = 'sk-a/b+C"9<x>%K7q2Zr41mW8tUe'
BASIC = base64.b64encode(f"user:{KEY}".encode()).decode()
COUNTED = {"prompt_tokens": 1}
CHOICE = ('{"usage":{"prompt_tokens":1},"choices":[{"finish_reason":"stop","message":{"content":"', '"}}]}')
BEARER = base64.urlsafe_b64encode(f"Bearer {KEY}".encode()).decode()


def hear(say: Say, secret: str = KEY) -> list[SampleOutcome]:
    """What comes of asking an endpoint that says this, with a secret."""
    with ModelServer(say) as server:
        spec = replace(endpoint(server.url), secret=secret)
        return list(ask(spec, requests(1), allow=LOOPBACK, deadline_s=60.0, clock=now))


def test_an_error_loses_the_secret_and_its_pieces() -> None:
    for words, kept in [
        (f"wrong key {KEY}.", "wrong key [secret]."),
        (f"got header 'Bearer {KEY}'", "got header 'Bearer [secret]'"),
        (f"no such key {KEY.upper()}", "no such key [secret]"),
        (f"/v1?key={quote(KEY, safe='')}&n=1", "/v1?key=[secret]&n=1"),
        (f"/v1?key={quote(KEY, safe='').lower()}", "/v1?key=[secret]"),
        (f"{KEY.encode().hex()} is unknown", "[secret] is unknown"),
        (f"key {KEY[:12]}... is over its quota", "key [secret]... is over its quota"),
        (f"key ...{KEY[-9:]} has expired", "key ...[secret] has expired"),
        (f"{KEY[:10]}*****{KEY[-10:]}", "[secret]*****[secret]"),
        (f"/v1?key={quote(quote(KEY, safe=''), safe='')}", "/v1?key=[secret]"),
        ("key " + "".join(f"&#{ord(each)};" for each in KEY) + " &lt;", "key [secret] <"),
        ("key " + "".join(f"\\u{ord(each):04x}" for each in KEY), "key [secret]"),
        ("100%25 of &lt;it&gt; \\u0041", "100%25 of &lt;it&gt; \\u0041"),
        (f"{KEY} %00 \\ud800 \\u0000 \\ud83d\\ude00", "[secret] \ufffd \ufffd \ufffd 😀"),
        ("the model sk-large is not served", "the model sk-large is not served"),
    ]:
        assert only_failure(hear(model_server.error(401, words))).reason == f"answered 401: {kept}", (words, kept)


@pytest.mark.parametrize("encoded", [BASIC, BEARER, base64.b64encode(KEY.encode()).decode()])
def test_an_error_loses_the_secret_in_base64_whatever_stands_before_it(encoded: str) -> None:
    reason = only_failure(hear(model_server.error(403, f"denied to {encoded}"))).reason
    assert "[secret]" in reason
    left = reason.partition("denied to ")[2].replace("[secret]", "")
    assert len(left) < len(encoded) - len(KEY)


def test_a_secret_at_the_end_of_a_long_complaint_is_not_cut_into_sight() -> None:
    reason = only_failure(hear(model_server.error(401, "x" * 280 + KEY))).reason
    assert "sk-" not in reason


def test_an_answer_loses_the_whole_secret() -> None:
    for say in [
        model_server.message(f"print({KEY!r})"),
        model_server.message(f"print({base64.b64encode(KEY.encode()).decode()!r})"),
        model_server.message("print(1)", reasoning=f"my headers: Bearer {KEY}"),
        Say("".join(rf"\u{ord(c):04x}" for c in KEY).join(CHOICE).encode()),
        model_server.as_json(
            {
                "system_fingerprint": KEY,
                "choices": [{"message": {"content": "p"}, "finish_reason": "stop"}],
                "usage": COUNTED,
            }
        ),
        model_server.as_json(
            {
                "system_fingerprint": "x" * 190 + KEY,
                "choices": [{"message": {"content": "p"}, "finish_reason": "stop"}],
                "usage": COUNTED,
            }
        ),
        *(
            model_server.as_json(
                {
                    "model": name,
                    "choices": [{"message": {"content": "p"}, "finish_reason": "stop"}],
                    "usage": COUNTED,
                }
            )
            for name in (KEY, "x" * 185 + KEY, f"acme/{KEY[:20]}...")
        ),
    ]:
        [outcome] = hear(say)
        assert isinstance(outcome, AnsweredSample), say
        answer = outcome.completion
        values = {field.name: getattr(answer, field.name) for field in fields(answer) if field.name != "raw"}
        shown = [*(value for value in values.values() if isinstance(value, str)), json.dumps(json.loads(answer.raw))]
        assert any("[secret]" in part for part in shown[:-1]), say
        assert not [name for name in (answer.fingerprint, answer.served_model) if KEY[:10] in name], say
        spelled = (KEY, json.dumps(KEY)[1:-1], base64.b64encode(KEY.encode()).decode())
        assert not [part for part in shown if any(way in part for way in spelled)], say


@pytest.mark.parametrize(
    "written", ["".join(rf"\u{ord(c):04x}" for c in KEY), json.dumps(KEY)[1:-1].replace("/", r"\/")]
)
def test_what_nobody_reads_of_an_answer_loses_it_too_however_it_is_escaped(written: str) -> None:
    choice = '{"finish_reason":"stop","message":{"content":"print(1)"}}'
    body = f'{{"choices":[{choice}],"usage":{json.dumps(COUNTED)},"headers":"Bearer {written}"}}'
    [outcome] = hear(Say(body.encode()))
    assert isinstance(outcome, AnsweredSample)
    assert json.loads(outcome.completion.raw)["headers"] == "Bearer [secret]"


def test_a_stream_loses_a_secret_that_its_pieces_share() -> None:
    pieces = [model_server.said(each) for each in ("print('", KEY[:9], KEY[9:], "')")]
    ended = model_server.said(finish_reason="stop")
    [outcome] = hear(model_server.streamed(*pieces, ended, model_server.USED, "[DONE]"))
    assert isinstance(outcome, AnsweredSample)
    answer = outcome.completion
    assert answer.text == "print('[secret]')"
    assert json.loads(answer.raw)["choices"][0]["message"]["content"] == answer.text
    assert answer.joined == b""


@pytest.mark.parametrize("written", [json.dumps(KEY)[1:-1], "".join(rf"\u{ord(c):04x}" for c in KEY)])
def test_a_stream_loses_a_secret_beside_its_words(written: str) -> None:
    beside = f'{{"choices":[],"headers":"Bearer {written}","id":"x"}}'
    ended = model_server.said("print(1)", finish_reason="stop")
    [outcome] = hear(model_server.streamed(beside, '{"headers": ""}', ended, model_server.USED, "[DONE]"))
    assert isinstance(outcome, AnsweredSample)
    raw = outcome.completion.raw.decode()
    assert raw.count("data:") == 5
    assert "Bearer [secret]" in raw
    assert written not in raw
    assert KEY not in raw


def test_an_answer_keeps_its_bytes_and_pieces_of_the_secret_that_are_words() -> None:
    say = model_server.message("def solution(): return 'EMPTY'")
    for secret in ("EMPTY", "my-solution-key"):
        [outcome] = hear(say, secret)
        assert isinstance(outcome, AnsweredSample)
        assert (outcome.completion.text, outcome.completion.raw) == ("def solution(): return 'EMPTY'", say.body)


@pytest.mark.parametrize("secret", [None, "sk-0123456789abcdef"])
def test_words_of_an_error_do_nothing_to_a_terminal(secret: str | None) -> None:
    said = clean_words("no\x1b]0;x\x07 \x9b31m\u202e\ud800\0 &#27;[2J\\u001b[3J é中\n", secret)
    assert {letter for letter in said if not letter.isprintable()} == {"\n"}
    assert "é中" in said
