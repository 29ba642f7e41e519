"""bug_fix: a problem and a program with one mistake become a corrected program, checked by the problem's tests.

Its items are derived from published problems: right programs in which one line was changed, so that a test fails. The
shape is known from CoCo-Bench's code modification, the words are this project's own.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from app.domain.asking.completions import Message, Prompt
from app.domain.asking.extraction import Extraction, extract_code
from app.domain.asking.protocols import FRESH, HOUSE, Protocol, ProtocolScope
from app.domain.problems import Form, Statement
from app.domain.scenarios import GradedBy, Item, Need, Scenario, derived_items
from app.domain.scenarios._rendering import fence, question


@dataclass(frozen=True, slots=True)
class _BugFixPhrases:
    """Phrases of the prompt in one locale, except those of the question."""

    system: str
    program: str
    task: str
    answer: str


_WORDS: Mapping[str, _BugFixPhrases] = {
    "en": _BugFixPhrases(
        system=(
            "You are an expert Python programmer who mends programs. You are given a programming problem and a Python "
            "program for it in which one line is wrong. You find that line and mend it."
        ),
        program="### Program with a bug",
        task=(
            "Exactly one line of this program is wrong; the others are right. Write the whole mended program, not only "
            "the line that changes, once and in one fence."
        ),
        answer="### Answer",
    ),
    "zh": _BugFixPhrases(
        system=(
            "你是一位擅长修复程序的 Python 编程专家。你会得到一道编程题和一个为它写的 Python 程序，其中有一行是错的。"
            "请找出这一行并改正。"
        ),
        program="### 有错误的程序",
        task="这个程序恰好有一行是错的，其余各行都正确。请在一个代码块中写出改正后的完整程序（不要只写改动的那一行），且只写一次。",
        answer="### 答案",
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
        words.answer,
    )
    return Prompt((Message("system", words.system), Message("user", "\n\n".join(parts))))


def _extract(text: str, protocol: Protocol) -> Extraction:
    return extract_code(text, protocol.language)


def _protocol(slug: str, title: str, like: Protocol) -> Protocol:
    covers = ProtocolScope(like.covers.kinds, like.covers.sources, (Form.STDIN, Form.FUNCTION, Form.CLASS))
    return Protocol(slug, title, "bug_fix", "one-line", sampling=like.sampling, covers=covers)


SCENARIO = Scenario(
    name="bug_fix",
    styles=("one-line",),
    languages=("python",),
    locales=tuple(_WORDS),
    graded_by=GradedBy.TESTS,
    needs=frozenset({Need.DERIVED}),
    items=derived_items,
    prompt=_prompt,
    extract=_extract,
    titles={"en": "Bug fixing", "zh": "修复错误"},
    protocols=(
        _protocol("house-bug-fix", "House league: mend one wrong line", HOUSE),
        _protocol("fresh-bug-fix", "Fresh contest problems: mend one wrong line", FRESH),
    ),
)
