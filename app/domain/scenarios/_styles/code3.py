"""Style code3-zh of codegen: asks in Chinese for code between marks.

The order of the parts and the marks are those of SuperCLUE-Code3 (its published README, section on prompts); the words
are this project's own. If a problem stores its examples apart from its text, they are shown as in an interactive
session.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from app.domain.asking.completions import Message, Prompt
from app.domain.asking.protocols import Protocol
from app.domain.problems import Form, Statement, Test
from app.domain.scenarios._rendering import LANGUAGES, examples, starter_text

STYLE: Final = "code3-zh"

_TASK: Final = """\
代码生成任务

一、任务
阅读下面的需求描述，用 {language} 写出满足全部要求的代码，它要通过所有测试用例。

二、要求
1. 写出所需的全部导入语句。
2. {rule}
3. 除代码外，不要输出任何其他内容。

三、格式
代码必须放在下面两个标记之间，例如：
【代码开始】
{example}
【代码结束】

四、需求描述
<需求描述和测试用例--开始>
{described}
<需求描述和测试用例--结束>"""
_RULES: Final = {
    Form.STDIN: "从标准输入读取数据，把答案写到标准输出，不要输出其他内容。",
    Form.INTERACTIVE: "通过标准输入和标准输出与评测程序交互，每写一行都要刷新输出。",
}
_FUNCTION: Final = "不得改动给定的函数名、参数名和参数类型。"
_EXAMPLES: Final = {
    "python": """\
from typing import List


def count_even(numbers: List[int]) -> int:
    return sum(number % 2 == 0 for number in numbers)""",
    "cpp": """\
#include <vector>

int count_even(const std::vector<int>& numbers) {
    int even = 0;
    for (int number : numbers) even += number % 2 == 0;
    return even;
}""",
}

WRITTEN_FOR: Final = tuple(_EXAMPLES)


def prompt(statement: Statement, protocol: Protocol) -> Prompt:
    """Return one message. Raises InvalidInput if a function is asked for and there is no starter code."""
    language, rule = protocol.language, _RULES.get(statement.form, _FUNCTION)
    if statement.form in _RULES:
        shown = examples(statement.examples, protocol.locale)
    else:
        starter = starter_text(statement, language)
        shown = [*_render_calls(statement.examples, starter), starter]
    described = "\n\n".join((f"# {statement.title}", statement.text.strip(), *shown))
    words = _TASK.format(language=LANGUAGES[language], rule=rule, example=_EXAMPLES[language], described=described)
    return Prompt((Message("user", words),))


def _render_calls(tests: Sequence[Test], starter: str) -> Iterator[str]:
    """Yield calls with their values; nothing if the tests are no calls."""
    calls = [test for test in tests if isinstance(test.input, list)]
    name = _call_expression(starter)
    lines = (f">>> {name}({', '.join(map(repr, test.input))})\n{test.expected!r}" for test in calls)
    if calls:
        yield "\n".join(("示例：", *lines))


def _call_expression(starter: str) -> str:
    """Return the expression that calls its function, a method on an object of its class."""
    name = starter.partition("def ")[2].partition("(")[0]
    owner = starter.partition("class ")[2].partition(":")[0] if starter.startswith("class ") else ""
    return f"{owner}().{name}" if owner else name
