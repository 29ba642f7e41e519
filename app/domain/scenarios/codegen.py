"""codegen: a statement becomes a program, checked by the problem's tests.

Style lcb-zero-shot has the shape known from LiveCodeBench: a system line, the question, a note on the format with
starter code or an empty fence, and a cue for the answer. The words are this project's own; changing any of them is a
new prompt revision of the protocols that use them. Style lcb-one-shot-base is for base models, which continue a text: a
solved problem of the same form, then the question, up to the open fence. The other styles have files of their own.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from app.domain.asking.completions import Message, Prompt
from app.domain.asking.extraction import Extraction, extract_chosen, extract_code, extract_marked
from app.domain.asking.protocols import FRESH, Protocol
from app.domain.errors import InvalidInput
from app.domain.problems import Form, Statement
from app.domain.scenarios import GradedBy, Item, Scenario
from app.domain.scenarios._rendering import LANGUAGES, fence, question, starter_text
from app.domain.scenarios._styles import code3, codeelo, one_shot, tools
from app.domain.states import ProblemState

_BASE = "lcb-one-shot-base"
_STYLE_PROMPTS: Mapping[str, Callable[[Statement, Protocol], Prompt]] = {
    code3.STYLE: code3.prompt,
    codeelo.STYLE: codeelo.prompt,
    codeelo.OPEN: codeelo.prompt,
}


@dataclass(frozen=True, slots=True)
class _CodegenPhrases:
    """Phrases of the prompt in one locale."""

    system: str
    format: str
    notes: Mapping[Form, str]
    starter_note: str
    answer: str


_WORDS: Mapping[str, _CodegenPhrases] = {
    "en": _CodegenPhrases(
        system=(
            "You are an expert {language} programmer. You are given a programming problem and write one correct, "
            "complete {language} program that satisfies its specification and passes every test."
        ),
        format="### Format",
        notes={
            Form.STDIN: (
                "Read the input from standard input and write the answer to standard output, nothing else. "
                "Do not test the program on the examples yourself. Enclose the whole program in one fence, as here."
            ),
            Form.INTERACTIVE: (
                "Talk to the judge through standard input and standard output, and flush after every line you write. "
                "Enclose the whole program in one fence, as here."
            ),
        },
        starter_note=(
            "Complete the starter code below without changing its names or parameters. "
            "Enclose the whole program in one fence, as here."
        ),
        answer="### Answer (use the format above, with its fence)",
    ),
    "zh": _CodegenPhrases(
        system="你是一位{language}编程专家。你会得到一道编程题，请写出一个正确、完整的{language}程序，满足题目要求并通过所有测试。",
        format="### 格式",
        notes={
            Form.STDIN: (
                "从标准输入读取数据，把答案写到标准输出，不要输出其他内容，也不要自行用示例测试程序。"
                "请像下面这样把整个程序放在一个代码块中。"
            ),
            Form.INTERACTIVE: (
                "通过标准输入和标准输出与评测程序交互，每写一行都要刷新输出。请像下面这样把整个程序放在一个代码块中。"
            ),
        },
        starter_note="请补全下面的起始代码，不要改动其中的名称和参数。请像下面这样把整个程序放在一个代码块中。",
        answer="### 答案（使用上面的格式和代码块）",
    ),
}


def _prompt(statement: Statement, protocol: Protocol, item: Item) -> Prompt:
    """Return two messages: the system line and the question. Raises InvalidInput if nothing can be asked."""
    if item.number != 0:
        raise InvalidInput(f"codegen asks one item per problem; there is no item {item.number}")
    if protocol.style in _STYLE_PROMPTS:
        return _STYLE_PROMPTS[protocol.style](statement, protocol)
    words = _WORDS[protocol.locale]
    parts = _question(statement, protocol, words)
    if protocol.style == _BASE:
        example = one_shot.solved_example(statement.form, protocol.language, protocol.locale)
        before = (*_question(example.statement, protocol, words), fence(example.program, protocol.language))
        return Prompt((Message("user", "\n\n".join((*before, *parts, f"```{protocol.language}\n"))),))
    system = words.system.format(language=LANGUAGES[protocol.language])
    return Prompt((Message("system", system), Message("user", "\n\n".join(parts))))


def _question(statement: Statement, protocol: Protocol, words: _CodegenPhrases) -> tuple[str, ...]:
    return (
        *question(statement, protocol.locale),
        words.format,
        words.notes.get(statement.form, words.starter_note),
        *tools.tool_notes(protocol.style, protocol.locale),
        fence(starter_text(statement, protocol.language), protocol.language),
        words.answer,
    )


def _extract(text: str, protocol: Protocol) -> Extraction:
    if protocol.style == _BASE:
        return one_shot.extract_continuation(text)
    if protocol.style == codeelo.OPEN:
        return extract_chosen(text, codeelo.CHOICES)
    return (extract_marked if protocol.style == code3.STYLE else extract_code)(text, protocol.language)


SCENARIO = Scenario(
    name="codegen",
    styles=("lcb-zero-shot", _BASE, tools.STYLE, *_STYLE_PROMPTS),
    languages=tuple(LANGUAGES),
    open_styles=(codeelo.OPEN,),
    fewer={_BASE: one_shot.WRITTEN_FOR, code3.STYLE: code3.WRITTEN_FOR},
    locales=tuple(_WORDS),
    graded_by=GradedBy.TESTS,
    prompt=_prompt,
    extract=_extract,
    # Ranked models are asked before the tests are made: their answers wait for the tests.
    states=frozenset({ProblemState.CHECKED, ProblemState.PUBLISHED}),
    titles={"en": "Code generation", "zh": "代码生成"},
    protocols=(
        Protocol(
            slug="fresh-base",
            title="Fresh contest problems: Python, base models, one answer",
            style=_BASE,
            sampling=replace(FRESH.sampling, max_tokens=4096, stop=("```", "\n###")),
            covers=FRESH.covers,
        ),
        # Every language covers the same problems, those without starter code, so that languages can be compared.
        *(
            Protocol(
                slug=f"fresh-in-{language}",
                title=f"Fresh contest problems with standard input: {name}, one answer",
                language=language,
                sampling=FRESH.sampling,
                covers=replace(FRESH.covers, forms=(Form.STDIN, Form.INTERACTIVE)),
            )
            for language, name in LANGUAGES.items()
        ),
        *(
            Protocol(
                slug=f"{name}-{way}", title=f"{title}: Python, {words}", style=style,
                sampling=replace(plain.sampling, n=n), covers=covers,
            )
            for name, title, plain, covers in tools.TOOL_SETS
            for way, words, style, n in (
                ("tools-0", "before any run on the examples", tools.STYLE, 1),
                # As many answers as one answer with all its runs, for comparison.
                ("samples", f"{tools.RUNS + 1} answers", "lcb-zero-shot", tools.RUNS + 1),
            )
        ),
    ),
)  # fmt: skip
