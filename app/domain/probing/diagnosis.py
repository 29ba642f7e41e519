"""Diagnosis of a probe's requests: which check each of them passed or failed, and what the vendor can change."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from app.domain.asking.completions import Completion, FinishReason
from app.domain.probing.checks import CheckResult, CheckStatus, EndpointCheck
from app.domain.reasons import Reason

_MIN_TOKENS_A_SECOND: Final = 5.0
_MAX_SKEW_S: Final = 60.0
_OF_MODEL = re.compile(r"\bmodels?\b", re.IGNORECASE)
# Messages that refuse a field for this model, which is known.
_OF_FIELD = re.compile(r"max_|tokens|parameter|temperature|top_p|field|argument|unsupported value", re.IGNORECASE)

_ADDRESS_FIXES: Final[Mapping[str, str]] = {
    "redirects": "fix_redirect",
    "no_name": "fix_host", "unresolved": "fix_host", "host_spelling": "fix_host",
    "no_welcome": "fix_listen", "unreachable": "fix_listen", "no_connection": "fix_listen",
    "no_http": "fix_http",
    **dict.fromkeys(
        ("no_url", "no_https", "unreadable_host", "no_host", "named_user", "other_host", "no_port", "not_public",
         "plain_http"),
        "fix_public",
    ),
}  # fmt: skip
_TLS_FIXES: Final = frozenset({"no_certificate", "no_tls"})


@dataclass(frozen=True, slots=True)
class ProbeTarget:
    """The endpoint of a probe, and what its requests hold: the URL is without secrets, `path` is the format's own."""

    url: str
    path: str
    remote_name: str
    has_key: bool
    max_tokens: int
    fields: tuple[str, ...]
    streams: bool  # real requests under the protocol ask for streams
    limit_s: float

    @property
    def is_https(self) -> bool:
        """True if it is called over TLS."""
        return self.url.lower().startswith("https:")


@dataclass(frozen=True, slots=True)
class ProbeCall:
    """One request of a probe and its outcome: a completion, or the failure in words."""

    completion: Completion | None = None
    failure: str | None = None
    status: int | None = None  # of the HTTP response, if one came
    is_html: bool = False
    streamed: bool = False
    skew_s: float | None = None  # of the endpoint's clock
    exhausted: bool = False  # the endpoint says that money or quota is spent
    program: bool = False  # the answer holds a program

    @property
    def refuses_request(self) -> bool:
        """True if the endpoint refused what the request holds, and not its address, its key or its pace."""
        refused = self.status is not None and 400 <= self.status < 500 and self.status not in _NOT_OF_REQUEST
        return self.completion is None and not self.is_html and not self.exhausted and refused


_NOT_OF_REQUEST: Final = frozenset({401, 402, 403, 404, 405, 408, 409, 410, 425, 429})


class Diagnosis(NamedTuple):
    """The check that a failed request fails, and the fix."""

    check: EndpointCheck
    fix: Reason


def diagnose(call: ProbeCall, target: ProbeTarget) -> Diagnosis:
    """Return the check that a failed request fails, and the fix."""
    failure, status = call.failure or "", call.status
    code = failure.code if isinstance(failure, Reason) else ""
    if code in _ADDRESS_FIXES:
        return Diagnosis(EndpointCheck.ADDRESS, Reason(_ADDRESS_FIXES[code]))
    if code in _TLS_FIXES:
        return Diagnosis(EndpointCheck.TLS, Reason("fix_certificate"))
    if call.exhausted or status == 402:
        return Diagnosis(EndpointCheck.KEY, Reason("fix_credit"))
    if code == "unsendable" or status in (401, 403):
        return Diagnosis(EndpointCheck.KEY, Reason("fix_key" if target.has_key else "fix_no_key"))
    called = {"path": target.path, "what": target.url}
    if status is not None and status < 500 and call.is_html:
        return Diagnosis(EndpointCheck.ADDRESS, Reason("fix_page", called))
    if _denies_model(failure, status, target):
        return Diagnosis(EndpointCheck.MODEL, Reason("fix_model", {"what": target.remote_name}))
    if status in (404, 405, 410):
        return Diagnosis(EndpointCheck.ADDRESS, Reason("fix_path", called))
    if status == 429:
        return Diagnosis(EndpointCheck.LIMITS, Reason("fix_rate"))
    if call.refuses_request or code == "bad_request":
        return Diagnosis(EndpointCheck.LIMITS, Reason("fix_request"))
    return Diagnosis(EndpointCheck.ANSWER, _answer_fix(code, status, target))


