"""What a model is told of its failed program before it repairs it. Pure.

Of hidden tests nothing is told: no input, no expected output, no number, and no word that the program itself wrote
while it ran on one, for that may repeat its input. The kind of the verdict and the name of a builtin error remain.
"""

import builtins
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app.domain.judging.verdicts import GradeResult, Verdict
from app.domain.problems import Test

_VALUE, _ERROR, _LINES = 600, 800, 8
_CUT = " [...] "
_PREFIX = re.compile(r"\Atest [0-9]+: ")
_OURS = re.compile(r'^ *File "(?:/judge/[^"]*|[^"]*(?:guest|driver|zygote)\.py|<frozen [^"]*)".*$')
_FOLDERS = re.compile(r"(?:/[\w.+-]+)+/(?=main\.|preamble\.py|[\w+-]+\.py\b)")
_ERROR_NAME = re.compile(r"^(?:\w+\.)*(\w+)(?::|$)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Feedback:
    """Why a program failed, as far as it may be told.

    `test` counts from 1 and is a public test, whose `input`, `expected` and, where known, `got` follow; it is None,
    and they are empty, when no public test failed. `error` is the end of what was said of the failure.
    """

    verdict: Verdict
    test: int | None = None
    input: str = ""
    expected: str = ""
    got: str = ""
    error: str = ""


def feedback(result: GradeResult, tests: Sequence[Test]) -> Feedback:
    """What may be told of `result`, judged by `tests`.

    A compiler's words are told whole: the judge takes them from a run without any test's input.
    """
    if result.verdict is Verdict.COMPILE_ERROR:
        return Feedback(result.verdict, error=_trimmed(result.message))
    failed = [number for number, outcome in enumerate(result.tests) if outcome.verdict is not Verdict.ACCEPTED]
    matched = result.total == len(tests)  # else the tests were taken apart to be judged, and are not known by number
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
        error=_trimmed(result.message) if decided else "",  # the message is of the first failing test
    )


def _excerpt(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return _middle_out(text, _VALUE)


def _middle_out(text: str, room: int) -> str:
    if len(text) <= room:
        return text
    half = (room - len(_CUT)) // 2
    return f"{text[:half]}{_CUT}{text[-half:]}"


def _trimmed(message: str) -> str:
    """The last lines, without frames and folders of the judge's."""
    lines: list[str] = []
    ours = False
    for line in _PREFIX.sub("", message).splitlines():
        if ours and line.startswith("    "):
            continue  # the source line of such a frame
        ours = _OURS.match(line) is not None
        if not ours:
            lines.append(line)
    return _FOLDERS.sub("", "\n".join(lines[-_LINES:]))[-_ERROR:].strip()


def _error_name(result: GradeResult) -> str:
    """The builtin error that ended the program on a hidden test: one of a fixed list, in which nothing can hide."""
    if result.verdict is not Verdict.RUNTIME_ERROR:
        return ""
    names = [name for name in _ERROR_NAME.findall(result.message) if _is_error(name)]
    return names[-1] if names else ""


def _is_error(name: str) -> bool:
    kind = getattr(builtins, name, None)
    return isinstance(kind, type) and issubclass(kind, BaseException)
