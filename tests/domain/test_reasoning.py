"""Reasoning inside a final text: never an answer, while a program may hold the same words."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.asking.extraction import Extraction, extract_code

TRIED = "```python\nwrong\n```\n"
RIGHT = Extraction("a = 1\n", followed_format=True)
NAMES = ["think", "thinking", "thought", "reasoning", "analysis", "Think", "THINK", "Reasoning", "ANALYSIS",
         "reflection", "scratchpad", "seed:think", "ns:Thinking"]  # fmt: skip
ANSWER = "```python\na = 1\n```"


def whole(text: str, language: str = "python") -> str | None:
    return extract_code(text, language).code


RESTS = ["", " ", ' type="deep" budget=3', '\tlang="```"']
PLACES = [
    "{o}\n{tried}{c}\n{answer}",
    "{o}{tried}{c}{answer}",
    "Well, {o} so: {tried}that is it {c} Here: {answer}",
    "I see.{o}I try ```python wrong``` or:\n{tried}and so on.{c}\n\n{answer}\nDone.",
    "{answer}\nIs it right? {o} I doubt it.\n{tried}",
    "{answer}\n\n- so far. {o}\n{tried}{c}",
    "{o}\n```python\nwrong\n{c}\n{answer}",
    "{o}\n{o}\n{tried}{c}\n{answer}",
    "{o} I shall print '{c}' here:\n{tried}{c}\n{answer}",
    "{tried}and more. {c} So: {answer}",
    "```python\nwrong{c}\n{answer}",
    "{o}\n{tried}{c}{o}\n{tried}{c}\n{answer}\n{o}{tried}{c}",
]


def test_reasoning_in_any_tag_and_place() -> None:
    for text, name, rest in product(PLACES, NAMES, RESTS):
        filled = text.format(o=f"<{name}{rest}>", c=f"</{name}>", tried=TRIED, answer=ANSWER)
        assert extract_code(filled, "python") == RIGHT, filled


def test_reasoning_of_model_families() -> None:
    for text in [
        "<|channel|>analysis<|message|>{tried}<|end|><|start|>assistant<|channel|>final<|message|>{answer}",
        "<|start|>assistant<|channel|>analysis<|message|>So {tried}<|end|>\n{answer}<|return|>",
        "<|channel|>analysis<|message|>{tried}<|end|><|start|>assistant<|channel|>commentary to=functions.run "
        "<|constrain|>json<|message|>{tried}<|call|><|start|>assistant<|channel|>final<|message|>\n{answer}\n<|return|>",
        "<|channel|>analysis\n{tried}<|channel|>final {answer}",
        "analysisWe need to add. {tried}assistantfinal{answer}",
        "{tried}<|channel|>final<|message|>{answer}",
        "So we get. \u25c1think\u25b7{tried}\u25c1/think\u25b7 {answer}",
        "<|START_THINKING|>{tried}<|END_THINKING|><|START_RESPONSE|>{answer}<|END_RESPONSE|>",
        "<|channel>thought\n{tried}<channel|>{answer}",
        "<|begin_of_thought|>{tried}<|end_of_thought|><|begin_of_solution|>{answer}<|end_of_solution|>",
        "<think>\n{tried}</think>\n<answer>\n{answer}</answer>",
        "[THINK]Well {tried}[/THINK]{answer}</s>",
        "{answer}\n<|channel|>analysis<|message|>{tried}",
    ]:
        assert extract_code(text.format(tried=TRIED, answer=ANSWER), "python") == RIGHT, text


def test_an_answer_that_was_never_given_is_none() -> None:
    for text in [
        f"Let me see. <think>\n{TRIED}",
        f"Let me see. <Analysis effort='high'> now {TRIED} and so",
        f"<think>\nShould I use <analysis>?\n</analysis>\n{TRIED}",
        f'<think>\nI print "</think>" so:\n{TRIED}',
        f"<reasoning>\nI print `</reasoning>` so:\n{TRIED}",
        f"{TRIED}and that is it</thinking> I give up.",
        f"<|channel|>analysis<|message|>{TRIED}",
        f"<|channel|>analysis{TRIED}<|end|><|start|>assistant",
        f"analysisWe try {TRIED}",
        "<think>print(1)",
        "Hm. <think>```print(1)```",
        "<think> ```print(1)``` </think> No.",
        f"> <think>\n> {TRIED}",
        f"```\n<think>\n{TRIED}",
    ]:
        assert extract_code(text, "python") == Extraction(None, followed_format=False), text


def test_a_fenced_program_that_holds_the_tags_stays_whole() -> None:
    names = ["think", "Thinking", "REASONING", "analysis"]
    programs = [
        "print('<{n}>')\n",
        "print('''\n<{n}>\n''')\n",
        "print('''\n</{n}>\n''')\n",
        "print('''\n<{n}>\nwell\n</{n}>\n''')\n",
        "print('<{n}> x </{n}>')  # <{n}>\n",
        "# <{n}>\na = 1  # </{n}>\n",
        "s = s.replace('</{n}>', '')\nprint(s)  # </{n}>\n",
        "<{n}>\n",
    ]
    places = [
        "```python\n{code}```",
        "It prints `<think>`.\n```python\n{code}```\nThat prints '</think>'.\n",
        "<think>\nhm\n```\nwrong\n</think>\n```python\n{code}```\nOutput:\n```\n<think>\n```\n",
        "```text\n<think>\n```\n~~~~python\n{code}~~~~\n",
    ]
    for around, program, name in product(places, programs, names):
        filled = program.format(n=name)
        answer = around.replace("{code}", filled)
        assert whole(answer) == filled, answer


@pytest.mark.parametrize("program", ["print('''\n<think>\n''')\n", "# <think>\nprint(1)  # </think>\n"])
def test_a_bare_program_that_holds_the_tags_stays_whole(program: str) -> None:
    assert whole(program) == program


def test_a_program_of_cpp_that_holds_the_tags_stays_whole() -> None:
    program = (
        '#include <iostream>\nint main() {\n  vector<thought> v;\n  puts(R"(\n<think>\n)");\n  puts("</think>");\n}\n'
    )
    assert whole(f"<think>x</think>So:\n```cpp\n{program}```\n", "cpp") == program


WORDS = [
    "```python\n", "```\n", "\n", "wrong\n", "~~~\n", "> ", "- ", "````md\n", "<think>", "<analysis>", "</analysis>",
    "<reasoning>\n", "'</think>'", '"</thinking>"', " `</think>` ", "<think/>", "```print(1)```", "\u25c1think\u25b7",
    "<|channel|>analysis", "<|end|>", "[THINK]", "</thin", " ",
]  # fmt: skip


@given(st.sampled_from(["think", "Thinking a=1", "THOUGHT"]), st.lists(st.sampled_from(WORDS), max_size=30))
def test_reasoning_that_is_never_closed_has_no_answer(name: str, words: list[str]) -> None:
    assert whole(f"<{name}>{''.join(words)}") is None


OTHERS = {"<analysis>", "<reasoning>\n", "<|channel|>analysis"}  # tags that are not closed by the end of thinking
CLOSED = [word for word in WORDS if word not in OTHERS]


@given(st.lists(st.sampled_from([*CLOSED, "</think>\n", "</REASONING>", "<|channel|>final"]), max_size=30))
def test_the_last_answer_after_all_reasoning_is_taken(words: list[str]) -> None:
    """Whatever was said before in whatever shape, if only it is closed."""
    assert extract_code(f"<think>{''.join(words)}\n</think>\n{ANSWER}", "python") == RIGHT