def _denies_model(failure: str, status: int | None, target: ProbeTarget) -> bool:
    cause = failure.cause if isinstance(failure, Reason) else None
    message = cause if isinstance(cause, str) else ""
    if status is None or not 400 <= status < 500 or status in (408, 425, 429):
        return False
    if target.remote_name and target.remote_name.lower() in message.lower() and status == 404:
        return True
    return bool(_OF_MODEL.search(message)) and not _OF_FIELD.search(message)


def _answer_fix(code: str, status: int | None, target: ProbeTarget) -> Reason:
    if status is not None and status >= 500:
        return Reason("fix_server")
    if code in ("no_reply", "silent", "silent_stream"):
        return Reason("fix_slow", {"n": round(target.limit_s)})
    if code == "broke_connection":
        return Reason("fix_whole")
    if code == "large_reply":
        return Reason("fix_large", {"n": 16})
    return Reason("fix_encoding" if code == "odd_encoding" else "fix_format")


def judge_calls(
    target: ProbeTarget,
    plain: ProbeCall,
    practice: ProbeCall | None = None,
    bare: ProbeCall | None = None,
    unlimited: ProbeCall | None = None,
) -> tuple[CheckResult, ...]:
    """Return all checks in their order.

    `plain` asks a plain question as the protocol has it. If that is refused, `bare` asks it without the protocol's
    fields, and `unlimited` without the limit of tokens alone. `practice` asks a practice problem, for a stream.
    """
    answered = next((call for call in (plain, bare) if call is not None and call.completion is not None), None)
    results = _passed_checks(target, answered) if answered else _failed_checks(target, bare or plain)
    if plain.completion is not None:
        results[EndpointCheck.LIMITS] = _limits(target, plain.completion)
    elif answered is not None:
        is_of_tokens = unlimited is not None and unlimited.completion is not None
        fix = (
            Reason("fix_tokens", {"n": target.max_tokens})
            if is_of_tokens
            else Reason("fix_fields", {"what": ", ".join(target.fields)})
        )
        results[EndpointCheck.LIMITS] = _failed(EndpointCheck.LIMITS, plain.failure, fix)
    if answered is not None:
        _add_qualities(results, target, answered, practice)
    return tuple(results.get(check, CheckResult(check, CheckStatus.SKIPPED)) for check in EndpointCheck)


Results = dict[EndpointCheck, CheckResult]


def _passed(check: EndpointCheck, evidence: Reason) -> CheckResult:
    return CheckResult(check, CheckStatus.PASSED, evidence)


def _failed(check: EndpointCheck, evidence: str | None, fix: Reason) -> CheckResult:
    return CheckResult(check, CheckStatus.FAILED, evidence, fix)


def _warned(check: EndpointCheck, evidence: str | None, fix: Reason) -> CheckResult:
    return CheckResult(check, CheckStatus.WARNED, evidence, fix)


def _reached_checks(target: ProbeTarget) -> Results:
    results = {EndpointCheck.ADDRESS: _passed(EndpointCheck.ADDRESS, Reason("probe_called", {"what": target.url}))}
    if target.is_https:
        results[EndpointCheck.TLS] = _passed(EndpointCheck.TLS, Reason("probe_tls"))
    return results


def _passed_checks(target: ProbeTarget, call: ProbeCall) -> Results:
    assert call.completion is not None
    key = Reason("probe_key" if target.has_key else "probe_keyless")
    answer = Reason("probe_answer", {"n": round(call.completion.latency_ms)})
    return _reached_checks(target) | {
        EndpointCheck.KEY: _passed(EndpointCheck.KEY, key),
        EndpointCheck.MODEL: _passed(EndpointCheck.MODEL, Reason("probe_model", {"what": target.remote_name})),
        EndpointCheck.ANSWER: _passed(EndpointCheck.ANSWER, answer),
    }


def _failed_checks(target: ProbeTarget, call: ProbeCall) -> Results:
    failed = diagnose(call, target)
    results = _reached_checks(target) if call.status is not None else {}
    if failed.check in (EndpointCheck.LIMITS, EndpointCheck.ANSWER) and call.status is not None and call.status < 400:
        results[EndpointCheck.KEY] = _passed(
            EndpointCheck.KEY, Reason("probe_key" if target.has_key else "probe_keyless")
        )
    results[failed.check] = _failed(failed.check, call.failure, failed.fix)
    return results


