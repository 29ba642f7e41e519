"""The program in an answer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.work import little_work

from app.domain.asking.extraction import Extraction, extract_code

FENCED = "Think first.\n```python\nprint(1)\n```\nDone."


def code(text: str, language: str = "python") -> str | None:
    return extract_code(text, language).code


def test_a_fenced_program_as_asked() -> None:
    assert extract_code(FENCED, "python") == Extraction("print(1)\n", followed_format=True)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
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
        ("1. First:\n   ```python\n   if a:\n       b()\n   ```\n", "if a:\n    b()\n"),
    ],
    ids=["last", "tagged", "untagged", "over-json", "not-empty", "py", "case", "attributes", "info", "tildes", "crlf",
         "prose", "list"],
)  # fmt: skip
def test_the_last_block_of_the_best_kind(text: str, expected: str) -> None:
    assert extract_code(text, "python") == Extraction(expected, followed_format=True)


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


def test_cpp_has_its_own_tags() -> None:
    both = "```python\nprint(1)\n```\n```c++\nint main() {}\n```\n```python\nprint(2)\n```"
    assert extract_code(both, "cpp") == Extraction("int main() {}\n", followed_format=True)


def test_a_language_without_a_table_is_its_own_tag() -> None:
    assert code("```rust\nfn main() {}\n```\n```\nx\n```", "rust") == "fn main() {}\n"
    assert code("fn main() {}", "rust") is None


@pytest.mark.parametrize(
    "text",
    ["n = int(input())\nprint(n * 2)\n", "print(int(input()) * 2)", "import sys\n", "print('\\d')"],
)
def test_a_bare_program_is_taken_though_it_is_not_the_format(text: str) -> None:
    assert extract_code(text, "python") == Extraction(text, followed_format=False)


@pytest.mark.parametrize(
    "text",
    ["", " \n", "No", "I cannot solve this.", "42", "'''only words'''", "yes, no", "```", "``` ``` ```",
     "```python\n```", "Use `x` and ``y``.", "so it ends ```", "so it ends ~~~python", "print(1)\x00"],
)  # fmt: skip
def test_no_program_is_none(text: str) -> None:
    assert extract_code(text, "python") == Extraction(None, followed_format=False)


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
    "spaces before fences": (" " * 1000 + "```\n") * 4_000,
    "indented blocks": "   ```python\n" + "   \t" * 250_000,
    "nulls": "\x00" * 1_000_000,
    "prose before backticks": ("a" * 50 + "`") * 80_000,
    "tildes": "~" * 1_000_000,
    "carriage returns": "\r" * 1_000_000,
    "brackets": "(" * 60_000,
    "minus": "-" * 60_000 + "1",
    "chained calls": "a" + "()" * 30_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_takes_linear_time(text: str) -> None:
    with little_work():  # a quadratic scan of a megabyte would take many minutes
        extract_code(text, "python")


@given(st.text(alphabet="`~ \na1(python", max_size=200), st.sampled_from(["python", "cpp", "rust"]))
def test_any_text_has_an_extraction(text: str, language: str) -> None:
    found = extract_code(text, language)
    assert found.code is None or found.code.strip()
    assert found.code is not None or not found.followed_format


@given(st.text(alphabet=st.characters(exclude_characters="`~\r", exclude_categories=["Cs"]), min_size=1, max_size=200))
def test_what_is_fenced_comes_back_whole(program: str) -> None:
    if program.strip():
        assert code(f"Here:\n```python\n{program}\n```\n") == f"{program}\n"
