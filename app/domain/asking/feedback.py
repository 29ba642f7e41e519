"""Feedback on a failed program, for the model that is to repair it. Pure.

It reveals nothing of hidden tests: no input, no expected output, no number, and no output of the program on one, which
may repeat its input. Only the verdict and the name of a builtin error remain.
"""

import builtins
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app.domain.judging.verdicts import GradeResult, Verdict
from app.domain.problems import Test

_MAX_VALUE_CHARS, _MAX_ERROR_CHARS, _MAX_ERROR_LINES = 600, 800, 8
_ELLIPSIS = " [...] "
_PREFIX = re.compile(r"\Atest [0-9]+: ")
_JUDGE_FRAME = re.compile(r'^ *File "(?:/judge/[^"]*|[^"]*(?:guest|driver|zygote)\.py|<frozen [^"]*)".*$')
_FOLDERS = re.compile(r"(?:/[\w.+-]+)+/(?=main\.|preamble\.py|[\w+-]+\.py\b)")
_ERROR_NAME = re.compile(r"^(?:\w+\.)*(\w+)(?::|$)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Feedback:
    """The failure of a program, as far as the model may know it.

    `test` counts from 1 and is a public test; its `input`, `expected` and, if known, `got` follow. If no public test
    failed, it is None and they are empty. `error` is the end of the failure's message.
    """

    verdict: Verdict
    test: int | None = None
    input: str = ""
    expected: str = ""
    got: str = ""
    error: str = ""


def feedback(result: GradeResult, tests: Sequence[Test]) -> Feedback:
    """Return the feedback on `result`, which was judged by `tests`.

    A compiler's message is included whole, since the judge takes it from a run without any test input.
    """
    if result.verdict is Verdict.COMPILE_ERROR:
        return Feedback(result.verdict, error=_trim_message(result.message))
    failed = [number for number, outcome in enumerate(result.tests) if outcome.verdict is not Verdict.ACCEPTED]
    matched = result.total == len(tests)  # else tests were split for judging and have other numbers
    public = [number for number in failed if matched and tests[number].visible]
    if not public:
        return Feedback(result.verdict, error=_error_name(result))
    number = public[0]
    test, decided = tests[number], number == failed[0]
    return Feedback(
        verdict=result.tests[number].verdict,
        test=number + 1,
        input=_excerpt(test.input),
        expected=_excerpt(test.expected),
        got=_excerpt(result.got) if result.got is not None and decided else "",
        error=_trim_message(result.message) if decided else "",  # the message belongs to the first failing test
    )


def _excerpt(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return _cut_middle(text, _MAX_VALUE_CHARS)


def _cut_middle(text: str, room: int) -> str:
    if len(text) <= room:
        return text
    half = (room - len(_ELLIPSIS)) // 2
    return f"{text[:half]}{_ELLIPSIS}{text[-half:]}"


def _trim_message(message: str) -> str:
    """Return the last lines of a message, without frames and folders of the judge."""
    lines: list[str] = []
    ours = False
    for line in _PREFIX.sub("", message).splitlines():
        if ours and line.startswith("    "):
            continue  # the source line of such a frame
        ours = _JUDGE_FRAME.match(line) is not None
        if not ours:
            lines.append(line)
    return _FOLDERS.sub("", "\n".join(lines[-_MAX_ERROR_LINES:]))[-_MAX_ERROR_CHARS:].strip()


def _error_name(result: GradeResult) -> str:
    """Return the builtin error that ended the program on a hidden test: one of a fixed list, so it reveals no data."""
    if result.verdict is not Verdict.RUNTIME_ERROR:
        return ""
    names = [name for name in _ERROR_NAME.findall(result.message) if _is_error(name)]
    return names[-1] if names else ""


def _is_error(name: str) -> bool:
    kind = getattr(builtins, name, None)
    return isinstance(kind, type) and issubclass(kind, BaseException)
