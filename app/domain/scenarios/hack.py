"""hack: a problem and a wrong program become an input on which that program is wrong; any such legal input is right.

Its items are derived from problems that came with known-wrong programs and a validator of inputs. An answer is judged
by running the validator, the references and the program on it. The task is known from the hacks of Codeforces' rounds,
the words are this project's own.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from app.domain.asking.completions import Message, Prompt
from app.domain.asking.extraction import Extraction, extract_code
from app.domain.asking.protocols import HOUSE, Protocol, ProtocolScope
from app.domain.judging.hacks import HACK_FORMS
from app.domain.problems import Form, Statement
from app.domain.scenarios import GradedBy, Item, Need, Scenario, derived_items
from app.domain.scenarios._rendering import fence, question

_TAG = "input"


@dataclass(frozen=True, slots=True)
class _HackPhrases:
    """Phrases of the prompt in one locale, except those of the question."""

    system: str
    program: str
    task: str
    forms: Mapping[Form, str]
    form: str
    answer: str


_WORDS: Mapping[str, _HackPhrases] = {
    "en": _HackPhrases(
        system=(
            "You are an expert at testing programs. You are given a programming problem and a Python program for it "
            "that is wrong. You find an input that shows it."
        ),
        program="### Wrong program",
        task=(
            "This program passes the examples above, and it is wrong. Write one input that meets every constraint of "
            "the problem and on which the program gives a wrong answer, fails, or breaks a limit. A short one will do."
        ),
        forms={
            Form.STDIN: "Write the input as the program reads it.",
            Form.FUNCTION: "Write the arguments as in the examples: one JSON value a line, in order.",
            Form.CLASS: (
                "Write the calls as in the examples: a JSON list of names on one line, a JSON list of their arguments "
                "on the next."
            ),
        },
        form="Write the input itself, and no program that makes it, once and in one fence, as here.",
        answer="### Answer (use the format above, with its fence)",
    ),
    "zh": _HackPhrases(
        system=(
            "你是一位擅长测试程序的专家。你会得到一道编程题和一个为它写的错误的 Python 程序。"
            "请找出一个能暴露其错误的输入。"
        ),
        program="### 错误的程序",
        task=(
            "这个程序能通过上面的示例，但它是错的。请写出一个满足题目全部约束的输入，"
            "使该程序给出错误的答案、运行失败或超出限制。输入可以很短。"
        ),
        forms={
            Form.STDIN: "请按程序读取的样子写出输入。",
            Form.FUNCTION: "请像示例那样写出各个参数：按顺序每行一个 JSON 值。",
            Form.CLASS: "请像示例那样写出调用：一行是名称的 JSON 列表，下一行是对应参数的 JSON 列表。",
        },
        form="请像下面这样在一个代码块中写出输入本身（不要写生成输入的程序），且只写一次。",
        answer="### 答案（使用上面的格式和代码块）",
    ),
}


def _prompt(statement: Statement, protocol: Protocol, item: Item) -> Prompt:
    """Return two messages: the system line, and the question with the program."""
    words = _WORDS[protocol.locale]
    parts = (
        *question(statement, protocol.locale),
        words.program,
        fence(item.facts["code"].rstrip(), protocol.language),
        words.task,
        words.forms[statement.form],
        words.form,
        fence("...", _TAG),
        words.answer,
    )
    return Prompt((Message("system", words.system), Message("user", "\n\n".join(parts))))


def _extract(text: str, protocol: Protocol) -> Extraction:  # noqa: ARG001  # the same in every language of words
    return extract_code(text, _TAG)


SCENARIO = Scenario(
    name="hack",
    styles=("one-input",),
    languages=("python",),
    locales=tuple(_WORDS),
    graded_by=GradedBy.BREAKING,
    needs=frozenset({Need.DERIVED}),
    items=derived_items,
    prompt=_prompt,
    extract=_extract,
    titles={"en": "Hacking", "zh": "找反例"},
    protocols=(
        Protocol(
            "house-hack",
            "House league: an input that breaks a wrong program",
            "hack",
            "one-input",
            sampling=HOUSE.sampling,
            covers=ProtocolScope(HOUSE.covers.kinds, HOUSE.covers.sources, HACK_FORMS),
        ),
    ),
)
