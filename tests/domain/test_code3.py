"""Asking in Chinese by level: the prompt, how answers are read, and the columns of its board."""

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

import pytest

from app.domain.asking.extraction import extract_marked
from app.domain.asking.protocols import HOUSE_CODE3, PRESETS
from app.domain.boards.board import LevelScore
from app.domain.boards.named_boards import Gap, board_of, boards
from app.domain.errors import InvalidInput
from app.domain.problems import Form, Level, Limits, Statement, Test
from app.domain.scenarios import Item
from app.domain.scenarios.codegen import SCENARIO

BEGIN, END = "【代码开始】", "【代码结束】"
CODE = "def total(xs: list[int]) -> int:\n    return sum(xs)\n"
FUNCTION = Statement(
    problem="house/total",
    locale="zh",
    form=Form.FUNCTION,
    title="求和",
    text="返回列表中所有数的和。\n",
    starter_code={"python": "def total(xs: list[int]) -> int:\n    ...\n"},
    examples=(Test([[1, 2]], 3, visible=True), Test([[]], 0, visible=True)),
    limits=Limits(1500, 128),
)


def asked(statement: Statement = FUNCTION) -> str:
    [message] = SCENARIO.ask(statement, HOUSE_CODE3, Item()).messages
    assert message.role == "user"
    return message.content


def test_the_prompt_in_full() -> None:
    text = asked()
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == "6647aa8f2ad0096f"
    assert text.endswith(
        "四、需求描述\n<需求描述和测试用例--开始>\n# 求和\n\n返回列表中所有数的和。\n\n示例：\n>>> total([1, 2])\n3\n"
        ">>> total([])\n0\n\ndef total(xs: list[int]) -> int:\n    ...\n<需求描述和测试用例--结束>"
    )


def test_a_method_is_called_by_an_object_of_its_class() -> None:
    starter = "class Solution:\n    def total(self, xs: list[int]) -> int:\n        ...\n"
    assert "\n>>> Solution().total([1, 2])\n3\n" in asked(replace(FUNCTION, starter_code={"python": starter}))


def test_a_whole_program_is_asked_for_where_there_is_no_function() -> None:
    text = asked(replace(FUNCTION, form=Form.STDIN, starter_code={}, examples=(Test("1 2\n", "3\n", visible=True),)))
    assert "2. 从标准输入读取数据" in text
    assert text.endswith("输入：\n```\n1 2\n```\n输出：\n```\n3\n```\n<需求描述和测试用例--结束>")
    with pytest.raises(InvalidInput, match="no starter code"):
        SCENARIO.ask(replace(FUNCTION, starter_code={}), HOUSE_CODE3, Item())


@pytest.mark.parametrize(
    ("text", "followed"),
    [
        pytest.param(f"{BEGIN}\n{CODE}{END}", True, id="as asked"),
        pytest.param(f"好的。\n{BEGIN}\n```python\n{CODE}```\n{END}\n希望有帮助。", True, id="a fence inside"),
        pytest.param(f"[代码开始]\n{CODE}[代码结束]", True, id="other brackets"),
        pytest.param(f"{BEGIN}\nx = 1\n{END}\n更正：\n{BEGIN}\n{CODE}{END}", True, id="the last one"),
        pytest.param(f"{BEGIN}\n{CODE}", False, id="never closed"),
        pytest.param(f"{CODE}\n{END}", False, id="never opened"),
        pytest.param(f"```python\n{CODE}```", False, id="a fence alone"),
        pytest.param(CODE, False, id="bare"),
        pytest.param(f"<think>\n{BEGIN}\nx = 1\n{END}\n</think>\n```python\n{CODE}```", False, id="marks in thoughts"),
    ],
)
def test_a_program_is_found_in_any_form_and_the_form_is_told(text: str, followed: bool) -> None:
    found = extract_marked(text, "python")
    assert (found.code or "").strip() == CODE.strip()
    assert found.followed_format is followed


@pytest.mark.parametrize("text", ["", "我不能帮忙。", f"{BEGIN}\n\n{END}"])
def test_without_a_program_there_is_none(text: str) -> None:
    assert extract_marked(text, "python").code is None


# --- the board ---


class Row:
    """What the columns read of a row."""

    def __init__(self, scores: Mapping[Level, LevelScore]) -> None:
        self.by_difficulty = MappingProxyType(dict(scores))


# Published scores by level with the weighted one (SuperCLUE-Code3's README, February 2024).
PUBLISHED = [
    ((88.89, 80.60, 52.63), 68.00), ((90.00, 79.10, 44.74), 63.74), ((82.22, 70.15, 36.84), 55.51),
    ((67.78, 46.27, 42.11), 47.78), ((68.89, 53.73, 34.21), 46.50), ((63.33, 28.36, 21.05), 30.53),
    ((57.78, 25.37, 13.16), 24.67), ((52.22, 25.37, 7.89), 21.11), ((32.22, 17.91, 7.89), 15.29),
    ((43.53, 15.62, 2.86), 13.89), ((24.44, 5.97, 0.00), 6.06),
]  # fmt: skip


def test_the_weighted_score_is_the_published_one() -> None:
    for scores, weighted in PUBLISHED:
        [column] = [column for column in boards()["code3"].columns if column.name == "weighted"]
        levels = (Level.EASY, Level.MEDIUM, Level.HARD)
        row = Row({level: LevelScore(score, 10) for level, score in zip(levels, scores, strict=True)})
        assert not isinstance(column.of, Gap)
        found = column.of(row, {})  # type: ignore[arg-type]  # it reads the levels alone
        assert found == pytest.approx(weighted, abs=0.0051), (scores, weighted)
        lacking = Row({level: LevelScore(None if level is Level.HARD else 50.0, 0) for level in levels})
        assert column.of(lacking, {}) is None, (scores, weighted)  # type: ignore[arg-type]


def test_each_protocol_is_on_one_board() -> None:
    by_slug = {protocol.slug: board_of(protocol) for protocol in PRESETS}
    assert by_slug["code3"] == board_of(HOUSE_CODE3) == "code3"
    assert by_slug["livecodebench"] == "codegen"
    assert board_of(replace(HOUSE_CODE3, scenario="nowhere")) is None