def _limits(target: ProbeTarget, answer: Completion) -> CheckResult:
    written = _written_tokens(answer)
    if answer.finish_reason is FinishReason.LENGTH and (written or 0) < target.max_tokens / 2:
        cut = Reason("probe_truncated", {"what": "?" if written is None else written, "n": target.max_tokens})
        return _failed(EndpointCheck.LIMITS, cut, Reason("fix_truncated"))
    return _passed(EndpointCheck.LIMITS, Reason("probe_limits", {"n": target.max_tokens}))


def _written_tokens(answer: Completion) -> int | None:
    if answer.usage.answer is None:
        return None
    return answer.usage.answer + (answer.usage.reasoning or 0)


def _add_qualities(results: Results, target: ProbeTarget, answered: ProbeCall, practice: ProbeCall | None) -> None:
    assert answered.completion is not None
    results[EndpointCheck.USAGE] = _usage(answered.completion)
    results[EndpointCheck.ECHO] = _echo(target, answered.completion)
    results[EndpointCheck.CLOCK] = _clock(answered)
    measured = practice.completion if practice is not None and practice.completion is not None else answered.completion
    if (speed := _speed(target, measured)) is not None:
        results[EndpointCheck.SPEED] = speed
    if practice is None:
        return
    if practice.completion is not None:
        results[EndpointCheck.PROGRAM] = (
            _passed(EndpointCheck.PROGRAM, Reason("probe_program"))
            if practice.program
            else _warned(EndpointCheck.PROGRAM, Reason("probe_prose"), Reason("fix_program"))
        )
    results[EndpointCheck.STREAMING] = _streaming(target, answered, practice)


def _streaming(target: ProbeTarget, answered: ProbeCall, practice: ProbeCall) -> CheckResult:
    check = EndpointCheck.STREAMING
    if answered.streamed and not target.streams:
        return _warned(check, Reason("probe_unasked_stream"), Reason("fix_unasked_stream"))
    if practice.streamed:
        return _passed(check, Reason("probe_stream"))
    if practice.completion is not None:
        return _warned(check, Reason("probe_no_stream"), Reason("fix_stream"))
    if target.streams:
        return _failed(check, practice.failure, Reason("fix_stream"))
    return _warned(check, practice.failure, Reason("fix_stream"))


def _usage(answer: Completion) -> CheckResult:
    usage = answer.usage
    if usage.input is None or usage.answer is None:
        return _warned(EndpointCheck.USAGE, Reason("probe_no_usage"), Reason("fix_usage"))
    counts = {"input": usage.input, "output": _written_tokens(answer) or 0}
    return _passed(EndpointCheck.USAGE, Reason("probe_usage", counts))


def _speed(target: ProbeTarget, answer: Completion) -> CheckResult | None:
    written = _written_tokens(answer)
    first_ms = answer.first_token_ms
    seconds = (answer.latency_ms - (first_ms or 0.0)) / 1000
    if not written or seconds <= 0:
        return None
    pace = written / seconds
    speed = f"{pace:.0f}" if pace >= _MIN_TOKENS_A_SECOND else f"{pace:.1f}"
    evidence = (
        Reason("probe_whole_speed", {"speed": speed})
        if first_ms is None
        else Reason("probe_speed", {"n": round(first_ms), "speed": speed})
    )
    if pace >= _MIN_TOKENS_A_SECOND:
        return _passed(EndpointCheck.SPEED, evidence)
    minutes = round(target.max_tokens / pace / 60)
    return _warned(EndpointCheck.SPEED, evidence, Reason("fix_speed", {"n": target.max_tokens, "minutes": minutes}))


def _clock(call: ProbeCall) -> CheckResult:
    if call.skew_s is None:
        return CheckResult(EndpointCheck.CLOCK, CheckStatus.SKIPPED, Reason("probe_no_clock"))
    evidence = Reason("probe_clock", {"n": round(abs(call.skew_s))})
    if abs(call.skew_s) > _MAX_SKEW_S:
        return _warned(EndpointCheck.CLOCK, evidence, Reason("fix_clock"))
    return _passed(EndpointCheck.CLOCK, evidence)


def _echo(target: ProbeTarget, answer: Completion) -> CheckResult:
    served, name = answer.served_model.strip(), target.remote_name
    if not served:
        return CheckResult(EndpointCheck.ECHO, CheckStatus.SKIPPED, Reason("probe_no_echo"))
    evidence = Reason("probe_echo", {"what": served[:200]})
    if served.lower() in name.lower() or name.lower() in served.lower():
        return _passed(EndpointCheck.ECHO, evidence)
    return _warned(EndpointCheck.ECHO, evidence, Reason("fix_echo", {"what": served[:200]}))
