"""A probe tells a vendor what is wrong with its endpoint, and what to change, in a few requests."""

import json
import socket
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import format_datetime
from ipaddress import ip_network
from typing import Any

import pytest
from fakes import model_server
from fakes.model_server import Asked, ModelServer, Say, Script

from app.domain.asking.completions import EndpointSpec
from app.domain.asking.protocols import FRESH
from app.domain.probing.checks import CheckResult, CheckStatus, EndpointCheck, ProbeReport, ProbeResult, first_failure
from app.domain.reasons import Reason
from workers.inference.probe import probe_endpoint

SECRET = "sk-very-secret-0123456789"
LOOPBACK = (ip_network("127.0.0.0/8"),)
PROGRAM = "```python\na, b = map(int, input().split())\nprint(a + b)\n```"
USAGE = {"prompt_tokens": 11, "completion_tokens": 20, "total_tokens": 31}


def clock() -> datetime:
    return datetime.now(UTC)


def probe(url: str, *, limit_s: float = 4.0, **fields: Any) -> ProbeReport:
    """A probe as a run under the protocol `fresh` would be asked."""
    endpoint = EndpointSpec(1, "openai_chat", url, "fake-model-1", SECRET)
    return probe_endpoint(replace(endpoint, **fields), FRESH.sampling, {}, limit_s=limit_s, clock=clock, allow=LOOPBACK)


def by_check(report: ProbeReport) -> dict[EndpointCheck, CheckResult]:
    return {check.check: check for check in report.checks}


def answer(asked: Asked) -> Say:
    """A sound endpoint: it streams if it is asked to, reports the usage, and knows the time."""
    if asked.json.get("stream"):
        say = model_server.streamed(
            model_server.said(PROGRAM), model_server.said(finish_reason="stop"),
            {"choices": [], "usage": USAGE}, "[DONE]", gap_s=0.01,
        )  # fmt: skip
    else:
        say = model_server.message("ready" if "ready" in asked.last_message else PROGRAM, usage=USAGE, delay_s=0.01)
    return replace(say, headers={**say.headers, "date": format_datetime(clock(), usegmt=True)})


def test_a_sound_endpoint_passes_every_check_in_two_requests() -> None:
    with ModelServer(answer) as server:
        report = probe(server.url)
    assert report.result is ProbeResult.PASSED
    outcomes = {check.check: check.status for check in report.checks}
    assert list(outcomes) == list(EndpointCheck)
    assert {check for check, status in outcomes.items() if status is not CheckStatus.PASSED} == {EndpointCheck.TLS}
    assert report.requests == len(server.asked) == 2
    assert [asked.json["stream"] for asked in server.asked] == [False, True]
    assert {asked.json["max_tokens"] for asked in server.asked} == {FRESH.sampling.max_tokens}
    assert {asked.headers["authorization"] for asked in server.asked} == {f"Bearer {SECRET}"}


@dataclass(frozen=True)
class Fault:
    """A way in which an endpoint fails, the check that fails for it, and words of the fix."""

    script: Script | Say
    check: EndpointCheck
    fix: str
    evidence: str = ""
    requests: int = 1


def refuse_parameter(asked: Asked) -> Say:
    if "top_p" in asked.json:
        return model_server.error(400, "Unsupported parameter: 'top_p' is not supported")
    return answer(asked)


def refuse_tokens(asked: Asked) -> Say:
    if asked.json.get("max_tokens", 0) > 4096:
        return model_server.error(400, "max_tokens is too large: 16384. This endpoint supports at most 4096")
    return answer(asked)


