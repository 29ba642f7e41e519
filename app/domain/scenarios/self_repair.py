"""self_repair: a model's own wrong program and its failure become a corrected program, checked by the problem's tests.

Its parent is codegen, or itself in a further round: an answer that passed there is carried over, so that the score is
pass@1 after so many rounds of repair, which is Refine@K after K - 1 rounds (ICPC-Eval, arXiv 2506.04894). The feedback
covers the first public test that failed, and nothing of hidden ones. In style tools an answer continues only while an
example fails.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from app.domain.asking.completions import Message, Prompt
from app.domain.asking.extraction import Extraction, extract_code
from app.domain.asking.feedback import Feedback
from app.domain.asking.protocols import FRESH, HOUSE, Protocol
from app.domain.errors import InvalidInput
from app.domain.judging.verdicts import Verdict
from app.domain.problems import Statement
from app.domain.scenarios import GradedBy, Item, Scenario
from app.domain.scenarios._rendering import LANGUAGES, fence, question, starter_text
from app.domain.scenarios._styles import tools

_MAX_ROUNDS: Final = 4  # Refine@5, which ICPC-Eval reports
_RUN_TITLES: Final = ("at most one run", *(f"at most {runs} runs" for runs in range(2, tools.RUNS + 1)))
_ROUND_TITLES: Final = ("one repair", *(f"at most {rounds} repairs" for rounds in range(2, _MAX_ROUNDS + 1)))
_REPEATED_VERDICT = "wrong answer"  # a message that only repeats the verdict


@dataclass(frozen=True, slots=True)
class _RepairPhrases:
    """Phrases of the prompt in one locale, except those of the question."""

    system: str
    program: str
    none: str
    failure: str
    kinds: Mapping[Verdict, str]
    other: str
    on_public: str
    on_hidden: str
    input: str
    expected: str
    got: str
    error: str
    cut: str
    format: str
    note: str
    answer: str


_WORDS: Mapping[str, _RepairPhrases] = {
    "en": _RepairPhrases(
        system=(
            "You are an expert {language} programmer who mends programs. You are given a programming problem, a "
            "{language} program that was written for it, and how that program failed. You find the fault and write one "
            "correct, complete {language} program that satisfies the specification and passes every test."
        ),
        program="### Program",
        none="The answer held no program.",
        failure="### How it failed",
        kinds={
            Verdict.COMPILE_ERROR: "The program does not compile.",
            Verdict.WRONG_ANSWER: "The program gives a wrong answer{where}.",
            Verdict.TIME_LIMIT: "The program takes longer than the time limit{where}.",
            Verdict.MEMORY_LIMIT: "The program needs more memory than the limit{where}.",
            Verdict.OUTPUT_LIMIT: "The program prints far more than any right answer{where}.",
            Verdict.RUNTIME_ERROR: "The program ends with a runtime error{where}.",
            Verdict.NO_ANSWER: "There was nothing to run.",
        },
        other="The program does not pass the tests.",
        on_public=" on this test",
        on_hidden=" on a test that is not shown",
        input="Input:",
        expected="Expected:",
        got="Output:",
        error="Message:",
        cut="Long texts are shortened where they have [...].",
        format="### Format",
        note=(
            "First say in at most three sentences what is wrong. Then write the whole mended program, not only what "
            "changes, once and in one fence, as here."
        ),
        answer="### Answer (use the format above, with its fence)",
    ),
    "zh": _RepairPhrases(
        system=(
            "你是一位擅长修复程序的{language}编程专家。你会得到一道编程题、一个为它写的{language}程序，以及该程序失败的情况。"
            "请找出错误，写出一个正确、完整的{language}程序，满足题目要求并通过所有测试。"
        ),
        program="### 程序",
        none="回答中没有程序。",
        failure="### 失败情况",
        kinds={
            Verdict.COMPILE_ERROR: "程序无法编译。",
            Verdict.WRONG_ANSWER: "程序{where}给出了错误的答案。",
            Verdict.TIME_LIMIT: "程序{where}超出了时间限制。",
            Verdict.MEMORY_LIMIT: "程序{where}超出了内存限制。",
            Verdict.OUTPUT_LIMIT: "程序{where}的输出远远多于任何正确答案。",
            Verdict.RUNTIME_ERROR: "程序{where}发生了运行时错误。",
            Verdict.NO_ANSWER: "没有可以运行的程序。",
        },
        other="程序没有通过测试。",
        on_public="在下面的测试上",
        on_hidden="在一个未公开的测试上",
        input="输入：",
        expected="期望输出：",
        got="实际输出：",
        error="信息：",
        cut="较长的内容已缩短，省略处标为 [...]。",
        format="### 格式",
        note="请先用不超过三句话说明错在哪里，然后像下面这样在一个代码块中写出修复后的完整程序（不要只写改动的部分），且只写一次。",
        answer="### 答案（使用上面的格式和代码块）",
    ),
}


def _prompt(statement: Statement, protocol: Protocol, item: Item) -> Prompt:
    """Return two messages: the system line, and the question with the program and its failure."""
    if item.number != 0 or item.parent is None:
        raise InvalidInput("self_repair asks one item per problem, of an answer that failed")
    words, tag = _WORDS[protocol.locale], protocol.language
    answer = item.parent.answer
    parts = (
        *question(statement, protocol.locale),
        words.program,
        fence(answer.rstrip(), tag) if answer and answer.strip() else words.none,
        words.failure,
        *_render_failure(item.parent.feedback, words),
        words.format,
        words.note,
        *tools.tool_notes(protocol.style, protocol.locale),
        fence(starter_text(statement, tag), tag),
        words.answer,
    )
    system = words.system.format(language=LANGUAGES[tag])
    return Prompt((Message("system", system), Message("user", "\n\n".join(parts))))


def _render_failure(feedback: Feedback, words: _RepairPhrases) -> list[str]:
    """Return the description of the failure: its kind, its public test, the output, and the end of the message."""
    where = words.on_hidden if feedback.test is None else words.on_public
    lines = [words.kinds.get(feedback.verdict, words.other).format(where=where)]
    wrong = feedback.verdict is Verdict.WRONG_ANSWER
    shown = (
        (words.input, feedback.input, feedback.test is not None),
        (words.got, feedback.got, wrong and bool(feedback.got)),
        (words.expected, feedback.expected, wrong and feedback.test is not None),
        (words.error, feedback.error, feedback.error not in ("", _REPEATED_VERDICT)),
    )
    lines += [f"{name}\n{fence(text.strip(chr(10)))}" for name, text, known in shown if known]
    if any("[...]" in text for _name, text, known in shown if known):
        lines.append(words.cut)
    return lines


def _extract(text: str, protocol: Protocol) -> Extraction:
    return extract_code(text, protocol.language)


def _repair(plain: Protocol, name: str, title: str, rounds: int) -> Protocol:
    """Return a protocol of one answer under a plain protocol and rounds of repair: its score is Refine@(rounds + 1)."""
    suffix = "" if rounds == 1 else f"-{rounds}"
    before = {1: plain.slug, 2: f"{name}-repair"}.get(rounds, f"{name}-repair-{rounds - 1}")
    return Protocol(
        slug=f"{name}-repair{suffix}",
        title=f"{title}: Python, one answer and {_ROUND_TITLES[rounds - 1]}",
        scenario="self_repair",
        style="lcb-repair",
        sampling=plain.sampling,
        covers=plain.covers,
        prerequisite=before,
    )


SCENARIO = Scenario(
    name="self_repair",
    styles=("lcb-repair", tools.STYLE),
    languages=tuple(LANGUAGES),
    locales=tuple(_WORDS),
    graded_by=GradedBy.TESTS,
    parent="codegen",
    prompt=_prompt,
    extract=_extract,
    titles={"en": "Self-repair", "zh": "自我修复"},
    by_examples=(tools.STYLE,),
    protocols=(
        _repair(HOUSE, "house", "House league", 1),
        _repair(FRESH, "fresh", "Fresh contest problems", 1),
        _repair(HOUSE, "house", "House league", 2),
        *(_repair(FRESH, "fresh", "Fresh contest problems", rounds) for rounds in range(2, _MAX_ROUNDS + 1)),
        *(
            Protocol(
                slug=f"{name}-tools-{runs}", title=f"{title}: Python, {_RUN_TITLES[runs - 1]} on the examples",
                scenario="self_repair", style=tools.STYLE, sampling=plain.sampling, covers=covers,
                prerequisite=f"{name}-tools-{runs - 1}",
            )
            for name, title, plain, covers in tools.TOOL_SETS
            for runs in range(1, tools.RUNS + 1)
        ),
    ),
)  # fmt: skip
