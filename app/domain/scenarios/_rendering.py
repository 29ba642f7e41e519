"""Rendering of problems, programs and values in prompts of any scenario."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.domain.errors import InvalidInput
from app.domain.problems import Form, Limits, Statement, Test

# Languages of requested programs, by the judge's names.
LANGUAGES: Mapping[str, str] = {
    "python": "Python", "cpp": "C++", "c": "C", "java": "Java", "javascript": "JavaScript", "typescript": "TypeScript",
    "go": "Go", "rust": "Rust", "csharp": "C#", "kotlin": "Kotlin", "ruby": "Ruby", "php": "PHP", "scala": "Scala",
}  # fmt: skip
_PLACEHOLDER: Mapping[str, str] = {
    **dict.fromkeys(LANGUAGES, "// your code"),
    **dict.fromkeys(("python", "ruby"), "# your code"),
    "php": "<?php\n\n// your code",
}
_STARTER_FORMS = (Form.FUNCTION, Form.CLASS, Form.UNITTEST)


@dataclass(frozen=True, slots=True)
class QuestionPhrases:
    """Phrases around a problem in one locale."""

    question: str
    limits: str
    example: str
    input: str
    output: str


WORDS: Mapping[str, QuestionPhrases] = {
    "en": QuestionPhrases(
        question="### Question",
        limits="Limits per test: {seconds} seconds, {memory} MB of memory.",
        example="Example {number}",
        input="Input:",
        output="Output:",
    ),
    "zh": QuestionPhrases(
        question="### 题目",
        limits="每个测试的限制：时间 {seconds} 秒，内存 {memory} MB。",
        example="示例 {number}",
        input="输入：",
        output="输出：",
    ),
}


def question(statement: Statement, locale: str) -> list[str]:
    """Return the problem as contestants see it: title, text, examples and limits, each a paragraph."""
    words = WORDS[locale]
    return [
        words.question,
        f"# {statement.title}",
        statement.text.strip(),
        *examples(statement.examples, locale),
        _render_limits(statement.limits, words),
    ]


def starter_text(statement: Statement, language: str) -> str:
    """Return the content of the fence that an answer is to fill. Raises InvalidInput if starter code is missing."""
    if statement.form not in _STARTER_FORMS:
        return _PLACEHOLDER[language]
    starter = statement.starter_code.get(language)
    if not starter:
        raise InvalidInput(f"{statement.problem}: form {statement.form} has no starter code for {language}")
    return starter.rstrip()


def render_value(value: object, *, arguments: bool) -> str:
    """Return text unchanged, the arguments of a call as JSON, one a line, and any other value as JSON."""
    if isinstance(value, str):
        return value.strip("\n")
    if arguments and isinstance(value, list):
        return "\n".join(json.dumps(argument, ensure_ascii=False) for argument in value)
    return json.dumps(value, ensure_ascii=False)


def fence(body: str, tag: str = "") -> str:
    """Return a text in a fence that it cannot close."""
    ticks = "```"
    while ticks in body:
        ticks += "`"
    return f"{ticks}{tag}\n{body}\n{ticks}"


def examples(tests: Sequence[Test], locale: str) -> list[str]:
    """Return inputs and outputs, each pair a paragraph."""
    words = WORDS[locale]
    return [
        "\n".join(
            (words.example.format(number=number), words.input, fence(render_value(test.input, arguments=True)),
             words.output, fence(render_value(test.expected, arguments=False)))
        )
        for number, test in enumerate(tests, start=1)
    ]  # fmt: skip


def _render_limits(limits: Limits, words: QuestionPhrases) -> str:
    return words.limits.format(seconds=f"{limits.time_ms / 1000:g}", memory=limits.memory_mb)
