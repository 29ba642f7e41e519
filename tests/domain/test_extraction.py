"""The program in an answer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.thinned import thinned
from support.work import at_most, little_work, work

from app.domain.asking.extraction import Extraction, extract_code


def code(text: str, language: str = "python") -> str | None:
    return extract_code(text, language).code


def test_a_fenced_program_as_asked() -> None:
    assert extract_code("Think first.\n```python\nprint(1)\n```\nDone.", "python") == Extraction("print(1)\n", True)


def test_the_last_block_of_the_best_kind() -> None:
    for text, expected in [
        ("```python\na = 1\n```\n```python\na = 2\n```", "a = 2\n"),
        ("```python\na = 1\n```\nOutput:\n```\n42\n```", "a = 1\n"),
        ("```\na = 1\n```\n```\na = 2\n```", "a = 2\n"),
        ("```\na = 1\n```\n```json\n{}\n```", "a = 1\n"),
        ("```python\na = 1\n```\n```python\n\n```", "a = 1\n"),
        ("```py\na = 1\n```", "a = 1\n"),
        ("```Python3\na = 1\n```", "a = 1\n"),
        ("```{.python}\na = 1\n```", "a = 1\n"),
        ("```python title=x.py\na = 1\n```", "a = 1\n"),
        ("~~~python\na = 1\n~~~", "a = 1\n"),
        ("```python\r\na = 1\r\nb = 2\r\n```\r\n", "a = 1\nb = 2\n"),
        ("Answer: ```python\na = 1\n```", "a = 1\n"),
        ("The `main` of it: ```python\na = 1\n```\nDone.", "a = 1\n"),
        ("```c++14\na = 0\n```\n```python3.11\na = 1\n```\nIt prints:\n```\n1\n```", "a = 1\n"),
        ("```language-python\na = 1\n```\n```\n1\n```", "a = 1\n"),
        ("```python\ra = 1\r```\rDone.", "a = 1\n"),
        ("Fixed:\n\n\t```python\n\ta = 1\n\t```\n", "a = 1\n"),
        ("1. First:\n   ```python\n   if a:\n       b()\n   ```\n", "if a:\n    b()\n"),
    ]:  # fmt: skip
        assert extract_code(text, "python") == Extraction(expected, followed_format=True), (text, expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("```python\na = 1\nb = ", "a = 1\nb = "),
        ("```python\na = 1\n```\nBetter:\n```python\na = 2\n", "a = 2\n"),
        ("```python\na = 1\nOops, again:\n```python\na = 2\n```", "a = 2\n"),
        ("```python\na = 1\n```\n```python", "a = 1\n"),
        ("```python\na = 1\n```\n```", "a = 1\n"),
    ],
)
def test_a_fence_that_was_never_closed(text: str, expected: str) -> None:
    assert code(text) == expected


@pytest.mark.parametrize(
    "program",
    [
        's = "```"\nprint(s)\n',
        "print('''\n~~~\n''')\n",
        "x = 1  # ``` and more\n",
        "a = ~~~b\n",
    ],
)
def test_fence_characters_inside_a_program_are_part_of_it(program: str) -> None:
    assert code(f"```python\n{program}```\n") == program


def test_a_longer_fence_holds_shorter_ones() -> None:
    assert code("````python\nd = '''\n```\n'''\n````\n") == "d = '''\n```\n'''\n"


def test_a_longer_tagged_fence_inside_is_text() -> None:
    assert code("```python\n````markdown\nx\n```\n") == "````markdown\nx\n"


def test_a_block_of_another_language_is_code_but_not_the_format() -> None:
    assert extract_code("```text\nprint(1)\n```", "python") == Extraction("print(1)\n", followed_format=False)


@pytest.mark.parametrize(
    "text",
    [
        "````markdown\n# Solution\n```python\na = 1\n```\n````\nDone.",
        "```markdown\n```python\na = 1\n```\n```\nDone.",
        "````md\n```\na = 1\n```\n````\n",
        "`````\nSolution:\n```python\na = 1\n```\n`````\n",
        "~~~text\n```python\na = 1\n```\n~~~\n",
    ],
    ids=["markdown", "same length", "untagged inside", "untagged outside", "tildes outside"],
)
def test_an_answer_that_is_fenced_as_a_whole(text: str) -> None:
    assert extract_code(text, "python") == Extraction("a = 1\n", followed_format=True)


@pytest.mark.parametrize(
    "text",
    [
        "```python\na = 1```",
        "```python\na = 1```\nThis sets a.",
        "```python\na = 1```\nOr:\n```python\n\n```",
    ],
)
def test_a_fence_at_the_end_of_the_last_line_of_code(text: str) -> None:
    assert code(text) == "a = 1"


@pytest.mark.parametrize(
    "text",
    [f"{3 * sign}python\nprint(1)\n{3 * sign}" for sign in "\uff40\u00b4\u2018\u223c"],
    ids=["full-width grave", "acute", "quotation mark", "tilde operator"],
)
def test_what_only_looks_like_a_fence_is_none(text: str) -> None:
    assert code(text) is None
    assert code(f"{text}\n```python\nprint(2)\n```\n{text}") == "print(2)\n"


def test_other_line_separators_end_no_line() -> None:
    assert code("```python\na = '\u2028```\x85```\x0c```'\n```\n") == "a = '\u2028```\x85```\x0c```'\n"


def test_a_tag_that_only_looks_like_the_language_is_another() -> None:
    assert extract_code("```\u0440ython\na = 1\n```", "python") == Extraction("a = 1\n", followed_format=False)


MARKED = "\u3010\u4ee3\u7801\u5f00\u59cb\u3011\n{}\n\u3010\u4ee3\u7801\u7ed3\u675f\u3011"


@pytest.mark.parametrize(
    "text",
    [
        MARKED.format("a = 1"),
        MARKED.format("a = 1").replace("\u3010", "[").replace("\u3011", "]"),
        MARKED.format("a = 1").replace("\u3010", " \uff3b ").replace("\u3011", " \uff3d"),
        MARKED.format("a = 0") + "\n" + MARKED.format("a = 1") + "\n" + MARKED.format(""),
        MARKED.format("```json\na = 1\n```"),
        MARKED.format("a = 1").removesuffix("\n\u3010\u4ee3\u7801\u7ed3\u675f\u3011"),
        f"```bash\nls\n```\n{MARKED.format('a = 1')}\n```json\n1\n```",
    ],
    ids=["full width", "half width", "spaced", "last", "fence inside", "not closed", "others around"],
)
def test_markers_where_no_fence_has_the_tag(text: str) -> None:
    assert extract_code(f"So:\n{text}", "python") == Extraction("a = 1\n", followed_format=False)


@pytest.mark.parametrize(
    "text",
    [
        MARKED.format("```python\na = 1\n```"),
        "```python\n" + MARKED.format("a = 1") + "\n```",
        MARKED.format("```\na = 1\n```") + "\nIt prints:\n```\n1\n```",
        MARKED.format("a = 0") + "\n```python\na = 1\n```",
        MARKED.format("a = 0") + "\n```\na = 1\n```",
        "```\na = 1\n```\n" + MARKED.format("a = 0"),
        "```\n" + MARKED.format("a = 1") + "\n```",
    ],
    ids=["fence inside", "fence outside", "output below", "tagged fence", "fence", "fence above", "bare fence outside"],
)
def test_markers_and_fences(text: str) -> None:
    assert extract_code(text, "python") == Extraction("a = 1\n", followed_format=True)


def test_a_second_marker_alone_marks_nothing() -> None:
    assert code(f"a\n{MARKED[-6:]}\n```\na = 1\n```") == "a = 1\n"


TRIED = "```python\nwrong\n```\n"


def test_nothing_is_taken_from_reasoning() -> None:
    for text in [
        f"<think>\n{TRIED}</think>\n```\na = 1\n```",
        f"{TRIED}</think>\n```\na = 1\n```",
        "```python\nwrong\n</think>\n```\na = 1\n```",
        f"Well. <think>\n{TRIED}</think>\n```\na = 1\n```",
        f"```\na = 1\n```\n<think>Is it right?\n{TRIED}",
        f"```\na = 1\n```\nLet me check. <think>\n{TRIED}",
        f"<think>a</think>\n```\na = 1\n```\n<think>\n{TRIED}</think> Good.",
        f"[THINK]{TRIED}[/THINK]```\na = 1\n```",
        f"\u25c1think\u25b7{TRIED}\u25c1/think\u25b7```\na = 1\n```",
        f"<|begin_of_thought|>{TRIED}<|end_of_thought|>\n```\na = 1\n```",
        f"<|channel|>analysis<|message|>{TRIED}<|end|><|start|>assistant<|channel|>final<|message|>\n```\na = 1\n```",
        f"<thinking>\n<think>\n{TRIED}</thinking>\n```\na = 1\n```",
    ]:
        assert extract_code(text, "python") == Extraction("a = 1\n", followed_format=True), text


@pytest.mark.parametrize(
    "text", [f"<think>\n{TRIED}", f"{TRIED}</think>\nI give up.", f"<think>{TRIED}<think>", "<think>\na = 1"]
)
def test_reasoning_alone_is_no_answer(text: str) -> None:
    assert extract_code(text, "python") == Extraction(None, followed_format=False)


RIGHT = Extraction("a = 1\n", followed_format=True)
ANSWER = "```python\na = 1\n```"


def test_blocks_in_quotes_and_lists() -> None:
    for text in [
        "> ```python\n> a = 1\n> ```",
        "So:\n> Here:\n>\n> ```python\n> a = 1\n> ```\n> Done.",
        ">```python\n>a = 1\n>```",
        "> > ```python\n> > a = 1\n> > ```",
        "> ```python\n> a = 1\n```\n",
        "> ~~~python\n> a = 1\n> ~~~",
        "- ```python\n  a = 1\n  ```",
        "1. ```python\n   a = 1\n   ```\n2. Done.",
        "* So:\n\n    ```python\n    a = 1\n    ```",
        "  - ```python\n    a = 1\n    ```",
        "1. ```\n   a = 1\n   ```",
        "- ~~~python\n  a = 1\n  ~~~",
        "> - ```python\n>   a = 1\n>   ```",
        "   ```python\na = 1\n   ```",
        "  ```python\n      a = 1\n  ```",
        "````\n> ```python\n> a = 1\n> ```\n````",
        "```python\na = 1\n```<|im_end|>",
        "```python\na = 1\n``` </answer>",
    ]:
        assert extract_code(text, "python") == RIGHT, text


def test_what_is_indented_in_a_list_keeps_its_own_shape() -> None:
    program = "def f():\n    return '''\n> x\n  - ```y\n'''\n\nprint(f())\n"
    for mark, width in (("- ", 2), ("10. ", 4), ("> ", 0), ("  * ", 4)):
        lines = [" " * width + line if line.strip() else line for line in program.splitlines()]
        quoted = [f"> {line}" for line in program.splitlines()] if mark == "> " else lines
        last = "> ```" if mark == "> " else " " * width + "```"
        assert code("\n".join([f"{mark}```python", *quoted, last])) == program
    assert code(f"```python\n>>> {program}```\n") == f">>> {program}", "a prompt is no quote"


def test_a_program_on_one_line() -> None:
    for text, expected in [
        ("```print(1)```", "print(1)"),
        ("```python print(1)```", "print(1)"),
        ("The answer is ```print(int(input()) * 2)```.", "print(int(input()) * 2)"),
        ("- ```python print(1)```\n", "print(1)"),
        ("`````print('```')`````", "print('```')"),
        ("```a = 0```\n```print(1)```\n", "print(1)"),
        ("```python print(1)```\nIt prints:\n```\n1\n```", "print(1)"),
        ("```print(1)```\nIt prints ```1``` then.", "print(1)"),
        ("<think>```print(0)```</think>```print(1)```", "print(1)"),
        ("```print('<think>')```", "print('<think>')"),
        ("~~~\nprint(1)\n~~~", "print(1)\n"),
    ]:
        assert code(text) == expected, (text, expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"Use ```python sorted(a)``` so:\n{ANSWER}", "a = 1\n"),
        ("Call ```sorted(a)``` so:\n```\na = 1\n```", "a = 1\n"),
        ("It is ```42```.", None),
        ("```not a program at all```", None),
        ("```print(1)``", None),
    ],
)
def test_prose_that_names_code_is_no_program(text: str, expected: str | None) -> None:
    assert code(text) == expected


@pytest.mark.parametrize("program", ["print('<think>x</think>')\n", "a = '</think>' + b\n", "if a <think> b: pass\n"])
def test_a_program_may_print_the_tags_of_reasoning(program: str) -> None:
    assert code(f"```python\n{program}```") == program
    assert code(program) == program


def test_cpp_has_its_own_tags() -> None:
    both = "```python\nprint(1)\n```\n```c++\nint main() {}\n```\n```python\nprint(2)\n```"
    assert extract_code(both, "cpp") == Extraction("int main() {}\n", followed_format=True)


def test_a_language_without_a_table_is_its_own_tag() -> None:
    assert code("```rust\nfn main() {}\n```\n```\nx\n```", "rust") == "fn main() {}\n"
    assert code("```brainfuck\n+.\n```\n```\nx\n```", "brainfuck") == "+.\n"
    assert code("+.", "brainfuck") is None


@pytest.mark.parametrize(
    "text",
    ["n = int(input())\nprint(n * 2)\n", "print(int(input()) * 2)", "import sys\n", "print('\\d')"],
)
def test_a_bare_program_is_taken_though_it_is_not_the_format(text: str) -> None:
    assert extract_code(text, "python") == Extraction(text, followed_format=False)


def test_no_program_is_none() -> None:
    for text in ["", " \n", "No", "I cannot solve this.", "42", "'''only words'''", "yes, no", "```", "``` ``` ```",
     "```python\n```", "Use `x` and ``y``.", "so it ends ```", "so it ends ~~~python", "print(1)\x00"]:  # fmt: skip
        assert extract_code(text, "python") == Extraction(None, followed_format=False), text


def test_a_bare_cpp_program() -> None:
    program = "#include <iostream>\nint main() { std::cout << 1; }\n"
    assert extract_code(program, "cpp") == Extraction(program, followed_format=False)
    assert code("The function main { is long", "cpp") is None


def test_a_bare_answer_that_is_too_long_is_not_parsed() -> None:
    assert code("x = 1\n" * 20_000) is None


HOSTILE = {
    "backticks": "`" * 1_000_000,
    "lines of backticks": "```\n" * 200_000,
    "tagged lines": "```python\n" * 100_000,
    "growing fences": "\n".join("`" * (3 + n % 200) for n in range(10_000)),
    "spaces": " " * 1_000_000,
    "blank lines": "\n" * 1_000_000,
    "spaces before fences": (" " * 1000 + "```\n") * 1_000,
    "indented blocks": "   ```python\n" + "   \t" * 250_000,
    "nulls": "\x00" * 1_000_000,
    "prose before backticks": ("a" * 50 + "`") * 80_000,
    "tildes": "~" * 1_000_000,
    "carriage returns": "\r" * 1_000_000,
    "brackets": "(" * 60_000,
    "minus": "-" * 60_000 + "1",
    "chained calls": "a" + "()" * 30_000,
    "backticks, then text": "`" * 1_000_000 + "a",
    "pairs of backticks": "`` " * 300_000,
    "runs on one line": "```a" * 250_000,
    "runs on one line, then a tag": "```a`" * 200_000 + "```python",
    "tildes on one line": "~~~a" * 250_000 + "`",
    "nested wholes": "".join("`" * (1000 - n) + "markdown\n" for n in range(990)) + "a\n",
    "wholes that open again and again": "````\n```python\n" * 60_000,
    "lines that end with a fence": "```python\n" + "a```\n" * 200_000,
    "opening tags": "<think>" * 140_000,
    "opening tags on lines": "<think>\n" * 120_000,
    "closing tags": "a</think>" * 110_000,
    "closing tags on lines": "</think>\n" * 110_000,
    "tags and spaces": "a<think>" + " " * 500 + ("<think>" + " " * 500) * 2_000,
    "half tags": "<" * 1_000_000,
    "tokens": "<|channel|>final<|message|>" * 40_000,
    "markers": "\u3010\u4ee3\u7801\u5f00\u59cb\u3011" * 160_000,
    "half markers": "\u3010 " * 500_000,
    "wide spaces": "\u3000" * 1_000_000,
    "tags and fences": "```\n<think>\n</think>\n" * 45_000,
    "tags in an open block": "```python\n" + "x </think>\n" * 90_000,
    "tags in blocks that are closed": "```python\n</think>\n```\n" * 45_000,
    "growing fences and a tag": "\n".join("`" * (3 + n % 200) for n in range(10_000)) + "\n</think>\n",
    "tags in tags": "<think><analysis><reasoning>" * 36_000,
    "tags with attributes": "<think a" * 125_000,
    "attributes without an end": "<think " + " " * 999_993,
    "quoted tags": "'<think>'" * 110_000,
    "a block and tags on one line": "```python\nx\n```\n" + "a <think> b </think>" * 50_000,
    "channels": "<|channel|>analysis" * 52_000,
    "half channels": "<|channel|>final to=" + "a" * 1_000_000,
    "starts": "<|start|>" * 110_000,
    "quotes": "> " * 500_000 + "```python",
    "quoted lines": "> ```python\n" * 80_000,
    "a deep quote": (">" * 500 + "```python\n") * 2_000,
    "lists": "- " * 500_000 + "~~~",
    "numbers": "1. " * 330_000 + "```",
    "one line after another": "```print(1)```\n" * 70_000,
    "pieces on one line": "```a``` " * 125_000,
    "closing words": "```python\nx\n```" + "</s>" * 250_000 + "x",
    "turns": "a<|im_end|><|im_start|>x" * 40_000,
    "tokens in an open block": "```python\n" + "x <|im_end|> y\n" * 60_000,
    "docstrings without an end": '```python\nx = """\n```\n' * 40_000,
    "comments without an end": "```cpp\n/*\n```\n" * 50_000,
    "marks of comments": "```cpp\n" + '/* "' * 200_000 + "\n```\n",
    "fences far to the right": "```python\n" + "        ```\n" * 80_000,
    "fences that are too short": "````python\n" + "```\n" * 200_000,
    "conversations": "```python\n>>> a\n```\n" * 50_000,
    "names below fences": "```\npython\n```\n" * 50_000,
    "output": "```text\nx\n```\n" * 60_000,
    "characters that nobody sees": "\u200b```python\n\u200b```\n" * 40_000,
    "programs between prose": "x = 1\nThis is prose.\n" * 2_700,
    "a program that breaks off": "x = (\n" * 10_000,
    "braces": "int main() {" + "}" * 60_000,
    "heads of functions": "int f(" + ")" + " " * 50_000,
    "words": "Private " * 8_000 + "x",
}


@pytest.mark.parametrize("text", thinned((pytest.param(text, id=name) for name, text in HOSTILE.items()), 3))
def test_twice_the_text_takes_about_twice_the_time(text: str) -> None:
    """Sixteen times as much would take 256 times as long if every character looked at all the others."""
    text = text[: len(text) // 8] + text[-len(text) // 8 :]  # with both its ends
    language = "cpp" if "cpp" in text or "int " in text[:20] else "python"
    bound = 16 * 6 * work(lambda: extract_code(text[: len(text) // 16], language)) + 0.1
    with little_work():  # a quadratic scan of a quarter of a megabyte would take minutes
        assert at_most(bound, lambda: extract_code(text, language))


@given(st.text(alphabet="`~ \na1(python", max_size=200), st.sampled_from(["python", "cpp", "rust"]))
def test_any_text_has_an_extraction(text: str, language: str) -> None:
    found = extract_code(text, language)
    assert found.code is None or found.code.strip()
    assert found.code is not None or not found.followed_format


@given(st.text(alphabet=st.characters(exclude_characters="`~\r", exclude_categories=["Cs"]), min_size=1, max_size=200))
def test_what_is_fenced_comes_back_whole(program: str) -> None:
    if program.strip():
        assert code(f"Here:\n```python\n{program}\n```\n") == f"{program}\n"
