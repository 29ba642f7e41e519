"""Styles codeelo-cot and codeelo-open of codegen: one message that lets the model reason before its program.

codeelo-open names no language. The order of the parts is that of CodeElo's prompt (arXiv 2501.01257, section 4.1); the
words are this project's own.
"""

from collections.abc import Mapping
from typing import Final

from app.domain.asking.completions import Message, Prompt
from app.domain.asking.protocols import Protocol
from app.domain.errors import InvalidInput
from app.domain.problems import Form, Statement
from app.domain.scenarios._rendering import LANGUAGES, fence, question, starter_text

STYLE: Final = "codeelo-cot"
OPEN: Final = "codeelo-open"
CHOICES: Final = ("python", "cpp")  # languages of answers if the language is left open

_TASK: Final = {
    "en": (
        "You are good at competitive programming. Solve the problem below with a program in {language}. "
        "You may think it through first, step by step. "
        "End with the whole program in one fence, as here; only that is judged."
    ),
    "zh": (
        "你擅长算法竞赛。请用{language}编写程序解决下面的题目。"
        "可以先逐步思考，最后像下面这样把整个程序放在一个代码块中；只评测这个程序。"
    ),
}
_OPEN_TASK: Final = {
    "en": (
        "You are good at competitive programming. Solve the problem below with a program. "
        "You may think it through first, step by step. "
        "End with the whole program in one fence that names its language, as ```language; only that is judged."
    ),
    "zh": (
        "你擅长算法竞赛。请编写程序解决下面的题目。"
        "可以先逐步思考，最后把整个程序放在一个代码块中，并像 ```language 这样在开头标明所用的语言；只评测这个程序。"
    ),
}
_TALKS: Final[Mapping[str, str]] = {
    "en": "The program talks to the judge through standard input and output; flush after every line you write.",
    "zh": "程序通过标准输入和标准输出与评测程序交互，每写一行都要刷新输出。",
}


def prompt(statement: Statement, protocol: Protocol) -> Prompt:
    """Return one message. Raises InvalidInput for a function without starter code, or in an open language."""
    parts = (
        *(_open_parts(statement, protocol) if protocol.style == OPEN else _language_parts(statement, protocol)),
        *question(statement, protocol.locale),
    )
    return Prompt((Message("user", "\n\n".join(parts)),))


def _language_parts(statement: Statement, protocol: Protocol) -> tuple[str, ...]:
    return (
        _TASK[protocol.locale].format(language=LANGUAGES[protocol.language]),
        *_interaction_parts(statement, protocol),
        fence(starter_text(statement, protocol.language), protocol.language),
    )


def _open_parts(statement: Statement, protocol: Protocol) -> tuple[str, ...]:
    if statement.form not in (Form.STDIN, Form.INTERACTIVE):
        raise InvalidInput(
            f"{statement.problem}: a {statement.form} is asked for in one language; {OPEN} leaves it open"
        )
    return _OPEN_TASK[protocol.locale], *_interaction_parts(statement, protocol)


def _interaction_parts(statement: Statement, protocol: Protocol) -> tuple[str, ...]:
    return (_TALKS[protocol.locale],) if statement.form is Form.INTERACTIVE else ()