FAULTS = {
    "401": Fault(model_server.error(401, "wrong key"), EndpointCheck.KEY, "with a key that it accepts", "401"),
    "402": Fault(model_server.error(402, "no money"), EndpointCheck.KEY, "add credit", "402"),
    "spent quota": Fault(
        model_server.error(429, "spent", code="insufficient_quota"), EndpointCheck.KEY, "add credit", "429"
    ),
    "404": Fault(
        model_server.error(404, "no such page"), EndpointCheck.ADDRESS,
        "base_url must end before /chat/completions; we called http://127.0.0.1:", "404",
    ),
    "404 of the model": Fault(
        model_server.error(404, "The model `fake-model-1` does not exist"), EndpointCheck.MODEL,
        "fake-model-1 is not known there", "does not exist",
    ),
    "400 of the model": Fault(
        model_server.error(400, "unknown model: fake-model-1"), EndpointCheck.MODEL, "is not known there", "400", 2
    ),
    "400 of a parameter": Fault(refuse_parameter, EndpointCheck.LIMITS, "top_p", "Unsupported parameter", 3),
    "400 of the tokens": Fault(refuse_tokens, EndpointCheck.LIMITS, "accept 16384 tokens", "too large", 3),
    "400 of everything": Fault(model_server.error(400, "no"), EndpointCheck.LIMITS, "says what it refused", "400", 2),
    "429": Fault(model_server.rate_limited("1"), EndpointCheck.LIMITS, "raise the rate limit", "429"),
    "500": Fault(model_server.error(500, "boom"), EndpointCheck.ANSWER, "log of the endpoint", "boom"),
    "HTML page": Fault(model_server.html(), EndpointCheck.ADDRESS, "leads to a web page", "HTML"),
    "HTML 404": Fault(model_server.html(404), EndpointCheck.ADDRESS, "leads to a web page", "404"),
    "redirect": Fault(model_server.redirect("https://example.com"), EndpointCheck.ADDRESS, "redirect leads to", "307"),
    "cut body": Fault(
        Say(headers={"content-type": "application/json"}, pieces=[b'{"choices": ['], cut=True), EndpointCheck.ANSWER,
        "whole responses", "broke the connection",
    ),
    "dropped": Fault(Say(drop=True), EndpointCheck.ANSWER, "whole responses", "broke the connection"),
    "16 MiB": Fault(Say(b" " * 65536, endless=True), EndpointCheck.ANSWER, "larger ones than 16 MiB", "16 MiB"),
    "hang": Fault(Say(stall=True), EndpointCheck.ANSWER, "within 1 s", "did not answer"),
    "truncated": Fault(
        model_server.message("rea", finish_reason="length", usage=USAGE), EndpointCheck.LIMITS, "up to the limit",
        "cut off after 20 tokens, though 16384", 2,
    ),
    "empty": Fault(Say(), EndpointCheck.ANSWER, "answer in the format", "no JSON"),
    "an empty answer": Fault(model_server.message("", usage=USAGE), EndpointCheck.ANSWER, "in the format", "20 tokens"),
    "JSON of another kind": Fault(model_server.as_json({"ok": True}), EndpointCheck.ANSWER, "in the format", "choice"),
    "no HTTP": Fault(Say(status=999999), EndpointCheck.ADDRESS, "speaks HTTP", ""),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_each_failure_names_the_failed_check_and_its_fix(name: str) -> None:
    fault = FAULTS[name]
    with ModelServer(fault.script) as server:
        report = probe(server.url, limit_s=2.0 if name == "hang" else 20.0)
    failed = first_failure(report.checks)
    assert report.result is ProbeResult.FAILED
    assert failed is not None
    assert failed.check is fault.check, failed
    assert fault.fix in str(failed.fix), failed.fix
    assert fault.evidence in str(failed.evidence), failed.evidence
    assert isinstance(failed.fix, Reason), "pages say it in the reader's language"
    assert report.requests == len(server.asked) == fault.requests


def test_a_closed_port_fails_the_address() -> None:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        report = probe(f"http://127.0.0.1:{bound.getsockname()[1]}/v1")
    failed = first_failure(report.checks)
    assert failed is not None
    assert (failed.check, str(failed.fix)[:16]) == (EndpointCheck.ADDRESS, "start the server")
    assert {check.status for check in report.checks[1:]} == {CheckStatus.SKIPPED}


@pytest.mark.parametrize("url", ["http://169.254.169.254/v1", "https://10.0.0.7/v1", "http://127.0.0.1:1/v1"])
def test_an_address_that_the_guard_refuses_is_not_called(url: str) -> None:
    endpoint = EndpointSpec(1, "openai_chat", url, "fake-model-1", SECRET)
    report = probe_endpoint(endpoint, FRESH.sampling, {}, limit_s=2.0, clock=clock)
    failed = first_failure(report.checks)
    assert failed is not None
    assert (failed.check, failed.fix) == (EndpointCheck.ADDRESS, Reason("fix_public"))


def test_a_path_registered_whole_is_called_as_it_is() -> None:
    with ModelServer(answer) as server:
        report = probe(f"{server.url}/chat/completions")
    assert report.result is ProbeResult.PASSED
    assert {asked.path for asked in server.asked} == {"/v1/chat/completions"}


QUALITIES = {
    "prose": (model_server.message("It depends.", usage=USAGE), EndpointCheck.PROGRAM, "fenced block"),
    "unasked stream": (
        model_server.streamed(
            model_server.said(PROGRAM), model_server.said(finish_reason="stop"),
            {"choices": [], "usage": USAGE}, "[DONE]",
        ),
        EndpointCheck.STREAMING, "one JSON object",
    ),
    "no stream": (model_server.message(PROGRAM, usage=USAGE), EndpointCheck.STREAMING, "server-sent events"),
    "another model": (
        model_server.as_json({
            "model": "other", "usage": USAGE, "object": "chat.completion",
            "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": PROGRAM}}],
        }),
        EndpointCheck.ECHO, "other is the model that you mean",
    ),
    "slow": (
        model_server.message("ready", usage={"prompt_tokens": 3, "completion_tokens": 1}, delay_s=0.6),
        EndpointCheck.SPEED, "more capacity",
    ),
    "wrong clock": (
        replace(model_server.message(PROGRAM, usage=USAGE), headers={"date": "Mon, 02 Jan 2023 03:04:05 GMT"}),
        EndpointCheck.CLOCK, "set the clock",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", QUALITIES)
def test_what_does_not_hinder_answers_is_a_warning(name: str) -> None:
    say, check, fix = QUALITIES[name]
    with ModelServer(say) as server:
        report = probe(server.url, limit_s=20.0)
    found = by_check(report)[check]
    assert report.result is ProbeResult.PASSED, first_failure(report.checks)
    assert found.status is CheckStatus.WARNED
    assert fix in str(found.fix)


def test_no_check_shows_the_secret() -> None:
    def quote(asked: Asked) -> Say:
        return model_server.error(401, f"wrong key {asked.headers['authorization']} of {SECRET[:12]}")

    with ModelServer(quote) as server:
        report = probe(server.url)
    shown = json.dumps([(check.evidence, check.fix) for check in report.checks])
    assert SECRET[:8] not in shown
    assert "wrong key" in shown


def test_a_hanging_endpoint_takes_no_longer_than_the_limit() -> None:
    began = clock()
    with ModelServer(lambda asked: answer(asked) if asked.number == 0 else Say(stall=True)) as server:
        report = probe(server.url, limit_s=2.0)
    assert (clock() - began).total_seconds() < 4
    assert report.result is ProbeResult.PASSED, "a plain answer came; the stream is a warning"
    assert by_check(report)[EndpointCheck.STREAMING].status is CheckStatus.WARNED
